# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Which of piglit's tests are run, and the profile that piglit gets.

The query tests are found by what they do, not by what they are called: a
test belongs to them when its program calls a query entry point. Piglit
resolves every entry point through a pointer piglit_dispatch_gl..., which
the program therefore names.
"""

import ast
import copy
import functools
import glob
import gzip
import os
import re
import xml.etree.ElementTree as ElementTree

from errors import RunError, UsageError

# glQueryMatrixx reads a matrix and belongs to no query.
QUERY_CALL = re.compile(
    rb"piglit_dispatch_gl(?!QueryMatrix)\w*"
    rb"(Query|Queries|ConditionalRender|PerfMonitor)")


class Test:
    """One <Test> of a piglit profile."""

    def __init__(self, element, piglit):
        self.element = element
        self.name = element.attrib["name"]
        self.kind = element.attrib["type"]
        self.piglit = piglit

    def calls_queries(self):
        """Whether this is a query test.

        Only programs of their own count: shader_runner can use queries but
        runs thousands of tests that do not.
        """
        return self.kind == "gl" and program_calls_queries(
            os.path.join(self.piglit, "bin", self.arguments()[0]))

    def without_window(self):
        """The same, drawn off the screen."""
        element = copy.deepcopy(self.element)
        for option in element.iter("option"):
            if option.attrib["name"] == "command":
                command = ast.literal_eval(option.attrib["value"])
                option.set("value", repr([*command, "-fbo"]))
        return Test(element, self.piglit)

    def arguments(self):
        for option in self.element.iter("option"):
            if option.attrib["name"] == "command":
                return ast.literal_eval(option.attrib["value"])
        return [""]


@functools.lru_cache(maxsize=None)
def program_calls_queries(path):
    try:
        with open(path, "rb") as program:
            return QUERY_CALL.search(program.read()) is not None
    except FileNotFoundError:
        return False


def piglit_directory():
    found = glob.glob("/usr/lib/*/piglit/tests/quick_gl.xml.gz")
    if not found:
        raise RunError("piglit has no profiles in /usr/lib: install Debian's "
                       "package")
    return os.path.dirname(os.path.dirname(found[0]))


def profile_files(profile, piglit):
    """The test lists of a profile, which may be made of other profiles."""
    base = os.path.join(piglit, "tests", profile)
    if os.path.exists(base + ".xml.gz"):
        return [base + ".xml.gz"]
    if not os.path.exists(base + ".meta.xml"):
        raise UsageError(f"piglit has no profile '{profile}'")
    parts = ElementTree.parse(base + ".meta.xml").iter("Profile")
    return [path for part in parts
            for path in profile_files(part.text, piglit)]


def make_relative(element, piglit):
    """Mends the commands of a profile that names piglit's build directory.

    Debian's no_error profile does, and so finds none of its programs.
    """
    for option in element.iter("option"):
        if option.attrib["name"] != "command":
            continue
        command = ast.literal_eval(option.attrib["value"])
        built, found, program = command[0].rpartition("/bin/")
        if found and not os.path.exists(command[0]):
            mended = [word.replace(built, piglit) for word in command[1:]]
            option.set("value", repr([program, *mended]))


def load(profile, piglit):
    """Yields the tests of a profile."""
    for path in profile_files(profile, piglit):
        with gzip.open(path) as stream:
            root = ElementTree.parse(stream).getroot()
        for element in root.iter("Test"):
            make_relative(element, piglit)
            yield Test(element, piglit)


def choose(profiles, regex):
    """The tests whose name matches, or without a regex the query tests."""
    piglit = piglit_directory()
    tests = [test for profile in profiles for test in load(profile, piglit)
             if (regex.search(test.name) if regex else test.calls_queries())]
    if not tests:
        raise UsageError(f"no test of {', '.join(profiles)} matches")
    return list({test.name: test for test in tests}.values())


def as_profile(tests):
    """A piglit profile of exactly these tests, as XML."""
    root = ElementTree.Element("PiglitTestList", name="pitot",
                               count=str(len(tests)))
    root.extend(test.element for test in tests)
    return ElementTree.tostring(root)
