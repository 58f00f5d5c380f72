"""How far half precision leads gradients astray: through samehand's recurrence, and cuDNN's.

    python benchmarks/gradients.py [--runs 3] [--steps 100] [--batches 6]    (on a CUDA device)

Networks learn for some steps on planted authors (`loss_curve.py`). Then the gradients of a batch
are computed in several ways, with the same weights. What is right is the plain network with
`nn.LSTM` in single precision; the others compute in bfloat16, the plain one's LSTMs once in
float16, as autocast has them. Printed is the norm of the difference, relative to that of what is
right, for each parameter of the encoder that gradients reach through the recurrences. Exits with 1
where samehand is further off than cuDNN in bfloat16, on average over them all.
"""

import argparse
import sys

import numpy as np
import torch
from loss_curve import KINDS, Authors, without_dropout
from plain_encoder import plain_network
from torch import Tensor
from training_speed import training

from samehand.network.documents import Documents
from samehand.network.network import Network

PARAMETERS = {
    "words.weight": (),
    "convolve.weight": (),
    "unit_lstm.project.weight": ("unit_lstm.weight_ih_l0", "unit_lstm.weight_ih_l0_reverse"),
    "unit_lstm.project.bias": ("unit_lstm.bias_ih_l0", "unit_lstm.bias_ih_l0_reverse"),
    "document_lstm.project.weight": (
        "document_lstm.weight_ih_l0",
        "document_lstm.weight_ih_l0_reverse",
    ),
    "document_lstm.project.bias": ("document_lstm.bias_ih_l0", "document_lstm.bias_ih_l0_reverse"),
    "unit_attention.bend.weight": (),
    "unit_attention.score.weight": (),
}
"""Of samehand's encoder, and what makes them up in the plain one where names differ."""


def gradients(network: Network, batch: Documents, same: Tensor, half: bool) -> list[Tensor]:
    """Of PARAMETERS."""
    network.zero_grad()
    with torch.autocast("cuda", torch.bfloat16, enabled=half):
        losses, _ = network.losses(batch, same)
    losses.total.backward()
    found = {name: value.grad for name, value in network.encoder.named_parameters()}
    names = [(ours,) if ours in found else theirs for ours, theirs in PARAMETERS.items()]
    return [torch.cat([found[name].double() for name in parts]) for parts in names]


def errors(network: Network, batch: Documents, same: Tensor) -> list[list[float]]:
    """(kinds, parameters)"""
    right = gradients(plain_network(network), batch, same, half=False)
    ways = [network, *(plain_network(network, KINDS[kind]) for kind in list(KINDS)[1:])]
    return [
        [float((g - r).norm() / r.norm()) for g, r in zip(found, right, strict=True)]
        for found in (gradients(way, batch, same, half=True) for way in ways)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batches", type=int, default=6)
    options = parser.parse_args()
    torch.backends.cudnn.allow_tf32 = False  # single precision is what is right here
    device = torch.device("cuda")
    config, found = without_dropout(), []
    for seed in range(options.runs):
        torch.manual_seed(seed)
        authors, network = Authors(config, device, seed), Network(config, 5_002, 302).to(device)
        step = training(network, device)
        for _ in range(options.steps):
            step(*authors.draw(32, 60))
        found += [errors(network, *authors.draw(32, 60)) for _ in range(options.batches)]
    means = np.mean(found, 0)  # (kinds, parameters)
    print(f"{'relative error':32}" + "".join(f"{kind:>18}" for kind in KINDS))
    for name, row in zip([*PARAMETERS, "mean"], [*means.T, means.mean(1)], strict=True):
        print(f"{name:32}" + "".join(f"{error:18.4f}" for error in row))
    ours, theirs, _ = means.mean(1)
    return 0 if ours <= theirs else 1


if __name__ == "__main__":
    sys.exit(main())
