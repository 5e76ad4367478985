"""The contract budget as the gate judges it: rows of the trusted ref, replay, lanes, policy."""

from __future__ import annotations

import pytest

from gatekeeper.model import RefUpdate
from gatekeeper.render.json_v1 import render_json
from gatekeeper.render.text import render_text
from gatekeeper.source.compare.kinds import SEVERITY
from gatekeeper.source.digest import digest
from gatekeeper.source.surface import surface
from tests.judging.world import ASKED, FILES, World, found
from tests.source.test_matrix import CASES

MAIN = b"refs/heads/main"
API = b"def f(a, b=1):\n    return a\n"
MOVED = b"def f(a):\n    return a\n"
WORSE = b"def f():\n    return 1\n"
MOD, ALLOW = "src/pkg/__init__.py", "contracts/contract.allow"


@pytest.fixture
def world() -> World:
    return World({**FILES, MOD: API}, server=ASKED)


def row(world: World, source: bytes) -> str:
    """The line that the refusal of a move prints, with a ticket."""
    verdict = world.judge(world.commit({MOD: source}))
    (finding,) = verdict.findings
    return finding.fix.rpartition("contract.allow: ")[2].replace("TICKET why", "API-1 nobody passes it")


def whole(source: bytes) -> str:
    """The digest of the whole surface with that source in it."""
    files: dict[str, bytes] = {"src/encoder.py": FILES["src/encoder.py"], MOD: source}  # type: ignore[dict-item]
    return digest(surface(files, ["", "src"])).tree


def allow(world: World, text: str) -> bytes:
    """A trusted commit with that allow file."""
    oid = world.commit({ALLOW: text.encode()})
    world.trust(oid)
    return oid


def test_a_body_may_change(world: World) -> None:
    verdict = world.judge(world.commit({MOD: API.replace(b"return a", b"return b")}))
    assert found(verdict) == []
    assert verdict.budgets["contract"] == "held"
    assert verdict.digest is None


def test_a_move_needs_a_row(world: World) -> None:
    verdict = world.judge(world.commit({MOD: MOVED}))
    assert found(verdict) == [f"GK301 {MOD}"]
    assert verdict.budgets["contract"] == "refused"
    assert verdict.exit == 1
    (finding,) = verdict.findings
    assert "f(a=1, b=2) worked" in finding.message
    assert finding.line == 1


def test_the_printed_row_allows_the_move_and_no_other(world: World) -> None:
    tip = allow(world, row(world, MOVED))
    moved = world.judge(world.commit({MOD: MOVED}, parents=[tip]))
    assert found(moved) == []
    assert moved.budgets["contract"] == "held"
    worse = world.judge(world.commit({MOD: WORSE}, parents=[tip]))
    assert found(worse) == [f"GK302 {MOD}"]
    assert "line 1" in worse.findings[0].message


def test_a_row_is_not_replayed(world: World) -> None:
    """Allowed, merged, and moved back by another: the row does not allow the way there a second time from elsewhere."""
    tip = allow(world, row(world, MOVED))
    merged = world.commit({MOD: MOVED}, parents=[tip])
    world.trust(merged)
    assert found(world.judge(world.commit({MOD: WORSE}, parents=[merged]))) == [f"GK302 {MOD}"]


@pytest.mark.parametrize("form", ["digest {old}..{new}  # API-1 wanted", "{new}  # API-1 wanted", "{new}"])
def test_a_whole_digest_allows_everything(world: World, form: str) -> None:
    tip = allow(world, form.format(old=whole(API), new=whole(MOVED)) + "\n")
    verdict = world.judge(world.commit({MOD: MOVED}, parents=[tip]))
    assert found(verdict) == []
    assert verdict.digest == whole(MOVED)
    assert found(world.judge(world.commit({MOD: WORSE}, parents=[tip]))) == [f"GK301 {MOD}"]


def test_a_digest_from_another_surface_allows_nothing(world: World) -> None:
    tip = allow(world, f"digest {'0' * 64}..{whole(MOVED)}  # API-1 wanted\n")
    assert found(world.judge(world.commit({MOD: MOVED}, parents=[tip]))) == [f"GK301 {MOD}"]


def test_a_row_of_the_push_itself_counts_for_nothing(world: World) -> None:
    text = row(world, MOVED)
    verdict = world.judge(world.commit({MOD: MOVED, ALLOW: text.encode()}))
    assert found(verdict) == [f"GK102 {ALLOW}", f"GK301 {MOD}"]


def test_a_faulty_trusted_row_is_named(world: World) -> None:
    tip = allow(world, row(world, MOVED).partition("#")[0])
    verdict = world.judge(world.commit({MOD: MOVED}, parents=[tip]))
    assert found(verdict) == [f"GK301 {MOD}", f"GK305 {ALLOW}"]
    assert verdict.findings[1].line == 1


@pytest.mark.parametrize(("server", "repository", "refused"), [
    ("ask", None, True), ("allow", None, False), ("allow", "ask", True), ("ask", "allow", True), (None, None, True),
])  # fmt: skip
def test_additions(server: str | None, repository: str | None, refused: bool) -> None:
    files = {**FILES, MOD: API}
    if repository is not None:
        files["contracts/policy.toml"] = f'version = 1\nadditions = "{repository}"\n'.encode()
    world = World(files, server=ASKED._replace(additions=server))
    verdict = world.judge(world.commit({MOD: API + b"\n\ndef g(): ...\n"}))
    assert found(verdict) == ([f"GK301 {MOD}"] if refused else [])


def test_what_cannot_be_read_is_refused_whatever_is_allowed(world: World) -> None:
    broken = b"def f(:\n"
    tip = allow(world, "0" * 12 + "\n")
    verdict = world.judge(world.commit({MOD: broken}, parents=[tip]))
    assert found(verdict) == [f"GK303 {MOD}"]
    assert "does not parse" in verdict.findings[0].message


def test_what_could_not_be_read_before_is_no_finding() -> None:
    world = World({**FILES, "src/pkg/old.py": b"print 'x'\n", MOD: API}, server=ASKED)
    assert found(world.judge(world.commit({MOD: API + b"\n"}))) == []
    assert found(world.judge(world.commit({"src/pkg/old.py": b"print 'y'\n"}))) == ["GK303 src/pkg/old.py"]


def test_a_cookie_hides_nothing(world: World) -> None:
    source = b"# coding: raw_unicode_escape\n" + API + b"# \\u000adef g(): ...\n"
    assert found(world.judge(world.commit({MOD: source}))) == [f"GK303 {MOD}"]


def test_a_dynamic_surface_is_its_own_finding(world: World) -> None:
    verdict = world.judge(world.commit({MOD: API + b"globals()['g'] = f\n"}))
    assert found(verdict) == [f"GK304 {MOD}"]


def test_sources_that_nobody_may_write_do_not_count() -> None:
    world = World({**FILES, "docs/conf.py": b"x = 1\n"}, server=ASKED)
    verdict = world.judge(world.commit({"src/pkg/tests/test_more.py": b"def test(): ...\n"}))
    assert "GK301" not in {finding.code for finding in verdict.findings}


def test_nothing_of_the_surface_is_read_without_a_change_of_source(world: World) -> None:
    world.store.reads.clear()
    head = world.commit({"src/pkg/data.json": b"{}"})
    verdict = world.judge(head)
    assert verdict.budgets["contract"] == "held"
    assert verdict.digest is None
    read = {world.store.objects[oid][1] for oid in world.store.reads}
    assert API not in read


def test_people_are_not_asked(world: World) -> None:
    verdict = world.judge(world.commit({MOD: WORSE}), ref=MAIN, actor="alice", old=world.base)
    assert found(verdict) == []
    assert verdict.budgets["contract"] == "not judged"


def test_a_policy_can_ask_people_too(world: World) -> None:
    world.server = ASKED._replace(severity={"human": {"GK301": "error"}})
    assert found(world.judge(world.commit({MOD: WORSE}), ref=MAIN, actor="alice", old=world.base)) == [f"GK301 {MOD}"]


def person(world: World, text: str, more: dict[str, bytes] | None = None) -> list[str]:
    head = world.commit({ALLOW: text.encode(), **(more or {})})
    return found(world.judge(head, ref=MAIN, actor="alice", old=world.base))


def test_a_person_s_row_is_pending_spent_or_an_error(world: World) -> None:
    text = row(world, MOVED)
    assert person(world, text) == []
    assert person(world, text, {MOD: MOVED}) == [f"GK305 {ALLOW} (warn)"]
    assert person(world, text, {MOD: WORSE}) == [f"GK305 {ALLOW}"]
    assert person(world, text.partition("#")[0]) == [f"GK305 {ALLOW}"]
    assert person(world, "# nothing yet\n") == []


def test_an_allow_file_that_stays_is_not_judged_again(world: World) -> None:
    tip = allow(world, "nonsense\n")
    head = world.commit({"README.md": b"x"}, parents=[tip])
    assert found(world.judge(head, ref=MAIN, actor="alice", old=tip)) == []


def test_the_line_of_a_budget_that_nothing_touched(world: World) -> None:
    card = world.push([RefUpdate(b"refs/heads/agent/x", None, world.commit({"src/pkg/data.json": b"{}"}))])
    assert "contract held" in render_text(card)
    assert "digest" not in render_text(card)


def test_the_line_of_the_budget(world: World) -> None:
    world.server = ASKED._replace(additions="allow")
    tip = allow(world, f"{whole(MOVED)}  # API-1 wanted\n")
    card = world.push([RefUpdate(b"refs/heads/agent/x", None, world.commit({MOD: MOVED}, parents=[tip]))])
    assert f"  contract     held     digest {whole(MOVED)[:8]}\n" in render_text(card)
    assert f'"contract_digest": "{whole(MOVED)}"' in render_json(card)


def test_no_digest_where_nothing_asks_for_one(world: World) -> None:
    """The whole surface is hashed off the hook: a move is judged by what it can touch."""
    world.server = ASKED._replace(additions="allow")
    verdict = world.judge(world.commit({MOD: API + b"\n\ndef g(): ...\n"}))
    assert (found(verdict), verdict.digest) == ([], None)


@pytest.mark.parametrize("name", ["f", "f" * 30, "f" * 90])
def test_the_row_can_be_copied_from_the_screen(name: str) -> None:
    world = World({**FILES, MOD: API.replace(b"def f", f"def {name}".encode())}, server=ASKED)
    moved = MOVED.replace(b"def f", f"def {name}".encode())
    card = world.push([RefUpdate(b"refs/heads/agent/x", None, world.commit({MOD: moved}))])
    lines = render_text(card).splitlines()
    assert max(map(len, lines)) <= 72
    start = next(number for number, line in enumerate(lines) if line.startswith("breaking "))
    end = next(number for number, line in enumerate(lines) if line.endswith("# TICKET why"))
    printed = "\n".join(lines[start : end + 1])
    tip = allow(world, printed.replace("TICKET why", "API-1 agreed"))
    assert found(world.judge(world.commit({MOD: moved}, parents=[tip]))) == []


def test_a_private_writable_module_behind_a_public_locked_one_counts() -> None:
    files = {**FILES, MOD: b"from ._impl import f\n", "src/pkg/_impl.py": API}
    world = World(files, server=ASKED._replace(writable=(b"src/pkg/_impl.py",)))
    assert found(world.judge(world.commit({"src/pkg/_impl.py": MOVED}))) == ["GK301 src/pkg/_impl.py"]
    assert found(world.judge(world.commit({"src/pkg/_impl.py": API + b"\n"}))) == []


def test_a_source_over_the_limit_is_unreadable_and_never_read() -> None:
    world = World(
        {**FILES, MOD: API, "src/pkg/big.py": b"#" * 5000}, server=ASKED._replace(limits={"blob_bytes": 4096})
    )
    assert found(world.judge(world.commit({MOD: API + b"\n"}))) == []
    assert found(world.judge(world.commit({MOD: API + b"#" * 5000}))) == [f"GK303 {MOD}"]


def test_hostile_sources_end_as_a_finding(world: World) -> None:
    dotted = b"import " + b".".join([b"a"] * 100_000) + b"\n"
    nested = b"x = " + b"-" * 100_000 + b"1\n"
    for source in (dotted, nested, b"x = " + b"(" * 300 + b")" * 300, b"\0", b"x = 1\r# y\rdef g(): ...\n"):
        assert found(world.judge(world.commit({"src/pkg/_new.py": source}))) == ["GK303 src/pkg/_new.py"]


@pytest.mark.parametrize(
    "source",
    [
        b"# more\n" + API,
        API.replace(b"return a", b"for line in ():\n        pass\n    return b"),
        API.replace(b"    return a", b"    '''Words.'''\n    return a"),
    ],
)
def test_a_change_that_nobody_sees_is_not_linked(world: World, source: bytes) -> None:
    """Only the sources that changed are read: the others of the tree are not even looked up."""
    head = world.commit({MOD: source})
    world.store.reads.clear()
    verdict = world.judge(head)
    assert (found(verdict), verdict.budgets["contract"]) == ([], "held")
    read = {world.store.objects[oid][1] for oid in world.store.reads}
    assert {API, source} <= read
    assert FILES["src/encoder.py"] not in read


@pytest.mark.parametrize("name", ["line", "k", "inst", "fields", "names", "stars", "opaque", "error"])
def test_names_that_facts_use_themselves_are_names(name: str) -> None:
    """A short cut that drops line numbers must not drop what is called "line"."""
    word = name.encode()
    before = b"def %s(a): ...\nclass C:\n    def %s(self, a): ...\n" % (word, word)
    world = World({**FILES, MOD: before}, server=ASKED)
    for place in (b"def %s(a)" % word, b"def %s(self, a)" % word):
        after = before.replace(place, place.replace(b"a)", b"a, b)"))
        assert found(world.judge(world.commit({MOD: after}))) == [f"GK301 {MOD}"], after


def test_the_state_of_a_short_cut_is_every_matrix_case_s(world: World) -> None:
    """Whatever moves a row is never taken for a change that nobody sees."""
    for case in CASES:
        old = world.commit({"src/pkg/mod.py": case.old.encode()}, parents=())
        world.trust(old)
        verdict = world.judge(world.commit({"src/pkg/mod.py": case.new.encode()}, parents=[old]))
        loud = {kind for kind in case.kinds if SEVERITY[kind] != "neutral"}
        assert (verdict.budgets["contract"] == "refused") == bool(loud), case.name
