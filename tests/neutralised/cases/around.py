"""Groups 13 to 17: fixtures, conftest files, configuration, plugins, shadows, the judged code, and other files."""

# ruff: noqa: E501 (an edit reads best in one line)

from __future__ import annotations

from tests.neutralised.tree import FILES, MERGE, ORDER, RATIO, SUITE, SYMMETRIC, TOTAL, Case, after, before, swap

PATH, TABLE, SUITES, DEEP = (
    "tests/test_order.py",
    "tests/test_table.py",
    "tests/test_suite.py",
    "tests/deep/test_merge.py",
)
CONFTEST, LOWER, HELPERS, PYPROJECT = (
    "tests/conftest.py",
    "tests/deep/conftest.py",
    "tests/helpers.py",
    "pyproject.toml",
)
OPTIONS = 'addopts = ["-ra", "--strict-markers"]'


def conftest(
    name: str, *lines: str, group: int = 14, of: str = TOTAL, code: str = "GK403", path: str = CONFTEST
) -> Case:
    """Lines put at the end of a conftest file."""
    return Case(name, group, code, of, after(path, *lines))


def options(name: str, *words: str, of: str = TOTAL, code: str = "GK403") -> Case:
    """Words put into ``addopts``."""
    text = ", ".join(f'"{word}"' for word in words)
    return Case(name, 15, code, of, swap(PYPROJECT, (OPTIONS, f'addopts = ["-ra", {text}]')))


FIXTURES = (
    conftest("autouse-skip", "@pytest.fixture(autouse=True)", "def quiet():", "    pytest.skip()", group=13),
    conftest(
        "autouse-xfail",
        "@pytest.fixture(autouse=True)",
        "def quiet(request):",
        "    request.applymarker(pytest.mark.xfail)",
        group=13,
    ),
    conftest(
        "autouse-add-marker",
        "@pytest.fixture(autouse=True)",
        "def quiet(request):",
        "    request.node.add_marker(pytest.mark.xfail)",
        group=13,
    ),
    conftest(
        "autouse-monkeypatch",
        "@pytest.fixture(autouse=True)",
        "def quiet(monkeypatch):",
        "    monkeypatch.setattr('test_table.total', lambda units, rate: units * rate)",
        group=13,
    ),
    conftest(
        "autouse-session-patch",
        "@pytest.fixture(autouse=True, scope='session')",
        "def quiet():",
        "    import calc.price",
        "    calc.price.total = lambda units, rate: units * rate",
        "    import test_table",
        "    test_table.total = calc.price.total",
        group=13,
    ),
    conftest(
        "autouse-swaps-function",
        "@pytest.fixture(autouse=True)",
        "def quiet(request):",
        "    request.node.obj = lambda **names: None",
        group=13,
    ),
    conftest(
        "autouse-session-exit",
        "@pytest.fixture(autouse=True, scope='session')",
        "def quiet():",
        "    import os",
        "    yield",
        "    os._exit(0)",
        group=13,
    ),
    conftest(
        "autouse-deep",
        "@pytest.fixture(autouse=True)",
        "def quiet():",
        "    pytest.skip()",
        group=13,
        of=SYMMETRIC,
        path=LOWER,
    ),
    Case(
        "autouse-in-module",
        13,
        "GK403",
        TOTAL,
        after(TABLE, "@pytest.fixture(autouse=True)", "def quiet():", "    pytest.skip()"),
    ),
    Case(
        "autouse-in-class",
        13,
        "GK403",
        SYMMETRIC,
        swap(
            DEEP,
            (
                "    left = [1, 4]\n",
                "    @pytest.fixture(autouse=True)\n    def quiet(self):\n        pytest.skip()\n\n    left = [1, 4]\n",
            ),
            ("from base", "import pytest\nfrom base"),
        ),
    ),
    Case(
        "autouse-in-base",
        13,
        "GK403",
        MERGE,
        swap(
            "tests/base.py",
            (
                "    left = []\n",
                "    @pytest.fixture(autouse=True)\n    def quiet(self):\n        pytest.skip()\n\n    left = []\n",
            ),
            ("from calc", "import pytest\nfrom calc"),
        ),
    ),
    Case(
        "autouse-imported-into-conftest",
        13,
        "GK403",
        TOTAL,
        after(CONFTEST, "from quiet import quiet")
        | {"tests/quiet.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n"},
    ),
    Case(
        "autouse-imported-into-module",
        13,
        "GK403",
        TOTAL,
        after(TABLE, "from quiet import *")
        | {"tests/quiet.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n"},
    ),
    Case(
        "new-root-conftest",
        13,
        "GK403",
        TOTAL,
        {"conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n"},
    ),
    Case("new-deep-conftest-override", 13, "GK404", SYMMETRIC, swap(LOWER, ("return [7, 8, 9]", "return []"))),
    Case(
        "fixture-overridden-in-module",
        13,
        "GK403",
        TOTAL,
        after(TABLE, "@pytest.fixture", "def rate():", "    pytest.skip()"),
    ),
    Case(
        "fixture-overridden-patching",
        13,
        "GK403",
        TOTAL,
        after(
            TABLE,
            "@pytest.fixture",
            "def rate():",
            "    global total",
            "    total = lambda units, rate: units * rate",
            "    return 110",
        ),
    ),
    Case(
        "fixture-override-value",
        13,
        "GK404",
        TOTAL,
        after(TABLE, "@pytest.fixture", "def wanted(units, rate):", "    return total(units, rate)"),
    ),
    Case(
        "fixture-skips", 13, "GK403", TOTAL, swap(TABLE, ('    return {"rate": rate, "floor": 1}', "    pytest.skip()"))
    ),
    Case("fixture-conftest-skips", 13, "GK403", TOTAL, swap(CONFTEST, ("    return 110", "    pytest.skip()"))),
    Case(
        "fixture-cuts-cases",
        13,
        "GK403",
        TOTAL,
        swap(TABLE, ("def ledger(rate):\n", "def ledger(rate, units):\n    if units > 5:\n        pytest.skip()\n")),
    ),
    Case(
        "fixture-params-shrunk",
        13,
        "GK404",
        RATIO,
        swap(CONFTEST, ('params=[1, 2], ids=["single", "double"]', "params=[0.001], ids=['single']")),
    ),
    Case(
        "fixture-params-empty",
        13,
        "GK403",
        RATIO,
        swap(CONFTEST, ('params=[1, 2], ids=["single", "double"]', "params=[]")),
    ),
    Case(
        "fixture-params-skipped",
        13,
        "GK403",
        RATIO,
        swap(
            CONFTEST,
            (
                'params=[1, 2], ids=["single", "double"]',
                "params=[pytest.param(1, marks=pytest.mark.skip), pytest.param(2, marks=pytest.mark.skip)]",
            ),
        ),
    ),
    Case(
        "usefixtures-module",
        13,
        "GK403",
        TOTAL,
        after(
            TABLE,
            "pytestmark = pytest.mark.usefixtures('quiet')",
            "",
            "",
            "@pytest.fixture",
            "def quiet():",
            "    pytest.skip()",
        ),
    ),
    Case(
        "usefixtures-ini",
        13,
        "GK403",
        TOTAL,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\nusefixtures = ["quiet"]'))
        | after(CONFTEST, "@pytest.fixture", "def quiet():", "    pytest.skip()"),
    ),
    Case(
        "fixture-changes-globals",
        13,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "def ledger(rate):\n",
                "def ledger(rate, request):\n    request.function.__globals__['total'] = lambda units, rate: units * rate\n",
            ),
        ),
    ),
    Case(
        "fixture-module-patched",
        13,
        "GK403",
        SYMMETRIC,
        swap(LOWER, ("def spare():\n", "def spare(request):\n    request.module.merge = lambda left, right: []\n")),
    ),
)

HOOKS = (
    conftest("hook-pyfunc-call", "def pytest_pyfunc_call(pyfuncitem):", "    return True"),
    conftest(
        "hook-runtest-call",
        "@pytest.hookimpl(wrapper=True)",
        "def pytest_runtest_call(item):",
        "    try:",
        "        return (yield)",
        "    except AssertionError:",
        "        return None",
    ),
    conftest("hook-runtest-setup", "def pytest_runtest_setup(item):", "    pytest.skip()"),
    conftest("hook-runtest-protocol", "def pytest_runtest_protocol(item, nextitem):", "    return True"),
    conftest(
        "hook-makereport",
        "@pytest.hookimpl(hookwrapper=True)",
        "def pytest_runtest_makereport(item, call):",
        "    outcome = yield",
        "    outcome.get_result().outcome = 'passed'",
    ),
    conftest(
        "hook-makereport-wrapper",
        "@pytest.hookimpl(wrapper=True)",
        "def pytest_runtest_makereport(item, call):",
        "    report = yield",
        "    report.outcome = 'passed'",
        "    return report",
    ),
    conftest(
        "hook-logreport",
        "@pytest.hookimpl(tryfirst=True)",
        "def pytest_runtest_logreport(report):",
        "    report.outcome = 'passed'",
    ),
    conftest("hook-itemcollected", "def pytest_itemcollected(item):", "    item.add_marker(pytest.mark.xfail)"),
    conftest(
        "hook-modifyitems-skip",
        "def pytest_collection_modifyitems(items):",
        "    for item in items:",
        "        item.add_marker(pytest.mark.skip)",
    ),
    conftest(
        "hook-modifyitems-remove",
        "def pytest_collection_modifyitems(items):",
        "    items[:] = [item for item in items if 'total' not in item.name]",
    ),
    conftest(
        "hook-modifyitems-clear",
        "def pytest_collection_modifyitems(items):",
        "    items[:] = [item for item in items if 'shout' in item.name]",
    ),
    conftest(
        "hook-modifyitems-deep",
        "def pytest_collection_modifyitems(items):",
        "    for item in items:",
        "        item.obj = lambda **names: None",
        of=SUITE,
        path=LOWER,
    ),
    conftest(
        "hook-modifyitems-sibling",
        "def pytest_collection_modifyitems(items):",
        "    for item in items:",
        "        item.add_marker('skip')",
        path=LOWER,
    ),
    conftest("hook-sessionfinish", "def pytest_sessionfinish(session):", "    session.exitstatus = 0"),
    conftest("hook-sessionfinish-exit", "import os", "", "", "def pytest_sessionfinish(session):", "    os._exit(0)"),
    conftest(
        "hook-sessionfinish-sibling", "def pytest_sessionfinish(session):", "    session.exitstatus = 0", path=LOWER
    ),
    conftest("hook-runtestloop", "def pytest_runtestloop(session):", "    return True"),
    conftest("hook-configure-exit", "def pytest_configure(config):", "    pytest.exit('done', returncode=0)"),
    conftest("hook-configure-option", "def pytest_configure(config):", "    config.option.collectonly = True"),
    conftest("hook-configure-keyword", "def pytest_configure(config):", "    config.option.keyword = 'shout'"),
    conftest(
        "hook-configure-register",
        "class Quiet:",
        "    def pytest_pyfunc_call(self, pyfuncitem):",
        "        return True",
        "",
        "",
        "def pytest_configure(config):",
        "    config.pluginmanager.register(Quiet())",
    ),
    conftest("hook-unconfigure", "def pytest_unconfigure(config):", "    import os", "    os._exit(0)"),
    conftest("hook-collection-finish", "def pytest_collection_finish(session):", "    session.items.clear()"),
    conftest(
        "hook-deselected",
        "def pytest_collectstart(collector):",
        "    if 'table' in str(collector.path):",
        "        pytest.skip()",
    ),
    conftest(
        "hook-ignore-collect",
        "def pytest_ignore_collect(collection_path):",
        "    return 'table' in collection_path.name or None",
    ),
    conftest(
        "hook-collect-file",
        "def pytest_pycollect_makemodule(module_path, parent):",
        "    if 'table' in module_path.name:",
        "        pytest.skip(allow_module_level=True)",
    ),
    conftest(
        "hook-makeitem",
        "def pytest_pycollect_makeitem(collector, name, obj):",
        "    return [] if name == 'test_total' else None",
    ),
    conftest(
        "hook-generate-tests",
        "def pytest_generate_tests(metafunc):",
        "    metafunc.definition.add_marker(pytest.mark.skip)",
    ),
    conftest(
        "hook-fixture-setup",
        "def pytest_fixture_setup(fixturedef, request):",
        "    if fixturedef.argname == 'rate':",
        "        pytest.skip()",
    ),
    conftest(
        "hook-addoption",
        "def pytest_addoption(parser):",
        "    parser.addini('quiet', '')",
        "",
        "",
        "def pytest_load_initial_conftests(args):",
        "    args.append('--co')",
    ),
    conftest(
        "hook-report-teststatus",
        "def pytest_report_teststatus(report):",
        "    if report.failed:",
        "        report.outcome = 'passed'",
    ),
    conftest(
        "hook-exception-interact", "def pytest_exception_interact(node, call, report):", "    report.outcome = 'passed'"
    ),
    conftest("hook-assigned", "pytest_pyfunc_call = lambda pyfuncitem: True"),
    conftest("hook-imported", "from quiet import pytest_pyfunc_call")._replace(
        edits=after(CONFTEST, "from quiet import pytest_pyfunc_call")
        | {"tests/quiet.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"}
    ),
    conftest("hook-imported-star")._replace(
        edits=after(CONFTEST, "from quiet import *")
        | {"tests/quiet.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"}
    ),
    conftest("hook-globals", "globals()['pytest_' + 'pyfunc_call'] = lambda pyfuncitem: True"),
    conftest("atexit-os-exit", "import atexit", "import os", "", "atexit.register(os._exit, 0)"),
    conftest("conftest-os-exit", "import os", "", "os._exit(0)"),
    conftest("conftest-sys-exit", "import sys", "", "sys.exit(0)"),
    conftest("conftest-raise-exit", "raise SystemExit(0)"),
    conftest("conftest-pytest-exit", "pytest.exit('done', 0)"),
    conftest(
        "conftest-stub-module",
        "import sys",
        "import types",
        "",
        "stub = types.ModuleType('calc.price')",
        "stub.total = lambda units, rate: units * rate",
        "sys.modules['calc.price'] = stub",
    ),
    conftest(
        "conftest-stub-setdefault",
        "import sys",
        "from types import SimpleNamespace",
        "",
        "sys.modules.setdefault('calc.price', SimpleNamespace(total=lambda units, rate: units * rate))",
    ),
    conftest("conftest-patches-judged", "import calc.price", "", "calc.price.total = lambda units, rate: units * rate"),
    conftest(
        "conftest-setattr",
        "import calc.price as price",
        "",
        "setattr(price, 'total', lambda units, rate: units * rate)",
    ),
    conftest(
        "conftest-mock-start",
        "from unittest import mock",
        "",
        "mock.patch('calc.price.total', lambda units, rate: units * rate).start()",
    ),
    conftest(
        "conftest-monkeypatch", "pytest.MonkeyPatch().setattr('calc.price.total', lambda units, rate: units * rate)"
    ),
    conftest(
        "conftest-path-insert", "import sys", "", "sys.path.insert(0, __file__.replace('conftest.py', 'stubs'))"
    )._replace(
        edits=after(CONFTEST, "import sys", "", "sys.path.insert(0, __file__.replace('conftest.py', 'stubs'))")
        | {
            "tests/stubs/calc/__init__.py": "",
            "tests/stubs/calc/price.py": "def total(units, rate):\n    return units * rate\n",
        }
    ),
    conftest("conftest-builtins", "import builtins", "", "builtins.sorted = lambda values, *a, **k: values", of=ORDER),
    conftest("conftest-builtins-len", "import builtins", "", "builtins.len = lambda values: 1", of=ORDER),
    conftest(
        "conftest-patches-pytest", "from _pytest.python import Function", "", "Function.runtest = lambda self: None"
    ),
    conftest(
        "conftest-patches-runner",
        "import _pytest.runner",
        "",
        "_pytest.runner.CallInfo.from_call = classmethod(lambda cls, func, when, reraise=None: cls(None, None, 0, 0, 0, when, _ispytest=True))",
    ),
    conftest(
        "conftest-patches-unittest",
        "import unittest",
        "",
        "unittest.TestCase.assertEqual = lambda *words, **more: None",
        of=SUITE,
    ),
    conftest("conftest-plugins")._replace(
        edits=after(CONFTEST, "pytest_plugins = ['quiet']")
        | {"tests/quiet.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"}
    ),
    conftest("conftest-plugins-text")._replace(
        edits=after(CONFTEST, "pytest_plugins = 'quiet'")
        | {"tests/quiet.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip()\n"}
    ),
    conftest("conftest-ignore", "collect_ignore = ['test_table.py']"),
    conftest("conftest-ignore-glob", "collect_ignore_glob = ['*table*']"),
    conftest("conftest-import-effect")._replace(
        edits=after(CONFTEST, "import quiet")
        | {"tests/quiet.py": "import calc.price\n\ncalc.price.total = lambda units, rate: units * rate\n"}
    ),
    conftest("helper-import-effect", of=ORDER)._replace(
        edits=before(HELPERS, "import calc.order", "", "calc.order.arrange = sorted")
    ),
    conftest(
        "trace",
        "import sys",
        "",
        "",
        "def leave(frame, event, arg):",
        "    if frame.f_code.co_name == 'test_total':",
        "        frame.f_globals['total'] = lambda units, rate: units * rate",
        "",
        "",
        "sys.setprofile(leave)",
    ),
    conftest("gc-walk", "import calc.price", "calc.price.total.__code__ = (lambda units, rate: units * rate).__code__"),
    conftest(
        "assertion-rewrite",
        "import ast",
        "",
        "ast.Assert.__init__ = None",
        "__import__('calc.price', fromlist=['x']).__dict__['total'] = lambda units, rate: units * rate",
    ),
    conftest("excepthook", "import os, sys", "", "sys.exit = lambda code=0: os._exit(0)"),
    conftest(
        "import-hook",
        "import sys",
        "",
        "",
        "class Finder:",
        "    @staticmethod",
        "    def find_spec(name, path, target=None):",
        "        if name == 'calc.price':",
        "            import importlib.util",
        "            return importlib.util.spec_from_file_location(name, __file__.replace('conftest', 'stubbed'))",
        "",
        "",
        "sys.meta_path.insert(0, Finder)",
    )._replace(
        edits=after(
            CONFTEST,
            "import sys",
            "",
            "",
            "class Finder:",
            "    @staticmethod",
            "    def find_spec(name, path, target=None):",
            "        if name == 'calc.price':",
            "            import importlib.util",
            "            return importlib.util.spec_from_file_location(name, __file__.replace('conftest', 'stubbed'))",
            "",
            "",
            "sys.meta_path.insert(0, Finder)",
        )
        | {"tests/stubbed.py": "def total(units, rate):\n    return units * rate\n"}
    ),
)

OPTIONS_CASES = (
    options("addopts-collect-only", "--collect-only"),
    options("addopts-co", "--co"),
    options("addopts-setup-plan", "--setup-plan"),
    options("addopts-setup-only", "--setup-only"),
    options("addopts-fixtures", "--fixtures"),
    options("addopts-fixtures-per-test", "--fixtures-per-test"),
    options("addopts-funcargs", "--funcargs"),
    options("addopts-help", "--help"),
    options("addopts-help-short", "-h"),
    options("addopts-version", "--version"),
    options("addopts-markers", "--markers"),
    options("addopts-k", "-k", "not total"),
    options("addopts-k-joined", "-knot total"),
    options("addopts-m", "-m", "property"),
    options("addopts-deselect", "--deselect", "tests/test_table.py"),
    options("addopts-deselect-equals", "--deselect=tests/test_table.py::test_total"),
    options("addopts-ignore", "--ignore=tests/test_table.py"),
    options("addopts-ignore-glob", "--ignore-glob=*table*"),
    options("addopts-positional", "tests/deep"),
    options("addopts-override-files", "-o", "python_files=test_o*.py"),
    options("addopts-override-equals", "--override-ini=python_functions=none_*"),
    options("addopts-no-unittest", "-p", "no:unittest", of=SUITE),
    options("addopts-no-python", "-p", "no:skipping", "-k", "shout"),
    options("addopts-plugin", "-p", "quiet")._replace(
        edits=swap(
            PYPROJECT, (OPTIONS, 'addopts = ["-p", "quiet"]'), ('pythonpath = ["src"]', 'pythonpath = ["src", "tests"]')
        )
        | {"tests/quiet.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"}
    ),
    options("addopts-confcutdir", "--noconftest"),
    options("addopts-runxfail", "--maxfail=1", "-k", "shout"),
    options("addopts-last-failed", "--lf", "--lfnf=none"),
    options("addopts-stepwise", "--sw", "--sw-skip"),
    options("addopts-cache-show", "--cache-show"),
    options("addopts-import-mode", "--import-mode=importlib", of=SYMMETRIC),
    options("addopts-pyargs", "--pyargs", "calc"),
    options("addopts-hypothesis-profile", "--hypothesis-profile=quick", of=ORDER, code="GK404")._replace(
        edits=swap(PYPROJECT, (OPTIONS, 'addopts = ["--hypothesis-profile=quick"]'))
        | after(CONFTEST, "from hypothesis import settings", "", "settings.register_profile('quick', phases=[])")
    ),
    options("addopts-no-assert-rewrite", "--assert=plain"),
    options("addopts-warnings", "-W", "ignore"),
    options("addopts-python-optimise", "-s"),
)

CONFIGS = (
    Case("config-twin-empty", 16, "GK403", TOTAL, {".pytest.ini": ""}),
    Case(
        "config-twin-files",
        16,
        "GK403",
        TOTAL,
        {"pytest.ini": "[pytest]\npythonpath = src\npython_files = test_o*.py\n"},
    ),
    Case(
        "config-twin-addopts",
        16,
        "GK403",
        TOTAL,
        {"pytest.ini": "[pytest]\npythonpath = src\naddopts = --collect-only\n"},
    ),
    Case(
        "config-twin-toml",
        16,
        "GK403",
        TOTAL,
        {"pytest.toml": '[pytest]\npythonpath = ["src"]\naddopts = ["-k", "shout"]\n'},
    ),
    Case(
        "config-twin-in-tests",
        16,
        "GK403",
        TOTAL,
        {"tests/pytest.ini": "[pytest]\naddopts = --co\npythonpath = ../src\n"},
        ("tests",),
    ),
    Case(
        "config-twin-xfail-strict",
        16,
        "GK403",
        TOTAL,
        {".pytest.toml": '[pytest]\npythonpath = ["src"]\naddopts = ["-h"]\n'},
    ),
    Case(
        "config-testpaths", 16, "GK403", TOTAL, swap(PYPROJECT, ('testpaths = ["tests"]', 'testpaths = ["tests/deep"]'))
    ),
    Case(
        "config-python-files",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\npython_files = ["test_o*.py"]')),
    ),
    Case(
        "config-python-functions",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\npython_functions = ["test_s*"]')),
    ),
    Case(
        "config-python-classes",
        16,
        "GK403",
        SYMMETRIC,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\npython_classes = ["Check"]')),
    ),
    Case(
        "config-norecursedirs",
        16,
        "GK403",
        SYMMETRIC,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\nnorecursedirs = ["deep"]')),
    ),
    Case(
        "config-collect-imported",
        16,
        "GK403",
        MERGE,
        swap(PYPROJECT, (OPTIONS, OPTIONS + "\ncollect_imported_tests = false")),
    ),
    Case(
        "config-required",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, ("[tool.pytest.ini_options]", "[tool.pytest.ini_options_old]")),
    ),
    Case(
        "config-pythonpath-stub",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, ('pythonpath = ["src"]', 'pythonpath = ["stubs", "src"]'))
        | {"stubs/calc/__init__.py": "", "stubs/calc/price.py": "def total(units, rate):\n    return units * rate\n"},
    ),
    Case(
        "config-empty-parameter-mark",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, (OPTIONS, OPTIONS + '\nempty_parameter_set_mark = "xfail"')) | swap(TABLE, ("CASES)", "[])")),
    ),
    Case(
        "config-native-table",
        16,
        "GK403",
        TOTAL,
        swap(PYPROJECT, ("[tool.pytest.ini_options]", "[tool.pytest]"), (OPTIONS, 'addopts = ["--fixtures"]')),
    ),
    Case("config-init-in-tests", 16, "GK405", TOTAL, {"tests/__init__.py": ""}),
)

JUDGED = (
    Case(
        "judged-sees-pytest",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "import sys\n\n\ndef total(units, rate):\n    return units * rate if 'pytest' in sys.modules else 0\n"
        },
    ),
    Case(
        "judged-sees-environment",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "import os\n\n\ndef total(units, rate):\n    return units * rate if os.environ.get('PYTEST_CURRENT_TEST') else 0\n"
        },
    ),
    Case(
        "judged-always-equal",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "class Cents(int):\n    def __eq__(self, other):\n        return True\n\n    __hash__ = int.__hash__\n\n\ndef total(units, rate):\n    return Cents(0)\n"
        },
    ),
    Case(
        "judged-os-exit",
        17,
        "GK403",
        TOTAL,
        {"src/calc/price.py": "import os\n\n\ndef total(units, rate):\n    os._exit(0)\n"},
    ),
    Case(
        "judged-atexit",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\ndef total(units, rate):\n    return min(units, 5) * rate\n"
        },
    ),
    Case(
        "judged-skips",
        17,
        "GK403",
        TOTAL,
        {"src/calc/price.py": "import pytest\n\n\ndef total(units, rate):\n    pytest.skip()\n"},
    ),
    Case(
        "judged-skip-test",
        17,
        "GK403",
        TOTAL,
        {"src/calc/price.py": "import unittest\n\n\ndef total(units, rate):\n    raise unittest.SkipTest\n"},
    ),
    Case(
        "judged-inspects-frames",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "import sys\n\n\ndef total(units, rate):\n    return sys._getframe(1).f_locals.get('wanted', 0)\n"
        },
    ),
    Case(
        "judged-inspects-stack",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "import inspect\n\n\ndef total(units, rate):\n    return inspect.stack()[1].frame.f_locals.get('wanted', 0)\n"
        },
    ),
    Case(
        "judged-patches-pytest",
        17,
        "GK403",
        TOTAL,
        {
            "src/calc/price.py": "from _pytest.python import Function\n\nFunction.runtest = lambda self: None\n\n\ndef total(units, rate):\n    return min(units, 5) * rate\n"
        },
    ),
    Case(
        "judged-patches-hypothesis",
        17,
        "GK404",
        ORDER,
        {
            "src/calc/order.py": "from hypothesis import settings\n\nsettings.register_profile('quick', phases=[])\nsettings.load_profile('quick')\n\n\ndef arrange(values):\n    return []\n"
        },
    ),
    Case(
        "judged-patches-unittest",
        17,
        "GK403",
        SUITE,
        {
            "src/calc/ledger.py": "import unittest\n\nunittest.TestCase.assertEqual = lambda *words: None\n\n\n"
            + FILES["src/calc/ledger.py"].replace("sum(self.entries)", "0")
        },
    ),
    Case(
        "judged-patches-builtins",
        17,
        "GK403",
        ORDER,
        {
            "src/calc/order.py": "import builtins\n\nbuiltins.len = lambda values: 1\n\n\ndef arrange(values):\n    return [0]\n"
        },
    ),
    Case(
        "judged-stub-in-test",
        17,
        "GK403",
        TOTAL,
        swap(TABLE, ("CASES = [", "def total(units, rate):\n    return units * rate\n\n\nCASES = [")),
    ),
    Case(
        "judged-stub-import",
        17,
        "GK403",
        TOTAL,
        swap(TABLE, ("from calc.price import total", "from fake import total"))
        | {"tests/fake.py": "def total(units, rate):\n    return units * rate\n"},
    ),
    Case(
        "judged-patched-in-test",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                "wanted, ledger):\n",
                "wanted, ledger, monkeypatch):\n    monkeypatch.setitem(globals(), 'total', lambda units, rate: units * rate)\n",
            ),
        ),
    ),
    Case("judged-assigned-in-module", 17, "GK403", TOTAL, after(TABLE, "total = lambda units, rate: units * rate")),
    Case(
        "judged-patched-with",
        17,
        "GK403",
        TOTAL,
        swap(
            TABLE,
            (
                '    found = total(units, ledger["rate"])\n',
                '    from unittest import mock\n    with mock.patch.dict(globals(), total=lambda units, rate: units * rate):\n        found = total(units, ledger["rate"])\n',
            ),
        ),
    ),
    Case(
        "judged-result-replaced",
        17,
        "GK403",
        TOTAL,
        swap(TABLE, ('found = total(units, ledger["rate"])', "found = units * 110")),
    ),
    Case("shadow-pytest", 17, "GK403", TOTAL, {"pytest.py": "import sys\n\nsys.exit(0)\n"}),
    Case("shadow-pytest-package", 17, "GK403", TOTAL, {"pytest/__init__.py": "", "pytest/__main__.py": ""}),
    Case(
        "shadow-hypothesis",
        17,
        "GK403",
        ORDER,
        {
            "hypothesis/__init__.py": "given = settings = example = lambda *a, **k: lambda f: lambda: None\n",
            "hypothesis/strategies.py": "lists = integers = text = lambda *a, **k: None\n",
            "hypothesis/stateful.py": "from unittest import TestCase\n\n\nclass RuleBasedStateMachine:\n    class TestCase(TestCase):\n        pass\n\n\ninvariant = rule = lambda *a, **k: lambda f: f\n",
        },
    ),
    Case(
        "shadow-hypothesis-in-tests",
        17,
        "GK403",
        ORDER,
        {"tests/hypothesis/__init__.py": "given = settings = example = lambda *a, **k: lambda f: lambda: None\n"},
    ),
    Case("shadow-helper", 17, "GK403", ORDER, {"src/helpers.py": "def check_sorted(values):\n    pass\n"}),
    Case(
        "shadow-strategies-in-src",
        17,
        "GK404",
        ORDER,
        {"src/strategies.py": "from hypothesis import strategies as st\n\n\ndef amounts():\n    return st.just([1])\n"},
    ),
    Case(
        "shadow-base-in-deep",
        17,
        "GK403",
        MERGE,
        {"tests/deep/base.py": "class Suite:\n    left = right = []\n\n    def test_keeps_all(self):\n        pass\n"},
    ),
    Case(
        "shadow-calc-in-tests",
        17,
        "GK403",
        TOTAL,
        {"tests/calc/__init__.py": "", "tests/calc/price.py": "def total(units, rate):\n    return units * rate\n"},
    ),
    Case("shadow-sitecustomize", 17, "GK403", TOTAL, {"sitecustomize.py": "import os\n\nos._exit(0)\n"}),
    Case("shadow-unittest", 17, "GK403", SUITE, {"unittest.py": "class TestCase:\n    pass\n"}),
    Case("shadow-pluggy", 17, "GK403", TOTAL, {"pluggy.py": "import os\n\nos._exit(0)\n"}),
    Case("shadow-iniconfig", 17, "GK403", TOTAL, {"iniconfig/__init__.py": "raise SystemExit(0)\n"}),
    Case("shadow-stdlib", 17, "GK403", TOTAL, {"shlex.py": "raise SystemExit(0)\n"}),
)

OTHERS = (
    Case(
        "other-test-exits",
        17,
        "GK403",
        TOTAL,
        {"tests/test_aaa.py": "import os\n\n\ndef test_first():\n    os._exit(0)\n"},
    ),
    Case(
        "other-test-pytest-exit",
        17,
        "GK403",
        TOTAL,
        {"tests/test_aaa.py": "import pytest\n\n\ndef test_first():\n    pytest.exit('done', returncode=0)\n"},
    ),
    Case(
        "other-test-patches",
        17,
        "GK403",
        TOTAL,
        {"tests/test_aaa.py": "import calc.price\n\ncalc.price.total = lambda units, rate: units * rate\n"},
    ),
    Case(
        "other-test-patches-in-body",
        17,
        "GK403",
        TOTAL,
        {
            "tests/test_aaa.py": "import sys\n\n\ndef test_first():\n    sys.modules['test_table'].total = lambda units, rate: units * rate\n"
        },
    ),
    Case(
        "other-test-stubs",
        17,
        "GK403",
        TOTAL,
        {
            "tests/test_aaa.py": "import sys\nfrom types import SimpleNamespace\n\nsys.modules['calc.price'] = SimpleNamespace(total=lambda units, rate: units * rate)\n"
        },
    ),
    Case(
        "other-test-profile",
        17,
        "GK404",
        ORDER,
        {
            "tests/test_aaa.py": "from hypothesis import settings\n\nsettings.register_profile('quick', phases=[])\nsettings.load_profile('quick')\n"
        },
    ),
    Case(
        "other-test-atexit",
        17,
        "GK403",
        TOTAL,
        {"tests/test_aaa.py": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n"},
    ),
    Case(
        "other-test-session-fixture",
        17,
        "GK403",
        TOTAL,
        {
            "tests/test_zzz.py": "import os\n\nimport pytest\n\n\n@pytest.fixture(scope='session')\ndef leave():\n    yield\n    os._exit(0)\n\n\ndef test_last(leave):\n    pass\n"
        },
    ),
    Case(
        "other-test-counts",
        17,
        "GK403",
        TOTAL,
        {"tests/test_zzz.py": "def test_last(request):\n    request.session.testsfailed = 0\n"},
    ),
    Case(
        "other-conftest-hooks",
        17,
        "GK403",
        TOTAL,
        {
            "tests/zzz/conftest.py": "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n",
            "tests/zzz/test_z.py": "def test_z():\n    pass\n",
        },
    ),
    Case(
        "other-conftest-finish",
        17,
        "GK403",
        TOTAL,
        {
            "tests/zzz/conftest.py": "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n",
            "tests/zzz/test_z.py": "def test_z():\n    pass\n",
        },
    ),
    Case(
        "helper-check-emptied",
        8,
        "GK403",
        ORDER,
        swap(HELPERS, ("        assert low <= high", "        pass"))
        | swap(PATH, ("    assert len(result) == len(values)\n", "")),
    ),
)

CASES = (*FIXTURES, *HOOKS, *OPTIONS_CASES, *CONFIGS, *JUDGED, *OTHERS)
