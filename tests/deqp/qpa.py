# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads the log of a dEQP program.

Lines with '#' divide the log. Between #beginTestCaseResult and the end of a
case is XML, of which only the status is read. The end is #endTestCaseResult,
or #terminateTestCaseResult if dEQP noticed a crash or hang. A log that ends
inside a case was written by a program that died.
"""

import re
from typing import NamedTuple, Optional

STATUS = re.compile(r'<Result StatusCode="(\w+)"')


class Log(NamedTuple):
    """Statuses by case, and the case that was started last and has none."""
    statuses: dict
    unfinished: Optional[str]


def parse(lines):
    statuses = {}
    case = status = None
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "#beginTestCaseResult":
            case, status = rest, None
        elif case is None:
            continue
        elif word == "#endTestCaseResult":
            # A status is only missing if the log is corrupt.
            statuses[case] = status or "InternalError"
            case = None
        elif word == "#terminateTestCaseResult":
            statuses[case] = rest
            case = None
        else:
            found = STATUS.search(line)
            status = found.group(1) if found else status
    return Log(statuses, case)


def read(path):
    with open(path, encoding="utf-8", errors="replace") as lines:
        return parse(lines)
