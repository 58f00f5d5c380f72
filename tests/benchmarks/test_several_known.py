"""Trials with several known texts are what they are said to be, for every number of them."""

import numpy as np
import pytest
from several_known import bars, draw, several_known, table

from samehand.corpus.document import Document
from samehand.verifier import Verifier
from tests.models import essay

DOCUMENTS = [
    Document(f"author {author}", f"topic {(author + text) % 3}", f"{author} wrote {text}")
    for author in range(6)
    for text in range(4 + author)
]


def test_known_texts_are_by_one_author_and_not_questioned():
    author = {document.text: document.author for document in DOCUMENTS}
    drawn = list(draw("a source", DOCUMENTS, 4, 3))
    assert len(drawn) == 3 * 2 * 5  # the first author has too few texts
    for one in drawn:
        (known,) = {author[text] for text in one.known}
        assert len(set(one.known)) == 4
        assert one.questioned not in one.known
        assert (author[one.questioned] == known) == one.same


def test_known_texts_are_of_other_topics_first():
    topic = {document.text: document.topic for document in DOCUMENTS}
    for one in draw("a source", DOCUMENTS, 4, 1):
        if one.same:
            alike = [topic[text] == topic[one.questioned] for text in one.known]
            assert alike == sorted(alike)


def test_the_same_trials_are_drawn_every_time():
    assert list(draw("x", DOCUMENTS, 4, 2)) == list(draw("x", DOCUMENTS, 4, 2))


@pytest.fixture(scope="module")
def found(tmp_path_factory, genres_model):
    rows = ["author,topic,text"]
    for author in ("anna", "bruno"):
        words = essay(f"{author}-1").replace('"', "").split()
        for number in range(6):
            part = " ".join(words[50 * number : 50 * number + 50])
            rows.append(f'{author},{number},"{part}"')
    file = tmp_path_factory.mktemp("dev") / "essays.csv"
    file.write_text("\n".join(rows), "utf-8")
    return several_known(Verifier.load(genres_model), file)


def test_each_number_has_figures_of_the_same_trials(found):
    assert set(found) == {"4"}  # nobody has more than eight texts
    assert found["4"]["trials"] == 4
    assert [n for n in found["4"] if n.isdigit()] == ["1", "2", "4"]
    assert all(np.isfinite(found["4"][n]["cllr"]) for n in "124")


def test_every_number_has_a_bar_and_a_row(found):
    assert len(bars(found)) == 3
    rows = table(found).splitlines()
    assert len(rows) == 2 + 3
    assert len({row.count("|") for row in rows}) == 1
