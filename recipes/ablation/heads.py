"""The ablation's scoring rows again, on encoders that are trained already.

    python recipes/ablation/heads.py STORE FIXED_MODEL LEARNED_MODEL -o DIR [--runs 4] [--rate 3e-5]

No gradient of BFS or UAL reaches the encoder, so their rows can be had anew in minutes on a CPU:
the texts of the authors that the encoder never saw are embedded once, drawn as training draws them,
and every head learns from those LEVs. Figures are over the trials named in the models' training
config, pooled; deviations are over runs.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from samehand.corpus.pairs import Pairs
from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.model.network import Network, Scoring
from samehand.model.weights import load_network
from samehand.training.ablate import HEADS, MEASURES, ROWS, Cell, as_csv, latex, markdown
from samehand.training.config import TrainingConfig
from samehand.training.data import DeviceStore, PairData, in_chunks
from samehand.training.texts import Texts

PARTS = ("first", "second", "same_author", "same_topic")
DRAWS = 3  # epochs' worth of scoring pairs


def embed(
    network: Network, device: DeviceStore, texts: Texts, pairs: Pairs
) -> tuple[Tensor, Tensor, Tensor]:
    """LEVs of both texts of each pair, each embedded once; and which pairs are by one author."""
    chosen, place = np.unique(np.concatenate([pairs.first, pairs.second]), return_inverse=True)
    levs = []
    for chunk in in_chunks(chosen, 64):
        runs = (*texts.runs(chunk), texts.lengths[chunk])
        tensors = (torch.from_numpy(array.astype(np.int64)) for array in runs)
        with torch.inference_mode():
            levs.append(network(device.documents(*tensors, network.config.windowing)))
    y1, y2 = torch.cat(levs)[place].clone().chunk(2)
    return y1, y2, torch.from_numpy(np.array(pairs.same_author))


def trained_head(
    config: TrainingConfig, name: str, pairs: tuple[Tensor, Tensor, Tensor], steps: int, rate: float
) -> Scoring:
    activation, beta = HEADS[name]
    head = Scoring(config.network.model_copy(update={"bfs_activation": activation, "beta": beta}))
    head.start_from_pairs(*pairs)
    optimiser = torch.optim.Adam(head.parameters(), rate)
    for _ in range(steps):
        chosen = torch.randint(len(pairs[2]), (config.scoring.batch_pairs,))
        optimiser.zero_grad()
        sum(head.losses(*(part[chosen] for part in pairs))).backward()  # type: ignore[union-attr]
        optimiser.step()
    return head


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("fixed", type=Path)
    parser.add_argument("learned", type=Path)
    parser.add_argument("--output", "-o", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=4)
    parser.add_argument("--steps", type=int, default=2_600)
    parser.add_argument("--rate", type=float, default=3e-5)
    options = parser.parse_args()
    store = Store.open(options.store)
    found: dict[str, list[dict[str, float]]] = {}
    for kernel in ("fixed", "learned"):
        network, _, description = load_network(getattr(options, kernel))
        config = TrainingConfig.model_validate(description["about"]["training"])
        data, device = PairData(store, config), DeviceStore(store, config.network.masking)
        sets = [store.trials(name) for name in config.trials or store.trial_names]
        trials = Pairs(*(np.concatenate([getattr(s, part) for s in sets]) for part in PARTS))
        everything = data.whole(np.arange(len(store.array("part"))))
        first, second, truth = embed(network, device, everything, trials)
        same = truth.numpy()
        with torch.no_grad():
            found[f"{kernel} dml"] = [
                score(same, network.metric.probability(first, second).double().numpy())
            ]
        if kernel == "fixed":
            continue
        draws = [data.scoring_pairs(epoch) for epoch in range(DRAWS)]
        pairs = tuple(
            map(torch.cat, zip(*(embed(network, device, *d) for d in draws if d), strict=True))
        )
        for name in HEADS:
            for run in range(options.runs):
                torch.manual_seed(run)
                head = trained_head(config, name, pairs, options.steps, options.rate)  # type: ignore[arg-type]
                with torch.no_grad():
                    bfs, ual = (p.double().numpy() for p in head(first, second))
                found.setdefault(f"learned bfs {name}", []).append(score(same, bfs))
                found.setdefault(f"learned ual {name}", []).append(score(same, ual))
                print(
                    name,
                    run,
                    {
                        key: round(found[f"learned ual {name}"][-1][key], 4)
                        for key in ("auc", "conf", "ece")
                    },
                    flush=True,
                )
    table = {}
    for row in ROWS:
        measured = found[f"{row.kernel} {row.output}"]
        columns = {key: 100 * np.array([m[key] for m in measured]) for key in MEASURES}
        table[row] = {key: Cell(float(v.mean()), float(v.std())) for key, v in columns.items()}
    options.output.mkdir(parents=True, exist_ok=True)
    for ending, content in (("md", markdown(table)), ("csv", as_csv(table)), ("tex", latex(table))):
        (options.output / f"table.{ending}").write_text(content, "utf-8")
    (options.output / "scores.json").write_text(json.dumps(found, indent=1), "utf-8")
    print(markdown(table))


if __name__ == "__main__":
    main()
