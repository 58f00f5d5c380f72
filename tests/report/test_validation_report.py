"""Validation reports, as people read them."""

from typing import Any

import pytest

from samehand.casework.suitability import SENTENCES, Suitability
from samehand.report.validation_report import html, markdown, opening, remarks


@pytest.fixture
def found() -> dict[str, Any]:
    names = ("auc", "eer", "cllr", "cllr_min", "cllr_cal", "ece")
    part = {"count": 1, "share": 0.02, "interval": [0.0005, 0.1]}
    return {
        "verdict": Suitability.of("fit", (-1.0, 1.5)).as_dict(),
        "model": {"name": "<a model>", "sha256": "0" * 64, "most_tokens": 550, "adapted": False},
        "pairs_sha256": "1" * 64,
        "truth_sha256": "2" * 64,
        "trials": {"same": 50, "different": 60, "adapted_to": 0, "too_short": 0, "repeats": 0},
        "figures": dict.fromkeys((*names, "devpav"), 0.25),
        "log10_lrs": {"same": [-0.2, 0.5, 0.9], "different": [-0.7, 0.1]},
        "reliability": [[0.2, 0.0], [0.8, 1.0]],
        "supported_log10_lr_bounds": [-0.5, 0.4],
        "intervals": {name: [0.2, 0.3] for name in names},
        "misleading": {"same": part, "different": part},
        "log10_lr_bounds": [-2.0, 2.0],
        "length_bands": {"0-100": {"n": 110, "n_same": 50, "auc": 0.9, "cllr": 0.5, "ece": 0.1}},
        "known_bands": {"2": {"n": 110, "n_same": 50, "auc": 0.9, "cllr": 0.5, "ece": 0.1}},
    }


def test_both_forms_say_the_verdict_its_rules_the_figures_and_the_materials(found):
    for text in (markdown(found), html(found)):
        assert found["verdict"]["sentence"] in text
        assert all(sentence in text for sentence in SENTENCES.values())
        assert "0.2500" in text
        for key in ("pairs_sha256", "truth_sha256"):
            assert found[key] in text
    assert "<a model>" not in html(found)


def test_plots_are_those_that_forensic_readers_look_for(found):
    text = html(found)
    assert text.count("<svg") == 4
    for named in ("Tippett", "Reliability", "PAV", "cross-entropy", "devPAV"):
        assert named in text


def test_a_model_that_answers_beyond_what_trials_support_is_warned_of(found):
    assert any("do not quote one below 1/3.2 or above 2.5" in remark for remark in remarks(found))
    found["log10_lr_bounds"] = [-0.5, 0.4]
    assert not any("do not quote" in remark for remark in remarks(found))


def test_lengths_of_which_likelihood_ratios_mislead_are_named(found):
    assert not any("mislead" in remark for remark in remarks(found))
    found["length_bands"]["0-100"]["cllr"] = 1.016
    assert any("of 0-100 words the likelihood ratios mislead" in each for each in remarks(found))


def test_an_adapted_model_is_told_from_one_as_it_comes(found):
    assert opening(found).startswith("<a model> (as it comes, not adapted), on 50 trials")
    found["model"]["adapted"] = True
    assert opening(found).startswith("<a model>, on 50 trials")


def test_what_was_left_out_is_said_and_what_misleads_comes_first(found):
    assert not any("left out" in remark for remark in remarks(found))
    found["trials"] |= {"adapted_to": 7, "too_short": 2, "repeats": 1}
    first, *rest = remarks(found)
    assert first == (
        "WARNING: 7 trials hold a text that the model was adapted to and were left out. Validate "
        "on other texts."
    )
    assert sum("left out" in remark for remark in rest) == 2
    assert any("between 1/100 and 100" in remark for remark in rest)
