"""Building large data without the collector of cycles, which would walk all of it again and again as it grows."""

from __future__ import annotations

import gc

from gatekeeper._tuples import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class Uncollected:
    """A context in which nothing is searched for cycles; for facts, rows and texts, which hold none.

    References are counted all the same: what is dropped inside is freed. Afterwards the collector is as it was.
    """

    __slots__ = ("_enabled",)

    def __enter__(self) -> None:
        self._enabled = gc.isenabled()
        gc.disable()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._enabled:
            # What was built is old at once: else the next small collection would walk all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
