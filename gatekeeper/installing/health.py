"""Is the gate of a repository sound? Each check looks at one thing that has let pushes past a hook somewhere."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from gatekeeper.errors import GatekeeperError
from gatekeeper.installing import canary, files, policytext, shim, target
from gatekeeper.installing.gitcmd import Git, clean_env, run
from gatekeeper.private import is_private

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gatekeeper.installing.target import Place
    from gatekeeper.policy import Layer

Status = Literal["ok", "warn", "FAIL"]

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Check(NamedTuple):
    """What one check found: a name, a sentence, and what to do about it."""

    status: Status
    name: str
    message: str
    fix: str = ""


def examine(named: Path) -> Iterator[Check]:
    """Every check on the bare repository ``named``, the canary push last.

    Raises:
        RepositoryError: it is no bare repository of the user's; there is nothing to examine.
    """
    place = target.bare(named, leaving=True)
    git = Git(place.git_dir)
    owner = target.user_name(place.git_dir.stat().st_uid)
    yield Check("ok", "repository", f"bare, {canary.object_format(git)}, owned by {owner}")
    yield from _fires(place, git)
    yield from _leftovers(place)
    yield from _permissions(place)
    yield from _reach(place)
    layer, judged = _policy(place)
    yield from judged
    yield from _trusted(git, layer)
    if not shim.is_ours(place.path):
        return
    yield from _program(place)
    yield from _reads_ahead(place)
    if layer is not None:
        yield _canary(place, layer)


def _fires(place: Place, git: Git) -> Iterator[Check]:
    hook = place.path
    if not os.path.lexists(hook):
        yield Check("FAIL", "hook", f"there is no {hook}", "gatekeeper install REPO.git")
    elif not shim.is_ours(hook):
        yield Check("FAIL", "hook", f"{hook} is not Gatekeeper's", "gatekeeper install REPO.git chains it")
    elif not os.access(hook, os.X_OK):
        yield Check(
            "FAIL", "hook", f"{hook} is not executable: git skips it and says so to the pusher only", f"chmod +x {hook}"
        )
    else:
        yield Check("ok", "hook", f"{hook}, executable")
    for refuse in (target.refuse_managed, target.refuse_hooks_path):
        try:
            refuse(place, git)
        except GatekeeperError as error:
            yield Check("FAIL", "firing", str(error), error.fix)
    yield from _configured_hooks(git)
    if os.path.lexists(place.chained):
        if os.access(place.chained, os.X_OK):
            yield Check("ok", "chained", f"{place.chained.name} runs after ours lets a push pass")
        else:
            yield Check(
                "warn", "chained", f"{place.chained} is not executable and does not run", f"chmod +x {place.chained}"
            )


def _reads_ahead(place: Place) -> Iterator[Check]:
    """Whether the trusted branch is read before a push needs it. Without that pushes take longer, and end the same."""
    reader = place.reader
    if reader is not None:
        yield _reader(reader)
    if not os.path.lexists(place.cache):
        yield Check("ok", "cache", "cold: nothing has been read yet")
        return
    for folder in (place.cache, place.cache / "surface"):
        if os.path.lexists(folder) and not is_private(os.fsencode(folder)):
            problem = f"{folder} is a link, or others can write it: nothing in it is believed"
            yield Check("warn", "cache", problem, f"rm -r {folder}")
            return
    kept = [path.lstat().st_size for path in (place.cache / "surface").rglob("*-*") if path.is_file()]
    yield Check("ok", "cache", f"{len(kept)} entries, {sum(kept) >> 20} MiB" if kept else "cold: no source is kept")


def _reader(reader: Place) -> Check:
    cold, repair = "the cache stays cold", "gatekeeper install REPO.git"
    if not shim.is_ours(reader.path):
        return Check("warn", "ahead", f"{reader.path} is not Gatekeeper's: {cold}", repair)
    if not os.access(reader.path, os.X_OK):
        return Check("warn", "ahead", f"{reader.path} is not executable: {cold}", f"chmod +x {reader.path}")
    try:
        shim.must_start(reader.path, reader)
    except GatekeeperError as error:
        return Check("warn", "ahead", f"{error}: {cold}", error.fix or repair)
    return Check("ok", "ahead", f"{reader.path} reads the trusted branch after a push")


def _configured_hooks(git: Git) -> Iterator[Check]:
    """Git 2.54 and later run hooks named by configuration too, and can switch an event off."""
    rows = git.config("--show-origin", "-z", "--get-regexp", r"^hook\.")
    words = (rows or "").split("\0")
    for origin, row in zip(words[::2], words[1::2], strict=False):
        key, _, value = row.partition("\n")
        if key.lower() == "hook.pre-receive.enabled" and value.lower() in {"false", "no", "off", "0", ""}:
            yield Check(
                "FAIL", "hook.*", f"{key} = {value} ({origin}) switches pre-receive off", f"git config --unset {key}"
            )
        elif key.lower().endswith(".event") and value == "pre-receive":
            yield Check(
                "warn", "hook.*", f"{key} ({origin}) adds a pre-receive hook that does not wait for our verdict"
            )


def _leftovers(place: Place) -> Iterator[Check]:
    for path in place.written:
        for left in files.leftovers(path):
            yield Check("warn", "leftover", f"{left} is what an interrupted installation left", f"rm {left}")


def _permissions(place: Place) -> Iterator[Check]:
    """Who can write any of these can switch the gate off without a push."""
    paths = [
        place.git_dir,
        place.git_dir / "config",
        place.hooks,
        place.path,
        *((place.reader.path,) if place.reader is not None else ()),
        place.state,
        place.policy,
        *_program_files(place),
    ]
    doubts = [doubt for path in paths if path.exists() for doubt in _writers(path)]
    yield from doubts or [
        Check("ok", "permissions", "only you and root can write the hook, its policy and its program")
    ]


def _reach(place: Place) -> Iterator[Check]:
    """Git runs a hook as the account that pushes, and silently goes on when that account cannot reach it."""
    modes = [(place.git_dir / name).stat().st_mode for name in ("refs", "objects")]
    for who, write, search in (("its group", stat.S_IWGRP, stat.S_IXGRP), ("everybody", stat.S_IWOTH, stat.S_IXOTH)):
        if not all(mode & write for mode in modes):
            continue
        for path in (place.hooks, place.path):
            if path.exists() and not path.stat().st_mode & search:
                fix = f"chmod a+rx {path}"
                yield Check("FAIL", "reach", f"{who} may push, but cannot run {path}: git would skip the gate", fix)
        closed = {
            folder for path in _program_files(place) for folder in path.parents if not folder.stat().st_mode & search
        }
        for folder in sorted(closed):
            refused = f"{who} may push, but {folder} is closed to them: the gate would refuse all that they push"
            yield Check(
                "warn", "reach", refused, "install with GATEKEEPER_HOME in an open place, such as /srv/gatekeeper"
            )


def _writers(path: Path) -> Iterator[Check]:
    found = path.stat()
    if found.st_mode & WRITABLE_BY_OTHERS:
        mode = stat.S_IMODE(found.st_mode)
        yield Check("warn", "permissions", f"{path} (mode {mode:04o}) can be written by others", f"chmod go-w {path}")
    if found.st_uid not in {0, os.geteuid()}:
        yield Check("warn", "permissions", f"{path} belongs to {target.user_name(found.st_uid)}")


def _program_files(place: Place) -> list[Path]:
    bound = shim.binding(place.path)
    if bound is None:
        return []
    return [
        Path(bound.python),
        *(Path(site) for site in bound.sites),
        *(Path(site) / "gatekeeper" for site in bound.sites),
    ]


def _policy(place: Place) -> tuple[Layer | None, list[Check]]:
    path = place.policy
    if not path.exists():
        return None, [Check("FAIL", "policy", f"there is no {path}", "gatekeeper install REPO.git --identity ... ")]
    try:
        layer = policytext.must_parse(path.read_bytes(), str(path))
    except (GatekeeperError, OSError) as error:
        return None, [Check("FAIL", "policy", str(error), getattr(error, "fix", ""))]
    return layer, [_mode(path, layer), _identity(layer)]


def _mode(path: Path, layer: Layer) -> Check:
    if layer.mode == "observe":
        return Check("warn", "policy", "OBSERVE mode: nothing is refused", f'write mode = "enforce" in {path}')
    return Check("ok", "policy", f"{path}: valid, enforce")


def _identity(layer: Layer) -> Check:
    if layer.identity in (None, "none"):
        every = "no source: every push is judged as an agent's"
        return Check("warn", "identity", every, '[identity] source = "ssh" or "http"')
    if not layer.humans:
        return Check("warn", "identity", f"{layer.identity}, but nobody is named as a person", "[lanes] human = [...]")
    return Check("ok", "identity", f"{layer.identity}; people: {', '.join(layer.humans)}")


def _trusted(git: Git, layer: Layer | None) -> Iterator[Check]:
    for ref in canary.trusted_refs(git, layer):
        if git.run("show-ref", "--verify", "--quiet", ref).returncode == 0:
            yield Check("ok", "trusted ref", ref)
        else:
            yield Check("warn", "trusted ref", f"{ref} does not exist yet: a person has to push it first")


def _program(place: Place) -> Iterator[Check]:
    bound = shim.binding(place.path)
    if bound is None:
        yield Check("warn", "program", f"{place.path} is of another version", "gatekeeper install REPO.git")
    else:
        yield _importable(bound)
    try:
        shim.must_start(place.path, place)
    except GatekeeperError as error:
        yield Check("FAIL", "start", str(error), error.fix or "gatekeeper install REPO.git")
    else:
        yield Check("ok", "start", "the hook starts, reads its policy and opens the repository")


def _importable(bound: shim.Binding) -> Check:
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; "
        "import gatekeeper; print(gatekeeper.__version__, *sys.version_info[:2])"
    )
    repair = "install again: ./install.sh REPO.git from a clone"
    if not os.access(bound.python, os.X_OK):
        return Check("FAIL", "program", f"the interpreter {bound.python} is gone", repair)
    done = run(
        [bound.python, "-I", "-S", "-c", code, *bound.sites], stdin=b"", cwd=Path("/"), env=clean_env(os.environ)
    )
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().rsplit("\n", 1)[-1]
        return Check(
            "FAIL", "program", f"the package cannot be imported from {os.pathsep.join(bound.sites)}: {said}", repair
        )
    version, major, minor = done.stdout.decode().split()
    return Check("ok", "program", f"gatekeeper {version} on {bound.python} ({major}.{minor})")


def _canary(place: Place, layer: Layer) -> Check:
    try:
        return Check("ok", "canary", canary.prove(place, place.path, layer))
    except GatekeeperError as error:
        return Check("FAIL", "canary", str(error), error.fix)
