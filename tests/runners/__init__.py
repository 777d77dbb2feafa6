# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""What tests share.

builds     the builds of tests/builds
command    messages and the end of a script
comparison comparison with stock Mesa, on a virtual X display
devices    drivers and simulated GPUs
lists      expectation lists of a device
mesa       programs on Mesa, with Pitot or without
origin     where the numbers of a report come from
tap        results of programs that print TAP
totals     counts of results
verdict    the verdict on a case, given stock Mesa's result
watch      processes that hang
"""
