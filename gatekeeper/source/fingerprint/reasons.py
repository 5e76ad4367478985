"""Why a property is not what it was: what each difference between two fingerprints means, in plain words."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint import anatomy as parts
from gatekeeper.source.fingerprint import configured
from gatekeeper.source.fingerprint.differing import around, classes, fixtures, helpers, own
from gatekeeper.source.fingerprint.differing.sides import Part
from gatekeeper.source.fingerprint.patterns.found import NEUTRALISED, REWRITTEN, WEAKENED, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.fingerprint.anatomy import Anatomy
    from gatekeeper.source.fingerprint.closure import Prints

_MOST = 12
_ORDER = {NEUTRALISED: 0, WEAKENED: 1, REWRITTEN: 2}


class Reason(NamedTuple):
    """One reason: the rule it belongs to, plain words, and the place at the head. Whoever shows it escapes it."""

    code: str
    message: str
    path: str
    line: int


def reasons(base: Prints, head: Prints, nodeid: str) -> list[Reason]:
    """Why a property of the head is not what it is in the base; empty where it is, or where the base has none."""
    before, after = base.anatomy(nodeid), head.anatomy(nodeid)
    if before is None:
        return []
    if after is not None:
        return differences(before, after)
    left = head.remains(nodeid, before)
    found = [one for one in differences(before, left) if one.code != REWRITTEN] if left is not None else []
    if found:
        return found
    why = head.session.explain(nodeid)
    return [Reason(NEUTRALISED, f"pytest does not collect it any more: {why.reason}", why.path, why.line)]


def differences(base: Anatomy, head: Anatomy) -> list[Reason]:
    """Every reason why ``head`` is another property than ``base``; empty where the fingerprints agree."""
    one, two = base.parts(), head.parts()
    found: list[Pattern] = []
    for part in parts.PARTS:
        if one[part] != two[part]:
            found.extend(_part(base, head, part))
    if not found:
        return []
    lost = sorted(base.products() - head.products())
    if lost and not any(pattern.code == NEUTRALISED for pattern in found):
        place = head.place()
        found.append(Pattern("judged", f"nothing of it uses {', '.join(lost)} any more", place[0], place[1]))
    return kept(found)


def kept(found: Iterable[Pattern]) -> list[Reason]:
    """The reasons that say most: what is only different is left out where something is worse."""
    unique = list(dict.fromkeys(Reason(one.code, one.message, one.path, one.line) for one in found))
    strong = [one for one in unique if one.code != REWRITTEN] or unique
    return sorted(strong, key=lambda one: _ORDER.get(one.code, 3))[:_MOST]


def _part(base: Anatomy, head: Anatomy, name: str) -> list[Pattern]:
    """The reasons of one part, or the one that it is different."""
    part = Part(base, head, name)
    try:
        found = list(_told(part))
    except RecursionError:  # nested too deep to say what: it is different all the same
        found = []
    if found:
        return found
    place = part.fresh[0] if part.fresh else None
    path, line = (place.path, place.line) if place is not None else head.place()
    words = _DIFFERENT[name].format(place.key if place is not None else "")
    return [Pattern("different", words, path, line, REWRITTEN)]


def _told(part: Part) -> Iterator[Pattern]:
    if part.name in _PLACES:
        return around.surroundings(part, _PLACES[part.name])
    if part.name == parts.CONFIG:
        return configured.reasons(part.gone, part.fresh)
    return _TOLD[part.name](part)


def _shadows(part: Part) -> Iterator[Pattern]:
    for entry in part.fresh:
        yield Pattern("shadow", f"{entry.path} takes the place of a library", entry.path, 1)


_TOLD = {
    parts.BODY: own.bodies,
    parts.DECORATORS: own.decorators,
    parts.CLASSES: classes.classes,
    parts.HELPERS: helpers.helpers,
    parts.FIXTURES: fixtures.fixtures,
    parts.PARAMETERS: around.parameters,
    parts.SHADOWS: _shadows,
}
_PLACES = {parts.MODULE: "the file", parts.CONFTEST: "a conftest file", parts.PLUGINS: "a plugin"}
_DIFFERENT = {
    parts.BODY: "its body is written differently",
    parts.DECORATORS: "its decorators are not the same",
    parts.CLASSES: "its class is not the same",
    parts.MODULE: "its module does something else when it is read",
    parts.HELPERS: "what it uses of the tests is not the same: {}",
    parts.FIXTURES: "its fixtures are not the same: {}",
    parts.CONFTEST: "a conftest file on its path is not the same",
    parts.PLUGINS: "a plugin of the tree is not the same",
    parts.CONFIG: "pytest's settings are not the same: {}",
    parts.PARAMETERS: "its parameters are not the same",
    parts.SHADOWS: "files in place of libraries are not the same",
}
