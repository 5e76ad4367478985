"""A real push that must be refused, against a throw-away repository with the same hook, policy and history.

The history is shared through alternates, so nothing is copied and nothing can arrive in the real repository. Its
chained hook is left out: what that does on a push is none of a check's business.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gatekeeper.errors import RepositoryError
from gatekeeper.installing.gitcmd import Git, clean_env, run
from gatekeeper.installing.target import hooks_path
from gatekeeper.policy import defaults

if TYPE_CHECKING:
    from gatekeeper.installing.target import Place
    from gatekeeper.policy import Layer

ACTOR = "gatekeeper-canary"
REF = "refs/heads/agent/gatekeeper-canary"


class Canary(NamedTuple):
    """How the push ended: was it taken, what did the server say, was there a trusted ref to judge it by."""

    accepted: bool
    said: str
    born: bool

    @property
    def codes(self) -> tuple[str, ...]:
        """The rule codes in what the server said, once each."""
        return tuple(dict.fromkeys(re.findall(r"\bGK\d{3}\b", self.said)))


def prove(place: Place, hook: Path, layer: Layer) -> str:
    """Push the canary at ``hook`` and say how it was judged. A refusal alone proves nothing: a broken hook refuses too.

    Raises:
        RepositoryError: it was accepted, or refused for another reason than the one that it must be refused for.
    """
    result = push(place, hook, layer)
    reasons = " ".join(result.codes) or "no verdict"
    judged = "GK102" in result.codes if result.born else bool(result.codes)
    what = "an agent's push of a contract file was"
    if judged and not result.accepted:
        return f"{what} refused ({reasons})"
    if judged and layer.mode == "observe":
        return f"{what} judged ({reasons}) and let through, as observe mode says"
    how = "ACCEPTED" if result.accepted else "refused for another reason"
    last = " / ".join(line.strip() for line in result.said.splitlines()[-4:])
    raise RepositoryError(f"{what} {how} ({reasons}): {last}")


def object_format(git: Git) -> str:
    """``sha1`` or ``sha256``."""
    return git.text("rev-parse", "--show-object-format")


def trusted_refs(git: Git, layer: Layer | None) -> list[str]:
    """HEAD's target, then the bases of the policy's ``[[trusted]]`` rows."""
    head = git.run("symbolic-ref", "--quiet", "HEAD").stdout.decode("utf-8", "surrogateescape").strip()
    bases = [os.fsdecode(base) for _, base in layer.trusted] if layer is not None else []
    return list(dict.fromkeys([*([head] if head else []), *bases]))


def push(place: Place, hook: Path, layer: Layer) -> Canary:
    """Write a contract file as an agent and push it at ``hook``, which need not be the one in place.

    Raises:
        RepositoryError: git cannot make the throw-away repositories.
    """
    git = Git(place.git_dir)
    with tempfile.TemporaryDirectory(prefix="gatekeeper-canary-") as name:
        root = Path(name)
        server = _throw_away(root / "server.git", place, git)
        shutil.copy(place.policy, server.git_dir / "gatekeeper/policy.toml")
        shutil.copy(hook, server.git_dir / "hooks/pre-receive")
        _guard(server, place, git, layer)
        pusher = _throw_away(root / "pusher.git", place, git)
        path = {**defaults.LOCATIONS, **layer.locations}["properties"]
        commit, born = _tamper(pusher, git, path, root)
        # Who runs this may well be a person to the policy: the canary comes as somebody that it cannot know.
        env = clean_env(os.environ, GATEKEEPER_ACTOR=ACTOR, REMOTE_USER=ACTOR)
        command = ["git", f"--git-dir={pusher.git_dir}", "push", str(server.git_dir), f"{commit}:{REF}"]
        done = run(command, stdin=b"", cwd=root, env=env)
        return Canary(done.returncode == 0, done.stderr.decode("utf-8", "replace").strip(), born)


def _throw_away(path: Path, place: Place, git: Git) -> Git:
    words = ["git", "init", "--quiet", "--bare", "--template=", f"--object-format={object_format(git)}", str(path)]
    run(words, stdin=b"", cwd=path.parent, env=git.env)
    made = Git(path)
    for folder in ("hooks", "gatekeeper"):
        (path / folder).mkdir()
    alternates = path / "objects/info/alternates"
    alternates.parent.mkdir(exist_ok=True)
    alternates.write_bytes(os.fsencode(place.git_dir / "objects") + b"\n")
    return made


def _guard(server: Git, place: Place, git: Git, layer: Layer) -> None:
    """Give ``server`` the trusted refs of ``git``, and the settings that decide whether hooks fire."""
    for ref in trusted_refs(git, layer):
        found = git.run("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        if found.returncode == 0:
            server.text("update-ref", ref, found.stdout.decode().strip())
    head = git.run("symbolic-ref", "--quiet", "HEAD").stdout.decode("utf-8", "surrogateescape").strip()
    if head:
        server.text("symbolic-ref", "HEAD", head)
    elsewhere = hooks_path(place, git)
    # A value that names the repository's own hooks directory in full would name the wrong one in a copy.
    if elsewhere is None or elsewhere.directory != place.hooks:
        _carry(git, server, "core.hooksPath")
    _carry(git, server, "hook.pre-receive.enabled")


def _carry(git: Git, server: Git, key: str) -> None:
    if (value := git.config("--local", "--get", key)) is not None:
        server.text("config", key, value)


def _tamper(pusher: Git, git: Git, path: str, root: Path) -> tuple[str, bool]:
    """Write the contract file at ``path`` on top of the trusted tip; the commit, and whether there is such a tip."""
    env = {
        "GIT_INDEX_FILE": str(root / "index"),
        **{f"GIT_{who}_{what}": ACTOR for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    tip = git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}").stdout.decode().strip()
    if tip:
        pusher.text("read-tree", tip, env=env)
    blob = pusher.text("hash-object", "-w", "--stdin", stdin=b"# written by gatekeeper doctor\n")
    pusher.text("update-index", "--add", "--replace", "--cacheinfo", f"100644,{blob},{path}", env=env)
    tree = pusher.text("write-tree", env=env)
    parent = ["-p", tip] if tip else []
    commit = pusher.text("commit-tree", tree, *parent, "-m", "Write a contract file", env=env)
    return commit, bool(tip)
