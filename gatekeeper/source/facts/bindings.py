"""What one name of a module or class is bound to: definitions as facts, one for every condition they stand under."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.facts.precheck import Unreadable

if TYPE_CHECKING:
    from gatekeeper.source.rows import Value

    Definition = dict[str, Value]
    Variant = list[Value]  # [guard, definition]

_MOST = 256


class Bindings:
    """Names to variants, with Python's own rule: a later binding under the same condition replaces an earlier one."""

    __slots__ = ("names",)

    def __init__(self) -> None:
        self.names: dict[str, list[Variant]] = {}

    def put(self, name: str, guard: str, definition: Definition) -> None:
        """Bind a name; overloads and accessors join the definition that they belong to."""
        variants = self.names.get(name)
        if variants is None:
            self.names[name] = [[guard, definition]]
            return
        if len(variants) > _MOST:
            raise Unreadable("too-deep")  # 20,000 conditions for one name would be compared with each other
        for variant in variants:
            if variant[0] == guard and _joins(variant[1], definition):
                _join(variant[1], definition)
                return
        self.delete(name, guard)
        self.names.setdefault(name, []).append([guard, definition])

    def remove(self, name: str, guard: str) -> None:
        """``del`` under a condition: what held without one holds under its opposite now."""
        for variant in self.names.get(name, ()) if guard else ():
            if not variant[0]:
                variant[0] = f"not ({guard})"
        self.delete(name, guard)

    def delete(self, name: str, guard: str) -> None:
        """Forget what the name was under this condition, and under narrower ones."""
        variants = self.names.get(name)
        if variants is None:
            return
        narrower = guard + " and "
        kept = [item for item in variants if guard and item[0] != guard and not item[0].startswith(narrower)]
        if kept:
            self.names[name] = kept
        else:
            del self.names[name]


def _joins(earlier: Definition, later: Definition) -> bool:
    if later.get("accessor"):
        return bool(earlier["k"] == "attribute" and earlier["p"]["accessors"])
    return bool(earlier["k"] == later["k"] == "function" and "overload" in earlier["sigs"][-1]["flags"])


def _join(earlier: Definition, later: Definition) -> None:
    earlier["refs"] = sorted({*earlier["refs"], *later["refs"]})
    if later["k"] == "function" and earlier["k"] == "function":
        earlier["sigs"].extend(later["sigs"])
        return
    payload = earlier["p"]
    accessor = later["accessor"]
    if accessor not in payload["accessors"]:
        payload["accessors"] = [word for word in ("get", "set", "del") if word in (*payload["accessors"], accessor)]
    accepted = later["accepts"]
    if accessor == "set" and accepted is not None and accepted != payload["annotation"]:
        payload["accepts"] = accepted
