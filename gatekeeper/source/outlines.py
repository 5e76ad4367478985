"""What evaluation can have seen of a source, and whether a change of it shows."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection


class Skeleton(NamedTuple):
    """A digest of what can have been seen, and the functions at the top whose existence is all that can.

    ``digest`` leaves the layout, the docstrings, the bodies of functions that did not run, and ``names`` out.
    """

    digest: str = ""
    names: tuple[str, ...] = ()


def differs(before: Skeleton, after: Skeleton, missed: Collection[str]) -> bool:
    """Whether evaluation could see that a source was changed.

    Args:
        before: the source that was evaluated.
        after: what it is now, for the same functions that ran.
        missed: names that were looked for in it in vain; a function that is now there would have been found.
    """
    more = set(after.names).difference(before.names)
    return before.digest != after.digest or not set(before.names) <= set(after.names) or not more.isdisjoint(missed)
