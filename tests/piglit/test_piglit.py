# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""piglit's query tests on Mesa with Pitot, compared with stock Mesa.

A query test's program calls a query entry point; --regex names other tests. A
test or subtest that passes on stock Mesa must pass with Pitot.
DRIVER-fails.txt in this directory must list all that fail on both, and none
that pass. All tests run on GLX, on a virtual display. On simulated GPUs, where
nothing is rendered, the tests in simulated-tests.txt run, without a window; so
do all tests on the machine's own GPU, where a query test may also fail as it
fails on stock Mesa.

The results of stock Mesa are kept in the cache ($PITOT_CACHE, by default
~/.cache/pitot) and used again until piglit, the tests or that Mesa change.

DRIVER-fails.txt, DRIVER-flakes.txt and DRIVER-skips.txt have the format of
Mesa's own lists. They bind the query tests only; other tests are just compared
with stock Mesa. A lost test is run again alone, up to twice: if it passes then
and DRIVER-flakes.txt lists it, it counts as passed. A line of a list that
matches nothing has failed.
"""

import pathlib

import pytest
from tests.piglit import selection
from tests.piglit.judge import Judge, passes
from tests.piglit.session import NO_ERROR, Session, rows_of
from tests.runners.comparison import (ALONE_LIMIT, Comparison,
                                      display_environment, package_version,
                                      reason_of)
from tests.runners.lists import Expectations
from tests.runners.verdict import Finding, Verdict, stale

HERE = pathlib.Path(__file__).parent

# Compiles a shader for each size of a work group: as long as all other tests.
SLOW = ("spec@arb_pipeline_statistics_query"
        "@arb_pipeline_statistics_query-comp")


class PiglitComparison(Comparison):
    def __init__(self, launcher, session, device, tests, is_whole, is_all):
        # A simulated GPU has no windows, and the virtual display has none of a
        # real GPU. Elsewhere all tests run on GLX: on surfaceless EGL those
        # with a window crash, and the others are not faster.
        super().__init__(launcher, device,
                         "surfaceless_egl" if device.has_gpu() else "glx",
                         session.env, Expectations(HERE, device))
        self.session = session
        # The lists are about query tests, and need not match other tests.
        self.is_whole = is_whole
        self.stale = self.expectations.unmatched_tests(
            [test.name for test in tests])
        chosen = [test for test in tests
                  if self.expectations.is_chosen(test.name)]
        self.tests = {test.name:
                      test.without_window() if device.has_gpu() else test
                      for test in chosen
                      if not self.expectations.is_skipped(test.name)}
        self.left_out = [
            Finding(test.name, Verdict.NOT_RUN)
            for test in chosen if test.name not in self.tests]
        # Only --all runs them.
        self.not_chosen = set()
        if self.is_whole and not is_all:
            self.not_chosen = {
                name for name in self.tests if name.endswith(NO_ERROR)
                or name == SLOW and not device.has_gpu()}
            for name in self.not_chosen:
                del self.tests[name]

    def findings(self):
        """Runs both sides, and judges every result."""
        profile = selection.as_profile(self.tests.values())
        stock = self.stock_rows(profile)
        pitot = rows_of(self.session.run(self.pitot, profile, "pitot"),
                        self.tests)
        query_tests = {name for name, test in self.tests.items()
                       if test.calls_queries()}
        judge = Judge(self.expectations, stock, query_tests,
                      not self.device.is_listed())
        findings = self.look_again(judge.judge(pitot), passes,
                                   self.run_again)
        if self.is_whole:
            findings += stale(self.stale + self.expectations.unmatched(
                {finding.case for finding in findings}
                | self.expectations.failures_of(self.not_chosen)))
        return findings + self.left_out

    def stock_rows(self, profile):
        def run_stock():
            results = self.session.run(self.stock, profile, "stock")
            # If the display died, most tests failed because of that.
            self.stock.check(self.platform, self.env)
            return results

        dependencies = [profile, *self.below_gl(), package_version("piglit")]
        return rows_of(self.kept("piglit", "/results.json.bz2", dependencies,
                                 run_stock), self.tests)

    def run_again(self, lost, attempt):
        """Runs the tests of lost rows again, one at a time."""
        names = sorted({finding.test for finding in lost})
        if len(names) > ALONE_LIMIT:
            return {}
        profile = selection.as_profile([self.tests[name] for name in names])
        again = rows_of(self.session.run(
            self.pitot, profile, f"again-{attempt}", alone=True), names)
        return {name: row.status for name, row in again.items()}


@pytest.mark.devices()
def test_piglit(device, pytestconfig, results, tmp_path):
    options = pytestconfig.option
    with display_environment(device.is_machine()) as env:
        session = Session(env, tmp_path)
        # Without it Mesa's Vulkan WSI prints errors.
        session.env.setdefault("XDG_RUNTIME_DIR", str(tmp_path))
        comparison = PiglitComparison(
            options.launcher, session, device, selection.choose(options.regex),
            not options.regex, options.all)
        comparison.check()
        for finding in comparison.findings():
            results.add(finding.verdict.count,
                        f"piglit: {finding.case.replace(NO_ERROR, '')}",
                        finding.case, reason_of(finding))
