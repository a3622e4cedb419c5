"""Single changes: each is found by the rules that say it, breaking ones are witnessed, and no safe one is called so."""

from __future__ import annotations

from pathlib import Path

import griffe
import pytest

from evreview.comparison.comparison import Comparison
from evreview.contract.model import Contract
from evreview.core.vocabulary import ProofStatus, Tristate, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract
from evreview.kinds.python.prover import replay
from tests.kinds.python.python_probes import BREAKING, OPEN, PROBES, SAFE, Files, Probe


def contract(files: Files) -> Contract:
    return read_contract("", lambda name: files[name].encode(), tuple(sorted(files)))


def compared(probe: Probe) -> Comparison:
    released, candidate = probe.sides
    return compare(contract(released), contract(candidate))


def named(probe: Probe) -> str:
    return probe.name


def griffe_finds(probe: Probe, folder: Path) -> bool:
    sides = []
    for name, files in zip(("old", "new"), probe.sides, strict=True):
        for file, text in files.items():
            place = folder / name / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
        sides.append(griffe.load("lib", search_paths=[folder / name], allow_inspection=False))
    return any(True for _ in griffe.find_breaking_changes(*sides))


@pytest.mark.parametrize("probe", PROBES, ids=named)
def test_the_rules_that_speak(probe: Probe) -> None:
    found = {str(row.judgement.rule).removeprefix("python-") for row in compared(probe).rows}
    assert found == set(probe.rules)


@pytest.mark.parametrize("probe", BREAKING, ids=named)
def test_a_breaking_change_is_called_so_and_shown(probe: Probe) -> None:
    broken = compared(probe).breaking
    assert broken
    assert [row.delta.address for row in broken if row.proof.status is not ProofStatus.WITNESSED] == []


@pytest.mark.parametrize(
    ("before", "after", "landing"),
    [
        ("def f(a, b=1): ...", "def f(a, *args, b=1): ...", ("1 to b", "1 to *args")),
        ("def f(a, *args): ...", "def f(a, b=None, *args): ...", ("1 to *args", "1 to b")),
    ],
)
def test_a_value_that_lands_elsewhere_is_shown_on_both_sides(before: str, after: str, landing: tuple[str, str]) -> None:
    sides = [contract({"lib/__init__.py": text}) for text in (before, after)]
    rows = compare(*sides).breaking
    assert rows
    for row in rows:
        old, new = replay(*sides, row.proof.witness)
        assert (old.accepted, new.accepted) == (Tristate.YES, Tristate.NO)
        assert landing[0] in old.says and landing[1] in new.says


@pytest.mark.parametrize("probe", SAFE, ids=named)
def test_a_safe_change_is_not_called_breaking_or_unknown(probe: Probe) -> None:
    assert {row.judgement.verdict for row in compared(probe).rows} <= {Verdict.COMPATIBLE}


@pytest.mark.parametrize("probe", OPEN, ids=named)
def test_what_only_running_tells_is_unknown(probe: Probe) -> None:
    verdicts = {row.judgement.verdict for row in compared(probe).rows}
    assert Verdict.UNKNOWN in verdicts and Verdict.BREAKING not in verdicts


@pytest.mark.parametrize("probe", [probe for probe in PROBES if probe.seen], ids=named)
def test_what_the_peer_sees_is_seen_here(probe: Probe, tmp_path: Path) -> None:
    assert griffe_finds(probe, tmp_path)
    assert compared(probe).breaking


def test_the_peer_misses_what_is_found_here(tmp_path: Path) -> None:
    """Guards the table: a change that the peer learns to see is marked so."""
    silent = [probe.name for at, probe in enumerate(BREAKING) if not griffe_finds(probe, tmp_path / str(at))]
    assert silent == [probe.name for probe in BREAKING if not probe.seen]


@pytest.mark.parametrize("probe", PROBES, ids=named)
def test_a_library_against_itself_shows_nothing(probe: Probe) -> None:
    for side in probe.sides:
        found = compare(contract(side), contract(side))
        assert not found.rows and not found.noise
