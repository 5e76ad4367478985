"""The pre-push hook: the server's verdict before the server gives it, for any remote and in any kind of clone."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.support.git import Git
from tests.support.lab import CHECKOUT, DEFAULT_POLICY, HONEST_FIX, SITE, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.support.git import Arg
    from tests.support.objects import Value

MAIN, MINE = "refs/heads/main", "refs/heads/agent/fix"
UNKNOWN = "server policy unknown here: the server may decide otherwise"
STRICTER = {"tests/test_stricter.py": b""}


class Advice(NamedTuple):
    """What the hook in the clone said, and whether it let git go on."""

    lines: list[str]
    sent: bool

    @property
    def text(self) -> str:
        """All lines, for searching."""
        return "\n".join(self.lines)


def install(hooks: Path, name: str = "pre-push") -> Path:
    """Fill a template in and put it into a directory of hooks."""
    hooks.mkdir(exist_ok=True)
    text = (CHECKOUT / "hooks" / name).read_text()
    hook = hooks / name
    hook.write_text(text.replace("@PYTHON@", sys.executable).replace("@SITE@", os.pathsep.join(SITE)))
    hook.chmod(0o755)
    return hook


def advise(lab: Lab, *refspecs: Arg, url: Arg = "origin", cwd: Path | None = None) -> Advice:
    """Push, and read what the clone's own hook says."""
    result = Git(cwd or lab.work, lab.home, {"GATEKEEPER_ACTOR": "bot"}).run("push", "--porcelain", url, *refspecs)
    own = ("remote:", "error: failed to push some refs", "hint: ", "branch ")
    lines = [line for line in result.stderr.splitlines() if not line.startswith(own)]
    assert len(lines) <= 20, result.stderr
    assert all(len(line) <= 72 and line.isascii() and line.isprintable() for line in lines), result.stderr
    return Advice(lines, result.stdout.startswith(b"To ") or "Everything up-to-date" in result.stderr)


@pytest.fixture
def clone(lab: Lab) -> Lab:
    """A lab whose clone has the pre-push hook and knows origin's default branch; the server has no gate."""
    (lab.bare / "hooks/pre-receive").unlink()
    install(lab.work / ".git/hooks")
    lab.git("remote", "set-head", "origin", "main")
    return lab


def publish(lab: Lab, text: str) -> None:
    """Put the server's policy where `./install.sh --clone --policy` puts it."""
    path = lab.work / ".git/gatekeeper/policy.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


PUSHES: dict[str, Mapping[str, Value]] = {
    "honest": HONEST_FIX,
    "test": {**HONEST_FIX, **WEAKENED_TEST},
    "contract": {"contracts/properties.toml": b""},
    "many": {f"docs/{number}.md": b"" for number in range(30)},
    "kinds": {**WEAKENED_TEST, "tests/link": (0o120000, b"x"), "Tests/a": b"", ".gitattributes": b"", "a b'c.txt": b""},
}


@pytest.mark.parametrize("kind", PUSHES)
def test_the_same_words_as_the_servers(lab: Lab, kind: str) -> None:
    moved = lab.commit(STRICTER)
    assert lab.push(f"{moved}:{MAIN}", actor="alice").accepted
    lab.git("fetch", "--quiet", "origin")
    head = lab.commit(PUSHES[kind], "Work [skip ci]" if kind == "kinds" else "Work")
    server = lab.push(f"{head}:{MINE}")
    install(lab.work / ".git/hooks")
    publish(lab, DEFAULT_POLICY)
    said = advise(lab, f"{head}:{MINE}")
    assert said.lines[0] == f"gatekeeper: agent lane (pre-push: nobody) -> {MINE}"
    assert said.lines[1:] == list(server.remote[1:])
    assert not said.sent


class TestLane:
    """Which lane it is: the configuration's, else the ref's, else a person's."""

    def test_an_agents_ref_is_judged_as_an_agents(self, clone: Lab) -> None:
        weak = clone.commit(WEAKENED_TEST)
        said = advise(clone, f"{weak}:{MINE}")
        assert "GK101 tests/test_encoder.py" in said.text
        assert not said.sent

    def test_any_other_as_a_persons(self, clone: Lab) -> None:
        weak = clone.commit(WEAKENED_TEST)
        for ref in (MAIN, "refs/heads/feature", "refs/tags/v1"):
            said = advise(clone, f"{weak}:{ref}")
            assert said.lines[0] == f"gatekeeper: human lane (pre-push: nobody) -> {ref}"
            assert said.sent

    def test_the_configured_lane_counts_for_every_ref(self, clone: Lab) -> None:
        weak = clone.commit(WEAKENED_TEST)
        clone.git("config", "gatekeeper.lane", "agent")
        assert {"GK101", "GK201"} <= set(advise(clone, f"{weak}:{MAIN}").text.split())
        clone.git("config", "gatekeeper.lane", "human")
        assert advise(clone, f"{weak}:{MINE}").sent

    def test_an_unknown_lane_is_no_lane(self, clone: Lab) -> None:
        clone.git("config", "gatekeeper.lane", "robot")
        said = advise(clone, f"{clone.base}:{MINE}")
        assert not said.sent
        assert "gatekeeper.lane is 'robot'" in said.text

    def test_a_marked_commit_keeps_the_write_block(self, clone: Lab) -> None:
        publish(clone, policy(tail='[evidence]\ntrailers = ["Co-authored-by: robot"]'))
        marked = clone.commit(WEAKENED_TEST, "Work\n\nCo-authored-by: robot")
        said = advise(clone, f"{marked}:{MAIN}")
        assert "GK101" in said.text
        assert not said.sent


class TestPolicy:
    """The server's policy where it has been published, and the repository's at the trusted ref."""

    def test_it_says_when_the_servers_is_not_known(self, clone: Lab) -> None:
        fix, weak = clone.commit(HONEST_FIX), clone.commit(WEAKENED_TEST)
        assert advise(clone, f"{weak}:{MINE}").lines[-1] == UNKNOWN
        assert advise(clone, f"{fix}:{MINE}").lines[-1] == UNKNOWN
        publish(clone, DEFAULT_POLICY)
        assert UNKNOWN not in advise(clone, f"{weak}:refs/heads/agent/weak").lines

    def test_that_line_is_one_of_the_twenty(self, clone: Lab) -> None:
        many = clone.commit({f"docs/{number}.md": b"" for number in range(30)})
        said = advise(clone, f"{many}:{MINE}")
        assert said.lines[-1] == UNKNOWN
        assert any(line.startswith("refused: ") for line in said.lines)

    def test_the_published_one_counts(self, clone: Lab) -> None:
        docs = clone.commit({"docs/a.md": b""})
        assert not advise(clone, f"{docs}:{MINE}").sent
        publish(clone, policy(tail='[paths]\nwritable = ["docs/**"]\n[refs]\nagent = ["refs/heads/bots/**"]'))
        assert "GK201" in advise(clone, f"{docs}:{MINE}").text
        clone.git("config", "gatekeeper.lane", "agent")
        assert advise(clone, f"{docs}:refs/heads/bots/x").sent

    def test_what_the_server_only_observes_is_said_and_sent(self, clone: Lab) -> None:
        publish(clone, DEFAULT_POLICY.replace('"enforce"', '"observe"'))
        said = advise(clone, f"{clone.commit(WEAKENED_TEST)}:{MINE}")
        assert said.sent
        assert "observe only, would be refused" in said.text

    def test_a_broken_one_gives_no_verdict(self, clone: Lab) -> None:
        publish(clone, "version = 1\nmdoe = 'observe'\n")
        said = advise(clone, f"{clone.commit(HONEST_FIX)}:{MINE}")
        assert not said.sent
        assert "GK008" in said.text
        assert "mdoe" in said.text

    def test_the_repositorys_own_tightens(self, clone: Lab) -> None:
        tight = clone.commit({"contracts/policy.toml": b'version = 1\n[paths]\nprotected = ["src/cache.py"]\n'})
        assert advise(clone, f"{tight}:{MAIN}").sent
        clone.git("fetch", "--quiet", "origin")
        head = clone.commit({"src/cache.py": b""}, parent=tight)
        assert "GK101 src/cache.py" in advise(clone, f"{head}:{MINE}").text

    def test_a_line_of_its_own_is_judged_against_its_own_branch(self, clone: Lab) -> None:
        publish(clone, policy(tail='[[trusted]]\nfor = "refs/heads/agent/rel/**"\nbase = "refs/heads/rel"'))
        release = clone.commit(STRICTER)
        assert advise(clone, f"{release}:refs/heads/rel").sent
        clone.git("fetch", "--quiet", "origin")
        work = clone.commit(HONEST_FIX, parent=release)
        assert advise(clone, f"{work}:refs/heads/agent/rel/fix").sent
        assert "GK101" in advise(clone, f"{work}:{MINE}").text


class TestRemotes:
    """The trusted ref is the tracking branch of the remote that is pushed to."""

    def test_a_remote_of_another_name(self, clone: Lab) -> None:
        moved = clone.commit(STRICTER)
        clone.git("push", "--quiet", "--no-verify", "origin", f"{moved}:{MAIN}")
        clone.git("remote", "rename", "origin", "up/stream")
        clone.git("fetch", "--quiet", "up/stream")
        said = advise(clone, f"{clone.commit(HONEST_FIX)}:{MINE}", url="up/stream")
        assert "GK003" in said.text
        assert f"mend: git fetch up/stream {MAIN} && git rebase FETCH_HEAD" in said.lines

    def test_another_default_branch(self, clone: Lab) -> None:
        trunk = clone.commit(STRICTER)
        clone.git("push", "--quiet", "--no-verify", "origin", f"{trunk}:refs/heads/trunk")
        clone.git("fetch", "--quiet", "origin")
        fix = clone.commit(HONEST_FIX)
        assert advise(clone, f"{fix}:{MINE}").sent
        clone.server.out("symbolic-ref", "HEAD", "refs/heads/trunk")
        clone.git("remote", "set-head", "origin", "-a")
        assert "GK003" in advise(clone, f"{fix}:refs/heads/agent/two").text

    def test_a_clone_that_was_never_told_takes_the_only_usual_name(self, clone: Lab) -> None:
        clone.git("remote", "set-head", "origin", "--delete")
        weak = clone.commit(WEAKENED_TEST)
        assert "GK101" in advise(clone, f"{weak}:{MINE}").text
        clone.git("push", "--quiet", "--no-verify", "origin", f"{clone.base}:refs/heads/master")
        clone.git("fetch", "--quiet", "origin")
        said = advise(clone, f"{weak}:{MINE}")
        assert not said.sent
        assert "git remote set-head origin -a" in said.text

    @pytest.mark.parametrize("known", [True, False], ids=["of-a-remote", "of-none"])
    def test_a_push_to_a_url(self, clone: Lab, known: bool) -> None:
        moved = clone.commit(STRICTER)
        clone.git("push", "--quiet", "--no-verify", "origin", f"{moved}:{MAIN}")
        clone.git("remote", "rename", "origin", "upstream")
        clone.git("fetch", "--quiet", "upstream")
        url: Arg = clone.bare
        if not known:
            url = f"file://{clone.bare}"
        said = advise(clone, f"{clone.commit(HONEST_FIX)}:{MINE}", url=url)
        assert "GK003" in said.text
        assert ("no remote of this clone has that URL: compared with upstream" in said.lines) is not known
        assert f"mend: git fetch upstream {MAIN} && git rebase FETCH_HEAD" in said.lines

    def test_a_push_to_a_repository_that_the_clone_knows_nothing_of(self, clone: Lab) -> None:
        other = clone.bare.parent / "other.git"
        Git(clone.home, clone.home).out("init", "--quiet", "--bare", "--template=", other)
        clone.git("remote", "add", "other", str(other))
        fix = clone.commit(HONEST_FIX)
        assert advise(clone, f"{clone.base}:{MAIN}", url="other").sent, "a person's first push to an empty repository"
        clone.git("update-ref", "-d", "refs/remotes/other/main")
        said = advise(clone, f"{fix}:{MINE}", url="other")
        assert not said.sent
        assert "GK008" in said.text
        assert "fix: git fetch other;" in said.text

    def test_a_tag_of_the_tracking_branchs_name_changes_nothing(self, clone: Lab) -> None:
        weak = clone.commit(WEAKENED_TEST)
        clone.git("tag", "origin/main", weak)
        clone.git("tag", "main", weak)
        assert "GK101" in advise(clone, f"{weak}:{MINE}").text


class TestRefs:
    """Whatever git push can be told to send."""

    def test_a_deletion(self, clone: Lab) -> None:
        fix = clone.commit(HONEST_FIX)
        assert advise(clone, f"{fix}:{MINE}", f"{fix}:refs/heads/other").sent
        assert advise(clone, "--delete", MINE).sent
        clone.git("config", "gatekeeper.lane", "agent")
        said = advise(clone, "--delete", "refs/heads/other")
        assert "GK202" in said.text
        assert not said.sent

    def test_a_local_name_with_spaces(self, clone: Lab) -> None:
        clone.git("checkout", "--quiet", "-b", "fix", clone.commit(WEAKENED_TEST))
        said = advise(clone, f"fix@{{1 minute ago}}:{MINE}")
        assert said.lines[0].endswith(f"-> {MINE}")
        assert "GK101" in said.text

    def test_nothing_to_push(self, clone: Lab) -> None:
        said = advise(clone, MAIN)
        assert (said.lines, said.sent) == ([], True)

    def test_a_branch_without_commits_of_its_own(self, clone: Lab) -> None:
        said = advise(clone, f"{clone.base}:{MINE}")
        assert said.sent

    def test_several_refs_are_all_judged(self, clone: Lab) -> None:
        fix, weak = clone.commit(HONEST_FIX), clone.commit(WEAKENED_TEST)
        said = advise(clone, f"{fix}:refs/heads/agent/a", f"{weak}:refs/heads/agent/b", f"{weak}:refs/heads/agent/c")
        assert not said.sent
        assert said.text.count("GK101 tests/test_encoder.py") == 2

    def test_a_forced_push_over_commits_that_the_clone_has_never_seen(self, clone: Lab) -> None:
        ahead = clone.commit(STRICTER)
        other = clone.bare.parent / "other"
        Git(clone.home, clone.home).out("clone", "--quiet", clone.bare, other)
        (other / "new.txt").write_text("x")
        elsewhere = Git(other, clone.home)
        elsewhere.out("add", "new.txt")
        elsewhere.out("commit", "--quiet", "-m", "Elsewhere")
        elsewhere.out("push", "--quiet", "origin", f"HEAD:{MAIN}", f"HEAD:{MINE}")
        assert advise(clone, "--force", f"{clone.commit(HONEST_FIX)}:{MINE}").sent
        said = advise(clone, "--force", f"{ahead}:{MAIN}")
        assert said.sent
        assert "GK203" in said.text


class TestClones:
    """Worktrees, shallow clones, subdirectories, odd paths."""

    def test_a_worktree(self, clone: Lab) -> None:
        side = clone.bare.parent / "side"
        clone.git("worktree", "add", "--quiet", "-b", "side", str(side))
        publish(clone, policy(more='freshness = "graft"'))
        weak, fix = clone.commit(WEAKENED_TEST), clone.commit(HONEST_FIX)
        said = advise(clone, f"{weak}:{MINE}", cwd=side)
        assert "GK101" in said.text
        assert UNKNOWN not in said.lines
        assert advise(clone, f"{fix}:{MINE}", cwd=side / "src").sent

    def test_a_shallow_clone_that_lacks_the_merge_base(self, clone: Lab) -> None:
        tip = clone.commit({"src/cache.py": b""}, parent=clone.commit(HONEST_FIX))
        clone.git("push", "--quiet", "--no-verify", "origin", f"{tip}:{MAIN}", f"{clone.base}:refs/heads/agent/old")
        here = clone.bare.parent / "shallow"
        options = ("--quiet", "--depth=1", "--no-single-branch", "--template=")
        Git(clone.home, clone.home).out("clone", *options, f"file://{clone.bare}", here)
        install(here / ".git/hooks")
        shallow = Git(here, clone.home)
        shallow.out("checkout", "--quiet", "agent/old")
        (here / "src/_new.py").write_text("")
        shallow.out("add", ".")
        shallow.out("commit", "--quiet", "-m", "Work")
        said = advise(clone, f"HEAD:{MINE}", cwd=here)
        assert not said.sent
        assert "GK006" in said.text
        assert "git fetch --unshallow" in said.text
        shallow.out("fetch", "--quiet", "--unshallow")
        assert advise(clone, f"HEAD:{MINE}", cwd=here).sent

    def test_a_shallow_clone_that_has_the_merge_base(self, clone: Lab) -> None:
        here = clone.bare.parent / "shallow"
        Git(clone.home, clone.home).out("clone", "--quiet", "--depth=1", "--template=", f"file://{clone.bare}", here)
        install(here / ".git/hooks")
        (here / "src/encoder.py").write_bytes(HONEST_FIX["src/encoder.py"])
        Git(here, clone.home).out("commit", "--quiet", "-am", "Fix")
        assert advise(clone, f"HEAD:{MINE}", cwd=here).sent

    @pytest.mark.parametrize("name", [b"with space and 'quote'", b"caf\xe9", b"new\nline"])
    def test_a_clone_at_an_odd_path(self, clone: Lab, name: bytes) -> None:
        here = os.fsdecode(os.path.join(os.fsencode(clone.bare.parent), name))
        os.rename(clone.work, here)
        done = Git(clone.home, clone.home, {"GATEKEEPER_ACTOR": "bot"}).run(
            "-C", here, "push", "origin", f"{clone.base}:{MINE}"
        )
        assert done.returncode == 0, done.stderr
        assert "write-block, properties, contract held" in done.stderr

    def test_a_hook_called_by_hand_says_how_it_is_called(self, clone: Lab) -> None:
        hook = clone.work / ".git/hooks/pre-push"
        done = Git(clone.work, clone.home).run("-c", f"alias.call=!'{hook}' origin", "call")
        assert done.returncode == 3
        assert "takes a remote's name and URL" in done.stderr


def test_a_chained_hook_gets_the_remote_and_the_same_input(clone: Lab) -> None:
    chained = clone.work / ".git/hooks/pre-push.chained"
    chained.write_text('#!/bin/sh\necho "$1 $2" > seen\ncat >> seen\nexit "$(cat code)"\n')
    chained.chmod(0o755)
    fix, weak = clone.commit(HONEST_FIX), clone.commit(WEAKENED_TEST)
    (clone.work / "code").write_text("0")
    assert not advise(clone, f"{weak}:{MINE}").sent
    assert not (clone.work / "seen").exists()
    assert advise(clone, f"{fix}:{MINE}").sent
    assert (clone.work / "seen").read_text() == f"origin {clone.bare}\n{fix} {fix} {MINE} {'0' * 40}\n"
    (clone.work / "code").write_text("9")
    assert not advise(clone, f"{fix}:refs/heads/agent/two").sent
