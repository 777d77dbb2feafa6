# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The inputs of the fuzzers (BUILD/tests/fuzz/fuzz-NAME), each of which is a
case; with --for a search for more, from these. An input with a finding is
kept; repeat it with fuzz-NAME INPUT."""

import re
import subprocess

import pytest
from tests.fuzz import corpus

EXECUTED = re.compile(r"^stat::number_of_executed_units:\s+(\d+)$",
                      re.MULTILINE)

# The end of libFuzzer's output.
END = "stat::number_of_executed_units: {}\n"
CORPUS = "# Finds one fault.\n0a0b\n\n# Found by searching.\n\n01\n0203\n"


def has_searched(done):
    """Whether a search ran, and found nothing."""
    executed = EXECUTED.search(done.stdout)
    return done.returncode == 0 and executed and int(executed[1]) > 0


@pytest.mark.parametrize("name", corpus.names())
def test_fuzzer(name, build, built, seconds, seed, results, tmp_path):
    if not seconds:
        done = subprocess.run(
            [build / f"tests/fuzz/fuzz-{name}", corpus.path_of(name)],
            stdout=subprocess.PIPE, text=True, errors="replace")
        results.add_tap(done.stdout, done.returncode, "fuzz: {}".format)
        return
    done = corpus.search(built("fuzz") / f"tests/fuzz/fuzz-{name}", name,
                         seconds, seed % 2**32, tmp_path)
    print(done.stdout[-8000:])
    results.add("passed" if has_searched(done) else "failed",
                f"fuzz: {name}, searching",
                why=f"status {done.returncode}, see {tmp_path}")


@pytest.mark.parametrize("output, status", [
    (END.format(900), 77), (END.format(0), 0), ("", 0)])
def test_a_search_may_fail(output, status):
    good = subprocess.CompletedProcess([], 0, END.format(900))
    assert has_searched(good)
    assert not has_searched(subprocess.CompletedProcess([], status, output))


def test_a_search_begins_with_the_corpus(tmp_path):
    script = tmp_path / "fuzzer"
    script.write_text('#!/bin/sh\nfor folder; do :; done\nls "$folder"\n')
    script.chmod(0o755)
    found = corpus.search(script, "calls", 1, 0, tmp_path).stdout.splitlines()
    inputs = corpus.inputs_in(corpus.path_of("calls").read_text())
    assert len(found) == len(inputs) > 0


def test_named_inputs_stay(tmp_path):
    path = tmp_path / "inputs.txt"
    path.write_text(CORPUS)
    # A part of a named input is another one.
    corpus.replace(path, [b"\1", b"\4", b"\x0a\x0b", b"\x0a"])
    assert path.read_text() == CORPUS.replace("0203", "04\n0a")


def test_inputs_are_written_and_read(tmp_path):
    corpus.write_inputs(tmp_path / "inputs", [b"\2\3", b"\1", b""])
    assert corpus.read_inputs(tmp_path / "inputs") == [b"\1", b"\2\3"]


@pytest.mark.parametrize("name", corpus.names())
def test_a_corpus_has_no_input_twice(name):
    inputs = corpus.inputs_in(corpus.path_of(name).read_text())
    assert inputs and len(inputs) == len(set(inputs))
