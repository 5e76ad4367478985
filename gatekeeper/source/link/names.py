"""Names inside values, made final: a private thing by what it is, anything else by its one public path."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.rows import canonical, ordered, union

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from gatekeeper.source.link.tree import Target, Tree
    from gatekeeper.source.rows import Value

    class Public(Protocol):
        """Canonical public paths by (namespace, module, name) of what they define."""

        def get(self, key: tuple[str, str, str], /) -> str | None:
            """The path; None for a definition that no caller can name."""

        def __getitem__(self, key: tuple[str, str, str], /) -> str:
            """The path of a definition that has one."""


_DEPTH = 8
_SIZE = 2_000


class Names:
    """Rewrites the names of one tree's values.

    ``public`` maps (namespace, module, name) of a definition to its canonical public path.
    """

    def __init__(self, tree: Tree, public: Public) -> None:
        self._tree = tree
        self._public = public
        self._known: dict[tuple[str, str], Value] = {}

    def final(self, space: str, value: Value, refs: list[str]) -> Value:
        """The value with every name followed; ``refs`` are the dotted names in it."""
        return self.rewrite(space, value) if self.moves(space, refs) else value

    def moves(self, space: str, refs: Iterable[str]) -> bool:
        """Whether one of the names is not final yet."""
        return any(self.name(space, path) != ["name", path] for path in refs)

    def rewrite(self, space: str, value: Value) -> Value:
        """The value with every name followed."""
        return self._rewrite(space, value)

    def name(self, space: str, path: str, depth: int = 0) -> Value:
        """What stands for a dotted name: ``["name", path]``, or the value of a private alias."""
        key = (space, path)
        found = self._known.get(key)
        if found is None:
            self._known[key] = ["name", path]  # a ring of aliases ends here
            found = self._known[key] = self._resolve(space, path, depth)
        return found

    def _resolve(self, space: str, path: str, depth: int) -> Value:
        target = self._tree.follow(space, path)[0][1]
        if target.kind != "def":
            return ["name", _typing(target.module)]
        head, _, rest = target.name.partition(".")
        public = self._public.get((target.space, target.module, head))
        if public is not None:
            return ["name", f"{public}.{rest}" if rest else public]
        return ["private", target.name] if rest else self._private(target, depth)

    def _private(self, target: Target, depth: int) -> Value:
        """What no caller can name is known by what it is, so that moving it between private modules is no move."""
        variants = self._tree.names(target.space, target.module)[target.name]
        definition = variants[0][1]
        if definition["k"] != "attribute" or definition["p"]["accessors"] is not None or depth > _DEPTH:
            return ["private", target.name]
        value = definition["p"]["value"]
        if value is None or (isinstance(value, list) and value[0] in {"call", "expr"}):
            return ["private", target.name]
        written = self._rewrite(target.space, value, depth + 1)
        # Aliases of aliases double at every level: the text is bounded, not only the depth.
        return ["private", target.name] if len(canonical(written)) > _SIZE else written

    def _rewrite(self, space: str, value: Value, depth: int = 0) -> Value:  # noqa: PLR0911 (one line a tag)
        if isinstance(value, dict):
            return {key: self._rewrite(space, item, depth) for key, item in value.items()}
        if not isinstance(value, list) or not value:
            return value
        tag = value[0]
        if not isinstance(tag, str):
            return [self._rewrite(space, item, depth) for item in value]
        if tag == "name" and len(value) == 2 and isinstance(value[1], str):  # noqa: PLR2004 (a tag and a path)
            return self.name(space, value[1], depth) if "." in value[1] else value
        if tag in {"str", "bytes"}:
            return value
        if tag == "union":
            return union([self._rewrite(space, item, depth) for item in value[1]])
        if tag in {"literal", "Set"} and isinstance(value[1], list):
            return [tag, ordered(self._rewrite(space, item, depth) for item in value[1])]
        return [self._rewrite(space, item, depth) for item in value]


def _typing(path: str) -> str:
    prefix = "typing_extensions."
    return "typing." + path[len(prefix) :] if path.startswith(prefix) else path
