# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Searches the source of VK-GL-CTS for calls about queries, so that no case
that makes one is left out because nobody thought of it.
"""

import os
import re

from errors import RunError
from groups import USES

# Where the tests of the GL half are; what they share calls no query, but to
# find none active when a case is over.
DIRECTORIES = ("modules", "external/openglcts/modules")
ENDINGS = (".cpp", ".hpp", ".inl", ".h")

# An entry point, however it is called: glBeginQuery, gl.beginQuery,
# callBeginQuery; or the wrapper of a query object.
CALL = re.compile(
    r"\b(gl|call)?("
    r"([Bb]egin|[Ee]nd)(Query|ConditionalRender)|[Qq]ueryCounter"
    r"|([Gg]en|[Dd]elete|[Cc]reate)Queries|[Ii]sQuery(EXT|ARB)?\b"
    r"|[Gg]etQuery(iv|Indexed|Object|BufferObject))"
    r"|PerfQuery\w*INTEL|\bglu::Query\b")


def source_of(program):
    """The source that a program was built from; None where that is not
    known, or is no longer there."""
    directory = os.path.dirname(program.path)
    while directory != os.path.dirname(directory):
        cache = os.path.join(directory, "CMakeCache.txt")
        if os.path.exists(cache):
            with open(cache, encoding="utf-8") as lines:
                found = re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$",
                                  lines.read(), re.MULTILINE)
            return found and found[1] if os.path.isdir(found[1]) else None
        directory = os.path.dirname(directory)
    return None


def callers(source):
    """The names, without directory and ending, of all that make a call."""
    return {os.path.splitext(os.path.basename(path))[0]
            for path in files(source) if calls(path)}


def files(source):
    for directory in DIRECTORIES:
        for place, _, names in os.walk(os.path.join(source, directory)):
            yield from (os.path.join(place, name) for name in names
                        if name.endswith(ENDINGS))


def calls(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return CALL.search(stream.read()) is not None


def check(source, uses=USES):
    """Refuses a source that has a caller of which no use tells, and a use
    that tells of none. Returns how many callers there are."""
    found = callers(source)
    known = {use.source for use in uses}
    if not found:
        raise RunError(f"{source} is no source of VK-GL-CTS: nothing in it "
                       "makes calls about queries")
    if found - known:
        raise RunError("groups.py does not know which cases make calls "
                       f"about queries in {', '.join(sorted(found - known))}")
    if known - found:
        raise RunError("groups.py is wrong about "
                       f"{', '.join(sorted(known - found))}: no such source "
                       "makes calls about queries")
    return len(found)
