# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The options and fixtures of all tests, and the count of their results.

A test has one result, its own, or those that it adds to the fixture "results":
one for each case of a program.  Both are counted the same, and the run ends
with the totals.
"""

import json
import os
import pathlib
import time

import pytest
from tests.runners import comparison, devices, mesa, tap
from tests.runners.builds import built
from tests.runners.totals import Totals


def pytest_addoption(parser):
    group = parser.getgroup("Pitot")
    group.addoption("--build", metavar="DIR", type=os.path.abspath,
                    help="a build of Pitot with its tests (default: the one "
                         "of tests/run)")
    group.addoption("--all", action="store_true",
                    help="what differs seldom, too: all GPUs and contexts")
    group.addoption("--driver", action="append", choices=devices.drivers(),
                    default=[], help="a driver; may be repeated")
    group.addoption("--gpu", action="append", default=[],
                    choices=[gpu.gpu for gpu in devices.simulated()],
                    help="a simulated GPU, in place of all of its driver's; "
                         "may be repeated")
    group.addoption("--machine", metavar="DRIVER[:GPU]",
                    help="this computer's GPU by this driver, and by its name "
                         "if it is simulated, in place of all others")
    group.addoption("--launcher", default=mesa.RUN, metavar="PROGRAM",
                    help="the program that starts others on Mesa, called as "
                         "PROGRAM --driver D [--gpu G] [--stock] COMMAND... "
                         "(default: src/mesa/run)")
    group.addoption("--stock", action="store_true",
                    help="take Mesa without Pitot for fault and model, to "
                         "compare")
    group.addoption("--for", type=int, default=0, dest="seconds",
                    metavar="SECONDS",
                    help="fault, fuzz, model and thread work for so long, on "
                         "other inputs in each run")
    group.addoption("--seed", type=int, help="the first of these inputs")
    group.addoption("--regex", metavar="RE",
                    help="piglit runs the tests whose name matches in place "
                         "of the query tests")
    group.addoption("--deqp", action="append", metavar="BUILD", default=[],
                    type=os.path.abspath,
                    help="a build of VK-GL-CTS for deqp, or a program of it; "
                         "may be repeated")
    group.addoption("--cases", action="append", metavar="PATTERN",
                    default=[],
                    help="deqp runs these cases in place of those about "
                         "queries, as dEQP-GLES3.functional.fbo; '*' matches "
                         "anything; may be repeated")
    group.addoption("--details", metavar="FILE",
                    help="write each result to a file, one of JSON a line")


def parametrize(metafunc, names, found):
    """Parametrizes a test of devices, of which the options may choose none:
    of all tests of a run, they must choose some."""
    options = metafunc.config.option
    metafunc.config.fits |= bool(found)
    if not found and (options.driver or options.gpu or options.machine):
        found = [pytest.param(*[None] * len(names), id="none",
                              marks=pytest.mark.of_other_devices)]
    metafunc.parametrize(names, found)


def pytest_generate_tests(metafunc):
    marker = metafunc.definition.get_closest_marker("devices")
    if marker:
        parametrize(metafunc, ["device"], [
            pytest.param(device, id=device.file_name()) for device in
            devices.chosen(metafunc.config.option, *marker.args)])


def pytest_collection_modifyitems(config, items):
    if not config.option.all:
        items[:] = [item for item in items
                    if not item.get_closest_marker("all")]


def pytest_runtest_setup(item):
    if item.get_closest_marker("of_other_devices"):
        if not item.config.fits and not item.config.option.machine:
            pytest.fail("no test of this run is of --driver or --gpu",
                        pytrace=False)
        pytest.skip("of other devices")


@pytest.fixture(scope="session", name="built")
def fixture_built():
    """A function that returns the directory of a build, by its name."""
    return built


@pytest.fixture(scope="session")
def build(pytestconfig):
    """The build of Pitot with its tests."""
    return pathlib.Path(pytestconfig.option.build or built("tests"))


@pytest.fixture(scope="session")
def on_mesa(pytestconfig):
    """A function of a device: Mesa with Pitot, or stock Mesa."""
    def mesa_with(device, stock=pytestconfig.option.stock):
        return mesa.Mesa(device, stock, pytestconfig.option.launcher)
    return mesa_with


@pytest.fixture
def seconds(request):
    """A test's share of --for, among all of its module with this fixture."""
    items = [item for item in request.session.items
             if item.path == request.path and "seconds" in item.fixturenames]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    whole = request.config.option.seconds
    return whole and max(1, int(whole * min(1, workers / len(items))))


@pytest.fixture(scope="session")
def seed(pytestconfig):
    """The first seed; with --for another one in each run."""
    if pytestconfig.option.seed is None and pytestconfig.option.seconds:
        return int(time.time()) << 20
    return pytestconfig.option.seed or 0


@pytest.fixture(scope="session")
def display():
    """The name of a virtual display."""
    with comparison.virtual_display() as name:
        yield name


@pytest.fixture
def windows(on_mesa, display):
    """A function of a device: the environment of programs with windows."""
    return lambda device: on_mesa(device).environment(
        {**os.environ, "DISPLAY": display})


class Results:
    """The results of one test."""

    def __init__(self):
        self.rows = []
        self.is_judged = False # the test came to its end

    def add(self, verdict, case, name="", why="", where=""):
        """where: what explains the result in place of the test's name."""
        self.rows.append([verdict, case, where, name or case, why])

    def check(self, case, faults):
        """Adds a case, which has failed if there are faults."""
        self.add("failed" if faults else "passed", case,
                 why="; ".join(faults))

    def add_tap(self, output, status, case_of):
        """Adds a program's cases. case_of: a result's name to its case."""
        for result in tap.results_of(output, status):
            self.add(result.count(), case_of(result.name), result.name,
                     result.why)

    def failures(self):
        return [f"{name}: {why}" for verdict, _, _, name, why in self.rows
                if verdict == "failed"]

    def reasons(self):
        """The reasons of skips, if there is nothing else."""
        if {row[0] for row in self.rows} == {"skipped"}:
            return "; ".join(dict.fromkeys(row[4] for row in self.rows))
        return ""


@pytest.fixture
def results(request):
    """The results of this test's cases, of which there has to be one."""
    request.node.results = Results()
    return request.node.results


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    outcome = yield
    found = getattr(pyfuncitem, "results", None)
    if not found or (outcome.excinfo and not
                     issubclass(outcome.excinfo[0], pytest.skip.Exception)):
        return
    found.is_judged = not outcome.excinfo or bool(found.failures())
    if outcome.excinfo and not found.is_judged:
        return
    if not found.rows:
        pytest.fail("no result", pytrace=False)
    if failures := found.failures():
        pytest.fail("\n".join(failures), pytrace=False)
    if reasons := found.reasons():
        pytest.skip(reasons)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    device = getattr(item, "callspec", None) and item.callspec.params.get(
        "device")
    report.where = str(device or item.path.parent.name)
    report.case = item.name
    if device:
        report.case = report.case.replace(device.file_name(), "").replace(
            "[-", "[").replace("-]", "]").replace("[]", "")
    found = getattr(item, "results", None)
    if found and call.when == "call":
        report.rows, report.is_judged = found.rows, found.is_judged


def rows_of(report):
    """The results in a report of pytest's."""
    rows = getattr(report, "rows", [])
    if rows and report.is_judged or report.when != "call" and report.passed:
        return rows
    why = ""
    if report.skipped:
        why = report.longrepr[2].removeprefix("Skipped: ")
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        why = (crash.message if crash else str(report.longrepr) or
               "see above").splitlines()[-1]
    return [*rows, [report.outcome, report.case, "", report.case, why]]


class Counter:
    """Counts the results of all tests, and prints the totals at the end."""

    def __init__(self, details):
        self.details = details and open(details, "w", encoding="utf-8")
        self.totals = Totals()

    def pytest_runtest_logreport(self, report):
        if not hasattr(report, "where"): # a worker died
            report.where, report.case = "pytest", report.nodeid
        for verdict, case, where, name, why in rows_of(report):
            self.totals.explain(verdict, case, where or report.where, name,
                                why)
            if self.details: # at once: the machine may hang
                print(json.dumps({"verdict": verdict, "case": case,
                                  "name": name, "why": why}),
                      file=self.details, flush=True)

    def pytest_collectreport(self, report):
        if report.failed:
            self.totals.explain("failed", "collection", report.nodeid,
                                "the tests", "see above")

    def pytest_sessionfinish(self, session):
        if self.totals.count("failed"):
            session.exitstatus = session.exitstatus or 1

    def pytest_unconfigure(self):
        if self.totals.rows:
            print("", *self.totals.explanations(), *self.totals.lines(),
                  sep="\n")


def pytest_configure(config):
    config.fits = False # whether any test is of the chosen devices
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Counter(config.option.details))
