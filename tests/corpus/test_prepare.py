"""From files to a store: what goes in comes out, in parts that share nothing, or not at all."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from samehand.corpus import prepare as module
from samehand.corpus import tokeniser_pool
from samehand.corpus.pairs import SUBSETS
from samehand.corpus.prepare import Preparation, prepare
from samehand.corpus.readers import read_trials
from samehand.corpus.store import PARTS, Store
from samehand.errors import InputError
from samehand.text.tokenise import Tokeniser

from .written import TOPICS, texts, write_folders, write_pan, write_table

DOCUMENTS = texts()


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folders(tmp_path_factory.mktemp("corpus"), DOCUMENTS)


@pytest.fixture(scope="session")
def store(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return prepare(Preparation([corpus], workers=1), tmp_path_factory.mktemp("made") / "store")


def strings(store: Store) -> list[list[str]]:
    """The types of each document."""
    types = (store.folder / "types.txt").read_text("utf-8").split("\n")
    pieces = np.split(store.array("tokens"), store.array("document_ends"))[:-1]
    return [[types[token] for token in piece] for piece in pieces]


def labels(store: Store) -> Iterator[tuple[str, str, str]]:
    """Part, author and topic of each document."""
    names = json.loads((store.folder / "names.json").read_text("utf-8"))
    columns = (store.array(name) for name in ("part", "author", "topic"))
    for part, author, topic in zip(*columns, strict=True):
        yield PARTS[part], names["authors"][author], names["topics"][topic]


def test_every_document_comes_out_as_its_tokens_and_labels(store: Store) -> None:
    tokeniser = Tokeniser()
    read = {tuple(tokeniser.strings(text)): (author, topic) for author, topic, text in DOCUMENTS}
    kept = {
        tuple(tokens): (author, topic)
        for tokens, (_, author, topic) in zip(strings(store), labels(store), strict=True)
    }
    assert kept.items() <= read.items()
    dropped = store.about["dropped"]
    assert len(kept) + dropped["between parts"] == len(DOCUMENTS)
    assert dropped == {
        "duplicate": 0,
        "without words": 0,
        "unreadable": 0,
        "between parts": dropped["between parts"],
    }


def test_parts_share_neither_authors_nor_topics(store: Store) -> None:
    rows = list(labels(store))
    for column in (1, 2):
        seen = {(row[column], row[0]) for row in rows}
        assert len({name for name, _ in seen}) == len(seen)
    for part in PARTS[:3]:
        inside = [row for row in rows if row[0] == part]
        counts = store.about["parts"][part]
        assert counts["documents"] == len(inside) > 0
        assert counts["authors"] == len({author for _, author, _ in inside})
        assert counts["topics"] == len({topic for *_, topic in inside})


def test_words_and_tokens_are_counted(store: Store) -> None:
    tokens = strings(store)
    for part in PARTS[:3]:
        inside = [tokens[document] for document in store.documents(part)]
        counts = store.about["parts"][part]
        assert counts["tokens"] == sum(map(len, inside))
        words = [token for document in inside for token in document if token[0].isalnum()]
        clitics = [token for document in inside for token in document if token in ("n't", "'d")]
        assert counts["words"] == len(words) + clitics.count("'d")


def test_types_lead_to_words_and_characters(store: Store) -> None:
    types = (store.folder / "types.txt").read_text("utf-8").split("\n")
    assert (store.array("type_word")[2:] == store.vocabulary.word_ids(types[2:])).all()
    assert (store.array("type_characters")[2:] == store.vocabulary.character_ids(types[2:])).all()
    assert store.array("type_word")[:2].tolist() == [0, 1]
    assert store.about["coverage"] == 1.0


def test_trials_are_sampled_and_also_written_as_text(store: Store) -> None:
    assert store.trial_names == ["calibration", "test"]
    parts, authors, topics = zip(*labels(store), strict=True)
    for name in store.trial_names:
        pairs = store.trials(name)
        assert len(pairs)
        for first, second, same, alike in zip(*vars(pairs).values(), strict=True):
            assert parts[first] == parts[second] == name
            assert (authors[first] == authors[second]) == same
            assert (topics[first] == topics[second]) == alike
    told = strings(store)
    pairs = store.trials("test")
    tokeniser = Tokeniser()
    for number, trial in enumerate(read_trials(store.folder / "test-trials")):
        assert tokeniser.strings(trial.known[0]) == told[pairs.first[number]]
        assert tokeniser.strings(trial.questioned) == told[pairs.second[number]]
        assert trial.same == pairs.same_author[number]
        assert trial.topics == (topics[pairs.first[number]], topics[pairs.second[number]])
    assert number == len(pairs) - 1


def test_an_epoch_is_described(store: Store) -> None:
    assert set(store.about["subsets"]) == set(SUBSETS)
    assert sum(store.about["subsets"].values()) == pytest.approx(1)
    training = store.about["parts"]["train"]["documents"]
    assert training // 2 - 1 <= store.about["pairs_an_epoch"] <= training // 2


def test_training_text_is_counted_by_source(store: Store) -> None:
    counted = store.about["training"]
    assert set(counted) <= set(store.about["sources"])
    for what in ("documents", "words", "tokens"):
        assert sum(of[what] for of in counted.values()) == store.about["parts"]["train"][what]


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_same_corpus_gives_the_same_store_to_the_byte(
    store: Store, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert contents(store.folder) == contents(
        prepare(Preparation([corpus], workers=1), tmp_path / "again").folder
    )
    monkeypatch.setattr(tokeniser_pool, "_BATCH_CHARACTERS", 500)
    for workers in (1, 2):
        made = prepare(Preparation([corpus], workers=workers), tmp_path / f"with {workers}")
        assert contents(made.folder) == contents(store.folder)


def test_another_seed_gives_another_split(store: Store, corpus: Path, tmp_path: Path) -> None:
    other = prepare(Preparation([corpus], workers=1, seed=1), tmp_path / "other")
    assert list(labels(other)) != list(labels(store))


def test_split_by_authors_drops_nothing(corpus: Path, tmp_path: Path) -> None:
    made = prepare(Preparation([corpus], disjoint_topics=False, workers=1), tmp_path / "store")
    assert made.about["dropped"]["between parts"] == 0
    assert len(strings(made)) == len(DOCUMENTS)


def test_duplicates_and_wordless_texts_are_dropped_and_counted(tmp_path: Path) -> None:
    odd = [("x", "t", "\u200b\u200b"), ("y", "t", DOCUMENTS[0][2].replace(" ", "\n  "))]
    path = write_table(tmp_path / "c.jsonl", DOCUMENTS + odd + DOCUMENTS[:3])
    made = prepare(Preparation([path], disjoint_topics=False, workers=1), tmp_path / "store")
    assert made.about["dropped"] == {
        "duplicate": 4,
        "without words": 1,
        "unreadable": 0,
        "between parts": 0,
    }
    assert len(strings(made)) == len(DOCUMENTS)


def test_unreadable_records_are_counted_if_they_may_be_skipped(tmp_path: Path) -> None:
    path = write_table(tmp_path / "c.jsonl", DOCUMENTS)
    path.write_bytes(path.read_bytes() + b'{"author": "a", "te\n\xff\xfe\n')
    plan = Preparation([path], disjoint_topics=False, workers=1)
    with pytest.raises(InputError, match=r"c\.jsonl, line 97: the line is not valid JSON"):
        prepare(plan, tmp_path / "store")
    assert not (tmp_path / "store").exists()
    faults: list[str] = []
    assert prepare(plan, tmp_path / "store", faults.append).about["dropped"]["unreadable"] == 2
    assert "line 97" in faults[0]
    assert "line 98" in faults[1]


def given_parts(tmp_path: Path) -> Preparation:
    train = write_table(tmp_path / "train" / "c.jsonl", DOCUMENTS[:64])
    dev = write_table(tmp_path / "dev" / "c.jsonl", DOCUMENTS[64:80])
    test = write_table(tmp_path / "test" / "c.jsonl", DOCUMENTS[80:])
    return Preparation([train.parent], [dev.parent], [test.parent], workers=1)


def test_parts_that_come_split_are_kept(tmp_path: Path) -> None:
    made = prepare(given_parts(tmp_path), tmp_path / "store")
    assert [row[:2] for row in labels(made)] == [
        (PARTS[(i >= 64) + (i >= 80)], author) for i, (author, *_) in enumerate(DOCUMENTS)
    ]
    assert made.about["sources"] == ["c"]


def test_parts_that_share_an_author_are_refused(tmp_path: Path) -> None:
    plan = given_parts(tmp_path)
    write_table(tmp_path / "dev" / "more.jsonl", [("author0", "t", "another text of mine")])
    with pytest.raises(InputError, match=r"more than one of the parts given: 1, such as 'author0'"):
        prepare(plan, tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_a_part_of_which_nothing_is_left_is_named(tmp_path: Path) -> None:
    path = write_table(tmp_path / "c.jsonl", DOCUMENTS)
    for part in ("dev", "test"):
        plan = Preparation([path], disjoint_topics=False, workers=1, **{part: [path]})
        with pytest.raises(InputError, match=r"c.jsonl: no text of it can be used"):
            prepare(plan, tmp_path / "store")


def test_topics_come_from_the_text_where_labels_say_nothing(tmp_path: Path) -> None:
    path = write_table(tmp_path / "bare.jsonl", [(a, a, text) for a, _, text in DOCUMENTS])
    plan = Preparation([path], disjoint_topics=False, n_topics=4, workers=1)
    made = prepare(plan, tmp_path / "auto")
    assert made.about["topics_from_text"] == ["bare"]
    assert all(topic.startswith("cluster-") for *_, topic in labels(made))
    kept = prepare(replace(plan, topics="labels"), tmp_path / "labels")
    assert kept.about["topics_from_text"] == []
    assert all(author == topic for _, author, topic in labels(kept))


def test_topics_may_come_from_the_text_all_the_same(corpus: Path, tmp_path: Path) -> None:
    plan = Preparation([corpus], topics="text", n_topics=8, disjoint_topics=False, workers=1)
    found = [topic for *_, topic in labels(prepare(plan, tmp_path / "store"))]
    assert len(set(found)) <= 8
    assert not set(found) & set(TOPICS)


def test_sets_of_trials_are_kept_with_the_rest(corpus: Path, tmp_path: Path) -> None:
    pairs = [("One text.", "Another text.", True), ("A third.", "", False)]
    folder = write_pan(tmp_path / "mine", pairs)
    made = prepare(Preparation([corpus], trials=[folder], workers=1), tmp_path / "store")
    assert made.trial_names == ["calibration", "mine", "test"]
    assert made.about["trials"] == {"mine": 2}
    trials, told = made.trials("mine"), strings(made)
    assert trials.same_author.tolist() == [True, False]
    assert [told[i] for i in (*trials.first, *trials.second)] == [
        ["One", "text", "‿."],
        ["A", "third", "‿."],
        ["Another", "text", "‿."],
        [],
    ]
    assert {row[0] for row in labels(made)} == set(PARTS)
    assert "third" not in made.vocabulary.words


def test_trials_of_texts_that_are_trained_on_are_counted(tmp_path: Path) -> None:
    train = write_table(tmp_path / "train.jsonl", DOCUMENTS[:48])
    dev = write_table(tmp_path / "dev.jsonl", DOCUMENTS[48:])
    trained, held_out = ([text for *_, text in part] for part in (DOCUMENTS[:48], DOCUMENTS[48:]))
    pairs = [
        (trained[0], "New.", True),
        ("Newer.", trained[1].replace(" ", "\n"), True),
        (trained[2], trained[3], False),
        (held_out[0], held_out[1], True),
        ("Newest.", "", False),
    ]
    sets = [write_pan(tmp_path / "mine", pairs), write_pan(tmp_path / "fair", pairs[3:])]
    plan = Preparation([train], dev=[dev], test=[dev], trials=sets, workers=1)
    with pytest.raises(InputError, match="no text of it can be used"):
        prepare(plan, tmp_path / "store")
    made = prepare(replace(plan, test=()), tmp_path / "store")
    assert made.about["trials_trained_on"] == {"mine": 3, "fair": 0}


def test_one_of_several_known_texts_may_be_trained_on(tmp_path: Path) -> None:
    table = write_table(tmp_path / "c.jsonl", DOCUMENTS)
    problem = tmp_path / "problems" / "EN001"
    problem.mkdir(parents=True)
    for name, text in (("known01", "New."), ("known02", DOCUMENTS[0][2]), ("unknown", "Newer.")):
        (problem / f"{name}.txt").write_text(text)
    (problem.parent / "truth.txt").write_text("EN001 Y")
    plan = Preparation([table], trials=[problem.parent], shares=(1, 0, 0), workers=1)
    made = prepare(replace(plan, disjoint_topics=False), tmp_path / "store")
    assert made.about["trials_trained_on"] == {"problems": 1}


@pytest.mark.parametrize("name", ["test", "calibration"])
def test_a_set_of_trials_may_not_take_a_name_in_use(
    corpus: Path, tmp_path: Path, name: str
) -> None:
    folder = write_pan(tmp_path / name, [("a", "b", True)])
    with pytest.raises(InputError, match="rename"):
        prepare(Preparation([corpus], trials=[folder], workers=1), tmp_path / "store")
    other = write_pan(tmp_path / "elsewhere" / "mine", [("a", "b", True)])
    again = write_pan(tmp_path / "mine", [("a", "b", True)])
    with pytest.raises(InputError, match="two sets of trials of this name"):
        prepare(Preparation([corpus], trials=[other, again], workers=1), tmp_path / "store")


def test_word_vectors_go_along(corpus: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "w.vec"
    vectors.write_text("so 1 2\nwell 3 4\n")
    made = prepare(Preparation([corpus], vectors=vectors, workers=1), tmp_path / "store")
    rows = made.vectors()
    assert rows is not None
    assert rows[made.vocabulary.words.index("well")].tolist() == [3, 4]
    assert made.about["vectors_found"] == 2 / (len(made.vocabulary.words) - 2)


@pytest.mark.parametrize("step", ["_find_topics", "_write_trials", "describe"])
@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_what_stops_it_leaves_nothing(
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    failure: type[BaseException],
) -> None:
    def stop(*_: object) -> None:
        raise failure

    monkeypatch.setattr(module, step, stop)
    with pytest.raises(failure):
        prepare(Preparation([corpus], workers=1), tmp_path / "store")
    assert list(tmp_path.iterdir()) == []


def test_only_a_store_is_replaced(corpus: Path, tmp_path: Path) -> None:
    plan = Preparation([corpus], workers=1)
    place = tmp_path / "place"
    place.mkdir()
    (place / "diary.txt").write_text("private")
    with pytest.raises(InputError, match="holds other things"):
        prepare(plan, place, replace=True)
    (place / "diary.txt").unlink()
    prepare(plan, place)
    with pytest.raises(InputError, match="exists already"):
        prepare(plan, place)
    prepare(replace(plan, n_words=7), place, replace=True)
    assert len(Store.open(place).vocabulary.words) == 9
    assert list(tmp_path.iterdir()) == [place]


@pytest.mark.parametrize("disjoint", [True, False])
def test_one_author_is_too_few(tmp_path: Path, disjoint: bool) -> None:
    path = write_table(tmp_path / "c.jsonl", [("me", topic, text) for _, topic, text in DOCUMENTS])
    with pytest.raises(InputError, match=r"c\.jsonl: all texts are by one author"):
        prepare(Preparation([path], disjoint_topics=disjoint, workers=1), tmp_path / "store")


def test_too_little_is_too_little(tmp_path: Path) -> None:
    path = write_table(tmp_path / "c.jsonl", [("a", "t", "\u200b"), ("b", "t", "\u200b\u200b")])
    with pytest.raises(InputError, match=r"too few|too little"):
        prepare(Preparation([path], workers=1), tmp_path / "store")
    with pytest.raises(InputError, match=r"too little is left to train on"):
        prepare(Preparation([path], disjoint_topics=False, workers=1), tmp_path / "store")


def test_the_example_has_something_for_every_part(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "corpus"
    made = prepare(Preparation([example], workers=1), tmp_path / "store")
    for part in PARTS[:3]:
        assert made.about["parts"][part]["authors"] > 1
    assert all(len(made.trials(name)) for name in ("calibration", "test"))


@pytest.mark.parametrize("folders", [("pan14", "pan15"), ("pan14/en", "pan15/en")])
def test_problems_of_one_name_in_two_folders_are_by_two_authors(
    tmp_path: Path, folders: tuple[str, str]
) -> None:
    for year in folders:
        for problem in range(6):
            folder = tmp_path / year / f"EN{problem:03}"
            folder.mkdir(parents=True)
            (folder / "known01.txt").write_text(f"{year} known {problem}")
            (folder / "unknown.txt").write_text(f"{year} unknown {problem}")
        lines = [f"EN{problem:03} {'YN'[problem % 2]}" for problem in range(6)]
        (tmp_path / year / "truth.txt").write_text("\n".join(lines))
    paths = [tmp_path / folder for folder in folders]
    plan = Preparation(paths, disjoint_topics=False, workers=1)
    made = prepare(replace(plan, topics="labels"), tmp_path / "store")
    assert len({author for _, author, _ in labels(made)}) == 18


@pytest.fixture
def two_tables(tmp_path: Path) -> list[Path]:
    """Of one name, and with one author in common by name."""
    first = [row for row in DOCUMENTS if row[0] <= "author3"]
    second = [row for row in DOCUMENTS if row[0] >= "author3"]
    one, other = (
        [(a, t, f"{text} {n}") for a, t, text in part] for n, part in enumerate((first, second))
    )
    return [
        write_table(tmp_path / "1" / "c.jsonl", one),
        write_table(tmp_path / "2" / "c.jsonl", other),
    ]


def test_authors_of_one_name_in_two_sources_are_one_and_told_of(
    two_tables: list[Path], tmp_path: Path
) -> None:
    plan = Preparation(two_tables, disjoint_topics=False, workers=1)
    made = prepare(plan, tmp_path / "store")
    assert len({author for _, author, _ in labels(made)}) == 12
    assert made.about["shared_authors"] == {"authors": 1, "example": ["author3", "c", "c 2"]}
    alone = prepare(replace(plan, corpora=two_tables[:1]), tmp_path / "alone")
    assert alone.about["shared_authors"] == {"authors": 0, "example": None}


def test_authors_of_one_name_in_two_sources_are_two_where_that_is_asked(
    two_tables: list[Path], tmp_path: Path
) -> None:
    plan = Preparation(two_tables, authors_apart=True, disjoint_topics=False, workers=1)
    made = prepare(plan, tmp_path / "store")
    found = {author for _, author, _ in labels(made)}
    assert len(found) == 13
    assert {"c/author3", "c 2/author3"} <= found
    assert made.about["shared_authors"] == {"authors": 0, "example": None}
    one, other = two_tables
    for parts in ({"dev": [other]}, {"test": [other]}):
        with pytest.raises(InputError, match="--authors-apart would hide the authors"):
            prepare(replace(plan, corpora=[one], **parts), tmp_path / "parts")
