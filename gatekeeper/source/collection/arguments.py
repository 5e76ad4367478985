"""What pytest is told to collect: paths, and which nodes of a file."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.paths import beside, resolve
from gatekeeper.source.collection.patterns import matches, text_patterns
from gatekeeper.source.collection.tree import OUTSIDE
from gatekeeper.source.files import FILE

if TYPE_CHECKING:
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.tree import Tree

NORMALISED = (9, 0)
"""Since then an argument inside another one is dropped, unless duplicates are to be kept."""
LOST = (8, 0)
"""From then until that version it is the outer argument that is lost."""


class Argument(NamedTuple):
    """A path of the tree, the names of the node in it, and the parameters (``[a-1]``), None for all."""

    path: str
    names: tuple[str, ...] = ()
    parameters: str | None = None

    def matches(self, names: tuple[str, ...], parameters: str) -> bool:
        """Whether the item of these names and parameters is this one or inside it."""
        if names[: len(self.names)] != self.names:
            return False
        if self.parameters is None:
            return True
        return len(names) == len(self.names) and parameters == self.parameters

    def holds(self, other: Argument) -> bool:
        """Whether everything that ``other`` means is meant by this one."""
        if self.path != other.path:
            return not self.names and beside(other.path, self.path) is not None
        if other.names[: len(self.names)] != self.names:
            return False
        return self.parameters is None or self.parameters == other.parameters


def arguments(tree: Tree, config: Config) -> list[Argument]:
    """The arguments in order; raises :class:`Refused` for what is not there."""
    if config.options.has("--pyargs"):
        raise Refused("--pyargs: the arguments are names of installed modules")
    found = [_argument(tree, config, word) for word in config.args]
    if config.version < LOST or config.options.has("--keepduplicates", "--keep-duplicates"):
        return found
    return _normalised(found) if config.version >= NORMALISED else _without_lost(tree, found)


def _argument(tree: Tree, config: Config, word: str) -> Argument:
    base, bracket, rest = word.partition("[")
    text, *names = base.split("::")
    if bracket and not names:
        # Before 9.0 the bracket was dropped here, and a path that holds one could not be named.
        raise Refused(f"path cannot contain [] parametrization: {word}")
    path = resolve(config.invocation.cwd, text)
    kind = tree.kind(path)
    if kind is None:
        raise Refused(f"file or directory not found: {word}")
    if kind == OUTSIDE:
        raise Refused(f"{word} leads out of the tree")
    if kind == FILE and not path.endswith((".py", ".txt", ".rst")) and not matches(path, text_patterns(config)):
        raise Refused(f"found no collectors for {word}")
    if names and tree.is_directory(path):
        raise Refused(f"directory argument cannot contain :: selection parts: {word}")
    return Argument(path, tuple(names), f"[{rest}" if bracket else None)


def _normalised(found: list[Argument]) -> list[Argument]:
    """Without duplicates and what another argument holds, in the order given."""
    order = sorted(range(len(found)), key=lambda index: (_parts(found[index].path), *_rest(found[index])))
    kept: list[int] = []
    for index in order:
        if not kept or not found[kept[-1]].holds(found[index]):
            kept.append(index)
    return [found[index] for index in sorted(kept)]


def _without_lost(tree: Tree, found: list[Argument]) -> list[Argument]:
    """Without what 8.x loses: a node that another argument lies in counts as collected already."""
    kept = []
    for index, argument in enumerate(found):
        # A file of its own is looked at afresh: only what is named in it later finds it looked at.
        others = found if argument.names or tree.is_directory(argument.path) else found[index + 1 :]
        if not any(argument.holds(other) and not other.holds(argument) for other in others):
            kept.append(argument)
    return kept


def _parts(path: str) -> list[str]:
    return path.split("/") if path else []


def _rest(argument: Argument) -> tuple[tuple[str, ...], str]:
    return argument.names, argument.parameters or ""
