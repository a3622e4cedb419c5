"""The command line and the filter as values, and what a host without the means says."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from evreview.core.errors import BadInput
from evreview.sandbox import host as host_module
from evreview.sandbox import runner as run_module
from evreview.sandbox.command import (
    ALLOW,
    DENY,
    FAMILIES,
    KILL,
    MACHINES,
    Handles,
    Host,
    Machine,
    command_line,
    environment,
    filter_program,
)
from evreview.sandbox.host import python_runtime
from evreview.sandbox.model import Limits, Sandbox

HOST = Host(
    tools={name: f"/usr/bin/{name}" for name in ("bwrap", "strace", "prlimit", "setpriv")},
    shown=("/usr",),
    links=(("usr/bin", "/bin"),),
)


def words(sandbox: Sandbox) -> list[str]:
    return command_line(sandbox, HOST, Handles(trace="/t/trace", rules=7, files={"/sandbox/work/a.py": 8}, report=9))


def test_the_room_is_closed_before_the_command() -> None:
    line = words(Sandbox(argv=("tool", "{report}"), runtime=("/opt/env",), limits=Limits(seconds=3)))
    for needed in (
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        "--disable-userns",
        "--seccomp",
    ):
        assert line.index(needed) < line.index("/usr/bin/prlimit")
    assert line[-2:] == ["tool", "9"]
    assert "--cpu=3" in line and "--core=0" in line
    assert line[:3] == ["/usr/bin/setpriv", "--pdeathsig", "KILL"]
    binds = [line[at + 1] for at, word in enumerate(line) if word == "--ro-bind"]
    assert binds == ["/usr", "/opt/env"]
    assert "--bind" not in line and "--share-net" not in line


def test_the_environment_is_the_sandbox_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROBE", "x")
    seen = environment(Sandbox(argv=("a",), environment={"MODE": "test"}, runtime=("/opt/env",)))
    assert seen["MODE"] == "test"
    assert seen["PATH"] == "/opt/env/bin:/usr/bin:/bin"
    assert "PROBE" not in seen


def answer(program: bytes, audit: int, number: int, first: int = 0) -> int:
    """What the filter answers, by an interpreter of the few instructions that it uses."""
    data = struct.pack("=IIQ6Q", number, audit, 0, first, 0, 0, 0, 0, 0)
    rows = list(struct.iter_unpack("=HBBI", program))
    at = loaded = 0
    while True:
        code, yes, no, value = rows[at]
        at += 1
        if code == 0x20:
            (loaded,) = struct.unpack_from("=I", data, value)
        elif code in (0x15, 0x35):
            at += yes if (loaded == value if code == 0x15 else loaded >= value) else no
        else:
            assert code == 0x06
            return int(value)


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_the_filter_answers(machine: Machine) -> None:
    program = filter_program(machine)
    for number in machine.denied.values():
        assert answer(program, machine.audit, number) == DENY
    for family in range(64):
        wanted = ALLOW if family in FAMILIES else KILL
        assert answer(program, machine.audit, machine.socket, family) == wanted
    assert answer(program, machine.audit, 0) == ALLOW
    assert answer(program, machine.audit ^ 1, 0) == KILL
    assert answer(program, machine.audit, 0x40000000 | machine.socket, 2) == KILL


@pytest.fixture
def anew() -> None:
    run_module.available.cache_clear()


@pytest.mark.usefixtures("anew")
@pytest.mark.parametrize(
    ("what", "value", "word"),
    [
        ("shutil.which", lambda name, path=None: None, "bwrap"),
        ("platform.machine", lambda: "riscv64", "riscv64"),
        ("sys.platform", "darwin", "Linux"),
    ],
)
def test_without_the_means_nothing_runs(
    monkeypatch: pytest.MonkeyPatch, what: str, value: object, word: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(run_module.available.cache_clear)
    monkeypatch.setattr(f"{host_module.__name__}.{what}", value)
    monkeypatch.setattr(run_module, "_run", lambda sandbox: pytest.fail("something ran"))
    assert word in run_module.available()
    with pytest.raises(BadInput) as error:
        run_module.run(Sandbox(argv=("/bin/true",)))
    assert [problem.code for problem in error.value.problems] == ["isolation-unavailable"]


@pytest.mark.usefixtures("anew")
def test_a_sandbox_that_does_not_start_is_no_sandbox(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if host_module.missing():
        pytest.skip(f"nothing can be isolated here: {host_module.missing()}")
    request.addfinalizer(run_module.available.cache_clear)
    broken = Host(tools={**host_module.host().tools, "bwrap": "/bin/false"}, shown=(), links=())
    monkeypatch.setattr(run_module, "host", lambda: broken)
    assert run_module.available()


def test_a_runtime_shows_python_and_no_more(tmp_path: Path) -> None:
    program, shown = python_runtime()
    assert Path(program).exists()
    assert all(Path(folder).is_dir() for folder in shown)
    for wrong, code in ((tmp_path, "runtime-missing"), (tmp_path / "none", "runtime-missing")):
        with pytest.raises(BadInput) as error:
            python_runtime(wrong)
        assert error.value.problems[0].code == code


def test_a_runtime_that_shows_a_home_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").write_text("")
    (tmp_path / "pyvenv.cfg").write_text(f"home = {Path.home() / 'bin'}\n")
    with pytest.raises(BadInput) as error:
        python_runtime(tmp_path)
    assert error.value.problems[0].code == "runtime-too-wide"
