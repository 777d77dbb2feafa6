# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The demo's output on all drivers, and with memcheck.

OpenGL ES and OpenGL must be there, with the scenes that every driver can draw.
Each scene must have times from queries and from the set "GPU Time". Counts of
the set "Pipeline Statistics" must equal those of queries for another draw of
the scene. The chart must be XML with all scenes. The table must have the
listed sets, with full names of their counters, and the number of sets that
were not measured. All outputs must say whether the GPU is simulated.
"""

import re
import subprocess
import xml.etree.ElementTree

import pytest
from tests.runners import devices
from tests.runners.mesa import HANG_GUARD_S
from tests.test_programs import MEMCHECK

# Counters by the queries that count the same, as in the table.
COUNTERS = {
    "vertices submitted": "Vertices Submitted",
    "primitives submitted": "Primitives Submitted",
    "VS invocations": "Vertex Shader Invocations",
    "TCS patches": "Tessellation Control Patches",
    "TES invocations": "Tessellation Evaluation Invocations",
    "GS invocations": "Geometry Shader Invocations",
    "GS primitives": "Geometry Shader Primitives",
    "FS invocations": "Fragment Shader Invocations",
    "CS invocations": "Compute Shader Invocations",
    "clipping input": "Clipping Input Primitives",
    "clipping output": "Clipping Output Primitives",
}

# The number of sets that are measured: the first ones, and the last.
MEASURED_MAX = 65

# Supported by every driver.
APIS = {"OpenGL ES", "OpenGL"}
SCENES = {"clear", "2 triangles", "1k triangles", "100k triangles",
          "heavy fragments"}

COLUMN = 10 # the width of a scene's column


def read_rows(lines, columns):
    """{label: values in the columns} of a table's lines."""
    width = columns * COLUMN
    return {re.split("  ", line)[0]:
            [line[len(line) - width:][i:i + COLUMN].strip()
             for i in range(0, width, COLUMN)] for line in lines}


def read_table(text):
    """{API: ({scene: time}, {set: {label: values by scene}})}."""
    found = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if lines and lines[0].endswith(" pixels"):
            times, sets = found.setdefault(lines[0].split(",")[0], ({}, {}))
        elif lines and lines[0].startswith("scene "):
            times.update((line[:20].strip(), line[20:34].strip())
                         for line in lines[2:] if not line.startswith("! "))
        elif len(lines) > 2 and set(lines[2]) == {"-"}:
            name = lines[1][:-COLUMN * len(times)].strip()
            sets[name] = read_rows(lines[3:], len(times))
    return found


def read_list(text):
    found = {}
    for block in text.split("\n\n")[1:]:
        name, *counters = block.splitlines()
        found[name] = [counter.strip().split("  ")[0] for counter in counters]
    return found


def missing(table):
    for api in APIS:
        for name in SCENES - table.get(api, ({},))[0].keys():
            yield f"{api}: there is no scene '{name}'"


def untimed(times, sets):
    """Scenes whose times are not positive."""
    elapsed = sets["GPU Time"]["GPU Time Elapsed"]
    for (scene, time), by_set in zip(times.items(), elapsed):
        if not float(time.split()[0]) > 0:
            yield f"the scene '{scene}' has no elapsed time"
        if by_set in ("0", "-"):
            yield f"'GPU Time' has no elapsed time in the scene '{scene}'"


def miscounted(sets):
    """Counters that differ from their query, if they have one."""
    for query, counted in sets["counted in one draw"].items():
        counter = COUNTERS.get(query)
        if counter and "-" not in counted:
            by_set = sets["Pipeline Statistics"][counter]
            if by_set != counted:
                yield f"'{counter}' is {by_set}, but {query} {counted}"


def unlisted(text, sets, listed):
    """Sets and counters that are missing in the table, and a wrong number."""
    names = list(listed)
    if len(names) > MEASURED_MAX:
        names[MEASURED_MAX - 1:] = names[-1:]
    for name in names:
        for counter in set(listed[name]) - sets.get(name, {}).keys():
            yield f"the table lacks '{counter}' of the set '{name}'"
    left_out = len(listed) - len(names)
    if left_out and f"\n{left_out} more counter sets are not" not in text:
        yield f"the table does not say that {left_out} sets are left out"


def faults(text, list_text):
    """Yields a line for each fault in the demo's table."""
    table, listed = read_table(text), read_list(list_text)
    yield from missing(table)
    for api, (times, sets) in table.items():
        for fault in (*untimed(times, sets), *unlisted(text, sets, listed)):
            yield f"{api}: {fault}"
    yield from miscounted(table["OpenGL"][1])
    if not int(table["OpenGL"][1]["counted in one draw"]
               ["vertices submitted"][2]):
        yield "OpenGL: no query counted vertices"


def mislabelled(is_simulated, texts):
    """Outputs (by name) that are wrong about the GPU being simulated."""
    for name, text in texts.items():
        if ("simulated" in text) != is_simulated:
            yield (f"the {name} {'does not say' if is_simulated else 'says'} "
                   "that the GPU is simulated")


def undrawn(table, chart):
    for api, (times, _) in read_table(table).items():
        for name in {api, *times} - set(chart):
            yield f"the chart lacks '{name}'"


def run(command, env=None):
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace",
                          timeout=HANG_GUARD_S)


@pytest.fixture
def check(results, tmp_path):
    """A function that runs a demo's command on a device."""
    def check_demo(demo, env, device):
        chart = tmp_path / "chart.svg"
        table, listed = (run([*demo, *options], env) for options in
                         (["--svg", chart], ["--list-counters"]))
        for done in table, listed:
            assert done.returncode == 0, done.stderr
            assert "pitot-sim: violation" not in done.stderr
        drawn = list(xml.etree.ElementTree.parse(chart).getroot().itertext())
        results.check("demo", [
            *faults(table.stdout, listed.stdout),
            *undrawn(table.stdout, drawn),
            *mislabelled(device.is_simulated(), {
                "chart": " ".join(drawn), "table": table.stdout,
                "list of counters": listed.stdout})])
    return check_demo


@pytest.mark.devices()
def test_demo(device, built, on_mesa, check):
    check([built("demo")], on_mesa(device).environment(), device)


def test_memcheck(built, on_mesa, check):
    """Drivers that render or compile shaders take minutes."""
    device = devices.default("iris")
    check([*MEMCHECK, built("demo")], on_mesa(device).environment(), device)


def test_launcher(on_mesa, check):
    """src/mesa/run starts its own demo, as in README.md."""
    device = devices.default("llvmpipe")
    check(on_mesa(device).command([]), None, device)


def test_wrong_arguments(built, results):
    found = [(words, run([built("demo"), *words])) for words in (
        ["foo"], ["--list-counters", "--svg", "x"], ["--check", "--svg", "x"],
        ["--json"], ["--foo"])]
    told = ("unexpected argument 'foo'", *["do not go together"] * 3,
            "unrecognized option '--foo'")
    results.check("demo, wrong arguments", [
        f"{words}: status {done.returncode}: {done.stdout}{done.stderr}"
        for (words, done), line in zip(found, told)
        if done.returncode != 2 or line not in done.stderr or done.stdout
        or done.stderr.count("\n") != 1])
