"""What a session's tree holds by its listings alone: no file is read and no conftest.py asked."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.modulenames import module_name, named
from gatekeeper.source.collection.sessionhooks import ITEMS
from gatekeeper.source.collection.walk import TEXT, Ignored, Walk

if TYPE_CHECKING:
    from gatekeeper.source.collection.arguments import Argument
    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.items import Trouble
    from gatekeeper.source.collection.tree import Tree


class Nobody:
    """No conftest.py at all."""

    def ignored(self, directory: str) -> Ignored:
        """Nothing is ignored."""
        del directory
        return Ignored()

    def hook(self, path: str) -> str | bool | None:
        """No hook answers."""
        del path
        return None

    def error(self, directory: str) -> Trouble | None:
        """Nothing fails."""
        del directory
        return None


class Outline:
    """One walk of all arguments: who claims a module's name, where conftest.py files are."""

    def __init__(self, tree: Tree, config: Config, arguments: list[Argument]) -> None:
        self._tree = tree
        self._config = config
        self._claims: dict[str, list[str]] = {}
        walk = Walk(tree, config, arguments, Nobody())
        seen: set[tuple[str, str]] = set()
        for spot in walk.spots():
            if spot.kind != TEXT:
                key, root = self._key(spot.path)
                if (key, root) not in seen:
                    seen.add((key, root))
                    self._claims.setdefault(key, []).append(spot.path)
        self._directories = walk.directories

    @property
    def directories(self) -> list[str]:
        """Every directory that is walked, once."""
        return list(dict.fromkeys(self._directories))

    def _key(self, path: str) -> tuple[str, str]:
        """What two files must share to be in each other's way, and what makes them two."""
        config = self._config
        if config.import_mode == "importlib":
            return module_name(self._tree, path, config.import_mode, config.rootdir, config.version), path
        found = named(self._tree, path)
        return (found.name.partition(".")[0] if found.packaged else found.name), found.root

    def before(self, path: str) -> list[str]:
        """The files that may claim the name of ``path``, or of its package, before it does."""
        key, root = self._key(path)
        found: list[str] = []
        for other in self._claims.get(key, ()):
            if other == path or self._key(other)[1] == root:
                break
            found.append(other)
        return found

    def deciding(self) -> list[str]:
        """The directories whose conftest.py says something about all items of a session."""
        names = tuple(name.encode() for name in ITEMS)
        found = []
        for directory in dict.fromkeys(self._directories):
            source = self._tree.read(f"{directory}/conftest.py" if directory else "conftest.py")
            if source is not None and any(name in source for name in names):
                found.append(directory)
        return found
