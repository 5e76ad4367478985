"""Installing into one repository and taking it out again.

Each step is one rename; a failed step undoes those before it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gatekeeper import __version__
from gatekeeper.errors import RepositoryError
from gatekeeper.installing import files, record, shim
from gatekeeper.installing.record import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from gatekeeper.installing.target import Place


@dataclass(frozen=True, slots=True)
class Done:
    """What one installation did.

    ``hook`` and ``reader`` are words of :func:`shim.put` (``reader`` is empty in a clone); ``policy`` is ``written``,
    ``rewritten``, ``same``, ``kept`` or ``none``.
    """

    place: Place
    hook: str
    policy: str
    chained: bool
    proof: str = ""
    reader: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """What one removal did: ``hook`` is a word of :func:`shim.take_out`; an edited policy is kept."""

    place: Place
    hook: str
    policy_kept: bool


def install(
    place: Place, policy: bytes | None, *, replace_policy: bool, prove: Callable[[Path], str] | None = None
) -> Done:
    """Put the gate in ``place``; safe to repeat, and an upgrade when it is there already.

    ``policy`` is what to start with (None: nothing to write). It never takes the place of a text that somebody edited;
    ``replace_policy`` lets it take the place of one that an earlier installation wrote. ``prove`` is asked about the
    new hook before it is put in place; it may refuse by raising.

    Raises:
        RepositoryError: nothing was changed, or what was changed has been undone.
    """
    content = shim.render(place.hook)
    with _one_at_a_time(place), contextlib.ExitStack() as undo:
        try:
            word = _prepare(place, policy, replace_policy, undo)
            # The hook that judges goes last: everything before it can be undone without a push unjudged.
            reader = _put_reader(place, undo)
            hook, proof = shim.put(place, content, prove)
            done = Done(place, hook, word, os.access(place.chained, os.X_OK), proof, reader)
        except OSError as error:
            raise RepositoryError(f"cannot read and write {place.git_dir}: {error}") from error
        undo.pop_all()
    return done


def _prepare(place: Place, policy: bytes | None, replace: bool, undo: contextlib.ExitStack) -> str:
    made_hooks = _make_directory(place.hooks, undo, place.hooks.rmdir)
    _make_directory(place.state, undo, lambda: _leave(place))
    _sweep(place)
    before = record.load(place.record) or Record(__version__)
    word = _policy_word(place.policy, policy, before, replace=replace)
    ours = before.policies
    if policy is not None and word in {"written", "rewritten"}:
        ours = (*ours, record.digest(policy))
    # The record goes first: a removal must know what is ours even if this process dies between two steps.
    after = Record(__version__, tuple(dict.fromkeys(ours)), before.made_hooks or made_hooks)
    _write(place.record, record.dump(after), undo)
    if policy is not None and word in {"written", "rewritten"}:
        _write(place.policy, policy, undo)
    return word


def _put_reader(place: Place, undo: contextlib.ExitStack) -> str:
    reader = place.reader
    if reader is None:
        return ""
    before = reader.path.read_bytes() if shim.is_ours(reader.path) else None
    word, _ = shim.put(reader, shim.render(reader.hook))
    if before is None:
        undo.callback(shim.take_out, reader)
    else:
        undo.callback(files.write, reader.path, before, 0o755)
    return word


def _sweep(place: Place) -> None:
    for path in place.written:
        files.sweep(path)


def _policy_word(path: Path, new: bytes | None, before: Record, *, replace: bool) -> str:
    if not path.exists():
        return "none" if new is None else "written"
    old = path.read_bytes()
    if new is None or new == old or not replace:
        return "same"
    return "rewritten" if record.digest(old) in before.policies else "kept"


def _make_directory(path: Path, undo: contextlib.ExitStack, unmake: Callable[[], None]) -> bool:
    if path.is_dir():
        return False
    path.mkdir()
    # Whatever the umask: git silently skips a hook that the pusher's account cannot reach.
    path.chmod(0o755)
    files.sync_directory(path.parent)
    undo.callback(unmake)
    return True


def _leave(place: Place) -> None:
    """Remove our directory unless somebody's own file is in it. The cache is what a hook writes there, to read less."""
    if place.cache.is_symlink():
        place.cache.unlink()  # whatever it leads to is not ours
    elif place.cache.is_dir():
        shutil.rmtree(place.cache)
    if place.state.is_dir() and not any(place.state.iterdir()):
        place.state.rmdir()


def _write(path: Path, content: bytes, undo: contextlib.ExitStack) -> None:
    if path.exists():
        before, before_mode = path.read_bytes(), path.stat().st_mode & 0o7777
        if before == content:
            return
        files.write(path, content, 0o644)
        undo.callback(files.write, path, before, before_mode)
    else:
        files.write(path, content, 0o644)
        undo.callback(path.unlink)


def uninstall(place: Place) -> Undone:
    """Take out of ``place`` what :func:`install` put there.

    The hook goes first, so that a kill in between leaves a working repository.

    Raises:
        RepositoryError: the repository cannot be written.
    """
    try:
        with _one_at_a_time(place):
            return _uninstall(place)
    except OSError as error:
        raise RepositoryError(f"cannot read and write {place.git_dir}: {error}") from error


def _uninstall(place: Place) -> Undone:
    _sweep(place)
    before = record.load(place.record)
    hook = shim.take_out(place)
    if place.reader is not None:
        shim.take_out(place.reader)
    kept = False
    if place.policy.exists():
        # A policy that somebody edited is work of theirs; a text of ours can be written again at any time.
        kept = before is None or record.digest(place.policy.read_bytes()) not in before.policies
        if not kept:
            place.policy.unlink()
    place.record.unlink(missing_ok=True)
    _leave(place)
    if before is not None and before.made_hooks and place.hooks.is_dir() and not any(place.hooks.iterdir()):
        place.hooks.rmdir()
    files.sync_directory(place.git_dir)
    return Undone(place, hook, kept)


@contextlib.contextmanager
def _one_at_a_time(place: Place) -> Iterator[None]:
    """Two installers in one repository would each undo the other's half; the lock dies with its process."""
    import fcntl

    handle = os.open(place.git_dir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RepositoryError(f"another installation into {place.git_dir} is running") from error
        yield
    finally:
        os.close(handle)
