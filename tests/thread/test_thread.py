# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The tests with several threads under ThreadSanitizer.

A failed case is a failure, and so is each race. Without --for, each program
runs once, with the machine's interleaving: ThreadSanitizer reports unordered
accesses whether or not they met. --for also runs them under schedules, one
after the other.

With --all, random programs of tests/model, and contexts on many threads, run on
Mesa with ThreadSanitizer. A race with an access of Pitot is never listed.
"""

import collections
import itertools
import os
import pathlib
import subprocess
import tempfile
import time

import pytest
from tests.conftest import Results
from tests.runners import tap
from tests.thread import mesa, races

# The programs with threads, and their cases' names elsewhere.
PROGRAMS = {
    "test_drm_turns": "drm turns",
    "test_hw_turns": "hw turns",
    "test_pipe_driver_turns": "pipe_driver turns",
    "test_hw_clock_threads": "hw clock_threads",
    "test_hw_sim_threads": "hw sim_threads",
    "test_hw_threads": "hw threads",
    "test_pipe_driver_screen_clock": "pipe_driver screen_clock",
    "test_drm_context": "drm context",
}
# Programs whose GPU follows a schedule.
SCHEDULED = ("test_hw_threads", "test_drm_context")

OPTIONS = ("exitcode=0", "history_size=4", "second_deadlock_stack=1")

REPORT = """\
==================
WARNING: ThreadSanitizer: data race (pid=1)
  Read of size 4 at 0x7b80 by thread T15:
    #0 merge_single /home/pitot/src/hw/result.c:164:51 (test+0xd91f2)
    #1 read_results /t/tests/hw/test_sim_threads.c:84:24 (test+0xd5033)

  Previous atomic write of size 8 at 0x7b80 by thread T16 (mutexes: write M0):
    #0 memcpy <null> (test+0x1)
    #1 memmove (libc.so.6+0x1)
    #2 tc_flush /m/src/gallium/auxiliary/util/u_threaded_context.c:161:7 (t+2)

  Thread T15 (tid=1, running) created by main thread at:
    #0 pthread_create <null> (test+0x514dd)

SUMMARY: ThreadSanitizer: data race result.c:164:51 in merge_single
==================
"""


class Races:
    """Runs programs and judges their races: new ones are failures."""

    def __init__(self, results):
        self.results = results
        self.known = collections.Counter() # of Mesa's own races, by name
        self.found = set()

    def run(self, case, command, env):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                command, text=True, errors="replace", stdout=subprocess.PIPE,
                env={**env, "TSAN_OPTIONS":
                     ":".join((*OPTIONS, f"log_path={folder}/log"))})
            text = "".join(path.read_text(errors="replace") for path in
                           sorted(pathlib.Path(folder).iterdir()))
        print(done.stdout)
        self.judge(case, races.read(text))
        return done

    def judge(self, case, reports):
        for race in reports:
            listed = mesa.listed_function(race)
            self.known.update([listed] if listed else [])
            if not listed and str(race) not in self.found:
                self.found.add(str(race))
                print(race.text)
                self.results.add("failed", f"no race: {case}", str(race),
                                 "see above", where=case)
        if not reports:
            self.results.add("passed", f"no race: {case}", where=case)


def seeds(seed, seconds):
    """The seeds of runs, until the time has passed."""
    end = time.monotonic() + seconds
    for number in itertools.count(seed):
        yield number
        if time.monotonic() >= end:
            return


@pytest.fixture(scope="module")
def programs(built):
    """The directory of the programs, which have ThreadSanitizer: others would
    find nothing."""
    directory = built("thread") / "tests"
    done = subprocess.run([directory / "test_hw_clock_threads"],
                          capture_output=True, text=True,
                          env={**os.environ, "TSAN_OPTIONS": "help=1"})
    assert "ThreadSanitizer" in done.stderr
    return directory


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, programs, seconds, seed, results):
    run = Races(results)
    for number in seeds(seed, seconds):
        schedule = number if number > seed and name in SCHEDULED else 0
        done = run.run(PROGRAMS[name], [programs / name],
                       {**tap.environment(), "PITOT_SCHEDULE": str(schedule)})
        results.add_tap(done.stdout, done.returncode,
                        f"{PROGRAMS[name]}: {{}}".format)


@pytest.mark.all
def test_mesa(programs, built, pytestconfig, seconds, seed, results):
    """One test, since the list of races is about all drivers."""
    built("thread-drivers")
    prefix, simulator = built("mesa-threads"), built("simulator")
    drivers = pytestconfig.option.driver
    run = Races(results)
    for number, (driver, has_glthread) in itertools.product(
            seeds(seed or 1, seconds), mesa.RUNS):
        if drivers and driver not in drivers:
            continue
        env = mesa.environment(prefix, simulator, driver, has_glthread)
        way = driver + (", glthread" if has_glthread else "")
        for program, *start in mesa.programs(programs, env, driver, number):
            case = f"{program}, {way}"
            status = run.run(case, *start).returncode
            results.add("failed" if status else "passed", case,
                        why=f"status {status}", where=driver)
    for name in [] if drivers else mesa.unused(run.known):
        results.add("failed", f"listed race: {name}", name, "races nowhere",
                    where="mesa-races.txt")


# The same race outside of Pitot, in a function that is listed.
LISTED = (("/src/hw/", "/x/"), ("tc_flush", next(iter(mesa.listed()))))


def read_one(*replaced):
    """The race in a report, of which some words are replaced."""
    text = REPORT
    for old, new in replaced:
        text = text.replace(old, new)
    (race,) = races.read(f"before\n{text}after\n")
    return race


@pytest.mark.parametrize("replaced, race", [
    # The innermost frames with a file, or else the first ones.
    ((), "data race: merge_single and tc_flush"),
    ((("/m/src/gallium/auxiliary/util/u_threaded_context.c:161:7", "<null>"),),
     "data race: memcpy and merge_single"),
    # Other reports count.
    ((("data race (", "lock-order-inversion ("),),
     "lock-order-inversion: merge_single and tc_flush"),
    # A library without symbols is named.
    ((("#1 memmove (libc.so.6+0x1)", "#1 <null> <null> (libvulkan.so+1)"),),
     "data race: libvulkan.so and merge_single"),
    # A function of C++ has its name only.
    *(((("tc_flush", function),), "data race: flush and merge_single")
      for function in ("flush(ctx*, unsigned int)", "flush<false, key>",
                       "bool flush<(gfx)13, (has_tess)0>(ctx*)",
                       "flush(ctx*) (.isra.0)"))])
def test_a_race_has_the_functions_that_access(replaced, race):
    assert str(read_one(*replaced)) == race


@pytest.mark.parametrize("path, is_ours", [
    ("/home/pitot/src/hw/", True), ("/m/subprojects/pitot/src/mesa/", True),
    ("/m/gallium/x/", False)])
def test_accesses_of_pitot_are_ours(path, is_ours):
    """Callers are no accesses."""
    race = read_one(("/home/pitot/src/hw/", path),
                    ("/t/tests/hw/", "/t/src/hw/"))
    assert race.is_ours() == is_ours


def test_a_report_that_breaks_off_counts():
    assert len(races.read(REPORT.split("SUMMARY")[0])) == 1
    assert races.read("1..1\nok 1 - x\n") == []


def test_only_races_of_data_that_are_not_ours_are_listed():
    assert mesa.listed_function(read_one(*LISTED))
    assert not mesa.listed_function(read_one(LISTED[1]))
    assert not mesa.listed_function(read_one(
        *LISTED, ("data race (", "heap-use-after-free (")))


def test_a_listed_race_that_never_shows_is_unused():
    sure = {name for name, is_sure in mesa.listed().items() if is_sure}
    assert sure < set(mesa.listed())
    assert set(mesa.unused({})) == sure
    assert mesa.unused(dict.fromkeys(sure, 1)) == []


def test_a_race_fails_unless_it_is_listed():
    run = Races(Results())
    for reports in [read_one()], [], [read_one(*LISTED)]:
        run.judge("a case", reports)
    assert [row[0] for row in run.results.rows] == ["failed", "passed"]
    assert run.known.total() == 1
