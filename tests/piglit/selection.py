# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The selection of piglit tests, and their profile.

Query tests are found by their calls, not by their names: their program calls a
query entry point. Piglit calls every entry point through a pointer
piglit_dispatch_gl..., whose name is in the program.
"""

import ast
import copy
import functools
import glob
import gzip
import os
import re
import xml.etree.ElementTree as ElementTree

from tests.runners.command import RunError

PROFILES = ("quick_gl", "no_error")

# glQueryMatrixx is not about queries.
QUERY_CALL = re.compile(
    rb"piglit_dispatch_gl(?!QueryMatrix)\w*"
    rb"(Query|Queries|ConditionalRender|PerfMonitor)")


class Test:
    """A <Test> of a piglit profile."""

    def __init__(self, element, piglit):
        self.element = element
        self.name = element.attrib["name"]
        self.piglit = piglit
        self.option = element.find(".//option[@name='command']")
        self.command = [""]
        if self.option is not None:
            self.set_command(self.make_relative(
                ast.literal_eval(self.option.attrib["value"])))

    def set_command(self, command):
        self.command = command
        self.option.set("value", repr(command))

    def make_relative(self, command):
        """Debian's no_error profile has piglit's build directory, and so finds
        no programs.
        """
        built, found, program = command[0].rpartition("/bin/")
        if not found or os.path.exists(command[0]):
            return command
        return [program, *(word.replace(built, self.piglit)
                           for word in command[1:])]

    def without_window(self):
        """The same test without a window."""
        test = Test(copy.deepcopy(self.element), self.piglit)
        if test.option is not None:
            test.set_command([*test.command, "-fbo"])
        return test

    def calls_queries(self):
        """Whether its own program does: shader_runner can use queries but runs
        thousands of tests that do not.
        """
        return (self.element.attrib["type"] == "gl"
                and program_calls_queries(os.path.join(self.piglit, "bin",
                                                       self.command[0])))


@functools.cache
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
    """The test lists of a profile, which may include other profiles."""
    base = os.path.join(piglit, "tests", profile)
    if os.path.exists(base + ".xml.gz"):
        return [base + ".xml.gz"]
    if not os.path.exists(base + ".meta.xml"):
        raise RunError(f"piglit has no profile '{profile}'")
    parts = ElementTree.parse(base + ".meta.xml").iter("Profile")
    return [path for part in parts
            for path in profile_files(part.text, piglit)]


def load(profile, piglit):
    for path in profile_files(profile, piglit):
        with gzip.open(path) as stream:
            for element in ElementTree.parse(stream).iter("Test"):
                yield Test(element, piglit)


@functools.cache
def choose(regex):
    """The tests that match the regex, or without it the query tests. Piglit
    ignores case, too."""
    piglit = piglit_directory()
    tests = [test for profile in PROFILES for test in load(profile, piglit)
             if (re.search(regex, test.name, re.IGNORECASE) if regex
                 else test.calls_queries())]
    if not tests:
        raise RunError(f"no test of {', '.join(PROFILES)} matches")
    return list({test.name: test for test in tests}.values())


def as_profile(tests):
    """A piglit profile with exactly these tests, as XML."""
    root = ElementTree.Element("PiglitTestList", name="pitot",
                               count=str(len(tests)))
    root.extend(test.element for test in tests)
    return ElementTree.tostring(root, "unicode")
