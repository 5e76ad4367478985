"""Why a property is not what it was: what each difference between two fingerprints means, in plain words."""

from __future__ import annotations

import ast
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.fingerprint import anatomy as parts
from gatekeeper.source.fingerprint import compare, configured
from gatekeeper.source.fingerprint.compare import Seen, new
from gatekeeper.source.fingerprint.locals import FUNCTIONS
from gatekeeper.source.fingerprint.patterns.bodies import body
from gatekeeper.source.fingerprint.patterns.decorators import decorator, marks
from gatekeeper.source.fingerprint.patterns.effects import effect
from gatekeeper.source.fingerprint.patterns.found import NEUTRALISED, REWRITTEN, WEAKENED, Pattern, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gatekeeper.source.fingerprint.anatomy import Anatomy, Entry
    from gatekeeper.source.fingerprint.pages import Leaf

_MOST = 12
_ORDER = {NEUTRALISED: 0, WEAKENED: 1, REWRITTEN: 2}


class Reason(NamedTuple):
    """One reason: the rule it belongs to, plain words, and the place at the head. Whoever shows it escapes it."""

    code: str
    message: str
    path: str
    line: int


def differences(base: Anatomy, head: Anatomy) -> list[Reason]:
    """Every reason why ``head`` is another property than ``base``; empty where the fingerprints agree."""
    one, two = base.parts(), head.parts()
    found: list[Pattern] = []
    for part in parts.PARTS:
        if one[part] != two[part]:
            found.extend(_Part(base, head, part).patterns())
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


class _Part:
    """One part that differs."""

    def __init__(self, base: Anatomy, head: Anatomy, part: str) -> None:
        self.base, self.head, self.part = base, head, part
        before = [entry for entry in base.entries if entry.part == part]
        after = [entry for entry in head.entries if entry.part == part]
        self.before, self.after = _grouped(before), _grouped(after)
        self.gone = [entry for entry in before if entry.digest not in {one.digest for one in self.after.get(entry.key, ())}]
        self.fresh = [entry for entry in after if entry.digest not in {one.digest for one in self.before.get(entry.key, ())}]

    def patterns(self) -> list[Pattern]:
        """The reasons of this part, or the one that it is different."""
        found = list(self._told())
        if found:
            return found
        place = self.fresh[0] if self.fresh else None
        path, line = (place.path, place.line) if place is not None else self.head.place()
        return [Pattern("different", _DIFFERENT[self.part].format(_what(place)), path, line, REWRITTEN)]

    def _told(self) -> Iterator[Pattern]:
        if self.part == parts.BODY:
            yield from self._bodies("its body")
        elif self.part == parts.DECORATORS:
            yield from self._decorators()
        elif self.part == parts.CLASSES:
            yield from self._classes()
        elif self.part == parts.HELPERS:
            yield from self._helpers()
        elif self.part == parts.FIXTURES:
            yield from self._fixtures()
        elif self.part == parts.MODULE:
            yield from self._surroundings("the file")
        elif self.part in (parts.CONFTEST, parts.PLUGINS):
            yield from self._surroundings("a conftest file" if self.part == parts.CONFTEST else "a plugin")
        elif self.part == parts.CONFIG:
            yield from configured.reasons(self.gone, self.fresh)
        elif self.part == parts.PARAMETERS:
            yield from self._parameters()
        elif self.part == parts.SHADOWS:
            for entry in self.fresh:
                yield Pattern("shadow", f"{entry.path} takes the place of a library", entry.path, 1)

    # --- parts

    def _bodies(self, what: str) -> Iterator[Pattern]:
        keys = dict.fromkeys((*self.before, *self.after))
        for key in keys:
            before, after = self.before.get(key, []), self.after.get(key, [])
            if [one.digest for one in before] == [one.digest for one in after]:
                continue
            if len(after) > len(before) or not after:
                yield from self._rebound(before, after, key)
            elif before:
                yield from self._changed(before[-1], after[-1], what)

    def _rebound(self, before: list[Entry], after: list[Entry], key: str) -> Iterator[Pattern]:
        known = Counter(one.digest for one in before)
        for entry in after:
            if known[entry.digest]:
                known[entry.digest] -= 1
            elif _is_setting(entry):
                yield from compare.keywords(None, _value(entry), key)
            else:
                yield Pattern("bound", f"{key} is bound or changed once more, and the last one counts", entry.path, entry.line)
        if not after:
            path, line = self.head.place()
            yield Pattern("unbound", f"nothing binds {key} any more", path, line)

    def _changed(self, before: Entry, after: Entry, what: str) -> Iterator[Pattern]:
        one, two = _seen(before), _seen(after)
        if one is None or two is None:
            return
        if isinstance(one.node, FUNCTIONS) or isinstance(two.node, FUNCTIONS):
            yield from compare.functions(one, two, what)
        elif _is_setting(after):
            yield from compare.keywords(_value(before), _value(after), what)
        elif type(one.node) is not type(two.node) or isinstance(two.node, (ast.Assign, ast.Import, ast.ImportFrom)):
            found = list(compare.values(one, two, what))
            yield from found
            if not found:
                yield two.view.found("bound", f"{what} is something else than it was", two.node)

    def _decorators(self) -> Iterator[Pattern]:
        every = lambda groups: [seen for some in groups.values() for entry in some if (seen := _seen(entry)) is not None]  # noqa: E731
        base, head = every(self.before), every(self.after)
        known = Counter(entry.digest for some in self.before.values() for entry in some)
        other = Counter(entry.digest for some in self.after.values() for entry in some)
        gone = [seen for some in self.before.values() for entry in some if not other[entry.digest] and (seen := _seen(entry))]
        fresh = [seen for some in self.after.values() for entry in some if not known[entry.digest] and (seen := _seen(entry))]
        yield from compare.decorators(base, head, gone, fresh, "the property")

    def _classes(self) -> Iterator[Pattern]:
        names = {entry.key.partition(".")[2] for some in self.before.values() for entry in some}
        for entry in self.fresh:
            seen, name = _seen(entry), entry.key.partition(".")[2]
            old = self.before.get(entry.key, [])
            if seen is None:
                continue
            if not name:
                yield from self._class_head(entry, old)
            elif not old:
                found = list(_member(seen))
                yield from found
                if not found:
                    yield seen.view.found("member", f"{_owner(seen.node, name)} stands in its class now", seen.node)
            else:
                yield from self._member_changed(old[-1], entry, name)
        for entry in self.gone:
            if entry.key not in self.after and entry.key.partition(".")[2] in names:
                path, line = self.head.place()
                yield Pattern("member gone", f"its classes have no {entry.key.partition('.')[2] or 'such base'} any more", path, line, WEAKENED)

    def _class_head(self, entry: Entry, old: list[Entry]) -> Iterator[Pattern]:
        seen = _seen(entry)
        if seen is None or not isinstance(seen.node, ast.ClassDef):
            if seen is not None:
                yield from effect(seen.view, seen.node, "its class")
            return
        before = [seen_ for one in old if (seen_ := _seen(one)) is not None and isinstance(seen_.node, ast.ClassDef)]
        known = [p for one in before if isinstance(one.node, ast.ClassDef) for d in one.node.decorator_list for p in decorator(one.view, d)]
        found = [p._replace(message=f"its class: {p.message}") for p in new(known, [p for d in seen.node.decorator_list for p in decorator(seen.view, d)])]
        yield from found
        if not found:
            yield seen.view.found("class", f"the class {seen.node.name} has other bases, decorators or metaclass", seen.node)

    def _member_changed(self, before: Entry, after: Entry, name: str) -> Iterator[Pattern]:
        one, two = _seen(before), _seen(after)
        if one is None or two is None:
            return
        if isinstance(two.node, FUNCTIONS) and isinstance(one.node, FUNCTIONS):
            yield from compare.functions(one, two, name)
            yield from compare.new(_member(one), _member(two))
        elif isinstance(two.node, (ast.Assign, ast.AnnAssign)) and isinstance(one.node, (ast.Assign, ast.AnnAssign)):
            yield from compare.values(one, two, name)
        else:
            yield two.view.found("member", f"{name} is something else in its class", two.node)

    def _helpers(self) -> Iterator[Pattern]:
        for entry in self.fresh:
            seen, old = _seen(entry), self.before.get(entry.key, [])
            if seen is None:
                continue
            bound = entry.page.bound.get(entry.key, []) if entry.page is not None else []
            if len(bound) > 1 and any(isinstance(leaf.node, (ast.Import, ast.ImportFrom)) for leaf in bound):
                yield seen.view.found("bound", f"{entry.key} is bound again where it was imported", seen.node)
            if old and len(leaves_of(entry)) > len(leaves_of(old[-1])):
                yield from _bound_again(entry, seen)
                continue
            if not old:
                yield from self._new_helper(entry, seen)
                continue
            one = _seen(old[-1])
            if one is None:
                continue
            found = [*self._helper_changed(one, seen, entry)]
            yield from found
            if not found and _is_strategy(entry, old[-1]):
                yield seen.view.found("strategies", f"{entry.key}: what Hypothesis generates is not what it was", seen.node, WEAKENED)

    def _helper_changed(self, one: Seen, two: Seen, entry: Entry) -> Iterator[Pattern]:
        if isinstance(two.node, FUNCTIONS) and isinstance(one.node, FUNCTIONS):
            yield from compare.functions(one, two, entry.key)
        elif isinstance(two.node, ast.ClassDef) and isinstance(one.node, ast.ClassDef):
            yield from _class_changed(one, two, entry.key)
        elif _is_setting(entry):
            yield from compare.keywords(None, _value(entry), entry.key)
        elif type(one.node) is type(two.node):
            yield from compare.values(one, two, entry.key)
        else:
            strategy = _is_strategy(entry, entry)
            yield two.view.found("bound", f"{entry.key} is another definition", two.node, WEAKENED if strategy else NEUTRALISED)

    def _new_helper(self, entry: Entry, seen: Seen) -> Iterator[Pattern]:
        """A definition that is used now: what it does that takes judgement away, if it judges or replaces."""
        if isinstance(seen.node, FUNCTIONS):
            calm = ("no assertion", "argument")
            yield from (one._replace(message=f"{entry.key}: {one.message}") for one in body(seen.view, seen.node) if one.kind not in calm)
        if _is_strategy(entry, entry):
            yield seen.view.found("strategies", f"{entry.key} generates what it did not before", seen.node, WEAKENED)

    def _fixtures(self) -> Iterator[Pattern]:
        for entry in self.fresh:
            seen, old = _seen(entry), self.before.get(entry.key, [])
            if seen is None:
                continue
            elsewhere = [one for one in old if one.path == entry.path]
            if len(self.after[entry.key]) > len(old):
                yield seen.view.found("fixture", f"the fixture {entry.key} comes in, or hides another of that name", seen.node)
            elif elsewhere and (one := _seen(elsewhere[-1])) is not None:
                yield from _fixture_changed(one, seen, entry.key)
            else:
                yield seen.view.found("fixture", f"the fixture {entry.key} is another one", seen.node)
        for entry in self.gone:
            if entry.key not in self.after:
                path, line = self.head.place()
                yield Pattern("fixture gone", f"the fixture {entry.key} is gone", path, line, WEAKENED)

    def _surroundings(self, where: str) -> Iterator[Pattern]:
        known = Counter(entry.digest for some in self.before.values() for entry in some)
        for entry in (entry for some in self.after.values() for entry in some):
            if known[entry.digest] and entry.digest:
                known[entry.digest] -= 1
                continue
            seen, name = _seen(entry), entry.key.rpartition(":")[2]
            file = f"{where} {entry.path}"
            if seen is None:
                yield Pattern("file", f"{file} is not what it was", entry.path, entry.line, REWRITTEN)
            elif name.isdigit():
                yield from effect(seen.view, seen.node, file)
            elif entry.key == "pytestmark":
                yield from self._pytestmark(entry, seen)
            else:
                yield from self._hook(entry, seen, name, file)

    def _pytestmark(self, entry: Entry, seen: Seen) -> Iterator[Pattern]:
        found = []
        if isinstance(seen.node, (ast.Assign, ast.AnnAssign)) and seen.node.value is not None:
            after = [p for view, node in marks(seen.view, seen.node.value) for p in decorator(view, node)]
            before: list[Pattern] = []
            for old in self.before.get(entry.key, ()):
                one = _seen(old)
                if one is not None and isinstance(one.node, (ast.Assign, ast.AnnAssign)) and one.node.value is not None:
                    before += [p for view, node in marks(one.view, one.node.value) for p in decorator(view, node)]
            found = [p._replace(message=f"its module: {p.message}") for p in new(before, after)]
        elif isinstance(seen.node, (ast.Import, ast.ImportFrom)):
            found = [seen.view.found("mark", "its module: pytestmark is imported", seen.node)]
        yield from found

    def _hook(self, entry: Entry, seen: Seen, name: str, file: str) -> Iterator[Pattern]:
        old = self.before.get(entry.key, [])
        if not old or len(self.after[entry.key]) > len(old):
            yield seen.view.found(f"hook {name}", f"{file} has {name} now, which decides what pytest does", seen.node)
            if isinstance(seen.node, FUNCTIONS):
                yield from (p for p in body(seen.view, seen.node) if p.code == WEAKENED)
            return
        one = _seen(old[-1])
        if one is not None and isinstance(one.node, FUNCTIONS) and isinstance(seen.node, FUNCTIONS):
            calm = ("empty", "no assertion", "generator", "argument")
            found = [p for p in new(body(one.view, one.node), body(seen.view, seen.node)) if p.kind not in calm]
            yield from (p._replace(message=f"{name} in {file}: {p.message}") for p in found)
            if not found:
                yield seen.view.found("hook", f"{name} in {file} is not what it was", seen.node)
        else:
            yield seen.view.found("hook", f"{name} in {file} is something else", seen.node)

    def _parameters(self) -> Iterator[Pattern]:
        lost = [key for key in self.before if key not in self.after]
        path, line = self.head.place()
        if lost and all("NOTSET" in key for key in self.after):
            yield Pattern("no parameters", "it has no parameters any more, so it never runs", path, line)
        elif lost:
            shown = ", ".join(lost[:3]) + (" and more" if len(lost) > 3 else "")  # noqa: PLR2004
            yield Pattern("parameters", f"{len(lost)} of {len(self.before)} parameters are gone: {shown}", path, line, WEAKENED)


def _fixture_changed(one: Seen, two: Seen, name: str) -> Iterator[Pattern]:
    if not isinstance(one.node, FUNCTIONS) or not isinstance(two.node, FUNCTIONS):
        yield two.view.found("fixture", f"the fixture {name} is another definition", two.node)
        return
    calm = ("empty", "no assertion", "generator")
    found = [p for p in new(body(one.view, one.node), body(two.view, two.node)) if p.kind not in calm]
    yield from (p._replace(message=f"the fixture {name}: {p.message}") for p in found)
    if not found:
        yield from compare.lists(one, two, f"the fixture {name}")
    before, after = _fixture_keywords(one.node), _fixture_keywords(two.node)
    if "params" in before or "params" in after:
        yield from _params(one, two, before.get("params"), after.get("params"), name)


def _params(one: Seen, two: Seen, before: ast.expr | None, after: ast.expr | None, name: str) -> Iterator[Pattern]:
    if before is None or after is None:
        yield two.view.found("params", f"the fixture {name} has parameters of another kind", two.node, WEAKENED)
        return
    make = lambda node: ast.Assign([ast.Name("params", ast.Store())], node, lineno=two.node.lineno)  # type: ignore[attr-defined]  # noqa: E731
    if isinstance(after, (ast.List, ast.Tuple)) and not after.elts:
        yield two.view.found("no parameters", f"the fixture {name} has no parameters, so nothing runs", two.node)
    yield from compare.values(Seen(one.view, make(before)), Seen(two.view, make(after)), f"the fixture {name}")


def _fixture_keywords(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr]:
    return {
        keyword.arg or "**": keyword.value
        for one in node.decorator_list
        if isinstance(one, ast.Call)
        for keyword in one.keywords
    }


def _class_changed(one: Seen, two: Seen, name: str) -> Iterator[Pattern]:
    """A class that is used whole, such as a state machine: its members, one by one."""
    if not isinstance(one.node, ast.ClassDef) or not isinstance(two.node, ast.ClassDef):
        return
    before = {node.name: node for node in one.node.body if isinstance(node, FUNCTIONS)}
    after = {node.name: node for node in two.node.body if isinstance(node, FUNCTIONS)}
    for key, node in after.items():
        old = before.get(key)
        if old is not None:
            for pattern in compare.functions(Seen(one.view, old), Seen(two.view, node), f"{name}.{key}"):
                # The other rules and invariants of the class still judge.
                calm = pattern.kind in ("empty", "no assertion")
                yield pattern._replace(code=WEAKENED) if calm else pattern
            rules = ([one.view.name(d) for d in old.decorator_list], [two.view.name(d) for d in node.decorator_list])
            if rules[0] != rules[1] or _hashes(old) != _hashes(node):
                yield two.view.found("rule", f"{name}.{key} is another rule than it was", node, WEAKENED)
    for key in before.keys() - after.keys():
        yield two.view.found("rule gone", f"{name} has no {key} any more", two.node, WEAKENED)


def _hashes(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    from gatekeeper.source.facts.structure import structure_hash

    return [structure_hash([one]) for one in node.decorator_list]


def _member(seen: Seen) -> Iterator[Pattern]:
    """What a member of a test class does to the tests in it."""
    node = seen.node
    if isinstance(node, FUNCTIONS):
        calm = ("empty", "no assertion", "generator", "argument")
        name = node.name
        yield from (one._replace(message=f"{name}: {one.message}") for one in body(seen.view, node) if one.kind not in calm)
        for one in node.decorator_list:
            if "fixture" not in seen.view.name(one):
                yield from decorator(seen.view, one)
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        yield from (p for view, said in marks(seen.view, node.value) for p in decorator(view, said) if p.kind.startswith("mark"))


def leaves_of(entry: Entry) -> list[Leaf]:
    """Everything that binds or changes what an entry names."""
    return entry.library.leaves(entry.page, entry.key) if entry.library is not None and entry.page is not None else []


def _bound_again(entry: Entry, seen: Seen) -> Iterator[Pattern]:
    """A definition that is changed after it was made, or made again."""
    node = seen.node
    if _is_setting(entry):
        yield from compare.keywords(None, _value(entry), entry.key)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        tail = node.value.func.attr
        weak = tail in ("pop", "remove", "discard", "popitem", "__delitem__")
        yield seen.view.found("taken", f"{entry.key} is changed afterwards: .{tail}()", node, WEAKENED if weak else NEUTRALISED)
    elif _is_strategy(entry) or (isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)):
        yield seen.view.found("values", f"{entry.key} is made again, of less", node, WEAKENED)
    else:
        yield seen.view.found("bound", f"{entry.key} is bound once more, and the last one counts", node)


def _is_setting(entry: Entry) -> bool:
    """``Machine.TestCase.settings = settings(...)``."""
    node = entry.leaf.node if entry.leaf is not None else None
    if not isinstance(node, ast.Assign) or entry.page is None or not isinstance(node.value, ast.Call):
        return False
    return bool(entry.page) and isinstance(node.targets[0], ast.Attribute) and node.targets[0].attr == "settings"


def _value(entry: Entry) -> Seen:
    seen = _seen(entry)
    if seen is None or not isinstance(seen.node, ast.Assign):
        raise TypeError("no assignment")
    return Seen(seen.view, seen.node.value)


def _is_strategy(*entries: Entry) -> bool:
    """Whether a definition makes strategies, or stands in a source that does."""
    for entry in entries:
        if entry.page is None:
            continue
        for leaf in entry.page.imports:
            names = [getattr(leaf.node, "module", "") or "", *(alias.name for alias in getattr(leaf.node, "names", ()))]
            if "hypothesis.strategies" in names or (names[0] == "hypothesis" and "strategies" in names):
                return True
    return False


def _seen(entry: Entry) -> Seen | None:
    if entry.leaf is None or entry.page is None or entry.library is None:
        return None
    return Seen(View(entry.library, entry.page), entry.leaf.node)


def _grouped(entries: list[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.key, []).append(entry)
    return found


def _owner(node: ast.AST, name: str) -> str:
    return f"{name}()" if isinstance(node, FUNCTIONS) else name


def _what(entry: Entry | None) -> str:
    return entry.key if entry is not None else ""


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
