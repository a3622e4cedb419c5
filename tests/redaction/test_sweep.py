"""Every command over bundles full of planted values: none of them stands in anything that comes out.

Each command runs in a process of its own, with its own home and its own folder for temporary files; then everything
that is there is read: standard output and error, every file and its name, what notebooks and tables hold, what stayed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.redaction.seeding import SEEDS, kept, seeded

ALL = pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-031", "C-032", "C-033", "C-034")
BUNDLES = {"w1-orders": "w1-orders", "w1-plain": "w1-orders", "w2-orders": "w2-orders", "w3-tickets": "w3-tickets"}


class Sandbox:
    """A folder with seeded bundles, and what commands did there."""

    def __init__(self, place: Path, examples: Path) -> None:
        self.place = place
        self.bundles = place / "bundles"
        for name in ("bundles", "tmp", "home", "here", "out"):
            (place / name).mkdir()
        for name, example in BUNDLES.items():
            seeded(examples / example, self.bundles / name, values=name != "w1-plain")
        self.contracts = [self.bundles / "w1-orders" / "contracts" / f"orders-1.{n}.yaml" for n in (4, 5)]

    def run(self, *words: object) -> tuple[int, str]:
        """Exit status, and both streams of one command."""
        own = {"TMPDIR": "tmp", "HOME": "home", "IPYTHONDIR": "home/ipython", "JUPYTER_CONFIG_DIR": "home/jupyter"}
        done = subprocess.run(
            [sys.executable, "-m", "evreview", *map(str, words)],
            cwd=self.place / "here",
            env=os.environ | {name: str(self.place / folder) for name, folder in own.items()},
            capture_output=True,
            check=False,
        )
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")

    def written(self, *folders: str) -> Iterator[tuple[str, str]]:
        """Every file of these folders with its text."""
        for path in sorted(path for folder in folders for path in (self.place / folder).rglob("*")):
            if path.is_file():
                yield path.relative_to(self.place).as_posix(), text_of(path)


def text_of(path: Path) -> str:
    """What a file says: a notebook's and a table's cells, else its bytes read as UTF-8."""
    if path.suffix == ".parquet":
        pandas = pytest.importorskip("pandas")
        return str(pandas.read_parquet(path).to_csv())
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix in (".json", ".ipynb", ".sarif"):
        return text + "\n".join(_leaves(json.loads(text)))
    return text


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key)
            yield from _leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield str(value)


@pytest.fixture(scope="module")
def sandbox(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    return Sandbox(tmp_path_factory.mktemp("sweep"), project / "examples")


@ALL
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "sarif", "github", "html", "accept"])
def test_no_format_of_the_ledger_holds_one(form: str, sandbox: Sandbox) -> None:
    target = sandbox.place / "out" / f"ledger.{form}"
    status, shown = sandbox.run("diff", *sandbox.contracts, "--format", form, "-o", target)
    assert status == 0 and len(target.read_text(encoding="utf-8")) > 1_000
    assert kept(shown) == [] and kept(text_of(target)) == []
    if form == "json":
        row = next(
            row["id"] for row in json.loads(target.read_text(encoding="utf-8"))["rows"] if row["proof"].get("witness")
        )
        for more in ((), ("--ledger", target)):
            status, shown = sandbox.run("replay", *sandbox.contracts, row, *more)
            assert status in (0, 2, 4) and kept(shown) == []


@ALL
@pytest.mark.parametrize("bundle", BUNDLES)
def test_no_command_on_a_bundle_shows_or_writes_one(bundle: str, sandbox: Sandbox) -> None:
    source, target = sandbox.bundles / bundle, sandbox.place / "out" / bundle
    status, shown = sandbox.run("check", source)
    assert status in (0, 2) and kept(shown) == [], shown
    status, shown = sandbox.run("run", source, "--html", "-o", target)
    assert status in (0, 3, 4) and kept(shown) == [], shown
    suffixes = {path.suffix for path in target.rglob("*")}
    assert {".md", ".html", ".ipynb", ".json", ".csv"} <= suffixes
    artifact = next(target.glob("*.md"))
    assert "[redacted: " in artifact.read_text(encoding="utf-8")
    if bundle != "w1-plain":
        for words in (("validate", artifact, "--bundle", source), ("execute", source)):
            status, shown = sandbox.run(*words)
            assert status != 1 and kept(shown) == [] and "not redacted" not in shown, shown
    written = sandbox.written(f"out/{bundle}", "tmp", "home", "here")
    assert {name: found for name, text in written if (found := kept(text) + kept(name))} == {}
    assert [path.name for path in (sandbox.place / "tmp").iterdir()] == []


@ALL
@pytest.mark.parametrize("broken", ["review", "contract", "decisions", "name"])
def test_no_refusal_quotes_one(broken: str, sandbox: Sandbox, tmp_path: Path, project: Path) -> None:
    """Problems quote what was found; every value stands where something is wrong."""
    bundle = tmp_path / "bundle"
    seeded(project / "examples" / "w1-orders", bundle, values=False)
    files = {"review": "review.yaml", "contract": "contracts/orders-1.5.yaml", "decisions": "decisions.yaml"}
    lines = "".join(f'"{seed.told.replace(chr(92), "")}": {{\n' for seed in SEEDS if '"' not in seed.told)
    if broken == "name":
        review = (bundle / "review.yaml").read_text(encoding="utf-8")
        wrong = "\n".join(f"- '{seed.told}'" for seed in SEEDS)
        (bundle / "review.yaml").write_text(f"{review}\nunknown_part:\n{wrong}\nasks: ['{SEEDS[2].told}']\n")
    else:
        path = bundle / files[broken]
        path.write_text(path.read_text(encoding="utf-8") + "\n" + lines, encoding="utf-8")
    for words in (("check", bundle), ("run", bundle, "-o", tmp_path / "out")):
        status, shown = sandbox.run(*words)
        assert status == 2 and kept(shown) == [], shown
    if broken == "contract":
        status, shown = sandbox.run("diff", *[bundle / "contracts" / f"orders-1.{n}.yaml" for n in (4, 5)])
        assert status == 2 and kept(shown) == [], shown


def test_the_sweep_sees_what_it_looks_for(sandbox: Sandbox) -> None:
    held = "\n".join(text_of(path) for path in sandbox.bundles.rglob("*") if path.is_file())
    assert kept(held) == sorted(seed.kind for seed in SEEDS)
    assert kept(f"{SEEDS[0].value[:9]}\n   {SEEDS[0].value[9:]}") == [SEEDS[0].kind]
