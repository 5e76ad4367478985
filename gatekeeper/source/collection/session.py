"""All of one invocation of pytest over one tree: what it collects, and what a single nodeid stands for.

Nothing is executed. :meth:`Session.collect` walks everything; :meth:`Session.target` and :meth:`Session.explain` read
only what their one file needs: the directories above it, their conftest.py files, the plugins, and its module.
"""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection import lookup
from gatekeeper.source.collection.batches import batches
from gatekeeper.source.collection.config import Refused
from gatekeeper.source.collection.engine import Engine
from gatekeeper.source.collection.items import Collected, Trouble
from gatekeeper.source.collection.tree import Tree

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterator

    from gatekeeper.source.collection.batches import Batch
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.items import Found, Invocation
    from gatekeeper.source.collection.target import Target
    from gatekeeper.source.evaluate.values import Module
    from gatekeeper.source.files import Files

STEPS = 3_000_000


class Session:
    """One invocation over one tree.

    Where pytest would stop with a usage error, ``refused`` says so, and nothing is collected.
    """

    def __init__(
        self,
        files: Files,
        invocation: Invocation,
        *,
        steps: int = STEPS,
        parsed: dict[bytes, ast.Module] | None = None,
    ) -> None:
        self.invocation = invocation
        self.refused: Trouble | None = None
        self._engine: Engine | None = None
        try:
            self._engine = Engine(Tree(files), invocation, steps, parsed)
        except Refused as error:
            self.refused = Trouble(error.path, error.reason)

    @property
    def engine(self) -> Engine | None:
        """What all files of the session share, for those who look closer; None where the configuration is refused."""
        return self._engine

    @property
    def config(self) -> Config | None:
        """The effective configuration."""
        return self._engine.config if self._engine is not None else None

    def find(self, name: str, path: str) -> str | None:
        """The source that ``import name`` finds for the source at ``path``; None for what is not of the tree."""
        return self._engine.imports.find(name, path) if self._engine is not None else None

    def roots(self, path: str) -> tuple[str, ...]:
        """The directories of the tree that stand on ``sys.path`` for the source at ``path``."""
        return self._engine.imports.roots(path) if self._engine is not None else ()

    def loaded(self) -> Iterator[tuple[Module, Collection[str], Collection[str]]]:
        """Every source that was evaluated, the functions of it that ran, and names that were looked for in vain."""
        return self._engine.interpreter.loaded() if self._engine is not None else iter(())

    def collect(self) -> Collected:
        """Everything, in pytest's order."""
        engine = self._engine
        if engine is None:
            return Collected((), (self.refused,) if self.refused is not None else ())
        found: list[Found] = []
        errors: list[Trouble] = []
        opaque: list[Trouble] = []
        deselected = 0
        for batch in batches(engine):
            found.extend(batch.found)
            errors.extend(batch.errors)
            opaque.extend(batch.opaque)
            deselected += batch.deselected
        config = engine.config
        return Collected(tuple(found), tuple(errors), tuple(opaque), config.rootdir, config.file, deselected)

    def batches(self) -> Iterator[Batch]:
        """What every file gives, in pytest's order, file by file: a module can be dropped after its turn."""
        return batches(self._engine) if self._engine is not None else iter(())

    def target(self, nodeid: str) -> Target | None:
        """What is behind ``nodeid`` (with or without parameters), None where pytest collects nothing of that name."""
        return lookup.target(self._engine, nodeid) if self._engine is not None else None

    def explain(self, nodeid: str) -> Trouble:
        """Why pytest does not collect ``nodeid``; the reason is empty where it does."""
        if self._engine is None:
            return self.refused or Trouble("", "the configuration is refused")
        return lookup.explain(self._engine, nodeid)


def collect(files: Files, invocation: Invocation) -> Collected:
    """What pytest collects from ``files``."""
    return Session(files, invocation).collect()
