"""The cache never decides anything: what it lacks or holds damaged is made again."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from gatekeeper.source.cache import Cache

if TYPE_CHECKING:
    from pathlib import Path

KEY = "ab" * 20 + "-surface-1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def entry(folder: Path) -> Path:
    (found,) = (path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")
    return found


def test_what_is_put_is_got(folder: Path) -> None:
    cache = Cache(os.fsencode(folder))
    assert cache.get(KEY) is None
    cache.put(KEY, b"value" * 1000)
    assert cache.get(KEY) == b"value" * 1000
    assert Cache(os.fsencode(folder)).get(KEY) == b"value" * 1000


def test_a_damaged_entry_is_absent(folder: Path) -> None:
    cache = Cache(os.fsencode(folder))
    cache.put(KEY, bytes(range(256)) * 8)
    whole = entry(folder).read_bytes()
    for place in range(0, len(whole), 7):
        entry(folder).write_bytes(whole[:place])
        assert cache.get(KEY) is None
        entry(folder).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.get(KEY) is None
    entry(folder).write_bytes(whole)
    assert cache.get(KEY) is not None


def test_an_entry_under_another_name_is_absent(folder: Path) -> None:
    cache = Cache(os.fsencode(folder))
    cache.put(KEY, b"value")
    other = "ab" * 20 + "-surface-2"
    entry(folder).rename(entry(folder).with_name(other))
    assert cache.get(other) is None


def test_links_and_other_files_are_absent(folder: Path, tmp_path: Path) -> None:
    cache = Cache(os.fsencode(folder))
    cache.put(KEY, b"value")
    path = entry(folder)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert cache.get(KEY) is None
    path.unlink()
    path.mkdir()
    assert cache.get(KEY) is None
    path.rmdir()
    os.mkfifo(path)
    assert cache.get(KEY) is None


def test_a_place_that_cannot_be_written_costs_nothing(folder: Path) -> None:
    folder.write_bytes(b"a file where the directory should be")
    cache = Cache(os.fsencode(folder))
    cache.put(KEY, b"value")
    assert cache.get(KEY) is None


@pytest.mark.parametrize("key", ["../x", "a/b", ".lock", "a\0b", "ab\n"])
def test_a_key_is_never_a_path(folder: Path, key: str) -> None:
    with pytest.raises(ValueError, match="no key"):
        Cache(os.fsencode(folder)).get(key)


def test_the_oldest_entries_go(folder: Path) -> None:
    cache = Cache(os.fsencode(folder))
    keys = [f"{number:02x}" * 20 for number in range(10)]
    for age, key in enumerate(keys):
        cache.put(key, os.urandom(1000))
        path = next(folder.rglob(key))
        os.utime(path, (age, age))
    size = path.stat().st_size
    assert cache.prune(limit=4 * size + 10) == 6
    assert [cache.get(key) is not None for key in keys] == [False] * 6 + [True] * 4
    assert cache.prune(limit=4 * size + 10) == 0


def test_writers_at_the_same_time_leave_whole_entries(folder: Path) -> None:
    values = [bytes([number]) * 50_000 for number in range(4)]
    seen: list[bytes | None] = []

    def write(value: bytes) -> None:
        cache = Cache(os.fsencode(folder))
        for _ in range(30):
            cache.put(KEY, value)
            seen.append(cache.get(KEY))

    threads = [threading.Thread(target=write, args=(value,)) for value in values]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert None not in seen
    assert set(seen) <= set(values)
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 1
