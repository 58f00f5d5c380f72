"""The systems of PAN 2020 as the organisers' evaluator has them, where their answers are at hand.

Looked for in the folder SAMEHAND_PAN20 names, else in shared/pan20 beside the checkout.
"""

import json
import os
from pathlib import Path

import pytest

from samehand.evaluation import read_answers, read_truth, score

FOLDER = Path(
    os.environ.get("SAMEHAND_PAN20", Path(__file__).parents[2].parent / "shared" / "pan20")
)
EXPECTED = FOLDER / "expected.json"

pytestmark = pytest.mark.skipif(
    not EXPECTED.is_file(), reason=f"no PAN 2020 answers in {FOLDER} (set SAMEHAND_PAN20)"
)


def systems():
    return json.loads(EXPECTED.read_text()) if EXPECTED.is_file() else {"none": {}}


@pytest.fixture(scope="module")
def truth():
    return read_truth(FOLDER / "truth.jsonl.gz")


@pytest.mark.parametrize("system", systems())
def test_every_published_figure_is_reproduced(system, truth):
    answers = read_answers(FOLDER / f"{system}.jsonl.gz", truth)
    found = score(truth.same, answers.probability) | {"missing": answers.missing}
    found["f_05_u_legacy"] = score(truth.same, answers.probability, legacy=True)["f_05_u"]
    expected = systems()[system]
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-4)
