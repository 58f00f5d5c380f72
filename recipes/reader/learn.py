"""Train a reader of both texts at once on a GPU, and see what it is worth on trials.

    python recipes/reader/learn.py STORE -o READER [--minutes 7 10.6] [--leave-out court,fiction]

First it learns to predict pairs drawn as trials are, then to tell them apart as well. Authors that
the default model's encoders have not met it does not meet either. It leaves

    READER/weights.safetensors   the reader, in half precision
    READER/reader.json           the symbols that it reads, and its sizes
    READER/found.npz             (3, pairs) of each set of the store's trials: evidence, tokens and
                                 truth; of the pairs that doubt is fitted to, of whole texts
                                 ("whole") and of pieces ("pieces"); and of genres left out
                                 ("elsewhere"). 0-NAME and so on: the same while it learned

A store travels to another machine with recipes/travel.py.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from network import NONE, Reader, Sizes
from numpy.typing import NDArray
from rows import BLOCK, Layout, Pair, RowReader, Rows, Sums, block_masks, dense_masks
from safetensors.torch import save_file
from scipy.special import expit
from texts import Drawn, Shelf, alphabet
from torch import Tensor
from torch.utils.data import DataLoader

from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.doubt import elsewhere
from samehand.training.texts import Texts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CONFIG = Path(__file__).parents[1] / "default" / "config.yaml"
_TILE = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, nargs=2, default=(7.0, 10.6))
    parser.add_argument("--leave-out", default="", help="genres to do without, by comma")
    parser.add_argument("--trials", default="", help="sets of the store, by comma; the recipe's")
    parser.add_argument("--layout", type=int, nargs=3, default=(16, 8192, 384),
                        metavar=("ROWS", "PLACES", "PAIRS"), help="of a batch")  # fmt: skip
    parser.add_argument("--words", type=int, default=1_000, help="that are told apart")
    parser.add_argument("--endings", type=int, default=399, help="of other words, likewise")
    parser.add_argument("--longest", type=int, default=2_600, help="symbols read of a text")
    parser.add_argument("--predicting", type=float, default=0.2, help="what a nat a token counts "
                        "while pairs are told apart, where a pair counts one")  # fmt: skip
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--looks", type=int, default=3, help="at the trials while it learns")
    parser.add_argument("--made-up", type=float, default=0.4, help="share of made-up genres")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=5)
    for name, default in Sizes()._asdict().items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    if options.layout[1] < 2 * (1 + options.longest) or options.layout[1] % BLOCK:
        parser.error(f"--layout: a row needs room for two texts, and a multiple of {BLOCK} places")
    torch.manual_seed(options.seed)
    store = Store.open(options.store)
    config = TrainingConfig.model_validate(yaml.safe_load(CONFIG.read_text("utf-8")))
    config = config.model_copy(update={"leave_out": names(options.leave_out)})
    data = PairData(store, config)
    letters = alphabet(store, options.words, options.endings)
    shelf = Shelf(store, letters, options.longest)
    layout = Layout(*options.layout)
    pairs = Drawn(shelf, data.met, config.lengths, layout, options.seed, options.made_up)
    drawn = iter(DataLoader(pairs, None, num_workers=options.workers))  # forked before the GPU
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    sizes = Sizes(*(getattr(options, name) for name in Sizes._fields))
    symbols = evenly(letters.size)
    counted = torch.zeros(symbols, dtype=torch.bool)
    counted[: letters.size] = torch.from_numpy(letters.counted)
    reading = Reading(RowReader(Reader(symbols, sizes), counted).to(device), device)
    print(f"{sum(p.numel() for p in reading.reader.parameters()):,} weights", flush=True)

    sets = {}
    for name in names(options.trials) or config.trials or store.trial_names:
        trials = store.trials(name)
        used, places = np.unique([trials.first, trials.second], return_inverse=True)
        sets[name] = Trials(data.whole(used), places.reshape(2, -1), trials.same_author)
    found: dict[str, Floats] = {}

    def look(part: str) -> None:
        for name, trials in sets.items():
            found[part + name] = reading.judged(shelf, trials, layout)
        report(reading.reader, {name: found[part + name] for name in sets})
        np.savez_compressed(options.output / "found.npz", **found)  # type: ignore[arg-type]

    def save() -> None:
        weights = {name: part.half().cpu() for name, part in reading.reader.state_dict().items()}
        save_file(weights, options.output / "weights.safetensors")

    options.output.mkdir(parents=True, exist_ok=True)
    about = {"looks": letters.looks, "words": letters.words, "sizes": sizes._asdict()}
    (options.output / "reader.json").write_text(json.dumps(about), "utf-8")
    for number in learn(reading, drawn, options):
        look(f"{number}-")
        save()
    save()
    sets |= {"whole": judging(data, whole=True), "pieces": judging(data, whole=False)}
    if config.leave_out:
        sets["elsewhere"] = judging(elsewhere(store, config)[0], whole=True)
    look("")


def names(given: str) -> tuple[str, ...]:
    """Those between commas."""
    return tuple(name for name in given.split(",") if name)


def evenly(symbols: int) -> int:
    """So many or a few more, of which none is ever met: a GPU multiplies by whole tiles."""
    return -(-symbols // _TILE) * _TILE


class Trials(NamedTuple):
    """Pairs of texts to be judged."""

    texts: Texts
    pairs: Ints
    """(2, pairs)"""
    same: NDArray[np.bool_]


def judging(data: PairData, *, whole: bool) -> Trials:
    """The pairs that doubt is fitted to."""
    found = data.judging_pairs(whole=whole)
    assert found is not None
    both = np.stack([found.pairs.first, found.pairs.second])
    return Trials(found.texts, both, found.pairs.same_author)


class Reading:
    """A reader at work on a device, compiled for it if that is a GPU."""

    def __init__(self, read: RowReader, device: torch.device) -> None:
        self.reader, self.device = read.reader, device
        self.cuda = device.type == "cuda"
        self._read = torch.compile(read, dynamic=False) if self.cuda else read

    def sums(self, rows: Rows) -> tuple[Rows, Sums]:
        """Rows, taken to the device; and what is made of them."""
        rows = Rows(*(part.to(self.device, non_blocking=True) for part in rows))
        masks = block_masks(rows) if self.cuda else dense_masks(rows)
        with torch.autocast("cuda", torch.bfloat16, enabled=self.cuda):
            return rows, self._read(rows, *masks)

    @torch.no_grad()
    def judged(self, shelf: Shelf, trials: Trials, layout: Layout) -> Floats:
        """(3, pairs) evidence, tokens, and the truth."""
        self.reader.eval()
        pairs = (
            Pair(shelf.text(trials.texts, one), shelf.text(trials.texts, other), False)
            for one, other in trials.pairs.T
        )
        found = np.zeros((3, len(trials.same)))
        found[2] = trials.same
        for rows in layout.lots(pairs):
            rows, sums = self.sums(rows)
            here = rows.tokens > 0
            given = rows.given[here].cpu().numpy()
            found[0, given] = sums.evidence[here].float().cpu().numpy()
            found[1, given] = rows.tokens[here].cpu().numpy() / 2
        self.reader.train()
        return found


def learn(reading: Reading, drawn: Iterator[Rows], options: argparse.Namespace) -> Iterator[int]:
    """Predict for some minutes, then tell apart for some; the rate falls to the end of all.

    It stops so many times on the way; what is done meanwhile does not count.
    """
    reader, minutes = reading.reader.train(), options.minutes
    matrices = [p for name, p in reader.named_parameters() if p.ndim == 2 and "symbols" not in name]
    chosen = set(map(id, matrices))
    others = [p for p in reader.parameters() if id(p) not in chosen]
    optimisers = (
        torch.optim.Muon(matrices, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, betas=(0.9, 0.95), weight_decay=0.0, fused=reading.cuda),
    )
    start, step, smooth, number, pairs = time.monotonic(), 0, None, 0, 0
    while True:
        passed = (time.monotonic() - start) / 60
        done = passed / sum(minutes)
        while number < options.looks and done >= (number + 1) / (options.looks + 1):
            yield number
            number, start = number + 1, time.monotonic() - passed * 60
        if done >= 1:
            return
        for group in (group for one in optimisers for group in one.param_groups):
            group["lr"] = options.rate * min(1.0, (step + 1) / 200) * max(0.01, 1 - done)
        rows = next(drawn)
        pairs += int((rows.tokens > 0).sum())
        figures = losses(reading, rows)
        nats, surprise, _ = figures
        loss = nats if passed < minutes[0] else surprise + options.predicting * nats
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        for one in optimisers:
            one.step()
            one.zero_grad(set_to_none=True)
        step += 1
        figures = figures.detach()
        smooth = figures if smooth is None else smooth.lerp(figures, 0.02)
        if step % 200 == 0:
            told = " ".join(f"{figure:.3f}" for figure in smooth.tolist())
            print(f"{step} steps, {pairs:,} pairs, {passed:.2f} min: {told}", flush=True)


def losses(reading: Reading, rows: Rows) -> Tensor:
    """Nats a token, nats a pair, and the share of pairs that are right."""
    rows, sums = reading.sums(rows)
    here, same = rows.tokens > 0, rows.same
    nats = -torch.where(same, *sums.likelihood).sum() / (rows.target != NONE).sum()
    odds = reading.reader.log_odds(sums.evidence, rows.tokens / 2)
    surprises = F.binary_cross_entropy_with_logits(odds, same.to(odds), reduction="none")
    surprise = (surprises * here).sum() / here.sum()
    right = (((odds > 0) == same) & here).sum() / here.sum()
    return torch.stack([nats, surprise, right])


def report(reader: Reader, found: dict[str, Floats]) -> None:
    """Print what each set came to, and each kind of them on average."""
    kinds: dict[str, list[tuple[float, float]]] = {}
    for name, (evidence, tokens, same) in found.items():
        parts = (torch.from_numpy(part).to(reader.offset) for part in (evidence, tokens))
        log_odds = reader.log_odds(*parts).detach().double().cpu().numpy()
        figures = score(same.astype(bool), expit(log_odds))
        kinds.setdefault(name, []).append((figures["auc"], figures["cllr"]))
        kinds.setdefault(f"all {name.split('-')[0]}", []).append(kinds[name][0])
    for name, of_sets in kinds.items():
        auc, cllr = np.mean(of_sets, axis=0)
        print(f"{name:20} AUC {auc:.3f} Cllr {cllr:.3f}", flush=True)


if __name__ == "__main__":
    main()
