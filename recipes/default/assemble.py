"""Make one model of the members that `train.sh` has trained.

    python recipes/default/assemble.py STORE RUNS -o MODEL

Each member gets impostors and a scoring fitted to the authors kept from its own encoder; the
ensemble's mean posterior needs no further fit. Nothing here looks at trials. Weights are kept in
half precision. `validate.py` then measures the model on trials and writes down what they support.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from samehand.corpus.store import Store
from samehand.describing import RESEARCH
from samehand.model.weights import load_network, save_ensemble, save_network
from samehand.training.config import TrainingConfig
from samehand.training.data import PairData
from samehand.training.impostors import add_impostors

IMPOSTORS = 1_500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("store", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--name", default="samehand default 1")
    options = parser.parse_args()
    store = Store.open(options.store)
    members = []
    about: dict[str, Any] = {}
    for run in sorted(path.parent for path in options.runs.glob("*/model")):
        network, vocabulary, description = load_network(run / "model")
        about = description["about"]
        config = TrainingConfig.model_validate(about["training"])
        fitted = add_impostors(network, PairData(store, config), config, IMPOSTORS)
        print(run.name, json.dumps(fitted.about), flush=True)
        told = {"training": about["training"], "scoring": fitted.about}
        save_network(options.output / run.name, fitted.network, vocabulary, told, half=True)
        members.append(run.name)
    told = {"name": options.name, "use": RESEARCH, "data": about["data"]}
    save_ensemble(options.output, members, told)


if __name__ == "__main__":
    main()
