"""The bench's own parts: contracts that grow as they say, commands that take turns, and the exponent of a cost."""

from __future__ import annotations

import hashlib
import json
import sys
import tarfile
from collections import Counter
from pathlib import Path

import pytest

from bench import peers
from bench.generate import EDITS, GROWTH, Size, contract, extent, write_pair
from bench.measure import Measured, in_turn, once
from bench.report import FULL, LEDGER, PEER, exponent, growth_table, pairs_table
from evreview.core.vocabulary import Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_named


def compared(folder: Path, size: Size) -> Counter[Verdict]:
    """The rows of a generated pair by verdict."""
    released, candidate = (read_named(path)[0] for path in write_pair(folder, size))
    return Counter(row.judgement.verdict for row in compare(released, candidate).rows)


@pytest.mark.parametrize("dimension", GROWTH)
def test_each_dimension_grows_ten_to_a_hundred_times(dimension: str) -> None:
    first, *rest = (extent(dimension, size) for size in GROWTH[dimension])
    assert {size // first for size in rest} == {10, 30, 100}


def test_a_generated_contract_has_the_size_asked_for() -> None:
    document = contract(Size(operations=30, changed=7, depth=12))
    assert len(document["paths"]) == 30
    assert len(document["components"]["schemas"]) == 30 + 12
    plain = contract(Size(operations=30, changed=0, depth=12))
    schemas = plain["components"]["schemas"]
    differing = [name for name, schema in document["components"]["schemas"].items() if schema != schemas[name]]
    assert differing == [f"Item{at}" for at in range(7)]
    assert document == contract(Size(operations=30, changed=7, depth=12))


def test_rows_grow_with_what_changed_and_with_nothing_else(tmp_path: Path) -> None:
    assert not compared(tmp_path, Size(operations=24, changed=0))
    one = compared(tmp_path, Size(operations=24, changed=len(EDITS)))
    two = compared(tmp_path, Size(operations=24, changed=2 * len(EDITS)))
    more = compared(tmp_path, Size(operations=48, changed=len(EDITS), depth=9))
    assert one[Verdict.BREAKING] >= 4
    assert two == Counter({verdict: 2 * count for verdict, count in one.items()})
    assert more == one


def test_commands_take_turns_and_failures_run_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    write = "import sys; open(sys.argv[1], 'a').write(sys.argv[2]); sys.exit(int(sys.argv[3]))"
    commands = {name: [sys.executable, "-c", write, str(log), name, status] for name, status in ("a0", "b0", "c1")}
    found = in_turn(commands, 3)
    assert log.read_text() == "abcabab"
    assert [found[name].ok for name in "abc"] == [True, True, False]
    assert all(each.wall > 0 and each.cpu > 0 and each.peak > 1 for each in found.values())


def test_a_command_without_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.measure.TIMEOUT", 0.5)
    assert once([sys.executable, "-c", "import time; time.sleep(60)"]).status < 0
    (found,) = in_turn({"a": [sys.executable, "-c", "import time; time.sleep(60)"]}, 2).values()
    assert (found.status, found.ok) == (None, False)


@pytest.mark.parametrize("power", [0, 1, 2, 1.5])
def test_the_exponent_of_a_power_is_found(power: float) -> None:
    assert exponent([(size, 3 * size**power) for size in (10, 100, 300, 1000)]) == pytest.approx(power)


def test_one_point_has_no_exponent() -> None:
    assert exponent([(10, 1.0)]) is None
    assert exponent([]) is None


def measured(wall: float, peak: float = 100, status: int | None = 0) -> Measured:
    return Measured(wall=wall, cpu=wall, peak=peak, status=status)


def test_the_table_has_both_ratios_and_says_what_is_missing() -> None:
    table = pairs_table(
        {
            "all": {LEDGER: measured(0.5, 50), FULL: measured(2), PEER: measured(4, 400)},
            "alone": {LEDGER: measured(0.5), FULL: measured(2)},
            "late": {LEDGER: measured(0.5), FULL: measured(1, status=1), PEER: measured(120, status=None)},
        }
    )
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    assert cells[2][-2:] == ["8.0x time, 8.0x memory", "2.0x time, 4.0x memory"]
    assert cells[3][3:] == ["n/a", "n/a", "n/a"]
    assert cells[4][2:] == ["failed (exit 1)", "> 120 s", "n/a", "n/a"]


def test_growth_is_told_above_the_start_up() -> None:
    points = {size: {FULL: measured(1 + size / 100)} for size in (10, 100, 1000)}
    assert growth_table("operations", points, {FULL: 1.0})[-1] == "| exponent | 1.00 |"


def archived(folder: Path, package: peers.Package, text: str) -> peers.Package:
    """A cache with the archive of a package, and the package with the digest of it."""
    held = folder / "file"
    held.write_text(text)
    archive = folder / f"{package.stem}.tgz"
    with tarfile.open(archive, "w:gz") as content:
        content.add(held, f"package/{package.file}")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    return peers.Package(package.name, package.version, digest, package.file)


def test_what_was_fetched_is_checked_by_its_digest(tmp_path: Path) -> None:
    package = archived(tmp_path, peers.Package("@a/b", "1.2.3", "", "c/d.json"), json.dumps({}))
    assert package.stem == "a-b-1.2.3"
    with pytest.raises(peers.Absent):
        peers.fetched(peers.Package("@a/b", "1.2.3", "0" * 64, "c/d.json"), tmp_path)
    assert peers.fetched(package, tmp_path).read_text() == "{}"


def test_without_npm_the_reason_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(peers.Absent, match="npm"):
        peers.github(tmp_path / "cache")
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(peers.Absent, match="riscv64"):
        peers.oasdiff(tmp_path / "cache")


def test_the_peak_of_a_command_is_its_own_and_not_that_of_the_bench() -> None:
    held = b"x" * 150_000_000
    assert once([sys.executable, "-I", "-S", "-c", "pass"]).peak < 40 < len(held) / 1e6
