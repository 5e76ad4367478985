"""What conftest.py files, plugins and options do to everything that is found in their reach."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.items import NOT_STATIC, Found
from gatekeeper.source.collection.sessionhooks import REMOVES, REWRITES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gatekeeper.source.collection.conftests import Conftests
    from gatekeeper.source.evaluate.values import Module


class Reach(NamedTuple):
    """For one file: why nothing of it is static, else on what the presence of all of it depends."""

    reason: str = ""
    conditions: tuple[str, ...] = ()

    def applied(self, found: Found) -> Found:
        """``found`` as it is in this reach."""
        if self.reason:
            return found._replace(verdict=NOT_STATIC, ids=(), reason=self.reason)
        if self.conditions:
            return found._replace(conditions=tuple(dict.fromkeys((*found.conditions, *self.conditions))))
        return found


def reach(conftests: Conftests, modules: Sequence[Module], opaque: Sequence[str], conditions: Sequence[str]) -> Reach:
    """The effects of ``modules`` (the conftest chain, the plugins of the tree) and of plugins that cannot be read."""
    depends = list(conditions)
    for name in opaque:
        return Reach(f"plugin {name} cannot be read")
    for module in modules:
        depends.extend(module.conditions)
        for effect in conftests.effects(module):
            if effect.kind == REWRITES:
                return Reach(effect.reason)
            if effect.kind == REMOVES:
                depends.append(effect.reason)
    return Reach(conditions=tuple(depends))
