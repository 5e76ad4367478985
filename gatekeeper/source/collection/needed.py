"""Which imported names of a module have to be looked at: loading the source of each would evaluate the whole project.

A name that is imported and that no pattern chooses matters only if it is a fixture, a TestCase or a class or function
with ``__test__``. That is looked into where its source is test code by its path, or speaks of such things.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.evaluate.frames import Lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.scope import Evaluator
    from gatekeeper.source.evaluate.values import Binding, Module

FIXTURES = (b"fixture",)
TESTS = (b"TestCase", b"__test__")
_TEST_CODE = ("test", "fixture", "conftest", "helper", "common", "plugin")


def matters(binding: Binding, module: Module, words: Sequence[bytes], evaluator: Evaluator) -> bool:
    """Whether ``binding`` of ``module`` may hold what ``words`` speak of; one that is not an import may."""
    if not isinstance(binding, Lazy) or not binding.pending:
        return True
    home = binding.origin.rpartition(".")[0]
    path = evaluator.find(binding.origin, module) or (evaluator.find(home, module) if home else None)
    if path is None:
        return False
    if path.rpartition("/")[0] == module.path.rpartition("/")[0]:
        return True
    if any(word in path.lower() for word in _TEST_CODE):
        return True
    text = evaluator.files.read(path) or b""
    return any(word in text for word in words)
