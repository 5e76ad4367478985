"""Looking at the repository that somebody names, before a byte of it is written.

Every refusal here comes with the command that mends it. Standard library only: ``install.sh`` runs this before it has
built an environment.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from gatekeeper.errors import RepositoryError
from gatekeeper.installing.gitcmd import Git

HASHED = re.compile(
    r"/@(?:hashed|snippets|pools|groups)/[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{64}(?:\.wiki|\.design)?\.git/?$"
)


class Place(NamedTuple):
    """Where one hook of one repository lives.

    ``git_dir`` and ``top`` are absolute: git starts a hook in ``top``, which is the git directory of a bare repository
    and the work tree of a clone. ``hook`` is the name of ours: the one that judges, or on a server the one that reads
    ahead.
    """

    git_dir: Path
    top: Path
    hook: str

    @property
    def hooks(self) -> Path:
        """The directory that git runs hooks from."""
        return self.git_dir / "hooks"

    @property
    def state(self) -> Path:
        """Our own directory, for policy and record."""
        return self.git_dir / "gatekeeper"

    @property
    def path(self) -> Path:
        """The hook itself."""
        return self.hooks / self.hook

    @property
    def chained(self) -> Path:
        """The hook that was there before, which ours runs after a verdict that lets the push pass."""
        return self.hooks / f"{self.hook}.chained"

    @property
    def reader(self) -> Place | None:
        """The place of ``post-receive``, which reads the trusted branch ahead of the next push; None in a clone."""
        return self._replace(hook="post-receive") if self.hook == "pre-receive" else None

    @property
    def cache(self) -> Path:
        """What our hooks keep, to read less the next time."""
        return self.state / "cache"

    @property
    def policy(self) -> Path:
        """The policy that the hook reads first."""
        return self.state / "policy.toml"

    @property
    def record(self) -> Path:
        """What the installer wrote, so that ``uninstall`` can take exactly that away."""
        return self.state / "install.json"

    @property
    def written(self) -> tuple[Path, ...]:
        """Every file that an installation writes, each through a temporary file beside it."""
        reader = self.reader
        more = () if reader is None else (reader.path, reader.chained)
        return (self.path, self.chained, *more, self.policy, self.record)


def bare(named: Path, *, leaving: bool = False) -> Place:
    """The place of ``pre-receive`` in the bare repository ``named``, which is the user's own and writable.

    ``leaving`` leaves out what matters only to a hook that has to fire.

    Raises:
        RepositoryError: missing, not a repository, not bare, somebody else's, run by a host with its own hooks, or git
            would not look for hooks there.
    """
    git_dir = _directory(named)
    _must_own(git_dir)
    if not _is_git_dir(git_dir):
        if (git_dir / ".git").exists():
            raise RepositoryError(
                f"{named} is a clone with a work tree, not a bare repository: pushes are judged where they arrive",
                fix=f"name the bare repository, or give this clone the advice hook: ./install.sh --clone {named}",
            )
        raise RepositoryError(f"{named} is not a git repository", fix=f"git init --bare {named}")
    git = Git(git_dir)
    if git_dir.name == ".git" or git.config("--type=bool", "core.bare") == "false":
        raise RepositoryError(
            f"{named} is not bare: it belongs to a work tree",
            fix=f"name a bare repository, or give the clone the advice hook: ./install.sh --clone {git_dir.parent}",
        )
    git.text("rev-parse", "--git-dir")
    place = Place(git_dir, git_dir, "pre-receive")
    if not leaving:
        refuse_managed(place, git)
        refuse_hooks_path(place, git)
    _must_be_writable(place)
    return place


def clone(named: Path, *, leaving: bool = False) -> Place:
    """The place of ``pre-push`` in the clone ``named``, which all its worktrees share.

    Raises:
        RepositoryError: missing, not a clone, bare, somebody else's, or hooks are looked for elsewhere.
    """
    work_tree = _directory(named)
    _must_own(work_tree)
    if _is_git_dir(work_tree) and work_tree.name != ".git":
        raise RepositoryError(
            f"{named} is a bare repository: nobody pushes from it", fix=f"install the gate itself: ./install.sh {named}"
        )
    marker = work_tree if work_tree.name == ".git" else work_tree / ".git"
    if not marker.exists():
        raise RepositoryError(f"{named} is not the top of a git clone: it has no .git")
    git = Git(marker)
    common = git.text("rev-parse", "--path-format=absolute", "--git-common-dir")
    git_dir = Path(common).resolve()
    _must_own(git_dir)
    place = Place(git_dir, marker.parent, "pre-push")
    if not leaving:
        refuse_hooks_path(place, git)
    _must_be_writable(place)
    return place


def refuse_hooks_path(place: Place, git: Git) -> None:
    """A hook in ``hooks/`` never fires while ``core.hooksPath`` points elsewhere, and says nothing about it.

    Raises:
        RepositoryError: it does; the message names the file that sets it.
    """
    found = hooks_path(place, git)
    if found is None or found.directory == place.hooks.resolve():
        return
    raise RepositoryError(
        f"core.hooksPath is {found.value!r} ({found.origin}): git would never run a hook in {place.hooks}",
        fix=f"git config --file {found.file} --unset core.hooksPath"
        if found.file
        else f"take that setting away, or: git -C {place.git_dir} config core.hooksPath {place.hooks}",
    )


class HooksPath(NamedTuple):
    """A ``core.hooksPath`` in force: as written, resolved, and where it is set (``file`` when that is a file)."""

    value: str
    directory: Path
    origin: str
    file: str


def hooks_path(place: Place, git: Git) -> HooksPath | None:
    """The ``core.hooksPath`` that git sees here, from whichever file; None when it is unset."""
    line = git.config("--show-origin", "--type=path", "--get", "core.hooksPath")
    if line is None:
        return None
    origin, _, value = line.partition("\t")
    file = origin.removeprefix("file:") if origin.startswith("file:") else ""
    # git takes a relative value from where it starts the hook, and prints a relative file from where we started it.
    return HooksPath(value, (place.top / value).resolve(), origin, str(git.here / file) if file else "")


def refuse_managed(place: Place, git: Git) -> None:
    """Hosts that run their own hooks rewrite ``hooks/pre-receive``, or never read it.

    Raises:
        RepositoryError: signs of Gitea, Forgejo, GitLab or gitolite that no plain repository has.
    """
    hooks, git_dir = place.hooks, place.git_dir
    delegates = hooks / "pre-receive.d"
    for name in ("gitea", "forgejo", "gogs"):
        if (delegates / name).exists():
            raise RepositoryError(
                f"{git_dir} is managed by {name.capitalize()}, which rewrites hooks/pre-receive on its own schedule",
                fix=f"put a hook of your own into {delegates}/; this command installs on plain bare repositories only",
            )
    target = str(hooks.readlink()) if hooks.is_symlink() else ""
    if git.config("--get", "gitlab.fullpath") or HASHED.search(str(git_dir)) or "gitlab" in target:
        raise RepositoryError(
            f"{git_dir} is managed by GitLab, which does not run hooks/pre-receive of a repository",
            fix=f"GitLab runs {git_dir}/custom_hooks/pre-receive; this command is for plain bare repositories",
        )
    update = hooks / "update"
    by_gitolite = update.is_symlink() and ".gitolite/" in str(update.readlink())
    if by_gitolite or (git_dir / "gl-conf").exists():
        raise RepositoryError(
            f"{git_dir} is managed by gitolite, whose setup rewrites its hooks",
            fix="gitolite takes such a hook from LOCAL_CODE/hooks/repo-specific and `option hook.pre-receive`; "
            "this command installs on plain bare repositories only",
        )
    if target:
        raise RepositoryError(
            f"{hooks} is a link to {target}: a hook written there would act in every repository that shares it",
            fix=f"give this repository a hooks directory of its own: rm {hooks} && mkdir {hooks}",
        )


def _directory(named: Path) -> Path:
    try:
        path = named.resolve(strict=True)
    except FileNotFoundError as error:
        raise RepositoryError(f"{named} does not exist") from error
    except (OSError, RuntimeError) as error:
        raise RepositoryError(f"{named} cannot be read: {error}") from error
    if not path.is_dir():
        raise RepositoryError(f"{named} is not a directory")
    return path


def _is_git_dir(path: Path) -> bool:
    return (path / "HEAD").exists() and (path / "objects").is_dir() and (path / "refs").is_dir()


def _must_own(path: Path) -> None:
    owner, me = path.stat().st_uid, os.geteuid()
    if owner == me:
        return
    name, mine = user_name(owner), user_name(me)
    # Root may write here, but its files would be root's, and its private environment out of the repository user's
    # reach.
    raise RepositoryError(
        f"{path} belongs to {name}, not to {mine}", fix=f"run this as its owner: sudo -u {name} ./install.sh {path}"
    )


def _must_be_writable(place: Place) -> None:
    for path in (place.git_dir, place.hooks, place.state):
        if not path.exists():
            continue
        if not path.is_dir():
            raise RepositoryError(f"{path} is in the way: it is not a directory")
        _must_own(path)
        if not os.access(path, os.W_OK | os.X_OK):
            mode = stat.S_IMODE(path.stat().st_mode)
            raise RepositoryError(f"{path} is read-only (mode {mode:04o}, or a read-only file system)")


def user_name(uid: int) -> str:
    """The login name of ``uid``, or the number where it has none."""
    import pwd

    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"#{uid}"
