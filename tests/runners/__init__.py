# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The library of the runners beside this directory, and of tests/run.

command    options, messages and the end of a runner
comparison the comparison with stock Mesa, on a virtual X display
devices    the drivers, and the GPUs that are simulated
lists      the expectation lists of a device
mesa       programs on Mesa, with Pitot or without
tap        the results of programs that speak TAP, and of `meson test`
totals     results, counted
verdict    the judgement on a case, given stock Mesa's result
"""
