# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""A report about the machine's GPU, as Markdown for an issue and as JSON. It
contains nothing else about the machine."""

import collections
import getpass
import json
import os
import re
import socket
import tempfile
from typing import NamedTuple

from tests.runners.devices import ROOT
from tests.runners.totals import OF_CASES

# More failures than this of one suite are only in the JSON.
MAX_FAILURES = 100

# Shorter names may be parts of words.
MIN_NAME_LENGTH = 3

ABSOLUTE_PATH = re.compile(r"(?<![\w/.])~?/(?:[\w.+@-]+/)*([\w.+@-]+)")


class Outcome(NamedTuple):
    """A suite's outcome: results as --details has them, hangs as texts, and the
    reason why the suite did not run in left_out, or ""."""
    suite: str
    contents: str
    results: list
    hangs: list
    duration_s: float
    left_out: str = ""

    def count(self, verdict):
        return sum(result["verdict"] == verdict for result in self.results)

    def of(self, verdict):
        return [result for result in self.results
                if result["verdict"] == verdict]


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
            hangs=[self.clean(hang) for hang in outcome.hangs],
            left_out=self.clean(outcome.left_out))


def of_this_machine():
    return Private(socket.gethostname(), getpass.getuser(),
                   os.path.expanduser("~"))


def as_json(title, facts, outcomes):
    """Skips by reason, and all others but passes without one by name."""
    return {
        "title": title,
        "facts": facts,
        "suites": [{
            "name": outcome.suite,
            "left_out": outcome.left_out,
            "duration_s": round(outcome.duration_s, 1),
            **{verdict: outcome.count(verdict) for verdict in OF_CASES},
            "results": [result for result in outcome.results
                        if result["verdict"] in ("failed", "listed")
                        or is_remark(result)],
            "skips": collections.Counter(
                result["why"] for result in outcome.of("skipped")),
            "hangs": outcome.hangs,
        } for outcome in outcomes],
    }


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
    if len(failed) > MAX_FAILURES:
        yield f"- and {len(failed) - MAX_FAILURES} more, in the JSON"
    yield ""


def reasons(results):
    """Yields an item for each reason, with its number of results."""
    counts = collections.Counter(result["why"] for result in results)
    for why, number in counts.most_common():
        yield code(f"- {number}: {why or 'expected by a list'}")


def is_remark(result):
    return result["verdict"] == "passed" and result["why"]


def remarks(outcome):
    """Yields a line on each case that passed with a reason: what was measured,
    or what stock Mesa does otherwise; and in how many kinds of contexts."""
    counts = collections.Counter(
        f"{result['case']}: {result['why']}"
        for result in outcome.results if is_remark(result))
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
    hangs = [hang for outcome in outcomes for hang in outcome.hangs]
    if hangs:
        yield from ("## Hangs", "", *(code(f"- {hang}") for hang in hangs),
                    "")
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
    """Writes the text, and the JSON next to it; returns the JSON's path."""
    json_path = os.path.splitext(path)[0] + ".json"
    title = private.clean(title)
    facts = {name: private.clean(text) for name, text in facts.items()}
    outcomes = [private.clean_outcome(outcome) for outcome in outcomes]
    with open(path, "w", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n"
                          for line in as_text(title, facts, outcomes))
    with open(json_path, "w", encoding="utf-8") as stream:
        json.dump(as_json(title, facts, outcomes), stream, indent=1)
        stream.write("\n")
    return json_path
