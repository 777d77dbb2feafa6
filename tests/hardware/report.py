# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A report about the machine's GPU, as Markdown for an issue. It contains
nothing else about the machine."""

import collections
import getpass
import os
import re
import socket
import tempfile
from typing import NamedTuple

from tests.runners.devices import ROOT
from tests.runners.totals import OF_CASES

# Of more failures than this of one suite only the reasons are reported.
MAX_FAILURES = 100

# Shorter names may be parts of words.
MIN_NAME_LENGTH = 3

ABSOLUTE_PATH = re.compile(r"(?<![\w/.])~?/(?:[\w.+@-]+/)*([\w.+@-]+)")


class Outcome(NamedTuple):
    """A suite's outcome: results as --details has them, and the reason why the
    suite did not run in left_out, or ""."""
    suite: str
    contents: str
    results: list
    duration_s: float
    left_out: str = ""

    def of(self, verdict):
        return [result for result in self.results
                if result["verdict"] == verdict]

    def count(self, verdict):
        return len(self.of(verdict))


class Private:
    """Hides names of the machine and its user, and paths."""

    def __init__(self, host, user, home):
        self.paths = {os.path.realpath(ROOT) + "/": "", home + "/": "~/",
                      tempfile.gettempdir() + "/": "~/"}
        self.names = {name: replacement for name, replacement in (
            (host, "HOST"), (host.partition(".")[0], "HOST"), (user, "USER"))
            if len(name) >= MIN_NAME_LENGTH and name != "root"}

    def clean(self, text):
        for path in sorted(self.paths, key=len, reverse=True):
            if path != "//":
                text = text.replace(path, self.paths[path])
        text = ABSOLUTE_PATH.sub(r"\1", text)
        for name in sorted(self.names, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)",
                          self.names[name], text)
        return text

    def clean_outcome(self, outcome):
        return outcome._replace(
            results=[{name: self.clean(text)
                      for name, text in result.items()}
                     for result in outcome.results],
            left_out=self.clean(outcome.left_out))


def of_this_machine():
    return Private(socket.gethostname(), getpass.getuser(),
                   os.path.expanduser("~"))


def code(text):
    """Quotes a text, so that it is no Markdown."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def table(header, rows):
    yield "| " + " | ".join(header) + " |"
    yield "|" + " --- |" * len(header)
    for row in rows:
        yield "| " + " | ".join(code(str(cell)) for cell in row) + " |"


def duration(seconds):
    return (f"{seconds:.0f} s" if seconds < 120 else
            f"{seconds / 60:.0f} min")


def suite_rows(outcomes):
    for outcome in outcomes:
        yield [outcome.suite, outcome.contents,
               *([""] * len(OF_CASES) if outcome.left_out else
                 [outcome.count(verdict) for verdict in OF_CASES]),
               outcome.left_out or duration(outcome.duration_s)]


def failures(outcome):
    failed = outcome.of("failed")
    yield f"### {outcome.suite}: {len(failed)}"
    yield ""
    for result in failed[:MAX_FAILURES]:
        yield code(f"- {result['name']}: {result['why'] or 'no reason'}")
    yield from reasons(failed[MAX_FAILURES:])
    yield ""


def reasons(results):
    """Yields an item for each reason, with its number of results."""
    counts = collections.Counter(result["why"] for result in results)
    for why, number in counts.most_common():
        yield code(f"- {number}: {why or 'expected by a list'}")


def remarks(outcome):
    """Yields a line on each case that passed with a reason: what was measured,
    or what stock Mesa does otherwise; and in how many kinds of contexts."""
    counts = collections.Counter(
        f"{result['case']}: {result['why']}"
        for result in outcome.of("passed") if result["why"])
    for line, number in counts.items():
        yield line + (f" ({number} times)" if number > 1 else "")


def folded(title, lines):
    yield from (f"<details><summary>{title}</summary>", "", "```", *lines,
                "```", "", "</details>", "")


def as_text(title, facts, outcomes):
    yield from (f"# {code(title)}", "")
    yield from table(("", ""), facts.items())
    yield ""
    yield from table(("suite", "contents", *OF_CASES, "time"),
                     suite_rows(outcomes))
    bad = [outcome for outcome in outcomes if outcome.count("failed")]
    yield from ("", "## Failures" if bad else "Nothing failed.", "")
    for outcome in bad:
        yield from failures(outcome)
    for heading, verdict in (("Expected failures", "listed"),
                             ("Skipped", "skipped")):
        found = [outcome for outcome in outcomes if outcome.count(verdict)]
        if found:
            yield from (f"## {heading}", "")
        for outcome in found:
            yield from (f"{outcome.suite}:", "",
                        *reasons(outcome.of(verdict)), "")
    yield from ("## What passed, with remarks", "")
    for outcome in outcomes:
        if lines := list(remarks(outcome)):
            yield from folded(outcome.suite, lines)


def write(path, private, title, facts, outcomes):
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in as_text(
            private.clean(title),
            {name: private.clean(text) for name, text in facts.items()},
            [private.clean_outcome(outcome) for outcome in outcomes]))
