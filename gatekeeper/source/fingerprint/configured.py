"""What a difference in pytest's settings does to a property."""

from __future__ import annotations

import shlex
from collections import Counter

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.patterns.found import NEUTRALISED, REWRITTEN, WEAKENED, Pattern
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.source.fingerprint.anatomy import Entry

_DECIDING = words(
    "python_files python_classes python_functions testpaths norecursedirs pythonpath usefixtures "
    "empty_parameter_set_mark collect_imported_tests xfail_strict strict_xfail strict norecursedirs "
    "confcutdir consider_namespace_packages import_mode anyio_mode asyncio_mode addopts_extra plugins "
    ""
)
_OTHERS = ("--import-mode", "--rootdir", "--strict", "--doctest", "-W", "--pythonwarnings", "--assert")


def reasons(gone: list[Entry], fresh: list[Entry]) -> Iterator[Pattern]:
    """The settings that are not what they were."""
    before = {entry.key: entry for entry in gone}
    after = {entry.key: entry for entry in fresh}
    path = next((entry.path for entry in fresh), "") or next((entry.path for entry in gone), "")
    for name in sorted(before.keys() | after.keys()):
        old, said = before.get(name), after.get(name)
        one, two = old.digest if old is not None else "", said.digest if said is not None else ""
        if name == "addopts":
            yield from _options(one, two, path)
        elif name == "file":
            words = f"pytest goes by {two} now, not by {one}" if two else f"{one} does not count any more"
            yield Pattern("config", words, path, 1)
        else:
            code = NEUTRALISED if name in _DECIDING else WEAKENED if name == "filterwarnings" else REWRITTEN
            words = f"the setting {name} is gone" if said is None else f"the setting {name} is not what it was"
            yield Pattern(f"setting {name}", words, path, 1, code)


def _options(one: str, two: str, path: str) -> Iterator[Pattern]:
    known = Counter(_split(one))
    added = [word for word in _split(two) if not _took(known, word)]
    for word in added:
        if word.startswith("--hypothesis"):
            yield Pattern("option", f"addopts says {word}: Hypothesis tests less", path, 1, WEAKENED)
        elif word.startswith(_OTHERS):
            yield Pattern("option", f"addopts says {word} now", path, 1, REWRITTEN)
        else:
            yield Pattern("option", f"addopts says {word}, which decides what runs", path, 1)
    for word in (word for word, count in known.items() if count > 0):
        yield Pattern("option", f"addopts does not say {word} any more", path, 1, REWRITTEN)


def _took(known: Counter[str], word: str) -> bool:
    if known[word] > 0:
        known[word] -= 1
        return True
    return False


def _split(addopts: str) -> list[str]:
    try:
        return shlex.split(addopts)
    except ValueError:
        return [addopts]
