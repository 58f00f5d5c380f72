"""Train a reader of both texts at once on a GPU, and see what it is worth on trials.

    python recipes/reader/learn.py STORE -o READER [--minutes 4 14] [--leave-out court,fiction]

First it learns to predict pairs drawn as trials are, then to tell them apart as well. Authors that
the default model's encoders have not met it does not meet either. It leaves

    READER/weights.safetensors    the reader, in half precision
    READER/trials/NAME.npy        (2, trials) of each set of the store's trials: log odds, and truth
    READER/judging.npy            the same of the pairs that the default model's doubt is fitted to

`beside.py` then weighs it against a model's answers to the same trials. A store travels to another
machine with recipes/travel.py. Nothing of this is in the packaged model: docs/training.md says why.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from network import OTHER, PIECE, SAME, Reader, Sizes, read, read_both
from numpy.typing import NDArray
from safetensors.torch import save_file
from scipy.special import expit
from texts import Batch, Ints, Shelf, batches, symbols
from torch import Tensor

from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData

Floats = NDArray[np.float64]

CONFIG = Path(__file__).parents[1] / "default" / "config.yaml"
WORDS = 1_000
_PREDICTING = 0.2
"""What predicting counts while pairs are told apart, a nat a token where a pair counts one."""
_AT_ONCE = 128
"""Pairs of pieces that are judged at once."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, nargs=2, default=(4.0, 14.0))
    parser.add_argument("--leave-out", default="", help="genres to do without, by comma")
    parser.add_argument("--trials", default="", help="sets of the store, by comma; the recipe's")
    parser.add_argument("--pairs", type=int, default=64, help="in a batch")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    for name, default in Sizes()._asdict().items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    store = Store.open(options.store)
    config = TrainingConfig.model_validate(yaml.safe_load(CONFIG.read_text("utf-8")))
    data = PairData(store, config.model_copy(update={"leave_out": names(options.leave_out)}))
    symbol, n_symbols = symbols(store, WORDS)
    of_store = torch.from_numpy(symbol[np.array(store.array("tokens"))]).to(device)
    sizes = Sizes(*(getattr(options, name) for name in Sizes._fields))
    reader = Reader(n_symbols, sizes).to(device)
    print(f"{sum(p.numel() for p in reader.parameters()):,} weights, {n_symbols} symbols")
    texts = data.whole(data.documents[~kept(data, store, data.documents)])
    pairs = batches(Shelf(of_store, texts), texts, options.pairs, options.seed)
    learn(reader, pairs, options.minutes, options.rate)
    options.output.joinpath("trials").mkdir(parents=True, exist_ok=True)
    weights = {name: value.half().contiguous() for name, value in reader.state_dict().items()}
    save_file(weights, options.output / "weights.safetensors")
    for name in names(options.trials) or config.trials:
        trials = store.trials(name)
        used, places = np.unique([trials.first, trials.second], return_inverse=True)
        found = judged(reader, Shelf(of_store, data.whole(used)), places.reshape(2, -1))
        np.save(options.output / "trials" / name, [found, trials.same_author])
        figures = score(trials.same_author, expit(found))
        print(f"{name:20} AUC {figures['auc']:.3f} Cllr {figures['cllr']:.3f}", flush=True)
    drawn = data.judging_pairs(whole=True)
    if drawn is not None:
        both = np.stack([drawn.pairs.first, drawn.pairs.second])
        found = judged(reader, Shelf(of_store, drawn.texts), both)
        np.save(options.output / "judging", [found, drawn.pairs.same_author])


def names(given: str) -> tuple[str, ...]:
    """Those between commas."""
    return tuple(name for name in given.split(",") if name)


def kept(data: PairData, store: Store, documents: Ints) -> NDArray[np.bool_]:
    """Which documents are by authors that no encoder has met."""
    return data.kept_from_encoder(np.array(store.array("author"))[documents])


def learn(
    reader: Reader, pairs: Iterator[Batch], minutes: tuple[float, float], rate: float
) -> None:
    """Predict for some minutes, then tell apart for some; the rate falls to the end of all."""
    cuda = next(reader.parameters()).is_cuda
    optimiser = torch.optim.AdamW(reader.parameters(), betas=(0.9, 0.95), weight_decay=0.05)
    start, step, smooth = time.monotonic(), 0, None
    while (passed := (time.monotonic() - start) / 60) < sum(minutes):
        telling = passed >= minutes[0]
        done = passed / sum(minutes)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 200) * max(0.01, 1 - done)
        with torch.autocast("cuda", torch.bfloat16, enabled=cuda):
            loss, figures = losses(reader, next(pairs), telling)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimiser.step()
        step += 1
        figures = figures.detach()
        smooth = (
            figures if smooth is None or len(smooth) != len(figures) else smooth.lerp(figures, 0.02)
        )
        if step % 200 == 0:
            told = " ".join(f"{figure:.3f}" for figure in smooth.tolist())
            print(f"{step} steps, {done:.0%}: {told}", flush=True)


def losses(reader: Reader, batch: Batch, telling: bool) -> tuple[Tensor, Tensor]:
    """What is to be made small; and nats a token, nats a pair and the share of pairs right."""
    tokens = batch.first.lengths.sum() + batch.second.lengths.sum()
    if not telling:
        found = read(reader, batch.first, batch.second, torch.where(batch.same, SAME, OTHER))
        nats = -(found.first.sum() + found.second.sum()) / tokens
        return nats, nats[None]
    same, other = read_both(reader, batch.first, batch.second)
    true = torch.where(batch.same, same.second, other.second)
    nats = -(same.first.sum() + true.sum()) / tokens
    evidence = same.second - other.second
    odds = reader.log_odds(evidence, batch.second.lengths)
    surprise = F.binary_cross_entropy_with_logits(odds, batch.same.to(odds))
    right = ((odds > 0) == batch.same).to(odds).mean()
    return surprise + _PREDICTING * nats, torch.stack([nats, surprise, right])


@torch.inference_mode()
def judged(reader: Reader, shelf: Shelf, pairs: Ints) -> Floats:
    """Log odds (pairs,) of texts (2, pairs): each read after the other, piece after piece."""
    reader.eval()
    pieces = np.maximum(1, -(-shelf.lengths // PIECE))
    there_and_back = np.concatenate([pairs, pairs[::-1]], 1)  # (2, 2 · pairs)
    count = pieces[there_and_back[1]]
    row = np.repeat(np.arange(len(count)), count)
    at = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    first, second = there_and_back[:, row]
    found = np.zeros(len(row))
    order = np.argsort(shelf.lengths[first] + shelf.lengths[second], kind="stable")
    for chosen in np.array_split(order, max(1, len(order) // _AT_ONCE)):
        one, other = first[chosen], second[chosen]
        again = at[chosen] % pieces[one]  # a shorter text is read several times
        sides = shelf.pieces(one, again * PIECE), shelf.pieces(other, at[chosen] * PIECE)
        with torch.autocast("cuda", torch.bfloat16, enabled=shelf.device.type == "cuda"):
            same, other = read_both(reader, *sides)
        found[chosen] = (same.second - other.second).float().cpu().numpy()
    total = np.bincount(row % pairs.shape[1], found, pairs.shape[1]) / 2
    read = torch.from_numpy(shelf.lengths[pairs].mean(0)), torch.from_numpy(total)
    tokens, sums = (values.float().to(shelf.device) for values in read)
    odds: Floats = reader.log_odds(sums, tokens).double().cpu().numpy()
    return odds


if __name__ == "__main__":
    main()
