"""A text has the same vectors whatever stands beside it and whoever shares the work."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from samehand.engine.embed import Embedder
from samehand.engine.vectors import TextVectors, joined
from samehand.errors import InputError
from tests.engine.untrained import stored, texts
from tests.models import essay

NETWORKS = [stored(seed) for seed in (1, 2)]
ESSAYS = [essay(name) for name in ("anna-1", "anna-2", "bruno-1", "bruno-2")]


def embedder(threads: int = 1) -> Embedder:
    return Embedder(NETWORKS, threads=threads)


def bytes_of(vectors: TextVectors) -> list[bytes]:
    return [field.tobytes() for field in vectors[:2]]


@settings(max_examples=40)
@given(st.data(), st.lists(texts, min_size=1, max_size=12))
def test_neither_company_nor_threads_nor_the_past_change_a_bit(data, some) -> None:
    order = data.draw(st.permutations(range(len(some))))
    alone = joined([embedder().embed([text]) for text in some])
    used = embedder(threads=3)
    used.embed(ESSAYS[:1])
    together = used.embed([some[i] for i in order])
    assert bytes_of(together) == bytes_of(alone.at(order))
    chunks = [some[:2], some[2:], []]
    assert bytes_of(joined(list(used.embed_all(chunks)))) == bytes_of(alone)


def test_so_it_is_for_long_texts_of_all_lengths() -> None:
    """So many that they take several batches, parts and groups of four."""
    words = " ".join(ESSAYS).split()
    some = [" ".join(words[i : i + 3 * i + 5]) for i in range(150)]
    expected = embedder().embed(some)
    for threads in (2, 5):
        assert bytes_of(embedder(threads).embed(some)) == bytes_of(expected)
    for i in (0, 1, 2, 3, 77, 148, 149):
        assert bytes_of(embedder().embed([some[i]])) == bytes_of(expected.at([i]))


def test_threads_may_share_it() -> None:
    shared = embedder(threads=2)
    expected = [bytes_of(embedder().embed([text])) for text in ESSAYS]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda i: bytes_of(shared.embed([ESSAYS[i % 4]])), range(48)))
    assert found == [expected[i % 4] for i in range(48)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_goes_on_with_it() -> None:
    """Even one that is forked while a thread holds the lexicon's lock."""
    shared = embedder(threads=2)
    expected = bytes_of(shared.embed(ESSAYS))
    (met,) = shared._lexicon._met.values()
    with met._lock:
        child = os.fork()
        if child == 0:
            os._exit(0 if bytes_of(shared.embed(ESSAYS)) == expected else 1)
    killer = threading.Timer(60, os.kill, (child, 9))
    killer.start()
    status = os.waitpid(child, 0)[1]
    killer.cancel()
    assert status == 0


def test_the_number_of_tokens_stands_beside_the_style() -> None:
    found = embedder().embed([*ESSAYS, ""])
    assert found.style.shape == (5, 10)
    assert found.sizes == (5, 5)
    most = embedder().most_tokens
    assert found.tokens.tolist() == [most] * 4 + [0]
    assert np.isnan(found.style[4]).all()


def test_each_network_stands_in_its_columns() -> None:
    both = embedder().embed(ESSAYS)
    for network, of_one in zip(NETWORKS, both.each_network(), strict=True):
        assert Embedder([network]).embed(ESSAYS).style.tobytes() == of_one.style.tobytes()


def test_what_is_beside_is_done_once_even_where_no_text_has_a_token() -> None:
    for some in (ESSAYS, [""], []):
        done: list[int] = []
        ours = embedder(threads=2)
        ours.embed_read(ours.read(some), [partial(done.append, n) for n in (1, 2)])
        assert sorted(done) == [1, 2]


def test_no_texts_have_no_vectors() -> None:
    found = embedder().embed([])
    assert found.style.shape == (0, 10)
    assert found.texts == 0


PLAIN = " ".join(["the", "of", "and", "it", "walked", "under", "a", "bridge"] * 20)


def test_units_may_be_left_out_without_reading_again() -> None:
    """The first units kept of a text give the vectors of the start of the text by itself."""
    ours = embedder()
    (text,) = ours.encode(ours.read([PLAIN]))
    n = len(text.bounds)
    starts = np.tri(n, dtype=np.bool_)  # the first unit, the first two, …
    found = text.keeping(starts)
    ends = [end for _, end in text.unit_spans()]
    expected = ours.embed([PLAIN[:end] for end in ends])
    assert found.style.tobytes() == expected.style.tobytes()
    assert found.tokens.tolist() == expected.tokens.tolist()
    assert bytes_of(found.at([n - 1])) == bytes_of(text.vectors) == bytes_of(ours.embed([PLAIN]))


def test_tokens_are_those_of_the_units_kept() -> None:
    """Units have 12 tokens and begin every 10: neighbours share two, others none."""
    ours = embedder()
    (text,) = ours.encode(ours.read([" ".join(["word"] * 42)]))
    assert text.bounds == [(0, 12), (10, 22), (20, 32), (30, 42)]
    kept = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 0]], bool)
    assert text.keeping(kept).tokens.tolist() == [42, 34, 22, 24, 12]
    for wrong in (kept[:, :3], np.zeros((1, 4), np.bool_)):
        with pytest.raises(ValueError, match="each unit"):
            text.keeping(wrong)


def test_attention_adds_up_to_one_and_lies_in_the_text() -> None:
    ours = embedder()
    for text, given_text in zip(ours.encode(ours.read(ESSAYS)), ESSAYS, strict=True):
        assert text.unit_attention.shape == (len(text.bounds),)
        assert text.token_attention.shape == text.tokens.types.shape
        assert text.unit_attention.sum() == pytest.approx(1, abs=1e-5)
        assert text.token_attention.sum() == pytest.approx(1, abs=1e-5)
        spans = text.unit_spans()
        assert spans[0][0] == 0
        assert 0 < spans[-1][1] <= len(given_text)


def test_a_text_without_a_word_has_no_units() -> None:
    ours = embedder()
    with pytest.raises(InputError, match="without a word"):
        ours.encode(ours.read(["a", ""]))


def test_judging_needs_neither_torch_nor_other_heavy_packages() -> None:
    script = (
        "import sys\n"
        "import samehand.engine.embed, samehand.model.folder\n"
        "import pkgutil, importlib, samehand.text, samehand.engine, samehand.model\n"
        "for package in (samehand.text, samehand.model):\n"
        "    for found in pkgutil.iter_modules(package.__path__):\n"
        "        importlib.import_module(f'{package.__name__}.{found.name}')\n"
        "heavy = {'torch', 'matplotlib', 'pyarrow', 'sklearn', 'samehand.network'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
