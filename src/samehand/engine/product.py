"""A product of four rows with a matrix, in the code of numba's compiler itself."""

from itertools import product

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, config, types
from numba.core.codegen import get_host_cpu_features
from numba.extending import intrinsic

LANES = 4
"""Sequences, or other rows, that are multiplied at once."""

if config.CPU_FEATURES is None and "+avx512f" in get_host_cpu_features():
    # Otherwise LLVM avoids the widest vectors, for which older processors slowed down.
    config.CPU_FEATURES = f"{get_host_cpu_features()},-prefer-256-bit"
_LENGTH, _VECTORS = (16, 4) if "+avx512f" in (config.CPU_FEATURES or "") else (8, 2)
"""Numbers in a vector, and vectors of each sequence that stay in registers together."""


@intrinsic
def add_product(typing, x, weight, out, depth, width):
    """out (4, width) += x (4, depth) @ weight (depth, width), all of them contiguous.

    A few columns at a time, whose sums stay in registers over the whole depth. That cannot be said
    in Python, and so this is written as the compiler's own code.
    """

    def generate(context, builder, signature, arguments):
        arrays = zip(signature.args[:3], arguments[:3], strict=True)
        x, weight, out = (context.make_array(t)(context, builder, a).data for t, a in arrays)
        depth, width = arguments[3:]
        vector, index = ir.VectorType(ir.FloatType(), _LENGTH), depth.type

        def at(array, row, columns, column, kind):
            place = builder.gep(array, [builder.add(builder.mul(row, columns), column)])
            return builder.bitcast(place, kind.as_pointer())

        def add_columns(column, vectors):
            """The sums of so many vectors, from a column on."""
            columns = [builder.add(column, index(_LENGTH * v)) for v in range(vectors)]
            places = [[at(out, index(i), width, c, vector) for c in columns] for i in range(LANES)]
            sums = [[cgutils.alloca_once(builder, vector) for _ in columns] for _ in range(LANES)]
            for i, v in product(range(LANES), range(vectors)):
                builder.store(builder.load(places[i][v], align=4), sums[i][v])
            with cgutils.for_range(builder, depth) as loop:
                k = loop.index
                rows = [builder.load(at(weight, k, width, c, vector), align=4) for c in columns]
                for i in range(LANES):
                    value = builder.load(at(x, index(i), depth, k, ir.FloatType()))
                    value = _repeated(builder, value, vector)
                    for v in range(vectors):
                        added = builder.fmul(value, rows[v], flags=["contract"])
                        total = builder.fadd(builder.load(sums[i][v]), added, flags=["contract"])
                        builder.store(total, sums[i][v])
            for i, v in product(range(LANES), range(vectors)):
                builder.store(builder.load(sums[i][v]), places[i][v], align=4)

        step = index(_LENGTH * _VECTORS)
        whole = builder.mul(builder.udiv(width, step), step)
        with cgutils.for_range_slice(builder, index(0), whole, step) as (column, _):
            add_columns(column, _VECTORS)
        for vectors in range(1, _VECTORS):  # the compiler knows the width, and keeps one of these
            left = builder.sub(width, whole)
            with builder.if_then(builder.icmp_signed("==", left, index(_LENGTH * vectors))):
                add_columns(whole, vectors)
        return context.get_dummy_value()

    return types.void(x, weight, out, types.intp, types.intp), generate


def _repeated(builder, value, vector):
    """A vector of one value."""
    nothing, first = ir.Constant(vector, ir.Undefined), ir.IntType(32)(0)
    single = builder.insert_element(nothing, value, first)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), None)
    return builder.shuffle_vector(single, nothing, mask)
