"""How far a ``pytest_generate_tests`` reaches, by what it asks before it looks at the test."""

from __future__ import annotations

import pytest

from gatekeeper.source.collection.hooks import generated_by, hooks_in
from gatekeeper.source.evaluate.values import Binding, Unknown
from tests.source.collection.given import function_of

TOLD = {
    'if "a" in metafunc.fixturenames:\n    metafunc.parametrize("b", [1])': {"a"},
    'if "a" in metafunc.fixturenames and deep():\n    metafunc.parametrize("a", [1])': {"a"},
    'if "a" in metafunc.fixturenames:\n    pass\nif "b" in metafunc.fixturenames:\n    pass': {
        "a",
        "b",
    },
    'if "a" not in metafunc.fixturenames:\n    return\nmetafunc.parametrize("a", [1])': {"a"},
    "x = 1": set(),
    'metafunc.parametrize("a", [1])': None,
    'if metafunc.cls:\n    metafunc.parametrize("a", [1])': None,
    'if "a" in metafunc.fixturenames or True:\n    metafunc.parametrize("a", [1])': None,
    'if "a" in metafunc.fixturenames:\n    pass\nelse:\n    metafunc.parametrize("b", [1])': None,
    'if "a" not in metafunc.fixturenames:\n    return metafunc.parametrize("b", [1])': None,
    "for name in metafunc.fixturenames:\n    metafunc.parametrize(name, [1])": None,
}


@pytest.mark.parametrize("body", TOLD)
def test_what_a_hook_asks_first(body: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    assert generated_by(function_of(f"def pytest_generate_tests(metafunc):\n{lines}")) == TOLD[body]


def test_a_hook_that_is_not_read_reaches_everything() -> None:
    found = hooks_in({"pytest_generate_tests": Binding(Unknown("a call"))}, "conftest.py")
    assert found.generates is None
    assert found.source == "pytest_generate_tests in conftest.py"
    assert hooks_in({}, "conftest.py").joined(found).generates is None


def test_hooks_that_rewrite_items_or_make_ids_are_named() -> None:
    found = hooks_in({"pytest_itemcollected": Binding(None), "pytest_make_parametrize_id": Binding(None)}, "c.py")
    assert (found.rewrites, found.names) == ("pytest_itemcollected in c.py", "pytest_make_parametrize_id in c.py")
