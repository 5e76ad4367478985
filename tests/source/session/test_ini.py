from __future__ import annotations

import iniconfig
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatekeeper.source.collection.config.ini import IniError, read_ini

LINES = st.lists(
    st.sampled_from(
        [
            "[pytest]", "[tool:pytest] # why", "[x", "[]", "a = 1", "a : 1", "b=", "b:c=d", "c=d:e", "  more",
            "\tmore ; no", "# no", "  ; no", "", " ", "name", "= 1", ": 1", "d = 2 # kept",
            "\ufeff[bom]", "e\u00a0=\u00a01", "\x0c", "[y]]",
            "[z];", "  [pytest]", "f = %(x)s", "\u2028g = 1",
        ]
    ),
    max_size=8,
)  # fmt: skip


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]))
def test_reads_as_the_library_that_pytest_uses(lines: list[str], end: str) -> None:
    text = end.join(lines)
    try:
        # What a file opened as text gives.
        real = iniconfig.IniConfig("x.ini", data=text.replace("\r\n", "\n").replace("\r", "\n"))
    except iniconfig.ParseError:
        with pytest.raises(IniError):
            read_ini(text)
        return
    assert read_ini(text) == {name: dict(body) for name, body in real.sections.items()}
