# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Reads the log that a dEQP program writes.

Lines that begin with '#' divide the log; between #beginTestCaseResult and
the end of a case is a little XML, of which only the status is read. The end
is #endTestCaseResult, or #terminateTestCaseResult if dEQP saw the case crash
or hang. A log that breaks off inside a case was written by a program that
did not live to see it.
"""

import re
from typing import NamedTuple, Optional

STATUS = re.compile(r'<Result StatusCode="(\w+)"')


class Log(NamedTuple):
    """The statuses by case, and the case that has none because it was the
    last that was begun."""
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
            # A case without a status is broken in a way that dEQP never is.
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
