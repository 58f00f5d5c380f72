"""Learn word order from pieces, and write the table that the package reads.

    python recipes/order/learn.py PIECES.npz -o src/samehand/text/word_order.npz [--minutes 15]

Every tenth text is held back; what is found among those at 1, 0.5 and 0.1 % false alarms is
printed. `thresholds.py` then sets the thresholds. The table in the package was learnt in four
rounds (12, 12, 9 and 7 minutes on one core, with `--go-on`), while kinds of pieces were added.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from samehand.text.word_order import DILATIONS, MARKS, N_ENDINGS

WORD_SIZE, HIDDEN = 16, 64
LAYERS = tuple(zip((5, 5, 3), DILATIONS, strict=True))
"""Width and dilation of each convolution: together they see 33 tokens."""
CUTS = (70, 120, 200, 380)
"""Tokens of a piece that are shown at a time."""
TOKENS_A_BATCH = 12_000
SCALE = 10.0
"""Tokens whose evidence counts as independent: one in so many."""


class Order(nn.Module):
    """Evidence of each token that its text was not written in this order."""

    def __init__(self, n_words: int) -> None:
        super().__init__()
        self.words = nn.Embedding(n_words, WORD_SIZE, padding_idx=0)
        nn.init.normal_(self.words.weight, 0.0, 0.3)
        sizes = [WORD_SIZE + 2] + [HIDDEN] * len(LAYERS)
        self.layers = nn.ModuleList(
            nn.Conv1d(a, b, width, padding=dilation * (width // 2), dilation=dilation)
            for a, b, (width, dilation) in zip(sizes[:-1], sizes[1:], LAYERS, strict=True)
        )
        self.out = nn.Linear(HIDDEN * len(LAYERS), 1)

    def forward(self, numbers: Tensor, flags: Tensor) -> Tensor:
        there = (numbers > 0).float()  # (pieces, tokens)
        x = torch.cat([self.words(numbers), flags], 2).transpose(1, 2)
        seen = []
        for layer in self.layers:
            x = F.relu(layer(x)) * there[:, None]
            seen.append(x)
        evidence: Tensor = self.out(torch.cat(seen, 1).transpose(1, 2))[..., 0]
        return evidence * there


class Pieces:
    def __init__(self, path: Path, seed: int = 0) -> None:
        data = np.load(path)
        self.kind = data["kind"]
        self.words = str(data["words"])
        self.n_words = self.words.count("\n") + 1 + N_ENDINGS
        self.begins = np.concatenate([[0], data["length"].cumsum()])
        self.number, self.flags = data["number"], data["flags"]
        self.natural = self.kind == "natural"
        self.held = np.arange(len(self.kind)) // 2 % 10 == 0  # two natural ones are of one text
        self.rng = np.random.default_rng(seed)

    def batch(self, chosen: np.ndarray, cut: int, vary: bool = True) -> tuple[Tensor, Tensor]:
        """Pieces cut to a length; varied: some without marks, some with words that nobody knows."""
        shown = []
        for i in chosen:
            begin, end = self.begins[i], self.begins[i + 1]
            if vary and end - begin > cut:
                begin += self.rng.integers(end - begin - cut + 1)
            number = self.number[begin : min(end, begin + cut)].astype(np.int64)
            flags = self.flags[begin : min(end, begin + cut)].astype(np.float32)
            if vary and self.rng.random() < 0.12:
                words = number > len(MARKS)
                number, flags = number[words], flags[words]
            if vary and self.rng.random() < 0.25:
                odd = (self.rng.random(len(number)) < 0.08) & (number > len(MARKS))
                number[odd] = self.n_words - self.rng.integers(N_ENDINGS, size=odd.sum())
                flags[odd] = 0
            shown.append((number, flags))
        numbers = np.zeros((len(shown), cut), np.int64)
        padded = np.zeros((len(shown), cut, 2), np.float32)
        for row, (number, flags) in enumerate(shown):
            numbers[row, : len(number)], padded[row, : len(number)] = number, flags
        return torch.from_numpy(numbers), torch.from_numpy(padded)


def learn(order: Order, pieces: Pieces, minutes: float, rate: float) -> None:
    sides = [np.flatnonzero(~pieces.held & (pieces.natural == side)) for side in (True, False)]
    optimiser = torch.optim.AdamW(order.parameters(), weight_decay=0.01)
    start, step, smooth = time.monotonic(), 0, 0.7
    while (done := (time.monotonic() - start) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = rate * max(0.01, 1 - done)
        cut = int(pieces.rng.choice(CUTS))
        half = TOKENS_A_BATCH // cut // 2
        chosen = np.concatenate([pieces.rng.choice(side, half) for side in sides])
        evidence = order(*pieces.batch(chosen, cut)).sum(1) / SCALE
        loss = F.binary_cross_entropy_with_logits(
            evidence, torch.arange(2).repeat_interleave(half).float()
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step, smooth = step + 1, 0.99 * smooth + 0.01 * loss.item()
        if step % 500 == 0:
            print(f"{step} steps, {done:.0%}, loss {smooth:.3f}", flush=True)


def found(order: Order, pieces: Pieces) -> None:
    """Shares of held-back pieces found, by their kind, at some false alarms."""
    for cut in (110, 330):
        long = pieces.held & (np.diff(pieces.begins) >= 0.9 * cut)
        scores = np.zeros(len(long))
        with torch.inference_mode():
            for chosen in np.array_split(np.flatnonzero(long), 200):
                numbers, flags = pieces.batch(chosen, cut, vary=False)
                scores[chosen] = order(numbers, flags).sum(1) / (numbers > 0).sum(1)
        limits = np.quantile(scores[long & pieces.natural], [0.99, 0.995, 0.999])
        print(f"{cut} tokens, limits {limits.round(3)}")
        for kind in np.unique(pieces.kind):
            own = scores[long & (pieces.kind == kind)]
            print(f"  {kind:20} {len(own):6}", *(f"{(own > limit).mean():.3f}" for limit in limits))


def save(order: Order, words: str, output: Path) -> None:
    """In bytes, one scale a table: finer steps change no score that matters."""
    arrays = {}
    for name, values in order.state_dict().items():
        plain = values.numpy()
        if plain.ndim == 1 or name == "out.weight":
            arrays[name] = plain.astype(np.float32)
            continue
        scale = np.abs(plain).max() / 127
        arrays[name] = np.round(plain / scale).astype(np.int8)
        arrays[f"{name}.scale"] = np.float32(scale)
    np.savez_compressed(output, listed=np.frombuffer(words.encode(), np.uint8), **arrays)
    print(f"{output}: {output.stat().st_size / 1024:.0f} KiB")


def saved(path: Path) -> dict[str, Tensor]:
    """The network that `save` wrote."""
    arrays = np.load(path)
    return {
        name: torch.tensor(arrays[name] * arrays.get(f"{name}.scale", np.float32(1)))
        for name in arrays
        if name != "listed" and not name.endswith(".scale")
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pieces", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--go-on", type=Path, help="an earlier table to begin with")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    pieces = Pieces(options.pieces, options.seed)
    order = Order(pieces.n_words + 1)
    if options.go_on:
        order.load_state_dict(saved(options.go_on))
    learn(order, pieces, options.minutes, options.rate)
    found(order.eval(), pieces)
    save(order, pieces.words, options.output)


if __name__ == "__main__":
    main()
