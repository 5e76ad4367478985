"""The few lines of shell that git runs, filled in for this installation."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.errors import RepositoryError
from gatekeeper.installing import files
from gatekeeper.installing.gitcmd import clean_env, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from gatekeeper.installing.target import Place

NEEDED = ("gatekeeper", "pygit2", "_cffi_backend", "cffi", "dulwich", "urllib3", "pathspec", "typing_extensions")
"""What a hook may import; each is looked up where this process found it."""

MARK = b"gatekeeper.entry."
"""What our shims contain and no other hook has a reason to."""

_NO_UPDATES = (3, b"no ref updates on standard input")
NOTHING = {"pre-receive": _NO_UPDATES, "post-receive": _NO_UPDATES, "pre-push": (0, b"")}
"""How each hook answers a push of nothing (exit code, words), once program, policy and repository have been read."""

UNSAFE = frozenset("'\n\r:@")
"""Characters that end a quoted word of the shim, a directory in its list, or could be taken for a placeholder."""


def render(hook: str) -> bytes:
    """The shim for ``hook``, bound to the interpreter and the packages that run this very code.

    Raises:
        RepositoryError: the template is missing, or a path cannot be written into a shell script safely.
    """
    # The interpreter itself, with its minor version: a distribution's python3 moves on under a private environment.
    python = os.path.realpath(sys.executable)
    site = sites()
    for path in (python, *site):
        if bad := UNSAFE.intersection(path):
            raise RepositoryError(
                f"{path!r} cannot stand in a hook: it holds {', '.join(sorted(map(repr, bad)))}",
                fix="install under a plain path: GATEKEEPER_HOME=/srv/gatekeeper ./install.sh ...",
            )
    content = template(hook).replace(b"@PYTHON@", os.fsencode(python))
    return content.replace(b"@SITE@", os.fsencode(os.pathsep.join(site)))


def sites() -> tuple[str, ...]:
    """The directories that hold what a hook imports, ours first."""
    found = [spec for name in NEEDED if (spec := importlib.util.find_spec(name)) is not None and spec.origin]
    origins = [(Path(str(spec.origin)), bool(spec.submodule_search_locations)) for spec in found]
    folders = [origin.parent.parent if package else origin.parent for origin, package in origins]
    return tuple(dict.fromkeys(str(folder.resolve()) for folder in folders))


def template(hook: str) -> bytes:
    """The text of ``hook`` with its placeholders: from the wheel, or from the checkout that this code runs in.

    Raises:
        RepositoryError: the package was built without it.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_hooks", package.parent / "hooks"):
        if (folder / hook).is_file():
            return (folder / hook).read_bytes()
    raise RepositoryError(f"this installation has no template for the {hook} hook", fix="install Gatekeeper again")


class Binding(NamedTuple):
    """What a shim is bound to: its interpreter, and the directories that it imports from."""

    python: str
    sites: tuple[str, ...]


def binding(path: Path) -> Binding | None:
    """Read a shim of ours back; None when it was made from another template than today's."""
    try:
        content = path.read_bytes()
        pattern = re.escape(template(path.name))
    except (OSError, RepositoryError):
        return None
    for mark, name in ((b"@PYTHON@", b"python"), (b"@SITE@", b"site")):
        pattern = pattern.replace(mark, b"(?P<" + name + b">[^\n]+?)", 1).replace(mark, b"(?P=" + name + b")")
    found = re.fullmatch(pattern, content)
    if found is None:
        return None
    return Binding(os.fsdecode(found["python"]), tuple(os.fsdecode(found["site"]).split(os.pathsep)))


def is_ours(path: Path) -> bool:
    """Whether the file at ``path`` is a shim of ours, of whatever version."""
    return path.is_file() and not path.is_symlink() and MARK in path.read_bytes()


def must_start(script: Path, place: Place) -> None:
    """Run ``script`` as git would, on a push of nothing, before it is put where git finds it.

    Raises:
        RepositoryError: it does not start, or does not answer as it should; the message carries what it said.
    """
    words, where = [str(script)], "."
    if place.hook == "pre-push":
        words, where = [*words, "origin", "https://example.invalid/repo.git"], str(place.git_dir)
    # What reads ahead does so in the background, where nobody hears of a failure.
    env = clean_env(os.environ, GIT_DIR=where, GATEKEEPER_FOREGROUND="1")
    try:
        done = run(words, stdin=b"", cwd=place.top, env=env)
    except OSError as error:
        # A file system mounted noexec, most often.
        raise RepositoryError(f"a hook in {place.hooks} cannot be run: {error}") from error
    code, answer = NOTHING[place.hook]
    if done.returncode != code or answer not in b" ".join(done.stderr.split()):
        said = (done.stderr + done.stdout).decode("utf-8", "replace").strip()
        raise RepositoryError(f"the {place.hook} hook does not start (exit code {done.returncode}): {said}")


def put(place: Place, content: bytes, prove: Callable[[Path], str] | None = None) -> tuple[str, str]:
    """Check the shim and switch to it in one rename; what was there before gets its second name first.

    ``prove`` is asked about the shim while it lies beside its place, and may refuse it by raising.

    Returns:
        What happened (``new``, ``same``, ``upgraded``, ``chained``, or ``kept``: the hook that was there was not
        executable, so git never ran it and ours does not either), and what ``prove`` said.

    Raises:
        RepositoryError: the shim does not start, or there are two hooks to chain.
    """
    path, chained = place.path, place.chained
    with contextlib.ExitStack() as undo, files.beside(path, content, 0o755) as temporary:
        must_start(temporary, place)
        proof = prove(temporary) if prove is not None else ""
        if is_ours(path):
            done = "same" if path.read_bytes() == content and os.access(path, os.X_OK) else "upgraded"
        elif os.path.lexists(path):
            _second_name(path, chained, undo)
            done = "chained" if os.access(chained, os.X_OK) else "kept"
        else:
            done = "new"
        temporary.replace(path)
        undo.pop_all()
        files.sync_directory(path.parent)
    return done, proof


def _second_name(path: Path, chained: Path, undo: contextlib.ExitStack) -> None:
    if path.is_dir():
        raise RepositoryError(f"{path} is a directory")
    if not os.path.lexists(chained):
        files.add_name(path, chained)
        undo.callback(chained.unlink)
    elif not files.same(path, chained):
        raise RepositoryError(
            f"{path} is not Gatekeeper's, and {chained} exists as well: two hooks to chain",
            fix=f"keep one of them, or call both from one script: {chained}",
        )
    # The same file under both names is an installation that was killed right here: go on where it stopped.


def take_out(place: Place) -> str:
    """Put back what our shim replaced, in one step.

    Returns:
        ``restored`` (the chained hook is in its old place), ``removed``, or ``absent`` (there is no hook of ours).
    """
    path, chained = place.path, place.chained
    if not is_ours(path):
        if files.same(path, chained):
            chained.unlink()
            files.sync_directory(path.parent)
        return "absent"
    if os.path.lexists(chained):
        chained.replace(path)
    else:
        path.unlink()
    files.sync_directory(path.parent)
    return "restored" if os.path.lexists(path) else "removed"
