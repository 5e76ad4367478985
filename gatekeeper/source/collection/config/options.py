"""The words of pytest's command line, from all three places that give some."""

from __future__ import annotations

from dataclasses import dataclass, field

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.collection.config.errors import Refused
from gatekeeper.source.collection.config.words import words

if TYPE_CHECKING:
    from collections.abc import Callable

VACUOUS = {
    "--collect-only": "collects and runs nothing",
    "--collectonly": "collects and runs nothing",
    "--co": "collects and runs nothing",
    "--setup-only": "sets fixtures up and runs no test",
    "--setuponly": "sets fixtures up and runs no test",
    "--setup-plan": "plans fixtures and runs no test",
    "--setupplan": "plans fixtures and runs no test",
    "--fixtures": "lists fixtures and runs nothing",
    "--funcargs": "lists fixtures and runs nothing",
    "--fixtures-per-test": "lists fixtures and runs nothing",
    "--markers": "lists marks and runs nothing",
    "--help": "prints help and runs nothing",
    "-h": "prints help and runs nothing",
    "--version": "prints the version and runs nothing",
    "-V": "prints the version and runs nothing",
    "--cache-show": "shows the cache and runs nothing",
}
"""Options that make a run say nothing about any test, and why: the exit code is 0 all the same."""

_ONE = words("""
    -k -m -c --config-file -o --override-ini -W --pythonwarnings -p -r --report-chars --tb --maxfail --import-mode
    --ignore --ignore-glob --deselect --confcutdir --rootdir --basetemp --capture --color --code-highlight
    --durations --durations-min --doctest-glob --doctest-report --junitxml --junit-xml --junitprefix --junit-prefix
    --log-level --log-format --log-date-format --log-cli-level --log-cli-format --log-cli-date-format --log-file
    --log-file-mode --log-file-level --log-file-format --log-file-date-format --log-auto-indent --log-disable
    --pastebin --pdbcls --assert --show-capture --xfail-tb --verbosity --max-warnings --lfnf
    --last-failed-no-failures --runpytest -n --numprocesses --dist --maxprocesses --max-worker-restart --tx
    --rsyncdir --cov-config --cov-report --cov-fail-under --timeout --timeout-method --session-timeout
    --timeout_func_only --asyncio-mode --anyio-mode --hypothesis-profile --hypothesis-verbosity --hypothesis-seed
    --reruns --reruns-delay --only-rerun --ds --dc --benchmark-min-time --benchmark-max-time --benchmark-min-rounds
    --benchmark-group-by --benchmark-warmup --benchmark-timer --benchmark-calibration-precision
    --benchmark-warmup-iterations --benchmark-storage --benchmark-compare-fail --benchmark-sort --benchmark-columns
    --benchmark-save --benchmark-json --count --repeat-scope --randomly-seed --html --css --json-report-file
    --snapshot-default-extension
    """)
_NONE = words("""
    -x --exitfirst -s -l --showlocals --no-showlocals -v --verbose -q --quiet --pdb --trace --lf --last-failed --ff
    --failed-first --nf --new-first --cache-clear --strict --strict-markers --strict-config --no-header --no-summary
    --no-fold-skipped --force-short-summary --disable-warnings --disable-pytest-warnings --full-trace --fulltrace
    --traceconfig --trace-config --runxfail --pyargs --noconftest --keepduplicates --keep-duplicates
    --collect-in-virtualenv --continue-on-collection-errors --doctest-modules --doctest-ignore-import-errors
    --doctest-continue-on-failure --setupshow --setup-show --sw --stepwise --sw-skip --stepwise-skip --sw-reset
    --stepwise-reset --disable-plugin-autoload --lsof --no-cov --cov-append --cov-branch --no-cov-on-fail
    --cov-reset --benchmark-only --benchmark-skip --benchmark-disable --hypothesis-show-statistics
    --hypothesis-explain --reuse-db --create-db --nomigrations --migrations --no-migrations --html-self-contained
    --self-contained-html --exitfirst -f --looponfail -d
""")
_MAYBE = words("--debug --cache-show --cov --snapshot-update")
# Options of plugins that are met often are among them; any other is judged by what follows it.
TAKES: dict[str, int] = {
    **dict.fromkeys(_ONE, 1),
    **dict.fromkeys(_NONE, 0),
    **dict.fromkeys((name for name in VACUOUS if name != "--cache-show"), 0),
    **dict.fromkeys(_MAYBE, 2),
}
"""Option to the words that it takes: none, one, or (2) one where the next word is no option."""


@dataclass(slots=True)
class Options:
    """A command line, read."""

    args: list[str] = field(default_factory=list)
    given: list[tuple[str, str]] = field(default_factory=list)
    """Every option in order: its name and its word, the empty text where it takes none."""
    unknown: list[str] = field(default_factory=list)
    """Options that pytest itself does not have: a plugin or a conftest must define them."""

    def last(self, *names: str) -> str | None:
        """The word of the last of these options."""
        return next((word for name, word in reversed(self.given) if name in names), None)

    def all(self, *names: str) -> list[str]:
        """The words of all of these options, in order."""
        return [word for name, word in self.given if name in names]

    def has(self, *names: str) -> bool:
        """Whether any of these options is given."""
        return any(name in names for name, _ in self.given)


def parse(given: list[str], exists: Callable[[str], bool]) -> Options:
    """Reads ``given`` as pytest's argparse does; ``exists`` tells a path from the word of an unknown option."""
    options = Options()
    rest = list(reversed(given))
    while rest:
        word = rest.pop()
        if word == "--":
            options.args.extend(reversed(rest))
            break
        if word.startswith("@") and len(word) > 1:
            raise Refused(f"arguments are read from the file {word[1:]!r}")
        if not _is_option(word):
            options.args.append(word)
        elif word.startswith("--"):
            _long(options, word, rest, exists)
        else:
            _short(options, word, rest)
    return options


def _is_option(word: str) -> bool:
    """argparse: a dash starts an option unless the word is a dash, a negative number or holds a space."""
    if not word.startswith("-") or word == "-":
        return False
    name = word.partition("=")[0]
    if name in TAKES or word in TAKES:
        return True
    return (" " not in word or "=" in word) and not word[1:].replace(".", "", 1).isdigit()


def _long(options: Options, word: str, rest: list[str], exists: Callable[[str], bool]) -> None:
    name, equals, given = word.partition("=")
    takes = TAKES.get(name)
    if takes is None:
        options.unknown.append(name)
        if not equals and rest and not _is_option(rest[-1]) and not exists(rest[-1]):
            given = rest.pop()
        options.given.append((name, given))
        return
    if takes == 0 and equals:
        raise Refused(f"option {name} takes no value")
    if takes and not equals:
        if rest and not _is_option(rest[-1]) and rest[-1] != "--":
            given = rest.pop()
        elif takes == 1:
            raise Refused(f"option {name} expects one argument")
    options.given.append((name, given))


def _short(options: Options, word: str, rest: list[str]) -> None:
    """One dash: letters in a row, the last of which may take what follows it."""
    letters = word[1:]
    while letters:
        name, letters = "-" + letters[0], letters[1:]
        takes = TAKES.get(name)
        if takes is None:
            options.unknown.append(name)
            return
        given = ""
        if takes:
            given, letters = letters.removeprefix("="), ""
            if not given:
                if not rest or _is_option(rest[-1]):
                    raise Refused(f"option {name} expects one argument")
                given = rest.pop()
        options.given.append((name, given))
