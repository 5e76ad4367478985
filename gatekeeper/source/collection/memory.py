"""What the modules of one session share, so that it is made once: fixtures of conftests, ids of their parameters."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.fixtures import Chain, held_by, provided
from gatekeeper.source.collection.parametrize import Expander

if TYPE_CHECKING:
    from gatekeeper.source.collection.scope import Evaluator, Settings
    from gatekeeper.source.evaluate.values import Module


class Memory:
    """For one evaluator and one set of settings; objects are kept beside what is known of them by identity."""

    def __init__(self, evaluator: Evaluator, settings: Settings) -> None:
        self.expander = Expander(evaluator, settings)
        self._evaluator = evaluator
        self._root = Chain(None, provided(settings))
        self._chains: dict[tuple[int, ...], tuple[tuple[Module, ...], Chain]] = {}

    def chain(self, modules: tuple[Module, ...]) -> Chain:
        """The fixtures of plugins and conftests, the outermost first, above a module."""
        if not modules:
            return self._root
        key = tuple(map(id, modules))
        if key not in self._chains:
            above = self.chain(modules[:-1])
            self._chains[key] = (modules, Chain(above, held_by(modules[-1], self._evaluator)))
        return self._chains[key][1]
