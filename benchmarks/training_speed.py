"""Training speed on full documents of 210 units, against the plain network in the same run.

    python benchmarks/training_speed.py [--device cuda] [--pairs 64 128] [--bar 12000]
    python benchmarks/training_speed.py --device cuda --pairs 128 --epoch [STEPS]

A step is forward, backward and Adam. Tokens are drawn from 60,000 types by Zipf's law, as in
English; their order does not matter for speed. The floor, at the paper's sizes (hidden 50 a
direction): a token costs 2 · 50 · 200 multiplications in the unit recurrence, thrice that with the
backward pass, so 6,300 tokens a document are 0.38 G multiplications. What the plain network does
besides, 2 · 330 · 200 of projection a token, is 6.6 times as much again, and is done here once for
each distinct type of the batch.

With `--epoch`, steps follow one another as in training, each on another batch, cut from documents
on the device: the paper's whole epoch of 303,142 documents, or STEPS of it and the rest by
proportion.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import torch
from plain_encoder import plain_network
from torch import Tensor

from samehand.model.config import NetworkConfig
from samehand.network.documents import Documents, Types, assemble
from samehand.network.network import Network

TYPES = 60_000
EPOCH = 303_142
"""Documents of an epoch of the paper's."""


def draw(n_pairs: int, config: NetworkConfig, device: torch.device, units: int) -> Documents:
    tokens = draw_tokens(2 * n_pairs, config.windowing.span(units), device)
    return cut(tokens, types_on(device), config)


def draw_tokens(documents: int, length: int, device: torch.device) -> Tensor:
    weight = 1 / np.arange(1, TYPES - 1)
    drawn = np.random.default_rng(0).choice(TYPES - 2, (documents, length), p=weight / weight.sum())
    return torch.from_numpy(drawn + 2).to(device)


def cut(tokens: Tensor, types: Types, config: NetworkConfig) -> Documents:
    """A batch of pairs of (documents, tokens)."""
    n, length = tokens.shape
    lengths = torch.full((n,), length, device=tokens.device)
    return assemble(tokens.flatten(), lengths, types, config.windowing, n // 2)


def types_on(device: torch.device) -> Types:
    """All types: 5,000 known words, and the others by their letters alone."""
    words = np.minimum(np.arange(TYPES), 5_001)
    characters = np.random.default_rng(1).integers(2, 300, (TYPES, 15)).astype(np.int16)
    return Types(*(torch.from_numpy(a).to(device) for a in (words, characters)))


def training(network: Network, device: torch.device) -> Callable[[Documents, Tensor], Tensor]:
    """A step of training on a batch and which of its pairs are the same, to its loss."""
    optimiser = torch.optim.Adam(network.parameters(), 6e-4)

    def step(batch: Documents, same: Tensor) -> Tensor:
        optimiser.zero_grad()
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            losses, _ = network.losses(batch, same)
        losses.total.backward()
        optimiser.step()
        return losses.total.detach()

    return step


def seconds_an_epoch(
    network: Network, n_pairs: int, device: torch.device, units: int, steps: int
) -> float:
    """Seconds for EPOCH documents, from that many steps; all of them if 0."""
    needed = math.ceil(EPOCH / (2 * n_pairs))
    steps = min(steps or needed, needed)
    config, types, step = network.config, types_on(device), training(network, device)
    tokens = draw_tokens(8 * n_pairs, config.windowing.span(units), device)
    start = 0.0
    for number in range(-3, steps):  # the first ones compile and allocate
        if number == 0:
            synchronise(device)
            start = time.perf_counter()
        chosen = torch.randint(len(tokens), (2 * n_pairs,), device=device)
        step(cut(tokens[chosen], types, config), every_other(n_pairs, device))
    synchronise(device)
    taken = time.perf_counter() - start
    print(f"{steps:,} steps of {n_pairs} pairs: {taken:.1f} s, {1e3 * taken / steps:.2f} ms a step")
    return taken / steps * needed


def every_other(n_pairs: int, device: torch.device) -> Tensor:
    return torch.arange(n_pairs, device=device) % 2 == 0


def synchronise(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def median_time(work: Callable[[], object], device: torch.device, times: int) -> float:
    taken = []
    for number in range(times + 2):
        start = time.perf_counter()
        work()
        synchronise(device)
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
    parser.add_argument("--epoch", type=int, nargs="?", const=0, metavar="STEPS")
    parser.add_argument(
        "--bar",
        type=float,
        default=None,
        help="documents a second on a GPU (12,000), ratio on a CPU (2)",
    )
    options = parser.parse_args()
    device = torch.device(options.device)
    on_gpu = device.type == "cuda"
    config = NetworkConfig(unit_hidden=options.hidden, document_hidden=options.hidden)
    if options.epoch is not None:
        n_pairs = (options.pairs or [128])[0]
        network = Network(config, 5_002, 302).to(device)
        seconds = seconds_an_epoch(network, n_pairs, device, options.units, options.epoch)
        print(f"an epoch of {EPOCH:,} documents: {seconds:.1f} s")
        return 0
    best = 0.0
    for n_pairs in options.pairs or ([64, 128, 256] if on_gpu else [4]):
        torch.manual_seed(0)
        batch = draw(n_pairs, config, device, options.units)
        rates = {}
        for name in ("samehand", "plain") if options.plain else ("samehand",):
            network = Network(config, 5_002, 302).to(device)
            if name == "plain":
                network = plain_network(network)
            steps = options.steps or (10 if on_gpu else 3)
            step, same = training(network, device), every_other(n_pairs, device)
            rates[name] = 2 * n_pairs / median_time(partial(step, batch, same), device, steps)
        ratio = rates["samehand"] / rates.get("plain", float("nan"))
        best = max(best, rates["samehand"] if on_gpu else ratio)
        shown = ", ".join(f"{name} {rate:,.1f} documents/s" for name, rate in rates.items())
        print(
            f"{n_pairs} pairs of {options.units} units, {len(batch.types.words):,} types: "
            f"{shown}, ratio {ratio:.1f}"
        )
    bar = options.bar or (12_000 if on_gpu else 2)
    what = "documents a second" if on_gpu else "times the plain network"
    print(f"best {best:,.1f}, bar {bar:,.0f} {what}")
    return 0 if best >= bar else 1


if __name__ == "__main__":
    sys.exit(main())
