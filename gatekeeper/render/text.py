"""The scorecard as text: at most 20 lines of 72 columns for a push, plain ASCII, fit for a ``remote:`` prefix."""

from __future__ import annotations

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.render.escape import escape
from gatekeeper.verdict import HELD, NOT_JUDGED, REFUSED, family

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gatekeeper.model import Actor, Finding
    from gatekeeper.verdict import Scorecard, Verdict

WIDTH, HEIGHT = 72, 20
_INDENT = "      "
_NOT_REACHED = "no verdict"
_DIGITS = 8
_SHOWN_DIGESTS = 2
"""Refs of a passing push whose digests are shown: a third one would not fit the height."""
_EDGE = 12
_LEAST = 2
"""Lines of a ref's findings: one finding, and that there are more."""
_ROOM = _LEAST + 1
"""Lines below a ref's headline and budgets: its findings, and what to do about them."""


def render_text(card: Scorecard, *, height: int = HEIGHT) -> str:
    """The whole scorecard, ending with a newline.

    Args:
        card: the judged push.
        height: how many lines it may take; a longer list of findings is cut and says so, never the verdict or its
        reason.
    """
    notable = [verdict for verdict in card.verdicts if verdict.findings]
    if not notable:
        return "".join(f"{line}\n" for line in _held(card, height))
    refused = [verdict for verdict in notable if verdict.exit] or notable
    heads = [[*_headline(card, verdict, height), *_budgets(verdict)] for verdict in refused[: height // _ROOM]]
    count = len(heads)
    while True:
        tail = [*_left_out(card, refused, refused[:count]), *_closing(card)]
        if count == 1 or sum(len(head) + _ROOM for head in heads[:count]) + len(tail) <= height:
            break
        count -= 1
    lines: list[str] = []
    spare = height - len(tail) - sum(len(head) + _ROOM for head in heads[:count])
    for number, verdict in enumerate(refused[:count]):
        rest = _rest(verdict, _ROOM + spare // (count - number))
        spare -= len(rest) - _ROOM
        lines += [*heads[number], *rest]
    return "".join(f"{line}\n" for line in (*lines, *tail))


def _held(card: Scorecard, height: int) -> Iterator[str]:
    shown = card.verdicts[:3]
    for verdict in shown:
        yield from _headline(card, verdict, height)
        held = ", ".join(name for name, state in verdict.budgets.items() if state == HELD and name != "refs")
        if held:
            yield from wrap(f"  {held} held; not judged yet: {_unjudged(verdict)}", "    ")
        if len(shown) <= _SHOWN_DIGESTS:
            yield from _details(verdict)
    if len(card.verdicts) > len(shown):
        yield f"  and {plural(len(card.verdicts) - len(shown), 'more ref')}, all held"


def _details(verdict: Verdict) -> Iterator[str]:
    """What is said of a budget that is held beside its name."""
    if verdict.digest is not None and verdict.budgets.get("contract") == HELD:
        yield _line(verdict, "contract")
    if verdict.suite is not None and verdict.suite.credit and verdict.budgets.get("properties") == HELD:
        yield _line(verdict, "properties")


def _headline(card: Scorecard, verdict: Verdict, height: int) -> list[str]:
    ref = escape(verdict.update.ref) or "check"
    return _capped([*wrap(f"gatekeeper: {verdict.lane} lane ({actor_text(card.actor)}) -> {ref}")], height // 6)


def _capped(lines: list[str], most: int) -> list[str]:
    """At most so many lines; three dots stand for the rest, since a pushed name may be as long as git allows."""
    if len(lines) <= most and len(lines[-1]) <= WIDTH:
        return lines
    return [*lines[: most - 1], f"{lines[most - 1][: WIDTH - 3]}..."]


def actor_text(actor: Actor) -> str:
    """Who the transport says is pushing, and which transport."""
    return f"{actor.source}: {'nobody' if actor.name is None else escape(actor.name)}"


def _unjudged(verdict: Verdict) -> str:
    return (
        ", ".join(
            name for name, state in verdict.budgets.items() if state not in (HELD, REFUSED) and name != "write-block"
        )
        or "none"
    )


def _rest(verdict: Verdict, space: int) -> list[str]:
    """One ref's findings and what mends them in ``space`` lines: as many findings as leave room for the mend."""
    # escaping a name in a command would make it name something else
    mend = list(_mend(verdict.mend)) if all(map(_plain, verdict.mend)) else []
    findings = [_finding(finding) for finding in _ordered(verdict.findings)]
    if len(mend) > space - max(_LEAST, min(len(findings), space // 4)):
        mend = []
    fixes = [] if mend else list(_fixes(verdict.findings))
    fixes = fixes[: max(0, space - _LEAST)]
    return [*_cut(findings, space - len(mend) - len(fixes), verdict.truncated), *mend, *fixes]


def _plain(command: str) -> bool:
    return command.isascii() and command.isprintable()


def _ordered(findings: Sequence[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: finding.severity != "error")


def _cut(findings: list[str], space: int, truncated: int) -> Iterator[str]:
    """As many findings as fit into at least two lines, the first one in any case, and how many there are besides."""
    total = len(findings) + truncated
    whole = [list(wrap(finding, _INDENT)) for finding in findings[:space]]
    if total == 1 or (total == len(whole) and sum(map(len, whole)) <= space):
        yield from _capped([line for lines in whole for line in lines], space)
        return
    left = space - 1
    # a long path leaves no more than the code on the first of several lines
    whole[0] = _capped([findings[0]] if left == 1 else whole[0], left)
    for number, lines in enumerate(whole):
        if len(lines) > left:
            yield f"{_INDENT}and {total - number} more"
            return
        yield from lines
        left -= len(lines)
    yield f"{_INDENT}and {total - len(whole)} more"


def _budgets(verdict: Verdict) -> Iterator[str]:
    counts: dict[str, int] = {}
    for finding in verdict.findings:
        if finding.severity == "error":
            counts[family(finding.code)] = counts.get(family(finding.code), 0) + 1
    if "gate" in counts:
        yield f"  {'gate':<12} {'REFUSED':<8} {plural(counts['gate'], 'finding')}"
    for name, state in verdict.budgets.items():
        if state == REFUSED:
            yield f"  {name:<12} {'REFUSED':<8} {plural(counts.get(name, 0), 'finding')}{_missing(verdict, name)}"
        elif state == HELD and name != "refs":
            yield _line(verdict, name)
    rest = [name for name, state in verdict.budgets.items() if state not in (HELD, REFUSED)]
    if rest:
        yield from wrap(f"  {NOT_JUDGED:<12} {', '.join(rest)}", " " * 15)


def _line(verdict: Verdict, name: str) -> str:
    """The line of a budget that is held; the contract's says which API was judged, the properties' how many."""
    if name == "properties" and verdict.suite is not None:
        suite = verdict.suite
        credit = f", {len(suite.credit)} added" if suite.credit else ""
        return f"  {name:<12} held     {suite.collected} of {suite.required} collected{credit}"
    if name == "contract" and verdict.digest is not None:
        return f"  {name:<12} held     digest {verdict.digest[:_DIGITS]}"
    return f"  {name:<12} held"


def _missing(verdict: Verdict, name: str) -> str:
    """How many properties are gone, where that is what is refused."""
    if name != "properties" or verdict.suite is None or not verdict.suite.missing:
        return ""
    return f", {len(verdict.suite.missing)} of {verdict.suite.required} missing"


def plural(count: int, word: str) -> str:
    """``1 finding``, ``2 findings``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _finding(finding: Finding) -> str:
    mark = "" if finding.severity == "error" else "warning: "
    place = "" if finding.path is None else f" {_middle_out(escape(finding.path))}"
    if finding.path is None and finding.commit is not None:
        place = f" {finding.commit.hex()[:12]}"
    return f"{mark}{finding.code}{place}  {escape(finding.message)}"


def _middle_out(text: str) -> str:
    """A long name by its start and its end, so that the message after it stays in sight; the JSON has all of it."""
    half = WIDTH - _EDGE
    return text if len(text) <= 2 * WIDTH else f"{text[:half]}...{text[-half:]}"


def _fixes(findings: Iterable[Finding]) -> Iterator[str]:
    from gatekeeper.contracts.allow import PLACEHOLDER  # a push that is held has no use for it

    fixes = dict.fromkeys(finding.fix for finding in findings if finding.fix and finding.severity == "error")
    for fix in list(fixes)[:3]:
        head, colon, row = escape(fix).rpartition(": ")
        if row.endswith(PLACEHOLDER):
            yield from wrap(f"fix: {head}{colon.rstrip()}", "     ")
            yield from _row(row)
        else:
            yield from wrap(f"fix: {escape(fix)}", "     ")


def _row(row: str) -> Iterator[str]:
    """A row of the allow file at the very left; one that is too wide goes on after a backslash, as the file may."""
    line = ""
    for word in row.split(" "):
        if line and len(line) + 1 + len(word) > WIDTH - 2:
            yield f"{line} \\"
            line = word
        else:
            line = f"{line} {word}" if line else word
        while len(line) > WIDTH:
            yield f"{line[: WIDTH - 1]}\\"
            line = line[WIDTH - 1 :]
    yield line


def _mend(commands: Sequence[str]) -> Iterator[str]:
    """Commands, continued with a backslash where they are too wide: copied from the screen, they still run."""
    line, fresh = "mend: ", True
    words = (word for command in commands for word in ("&&", *_words(command)))
    next(words, None)  # no command before the first
    for word in words:
        if not fresh and len(line) + 1 + len(word) > WIDTH - 2:
            yield f"{line} \\"
            line, fresh = _INDENT, True
        line, fresh = line + word if fresh else f"{line} {word}", False
        while len(line) > WIDTH - 2:
            broken, line = _break(line)
            yield broken
    if not fresh:
        yield line


def _words(script: str) -> Iterator[str]:
    """The words of a shell script that quotes with single quotes only, as they are written."""
    word, state = "", _PLAIN
    for char in script:
        if char == " " and state == _PLAIN:
            yield word
            word = ""
        else:
            word, state = word + char, _after(state, char)
    yield word


_PLAIN, _QUOTED, _ESCAPED = range(3)
"""What a shell is in the middle of: nothing, single quotes, or the character after a backslash."""


def _after(state: int, char: str) -> int:
    if state == _QUOTED:
        return _PLAIN if char == "'" else _QUOTED
    if state == _ESCAPED:
        return _PLAIN
    return {"'": _QUOTED, "\\": _ESCAPED}.get(char, _PLAIN)


def _break(line: str) -> tuple[str, str]:
    """Break a line inside its last word; what is left must start at the very left to be the same word to a shell."""
    at, state = WIDTH - 2, _PLAIN
    for char in line[:at]:
        state = _after(state, char)
    if state == _ESCAPED:
        at -= 1
    quote = "'" if state == _QUOTED else ""
    return f"{line[:at]}{quote}\\", f"{quote}{line[at:]}"


def _left_out(card: Scorecard, refused: Sequence[Verdict], shown: Sequence[Verdict]) -> Iterator[str]:
    if len(refused) > len(shown):
        yield f"  and {plural(len(refused) - len(shown), 'more ref')} refused"
    fine = len(card.verdicts) - len([verdict for verdict in card.verdicts if verdict.exit])
    if fine and any(verdict.exit for verdict in card.verdicts):
        yield f"  {plural(fine, 'ref')} of this push would pass without the others"


def _closing(card: Scorecard) -> Iterator[str]:
    errors = [finding for verdict in card.verdicts for finding in verdict.findings if finding.severity == "error"]
    if not errors:
        yield "held, with warnings"
        return
    names = ", ".join(dict.fromkeys(family(finding.code) for finding in errors))
    word = "refused" if card.mode == "enforce" else "observe only, would be refused"
    if card.judged == 3:  # noqa: PLR2004 (the exit code that means "no verdict")
        names = f"{names} ({_NOT_REACHED})"
    yield from wrap(f"{word}: {names}. More: gatekeeper explain {errors[0].code}", "  ")


def wrap(text: str, indent: str = "  ") -> Iterator[str]:
    """Break text at spaces, and where one word is too long inside it, so that no line is wider than 72 columns."""
    line = ""
    for number, word in enumerate(text.split(" ")):
        piece = word if not number else f" {word}"
        if len(line) + len(piece) <= WIDTH:
            line += piece
            continue
        if line.strip():
            yield line.rstrip()
        line = indent + word
        while len(line) > WIDTH:
            yield line[:WIDTH]
            line = indent + line[WIDTH:]
    if line.strip():
        yield line
