# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The choice and the verdicts of mutants; builds nothing."""

import pytest
from tests.power.locks import call_at, locks_of
from tests.power.mutant import Mutant
from tests.power.mutants import mutants_of
from tests.power.patches import FIXES, Patch
from tests.power.rates import (FAILED_TO_BUILD, KILLED, SAME, SURVIVED,
                               Result, judge)
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


def test_each_mutant_names_its_function_and_its_lines_which_stay():
    found = [mutant for mutants in mutants_of(PATH, SOURCE)
             for mutant in mutants]
    assert [str(mutant).removeprefix(f"{PATH}:") for mutant in found] == [
        "2: table: static const int table[] = { 7 }; -> "
        "static const int table[] = { 0 };",
        "2: table: static const int table[] = { 7 }; -> "
        "static const int table[] = { 8 };",
        "8: first: if (a == b && -> if (a != b &&",
        "8: first: if (a == b && -> if (a == b ||",
        "8: first: if (a == b && a) -> if (!(a == b && a))",
        "11: first: return a; -> return 0;",
        "11: first: return a; -> return !(a);",
        '10: first: call("a + b"); -> {}',
        "17: second: return a + 1; -> return a - 1;",
        "17: second: return a + 1; -> return a + 0;",
        "17: second: return a + 1; -> return a + 2;",
        "17: second: return a + 1; -> return 0;",
        "17: second: return a + 1; -> return !(a + 1);",
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
    assert str(lock) == f"{PATH}:4: wake: pthread_mutex_lock(&hw->lock)"
    assert "pthread_mutex" not in lock.apply(LOCKS)
    assert [load.line, store.line] == [5, 6]
    for text in ("plain_load_explicit(&hw->count", " __atomic_store_n(",
                 "plain.h"):
        assert text in load.apply(LOCKS)
    assert " plain_store_n(&hw->ticks" in store.apply(LOCKS)


def test_calls_of_several_lines_are_names_of_one():
    call = "atomic_load(&a->b,\n     f(c))"
    assert call_at(f"x = {call};", 4) == "atomic_load(&a->b, f(c))"


def judged(*verdicts, is_sample=True):
    """Returns the table's row, and the verdict on the layer."""
    totals = Totals()
    *_, row = judge([Result(Mutant(PATH, 1, "f: a -> b", ()), verdict, "")
                     for verdict in verdicts], {"core": 98}, is_sample, totals)
    ((verdict, _),) = totals.rows
    return row.split(), verdict


@pytest.mark.parametrize("survived, killed, is_sample, verdict", [
    (0, 1, True, "passed"), (1, 0, True, "failed"), (1, 9, True, "passed"),
    (2, 48, True, "passed"), (5, 45, True, "failed"),
    (52, 1948, True, "passed"), (56, 1944, True, "failed"),
    (3, 97, True, "passed"), (3, 97, False, "failed")]) # all have no margin
def test_a_share_must_be_killed_within_the_margin(survived, killed, is_sample,
                                                  verdict):
    assert judged(*[SURVIVED] * survived, *[KILLED] * killed,
                  is_sample=is_sample)[1] == verdict


def test_a_row_has_shares_and_those_that_do_not_count():
    assert judged(*[SURVIVED] * 56, *[KILLED] * 1944)[0] == [
        "core", "1944", "2000", "97.2", "96.4", "-", "97.8", "98", "0", "0"]
    assert judged(KILLED, SAME, FAILED_TO_BUILD) == (
        ["core", "1", "1", "100.0", "20.7", "-", "100.0", "98", "1", "1"],
        "passed")


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
