"""What a name means at one place of a module."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.words import ALIASES, BUILTINS

if TYPE_CHECKING:
    from gatekeeper.source.rows import Value


class Scope:
    """What names mean at one place: from the innermost table of names outwards.

    A table maps a name to a dotted path, or to a node for what has none (type parameters).
    """

    __slots__ = ("module", "open", "tables")

    def __init__(self, module: str, tables: tuple[dict[str, Value], ...], *, open_ended: bool = False) -> None:
        self.module = module
        self.tables = tables
        self.open = open_ended

    def inside(self, table: dict[str, Value]) -> Scope:
        """The same scope with one more table in front."""
        return Scope(self.module, (table, *self.tables), open_ended=self.open)

    def find(self, name: str) -> Value:
        """A dotted path or a node; the bare name for builtins, ``?name`` for what nothing in the module binds."""
        for table in self.tables:
            found = table.get(name)
            if found is not None:
                return found
        if name in BUILTINS:
            return ALIASES.get(name, name)
        # A wildcard import may bind it: the link step follows the name through this module's wildcards.
        return f"{self.module}.{name}" if self.open else f"?{name}"
