"""Programs are told from prose by their symbols."""

from samehand.cautions.text_quality import MOST_SYMBOLS
from samehand.text.symbols import symbol_share


def test_prose_has_next_to_none_and_programs_many() -> None:
    assert symbol_share("Well (she said), it's 5 o'clock; isn't it? “No” — not yet…") == 0.0
    assert symbol_share("") == 0.0
    assert symbol_share("a+b") == 1 / 3
    program = "for (int i = 0; i < n; i++) { total += values[i] / n; if (total > most) return -1; }"
    assert symbol_share(program) > MOST_SYMBOLS
