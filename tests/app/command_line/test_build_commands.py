"""No text of the evidence is a command to a build: hostile contracts, accept files and file names, in every format."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.app.commands import shell
from evreview.app.commands.diff import DiffForm
from evreview.report.ledger_formats import FORMATS, render
from tests.app.command_line.running import Cli
from tests.report.fake_comparison import Fake, row, witnessed

OWN = re.compile(r"::(error|warning|notice) (?:file=[^:,\n]*(?:,line=\d+)?,)?title=[^:,\n]*::[^\n]*")
SIGNS = ("\n::error::forged ##[error]forged", "\r\n \t::add-mask::forged", "::stop-commands::forged", "##[group]forged")
TEXTS = [form for form in FORMATS if form != "parquet"]


def commands(text: str, form: str) -> list[str]:
    """The lines that a build would obey, as its runner reads them; those of the format `github` that are ours aside."""
    lines = re.split(r"\r\n|\n|\r", text)
    ours = [line for line in lines if form == "github" and OWN.fullmatch(line)]
    return [line for line in lines if "##[" in line or (line.lstrip().startswith("::") and line not in ours)]


def test_the_lines_that_a_build_obeys_are_found() -> None:
    assert all(commands(f"x\n{sign}", "csv") for sign in SIGNS)
    assert commands("a ##[error]x", "github") and commands("::error::x", "github") and not commands("a::b", "csv")


def document(sign: str, *, new: bool) -> dict[str, Any]:
    """A contract that says the same sign wherever a word of its own may stand."""
    field = {"type": "string", "pattern": f"a{sign}", "default": f"d{sign}", "enum": [f"e{sign}", f"f{sign}"]}
    if new:
        field |= {"pattern": f"b{sign}", "default": f"g{sign}", "enum": [f"e{sign}", f"h{sign}", sign]}
    body = {"type": "object", "required": [f"p{sign}"], "properties": {f"p{sign}": field, "x": {"type": sign}}}
    names = ("q", "r") if new else ("q",)
    parameters = [{"name": f"{name}{sign}", "in": "query", "schema": field} for name in names]
    media = f"application/json;v={sign}"
    operation = {
        "operationId": f"o{sign}",
        "description": f"{new}{sign}",
        "parameters": parameters,
        "requestBody": {"content": {media: {"schema": body}, "application/json": {"schema": body}}},
        "responses": {"200": {"description": sign, "content": {"application/json": {"schema": body}}}},
    }
    paths = {f"/{sign}": {"post": operation}, f"/{new}{sign}": {"get": operation}}
    return {"openapi": "3.0.3", "info": {"title": f"t{sign}", "version": f"{new}{sign}"}, "paths": paths}


def written(sign: str, folder: Path) -> tuple[Path, Path]:
    name = sign.replace("/", "_")
    for side, new in (("old", False), ("new", True)):
        (folder / side).mkdir()
        (folder / side / f"a{name}.json").write_text(json.dumps(document(sign, new=new)))
    return Path("old", f"a{name}.json"), Path("new", f"a{name}.json")


@pytest.mark.parametrize("form", [*DiffForm, "show", "noise"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_hostile_contract_commands_no_build(cli: Cli, tmp_path: Path, sign: str, form: str) -> None:
    pair = written(sign, tmp_path)
    (first, *_) = json.loads(cli("diff", *pair, "--format", "json").stdout)["rows"]
    entry = {"id": first["id"], "reason": sign, "owner": f"me{sign}", "expires": "2099-01-31"}
    stale = entry | {"id": "D-000000000000"}
    Path(f"accept{sign.replace('/', '_')}.yaml").write_text(json.dumps({"accept": [entry, stale]}))
    asked: tuple[object, ...] = ("--format", form)
    asked = {"show": ("--show", first["id"]), "noise": ("--noise", "--all")}.get(form, asked)
    for accept in ((), ("--accept", f"accept{sign.replace('/', '_')}.yaml")):
        done = cli("diff", *pair, *asked, *accept)
        assert done.exit_code == (2 if form == DiffForm.PARQUET else 0), done.output
        assert commands(done.stdout, form) == []
        assert commands(done.stderr, "text") == []
        assert ("forged" in done.stdout) is (form != DiffForm.PARQUET)


@pytest.mark.parametrize("form", [form for form in TEXTS if form != "github"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_in_any_cell_commands_no_build(sign: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = row(1, "breaking", proof=witnessed(sign, sign))
    for name in [*plain, "reason", "kept"]:
        held = {
            "proof": {**plain["proof"], "reason": sign},
            "facts": {sign: [sign]},
            "locations": dict.fromkeys(("released", "candidate"), sign),
        }
        about = held.get(name, sign) if name not in ("id", "kind", "verdict", "operations") else plain.get(name)
        shell.put(render(Fake((plain | {name: about},)), form), form)  # type: ignore[arg-type]
        assert commands(capsys.readouterr().out, form) == []


@given(st.text(alphabet=":# []\n\r\tae,\"'&;<", max_size=24))
@settings(max_examples=150, deadline=None)
def test_any_text_of_such_signs_commands_no_build(text: str) -> None:
    fake = Fake((row(1, "breaking", address=text, released=text, candidate=[text], proof=witnessed(text, text)),))
    csv_text = str(render(fake, "csv"))
    assert commands(csv_text, "csv") == [] and len(list(csv.reader(io.StringIO(csv_text)))) == 2
    assert commands(str(render(fake, "github")), "github") == []


@pytest.mark.parametrize("form", [DiffForm.JSON, DiffForm.SARIF, DiffForm.ACCEPT])
def test_what_programs_read_is_the_same_value(cli: Cli, tmp_path: Path, form: DiffForm) -> None:
    pair = written("##[group]forged", tmp_path)
    printed = cli("diff", *pair, "--format", form).stdout
    assert cli("diff", *pair, "--format", form, "-o", "kept").exit_code == 0
    kept = Path("kept").read_text()
    assert "##[" in kept and printed != kept
    assert yaml.safe_load(printed) == yaml.safe_load(kept)
