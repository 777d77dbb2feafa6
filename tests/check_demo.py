# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Checks what the demo wrote: check_demo.py JSON-FILE SVG-FILE LIST-FILE

Both kinds of contexts must be there, with the scenes that any of them can
draw; in OpenGL queries must have counted what is drawn.  Every scene must have
been timed, by queries and by the set "GPU Time"; the
set "Pipeline Statistics" must have counted the same as queries did in another
draw of the same scene; the chart must be XML; and the list of counter sets
must be of those that measured.
"""

import json
import sys
import xml.etree.ElementTree

# The counters by the queries that count the same.
COUNTERS = {
    "VERTICES_SUBMITTED": "Vertices Submitted",
    "PRIMITIVES_SUBMITTED": "Primitives Submitted",
    "VERTEX_SHADER_INVOCATIONS": "Vertex Shader Invocations",
    "TESS_CONTROL_SHADER_PATCHES": "Tessellation Control Patches",
    "TESS_EVALUATION_SHADER_INVOCATIONS":
        "Tessellation Evaluation Invocations",
    "GEOMETRY_SHADER_INVOCATIONS": "Geometry Shader Invocations",
    "GEOMETRY_SHADER_PRIMITIVES_EMITTED": "Geometry Shader Primitives",
    "FRAGMENT_SHADER_INVOCATIONS": "Fragment Shader Invocations",
    "COMPUTE_SHADER_INVOCATIONS": "Compute Shader Invocations",
    "CLIPPING_INPUT_PRIMITIVES": "Clipping Input Primitives",
    "CLIPPING_OUTPUT_PRIMITIVES": "Clipping Output Primitives",
}

# Every driver has these.
APIS = {"OpenGL ES", "OpenGL"}
SCENES = {"clear", "2 triangles", "1k triangles", "100k triangles",
          "heavy fragments"}


def missing(contexts):
    """Names all that is not there at all."""
    found = {context["api"]: {scene["name"]: scene
                              for scene in context["scenes"]}
             for context in contexts}
    for api in APIS:
        for name in SCENES - found.get(api, {}).keys():
            yield f"{api}: there is no scene '{name}'"
    scene = found.get("OpenGL", {}).get("1k triangles")
    if scene and not scene["statistics"]["VERTICES_SUBMITTED"]:
        yield "OpenGL: no query counted vertices"


def untimed(scene):
    """Yields the times that are not above zero."""
    if not scene["elapsed_median_ns"] > 0:
        yield "its draw has no elapsed time"
    gpu_time = scene["counters"]["GPU Time"]
    if not gpu_time["GPU Time Elapsed"] > 0:
        yield "'GPU Time' has no elapsed time"
    if gpu_time["GPU Time End"] < gpu_time["GPU Time Begin"]:
        yield "'GPU Time' ends before it begins"


def miscounted(scene):
    """Yields the counters that differ from the query of the same thing."""
    counters = scene["counters"]["Pipeline Statistics"]
    for query, name in COUNTERS.items():
        counted = scene["statistics"][query]
        if counted is not None and counters[name] != counted:
            yield f"'{name}' is {counters[name]}, but {query} {counted}"


def faults(contexts, listed_sets):
    """Yields a line for each fault."""
    yield from missing(contexts)
    for context in contexts:
        if context["counter_sets"] != listed_sets:
            yield f"{context['api']}: other counter sets than are listed"
        for scene in context["scenes"]:
            for fault in (*untimed(scene), *miscounted(scene)):
                yield f"{context['api']}, scene '{scene['name']}': {fault}"


def main():
    json_path, svg_path, list_path = sys.argv[1:]
    xml.etree.ElementTree.parse(svg_path)
    with open(json_path, encoding="utf-8") as file:
        contexts = json.load(file)["contexts"]
    with open(list_path, encoding="utf-8") as file:
        listed_sets = json.load(file)["counter_sets"]
    found = list(faults(contexts, listed_sets))
    if found:
        sys.exit("\n".join(found))


main()
