"""Take a network of an earlier model along into a new one.

    python recipes/default/earlier_network.py MODEL NETWORK -o RUN

Writes RUN, which `samehand fit` takes like a folder that `samehand train` made. Which authors were
kept from the network can no longer be told, because the rule that drew them was another one; so it
is said to have met all authors of its sources, and judges nobody who is in them.
"""

import argparse
import copy
from pathlib import Path

from samehand.model.description import About, Statement
from samehand.model.folder import read_model, write_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("network")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    model = read_model(options.model, without_evidence=True)
    (network,) = (each for each in model.networks if each.name == options.network)
    about = model.description.about
    how = copy.deepcopy(about.training["networks"][options.network])
    how["settings"]["scoring"]["authors"] = 0
    statement = Statement(
        name=options.network, evidence="genres", about=About(data=about.data, training=how)
    )
    write_model(options.output / "model", statement, [network.encoder()])


if __name__ == "__main__":
    main()
