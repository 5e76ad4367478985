"""The settings in force, as far as they decide whether and how a property runs."""

from __future__ import annotations

import shlex

from gatekeeper._tuples import TYPE_CHECKING
from gatekeeper.source.fingerprint.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FOR_READERS = words(
    "markers cache_dir console_output_style minversion required_plugins verbosity_assertions "
    "verbosity_test_cases verbosity_subtests tmp_path_retention_count tmp_path_retention_policy "
    "truncation_limit_lines truncation_limit_chars faulthandler_timeout doctest_encoding "
    "enable_assertion_pass_hook junit_suite_name"
)
_PREFIXES = ("log_", "junit_", "cov_", "coverage")
_QUIET = words("-q --quiet -v -vv -vvv --verbose -l --showlocals --no-header --no-summary --full-trace -s -x")
_QUIET_VALUES = ("--tb", "--durations", "--durations-min", "--color", "--code-highlight", "--show-capture", "--cov",
                 "--cov-report", "--cov-config", "--cov-branch", "--cov-append", "--cov-fail-under", "--junitxml",
                 "--junit-xml", "--verbosity", "-r", "--strict-markers", "--strict-config", "--log-", "--maxfail",
                 "--exitfirst", "-n", "--numprocesses", "--dist", "--basetemp", "--capture", "--no-cov", "--html",
                 "--self-contained-html", "--timeout", "--showlocals")  # fmt: skip
_NEED_VALUES = words("-r -n --tb --durations --color --junitxml --cov --cov-report --maxfail")


def effective(config: Mapping[str, str]) -> dict[str, str]:
    """Setting to text, without what only changes how pytest reports."""
    found: dict[str, str] = {}
    for name, value in config.items():
        if name in _FOR_READERS or name.startswith(_PREFIXES):
            continue
        text = shlex.join(options(value)) if name == "addopts" else value
        if name != "addopts" or text:
            found[name] = text
    return found


def options(addopts: str) -> list[str]:
    """The words of ``addopts`` that are not about reporting."""
    try:
        every = shlex.split(addopts)
    except ValueError:
        return [addopts]
    return list(_kept(every))


def _kept(every: list[str]) -> Iterator[str]:
    index = 0
    while index < len(every):
        word = every[index]
        index += 1
        name = word.partition("=")[0]
        if word in _QUIET or (name.startswith(_QUIET_VALUES) and not word.startswith(("-no", "-nk"))):
            if word in _NEED_VALUES and index < len(every) and not every[index].startswith("-"):
                index += 1
            continue
        yield word
