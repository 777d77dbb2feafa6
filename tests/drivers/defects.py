#!/usr/bin/python3 -B
# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Tests the query defects of GPU drivers; see --help."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.dirname(HERE))

from runners import command, devices, mesa
from runners.command import RunError, last_line, say
from runners.mesa import Mesa
from runners.totals import Totals

DESCRIPTION = """\
Tests iris, radeonsi and freedreno for the query defects of
tests/drivers/defects.inc, on simulated GPUs. With Pitot in the driver each test
must be right, except for those that a driver lacks, which must be wrong. A
defect must be wrong with one of the stock drivers, or it would test nothing; a
promise must be right with all. On the machine's own GPU, tests that need no
simulator run, and must be right with Pitot.
"""

EPILOG = """\
Ends with the totals, as tests/run; the exit status is 0 if nothing failed.
"""


def make_parser():
    parser = command.ArgumentParser(HERE, DESCRIPTION, EPILOG)
    parser.add_argument("--markdown", action="store_true",
                        help="print a table of both")
    parser.add_argument("--defect", action="append", dest="defects",
                        metavar="NAME", help="only this; may be repeated")
    parser.add_argument("--all", action="store_true",
                        help="all simulated GPUs but twins; otherwise, if none "
                             "is named, one of each generation")
    mesa.add_launcher_argument(parser)
    devices.add_build_arguments(parser)
    return parser


def outcome(side, program, defect):
    """"right", or "wrong" with the values seen, or a failure."""
    done = side.run([program, *machine_option(side.device), defect],
                    stderr=subprocess.PIPE)
    *seen, last = done.stdout.splitlines() or [""]
    # The simulator may report a violation for a stock driver's defect.
    if "pitot-sim: violation" in done.stderr and last != "wrong":
        return f"violated: {last_line(done.stderr)}"
    if done.returncode == 0 and last == "right":
        return "right"
    if done.returncode == 0 and last == "wrong":
        return "wrong" + " ".join(line.replace("# ", ": ", 1)
                                  for line in seen)
    return (f"failed with status {done.returncode}: "
            f"{last_line(done.stderr)}")


def machine_option(device):
    return ["--machine"] if device and device.is_machine() else []


def wanted_gpus(is_all):
    known = [device for device in devices.simulated() if device.mark != "twin"]
    return known if is_all else devices.first_of_generations(known)


def list_defects(program, options):
    """The wanted rows: (kind, name, only driver concerned or None)."""
    done = subprocess.run([program, *machine_option(options.machine), "--list"],
                          stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RunError(f"{program} --list failed with status "
                       f"{done.returncode}")
    found = [(line.split() + [None])[:3] for line in done.stdout.splitlines()]
    return [row for row in found
            if not options.defects or row[1] in options.defects]


def run_on_machine(options, program, totals):
    """Without a simulator, Pitot has to be right and stock Mesa need not be.
    Yields a line on each defect."""
    def on(stock, defect):
        return outcome(Mesa(options.machine, stock, options.launcher),
                       program, defect)

    for kind, defect, _ in list_defects(program, options):
        stock, pitot = on(True, defect), on(False, defect)
        line = f"{stock} on stock Mesa, {pitot} with Pitot"
        totals.explain("passed" if pitot == "right" else "failed",
                       f"{kind}: {defect}", kind, defect, line)
        yield f"{kind} {defect}: {line}"


def run(options):
    program = str(options.build.resolve() / "tests/defects")
    totals = Totals()
    if options.machine:
        return totals.finish(*run_on_machine(options, program, totals))
    if options.markdown:
        say("| what | GPU | stock | Pitot |", "| --- | --- | --- | --- |")

    pool = ThreadPoolExecutor(os.cpu_count())
    wanted = options.gpus or wanted_gpus(options.all)

    def on_each(gpus, stock, defect):
        """Starts all GPUs, then yields each with its outcome."""
        return zip(gpus, pool.map(
            lambda gpu: outcome(Mesa(gpu, stock, options.launcher), program,
                                defect), gpus))

    def on_all(defect, driver):
        of_driver = [device for device in devices.simulated()
                     if driver in (None, device.driver)]
        # One GPU of each driver is enough: all run the same code.
        return (on_each([device for device in of_driver
                         if device.is_default()], True, defect),
                on_each([device for device in of_driver if device in wanted],
                        False, defect))

    listed = list_defects(program, options)
    lacks, worse = ({(driver, defect) for kind, defect, driver in listed
                     if kind == wanted} for wanted in ("lack", "worse"))
    runs = [(kind, defect, on_all(defect, driver))
            for kind, defect, driver in listed
            if kind not in ("lack", "worse")]
    for kind, defect, outcomes in runs:
        on_stock, on_pitot = map(dict, outcomes)
        if options.markdown and kind == "defect":
            for device, seen in on_stock.items():
                say(f"| {defect.replace('_', ' ')} | {device.gpu} | {seen} | "
                    f"{on_pitot.get(device, 'not run')} |")
        # Stock Mesa is wrong where Pitot lacks it, right where Pitot is worse,
        # and right about all other promises; some driver has each defect.
        is_expected = all(
            seen.startswith("wrong") if (device.driver, defect) in lacks else
            seen == "right"
            for device, seen in on_stock.items() if kind == "promise"
            or (device.driver, defect) in lacks | worse)
        if kind == "defect":
            is_expected &= any(seen.startswith("wrong")
                               for seen in on_stock.values())
        totals.explain("passed" if is_expected else "failed",
                       f"{kind}: {defect}, on stock Mesa", kind,
                       f"{defect}, on stock Mesa",
                       ", ".join(f"on {device.gpu}: {seen}"
                                 for device, seen in on_stock.items()))
        for device, seen in on_pitot.items():
            is_lacked = (device.driver, defect) in lacks | worse
            if is_lacked and seen.startswith("wrong"):
                verdict = "listed"
            else:
                verdict = ("passed" if seen == "right" and not is_lacked
                           else "failed")
            totals.explain(verdict, f"{kind}: {defect}", kind, defect,
                           f"on {device.gpu}: {seen}")
    return totals.finish()


command.main(make_parser(), run)
