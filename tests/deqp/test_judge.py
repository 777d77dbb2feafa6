# Copyright 2026 the Pitot developers
# SPDX-License-Identifier: MIT

"""Parsing and judgement of dEQP's results, without dEQP or Mesa."""

import os

import pytest
from tests.deqp import program, search
from tests.deqp.groups import Use, query_groups
from tests.deqp.program import Program, Session
from tests.deqp.suite import find_packages, is_right, judge, unmatched
from tests.runners.command import RunError
from tests.runners.devices import Device
from tests.runners.mesa import Mesa
from tests.runners.verdict import Verdict, rejudge
from tests.runners.watch import Limits

LOG = """\
#sessionInfo targetName "hand-written"
#beginSession

#beginTestCaseResult a.good
<TestCaseResult CasePath="a.good">
 <Text>The text &lt;Result StatusCode=&quot;Fail&quot;&gt;</Text>
 <Result StatusCode="Pass">Yes</Result>
</TestCaseResult>

#endTestCaseResult

#beginTestCaseResult a.bad
 <Result StatusCode="Fail">No</Result>
#endTestCaseResult

#beginTestCaseResult a.dead
<TestCaseResult CasePath="a.dead">
#terminateTestCaseResult Crash

#beginTestCaseResult a.torn
 <Result StatusCode="Pass">Almo"""

# A fake dEQP that some cases kill. Packages of GL above 4.5 have no context,
# and report that when listed; ES31 reports it when run.
FAKE = """#!/bin/sh
hang() { exec sleep 6000; }
for option; do
    case $option in
    --deqp-caselist-file=*) list=${option#*=} ;;
    --deqp-log-filename=*) exec >>"${option#*=}" ;;
    --deqp-case=ES31.info.vendor)
        echo "FATAL ERROR: EGL_BAD_MATCH: eglCreateContext()"; exit 1 ;;
    --deqp-case=ES31*) known='ES31.x' ;;
    --deqp-case=KHR-GL45*) known='KHR-GL45.x KHR-GL45.y' ;;
    --deqp-case=KHR-*) status=1 ;;
    --deqp-runmode=*) list=; echo dEQP Core ;;
    esac
done
for case in $known; do echo "TEST: $case"; done
[ -n "$list" ] || exit "${status:-0}"
while read -r case; do
    case $case in *.unknown) continue ;; esac
    echo "#beginTestCaseResult $case"
    case $case in
    *.crash) kill -ABRT $$ ;;
    *.hang) hang ;;
    esac
    echo '<Result StatusCode="Pass">'
    echo '#endTestCaseResult'
    case $case in
    *.stop) exit 1 ;;
    *.segv) kill -SEGV $$ ;;
    *.last) at_end=kill ;;
    *.stay) at_end=stay ;;
    esac
done <"$list"
case $at_end in kill) kill -SEGV $$ ;; stay) hang ;; esac
"""

# Short: the fake only sleeps.
HANGS = Limits(look_s=0.02, idle_looks=40, idle_cpu_s=0.05, max_hangs=1)

# A launcher that does not use Mesa.
LAUNCHER = """#!/bin/sh
shift 2
exec "$@"
"""


@pytest.fixture
def write(tmp_path):
    """A function that writes a file, which may be a program."""
    def write_file(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return str(path)
    return write_file


def test_every_end_of_a_case():
    assert program.statuses_of(LOG.splitlines(keepends=True)) == (
        {"a.good": "Pass", "a.bad": "Fail", "a.dead": "Crash"}, "a.torn")
    assert program.statuses_of([]) == ({}, None)


@pytest.fixture
def session(tmp_path):
    return Session(dict(os.environ), tmp_path)


@pytest.fixture
def fake(write):
    return Program(write("glcts", FAKE))


@pytest.fixture
def mesa(write):
    return Mesa(Device("none", ""), False, write("launcher", LAUNCHER))


@pytest.mark.parametrize("expected", [
    # A crash takes no other case along.
    {"one": "Pass", "crash": "Crash", "stop": "Pass", "two": "Pass"},
    {"crash": "Crash"},
    # A death between cases is that of the last.
    {"one": "Pass", "last": "Crash"}, {"segv": "Crash", "one": "Pass"},
    {"one": "Pass", "segv": "Crash"},
    # A hang is ended.
    {"one": "Pass", "hang": "Timeout", "two": "Pass"},
    {"one": "Pass", "stay": "Timeout"},
    # A case that does not run has no status.
    {"one": "Pass", "unknown": None, "two": "Pass"}, {"unknown": None}],
    ids=lambda expected: "-".join(expected))
def test_statuses(expected, fake, session, mesa, monkeypatch):
    monkeypatch.setattr(program, "HANGS", HANGS)
    assert fake.run_cases(session, mesa, [f"a.{name}" for name in expected],
                          "log") == {
        f"a.{name}": status for name, status in expected.items() if status}


def test_the_newest_gl_is_taken(fake, session, mesa):
    package, = find_packages(session, mesa, {"KHR-GL*": fake},
                             ["KHR-GL*.y", "KHR-GL*.*"])
    assert package[::2] == ("KHR-GL45", ["KHR-GL45.y", "KHR-GL45.x"])


def test_a_package_without_a_context_has_no_cases(fake, session, mesa):
    package, = find_packages(session, mesa, {"ES31": fake}, ["ES31.*"])
    assert package.cases == []
    assert "eglCreateContext" in package.why


def test_what_is_no_dEQP_is_refused(write, session, mesa):
    broken = Program(write("deqp-egl", "#!/bin/sh\necho no\n"))
    with pytest.raises(RunError, match="no dEQP that runs here: no"):
        broken.list_cases(session, mesa, ["a*"])
    for path in (session.directory, mesa.launcher, "/nowhere"):
        with pytest.raises(RunError, match="neither"):
            program.find_programs([path])


@pytest.mark.parametrize("text, calls", [
    ("glBeginQueryIndexed(a, b, c);", True),
    ("gl->genQueries(1, &q);", True),
    ("callQueryCounter(q, target);", True), ("glu::Query query(gl);", True),
    ('"glGetPerfQueryInfoINTEL",', True), ("m_gl.isQuery(q)", True),
    ("gl.getQueryBufferObjectiv(q, b, p, 0);", True),
    ("bool isQueryPath();", False)])
def test_every_way_to_call_is_found(text, calls, write):
    assert search.calls(write("one.cpp", text)) == calls


@pytest.fixture
def source(write, tmp_path):
    write("framework/reset.cpp", "gl.endQuery(target);")
    write("modules/gles3/none.cpp", "bool isQueryPath();")
    return tmp_path


def check(source, *known):
    return search.check(source, [Use(name, (), ()) for name in known])


def test_a_source_and_a_use_need_each_other(source, write):
    with pytest.raises(RunError, match="no source of VK-GL-CTS"):
        check(source)
    write("modules/egl/one.inl", '"glBeginQuery"')
    write("external/openglcts/modules/gl/two.hpp", "glu::Query q;")
    assert check(source, "one", "two") == 2
    with pytest.raises(RunError, match="does not know .* in two"):
        check(source, "one")
    with pytest.raises(RunError, match="wrong about none"):
        check(source, "one", "two", "none")


def test_a_build_tells_its_source(source, write):
    built = Program(write("build/modules/gles3/deqp-gles3", ""))
    assert search.source_of(built) is None
    for line, expected in (
            (f"CMAKE_HOME_DIRECTORY:INTERNAL={source}", str(source)),
            ("CMAKE_HOME_DIRECTORY:INTERNAL=/no", None),
            ("CMAKE_INSTALL_PREFIX:PATH=/usr", None)):
        write("build/CMakeCache.txt", f"A:B=C\n{line}\n")
        assert search.source_of(built) == expected


def test_a_group_without_a_case_is_reported():
    cases = ["KHR-GL46.a.x", "KHR-GLESEXT.b.x", "dEQP-GLES3.c.query"]
    assert unmatched(["KHR-GL*.a.*", "KHR-GL*.b.*", "dEQP-GLES3.c.*quer*",
                      "dEQP-GLES3.c.qeury"], cases) == [
        "KHR-GL*.b.*", "dEQP-GLES3.c.qeury"]


def test_a_group_is_listed_once():
    groups = query_groups()
    assert len(groups) == len(set(groups))
    assert "dEQP-GLES3.stress.occlusion_query.*" in groups


@pytest.mark.parametrize("verdict, stock, pitot", [
    # What passes on stock must pass.
    (Verdict.PASSED, "Pass", "QualityWarning"),
    (Verdict.LOST, "Pass", "Fail"),
    (Verdict.LOST, "CompatibilityWarning", "NotSupported"),
    (Verdict.LOST, "Pass", None),
    # What stock has not must not fail.
    (Verdict.SKIPPED, "NotSupported", "NotSupported"),
    (Verdict.LOST, "NotSupported", None),
    (Verdict.LOST, "NotSupported", "Crash"),
    (Verdict.GAINED, "NotSupported", "Pass"),
    # What fails on stock may fail.
    (Verdict.SAME_FAILURE, "Fail", "Fail"), (Verdict.LOST, "Fail", "Crash"),
    (Verdict.GAINED, "Timeout", "Pass"), (Verdict.LOST, "Fail", None)])
def test_verdict(verdict, stock, pitot):
    assert judge("a", stock, pitot).verdict is verdict


@pytest.mark.parametrize("first, others, verdict", [
    ("Fail", ["Pass"], Verdict.FLAKED), ("Fail", ["Fail"], Verdict.LOST),
    ("Fail", [None], Verdict.LOST), # not run again
    # A crash is no flake.
    ("Crash", ["Pass"], Verdict.UNSTEADY),
    ("NotSupported", ["Pass"], Verdict.UNSTEADY),
    ("Fail", ["Crash", "Pass"], Verdict.UNSTEADY)])
def test_what_seems_lost_is_judged_again(first, others, verdict):
    found = [judge("a", "Pass", first)]
    for status in others:
        found = rejudge(found, {"a": status}, is_right, lambda case: True)
    assert found[0].verdict is verdict
