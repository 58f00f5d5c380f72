"""After every epoch: all metrics of every component on every set of trials, one JSON line."""

import json
import time
from pathlib import Path
from typing import Any

import lightning
import numpy as np
import torch

from samehand.corpus.pairs import Pairs
from samehand.evaluation import score
from samehand.network.network import Losses, Scoring
from samehand.training.data import PairData
from samehand.training.module import TrainingModule


class EpochScores(lightning.Callback):
    """Scores sets of trials and appends to `metrics.jsonl`."""

    def __init__(self, data: PairData, names: list[str], path: Path) -> None:
        self._trials = {name: data.store.trials(name) for name in names}
        self._trials = {name: trials for name, trials in self._trials.items() if len(trials)}
        self._path = path
        self._began = 0.0
        self._rate = 0.0

    def on_train_epoch_start(self, trainer: lightning.Trainer, module: Any) -> None:
        """Start the clock, and note the rate before it falls for the next epoch."""
        self._began = time.monotonic()
        self._rate = trainer.optimizers[0].param_groups[0]["lr"]

    def on_train_epoch_end(self, trainer: lightning.Trainer, module: TrainingModule) -> None:  # type: ignore[override]
        """Score and write."""
        module.refuse_nan_weights()
        if not trainer.is_global_zero:
            return
        record = self._record(trainer, module)
        if module.logger:
            module.logger.log_metrics(_curves(record), trainer.current_epoch)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def _record(self, trainer: lightning.Trainer, module: TrainingModule) -> dict[str, Any]:
        metric, bayes = module.network.metric, module.network.scoring.bayes
        within, between = (float(h.detach()) for h in bayes.covariances.entropies())
        losses = trainer.callback_metrics
        answers = answer_trials(module, self._trials)
        return {
            "epoch": trainer.current_epoch,
            "seconds": round(time.monotonic() - self._began, 2),
            "steps": trainer.global_step,
            "loss": {
                name: float(losses[f"{name}_epoch"])
                for name in Losses._fields
                if f"{name}_epoch" in losses
            },
            "learning_rate": self._rate,
            "kernel": {"gamma": metric.gamma.item(), "alpha": metric.alpha.item()},
            "entropy": {"within": within, "between": between},
            "trials": {
                name: {part: _measured(self._trials[name].same_author, p) for part, p in a.items()}
                for name, a in answers.items()
            },
            "pooled": self._pooled(answers),
        }

    def _pooled(self, answers: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """Scores over the trials of all sets together."""
        if not answers:
            return {}
        same = np.concatenate([self._trials[name].same_author for name in answers])
        parts = next(iter(answers.values()))
        return {
            part: _measured(same, np.concatenate([a[part] for a in answers.values()]))
            for part in parts
        }


def answer_trials(
    module: TrainingModule, trials: dict[str, Pairs]
) -> dict[str, dict[str, np.ndarray[Any, Any]]]:
    """p(same author) of every trial by every component; each document is embedded once."""
    if not trials:
        return {}
    wanted = np.unique(
        np.concatenate([np.concatenate([t.first, t.second]) for t in trials.values()])
    )
    levs = module.embed(wanted)
    answers: dict[str, dict[str, np.ndarray[Any, Any]]] = {}
    with torch.no_grad():
        for name, pairs in trials.items():
            places = (
                torch.from_numpy(np.searchsorted(wanted, side))
                for side in (pairs.first, pairs.second)
            )
            y1, y2 = (levs[place.to(levs.device)] for place in places)
            parts = module.network.score(y1, y2)._asdict()
            if not module.trains_scoring:
                parts = {"dml": parts["dml"]}
            for variant, scoring in module.variants.items():
                assert isinstance(scoring, Scoring)
                parts[f"bfs {variant}"], parts[f"ual {variant}"] = scoring.posteriors(y1, y2)
            answers[name] = {part: p.double().cpu().numpy() for part, p in parts.items()}
    return answers


def _curves(record: dict[str, Any]) -> dict[str, float]:
    """TensorBoard's curves of an epoch besides the losses."""
    sets = record["trials"] | {"pooled": record["pooled"]}
    curves = {
        f"{name}/{part}/{key}": measures[key]
        for name, parts in sets.items()
        for part, measures in parts.items()
        for key in ("auc", "ece", "cllr")
        if measures[key] is not None
    }
    return curves | {f"entropy/{name}": value for name, value in record["entropy"].items()}


def _measured(same: Any, probability: Any) -> dict[str, float | None]:
    """Scores, with null where JSON has no number."""
    measures = score(same, probability)
    return {
        key: round(float(value), 6) if np.isfinite(value) else None
        for key, value in measures.items()
    }
