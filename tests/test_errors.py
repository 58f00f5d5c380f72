"""A missing package is named with its extra and with what to do."""

import sys

import pytest

from samehand.errors import InputError, needs


def test_a_module_that_is_there_is_returned() -> None:
    assert needs("dev", "json.decoder") is sys.modules["json.decoder"]


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow, .* pip install '\.\[tables\]'\.$"):
        needs("tables", "pyarrow")
