# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The devices that src/mesa/run chooses, and its messages.

Choices are made on mock machines. Launches run a program on this computer's
GPU, replaced by a simulated one or none.
"""

import os
import pathlib
import shlex
import subprocess

import pytest
from tests.launch.choices import CHOICES
from tests.launch.launches import LAUNCHES
from tests.runners.mesa import HANG_GUARD_S, RUN

CHOOSE = pathlib.Path(__file__).parent / "choose.sh"
# The variables that affect the choice.
VARIABLES = ("DISPLAY", "DRI_PRIME", "EGL_PLATFORM", "GALLIUM_DRIVER",
             "LD_PRELOAD", "LIBGL_ALWAYS_SOFTWARE",
             "MESA_LOADER_DRIVER_OVERRIDE",
             "VK_DRIVER_FILES", "VK_ICD_FILENAMES", "WAYLAND_DISPLAY",
             "PITOT_SIM")


def environment(changes):
    kept = {name: value for name, value in os.environ.items()
            if name not in VARIABLES}
    return {**kept, **changes}


def said(done):
    """The launcher's lines, except about builds."""
    return [line.removeprefix("pitot: ") for line in done.stderr.splitlines()
            if line.startswith("pitot: ")
            and not line.startswith(("pitot: [", "pitot: building ",
                                     "pitot: another build ",
                                     "pitot:     "))]


def check(done, status, lines):
    assert (said(done), done.returncode) == (list(lines), status)
    assert "pitot-sim: violation" not in done.stderr


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_choice(choice, tmp_path):
    (tmp_path / "list").write_text("".join(
        "\t".join(node) + "\n" for node in choice.machine))
    for name in choice.vulkan:
        (tmp_path / f"{name}_icd.x86_64.json").touch()
    (tmp_path / "10_nvidia.json").touch()
    done = subprocess.run(
        [CHOOSE, tmp_path, choice.driver, choice.gpu], text=True,
        env=environment(choice.env), capture_output=True)
    if choice.error:
        check(done, 1, [choice.error])
        return
    check(done, 0, [])
    assert (done.stdout.replace(f"{tmp_path}/", "").splitlines() ==
            choice.wanted())


def start(words, env):
    return subprocess.run(words, env=env, stdin=subprocess.DEVNULL, text=True,
                          errors="replace", capture_output=True,
                          timeout=HANG_GUARD_S)


def start_on_wayland(words, env, path):
    """Lets a compositor start a program and end with it."""
    program, out, err, status = (path / name for name in
                                 ("program", "out", "err", "status"))
    program.write_text(f"#!/bin/sh\n{shlex.join(words)} >{out} 2>{err}\n"
                       f"echo $? >{status}\n")
    program.chmod(0o755)
    (path / "weston.ini").write_text(
        f"[autolaunch]\npath={program}\nwatch=true\n")
    done = start(["weston", "--backend=headless-backend.so",
                  f"--config={path}/weston.ini"],
                 {**env, "XDG_RUNTIME_DIR": str(path)})
    if not status.exists():
        return done
    return subprocess.CompletedProcess(words, int(status.read_text()),
                                       out.read_text(), err.read_text())


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda launch: launch.name)
def test_launch(launch, build, tmp_path):
    """A program that a user starts."""
    changes = dict(launch.env)
    if launch.machine:
        changes.update(LD_PRELOAD=str(build / "tests/sim/libpitot-sim.so"),
                       PITOT_SIM=launch.machine)
    words, env = [RUN, *launch.arguments], environment(changes)
    done = (start_on_wayland(words, env, tmp_path) if launch.on_wayland
            else start(words, env))
    check(done, launch.status, launch.said)
    for line in launch.printed:
        assert line in done.stdout
