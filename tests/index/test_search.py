"""Who in an index may have written a text, by the same likelihood ratios as everywhere."""

import json
from pathlib import Path

import httpx
import numpy as np
import pytest

from samehand.errors import InputError
from samehand.index import Entry, Found, Index
from samehand.verifier import Verifier
from tests.cli.console import samehand
from tests.index.documents import documents
from tests.models import essay
from tests.server.conftest import serving

TOLERANCE, OF_UNTRAINED = 1e-4, 5e-3
"""In log10 LR: vectors are kept as whole numbers of 16 bits. Those that an untrained model makes of
essays lie so near to each other that it shows."""


@pytest.fixture(scope="module")
def posts() -> list[Entry]:
    """Documents in the index."""
    return documents()[4:]


@pytest.fixture(scope="module")
def questioned() -> list[str]:
    """Texts that are not in the index."""
    return [entry.text for entry in documents()[:4]]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("searched")


@pytest.fixture(scope="module")
def index(place: Path, posts: list[Entry], by_genres: Verifier) -> Index:
    return Index.build(place, posts, by_genres)


def check_against_score(
    verifier: Verifier,
    questioned: str,
    found: Found,
    posts: list[Entry],
    tolerance: float = OF_UNTRAINED,
) -> None:
    """Each LR is that of the texts, compared by the one way to compare texts."""
    text_of = {entry.id: entry.text for entry in posts}
    trials = [(questioned, [text_of[name] for name in hit.known]) for hit in found.hits]
    expected = [assessed.log10_lr for assessed in verifier.score(trials)]
    assert np.allclose([hit.log10_lr for hit in found.hits], expected, rtol=0, atol=tolerance)


def test_likelihood_ratios_are_those_of_the_texts(
    index: Index, posts: list[Entry], questioned: list[str], by_genres: Verifier
) -> None:
    for text, found in zip(questioned, index.search(questioned), strict=True):
        assert len(found.hits) == 12  # all authors
        assert {len(hit.known) for hit in found.hits} == {3, 4}
        check_against_score(by_genres, text, found, posts)
        log10_lrs = [hit.log10_lr for hit in found.hits]
        assert log10_lrs == sorted(log10_lrs, reverse=True)
        assert len(set(log10_lrs)) > 6


def test_likelihood_ratios_of_the_packaged_model_are_those_of_the_texts(
    posts: list[Entry], questioned: list[str], tmp_path: Path
) -> None:
    verifier = Verifier.load()
    (found,) = Index.build(tmp_path, posts, verifier).search(questioned[:1])
    check_against_score(verifier, questioned[0], found, posts, TOLERANCE)


def test_texts_of_the_models_case_do_not_count_in_its_answers(
    questioned: list[str], by_genres: Verifier, tmp_path: Path
) -> None:
    words = [essay(name).split() for name in ("anna-2", "bruno-1", "bruno-2")]
    long = [" ".join(of_one[at : at + 150]) for of_one in words for at in (0, 150, 300, 450)]
    posts = [Entry(str(n), text, f"writer {n // 2}") for n, text in enumerate(long)]
    adapted = by_genres.adapted(long[:4])
    (found,) = Index.build(tmp_path / "adapted", posts, adapted).search(questioned[:1])
    check_against_score(adapted, questioned[0], found, posts)
    (plain,) = Index.build(tmp_path / "plain", posts, by_genres).search(questioned[:1])
    one, other = ({hit.author: hit.log10_lr for hit in each.hits} for each in (plain, found))
    assert all(abs(one[author] - other[author]) > OF_UNTRAINED for author in one)


def test_a_copy_is_told_and_is_no_evidence(
    index: Index, posts: list[Entry], by_genres: Verifier
) -> None:
    (found,) = index.search([posts[5].text])
    assert found.copies == (posts[5].id,)
    whose = next(hit for hit in found.hits if hit.author == posts[5].author)
    assert posts[5].id not in whose.known
    check_against_score(by_genres, posts[5].text, found, posts)


def test_an_author_of_a_copy_alone_is_no_candidate(
    posts: list[Entry], by_genres: Verifier, tmp_path: Path
) -> None:
    copied = Entry("copied", posts[0].text, "copyist")
    (found,) = Index.build(tmp_path, [*posts, copied], by_genres).search([posts[0].text])
    assert set(found.copies) == {posts[0].id, "copied"}
    assert "copyist" not in {hit.author for hit in found.hits}
    assert found.among.n == 12
    alone = Index.build(tmp_path / "alone", [copied], by_genres)
    with pytest.raises(InputError, match=r"nothing but copies of the questioned text \(copied\)"):
        alone.search([posts[0].text])


def test_probabilities_sum_to_one_with_those_not_shown(index: Index, questioned: list[str]) -> None:
    (found,) = index.search(questioned[:1], top=3, prior_of_none=0.25)
    assert len(found.hits) == 3
    posterior = found.among.posterior
    assert posterior.candidates.sum() + posterior.others + posterior.none == pytest.approx(1)
    lrs = 10 ** np.array([hit.log10_lr for hit in found.hits])
    weight = lrs * (1 - 0.25) / 12
    ratio = weight / (np.array([hit.probability for hit in found.hits]) / posterior.none)
    assert np.allclose(ratio, 0.25)


def test_nobody_is_named_among_too_many(index: Index, questioned: list[str]) -> None:
    """Validation of this model says nothing, so an LR is worth what it says."""
    (few,) = index.search(questioned[:1], expect_false=12)
    (most,) = index.search(questioned[:1], expect_false=1e-3)
    assert most.among.threshold is None
    assert not any(hit.named for hit in most.hits)
    assert most.among.sentence.startswith("Nobody can be named")
    assert [hit.named for hit in few.hits] == [
        hit.log10_lr >= few.among.threshold - 1e-9  # type: ignore[operator]
        for hit in few.hits
    ]


def test_a_search_sees_what_was_added_and_deleted(
    posts: list[Entry], questioned: list[str], by_genres: Verifier, tmp_path: Path
) -> None:
    index = Index.build(tmp_path, posts[:6], by_genres)
    assert index.search(questioned[:1])[0].among.n == 6
    Index.open(tmp_path, by_genres).add([Entry("new", posts[-1].text, "newcomer")])
    assert "newcomer" in {hit.author for hit in index.search(questioned[:1])[0].hits}
    Index.open(tmp_path, by_genres).delete(authors=["newcomer"])
    (found,) = index.search(questioned[:1])
    assert found.among.n == 6
    assert "newcomer" not in {hit.author for hit in found.hits}


def test_what_cannot_be_searched(
    index: Index, posts: list[Entry], by_genres: Verifier, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"^The questioned text has 2 words; give at least 20"):
        index.search(["Too short."])
    with pytest.raises(InputError, match=r"^Questioned text 2 has 2 words"):
        index.search([posts[0].text, "Too short."])
    with pytest.raises(InputError, match="put it in a list"):
        index.search("one text")
    with pytest.raises(InputError, match="0 authors cannot be shown"):
        index.search([posts[0].text], top=0)
    without = Index.build(tmp_path, [posts[0]._replace(author=None)], by_genres)
    with pytest.raises(InputError, match="no document in this index has an author"):
        without.search([posts[0].text])


def test_the_command_prints_what_python_finds(
    index: Index, place: Path, questioned: list[str], genres_model: Path, tmp_path: Path
) -> None:
    text = tmp_path / "letter.txt"
    text.write_text(questioned[0], "utf-8")
    command = ("search", place, text, "--top", "3", "--model", genres_model)
    printed = samehand(*command).stdout
    (found,) = index.search(questioned[:1], top=3)
    assert printed.startswith(f"{text}: {found.among.sentence}")
    assert found.hits[0].author in printed
    assert "none of them" in printed
    told = json.loads(samehand(*command, "--json").stdout)["texts"][0]
    expected = json.loads(json.dumps(found.as_dict()))
    assert told == {"text": str(text), **expected}


def test_the_server_answers_as_the_command(
    index: Index, place: Path, questioned: list[str], genres_model: Path
) -> None:
    with (
        serving(genres_model, "--index", str(place)) as server,
        httpx.Client(base_url=server.address, timeout=30) as client,
    ):
        body = {"questioned": questioned[0], "top": 3}
        answer = client.post("/api/search", json=body)
        assert answer.status_code == 200, answer.text
        (found,) = index.search(questioned[:1], top=3)
        assert answer.json() == json.loads(json.dumps(found.as_dict()))
        refused = client.post("/api/search", json={"questioned": "Too short."})
        assert refused.status_code == 422
        assert refused.json()["detail"].startswith("The questioned text has 2 words")
        assert client.post("/api/search", json=body | {"top": 10_000}).status_code == 422
