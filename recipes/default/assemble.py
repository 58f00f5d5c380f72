"""Make one model of the networks that `train.sh` has trained.

    python recipes/default/assemble.py STORE RUNS -o MODEL [--keep NAME...]

The wording of the training text is counted. Each member gets impostors and a scoring fitted to the
authors kept from the encoders; doubt, such that the members' mean posterior is right on these
authors and on the genres that the folds were trained without; and a rejection. All together learn
how to use texts of the kind at hand (`samehand acquaint`). Of the members that were fitted together
some may be kept, and others left out. Nothing here is fitted to trials;
`--fold-trials` names a file for figures of the folds on the store's trials of genres they have not
met, with doubt that was fitted without these genres. Weights are kept in half precision.
`validate.py` then measures the model on trials and writes down what they support.
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from samehand.corpus.store import Store
from samehand.evaluation import score
from samehand.fitting.acquaintance import learn_acquaintance
from samehand.fitting.doubt import add_doubt, left_out_pairs
from samehand.fitting.impostors import Fitted, add_impostors, embed
from samehand.fitting.rejection import add_rejection
from samehand.fitting.wording import WordingReader, count_wording
from samehand.network.doubt import amount_of_text
from samehand.network.weights import load_network, save_ensemble, save_network
from samehand.report.model_card import RESEARCH
from samehand.text.ngrams import NgramModel
from samehand.text.vocabulary import Vocabulary
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.device_store import DeviceStore


class Run(NamedTuple):
    name: str
    config: TrainingConfig
    fitted: Fitted
    wording: NgramModel
    """Counted without the genres that the network was trained without."""
    vocabulary: Vocabulary
    about: dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--name", default="samehand default 10")
    parser.add_argument("--keep", nargs="+", metavar="NAME", help="the members to keep; all")
    parser.add_argument("--fold-trials", type=Path)
    options = parser.parse_args()
    trained = [path.parent.name for path in models(options.runs, "*/model")]
    kept = options.keep or trained
    if not set(kept) <= set(trained):
        parser.error(f"--keep: in {options.runs} are {', '.join(trained) or 'no networks'}")
    store = Store.open(options.store)
    folds = [fitted_run(store, path.parent) for path in models(options.runs, "folds/*/*/model")]
    left = [left_out_pairs(fold.fitted, store, fold.config, fold.wording) for fold in folds]
    doubting_folds = [
        add_doubt([fold.fitted], left[:number] + left[number + 1 :])[0]
        for number, fold in enumerate(folds)
    ]
    if options.fold_trials:
        figures = answered_by_folds(store, folds, doubting_folds)
        options.fold_trials.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    runs = [fitted_run(store, path.parent) for path in models(options.runs, "*/model")]
    doubting = add_doubt([run.fitted for run in runs], left)
    for run, member in zip(runs, doubting, strict=True):
        if run.name not in kept:
            continue
        fitted = add_rejection(member, run.config.seed)
        print(run.name, json.dumps(fitted.about), flush=True)
        told = {"training": run.about["training"], "scoring": fitted.about}
        save_network(options.output / run.name, fitted.network, run.vocabulary, told, half=True)
    met_elsewhere = [
        fold._replace(drawn=elsewhere.drawn, log_lr=elsewhere.log_lr)
        for fold, elsewhere in zip(doubting_folds, left, strict=True)
    ]
    acquaintance = learn_acquaintance(doubting, met_elsewhere).as_dict()
    print(json.dumps(acquaintance), flush=True)
    told = {"name": options.name, "use": RESEARCH, "data": store.about}
    told["acquaintance"] = acquaintance
    save_ensemble(options.output, kept, told, runs[0].wording)


def models(runs: Path, pattern: str) -> list[Path]:
    return sorted(path for path in runs.glob(pattern) if path.is_dir())


def fitted_run(store: Store, folder: Path) -> Run:
    network, vocabulary, description = load_network(folder / "model")
    about = description["about"]
    config = TrainingConfig.model_validate(about["training"])
    data = PairData(store, config)
    wording = count_wording(data)
    fitted = add_impostors(network, data, config, wording)
    print(folder, json.dumps(fitted.about), flush=True)
    return Run(folder.name, config, fitted, wording, vocabulary, about)


@torch.no_grad()
def answered_by_folds(store: Store, folds: list[Run], doubting: list[Fitted]) -> dict[str, Any]:
    """Figures of each fold on trials of the genres it has not met; no doubt was fitted to them."""
    figures, all_same, all_p = {}, [], []
    for fold, doubter in zip(folds, doubting, strict=True):
        network, config = doubter.network, fold.config
        data = PairData(store, config)
        tokens = DeviceStore(store, config.network.masking, config.network.most_words)
        told = WordingReader(store, fold.wording)
        for genre in fold.config.leave_out:
            trials = store.trials(f"dev-{genre}")
            documents = np.unique(np.concatenate([trials.first, trials.second]))
            texts, every = data.whole(documents), np.arange(len(documents))
            amount = amount_of_text(torch.from_numpy(texts.lengths)).unsqueeze(1)
            style = embed(network, tokens, texts, every, config)
            levs = torch.cat([style, amount, told(texts, every)], 1)
            sides = (levs[np.searchsorted(documents, d)] for d in (trials.first, trials.second))
            p = network.score(*sides).ual.double().numpy()
            figures[genre] = score(trials.same_author, p)
            all_same.append(trials.same_author)
            all_p.append(p)
    return {"all": score(np.concatenate(all_same), np.concatenate(all_p)), **figures}


if __name__ == "__main__":
    main()
