"""What every command shares: how failures are told, what is loaded, and nothing that is left behind."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evreview.app.commands import shell
from evreview.core.errors import ContractBroken, EvreviewError, Problem, bad_input
from evreview.report.terminal_text import Screen, columns


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (bad_input("some-code", "a thing", file="f"), 2),
        (ContractBroken([Problem(code="a-code", found="a thing", place="line 3")]), 6),
        (EvreviewError("it"), 1),
        (KeyboardInterrupt(), 130),
        (PermissionError(13, "no", "f"), 2),
        (KeyError("customer 4711"), 1),
    ],
)
def test_each_failure_has_its_status(error: BaseException, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> int:
        raise error

    assert shell.status_of(fails) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err
    assert "4711" not in printed.err
    assert "Traceback" not in printed.err


def test_a_fault_names_the_place_in_evreview(capsys: pytest.CaptureFixture[str]) -> None:
    shell.status_of(lambda: shell.working("x").__enter__(1))  # type: ignore[call-arg]
    assert "fault of evreview" in capsys.readouterr().err


def test_problems_are_printed_with_code_file_place_and_advice(capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> int:
        raise bad_input("odd-thing", "this is odd", file="a.yaml", place="#/x", advice="Make it even")

    shell.status_of(fails)
    err = capsys.readouterr().err
    assert [part for part in ("odd-thing", "this is odd", "a.yaml", "#/x", "Make it even") if part not in err] == []


@pytest.mark.parametrize("sign", ["\n", "\r", "\v", "\x85", "\u2028"])
@pytest.mark.parametrize("written", ["working", "part", "shown", "permission", "no room", "name"])
def test_the_name_of_a_file_stays_on_its_line(
    written: str, sign: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "PATIENCE_SECONDS", 0)
    monkeypatch.setattr(shell, "_give_up_output", lambda: None)
    name = f"orders{sign}v1.yaml"

    def write() -> None:
        match written:
            case "working" | "part":
                with shell.working(name if written == "working" else "comparing") as tell:
                    tell(name)
            case "shown":
                shell.warn(shell.shown(Path(name)))
            case "permission":
                raise PermissionError(errno.EACCES, "no", name)
            case _:
                raise OSError(errno.ENOSPC if written == "no room" else errno.ENAMETOOLONG, "no", name)

    shell.status_of(write)
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert f"orders{sign.encode('unicode_escape').decode()}v1.yaml" in told


@pytest.mark.parametrize("sign", ["a", "語"])
@pytest.mark.parametrize("long", [1, 30, 90, 400])
def test_a_line_of_progress_fits_a_terminal_and_keeps_both_ends(
    long: int, sign: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell, "PATIENCE_SECONDS", 0)
    with shell.working(f"comparing {sign * long}.yaml with {sign * long}-2.yaml") as tell:
        tell(f"reading {sign * long}")
    told = capsys.readouterr().err.rstrip("\n")
    assert columns(told) <= Screen().width and told.startswith("evreview: comparing ") and "-2.yaml: reading" in told


@pytest.mark.parametrize("sign", ["\n", "\r", "\v", "\f", "\x1e", "\x85", "\u2028"])
def test_no_text_of_a_contract_begins_a_line(sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub Actions reads `::error::…` and `::add-mask::…` where they begin a line, of standard error as well."""

    def fail() -> None:
        forged = f"x{sign}::error::forged"
        raise bad_input("a-code", forged, file=forged, place=forged, advice=forged)

    assert shell.status_of(fail) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("::error::x", ": :error::x"),
        ("a\n \t::add-mask::x", "a\n \t: :add-mask::x"),
        ("a\n\n::group::", "a\n\n: :group::"),
        ("a ##[error]x", "a # #[error]x"),
        ("a ::error:: b", "a ::error:: b"),
        ("GET /x::y\na::b", "GET /x::y\na::b"),
    ],
)
def test_nothing_printed_for_people_is_a_command_to_a_build(
    text: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.say(shell.clean(text))
    shell.put(shell.clean(text), "table")
    shell.warn(text)
    shell.put(shell.clean(text), "github")
    done = capsys.readouterr()
    assert (done.out, done.err) == (f"{printed}\n{printed}\n{text}\n", f"{printed}\n")


def test_a_reader_that_goes_away_is_no_fault(project: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "evreview", "rules"], cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    child.stdout.close()
    _, err = child.communicate()
    assert (child.returncode, b"Traceback" in err) == (shell.BROKEN_PIPE, False)


def test_a_terminal_without_the_characters_gets_escapes(project: Path) -> None:
    words = [sys.executable, "-m", "evreview", "check", "nowhere-ü"]
    settings = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(words, cwd=project, env=settings, capture_output=True, text=True, check=False)
    assert (done.returncode, "nowhere-\\xfc" in done.stderr) == (2, True)


def run_watched(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One command in a process that reports what it imported and refuses every socket."""
    code = (
        "import sys\n"
        "def watch(event, args):\n"
        "    if event in ('socket.bind', 'socket.connect', 'socket.getaddrinfo'):\n"
        "        raise RuntimeError('network: ' + event)\n"
        "sys.addaudithook(watch)\n"
        "from evreview.__main__ import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    sys.stderr.write('IMPORTED ' + ' '.join(sorted(m for m in sys.modules if '.' not in m)))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=project, capture_output=True, text=True, check=False
    )


@pytest.mark.req("SV-001")
@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["--version"], {"pandas", "papermill", "IPython", "jinja2", "jsonschema_rs"}),
        (["diff", "{released}", "{candidate}"], {"papermill", "IPython", "ipywidgets", "nbconvert", "jinja2"}),
        (["check", "examples/w1-orders"], {"jinja2", "papermill", "IPython", "nbconvert"}),
        (["check", "examples/w2-orders"], {"jinja2", "papermill", "IPython", "nbconvert"}),
        (["rules"], {"papermill", "IPython", "nbconvert"}),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_import_little_and_open_no_socket(
    project: Path, pair: tuple[Path, Path], words: list[str], absent: set[str]
) -> None:
    filled = [word.format(released=pair[0], candidate=pair[1]) for word in words]
    done = run_watched(project, *filled)
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.rpartition("IMPORTED ")[2].split())
    assert imported & absent == set()


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_what_is_told_under_a_label_keeps_within_the_columns(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", str(columns))
    words = " ".join(["many words"] * 30)
    told = list(shell.labelled("wrote", words))
    assert all(len(line) <= columns for line in told) and told[0].startswith("wrote ")
    assert all(line.startswith(" " * 11) for line in told[1:]) and " ".join(line[11:] for line in told) == words
