# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The choice and the verdicts of mutants; builds nothing."""

import pytest
from tests.power.engine import (FAILED_TO_BUILD, KILLED, SAME, SURVIVED,
                                count_survivors)
from tests.power.mutants import Mutant, locks_of, mutants_of
from tests.power.patches import FIXES, Patch
from tests.runners.totals import Totals

SOURCE = """\
/* a < b */
static const int table[] = { 7 };

static int
first(int a, int b)
{
   assert(a < b);
   if (a == b &&
       a)
      call("a + b");
   return a;
}

int
second(int a)
{
   return a + 1;
}
"""

LOCKS = """\
static void
wake(struct pitot_hw *hw)
{
   pthread_mutex_lock(&hw->lock); /* before atomic_load(a) */
   if (atomic_load_explicit(&hw->count, memory_order_acquire))
      __atomic_store_n(&hw->ticks, 1, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&hw->lock);
}
"""

PATH = "src/core/x.c"


def test_mutants_change_one_place_and_no_line_number():
    found = [mutant for place in mutants_of(PATH, SOURCE) for mutant in place]
    assert [str(mutant).removeprefix(f"{PATH}:") for mutant in found] == [
        "2: static const int table[] = { 7 }; -> "
        "static const int table[] = { 0 };",
        "2: static const int table[] = { 7 }; -> "
        "static const int table[] = { 8 };",
        "8: if (a == b && -> if (a != b &&",
        "8: if (a == b && -> if (a == b ||",
        "8: if (a == b && a) -> if (!(a == b && a))",
        "11: return a; -> return 0;",
        "11: return a; -> return !(a);",
        '10: call("a + b"); -> {}',
        "17: return a + 1; -> return a - 1;",
        "17: return a + 1; -> return a + 0;",
        "17: return a + 1; -> return a + 2;",
        "17: return a + 1; -> return 0;",
        "17: return a + 1; -> return !(a + 1);",
    ]
    assert {mutant.apply(SOURCE).count("\n") for mutant in found} == {
        SOURCE.count("\n")}


@pytest.mark.parametrize("path, layer", [
    ("src/drm/x.c", "drm"), ("include/pitot/pipe_driver.h", "pipe_driver"),
    ("include/pitot/cs.h", "hw"), ("include/pitot/arena.h", "core")])
def test_a_mutant_has_the_layer_of_its_file(path, layer):
    assert Mutant(path, 1, "", ()).layer() == layer


def test_a_lock_goes_with_its_unlock_and_each_atomic_is_one():
    (lock,), (load,), (store,) = locks_of(PATH, LOCKS)
    assert [lock.line, load.line, store.line] == [4, 5, 6]
    assert "pthread_mutex" not in lock.apply(LOCKS)
    assert "(plain_load_explicit(&hw->count" in load.apply(LOCKS)
    assert " __atomic_store_n(" in load.apply(LOCKS)
    assert " plain_store_n(&hw->ticks" in store.apply(LOCKS)


@pytest.mark.parametrize("survived, killed, is_sample, verdict", [
    (0, 1, True, "passed"), (1, 0, True, "failed"), (1, 9, True, "passed"),
    (2, 48, True, "passed"), (5, 45, True, "failed"),
    (52, 1948, True, "passed"), (56, 1944, True, "failed"),
    (3, 97, True, "passed"), (3, 97, False, "failed")]) # all have no margin
def test_a_share_must_be_killed_within_the_margin(survived, killed, is_sample,
                                                  verdict):
    totals = Totals()
    count_survivors([("core", verdict) for verdict in [
        *[SURVIVED] * survived, *[KILLED] * killed, SAME, FAILED_TO_BUILD,
        FAILED_TO_BUILD]], {"core": 98, "gl": 98}, is_sample, totals)
    assert totals.rows == [(verdict, "power: core")]


def test_the_head_names_suites_cases_and_a_driver(tmp_path):
    path = tmp_path / "draw-quads.patch"
    path.write_text("""\
draw: quads

It was "wrong".  Seen by the model
(tests/model/kept/a-quad.txt), by "quads: all" of tests/conformance on softpipe
and by tests/drivers (quads_are_drawn).
--- a/src/x.c
""")
    patch = Patch(path)
    assert patch.suites == ["model", "conformance", "drivers"]
    assert [directory.name for directory in patch.tests()] == patch.suites
    assert patch.driver == "softpipe"
    for case in ("model: a-quad.txt", "behaviour: quads: all",
                 "defect: quads_are_drawn"):
        assert patch.is_named(case)
    assert not patch.is_named("behaviour: wrong")


@pytest.mark.parametrize("path", sorted(FIXES.glob("*.patch")),
                         ids=lambda path: path.stem)
def test_each_patch_names_tests(path):
    assert Patch(path).tests()
