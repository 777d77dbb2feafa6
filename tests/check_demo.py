# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the demo wrote: check_demo.py JSON-FILE SVG-FILE

Every scene must have been timed, and the chart must be XML.
"""

import json
import sys
import xml.etree.ElementTree


def untimed_scenes(path):
    """The scenes whose elapsed time is not above zero."""
    with open(path, encoding="utf-8") as file:
        contexts = json.load(file)["contexts"]
    scenes = [(context, scene) for context in contexts
              for scene in context["scenes"]]
    if not scenes:
        return ["no scene at all"]
    return [f"'{scene['name']}' on {context['api']}"
            for context, scene in scenes
            if not scene["elapsed_median_ns"] > 0]


def main():
    json_path, svg_path = sys.argv[1:]
    xml.etree.ElementTree.parse(svg_path)
    untimed = untimed_scenes(json_path)
    if untimed:
        sys.exit(f"not timed: {', '.join(untimed)}")


main()
