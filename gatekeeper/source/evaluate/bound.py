"""A method of a real value, taken but not called."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from gatekeeper.source.evaluate.values import Value


class Bound:
    """``owner.name``, to be called."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner = owner
        self.name = name
