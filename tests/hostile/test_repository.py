"""What lies around the objects of a server, or in the environment of a push: none of it changes a verdict."""

from __future__ import annotations

import os
import subprocess
import zlib
from typing import TYPE_CHECKING

import pytest

from gatekeeper.model import Actor
from gatekeeper.policy import Layer
from tests.hostile.kit import PATIENCE, reach, run_hook, update
from tests.support.git import hermetic_env
from tests.support.lab import DEFAULT_POLICY, HONEST_FIX, WEAKENED_TEST, Lab, policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def both(
    lab: Lab, env: dict[str, str] | None = None, *, limits: str = "", within: Sequence[str] = ()
) -> tuple[int, int]:
    """The exit codes for the honest fix and for the weakened test; (0, 1) is what they deserve."""
    fix = run_hook(lab, update(lab.commit(HONEST_FIX)), env=env, limits=limits, within=within)
    weak = run_hook(lab, update(lab.commit(WEAKENED_TEST)), env=env, limits=limits, within=within)
    assert ("GK101" in weak.said) == (weak.code == 1), weak.said
    return fix.code, weak.code


def replaced(lab: Lab, old: str, new: str, base: str = "refs/replace/") -> None:
    path = lab.bare / base / old
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{new}\n")


def test_replace_refs_and_grafts_change_nothing(lab: Lab) -> None:
    weak, fix = lab.commit(WEAKENED_TEST), lab.commit(HONEST_FIX)
    reach(lab)
    tests = lab.git("rev-parse", f"{lab.base}:tests")
    replaced(lab, weak, fix)
    replaced(lab, str(lab.base), weak)
    replaced(lab, lab.git("rev-parse", f"{weak}:tests"), tests)
    replaced(lab, lab.git("rev-parse", f"{weak}^{{tree}}"), lab.git("rev-parse", f"{lab.base}^{{tree}}"))
    assert lab.server.out("log", "-1", "--format=%s", weak) == lab.server.out("log", "-1", "--format=%s", fix)
    (lab.bare / "info").mkdir(exist_ok=True)
    (lab.bare / "info/grafts").write_text(f"{weak} {fix}\n{fix}\n{lab.base} {weak}\n")
    assert run_hook(lab, update(weak)).code == 1
    assert run_hook(lab, update(fix)).code == 0
    assert both(lab, {"GIT_REPLACE_REF_BASE": "refs/heads/"}) == (0, 1)
    lab.server.out("pack-refs", "--all")
    assert run_hook(lab, update(weak)).code == 1
    pushed = lab.push(f"{weak}:refs/heads/agent/x")
    assert not pushed.accepted
    assert pushed.codes == {"GK101"}


def test_a_shallow_file_can_only_withhold_a_verdict(lab: Lab) -> None:
    first = lab.commit({"src/a.py": b"1\n"})
    tip = lab.commit({"src/a.py": b"2\n"}, parent=first)
    assert lab.push(f"{tip}:refs/heads/main", actor="alice").accepted
    fix, weak = lab.commit(HONEST_FIX), lab.commit(WEAKENED_TEST)
    assert (run_hook(lab, update(fix)).code, run_hook(lab, update(weak)).code) == (0, 1)
    (lab.bare / "shallow").write_text(f"{first}\n")
    for head in (fix, weak):
        ended = run_hook(lab, update(head))
        assert ended.code == 3
        assert "GK006" in ended.said
    for text in ("garbage\n", f"{weak[:-1]}\n", "\0" * 41):
        (lab.bare / "shallow").write_text(text)
        assert run_hook(lab, update(fix)).code == 3


def test_the_configuration_of_the_repository_runs_nothing(lab: Lab, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    command = f"touch {mark}"
    rows = [f"[core]\n\tfsmonitor = {command}\n\tsshCommand = {command}\n\tpager = {command}\n\teditor = {command}"]
    rows += [f"\tworktree = {tmp_path}\n\tattributesFile = {tmp_path}/attributes\n\tgitProxy = {command}"]
    rows += [f'[filter "x"]\n\tclean = {command}\n\tsmudge = {command}\n\tprocess = {command}\n\trequired = true']
    rows += [f'[diff "x"]\n\tcommand = {command}\n\ttextconv = {command}', f"[diff]\n\texternal = {command}"]
    rows += [
        f'[merge "x"]\n\tdriver = {command}',
        f"[credential]\n\thelper = !{command}",
        f"[gpg]\n\tprogram = {command}",
    ]
    rows += [f"[include]\n\tpath = {tmp_path}/absent\n\tpath = {lab.bare}/config", "[extensions]\n\tpartialClone = x"]
    (tmp_path / "attributes").write_text("* filter=x diff=x merge=x\n")
    (lab.bare / "info").mkdir(exist_ok=True)
    (lab.bare / "info/attributes").write_text("* filter=x diff=x merge=x export-ignore\n")
    with (lab.bare / "config").open("a") as file:
        file.write("\n".join(rows) + "\n")
    codes = both(lab)
    assert codes in {(0, 1), (3, 3)}, "an odd configuration may be refused, never obeyed"
    assert not mark.exists()


@pytest.mark.parametrize(
    "env",
    [
        {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "false"},
        {"GIT_CONFIG_PARAMETERS": "'core.repositoryformatversion=99'"},
        {"GIT_GRAFT_FILE": "HEAD", "GIT_SHALLOW_FILE": "HEAD", "GIT_INDEX_FILE": "HEAD"},
        {"GIT_WORK_TREE": "/", "GIT_COMMON_DIR": "/", "GIT_NAMESPACE": "x", "GIT_CEILING_DIRECTORIES": "/"},
        {"GIT_NO_REPLACE_OBJECTS": "", "GIT_LITERAL_PATHSPECS": "1", "GIT_DEFAULT_HASH": "sha256"},
        {"GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere:relative:::\n"},
        {"GIT_ALTERNATE_OBJECT_DIRECTORIES": '"unfinished', "GIT_QUARANTINE_PATH": "/nowhere"},
        {"PYTHONPATH": ".", "PYTHONHOME": "/nowhere", "PYTHONSTARTUP": "os.py", "PYTHONINSPECT": "1"},
        {"PYTHONWARNINGS": "error", "PYTHONDONTWRITEBYTECODE": "", "PYTHONMALLOC": "debug", "PYTHONHASHSEED": "0"},
        {"PYTHONIOENCODING": "utf-16", "PYTHONUTF8": "0", "LC_ALL": "tr_TR.ISO-8859-9", "LANG": "\udcff"},
        {"PYTHONOPTIMIZE": "2", "PYTHONNOUSERSITE": "", "PYTHONUSERBASE": "."},
        {"HOME": "/nowhere", "TMPDIR": "/nowhere", "PATH": "/nowhere", "XDG_CONFIG_HOME": "."},
        {"IFS": "0123456789", "ENV": "os.py", "BASH_ENV": "os.py", "CDPATH": "/", "PS4": "$(touch mark)"},
        {"REMOTE_USER": "alice", "USER": "alice", "LOGNAME": "alice", "GIT_COMMITTER_NAME": "alice"},
    ],
    ids=lambda env: next(iter(env)),
)
def test_the_environment_lends_neither_code_nor_rights(lab: Lab, env: dict[str, str]) -> None:
    for name in ("os.py", "json.py", "pygit2.py", "zlib.py", "encodings.py", "sitecustomize.py", "usercustomize.py"):
        (lab.bare / name).write_text("raise SystemExit(0)\n")
    (lab.bare / "gatekeeper/__init__.py").write_text("raise SystemExit(0)\n")
    (lab.bare / "pygit2").mkdir()
    (lab.bare / "pygit2/__init__.py").write_text("raise SystemExit(0)\n")
    assert both(lab, env) == (0, 1)
    assert not (lab.bare / "mark").exists()


@pytest.mark.parametrize("place", ["/nowhere", "/", "hooks", "HEAD", "", "\udcff"])
def test_another_git_directory_is_not_judged_as_this_one(lab: Lab, place: str) -> None:
    assert 0 not in both(lab, {"GIT_DIR": place})


def test_the_objects_of_another_place_count_only_as_what_they_are(lab: Lab, tmp_path: Path) -> None:
    """An alternate may hold anything under any name: what does not hash to its name is refused."""
    weak, fix = lab.commit(WEAKENED_TEST), lab.commit(HONEST_FIX)
    lie = tmp_path / "lie" / weak[:2] / weak[2:]
    lie.parent.mkdir(parents=True)
    lie.write_bytes((lab.objects.objects / fix[:2] / fix[2:]).read_bytes())
    (lab.objects.objects / weak[:2] / weak[2:]).unlink()
    ended = run_hook(lab, update(weak), env={"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(tmp_path / "lie")})
    assert ended.code == 1
    assert "GK005" in ended.said


def private_mounts() -> bool:
    """Whether this process may have a file system of its own; a container's root often may not."""
    if os.geteuid() != 0:
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


def test_a_repository_that_cannot_be_written(lab: Lab) -> None:
    within: list[str] = []
    if os.geteuid() != 0:
        for place in (lab.bare / "gatekeeper", lab.bare):
            place.chmod(0o555)
    elif private_mounts():
        mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"'
        within = ["unshare", "-m", "sh", "-c", mount, str(lab.bare)]
    else:
        (lab.bare / "gatekeeper/cache").write_bytes(b"")  # what root can write everywhere but into a file
    reach(lab)
    try:
        assert both(lab, within=within) == (0, 1)
        assert not (lab.bare / "gatekeeper/cache").is_dir()
    finally:
        for place in (lab.bare, lab.bare / "gatekeeper"):
            place.chmod(0o755)


def test_a_full_disk(lab: Lab) -> None:
    within: list[str] = []
    limits = "ulimit -f 0"
    if private_mounts():
        limits = ""
        (lab.home / "policy.toml").write_text(DEFAULT_POLICY)
        fill = "mount -t tmpfs -o size=32k none gatekeeper && cp $HOME/policy.toml gatekeeper"
        fill += ' && ! cat /dev/zero >gatekeeper/fill 2>/dev/null && exec "$@"'
        within = ["unshare", "-m", "sh", "-c", fill, "sh"]
    assert both(lab, limits=limits, within=within) == (0, 1)
    assert not (lab.bare / "gatekeeper/cache/server").exists()


def cache(lab: Lab) -> Path:
    return lab.bare / "gatekeeper/cache/server"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0\0\0\0",
        b"\0" * 1_000,
        b"garbage" * 1_000,
        b"x" * (20 << 20),
        zlib.crc32(b"garbage").to_bytes(4, "big") + b"garbage",
        zlib.crc32(b"(" + b"\xff\xff\xff\x7f").to_bytes(4, "big") + b"(" + b"\xff\xff\xff\x7f",
        zlib.crc32(b")\1" * 5_000).to_bytes(4, "big") + b")\1" * 5_000,
        zlib.crc32(b"N").to_bytes(4, "big") + b"N",
    ],
    ids=range(9),
)
def test_a_cache_of_anything_is_made_again(lab: Lab, content: bytes) -> None:
    assert both(lab) == (0, 1)
    good = cache(lab).read_bytes()
    cache(lab).write_bytes(content)
    assert both(lab) == (0, 1)
    assert cache(lab).read_bytes() == good


@pytest.mark.parametrize("cut", [1, 3, 4, 5, 100, -1])
def test_a_torn_or_altered_cache_is_made_again(lab: Lab, cut: int) -> None:
    assert both(lab) == (0, 1)
    good = cache(lab).read_bytes()
    for bad in (good[:cut], good[:cut] + bytes([good[cut] ^ 1]) + good[cut + 1 :] if cut > 0 else good + b"x"):
        cache(lab).write_bytes(bad)
        assert both(lab) == (0, 1)
        assert cache(lab).read_bytes() == good


@pytest.mark.parametrize("kind", ["fifo", "directory", "link", "loop", "device", "unreadable"])
def test_a_cache_that_is_no_file_costs_its_use(lab: Lab, kind: str, tmp_path: Path) -> None:
    cache(lab).parent.mkdir()
    match kind:
        case "fifo":
            os.mkfifo(cache(lab))
        case "directory":
            cache(lab).mkdir()
            (cache(lab) / "x").write_text("")
        case "link":
            cache(lab).symlink_to(tmp_path / "absent")
        case "loop":
            cache(lab).symlink_to(cache(lab))
        case "device":
            cache(lab).symlink_to("/dev/zero")
        case _:
            cache(lab).write_bytes(b"x")
            cache(lab).chmod(0)
    assert both(lab) == (0, 1)
    assert not (tmp_path / "absent").exists()


def test_a_cache_of_another_policy_is_not_used(lab: Lab) -> None:
    assert run_hook(lab, update(lab.commit(WEAKENED_TEST), "refs/heads/topic"), actor="alice").code == 0
    kept = cache(lab).read_bytes()
    lab.write_policy(DEFAULT_POLICY.replace('"alice"', '"carol"'))
    assert run_hook(lab, update(lab.commit(WEAKENED_TEST), "refs/heads/topic"), actor="alice").code == 1
    cache(lab).write_bytes(kept)
    assert run_hook(lab, update(lab.commit(WEAKENED_TEST), "refs/heads/topic"), actor="alice").code == 1
    # a value that the policy does not say must not come from whoever parsed it first
    assert Layer().humans == ()
    assert Actor(None, "ssh").name is None


def test_hooks_that_start_together(lab: Lab) -> None:
    """Eight at a time, each finding no cache, or one half made by another."""
    fix, weak = lab.commit(HONEST_FIX), lab.commit(WEAKENED_TEST)
    reach(lab)
    env = hermetic_env(lab.home, GIT_DIR=".", GATEKEEPER_ACTOR="bot")
    for round_ in range(3):
        cache(lab).unlink(missing_ok=True)
        lab.write_policy(policy(more=f"deadline = {20 + round_}"))
        heads = [fix, weak] * 4
        started = [
            subprocess.Popen(
                ["hooks/pre-receive"], cwd=lab.bare, env=env, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            for _ in heads
        ]
        for process, head in zip(started, heads, strict=True):
            assert process.stdin is not None
            process.stdin.write(update(head))
            process.stdin.close()
        assert [process.wait(PATIENCE) for process in started] == [0, 1] * 4
        assert {"server"} <= {path.name for path in cache(lab).parent.iterdir()} <= {"server", "surface"}
