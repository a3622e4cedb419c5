"""`evreview diff -o`: a file is replaced, a link followed, a pipe written into, an input refused."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from evreview.app.cli import app
from evreview.app.commands.shell import usage_error
from evreview.core.vocabulary import ContractKind
from evreview.kinds.registry import KINDS

Cli = Callable[..., Result]
TEXT = json.dumps({"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}})
ACCEPTED = "accept: []\n"


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs `evreview diff` in a folder with two contracts and an accept file."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.json", "b.json"):
        Path(name).write_text(TEXT)
    Path("accept.yaml").write_text(ACCEPTED)
    words = ["diff", "a.json", "b.json", "--accept", "accept.yaml", "--format", "json", "-o"]
    return lambda output: CliRunner().invoke(app, [*words, output])


@pytest.mark.parametrize("name", ["link.json", "nowhere.json", "folder/out.json"])
def test_no_link_is_followed(cli: Cli, name: str) -> None:
    Path("real").mkdir()
    Path("real/out.json").write_text("old")
    Path("link.json").symlink_to("real/out.json")
    Path("nowhere.json").symlink_to("real/new.json")
    Path("folder").symlink_to("real")
    done = cli(name)
    assert (done.exit_code, "[output-link]" in done.stderr) == (2, True)
    assert {path.name: path.read_text() for path in Path("real").iterdir()} == {"out.json": "old"}


@pytest.mark.parametrize("name", ["pipe", "link-to-pipe"])
def test_a_pipe_is_written_into_and_stays(cli: Cli, name: str) -> None:
    os.mkfifo("pipe")
    Path("link-to-pipe").symlink_to("pipe")
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_text()), daemon=True)
    reader.start()
    done = cli(name)
    reader.join(timeout=10)
    assert (done.exit_code, Path("pipe").is_fifo(), done.stdout) == (0, True, "")
    assert json.loads(got[0])["schema"] == "evreview.diff/1"


def test_a_dash_is_standard_output(cli: Cli) -> None:
    done = cli("-")
    assert (done.exit_code, json.loads(done.stdout)["schema"], Path("-").exists()) == (0, "evreview.diff/1", False)


@pytest.mark.parametrize("name", ["a.json", "b.json", "./a.json", "accept.yaml", "link-to-a", "second-name-of-a"])
def test_an_input_is_never_overwritten(cli: Cli, name: str) -> None:
    Path("link-to-a").symlink_to("a.json")
    Path("second-name-of-a").hardlink_to("a.json")
    done = cli(name)
    assert (done.exit_code, "[output-is-input]" in done.stderr) == (2, True)
    assert [Path(given).read_text() for given in ("a.json", "b.json", "accept.yaml")] == [TEXT, TEXT, ACCEPTED]


def _loop() -> str:
    Path("loop").symlink_to("loop")
    return "loop"


def _folder() -> str:
    Path("folder").mkdir()
    return "folder"


@pytest.mark.parametrize(("make", "code"), [(_loop, "output-link"), (_folder, "not-writable")])
def test_what_cannot_be_written_is_told(cli: Cli, make: Callable[[], str], code: str) -> None:
    done = cli(make())
    assert (done.exit_code, f"[{code}]" in done.stderr) == (2, True)


def test_only_kinds_that_are_read_can_be_named(cli: Cli) -> None:
    assert {spec.kind for spec in KINDS} == set(ContractKind)
    for kind in ContractKind:
        done = CliRunner().invoke(app, ["diff", "a.json", "b.json", "--kind", kind])
        assert done.exit_code == (0 if kind == "openapi" else 2)
        assert kind == "openapi" or "[contract-kind-unknown]" in done.stderr
    with pytest.raises(Exception, match="wsdl") as caught:
        app(["diff", "a.json", "b.json", "--kind", "wsdl"], standalone_mode=False)
    assert "Value error" not in (usage_error(caught.value) or "")
