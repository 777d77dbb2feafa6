# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Searches VK-GL-CTS for query calls, so that no case with one is missing."""

import os
import pathlib
import re

from tests.deqp.groups import USES
from tests.runners.command import RunError

# The tests of GL and ES. Their framework only checks for active queries.
DIRECTORIES = ("modules", "external/openglcts/modules")
ENDINGS = (".cpp", ".hpp", ".inl", ".h")

# An entry point (glBeginQuery, gl.beginQuery, callBeginQuery), or the wrapper
# of a query object.
CALL = re.compile(
    r"\b(gl|call)?("
    r"([Bb]egin|[Ee]nd)(Query|ConditionalRender)|[Qq]ueryCounter"
    r"|([Gg]en|[Dd]elete|[Cc]reate)Queries|[Ii]sQuery(EXT|ARB)?\b"
    r"|[Gg]etQuery(iv|Indexed|Object|BufferObject))"
    r"|PerfQuery\w*INTEL|\bglu::Query\b")


def source_of(program):
    """The source of a program; None if it is unknown or gone."""
    for directory in pathlib.PurePath(program.path).parents:
        cache = os.path.join(directory, "CMakeCache.txt")
        if os.path.exists(cache):
            with open(cache, encoding="utf-8") as lines:
                home = [line.strip().partition("=")[2] for line in lines
                        if line.startswith("CMAKE_HOME_DIRECTORY:")]
            return home[0] if home and os.path.isdir(home[0]) else None
    return None


def callers(source):
    """All callers, without directory and suffix."""
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
    """Rejects a source unless uses name its callers; returns how many."""
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
