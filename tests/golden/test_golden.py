# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Scenes of queries on each simulated GPU. With Pitot in the driver, the
commands are stock Mesa's, in the same order, except for the differences in
differences.py; and no step costs more, except as in worse.py. A query by Pitot
alone has the same commands. The results are the simulator's, also with
Debian's driver; and Mesa's own decoders see the packets that the simulator
saw. A simulator proves agreement with these drivers, not with hardware."""

import re
import shutil

import pytest
from tests.golden import costs, judge, recordings
from tests.golden.differences import ALONE, DIFFERENCES
from tests.golden.lists import List
from tests.golden.scenes import Scene
from tests.golden.worse import WORSE
from tests.runners import devices


def every_gpu(known):
    return [device for device in known if device.is_simulated()]


@pytest.mark.devices(every_gpu, every_gpu)
def test_golden(device, build, results, tmp_path):
    def add(name, fault, verdict=""):
        results.add(verdict or ("failed" if fault else "passed"),
                    f"golden: {name}", name, fault)

    for side in recordings.sides_of(device):
        add(f"recording of {recordings.NAMES[side]}",
            recordings.record(build, tmp_path, device, side))
    lists = [List(entries, device.gpu)
             for entries in (DIFFERENCES, ALONE, WORSE)]
    for verdict, name, why in judge.results_of(
            tmp_path, device, recordings.scenes(build), lists):
        add(name, why, verdict)
    if not results.failures():
        shutil.rmtree(tmp_path)


def test_lists(build):
    """An entry of a list is about a scene of a GPU; there, it is needed."""
    plan = recordings.scenes(build)
    nothing = dict.fromkeys(plan, Scene({}))
    rows = [row.name() for row in costs.rows_of(plan, nothing, nothing)]
    for entries, names in ((DIFFERENCES + ALONE, plan), (WORSE, rows)):
        for entry in entries:
            assert any(re.fullmatch(entry.where, f"{device.gpu}/{name}")
                       for device in devices.simulated()
                       for name in names), entry
