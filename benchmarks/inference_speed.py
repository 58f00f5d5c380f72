"""Inference on a CPU: against the plain network, by length, by number, and its memory.

    python benchmarks/inference_speed.py [--model DIR] [--only ratios lengths numbers memory]

Ratios are against `PlainEncoder` (`nn.LSTM`) in the same run, on documents of 210 units whose
tokens are drawn from 60,000 types by Zipf's law. Exits with 1 where at the paper's size a batch of
32 is less than 8 times as fast, a document alone less than 3 times, or a vector differs by more
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
from plain_encoder import plain_network
from training_speed import draw_tokens, types_on

from samehand.engine.embed import Embedder
from samehand.engine.reading import TextsRead, Types
from samehand.model.config import NetworkConfig
from samehand.network.documents import assemble
from samehand.network.network import Network
from samehand.network.weights import stored
from samehand.text.tokenise import Tokens
from samehand.text.vocabulary import SPECIAL, Vocabulary
from samehand.verifier import Verifier

CPU = torch.device("cpu")
ESSAYS = Path(__file__).parents[1] / "examples" / "essays"
LEAST = {32: 8.0, 1: 3.0}
MOST_APART = 1e-5
ROUNDS = 7
VOCABULARY = Vocabulary(
    (*SPECIAL, *(f"word{i}" for i in range(5_000))), (*SPECIAL, *map(chr, range(0x100, 0x22C)))
)


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


def ratios() -> bool:
    rate = multiply_adds_a_second()
    print(f"  torch multiplies matrices at {rate / 1e9:.0f} G multiply-adds a second")
    each = {(hidden, n): ratio(hidden, n, rate) for hidden in (50, 128) for n in LEAST}
    return all(found for (hidden, _), found in each.items() if hidden == 50)


def ratio(hidden: int, n: int, rate: float) -> bool:
    config = NetworkConfig(unit_hidden=hidden, document_hidden=hidden)
    torch.manual_seed(1)
    network = Network(config, len(VOCABULARY.words), len(VOCABULARY.characters)).eval()
    plain, embedder = plain_network(network), Embedder([stored(network, "drawn", VOCABULARY)])
    tokens, types = draw_tokens(n, config.windowing.span(210), CPU), types_on(CPU)
    lengths = torch.full((n,), tokens.shape[1])
    read = as_read(tokens.numpy(), Types(*(part.numpy() for part in types)))

    def by_plain() -> np.ndarray:
        return plain(assemble(tokens.flatten(), lengths, types, config.windowing)).numpy()

    def by_engine() -> np.ndarray:
        return embedder.embed_read(read).style

    apart = float(np.abs(by_engine() - by_plain()).max())
    slow, fast = medians(by_plain, by_engine, rounds=ROUNDS if n > 1 else 3 * ROUNDS)
    floor = n * 210 * config.unit_width * 12 * hidden**2 / rate
    print(
        f"  hidden {hidden}, {n:2} of 210 units: plain {1e3 * slow / n:5.1f} ms a document, "
        f"samehand {1e3 * fast / n:5.1f}, floor {1e3 * floor / n:4.1f}; "
        f"ratio {slow / fast:.1f} (at least {LEAST[n]:.0f}); apart {apart:.0e}"
    )
    return slow / fast >= LEAST[n] and apart <= MOST_APART


def as_read(tokens: np.ndarray, types: Types) -> TextsRead:
    """Drawn tokens (documents, length) as the engine has texts, whose types begin with no PAD."""
    documents = [Tokens(own, own, own) for own in tokens - len(SPECIAL)]
    known = types.at(slice(len(SPECIAL), None))
    return TextsRead(documents, [known], [tokens.shape[1]] * len(tokens))


def multiply_adds_a_second() -> float:
    a = torch.randn(2_048, 2_048)
    return 2_048**3 / medians(lambda: a @ a)[0]


def by_length(verifier: Verifier) -> None:
    windowing = verifier.engine.windowing
    for units in (1, 10, 50, 100, 210):
        some = texts(64, int(windowing.span(units) * 0.85))
        taken = medians(lambda some=some: verifier.embed(some), rounds=3)[0]
        n_units = sum(map(windowing.count, verifier.engine.read(some).lengths()))
        print(
            f"  {n_units / 64:5.0f} units: {1e3 * taken / 64:6.2f} ms a document, "
            f"{1e6 * taken / n_units:4.0f} µs a unit"
        )


def by_number(verifier: Verifier) -> None:
    for n in (10, 100, 1_000, 10_000):
        some = texts(n, 100)
        taken = medians(lambda some=some: verifier.embed(some), rounds=3 if n < 10_000 else 1)[0]
        print(f"  {n:6,} documents of 100 words: {n / taken:6,.0f} a second")


MEMORY = """
import json, random, resource, sys
from samehand.verifier import Verifier
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
draw = random.Random(0)
def text():  # every word is new, or nearly: the worst there is
    return " ".join("".join(draw.choices("abcdefghijklmnop", k=7)) for _ in range(6_000))
verifier = Verifier.load(*sys.argv[1:])
done = 0
for vectors in verifier.embed_all([text() for _ in range(24)] for _ in range(12)):
    done += vectors.texts
print(json.dumps([before, peak(), done]))
"""


def memory(model: Path | None) -> None:
    command = [sys.executable, "-c", MEMORY, *([str(model)] if model else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, peak, documents = json.loads(done.stdout)
    print(
        f"  {documents} documents of 6,000 new words each: {peak - before:,.0f} MiB above imports"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = "ratios", "lengths", "numbers", "memory"
    parser.add_argument("--model", type=Path, help="instead of the packaged one")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    options = parser.parse_args()
    good = True
    with torch.inference_mode():
        for name in options.only:
            print(f"{name}, {torch.get_num_threads()} threads")
            if name == "ratios":
                good = ratios()
            elif name == "memory":
                memory(options.model)
            else:
                {"lengths": by_length, "numbers": by_number}[name](Verifier.load(options.model))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
