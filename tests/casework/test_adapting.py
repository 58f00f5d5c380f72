"""A model is adapted to a case: files in, a new model out, and what that does."""

import hashlib
import json
import shutil
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from samehand.assessment import LabelledPair, case_digest
from samehand.casework.adapting import Brought, adapt
from samehand.casework.case import case_data
from samehand.casework.case_record import CaseRecord
from samehand.casework.digests import sha256_of
from samehand.casework.selecting import select
from samehand.casework.validating import validate
from samehand.errors import InputError
from samehand.report.validation_report import opening, remarks
from samehand.verifier import Verifier
from tests.casework.written import Writer, trials, write
from tests.models import essay


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a text each by twelve writers, and some that do not count."""
    folder = tmp_path_factory.mktemp("texts")
    for number in range(12):
        (folder / f"{number:02}.txt").write_text(Writer(9_000 + number).text(24), "utf-8")
    shutil.copy(folder / "00.txt", folder / "again.txt")
    (folder / "short.md").write_text("Too short to say a thing.", "utf-8")
    return folder


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return write(tmp_path_factory.mktemp("pairs"), trials(4, 3, seed=3))


@pytest.fixture(scope="module")
def made(genres_model, texts, pairs, tmp_path_factory: pytest.TempPathFactory):
    """The folder of the adapted model, and what was told of it."""
    folder = tmp_path_factory.mktemp("made") / "model"
    return folder, adapt(genres_model, Brought((texts,), *pairs), folder)


def test_what_was_used_is_told_and_stays_with_the_model(made, genres_model, texts, pairs):
    folder, record = made
    before, after = Verifier.load(genres_model), Verifier.load(folder)
    assert (record.texts.used, record.texts.too_short, record.texts.repeats) == (12, 1, 1)
    assert (record.pairs.same, record.pairs.different) == (4, 3)
    assert (record.name, record.sha256) == (before.facts.name, before.facts.sha256)
    assert after.facts.name == f"{before.facts.name}, adapted to 12 texts and 7 pairs"
    assert CaseRecord.of(after.description.about.case) == record
    digests = {file.name: file.sha256 for file in record.files}
    for path in pairs:
        assert digests[path.name] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert digests[texts.name] == sha256_of(texts)
    assert after.facts.sha256 != before.facts.sha256


def test_nothing_but_the_case_is_new_and_no_word_of_it_is_kept(made, genres_model, texts):
    folder, _ = made
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    for name in files - {"model.json", "case.safetensors"}:
        assert (folder / name).read_bytes() == (genres_model / name).read_bytes()
    content = (texts / "00.txt").read_bytes()[:40]
    assert all(content not in (folder / name).read_bytes() for name in files)


def test_the_case_holds_each_distinct_text_once(genres_model):
    verifier = Verifier.load(genres_model)
    a, b, c, d = (Writer(seed).text(24) for seed in range(4))
    pairs = [LabelledPair(a, [b, b + "\n"], True), LabelledPair(a, [b, c], False)]
    case = case_data(verifier.embedder, select([c, d], pairs))
    assert sorted(case.each_digest()) == sorted(map(case_digest, (a, b, c, d)))
    place = {each: row for row, each in enumerate(case.each_digest())}
    assert case.others.tolist() == [place[case_digest(d)]]
    assert case.pairs.questioned.tolist() == [place[case_digest(a)]] * 2
    assert case.pairs.known.tolist() == [
        [place[case_digest(b)], -1],
        [place[case_digest(b)], place[case_digest(c)]],
    ]
    assert case.same.tolist() == [True, False]
    rows = [place[case_digest(text)] for text in (a, b, c, d)]
    assert np.array_equal(case.vectors.at(rows).style, verifier.embed([a, b, c, d]))


def test_in_python_the_same_comes_of_the_texts_and_pairs(made, genres_model, texts, pairs):
    folder, _ = made
    read = [path.read_text("utf-8") for path in sorted(texts.iterdir())]
    short = [text for text in read if len(text) < 100]
    truth = [json.loads(line)["same"] for line in pairs[1].read_text().splitlines()]
    records = [json.loads(line)["pair"] for line in pairs[0].read_text().splitlines()]
    labelled = [LabelledPair(q, [k], same) for (k, q), same in zip(records, truth, strict=True)]
    in_python = Verifier.load(genres_model).adapted(read, labelled)
    on_disk = Verifier.load(folder)
    one, other = (
        verifier.verify(essay("anna-1"), essay("anna-2")) for verifier in (in_python, on_disk)
    )
    assert one == other
    assert in_python.facts == on_disk.facts
    used = in_python.facts.case
    assert (used.texts_by_others, used.pairs_by_one, used.pairs_by_two) == (12, 4, 3)
    digests = sorted(map(case_digest, {*read, *chain.from_iterable(records)} - set(short)))
    assert used.sha256 == hashlib.sha256(b"".join(dict.fromkeys(digests))).hexdigest()


def test_two_texts_or_one_pair_are_enough(genres_model):
    verifier = Verifier.load(genres_model)
    a, b, c = (Writer(seed).text(24) for seed in range(3))
    plain = verifier.verify(essay("anna-1"), essay("anna-2")).log10_lr
    for adapted in (verifier.adapted([a, b]), verifier.adapted(pairs=[(a, b, True)])):
        assert np.isfinite(adapted.verify(essay("anna-1"), essay("anna-2")).log10_lr)
    for given in ([], [a], [a, a], [a, "Short."], list("abcdefgh")):
        with pytest.raises(InputError, match="too little to adapt to"):
            verifier.adapted(given)
    with pytest.raises(InputError, match="one text where a list of texts is needed"):
        verifier.adapted(c)
    assert verifier.verify(essay("anna-1"), essay("anna-2")).log10_lr == plain


def test_adapting_anew_replaces_the_case(made, genres_model, texts, tmp_path):
    folder, _ = made
    again = adapt(folder, Brought((texts,)), tmp_path / "again")
    plain = adapt(genres_model, Brought((texts,)), tmp_path / "plain")
    assert (again.name, again.sha256) == (plain.name, plain.sha256)
    one, other = (Verifier.load(tmp_path / name) for name in ("again", "plain"))
    assert one.facts == other.facts
    assert one.facts.name.endswith("adapted to 12 texts and 0 pairs")


def test_a_text_of_the_case_is_left_out_of_it_and_that_is_told(genres_model):
    plain = Verifier.load(genres_model)
    texts = [Writer(seed).text(24) for seed in range(8)]
    pairs = [LabelledPair(texts[0], [texts[1]], True), LabelledPair(texts[2], [texts[3]], False)]
    adapted = plain.adapted(texts[4:], pairs)
    for questioned, known, rest in (
        (texts[4], [essay("anna-1")], plain.adapted(texts[5:], pairs)),
        (essay("anna-1"), [texts[0], texts[4]], plain.adapted(texts[5:], pairs[1:])),
        (f" {texts[2]}\n", texts[5:7], plain.adapted([texts[4], texts[7]], pairs[:1])),
        (texts[0], [texts[2], *texts[4:]], plain),
    ):
        found, expected = (each.verify(questioned, known) for each in (adapted, rest))
        assert found.log10_lr == pytest.approx(expected.log10_lr, abs=1e-9)
        told = [reason for reason in found.reasons if "the model was adapted to" in reason]
        assert len(told) == len({questioned.strip(), *known} & set(texts))
        assert adapted.explain(questioned, known).log10_lr == pytest.approx(
            rest.explain(questioned, known).log10_lr, abs=1e-9
        )


def test_validation_leaves_out_what_the_model_was_adapted_to(made, pairs, tmp_path):
    folder, _ = made
    with pytest.raises(InputError, match="adapted to"):
        validate(folder, *pairs)
    fresh = write(tmp_path / "fresh", trials(6, 5, seed=4))
    both = tmp_path / "both"
    both.mkdir()
    for one, other in zip(pairs, fresh, strict=True):
        (both / one.name).write_text(one.read_text() + other.read_text())
    found = validate(folder, both, both)
    assert found["trials"]["adapted_to"] == 7
    assert (found["trials"]["same"], found["trials"]["different"]) == (6, 5)
    assert "WARNING: 7 trials hold a text that the model was adapted to" in remarks(found)[0]
    assert "not adapted" not in opening(found)
    alone = validate(folder, *fresh)
    assert found["figures"] == pytest.approx(alone["figures"], nan_ok=True)


def test_a_model_with_the_paper_s_evidence_is_refused_before_anything_is_read(model, tmp_path):
    with pytest.raises(InputError, match="cannot be adapted to a case"):
        adapt(model, Brought((tmp_path / "nowhere",)), tmp_path / "new")
    with pytest.raises(InputError, match="cannot be adapted to a case"):
        Verifier.load(model).adapted([essay("anna-1"), essay("anna-2")])


def test_places_that_cannot_be_used_are_refused_and_keep_what_they_hold(
    made, genres_model, texts, tmp_path
):
    copy = shutil.copytree(made[0], tmp_path / "copy")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("mine")
    for place, message in (
        (copy, "the model itself"), (copy / "inside", "is in it"), (tmp_path, "around it"),
        (tmp_path / "other", "holds other things"), (texts / "00.txt", "a file is in this place"),
        (made[0], "--force"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            adapt(copy, Brought((texts,)), place)
    shutil.copytree(texts, copy / "texts")
    with pytest.raises(InputError, match="is read, and would be lost"):
        adapt(genres_model, Brought((copy / "texts",)), copy, force=True)
    with pytest.raises(InputError, match="texts is in it, too, and would be lost"):
        adapt(genres_model, Brought((texts,)), copy, force=True)
    shutil.rmtree(copy / "texts")
    adapt(genres_model, Brought((texts,)), copy, force=True)
    assert {path.name for path in tmp_path.iterdir()} == {"copy", "other"}


def test_pairs_need_their_truth(genres_model, pairs, tmp_path):
    with pytest.raises(InputError, match="give both --pairs and --truth"):
        adapt(genres_model, Brought(pairs=pairs[0]), tmp_path / "new")


def test_the_same_files_give_the_same_folder_byte_for_byte(genres_model, texts, pairs, tmp_path):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        adapt(genres_model, Brought((texts,), *pairs), folder)
    one, two = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in folders
    )
    assert one == two


def test_a_near_copy_is_left_out_like_the_text_itself():
    packaged = Verifier.load()
    near = essay("anna-1").replace("kettle", "teapot") + "\nAnd so on."
    others = [essay("bruno-1"), essay("bruno-2")]
    adapted, rest = packaged.adapted([essay("anna-1"), *others]), packaged.adapted(others)
    found, expected = (each.verify(near, essay("anna-2")) for each in (adapted, rest))
    assert found.log10_lr == pytest.approx(expected.log10_lr, abs=1e-9)
    told = [reason for reason in found.reasons if "the model was adapted to" in reason]
    assert [reason.split(" of the texts")[0] for reason in told] == [
        "The questioned text is nearly the same as one"
    ]
