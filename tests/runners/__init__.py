# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The library of the runners in the other directories, and of tests/run.

command    options, messages and the end of a runner
comparison comparison with stock Mesa, on a virtual X display
devices    drivers and simulated GPUs
lists      expectation lists of a device
mesa       programs on Mesa, with Pitot or without
tap        results of programs that print TAP, and of `meson test`
totals     counts of results
verdict    the verdict on a case, given stock Mesa's result
"""
