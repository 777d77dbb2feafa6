#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests how tests/fuzz/run counts, with scripts as fuzzers, and the
corpora."""

import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import corpus
from runners.fixture import FilesTest

# The end of libFuzzer's output.
FOUND = """\
#2	INITED cov: 10 ft: 20 corp: 2/4b exec/s: 0 rss: 30Mb
#900	DONE   cov: 41 ft: 93 corp: 7/30b lim: 300 exec/s: 0 rss: 31Mb
stat::number_of_executed_units: 900
"""

CORPUS = """\
# Finds one fault.
0a0b

# Found by searching.

01
0203
"""


class RunTest(FilesTest):
    def run_on(self, script, *options):
        """Runs the runner on a build with a script as its fuzzer."""
        self.write("tests/fuzz/fuzz-calls", f"#!/bin/sh\n{script}\n")
        return subprocess.run(
            [os.path.join(HERE, "run"), self.directory, "--fuzzer",
             "calls", *options], capture_output=True, text=True, check=False,
            env={**{name: value for name, value in os.environ.items()
                    if not name.startswith("PITOT_")},
                 "TMPDIR": self.directory})

    def check(self, done, status, *lines):
        """Expects this exit status and these lines."""
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        for line in lines:
            self.assertIn(line, done.stdout.splitlines())

    def print_and_exit(self, text, status):
        return f"cat <<'END'\n{text}END\nexit {status}"

    def test_replay_counts_inputs(self):
        done = self.run_on("echo ok 1 - input 1f; echo ok 2 - input 2f; "
                           "echo 1..2")
        self.check(done, 0, "2 different cases; 0 listed failures; "
                   "0 costs above stock's",
                   "2 passed, 0 failed, 0 skipped")

    def test_replay_reads_the_corpus(self):
        done = self.run_on(f"[ $1 = {corpus.path_of('calls')} ] && "
                           "echo ok 1 - input 1f && echo 1..1")
        self.check(done, 0)

    def test_input_that_ends_the_program(self):
        done = self.run_on("echo ok 1 - input 1f; kill -6 $$")
        self.check(done, 1, "1 passed, 1 failed, 0 skipped")

    def test_missing_program(self):
        done = subprocess.run([os.path.join(HERE, "run"), self.directory],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("there is no", done.stderr)

    def test_search_tells_its_figures(self):
        done = self.run_on(self.print_and_exit(FOUND, 0), "--for", "1")
        self.check(done, 0, "fuzz calls: 900 executions, 41 edges, "
                   "93 features, 7 inputs", "1 passed, 0 failed, 0 skipped")

    def test_search_that_finds_a_fault(self):
        done = self.run_on(self.print_and_exit(FOUND, 77), "--for", "1")
        self.check(done, 1, "0 passed, 1 failed, 0 skipped", *FOUND.splitlines()[:1])

    def test_search_that_does_nothing(self):
        self.check(self.run_on("exit 0", "--for", "1"), 1)

    def test_search_begins_with_the_corpus(self):
        count = len(corpus.read(corpus.path_of("calls"))[1])
        done = self.run_on('for folder; do :; done\n'
                           f'[ $(ls "$folder" | wc -l) = {count} ] || exit 1\n'
                           + self.print_and_exit(FOUND, 0), "--for", "1")
        self.check(done, 0)


class CorpusTest(FilesTest):
    def test_named_inputs_stay(self):
        path = self.write("inputs.txt", CORPUS)
        corpus.replace(path, [b"\1", b"\4", b"\x0a\x0b"])
        with open(path, encoding="ascii") as stream:
            self.assertEqual(stream.read(),
                             CORPUS.replace("0203", "04"))

    def test_part_of_a_named_input_is_another_one(self):
        path = self.write("inputs.txt", CORPUS)
        corpus.replace(path, [b"\x0a"])
        self.assertEqual(corpus.read(path)[1], [b"\x0a\x0b", b"\x0a"])

    def test_inputs_are_written_and_read(self):
        folder = os.path.join(self.directory, "inputs")
        corpus.write_inputs(folder, [b"\2\3", b"\1", b""])
        self.assertEqual(corpus.read_inputs(folder), [b"\1", b"\2\3"])

    def test_each_corpus_is_of_inputs(self):
        self.assertTrue(corpus.names())
        for name in corpus.names():
            with self.subTest(name):
                inputs = corpus.read(corpus.path_of(name))[1]
                self.assertEqual(len(inputs), len(set(inputs)))


if __name__ == "__main__":
    unittest.main()
