# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""The test of the machine's GPU, without a GPU and Mesa."""

import json
import os
import pathlib

import pytest
from tests.conftest import Results
from tests.hardware import machine, report, suites
from tests.hardware.test_machine import add_checks
from tests.runners.command import RunError
from tests.runners.test_watch import IDLE
from tests.runners.watch import apart

@pytest.fixture
def run_suite(tmp_path):
    """A function that runs a suite, of a test with this body."""
    def run(body, *options, test="def test_it():"):
        (tmp_path / "test_suite.py").write_text(
            f"import os, subprocess\n{test}\n    {body}\n")
        suite = suites.Suite("name", "contents", tmp_path / "test_suite.py")
        return apart(suites.run, suite, [
            "--rootdir", suites.TESTS, "-c", suites.TESTS / "pytest.ini",
            "-p", "tests.conftest", *options], (), IDLE)
    return run


def failures(outcome):
    return [f"{result['name']}: {result['why']}"
            for result in outcome.of("failed")]


def test_results_are_those_of_the_tests(run_suite):
    outcome = run_suite("results.add('passed', 'a', 'b', 'c')",
                        test="def test_it(results):")
    assert outcome.results == [{"verdict": "passed", "case": "a", "name": "b",
                                "why": "c"}]
    assert outcome.left_out == ""


@pytest.mark.parametrize("body, options, why", [
    ("os.kill(os.getpid(), 11)", (), "status -11 and has no result"),
    ("pass", ("-k", "nothing"), "broke off with status 5 and has no result"),
    ("os._exit(0)", (), "broke off with status 0 and has no result"),
    ("pass", ("--no-such-option",), "broke off with status 4")])
def test_a_suite_that_breaks_off_has_failed(body, options, why, run_suite):
    found = failures(run_suite(body, *options))
    assert len(found) == 1 and why in found[0]


@pytest.mark.parametrize("status, verdict, why", [
    (0, "passed", None), (1, "failed", None), (0, "failed", None),
    (1, "passed", "it broke off with status 1"),
    (2, "passed", "it broke off with status 2"),
    (-9, "failed", "it broke off with status -9"),
    (None, "passed", "it does not end")])
def test_a_status_that_contradicts_the_results(status, verdict, why):
    assert suites.contradiction(status, [{"verdict": verdict}]) == why


def test_a_hang_is_a_failure_and_the_rest_goes_on(run_suite):
    outcome = run_suite("subprocess.run(['sleep', '1000000'])\n"
                        "def test_more():\n    pass")
    assert failures(outcome) == [
        "hang: sleep 1000000: it takes no CPU time and writes nothing"]
    assert outcome.count("passed") == 2


@pytest.mark.parametrize("results, why", [
    ({"check: hang limit": "failed"}, "the kernel does not reset this GPU"),
    ({"check": "failed"}, "the check broke off"),
    ({"check: batches": "failed", "check: hang limit": "passed"}, ""),
    ({"test_check": "skipped"}, "")])
def test_nothing_runs_on_a_GPU_that_may_hang_for_ever(results, why):
    check, after, *_ = suites.SUITES
    before = report.Outcome(check.name, "", [
        {"case": case, "verdict": verdict}
        for case, verdict in results.items()], 0)
    outcome = suites.run(after, ["--no-such-option"], [before])
    assert why in outcome.left_out
    assert bool(why) == bool(outcome.left_out) != bool(outcome.results)
    assert '{ "hang limit",' in pathlib.Path(
        report.ROOT, "src/info/check.c").read_text()


@pytest.mark.parametrize("suite", suites.SUITES, ids=lambda suite: suite.name)
def test_a_suite_has_tests(suite):
    path, _, name = suite.tests.partition("::")
    assert f"def {name or 'test_'}" in (suites.TESTS / path).read_text()


def answers(*verdicts):
    return json.dumps({"devices": [{"checks": [
        {"name": "a", "verdict": verdict, "text": "", "assumes": "b",
         "numbers": {"c": 1}} for verdict in verdicts]}]})


@pytest.mark.parametrize("output, status, verdicts", [
    (answers("right", "absent", "not tried"), 0,
     ["passed", "skipped", "skipped"]),
    (answers("right", "wrong"), 1, ["passed", "failed"]),
    (answers("right"), 1, ["passed", "failed"]),
    (answers("wrong"), 0, ["failed", "failed"]),
    (answers("right"), -11, ["passed", "failed"]),
    (answers(), 0, ["failed"]), ("", 0, ["failed"]), ("no", 1, ["failed"])])
def test_a_check_has_no_result_that_contradicts_it(output, status, verdicts):
    results = Results()
    add_checks(results, output, status)
    assert [row[0] for row in results.rows] == verdicts


@pytest.mark.parametrize("text, expected", [
    ("6.1.0-box.example.org", "6.1.0-HOST"),
    ("6.1.0-box", "6.1.0-HOST"),
    ("cannot open /home/ann/games/x.c of ann", "cannot open x.c of USER"),
    ("/dev/dri/renderD128: no", "renderD128: no"),
    (os.path.join(report.ROOT, "test_a: b"), "test_a: b"),
    *((same, same) for same in (
        "annotated 1/2 boxes", "a/b", "banned", "and/or",
        "4.6 (Core Profile) Mesa 25.0.7"))])
def test_names_and_paths_are_taken_out(text, expected):
    private = report.Private("box.example.org", "ann", "/home/ann")
    assert private.clean(text) == expected


def test_a_short_name_is_no_part_of_words():
    text = "of pc and me"
    assert report.Private("pc", "me", "/").clean(text) == text


@pytest.fixture
def write_report(tmp_path):
    """A function that writes a report, and returns its lines."""
    def write(*results):
        outcome = report.Outcome("suite", "contents", [
            {"verdict": verdict, "case": name, "name": name, "why": why}
            for verdict, name, why in results], 61.25)
        report.write(tmp_path / "report.md",
                     report.Private("myhost", "ann", "/home/ann"),
                     "Pitot on a GPU", {"kernel": "6.1-myhost"}, [outcome])
        return (tmp_path / "report.md").read_text().splitlines()
    return write


def test_all_but_what_just_passed_is_reported_by_name(write_report):
    lines = write_report(
        ("passed", "a", ""), ("failed", "b|c", "not <1> on myhost"),
        ("skipped", "d", "no pixels"), ("listed", "e", ""),
        ("passed", "f", "failed on stock Mesa"))
    assert {"| suite | contents | 2 | 1 | 1 | 1 | 61 s |",
            "- b\\|c: not &lt;1> on HOST", "- 1: no pixels",
            "- 1: expected by a list", "| kernel | 6.1-HOST |",
            "f: failed on stock Mesa"} <= set(lines)
    assert not any("Nothing failed" in line or "myhost" in line
                   for line in lines)


def test_a_failure_of_many_has_its_reason(write_report):
    many = report.MAX_FAILURES + 7
    lines = write_report(*[("failed", "a", "it hangs")] * many)
    assert lines.count("- a: it hangs") == report.MAX_FAILURES
    assert {f"### suite: {many}", "- 7: it hangs"} <= set(lines)


NODES = [
    "/dev/dri/renderD128\tnouveau\t-\tunusable\treal\t10de:1\tpci-0\tno\n",
    "/dev/dri/renderD129\ti915\tiris\tsampled\treal\t8086:1912\tpci-1\t"
    "Gen9, skl\n",
    "/dev/dri/renderD130\tamdgpu\tradeonsi\tsampled\tsimulated\t1002:73bf\t"
    "pci-2\tGFX10.3, navi21\n"]
SECOND = NODES[2].replace("130", "131").replace("pci-2", "pci-3")
USABLE = NODES[0].replace("unusable", "unsampled")
NAMED = {"VK_DRIVER_FILES": "/nowhere/nvidia_icd.json"}


@pytest.fixture
def find(tmp_path, monkeypatch):
    """A function that finds the node for a driver among those of a list."""
    def find_node(driver, nodes=NODES, **env):
        info = tmp_path / "info"
        info.write_text(f"#!/bin/sh\ncat <<'END'\n{''.join(nodes)}END\n")
        info.chmod(0o755)
        for name in ("DRI_PRIME", "VK_DRIVER_FILES"):
            monkeypatch.setenv(name, env.get(name, ""))
        return machine.find_node(info, driver)
    return find_node


@pytest.mark.parametrize("driver, nodes, env, path", [
    (None, NODES, {}, "129"), ("iris", NODES, {}, "129"),
    ("radeonsi", NODES, {}, "130"), ("zink", NODES, {}, "129"),
    (None, NODES, {"DRI_PRIME": "pci-2"}, "130"),
    ("radeonsi", NODES, {"DRI_PRIME": "1"}, "130"),
    # zink takes any vendor's, or the Vulkan driver that the user names.
    ("zink", [USABLE], {}, "128"), ("zink", NODES, NAMED, "129"),
    ("zink", [], NAMED, "")])
def test_the_first_that_fits_is_taken(driver, nodes, env, path, find):
    assert find(driver, nodes, **env).path == (path and
                                               f"/dev/dri/renderD{path}")


@pytest.mark.parametrize("driver, nodes, env, why", [
    # Mesa would not take it.
    ("radeonsi", [*NODES, SECOND], {"DRI_PRIME": "pci-3"},
     "Mesa takes .*renderD130"),
    ("radeonsi", [*NODES, SECOND], {"DRI_PRIME": "1"}, "DRI_PRIME=1"),
    ("radeonsi", NODES[:1], {}, "no GPU for radeonsi: /dev/dri/renderD128: "
                                "no$"),
    (None, [USABLE], {}, "no GPU"), ("iris", [], NAMED, "no GPU"),
    (None, [], NAMED, "no GPU"), ("zink", [], {}, "no GPU")])
def test_no_other_is_taken(driver, nodes, env, why, find):
    with pytest.raises(RunError, match=why):
        find(driver, nodes, **env)


def test_Vulkan_names_a_GPU_without_a_render_node(find):
    node = find("zink", [], **NAMED)
    assert node.state == "unsampled"
    for renderer, text in (
            ("zink Vulkan 1.4(GPU 80GB (VENDOR))", "GPU 80GB (VENDOR)"),
            ("no GL: it hangs", node.text)):
        assert machine.named(node, renderer).text == text


def test_zink_on_the_CPU_is_refused():
    def refuse(renderer):
        machine.refuse_the_cpu({"GL with Pitot": renderer,
                                "GL on stock Mesa": renderer})

    refuse("zink Vulkan 1.3(Intel(R) HD Graphics 530)")
    with pytest.raises(RunError, match="no Vulkan driver"):
        refuse("zink Vulkan 1.3(llvmpipe (LLVM 15))")


def test_only_a_simulated_one_has_lists(find):
    real = machine.device_of(find("iris"), "iris")
    simulated = machine.device_of(find("radeonsi"), None)
    assert (real.gpu, real.is_simulated()) == ("", False)
    assert (simulated.driver, simulated.gpu) == ("radeonsi", "navi21")


@pytest.mark.parametrize("kernel, pci_id, gpu", [
    ("i915", "8086:56a0", "dg2"), ("xe", "8086:56a0", "dg2-xe"),
    ("xe", "8086:64a0", "lnl"), ("i915", "8086:1912", "skl")])
def test_a_simulated_one_has_the_name_of_its_kernels_driver(kernel, pci_id,
                                                            gpu, find):
    """i915 and xe both know some GPUs."""
    node = find("radeonsi")._replace(kernel_driver=kernel, pci_id=pci_id)
    assert machine.simulated_gpu(node) == gpu
