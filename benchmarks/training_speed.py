"""Training speed on full documents of 210 units, against the plain network in the same run.

    python benchmarks/training_speed.py [--device cuda] [--pairs 64 128] [--bar 5000]

A step is forward, backward and Adam. Tokens are drawn from 60,000 types by Zipf's law, as in
English; their order does not matter for speed. The floor, at the paper's sizes (hidden 50 a
direction): a token costs 2 · 50 · 200 multiplications in the unit recurrence, thrice that with the
backward pass, so 6,300 tokens a document are 0.38 G multiplications. What the plain network does
besides, 2 · 330 · 200 of projection a token, is 6.6 times as much again, and is done here once for
each distinct type of the batch.
"""

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np
import torch
from plain_encoder import PlainEncoder

from samehand.model.config import NetworkConfig
from samehand.model.documents import Documents, Types, assemble
from samehand.model.network import Network

TYPES = 60_000


def draw(n_pairs: int, config: NetworkConfig, device: torch.device, units: int) -> Documents:
    rng = np.random.default_rng(0)
    length = config.windowing.span(units)
    weight = 1 / np.arange(1, TYPES - 1)
    tokens = rng.choice(TYPES - 2, 2 * n_pairs * length, p=weight / weight.sum()) + 2
    words = np.minimum(np.arange(TYPES), 5_001)
    characters = rng.integers(2, 300, (TYPES, 15)).astype(np.int16)
    types = Types(*(torch.from_numpy(a).to(device) for a in (words, characters)))
    lengths = torch.full((2 * n_pairs,), length, device=device)
    return assemble(torch.from_numpy(tokens).to(device), lengths, types, config.windowing, n_pairs)


def seconds_a_step(network: Network, batch: Documents, device: torch.device, steps: int) -> float:
    optimiser = torch.optim.Adam(network.parameters(), 6e-4)
    same = torch.arange(batch.n_masks or 0, device=device) % 2 == 0

    def step() -> None:
        optimiser.zero_grad()
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            losses, _ = network.losses(batch, same)
        losses.total.backward()
        optimiser.step()

    return median_time(step, device, steps)


def median_time(work: Callable[[], None], device: torch.device, times: int) -> float:
    taken = []
    for number in range(times + 2):
        start = time.perf_counter()
        work()
        if device.type == "cuda":
            torch.cuda.synchronize()
        if number >= 2:  # the first ones compile and allocate
            taken.append(time.perf_counter() - start)
    return float(np.median(taken))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--pairs", type=int, nargs="+", default=None)
    parser.add_argument("--units", type=int, default=210)
    parser.add_argument("--hidden", type=int, default=50)
    parser.add_argument("--steps", type=int, default=None)
    parser.add_argument("--plain", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument(
        "--bar",
        type=float,
        default=None,
        help="documents a second on a GPU (5,000), ratio on a CPU (2)",
    )
    options = parser.parse_args()
    device = torch.device(options.device)
    on_gpu = device.type == "cuda"
    config = NetworkConfig(unit_hidden=options.hidden, document_hidden=options.hidden)
    best = 0.0
    for n_pairs in options.pairs or ([64, 128, 256] if on_gpu else [4]):
        torch.manual_seed(0)
        batch = draw(n_pairs, config, device, options.units)
        rates = {}
        for name in ("samehand", "plain") if options.plain else ("samehand",):
            network = Network(config, 5_002, 302).to(device)
            if name == "plain":
                network.encoder = PlainEncoder(network.encoder).to(device)  # type: ignore[assignment]
            steps = options.steps or (10 if on_gpu else 3)
            rates[name] = 2 * n_pairs / seconds_a_step(network, batch, device, steps)
        ratio = rates["samehand"] / rates.get("plain", float("nan"))
        best = max(best, rates["samehand"] if on_gpu else ratio)
        shown = ", ".join(f"{name} {rate:,.1f} documents/s" for name, rate in rates.items())
        print(
            f"{n_pairs} pairs of {options.units} units, {len(batch.types.words):,} types: "
            f"{shown}, ratio {ratio:.1f}"
        )
    bar = options.bar or (5_000 if on_gpu else 2)
    what = "documents a second" if on_gpu else "times the plain network"
    print(f"best {best:,.1f}, bar {bar:,.0f} {what}")
    return 0 if best >= bar else 1


if __name__ == "__main__":
    sys.exit(main())
