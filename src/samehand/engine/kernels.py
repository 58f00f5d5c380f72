"""The costly part of inference on a CPU, in Python that numba compiles.

Nothing here knows of torch. Rows are padded with zeros to whole vectors of the processor, and all
sizes of a kernel are constants in it, so that its inner loops become straight vector code. Four
sequences advance at once, and so each weight that is loaded is used four times.

A kernel is compiled once for each size of a network, in some seconds, and kept on disk by numba.
"""

from collections.abc import Callable
from functools import cache

import numba
import numpy as np

from samehand.engine.compiling import FAST, compiled_kernel
from samehand.engine.product import LANES, add_product

VECTOR = 8
"""Sizes are padded to multiples of this."""
_LIMIT = np.float32(7.90531110763549805)
"""From here on tanh is 1 in single precision."""
_P = tuple(
    np.float32(p)
    for p in (
        4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
        -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
    )
)  # fmt: skip
_Q = tuple(
    np.float32(q)
    for q in (
        4.89352518554385e-03,
        2.26843463243900e-03,
        1.18534705686654e-04,
        1.19825839466702e-06,
    )
)
_P0, _P1, _P2, _P3, _P4, _P5, _P6 = _P
_Q0, _Q1, _Q2, _Q3 = _Q
_HALF, _ZERO = np.float32(0.5), np.float32(0)

_F = {1: numba.float32[::1], 2: numba.float32[:, ::1], 3: numba.float32[:, :, ::1]}
_I = {1: numba.int64[::1], 2: numba.int64[:, ::1]}

_inline = numba.njit(forceinline=True, **FAST)


@_inline
def parts_of_tanh(x):
    """Two polynomials (Eigen's) whose ratio is tanh within 4e-7; both are vectorised.

    A division takes longer than both of them. Where several values are needed, they share one.
    """
    x = min(max(x, -_LIMIT), _LIMIT)
    s = x * x
    p = _P0 + s * (_P1 + s * (_P2 + s * (_P3 + s * (_P4 + s * (_P5 + s * _P6)))))
    return x * p, _Q0 + s * (_Q1 + s * (_Q2 + s * _Q3))


@_inline
def tanh(x):
    """Unlike the C library's it is vectorised."""
    p, q = parts_of_tanh(x)
    return p / q


@_inline
def parts_of_sigmoid(x):
    """By way of tanh: (1 + tanh(x / 2)) / 2."""
    p, q = parts_of_tanh(_HALF * x)
    return _HALF * (q + p), q


@_inline
def advance(gates, c, h, hidden):
    """Cells and states (4, hidden) of the next step from its gates (4, 4 · hidden)."""
    for lane in range(LANES):
        for j in range(hidden):
            pi, qi = parts_of_sigmoid(gates[lane, j])
            pf, qf = parts_of_sigmoid(gates[lane, hidden + j])
            pg, qg = parts_of_tanh(gates[lane, 2 * hidden + j])
            po, qo = parts_of_sigmoid(gates[lane, 3 * hidden + j])
            new = (pf * c[lane, j] * (qi * qg) + pi * pg * qf) / (qf * (qi * qg))
            bent, q = parts_of_tanh(new)
            c[lane, j] = new
            h[lane, j] = po * bent / (qo * q)


@_inline
def attend(states, length, bend, bias, score, bent, total, shares, size):
    """Shares (length,) of the steps of one sequence, and the sum (size,) so weighted.

    `states` (steps, size) has room for `length` rounded up to a multiple of 4.
    """
    half = size // 2
    highest = np.float32(-np.inf)
    for first in range(0, length, LANES):
        for lane in range(LANES):
            for j in range(size):
                bent[lane, j] = bias[j]
        add_product(states[first : first + LANES], bend, bent, size, size)
        for lane in range(min(LANES, length - first)):
            scored = _ZERO
            for j in range(half):
                p0, q0 = parts_of_tanh(bent[lane, j])
                p1, q1 = parts_of_tanh(bent[lane, half + j])
                scored += (score[j] * p0 * q1 + score[half + j] * p1 * q0) / (q0 * q1)
            shares[first + lane] = scored
            highest = max(highest, scored)
    whole = _ZERO
    for step in range(length):
        shares[step] = np.exp(shares[step] - highest)
        whole += shares[step]
    for step in range(length):
        shares[step] /= whole
        for j in range(size):
            total[j] += shares[step] * states[step, j]


@cache
def reader(hidden: int) -> Callable[..., None]:
    """A bidirectional LSTM with attention over sequences of table rows, for one padded size.

    table    (rows, 2, 4 · hidden)    input gates of both directions
    index    (sequences, steps)       the row of the table at each step
    lengths  (sequences,)             steps in each sequence
    chosen   (some,)                  the sequences to read; neighbours should be alike in length
    weight   (2, hidden, 4 · hidden)  from the hidden state to the gates
    bend     (2 · hidden, 2 · hidden), bias and score (2 · hidden,)  of the attention
    totals   (sequences, 2 · hidden)  takes sums of states, weighted by attention; zero before
    shares   (sequences, steps)       takes the weights; zero before

    It holds no lock: several threads may read parts of one batch.
    """
    width, size = 4 * hidden, 2 * hidden

    def read(table, index, lengths, chosen, weight, bend, bias, score, totals, shares):
        room = -(-index.shape[1] // LANES) * LANES
        states = np.zeros((LANES, room, size), np.float32)
        gates = np.empty((LANES, width), np.float32)
        bent = np.empty((LANES, size), np.float32)
        group = np.empty(LANES, np.int64)
        c = np.empty((LANES, hidden), np.float32)
        h = np.empty((LANES, hidden), np.float32)
        for first in range(0, len(chosen), LANES):
            longest = 0
            for lane in range(LANES):  # where there are fewer, the last takes part several times
                group[lane] = chosen[min(first + lane, len(chosen) - 1)]
                longest = max(longest, lengths[group[lane]])
            for way in range(2):
                c[:] = _ZERO
                h[:] = _ZERO
                for step in range(longest):
                    for lane in range(LANES):
                        last = lengths[group[lane]] - 1
                        place = min(step, last) if way == 0 else last - step
                        row = index[group[lane], max(place, 0)]
                        for j in range(width):
                            gates[lane, j] = table[row, way, j]
                    if step:  # before the first one the states are 0
                        add_product(h, weight[way], gates, hidden, width)
                    advance(gates, c, h, hidden)
                    for lane in range(LANES):
                        length = lengths[group[lane]]
                        if step < length:  # one that has ended waits for its longer neighbours
                            place = step if way == 0 else length - 1 - step
                            for j in range(hidden):
                                states[lane, place, way * hidden + j] = h[lane, j]
            for lane in range(min(LANES, len(chosen) - first)):
                sequence = group[lane]
                attend(
                    states[lane], lengths[sequence], bend, bias, score, bent,
                    totals[sequence], shares[sequence], size,
                )  # fmt: skip

    return compiled_kernel(
        read, (_F[3], _I[2], _I[1], _I[1], _F[3], _F[2], _F[1], _F[1], _F[2], _F[2])
    )


@cache
def speller(filters: int, taps: int, hidden: int) -> Callable[..., None]:
    """Input gates of types, for one padded number of filters, their width, and a padded size.

    spellings  (types, longest)              character numbers
    words      (types,)                      word numbers
    letters    (characters, taps · filters)  what each adds to the filters that see it, the last
                                             place of a filter first
    bias       (filters,)
    known      (vocabulary, 2 · 4 · hidden)  what each word adds to the gates, bias included
    into       (filters, 2 · 4 · hidden)     from the character encoding to the gates
    table      (types, 2 · 4 · hidden)       takes the gates

    A convolution over one-hot characters is a sum of table rows, and tanh of the largest is the
    largest tanh.
    """
    width, reach = 8 * hidden, taps * filters

    def spell(spellings, words, letters, bias, known, into, table):
        longest = spellings.shape[1]
        seen = np.empty((longest + taps - 1) * filters, np.float32)
        spelt = np.empty((LANES, filters), np.float32)
        gates = np.empty((LANES, width), np.float32)
        for first in range(0, len(words), LANES):
            for lane in range(LANES):
                number = min(first + lane, len(words) - 1)
                seen[:] = _ZERO
                for place in range(longest):
                    here = seen[place * filters : place * filters + reach]
                    letter = letters[spellings[number, place]]
                    for j in range(reach):
                        here[j] += letter[j]
                for j in range(filters):
                    best = seen[j]
                    for place in range(1, longest + taps - 1):
                        best = max(best, seen[place * filters + j])
                    spelt[lane, j] = tanh(best + bias[j])
                word = known[words[number]]
                for j in range(width):
                    gates[lane, j] = word[j]
            add_product(spelt, into, gates, filters, width)
            for lane in range(min(LANES, len(words) - first)):
                for j in range(width):
                    table[first + lane, j] = gates[lane, j]

    arrays = numba.int16[:, ::1], _I[1], _F[2], _F[1], _F[2], _F[2], _F[2]
    return compiled_kernel(spell, arrays)
