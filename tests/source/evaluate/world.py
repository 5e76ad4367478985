"""An interpreter over sources that a test gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatekeeper.source.evaluate.interpreter import Interpreter
from gatekeeper.source.files import MemoryFiles

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Module, Value


def world(sources: dict[str, str], steps: int = 2_000_000) -> Interpreter:
    """Names of modules to their texts, ``__`` in a name stands for a dot."""
    named = {name.replace("__", "."): text for name, text in sources.items()}
    packages = {name.rpartition(".")[0] for name in named if "." in name}
    paths = {
        name: name.replace(".", "/") + ("/__init__.py" if name in packages else ".py")
        for name in named.keys() | packages
    }
    files = MemoryFiles({path: named.get(name, "").encode() for name, path in paths.items()})

    def search(name: str, importer: Module | None) -> str | None:
        del importer
        return paths.get(name)

    return Interpreter(files, search, steps=steps)


def executed(text: str, **others: str) -> Module:
    """The module of one source, beside others."""
    made = world({"m": text, **others})
    return made.load("m.py", "m")


def values(text: str, **others: str) -> dict[str, Value]:
    """What the names of one source are bound to."""
    return {name: binding.value for name, binding in executed(text, **others).namespace.items()}
