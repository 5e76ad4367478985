"""Has real pytest collect many small trees: ``PYTHON driver.py JOBS ANSWERS``, both JSON.

A job is ``{"root", "cwd", "args", "addopts"}``. Interpreters with any pytest since 7.4 run this: it imports nothing of
ours. Every tree is collected in a fork of its own: what is imported for one is not there for the next, and what pytest
itself takes to start is paid once.
"""

from __future__ import annotations

import gc
import json
import os
import sys

import hypothesis  # noqa: F401  # what trees import, once for all of them
import pytest

sys.dont_write_bytecode = True
IDLE = """
cacheprovider unraisableexception threadexception faulthandler junitxml pastebin setuponly setupplan logging debugging
"""
"""Plugins that have no say in what is collected, and cost more than a small tree does."""
OPTIONS = ["--collect-only", "-q", *(word for name in IDLE.split() for word in ("-p", f"no:{name}"))]


class Reporter:
    """A plugin that keeps what a session collected."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []
        self.errors: list[str] = []
        self.skipped: list[str] = []
        self.root: str = ""
        self.config: str | None = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            (self.errors if report.outcome == "failed" else self.skipped).append(report.nodeid)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            name, node = getattr(item, "originalname", None), item.nodeid
            if name and "[" in item.name and item.parent is not None:
                node = f"{item.parent.nodeid}::{name}"
            self.rows.append((node, item.nodeid))

    def pytest_configure(self, config: pytest.Config) -> None:
        self.root, self.config = str(config.rootpath), str(config.inipath) if config.inipath else None


def collect(root: str, cwd: str, args: list[str], addopts: str) -> dict[str, object]:
    """Collect one tree in this process."""
    reporter = Reporter()
    os.environ["PYTEST_ADDOPTS"] = addopts
    os.chdir(os.path.join(root, cwd))
    code = pytest.main([*OPTIONS, *args], plugins=[reporter])
    root = os.path.realpath(root)
    return {
        "code": int(code),
        "rows": reporter.rows,
        "errors": reporter.errors,
        "skipped": reporter.skipped,
        "rootdir": os.path.relpath(reporter.root, root) if reporter.root else None,
        "config": os.path.relpath(reporter.config, root) if reporter.config else None,
    }


def apart(job: dict[str, object], place: str) -> dict[str, object]:
    """Collect one tree in a fork; what it prints is kept for a person."""
    child = os.fork()
    if not child:
        with open(place + ".log", "w", encoding="utf-8", errors="backslashreplace") as log:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            try:
                with open(place, "w", encoding="utf-8", errors="surrogatepass") as file:
                    json.dump(collect(**job), file)  # type: ignore[arg-type]
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(0)
    os.waitpid(child, 0)
    with open(place, encoding="utf-8", errors="surrogatepass") as file:
        text = file.read()
    with open(place + ".log", encoding="utf-8") as log:
        return {**(json.loads(text) if text else {"code": -1}), "log": log.read()}


def main() -> None:
    """Do all jobs."""
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    pytest.main([*OPTIONS, os.devnull])  # imports all that pytest is, before the first fork
    gc.freeze()
    answers = [apart(job, f"{sys.argv[2]}.{number}") for number, job in enumerate(jobs)]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(answers, file)


if __name__ == "__main__":
    main()
