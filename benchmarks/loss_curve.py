"""Does the fast recurrence learn as cuDNN's does? Loss curves, side by side.

    python benchmarks/loss_curve.py [--device cuda] [--steps 500] [--pairs 32] [--units 60]

Networks that start from the same weights learn from the same batches: samehand's, and the plain one
with `nn.LSTM` (cuDNN on a GPU). Authors are planted: each prefers some of the frequent words to
others. Dropout is off, since masks would be drawn in another order. Rounding alone leads two
networks apart, a little further at every step; how far shows in a second plain network, which gets
the pairs of every batch in reverse order. Both differences are printed, of means over 50 steps.
"""

import argparse
import sys
from collections.abc import Callable

import numpy as np
import torch
from plain_encoder import PlainEncoder
from torch import Tensor
from training_speed import TYPES, cut, training, types_on

from samehand.model.config import NetworkConfig
from samehand.model.documents import Documents
from samehand.model.network import Network

AUTHORS = 100
FREQUENT = 1_000
"""Types whose rates tell authors apart."""
PREFERENCE = 0.7
"""Standard deviation of their log rates among authors."""
WINDOW = 50
NAMES = ("samehand", "plain", "plain, reversed")
BARS = {"cuda": 0.01, "cpu": 1e-3}
"""Of the loss. On a GPU the networks compute in bfloat16, which resolves 0.4 %."""


class Authors:
    """Pairs of documents, every other one by the same author."""

    def __init__(self, config: NetworkConfig, device: torch.device) -> None:
        self._config, self._device = config, device
        self._generator = torch.Generator(device).manual_seed(0)
        rates = -torch.log(torch.arange(1, TYPES - 1, device=device))
        tilt = torch.zeros(AUTHORS, TYPES - 2, device=device)
        tilt[:, :FREQUENT].normal_(0, PREFERENCE, generator=self._generator)
        self._rates = torch.softmax(rates + tilt, 1)  # (authors, types)
        self._types = types_on(device)

    def draw(self, n_pairs: int, units: int) -> tuple[Tensor, Tensor]:
        """Tokens (2 · pairs, tokens), first documents before second ones; and who is the same."""
        one = torch.randint(AUTHORS, (n_pairs,), generator=self._generator, device=self._device)
        same = torch.arange(n_pairs, device=self._device) % 2 == 0
        other = torch.where(same, one, (one + 1 + one % 7) % AUTHORS)
        rates = self._rates[torch.cat([one, other])]
        length = self._config.windowing.span(units)
        return torch.multinomial(rates, length, True, generator=self._generator) + 2, same

    def batch(self, tokens: Tensor) -> Documents:
        return cut(tokens, self._types, self._config)


def learners(config: NetworkConfig, device: torch.device) -> list[Callable[..., Tensor]]:
    """Steps of training of each network."""
    made = []
    for name in NAMES:
        torch.manual_seed(0)
        network = Network(config, 5_002, 302).to(device)
        if name != "samehand":
            network.encoder = PlainEncoder(network.encoder).to(device)  # type: ignore[assignment]
            for parameter, value in network.named_parameters():
                if "bias_hh" in parameter:  # a second bias would learn at twice the rate of one
                    value.requires_grad_(False)
        made.append(training(network, device))
    return made


def reversed_pairs(tokens: Tensor) -> Tensor:
    one, other = tokens.chunk(2)
    return torch.cat([one.flip(0), other.flip(0)])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument("--units", type=int, default=60)
    options = parser.parse_args()
    device = torch.device(options.device)
    dropouts = {name: 0.0 for name in NetworkConfig.model_fields if name.startswith("dropout")}
    config = NetworkConfig(**dropouts)  # type: ignore[arg-type]
    authors, (ours, plain, again) = Authors(config, device), learners(config, device)
    losses = []
    for _ in range(options.steps):
        tokens, same = authors.draw(options.pairs, options.units)
        batch, turned = authors.batch(tokens), authors.batch(reversed_pairs(tokens))
        losses += [ours(batch, same), plain(batch, same), again(turned, same.flip(0))]
    return report(torch.stack(losses).view(-1, len(NAMES)).cpu().numpy().T, device)


def report(losses: np.ndarray, device: torch.device) -> int:
    """Prints means of WINDOW steps and their differences; 0 if those are small."""
    n = losses.shape[1] // WINDOW
    means = losses[:, : n * WINDOW].reshape(len(NAMES), n, WINDOW).mean(2)
    print("steps      " + "".join(f"{name:>18}" for name in NAMES))
    for window in range(n):
        shown = "".join(f"{mean:18.4f}" for mean in means[:, window])
        print(f"{window * WINDOW:4}–{(window + 1) * WINDOW:<6}" + shown)
    apart = np.abs(means - means[1]) / means[1]
    ours, rounding = apart[0].max(), apart[2].max()
    bar = max(BARS[device.type], 2 * rounding)
    print(
        f"largest difference from the plain network: samehand {ours:.2%}, "
        f"the plain one by rounding alone {rounding:.2%}; bar {bar:.2%}"
    )
    return 0 if ours <= bar else 1


if __name__ == "__main__":
    sys.exit(main())
