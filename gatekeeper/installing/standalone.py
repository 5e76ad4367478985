"""The part of the installer that runs from a bare clone: before there is an environment, and after it has been deleted.

``install.sh`` runs it by path, as ``python3 -I -S -B standalone.py check|uninstall [OPTIONS] DIR...``. It exits with 0,
or with 3 and the reason.
"""

from __future__ import annotations

import sys
from pathlib import Path

PROGRAM = "install.sh"

WITH_VALUE = ("--identity", "--humans", "--policy")
FLAGS = ("--observe", "--clone")


def main(words: list[str]) -> int:
    """Do ``words[0]`` to the directories among the other words, all of them looked at before the first is touched."""
    # -I keeps the script's own directory off the path, -S the installed package: this file speaks for the tree it lies
    # in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from gatekeeper.errors import GatekeeperError
    from gatekeeper.installing import apply, report, target

    failed = 0
    with report.complaining(PROGRAM):
        flags, named = split(words[1:])
    uninstalling = words[0] == "uninstall"
    look = target.clone if "--clone" in flags else target.bare
    places = []
    for path in named:
        try:
            places.append(look(path, leaving=uninstalling))
        except GatekeeperError as error:
            report.complain(PROGRAM, error)
            failed = report.EXIT_NOT_DONE
    if failed or not uninstalling:
        return failed
    for place in places:
        with report.complaining(PROGRAM):
            for line in report.uninstalled(apply.uninstall(place)):
                sys.stdout.write(f"{line}\n")
    return 0


def split(words: list[str]) -> tuple[list[str], list[Path]]:
    """The options (without their values) and the directories of a command line of ``gatekeeper install``.

    Raises:
        UsageError: an option that it does not have, or no directory.
    """
    from gatekeeper.errors import UsageError

    flags: list[str] = []
    named: list[Path] = []
    rest = iter(words)
    for word in rest:
        option, equals, _ = word.partition("=")
        if option in WITH_VALUE:
            if not equals and next(rest, None) is None:
                raise UsageError(f"{option} needs a value", fix="./install.sh --help")
            flags.append(option)
        elif word in FLAGS:
            flags.append(word)
        elif word.startswith("-"):
            raise UsageError(f"{word} is not an option of ./install.sh", fix="./install.sh --help")
        else:
            named.append(Path(word))
    if not named:
        raise UsageError("no repository is named", fix="./install.sh --help")
    return flags, named


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
