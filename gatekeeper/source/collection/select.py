"""Which of what is found the options ``-k``, ``-m`` and ``--deselect`` leave."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING, NamedTuple
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.expressions import parse
from gatekeeper.source.collection.items import EXACT, NOT_STATIC
from gatekeeper.source.evaluate.values import Unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gatekeeper.source.collection.config import Config
    from gatekeeper.source.collection.expressions import Matcher
    from gatekeeper.source.collection.items import Found
    from gatekeeper.source.evaluate.values import Mark

ABSENT = object()


class Labels(NamedTuple):
    """What an item goes by: ``names`` of the nodes above it (its file, its classes), attributes of its function, marks.

    ``unknown`` says that more marks or attributes may be on it than are known.
    """

    names: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    unknown: bool = False


class Selected(NamedTuple):
    """What is left of one function, None where nothing is, and how many of its items are deselected."""

    found: Found | None
    deselected: int = 0


class Selection:
    """The options of one invocation; making it raises ``Refused`` for malformed ones."""

    def __init__(self, config: Config) -> None:
        keywords = (config.options.last("-k") or "").lstrip()
        marks = config.options.last("-m") or ""
        self._keywords = parse(keywords, config.version) if keywords else None
        self._marks = parse(marks, config.version) if marks else None
        if self._keywords is not None and self._keywords.asks_arguments:
            raise Refused(f"-k {keywords!r}: keyword expressions do not support call parameters")
        self._prefixes = tuple(config.options.all("--deselect"))
        self.needs_labels = self._keywords is not None or self._marks is not None
        self.texts = tuple(
            f"{name} {text!r}" for name, text in (("-k", keywords), ("-m", marks), *self._deselections()) if text
        )

    def _deselections(self) -> list[tuple[str, str]]:
        return [("--deselect", prefix) for prefix in self._prefixes]

    @property
    def active(self) -> bool:
        """Whether any of the options is given."""
        return self.needs_labels or bool(self._prefixes)

    def leave(self, found: Found, labels: Sequence[Labels]) -> Selected:
        """What is left of ``found``: ``labels`` are those of each of its ids, one where they share them."""
        if found.verdict != EXACT:
            return self._whole(found, labels[0])
        if len(labels) == 1 and self._keywords is None and not self._prefixes:
            # only marks decide, and every item has the same
            answer = self._one("", "", labels[0])
            if answer is False:
                return Selected(None, len(found.ids))
            return Selected(found if answer else self._conditional(found))
        left, deselected, unsure = [], 0, False
        name = found.node.rpartition("::")[2]
        for index, text in enumerate(found.ids):
            answer = self._one(found.node + text, name + text, labels[index if index < len(labels) else 0])
            if answer is False:
                deselected += 1
            else:
                left.append(text)
                unsure = unsure or answer is None
        if not left:
            return Selected(None, deselected)
        found = found._replace(ids=tuple(left))
        return Selected(self._conditional(found) if unsure else found, deselected)

    def _whole(self, found: Found, labels: Labels) -> Selected:
        """A function whose ids are not known: the options may take some of them."""
        answer = self._one(found.node, found.node.rpartition("::")[2], labels._replace(unknown=True))
        if answer is False and found.verdict != NOT_STATIC:
            return Selected(None, 1)
        partial = any(prefix.startswith(found.node) for prefix in self._prefixes)
        return Selected(found if answer is True and not partial else self._conditional(found))

    def _conditional(self, found: Found) -> Found:
        return found._replace(conditions=(*found.conditions, "selected by " + ", ".join(self.texts)))

    def _one(self, nodeid: str, name: str, labels: Labels) -> bool | None:
        """Whether one item stays, None where that is not known."""
        if self._prefixes and nodeid.startswith(self._prefixes):
            return False
        answers = []
        if self._keywords is not None:
            answers.append(self._keywords.evaluate(keyword_matcher((*labels.names, name), labels)))
        if self._marks is not None:
            answers.append(self._marks.evaluate(mark_matcher(labels)))
        if False in answers:
            return False
        return None if None in answers else True


def keyword_matcher(names: Sequence[str], labels: Labels) -> Matcher:
    """``-k``: part of a name, whatever the case; names of marks count."""
    known = [name.lower() for name in (*names, *(mark.name for mark in labels.marks))]

    def matches(name: str, arguments: Mapping[str, object]) -> bool | None:
        if arguments:
            return None
        if any(name.lower() in whole for whole in known):
            return True
        return None if labels.unknown else False

    return matches


def mark_matcher(labels: Labels) -> Matcher:
    """``-m``: the whole name of a mark, with the arguments that the expression asks for."""

    def matches(name: str, arguments: Mapping[str, object]) -> bool | None:
        answer: bool | None = None if labels.unknown else False
        for mark in labels.marks:
            if mark.name != name:
                continue
            values = [(mark.kwargs.get(key, ABSENT), wanted) for key, wanted in arguments.items()]
            if any(isinstance(value, Unknown) for value, _ in values):
                answer = None
            elif all(value == wanted for value, wanted in values):
                return True
        return answer

    return matches
