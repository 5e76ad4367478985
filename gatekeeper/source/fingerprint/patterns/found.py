"""What a pattern found, and the view from which patterns look at syntax."""

from __future__ import annotations

import ast

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint.follow import Needs, Symbol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gatekeeper.source.fingerprint.follow import Library
    from gatekeeper.source.fingerprint.pages import Page

NEUTRALISED, WEAKENED, REWRITTEN = "GK403", "GK404", "GK405"


class Pattern(NamedTuple):
    """One thing found: ``kind`` is what base and head are compared by, the message says it in plain words."""

    kind: str
    message: str
    path: str
    line: int
    code: str = NEUTRALISED


class View(NamedTuple):
    """Names as seen from one source."""

    library: Library
    page: Page
    local: Mapping[str, str] = {}
    """What imports inside the function bind: name to dotted name."""

    def inside(self, function: ast.AST) -> View:
        """The same from inside a function, whose own imports count."""
        found = dict(self.local)
        for node in ast.walk(function):
            if isinstance(node, ast.Import):
                found.update(
                    (
                        alias.asname or alias.name.partition(".")[0],
                        alias.name if alias.asname else alias.name.partition(".")[0],
                    )
                    for alias in node.names
                )
            elif isinstance(node, ast.ImportFrom):
                module = self.library.absolute(self.page, node.level, node.module or "")
                found.update((alias.asname or alias.name, f"{module}.{alias.name}") for alias in node.names)
        return self._replace(local=found)

    def name(self, node: ast.AST) -> str:
        """The dotted name that an expression means: ``pytest.skip``, ``builtins`` bare; empty where it has none.

        A call stands for what it calls; a name of the test tree is ``.name``.
        """
        while isinstance(node, ast.Call):
            node = node.func
        chain: list[str] = []
        while isinstance(node, ast.Attribute):
            chain.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return "?" + ".".join(reversed(chain)) if chain else ""
        if node.id in self.local:
            return ".".join((self.local[node.id], *reversed(chain)))
        text = self.library.meaning(self.page, node.id, tuple(reversed(chain)), Needs())
        return "." + text[1:] if text[0] == "s" else text[1:]

    def symbol(self, node: ast.AST) -> Symbol | None:
        """The definition of the test tree that a plain name or dotted name means."""
        while isinstance(node, ast.Call):
            node = node.func
        chain: list[str] = []
        while isinstance(node, ast.Attribute):
            chain.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        needs = Needs()
        if node.id in self.local:
            text = self.library.dotted(self.page, ".".join((self.local[node.id], *reversed(chain))), needs)
            return next(iter(needs.symbols)) if text[0] == "s" and needs.symbols else None
        text = self.library.meaning(self.page, node.id, tuple(reversed(chain)), needs)
        return next(iter(needs.symbols)) if text[0] == "s" and needs.symbols else None

    def definition(self, node: ast.AST) -> tuple[View, ast.AST] | None:
        """What the test tree binds last to the name that an expression means."""
        symbol = self.symbol(node)
        page = self.library.page(symbol.path) if symbol is not None else None
        if symbol is None or page is None or not page.bound.get(symbol.name):
            return None
        return View(self.library, page), page.bound[symbol.name][-1].node

    def found(self, kind: str, message: str, node: ast.AST, code: str = NEUTRALISED) -> Pattern:
        """A pattern at a node of this source."""
        return Pattern(kind, message, self.page.path, int(getattr(node, "lineno", 0)), code)
