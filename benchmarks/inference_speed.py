"""Inference on a CPU: against the plain network, by phase, by length, by number, and all pairs.

    python benchmarks/inference_speed.py [--only ratios phases lengths numbers pairs memory]

Ratios are against `PlainEncoder` (`nn.LSTM`) in the same run, on documents of 210 units whose
tokens are drawn from 60,000 types by Zipf's law. Exits with 1 where at the paper's size a batch of
32 is less than 8 times as fast, a document alone less than 3 times, or an embedding differs by more
than 1e-5. At the packaged model's size the plain network spends less of its time in vain.

The floor. With hidden size h a token costs 2 · h · 4h multiply-adds in the recurrence and (2h)² in
the attention, 12 h² in all, and 10 h + 2 h values of tanh or sigmoid: 30,000 and 600 at the
paper's h = 50, 196,608 and 1,536 at the packaged model's h = 128. What the plain network does
besides, 330 · 8h for the input gates and 21,600 for the characters, is done once for each word of
the vocabulary, or each distinct type. The floor in milliseconds takes the rate at which torch
multiplies large matrices in the same run, and nothing for all else.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

import numpy as np
import torch
from plain_encoder import PlainEncoder
from training_speed import draw

from samehand.engine import encoder as compiled
from samehand.engine.encoder import CompiledEncoder
from samehand.network.config import NetworkConfig
from samehand.network.documents import Documents, assemble
from samehand.network.encoder import Encoder
from samehand.verifier import Verifier

CPU = torch.device("cpu")
ESSAYS = Path(__file__).parents[1] / "examples" / "essays"
LEAST = {32: 8.0, 1: 3.0}
MOST_APART = 1e-5
ROUNDS = 7


def seconds(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def medians(*jobs: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Of jobs that take turns, so that what else the machine does falls on all of them."""
    for job in jobs:
        job()
    taken = [[seconds(job) for job in jobs] for _ in range(rounds)]
    return [statistics.median(times) for times in zip(*taken, strict=True)]


def words() -> Iterator[str]:
    return cycle(" ".join(path.read_text("utf-8") for path in sorted(ESSAYS.glob("*.txt"))).split())


def texts(n: int, length: int) -> list[str]:
    """Texts of so many words, no two alike, with words of their own."""
    source = words()
    return [" ".join([f"Text{i}", *islice(source, length - 1)]) for i in range(n)]


def first(batch: Documents, n: int, config: NetworkConfig) -> Documents:
    """The first documents of a batch of equal ones, by themselves."""
    units = batch.tokens[: n * config.most_units]
    met, numbers = torch.unique(units, return_inverse=True)
    types = type(batch.types)(batch.types.words[met], batch.types.characters[met])
    lengths = batch.unit_lengths[: len(units)]
    return Documents(types, numbers, lengths, batch.units[:n], batch.lengths[:n])


def ratios() -> bool:
    rate = multiply_adds_a_second()
    print(f"torch multiplies matrices at {rate / 1e9:.0f} G multiply-adds a second")
    each = {(hidden, n): ratio(hidden, n, rate) for hidden in (50, 128) for n in LEAST}
    return all(found for (hidden, _), found in each.items() if hidden == 50)


def ratio(hidden: int, n: int, rate: float) -> bool:
    config = NetworkConfig(unit_hidden=hidden, document_hidden=hidden)
    torch.manual_seed(1)
    with torch.inference_mode(False):  # such tensors do not tell when they change
        encoder = Encoder(5_002, 302, config).eval()
        plain = PlainEncoder(encoder).eval()
    batch = first(draw(16, config, CPU, 210), n, config)
    apart = (encoder(batch)[0] - plain(batch)[0]).abs().max().item()
    rounds = ROUNDS if n > 1 else 3 * ROUNDS
    slow, fast = medians(lambda: plain(batch), lambda: encoder(batch), rounds=rounds)
    floor = batch.tokens.numel() * 12 * hidden**2 / rate
    print(
        f"  hidden {hidden}, {n:2} of 210 units: plain {1e3 * slow / n:5.1f} ms a document, "
        f"samehand {1e3 * fast / n:5.1f}, floor {1e3 * floor / n:4.1f}; "
        f"ratio {slow / fast:.1f} (at least {LEAST[n]:.0f}); apart {apart:.0e}"
    )
    return slow / fast >= LEAST[n] and apart <= MOST_APART


def multiply_adds_a_second() -> float:
    a = torch.randn(2_048, 2_048)
    return 2_048**3 / medians(lambda: a @ a)[0]


def phases(verifier: Verifier, n: int = 32) -> None:
    """What a batch of full documents of prose takes, in the first network of the model."""
    network = verifier.networks[0]
    documents = texts(n, 5_500)
    read = verifier.encoders.lexicon.read(documents)
    lengths = torch.tensor(read.lengths())
    tokens = torch.from_numpy(read.tokens(range(n)))
    batch = assemble(tokens, lengths, read.types[0], verifier.encoders.windowing)
    network.style(batch)
    kernels = compiled._kernels()
    if kernels is None:
        print("no compiled kernels here")
        return
    encoder = CompiledEncoder(network.encoder, kernels)
    table = encoder.gates(batch.types)
    units = encoder.read_units(table, batch.tokens, batch.unit_lengths)[0]
    gates = encoder.project(units)
    embeddings = encoder(batch)[0]
    jobs: dict[str, Callable[[], object]] = {
        "tokenise": lambda: verifier.encoders.lexicon.read(documents),
        "cut into units": lambda: assemble(
            tokens, lengths, read.types[0], verifier.encoders.windowing
        ),
        "represent types": lambda: encoder.gates(batch.types),
        "units: recurrence, attention": lambda: encoder.read_units(
            table, batch.tokens, batch.unit_lengths
        ),
        "documents: gates": lambda: encoder.project(units),
        "documents: recurrence, attention": lambda: encoder.read_documents(
            gates, batch.units, batch.lengths
        ),
        "metric": lambda: network.metric(embeddings),
        "whole network": lambda: network.style(batch),
    }
    print(f"{n} documents, {len(batch.tokens):,} units, {len(batch.types.words):,} types; ms each")
    for name, taken in zip(jobs, medians(*jobs.values()), strict=True):
        print(f"  {name:34} {1e3 * taken / n:6.2f}")


def by_length(verifier: Verifier) -> None:
    for units in (1, 10, 50, 100, 210):
        some = texts(64, int(verifier.encoders.windowing.span(units) * 0.85))
        taken = medians(lambda some=some: verifier.embed(some), rounds=3)[0]
        n_units = sum(
            verifier.encoders.windowing.count(n)
            for n in verifier.encoders.lexicon.read(some).lengths()
        )
        print(
            f"  {n_units / 64:5.0f} units: {1e3 * taken / 64:6.2f} ms a document, "
            f"{1e6 * taken / n_units:4.0f} µs a unit"
        )


def by_number(verifier: Verifier) -> None:
    for n in (10, 100, 1_000, 10_000):
        some = texts(n, 100)
        taken = medians(lambda some=some: verifier.embed(some), rounds=3 if n < 10_000 else 1)[0]
        print(f"  {n:6,} documents of 100 words: {n / taken:6,.0f} a second")


def by_pairs(verifier: Verifier) -> None:
    drawn = np.random.default_rng(0).normal(size=(4_000, verifier.lev_width))
    levs = np.tanh(drawn).astype(np.float32)
    for n in (100, 1_000, 4_000):
        taken = medians(lambda n=n: verifier.probabilities(levs[:n], levs[:n]), rounds=3)[0]
        print(f"  {n:,} by {n:,}: {60 * n * n / taken / 1e6:,.0f} M pairs a minute")


MEMORY = """
import json, resource, sys
from samehand.verifier import Verifier
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
import samehand.casework.embedding, samehand.engine.kernels, random
before = peak()
draw = random.Random(0)
def text():  # every word is new, or nearly: the worst there is
    return " ".join("".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(6_000))
verifier = Verifier.load()
done = 0
for lengths, _ in verifier.embed_all([text() for _ in range(24)] for _ in range(12)):
    done += len(lengths)
print(json.dumps([before, peak(), done]))
"""


def memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    before, peak, documents = json.loads(done.stdout)
    print(
        f"  {documents} documents of 6,000 new words each: {peak - before:,.0f} MiB above imports"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = "ratios", "phases", "lengths", "numbers", "pairs", "memory"
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    only: list[str] = parser.parse_args().only
    compiled._PATIENCE = 0.0  # a start is measured elsewhere
    verifier = Verifier.load()
    runs = {"phases": phases, "lengths": by_length, "numbers": by_number, "pairs": by_pairs}
    good = True
    with torch.inference_mode():
        for name in only:
            print(f"{name}, {torch.get_num_threads()} threads")
            if name == "ratios":
                good = ratios()
            elif name == "memory":
                memory()
            else:
                runs[name](verifier)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
