"""Merge bases and new commits, against brute force on random graphs with dates that lie."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatekeeper.errors import GatekeeperError, LimitExceeded, MissingObject
from gatekeeper.git.history import History, between, is_ancestor
from gatekeeper.git.objects import MAX_DATE
from gatekeeper.git.reader import Objects
from tests.git.graphs import EMPTY, Repo, graphs


@pytest.fixture
def repo() -> Repo:
    return Repo()


def test_equal_commits_have_nothing_new(repo: Repo) -> None:
    (only,) = repo.line((), 1, 1)
    assert repo.relate(only, only) == History((only,), ())


def test_a_head_ahead_and_a_head_behind(repo: Repo) -> None:
    one, two, three = repo.line((), 3, 1)
    assert repo.relate(three, one) == History((one,), (three, two))
    assert repo.relate(one, three) == History((one,), ())


def test_a_fork(repo: Repo) -> None:
    base = repo.line((), 5, 1)[-1]
    ours, theirs = repo.line((base,), 3, 10), repo.line((base,), 4, 10)
    assert repo.relate(ours[-1], theirs[-1]) == History((base,), tuple(reversed(ours)))


def test_unrelated_histories(repo: Repo) -> None:
    ours, theirs = repo.line((), 2, 1), repo.line((), 2, 1)
    assert repo.relate(ours[-1], theirs[-1]) == History((), (ours[1], ours[0]))


def test_a_criss_cross_has_both_bases_whatever_their_dates(repo: Repo) -> None:
    root = repo.commit(date=1)
    for old, new in ((2, 3), (3, 2), (0, MAX_DATE)):
        left, right = repo.commit(root, date=old), repo.commit(root, date=new)
        ours, theirs = repo.commit(left, right, date=9), repo.commit(right, left, date=9)
        assert repo.relate(ours, theirs) == History(tuple(sorted((left, right))), (ours,))


def test_a_merge_of_the_trusted_tip_has_that_tip_as_base(repo: Repo) -> None:
    base = repo.commit(date=1)
    tip = repo.line((base,), 3, 2)[-1]
    mine = repo.commit(base, date=2)
    merge = repo.commit(mine, tip, date=9)
    assert repo.relate(merge, tip) == History((tip,), (merge, mine))


def test_the_order_is_children_first_and_then_newest_first(repo: Repo) -> None:
    base = repo.commit(date=1)
    old, new, lying = repo.commit(base, date=5), repo.commit(base, date=7), repo.commit(base, date=100)
    merge = repo.commit(old, new, lying, date=3)
    assert repo.relate(merge, base).new == (merge, lying, new, old)
    twins = sorted(repo.commit(base, date=5) for _ in range(5))
    assert repo.relate(repo.commit(*twins, date=9), base).new[1:] == tuple(twins)


@settings(max_examples=200)
@given(graphs(), st.data())
def test_every_answer_is_that_of_brute_force(graph: tuple[Repo, list[bytes]], draw: st.DataObject) -> None:
    repo, made = graph
    head, trusted = draw.draw(st.sampled_from(made)), draw.draw(st.sampled_from(made))
    history = repo.relate(head, trusted)
    assert history.bases == tuple(sorted(repo.best(head, trusted)))
    assert set(history.new) == repo.behind(head) - repo.behind(trusted)
    assert len(set(history.new)) == len(history.new)
    place = {oid: index for index, oid in enumerate(history.new)}
    assert all(place[oid] < place.get(parent, len(made)) for oid in history.new for parent in repo.parents[oid])
    objects = Objects(repo.store)
    assert is_ancestor(objects, trusted, head) == (trusted in repo.behind(head))
    assert tuple(between(objects, trusted, head)) == history.new


@settings(max_examples=200)
@given(graphs(), st.data())
def test_a_hole_in_the_history_never_gives_a_wrong_answer(graph: tuple[Repo, list[bytes]], draw: st.DataObject) -> None:
    repo, made = graph
    head, trusted = draw.draw(st.sampled_from(made)), draw.draw(st.sampled_from(made))
    hole = draw.draw(st.sampled_from(made))
    by_design = draw.draw(st.booleans())
    if by_design:
        repo.store.cut = frozenset({hole})
    else:
        del repo.store.objects[hole]
    try:
        history = repo.relate(head, trusted)
    except MissingObject:
        pass
    else:
        assert set(history.new) == repo.behind(head) - repo.behind(trusted)
        assert set(history.bases) == repo.best(head, trusted)
    try:
        answer = is_ancestor(Objects(repo.store), trusted, head)
    except MissingObject:
        pass
    else:
        assert answer == (trusted in repo.behind(head))


@settings(max_examples=100)
@given(graphs(), st.data(), st.integers(0, 12))
def test_a_bound_never_gives_a_wrong_answer(graph: tuple[Repo, list[bytes]], draw: st.DataObject, bound: int) -> None:
    repo, made = graph
    head, trusted = draw.draw(st.sampled_from(made)), draw.draw(st.sampled_from(made))
    try:
        history = repo.relate(head, trusted, visit_limit=bound)
    except LimitExceeded:
        return
    assert set(history.new) == repo.behind(head) - repo.behind(trusted)
    assert set(history.bases) == repo.best(head, trusted)


DATES = {"honest": 50_000, "1970": 0, "far future": MAX_DATE}


@pytest.mark.parametrize("date", DATES.values(), ids=DATES)
@pytest.mark.parametrize("behind", [0, 3])
def test_a_small_change_on_a_long_history_reads_a_handful_of_commits(repo: Repo, date: int, behind: int) -> None:
    trunk = repo.line((), 5_000, 1)
    head = repo.commit(trunk[-1 - behind], date=date)
    assert repo.relate(head, trunk[-1]) == History((trunk[-1 - behind],), (head,))
    assert len(repo.store.reads) < 30
    repo.store.reads.clear()
    assert is_ancestor(Objects(repo.store), trunk[-1], head) is (behind == 0)
    assert len(repo.store.reads) < 30
    merge = repo.commit(head, trunk[-1], date=date)
    assert repo.relate(merge, trunk[-1]) == History((trunk[-1],), (merge, head))
    assert len(repo.store.reads) < 30


@pytest.mark.parametrize("date", DATES.values(), ids=DATES)
def test_a_lying_trusted_tip_costs_no_more(repo: Repo, date: int) -> None:
    trunk = repo.line((), 5_000, 1)
    tip = repo.commit(trunk[-1], date=date)
    head = repo.commit(trunk[-1], date=6_000)
    assert repo.relate(head, tip) == History((trunk[-1],), (head,))
    assert len(repo.store.reads) < 30


def test_a_side_branch_that_was_merged_costs_its_own_length(repo: Repo) -> None:
    trunk = repo.line((), 2_000, 1)
    side = repo.line((trunk[1_900],), 5, 1_950)
    merged = repo.line((trunk[-1], side[-1]), 10, 2_001)
    head = repo.commit(trunk[-1], date=3_000)
    assert repo.relate(head, merged[-1]).new == (head,)
    assert len(repo.store.reads) < 150


def test_a_root_dated_into_the_future_is_not_new_when_it_is_old(repo: Repo) -> None:
    """The case that a walk by dates gets wrong: it takes the root for new before it has seen the old way to it."""
    root = repo.commit(date=MAX_DATE)
    trunk = repo.line((root,), 50, 1)
    head = repo.commit(trunk[-1], root, date=100)
    assert repo.relate(head, trunk[-1]) == History((trunk[-1],), (head,))


def test_many_new_roots_are_proven_in_batches(repo: Repo) -> None:
    trunk = repo.line((), 5, 1)
    roots = [repo.commit(date=n) for n in range(1_100)]
    head = repo.commit(trunk[-1], *roots, date=9)
    history = repo.relate(head, trunk[-1])
    assert history.bases == (trunk[-1],)
    assert set(history.new) == {head, *roots}


def test_more_new_commits_than_allowed(repo: Repo) -> None:
    trunk = repo.line((), 10, 1)
    assert len(repo.relate(trunk[-1], trunk[4], limit=5).new) == 5
    with pytest.raises(LimitExceeded, match=r"6 new commits.*limit: commits"):
        repo.relate(trunk[-1], trunk[3], limit=5)


def test_more_visits_than_allowed(repo: Repo) -> None:
    ours, theirs = repo.line((), 100, 1), repo.line((), 100, 1)
    with pytest.raises(LimitExceeded, match=r"50 commits.*limit: visits"):
        repo.relate(ours[-1], theirs[-1], visit_limit=50)
    with pytest.raises(LimitExceeded):
        is_ancestor(Objects(repo.store), theirs[-1], ours[-1], visit_limit=50)
    with pytest.raises(LimitExceeded):
        list(between(Objects(repo.store), theirs[-1], ours[-1], limit=50))


def test_a_shallow_clone_that_holds_the_merge_base_is_enough(repo: Repo) -> None:
    trunk = repo.line((), 10, 1)
    for lost in trunk[:5]:
        del repo.store.objects[lost]
    repo.store.cut = frozenset({trunk[5]})
    ours, theirs = repo.commit(trunk[7], date=20), repo.commit(trunk[7], date=21)
    assert repo.relate(ours, theirs) == History((trunk[7],), (ours,))
    assert is_ancestor(Objects(repo.store), trunk[6], ours)


@pytest.mark.parametrize("by_design", [True, False])
def test_a_shallow_clone_without_the_merge_base_is_no_verdict(repo: Repo, by_design: bool) -> None:
    trunk = repo.line((), 10, 1)
    ours, theirs = repo.commit(trunk[-1], date=20), repo.commit(trunk[2], date=21)
    for lost in trunk[:5]:
        del repo.store.objects[lost]
    if by_design:
        repo.store.cut = frozenset({trunk[5], theirs})
    with pytest.raises(MissingObject, match="shallow") as caught:
        repo.relate(ours, theirs)
    assert "fetch-depth: 0" in caught.value.fix
    with pytest.raises(MissingObject):
        is_ancestor(Objects(repo.store), theirs, ours)


def test_a_missing_trusted_commit_hides_what_is_new(repo: Repo) -> None:
    """The head reaches an old root in two ways, one of them through the commit that is missing."""
    root = repo.commit(date=1)
    trusted = repo.commit(root, date=2)
    head = repo.commit(trusted, root, date=3)
    del repo.store.objects[trusted]
    with pytest.raises(MissingObject, match=trusted.hex()):
        repo.relate(head, trusted)


def test_a_missing_merge_base_leaves_open_which_one_is_best(repo: Repo) -> None:
    """Of the two common ancestors the newer one descends from the older one, which cannot be seen without it."""
    old = repo.commit(date=1)
    base = repo.commit(old, date=2)
    ours, theirs = repo.commit(base, old, date=3), repo.commit(base, old, date=3)
    del repo.store.objects[base]
    with pytest.raises(MissingObject, match=base.hex()):
        repo.relate(ours, theirs)


def test_a_missing_head_is_missing(repo: Repo) -> None:
    trunk = repo.line((), 3, 1)
    for head, trusted in ((b"\xee" * 20, trunk[-1]), (trunk[-1], b"\xee" * 20)):
        with pytest.raises(MissingObject, match="ee" * 20):
            repo.relate(head, trusted)


def test_a_parent_that_is_no_commit_is_refused(repo: Repo) -> None:
    trunk = repo.line((), 3, 1)
    head = repo.store.commit(EMPTY, (trunk[-1], repo.store.put("blob", b"")))
    with pytest.raises(GatekeeperError, match="blob where a commit"):
        repo.relate(head, trunk[-1])
