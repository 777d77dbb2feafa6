# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""src/mesa/join, on those files of the Mesa that is built which it changes."""

import pathlib
import re
import runpy
import shutil
import subprocess

import pytest

from tests.runners.devices import ROOT

MESA = pathlib.Path(ROOT) / "src" / "mesa"


def join(directory, *options):
    return subprocess.run([MESA / "join", directory, *options], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def texts(directory):
    return {path: path.read_text() for path in directory.rglob("*")
            if path.is_file()}


@pytest.fixture
def source(built, tmp_path):
    """Mesa's source without Pitot."""
    files = {place[0] for places in runpy.run_path(str(MESA / "join"))["JOIN"]
             for place in places}
    for fix in (MESA / "fixes").iterdir():
        files.update(re.findall(r"^\+\+\+ b/(.*)", fix.read_text(), re.M))
    tree = pathlib.Path(built("mesa")).parent / "src"
    files.add("VERSION")
    for file in files:
        if (tree / file).exists():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tree / file, tmp_path / file)
    assert join(tmp_path, "--remove").returncode == 0
    return tmp_path


def test_join_twice_and_remove(source):
    before = texts(source)
    assert join(source).returncode == 0
    joined = texts(source)
    assert all("pitot" not in text for text in before.values())
    assert "pitot_mesa_init(ctx)" in joined[
        source / "src/mesa/state_tracker/st_context.c"]
    join(source)
    assert texts(source) == joined
    join(source, "--remove")
    assert texts(source) == before


@pytest.mark.parametrize("count", [0, 2])
def test_place_that_is_missing_or_ambiguous(source, count):
    file = source / "src/mesa/main/get.c"
    place = "case GL_GPU_DISJOINT_EXT:\n      {\n         v->value_int = 0;"
    file.write_text(file.read_text().replace(place, place * count))
    before = texts(source)
    done = join(source)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"src/mesa/main/get.c has {count} places" in done.stderr
    assert texts(source) == before


@pytest.mark.parametrize("options, complaint", [
    (["--fix", "none"], "there is no fix none in"),
    ([], "it has no file VERSION"), (["--fix", "glx-hidden-window"],
                                     "it has no file VERSION")])
def test_wrong_arguments(tmp_path, options, complaint):
    if options == ["--fix", "none"]:
        (tmp_path / "VERSION").write_text("25.0.7\n")
    done = join(tmp_path, *options)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and complaint in done.stderr


def test_fix_that_does_not_fit(source):
    file = source / "src/glx/dri_common.c"
    file.write_text(file.read_text().replace("dri_destroy_context", "destroy"))
    assert "glx-context-before-drawables" in join(source).stdout.split()
