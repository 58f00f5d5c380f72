"""Train a reader of both texts at once on a GPU, and see what it is worth on trials.

    python recipes/reader/learn.py STORE -o READER [--minutes 12 9] [--leave-out court,fiction]

First it learns to predict pairs drawn as trials are, then to tell them apart as well. Authors that
the default model's encoders have not met it does not meet either. It leaves

    READER/weights-0.safetensors, …    the reader, in half precision, in files of up to 15 MB
    READER/found.npz                   (2, trials) of each set of the store's trials, log odds and
                                       truth; judging: of the pairs that doubt is fitted to
    READER/0/weights-0.safetensors, …  the reader as it was at the first look at the trials while
                                       it learned, and so on; what it found is 0-NAME

`beside.py` then weighs it against a model's answers to the same trials. A store travels to another
machine with recipes/travel.py.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from network import (
    BEGIN,
    BLOCK,
    LONGEST,
    OTHER,
    SAME,
    SPECIAL,
    Reader,
    Rows,
    Sizes,
    Sums,
    block_mask,
    dense_mask,
)
from numpy.typing import NDArray
from safetensors.torch import save_file
from scipy.special import expit
from texts import Drawn, Layout, Pair, Shelf, alphabet, read_after
from torch import Tensor
from torch.utils.data import DataLoader

from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.texts import Texts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONFIG = Path(__file__).parents[1] / "default" / "config.yaml"
WORDS = 1_000
_PREDICTING = 0.2
"""What predicting counts while pairs are told apart, a nat a token where a pair counts one."""
_FILE = 15_000_000
_TILE = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, nargs=2, default=(12.0, 9.0))
    parser.add_argument("--leave-out", default="", help="genres to do without, by comma")
    parser.add_argument("--trials", default="", help="sets of the store, by comma; the recipe's")
    parser.add_argument("--layout", type=int, nargs=3, default=(16, 8192, 256),
                        metavar=("ROWS", "PLACES", "PAIRS"), help="of a batch")  # fmt: skip
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--looks", type=int, default=3, help="at the trials while it learns")
    parser.add_argument("--made-up", type=float, default=0.5, help="share of made-up genres")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=5)
    for name, default in Sizes()._asdict().items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    if options.layout[1] < LONGEST or options.layout[1] % BLOCK:
        parser.error(f"--layout: a row needs at least {LONGEST} places, a multiple of {BLOCK}")
    torch.manual_seed(options.seed)
    store = Store.open(options.store)
    config = TrainingConfig.model_validate(yaml.safe_load(CONFIG.read_text("utf-8")))
    data = PairData(store, config.model_copy(update={"leave_out": names(options.leave_out)}))
    letters = alphabet(store, WORDS)
    shelf = Shelf(store, letters)
    layout = Layout(*options.layout)

    def drawn(layout: Layout) -> Iterator[Rows]:
        pairs = Drawn(shelf, data.met, config.lengths, layout, options.seed, options.made_up)
        return iter(DataLoader(pairs, None, num_workers=options.workers))

    stages = drawn(layout._replace(both=False)), drawn(layout)  # forked before a GPU is touched
    sizes = Sizes(*(getattr(options, name) for name in Sizes._fields))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    reading = Reading(Reader(evenly(letters.size), sizes).to(device), device)
    print(f"{sum(p.numel() for p in reading.reader.parameters()):,} weights", flush=True)

    sets = {}
    for name in names(options.trials) or config.trials:
        trials = store.trials(name)
        used, places = np.unique([trials.first, trials.second], return_inverse=True)
        sets[name] = Trials(data.whole(used), places.reshape(2, -1), trials.same_author)
    found: dict[str, Floats] = {}

    def look(part: str) -> None:
        for name, trials in sets.items():
            found[part + name] = np.stack([reading.judged(shelf, trials, layout), trials.same])
        report({name: found[part + name] for name in sets})
        np.savez_compressed(options.output / "found.npz", **found)  # type: ignore[arg-type]

    options.output.mkdir(parents=True, exist_ok=True)
    for number in learn(reading, stages, options.minutes, options.rate, options.looks):
        look(f"{number}-")
        save(reading.reader, options.output / str(number))
    save(reading.reader, options.output)
    judging = data.judging_pairs(whole=True)
    if judging is not None:
        both = np.stack([judging.pairs.first, judging.pairs.second])
        sets["judging"] = Trials(judging.texts, both, judging.pairs.same_author)
    look("")


def names(given: str) -> tuple[str, ...]:
    """Those between commas."""
    return tuple(name for name in given.split(",") if name)


def evenly(symbols: int) -> int:
    """So many or a few more, of which none is ever met: a GPU multiplies by whole tiles."""
    return -(-(SPECIAL + symbols) // _TILE) * _TILE - SPECIAL


class Trials(NamedTuple):
    """Pairs of texts to be judged."""

    texts: Texts
    pairs: Ints
    """(2, pairs)"""
    same: NDArray[np.bool_]


class Reading:
    """A reader at work on a device, compiled for it if that is a GPU."""

    def __init__(self, reader: Reader, device: torch.device) -> None:
        self.reader, self.device = reader, device
        self.cuda = device.type == "cuda"
        self._read = torch.compile(reader, dynamic=False) if self.cuda else reader

    def sums(self, rows: Rows) -> tuple[Rows, Sums]:
        """Rows, taken to the device; and what is made of them."""
        rows = Rows(*(part.to(self.device) for part in rows))
        mask = block_mask(rows) if self.cuda else dense_mask(rows)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.cuda):
            return rows, self._read(rows, mask)

    @torch.no_grad()
    def judged(self, shelf: Shelf, trials: Trials, layout: Layout) -> Floats:
        """Log odds (pairs,): each text is read after the other, piece after piece."""
        self.reader.eval()
        pairs: list[Pair] = []
        trial: list[int] = []
        for number, (one, other) in enumerate(trials.pairs.T):
            texts = shelf.text(trials.texts, one), shelf.text(trials.texts, other)
            pairs += (pieces := [*read_after(*texts), *read_after(*texts[::-1])])
            trial += [number] * len(pieces)
        evidence, tokens = np.zeros((2, len(pairs)))
        for rows in layout.lots(pairs):
            rows, sums = self.sums(rows)
            here = rows.tokens > 0
            given = rows.given[here].cpu().numpy()
            evidence[given] = sums.evidence[here].float().cpu().numpy()
            tokens[given] = rows.tokens[here].cpu().numpy()
        totals = (
            torch.from_numpy(np.bincount(trial, values, len(trials.same)) / 2).to(self.device)
            for values in (evidence, tokens)
        )
        odds: Floats = self.reader.log_odds(*totals).double().cpu().numpy()
        self.reader.train()
        return odds


def learn(
    reading: Reading, stages: tuple[Iterator[Rows], Iterator[Rows]], minutes: tuple[float, float],
    rate: float, looks: int,
) -> Iterator[int]:  # fmt: skip
    """Predict for some minutes, then tell apart for some; the rate falls to the end of all.

    It stops so many times on the way; what is done meanwhile does not count.
    """
    reader = reading.reader.train()
    matrices = [
        p for name, p in reader.named_parameters() if name.startswith("blocks") and p.ndim == 2
    ]
    chosen = set(map(id, matrices))
    others = [p for p in reader.parameters() if id(p) not in chosen]
    optimisers = (
        torch.optim.Muon(matrices, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, betas=(0.9, 0.95), weight_decay=0.0, fused=reading.cuda),
    )
    start, step, smooth, number = time.monotonic(), 0, None, 0
    while (passed := (time.monotonic() - start) / 60) < sum(minutes):
        done = passed / sum(minutes)
        if number < looks and done >= (number + 1) / (looks + 1):
            yield number
            number, start = number + 1, time.monotonic() - passed * 60
        telling = passed >= minutes[0]
        for group in (group for one in optimisers for group in one.param_groups):
            group["lr"] = rate * min(1.0, (step + 1) / 200) * max(0.01, 1 - done)
        loss, figures = losses(reading, next(stages[telling]), telling)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        for one in optimisers:
            one.step()
            one.zero_grad(set_to_none=True)
        step += 1
        smooth = figures if smooth is None else smooth.lerp(figures, 0.02)
        if step % 200 == 0:
            told = " ".join(f"{figure:.3f}" for figure in smooth.tolist())
            print(f"{step} steps, {passed:.1f} min, {done:.0%}: {told}", flush=True)


def losses(reading: Reading, rows: Rows, telling: bool) -> tuple[Tensor, Tensor]:
    """What is to be made small; and nats a token, nats a pair and the share of pairs right."""
    rows, sums = reading.sums(rows)
    here, same = rows.tokens > 0, rows.same
    true = torch.where(same, sums.plain[:, SAME], sums.plain[:, OTHER])
    nats = -(sums.plain[:, BEGIN].sum() + true.sum()) / (rows.target >= 0).sum()
    odds = reading.reader.log_odds(sums.evidence, rows.tokens)
    surprises = F.binary_cross_entropy_with_logits(odds, same.to(odds), reduction="none")
    surprise = (surprises * here).sum() / here.sum()
    right = (((odds > 0) == same) & here).sum() / here.sum()
    loss = surprise + _PREDICTING * nats if telling else nats
    return loss, torch.stack([nats, surprise, right]).detach()


def report(found: dict[str, Floats]) -> None:
    """Print what each set came to, and each kind of them on average."""
    kinds: dict[str, list[tuple[float, float]]] = {}
    for name, (log_odds, same) in found.items():
        figures = score(same.astype(bool), expit(log_odds))
        kinds.setdefault(name, []).append((figures["auc"], figures["cllr"]))
        kinds.setdefault(f"all {name.split('-')[0]}", []).append(kinds[name][0])
    for name, of_sets in kinds.items():
        auc, cllr = np.mean(of_sets, axis=0)
        print(f"{name:20} AUC {auc:.3f} Cllr {cllr:.3f}", flush=True)


def save(reader: Reader, folder: Path) -> None:
    """In half precision, in files that are not too large."""
    folder.mkdir(parents=True, exist_ok=True)
    files: list[dict[str, Tensor]] = [{}]
    size = 0
    for name, value in reader.state_dict().items():
        size += 2 * value.numel()
        if size > _FILE:
            files.append({})
            size = 2 * value.numel()
        files[-1][name] = value.half().contiguous().cpu()
    for number, weights in enumerate(files):
        save_file(weights, folder / f"weights-{number}.safetensors")


if __name__ == "__main__":
    main()
