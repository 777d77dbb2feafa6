# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The walks are short, and those that docs/architecture.md shows."""

from tests.bench import instrumented, walks

# The most functions and files of a walk.
AIMS = {
    ("llvmpipe", "begin"): (15, 8),
    ("iris", "begin"): (35, 12),
    ("iris", "poll FALSE"): (25, 10),
    ("iris", "poll TRUE"): (25, 10),
}
# Walks that are still longer. One that no longer is fails, so that it is
# removed.
UNREACHED = [("iris", "poll TRUE")]


def test_walks(build, tmp_path, results):
    found = instrumented.walks_of(build, tmp_path)
    for (driver, call), walk in found.items():
        print(f"{call} on {driver}, {walk}:", *walk.lines(), "", sep="\n")
    for key, most in AIMS.items():
        why = "{}; at most {} in {} are wanted".format(found[key], *most)
        if key in UNREACHED:
            why += ", and that is reached: take it out of UNREACHED"
        results.add(found[key].verdict(most, key in UNREACHED),
                    f"walk: {key[1]}", key[1], why, where=key[0])
    shown, wanted = walks.document(found)
    results.add("passed" if shown == wanted else "failed",
                "walks of the document", "architecture.md",
                f"it shows other walks: tests/bench/document {build}")
