"""`samehand verify --report`: one file, the same every time, in which nothing of a text runs."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from samehand.cautions.caution import plain_lr
from samehand.cautions.texts import digest
from samehand.model.description import About, Data, LogRatios, Validation
from samehand.reading import Reading
from samehand.report.model_card import EVIDENCE, CaseCard, ModelCard
from samehand.report.numbers import rounded
from samehand.report.reported_verdict import ReportedVerdict
from samehand.report.verdict_report import report_html
from samehand.scoring.case_data import CaseData
from samehand.scoring.distance import Trials
from samehand.verifier import Verifier
from tests.cli.console import complaint, samehand
from tests.models import ESSAYS, essay, save_model

ANNA, BRUNO = (ESSAYS / f"{name}.txt" for name in ("anna-1", "bruno-1"))
ORDER = [
    "Conclusion", "Propositions", "Materials", "Method and model", "Validation",
    "Each known text alone", "What weighed in", "Limits", "Software", "To repeat this",
]  # fmt: skip
VALIDATION = Validation(
    on="Trials made for a test.",
    figures={"n": 300, "auc": 0.912, "cllr": 0.5, "unheard of": 1},
    sets={"mails": {"auc": 0.8}},
    log10_lrs=LogRatios(same=(0.1, 1.2, -0.3), different=(-1.0, 0.2)),
    reliability=((0.1, 0.2), (0.9, 0.8)),
)
RECORD = {
    "name": "a model",
    "sha256": "0" * 64,
    "texts": {"used": 2, "median_words": 700, "repeats": 1},
    "files": [{"name": "letters.zip", "sha256": "f" * 64}],
}


class Page(HTMLParser):
    """A parsed HTML page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.data: list[str] = []
        self.feed(html)
        self.text = " ".join("".join(self.data).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.data.append(data)


def reported(verifier: Verifier, questioned: str, *known: str) -> str:
    readings = [Reading(f"file {i}", text, "0" * 64) for i, text in enumerate((questioned, *known))]
    verdict, explanation = verifier.verify(questioned, known), verifier.explain(questioned, known)
    card = ModelCard.of(verifier.model)
    return report_html(ReportedVerdict(rounded(verdict), explanation, readings, card, "samehand"))


def test_the_same_inputs_give_the_same_bytes(model: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in paths:
        done = samehand("verify", ANNA, BRUNO, "--model", model, "--report", path)
        assert done.stdout.startswith("These texts are ")
    one, two = (path.read_bytes() for path in paths)
    assert one == two


def test_parts_stand_in_the_order_a_forensic_reader_expects(verifier: Verifier) -> None:
    html = reported(verifier, essay("anna-1"), essay("bruno-1"), essay("bruno-2"))
    assert re.findall(r"<h2>(.*?)</h2>", html) == ORDER
    page = Page(html)
    verdict = verifier.verify(essay("anna-1"), [essay("bruno-1"), essay("bruno-2")])
    for part in (
        verdict.sentence, verdict.verbal_scale, verdict.questioned.sha256, verdict.model.sha256,
        "states no validation figures", *verdict.reasons, "numba", "H₁",
        EVIDENCE["paper"], "Known text 2",
    ):  # fmt: skip
        assert part in page.text


def test_no_scale_is_named_for_what_is_no_evidence(verifier: Verifier) -> None:
    page = Page(reported(verifier, essay("anna-1"), essay("anna-1")))
    assert "none, for these texts are no evidence" in page.text
    assert "no evidence (ENFSI" not in page.text


def test_nothing_is_fetched_and_nothing_runs(verifier: Verifier) -> None:
    page = Page(reported(verifier, essay("anna-1"), essay("bruno-1")))
    assert page.addresses == []
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)


def test_texts_are_shown_whole_and_escaped(verifier: Verifier) -> None:
    odd = "<script>alert(1)</script> & \u202e \ud800 \x00 </div><img src=x onerror=y> " + essay(
        "anna-1"
    )
    html = reported(verifier, odd, essay("bruno-1"))
    page = Page(html)
    assert {"script", "img"}.isdisjoint(page.tags)
    assert "<script>alert(1)</script> &" in page.text
    assert " ".join(essay("anna-1").split()) in page.text
    html.encode("utf-8")


def test_validation_is_shown_where_it_is_stated(tmp_path: Path) -> None:
    about = About(validation=VALIDATION, data=Data(sources=("mails", "novels")))
    folder = save_model(tmp_path / "model", bounds=(-1.5, 1.25), about=about)
    html = reported(Verifier.load(folder), essay("anna-1"), essay("bruno-1"))
    page = Page(html)
    for part in (
        "Trials made for a test.", "0.912", "300", "mails", "Tippett", "1/32 and 18",
        "mails; novels",
    ):  # fmt: skip
        assert part in page.text or part in html
    assert page.tags.count("svg") == 3
    assert "unheard of" not in html


def test_how_far_the_ratio_may_move_is_told_on_the_first_page(by_genres: Verifier) -> None:
    texts = [essay("anna-1"), essay("bruno-1")]
    verdict = rounded(by_genres.verify(*texts))
    page = Page(reported(by_genres, *texts))
    conclusion = page.text[: page.text.index("Propositions")]
    assert verdict.interval_in_words in conclusion
    assert "the range holds nine in ten values" in conclusion
    assert "By each network alone" in conclusion
    assert "These texts seem to be" in page.text


def test_what_the_case_changed_and_a_copy_among_its_texts_are_told(by_genres: Verifier) -> None:
    others = [essay(name) for name in ("anna-2", "bruno-1", "bruno-2")]
    adapted = by_genres.adapted(others)
    before, after = (
        plain_lr(each.verify(essay("anna-1"), essay("anna-2")).log10_lr)
        for each in (by_genres, adapted)
    )
    page = Page(reported(adapted, essay("anna-1"), essay("anna-2")))
    assert f"LR {before} without it, {after} with it" in page.text
    assert adapted.facts.case.sha256 in page.text
    assert "The known text is one of the texts that the model was adapted to" in page.text


def test_genres_are_told_by_name_and_by_family(verifier: Verifier) -> None:
    sets = {name: {"n": 100, "auc": auc, "cllr": 0.9} for name, auc in
            (("irc_perl", 0.8), ("sms_nus", 0.9), ("mails", 0.6))}  # fmt: skip
    card = replace(ModelCard.of(verifier.model), validation=Validation(sets=sets))
    texts = [essay("anna-1"), essay("bruno-1")]
    readings = [Reading(name, text, "0" * 64) for name, text in zip("qk", texts, strict=True)]
    verdict = replace(rounded(verifier.verify(*texts)), genres=(("irc_perl", 0.7), ("mails", 0.2)))
    page = Page(
        report_html(ReportedVerdict(verdict, verifier.explain(*texts), readings, card, "again"))
    )
    assert "chat of programmers (Perl) (70% likely)" in page.text
    assert "Chat, messages and mail 2 200 0.850 0.900" in " ".join(page.data)
    assert "irc_perl" not in page.text


def test_the_case_data_are_told_with_their_digests(verifier: Verifier) -> None:
    texts = [essay("anna-1"), essay("bruno-1")]
    digests = [digest(text) for text in texts]
    vectors = verifier.vectors(texts)
    case = CaseData(
        vectors,
        np.frombuffer(b"".join(digests), np.uint8).reshape(2, -1),
        np.array([0, 1]),
        Trials.of([0], [[1]]),
        np.array([False]),
    )
    about = verifier.description.about.model_copy(update={"case": RECORD})
    model = verifier.model._replace(
        case=case.tensors(),
        description=verifier.description.model_copy(update={"about": about}),
    )
    found = CaseCard.of(model)
    assert found is not None
    assert found[:3] == (2, 0, 1)
    verdict = rounded(verifier.verify(*texts))
    readings = [Reading(name, text, "0" * 64) for name, text in zip("qk", texts, strict=True)]
    card = replace(ModelCard.of(verifier.model), case=found)
    page = Page(
        report_html(ReportedVerdict(verdict, verifier.explain(*texts), readings, card, "again"))
    )
    for part in (
        found.in_words, "texts left out: 1 repeats", "letters.zip", "f" * 64,
        *(each.hex() for each in digests),
    ):  # fmt: skip
        assert part in page.text
    assert CaseCard.of(verifier.model) is None


def test_a_probability_is_given_with_its_prior_odds(verifier: Verifier) -> None:
    texts = [essay("anna-1"), essay("bruno-1")]
    verdict = rounded(verifier.verify(*texts, prior=1 / 99))
    readings = [Reading(name, text, "0" * 64) for name, text in zip("qk", texts, strict=True)]
    card, explanation = ModelCard.of(verifier.model), verifier.explain(*texts)
    page = Page(report_html(ReportedVerdict(verdict, explanation, readings, card, "again")))
    assert f"{verdict.probability:.3f} of one author, if the odds were 1:99 before" in page.text


def test_a_report_that_cannot_be_written_is_named(model: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "report.html"
    assert str(nowhere) in complaint("verify", ANNA, BRUNO, "--model", model, "--report", nowhere)
