"""Does the fast recurrence learn as cuDNN's does? Loss curves, side by side.

    python benchmarks/loss_curve.py [--device cuda] [--runs 6] [--steps 500] [--pairs 32]

Networks of two kinds, samehand's and the plain one with `nn.LSTM` (cuDNN on a GPU), start from the
same weights and learn from the same batches. On a GPU both compute in bfloat16. A third kind stands
beside them: the plain one as autocast has it, which runs cuDNN's LSTMs in float16, with three more
bits of precision, whatever type was asked for. Authors are planted: each prefers some of the
frequent words to others. Dropout is off, since masks would be drawn in another order.

Rounding alone leads two networks apart, a little further at every step, and which of them is ahead
after some hundred steps is chance, but one chance for all runs from one start. So each run has
weights and batches of its own, which all kinds share in it.

Printed are loss and standard deviation among runs, in ten windows of steps. At the end the mean log
loss over the windows is one number for each run and kind, and by how much samehand's is the larger
is put to Student's test. Exits with 1 where the first two kinds differ by more than chance would
have it at 5 %, and by more than one in a thousand.
"""

import argparse
import sys
from collections.abc import Callable

import numpy as np
import torch
from plain_encoder import plain_network
from scipy.stats import t, ttest_1samp
from torch import Tensor
from training_speed import TYPES, cut, training, types_on

from samehand.model.config import NetworkConfig
from samehand.network.documents import Documents
from samehand.network.network import Network

AUTHORS = 100
FREQUENT = 1_000
"""Types whose rates tell authors apart."""
PREFERENCE = 0.7
"""Standard deviation of their log rates among authors."""
WINDOWS = 10
KINDS = {"samehand": None, "plain": torch.bfloat16, "plain, float16": None}
"""Networks that learn, and the type their LSTMs run in, where not autocast's."""
LEVEL = 0.05
NEGLIGIBLE = 1e-3
"""Of the loss. In single precision all runs stay together, and any difference is significant."""


Step = Callable[[Documents, Tensor], Tensor]


class Authors:
    """Pairs of documents, every other one by the same author."""

    def __init__(self, config: NetworkConfig, device: torch.device, seed: int) -> None:
        self._config, self._device = config, device
        self._generator = torch.Generator(device).manual_seed(seed)
        rates = -torch.log(torch.arange(1, TYPES - 1, device=device))
        tilt = torch.zeros(AUTHORS, TYPES - 2, device=device)
        tilt[:, :FREQUENT].normal_(0, PREFERENCE, generator=self._generator)
        self._rates = torch.softmax(rates + tilt, 1)  # (authors, types)
        self._types = types_on(device)

    def draw(self, n_pairs: int, units: int) -> tuple[Documents, Tensor]:
        """A batch of pairs, and who is the same."""
        one = torch.randint(AUTHORS, (n_pairs,), generator=self._generator, device=self._device)
        same = torch.arange(n_pairs, device=self._device) % 2 == 0
        other = torch.where(same, one, (one + 1 + one % 7) % AUTHORS)
        rates = self._rates[torch.cat([one, other])]
        length = self._config.windowing.span(units)
        tokens = torch.multinomial(rates, length, True, generator=self._generator) + 2
        return cut(tokens, self._types, self._config), same


def without_dropout() -> NetworkConfig:
    dropouts = {name: 0.0 for name in NetworkConfig.model_fields if name.startswith("dropout")}
    return NetworkConfig(**dropouts)  # type: ignore[arg-type]


def learner(kind: str, config: NetworkConfig, device: torch.device, seed: int) -> Step:
    """Steps of training of a network, whose weights at first depend on the seed alone."""
    torch.manual_seed(seed)
    network = Network(config, 5_002, 302).to(device)
    if kind != "samehand":
        lstm_type = KINDS[kind] if device.type == "cuda" else None
        network = plain_network(network, lstm_type)
        for parameter, value in network.named_parameters():
            if "bias_hh" in parameter:  # a second bias would learn at twice the rate of one
                value.requires_grad_(False)
    return training(network, device)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--runs", type=int, default=6, help="of each kind, at least 2")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--pairs", type=int, default=32)
    parser.add_argument("--units", type=int, default=60)
    options = parser.parse_args()
    if options.runs < 2 or options.steps < WINDOWS:
        parser.error(f"at least 2 runs and {WINDOWS} steps")
    device = torch.device(options.device)
    config = without_dropout()
    kinds = list(KINDS)[: 3 if device.type == "cuda" else 2]
    losses = []
    for seed in range(options.runs):
        authors = Authors(config, device, seed)
        learners = [learner(kind, config, device, seed) for kind in kinds]
        run = []
        for _ in range(options.steps):
            batch = authors.draw(options.pairs, options.units)
            run.append(torch.stack([step(*batch) for step in learners]))
        losses.append(torch.stack(run, 1).cpu())
    return report(kinds, torch.stack(losses, 1).double().numpy())


def report(kinds: list[str], losses: np.ndarray) -> int:
    """Prints what (kinds, runs, steps) come to; 0 if the first two kinds learn alike."""
    window = losses.shape[2] // WINDOWS
    parted = losses[..., : WINDOWS * window].reshape(*losses.shape[:2], WINDOWS, window)
    means = parted.mean(3)  # (kinds, runs, windows)
    print(f"{'steps':11}" + "".join(f"{kind:>18}" for kind in kinds))
    for number, (mean, spread) in enumerate(
        zip(means.mean(1).T, means.std(1, ddof=1).T, strict=True)
    ):
        shown = "".join(f"{m:10.4f} ± {s:.4f}" for m, s in zip(mean, spread, strict=True))
        print(f"{number * window:4}–{(number + 1) * window:<6}" + shown)
    ours, *others = np.log(means).mean(2)  # (runs,) each
    alike = [learn_alike(ours, *other) for other in zip(kinds[1:], others, strict=True)]
    return 0 if alike[0] else 1


def learn_alike(ours: np.ndarray, kind: str, theirs: np.ndarray) -> bool:
    apart = ours - theirs  # (runs,)
    test = ttest_1samp(apart, 0)
    bar = t.ppf(1 - LEVEL / 2, test.df)
    error = apart.std(ddof=1) / np.sqrt(len(apart))
    print(
        f"mean log loss, samehand less {kind}: {apart.mean():+.2g} ± {error:.2g}, "
        f"t = {test.statistic:.2f}; bar {bar:.2f} (at {test.df} degrees of freedom), "
        f"or {NEGLIGIBLE:g} apart"
    )
    return bool(abs(apart.mean()) <= NEGLIGIBLE or abs(test.statistic) <= bar)


if __name__ == "__main__":
    sys.exit(main())
