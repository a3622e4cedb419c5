"""Random edits of one signature, beside griffe's differ: what it reports is a row here, or every call still binds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import griffe
from hypothesis import given, settings

from evreview.compare import compare
from evreview.proof.kinds.python_binding import Signature, rebound_calls, refused_calls, signature_of
from evreview.vocab import ProofStatus, Verdict
from tests.pipeline import written
from tests.proof.kinds.test_python_binding import signatures, source


def reported(codes: tuple[str, str]) -> list[griffe.Breakage]:
    """What the peer says of two texts of one module."""
    sides = []
    with tempfile.TemporaryDirectory() as place:
        for name, code in zip(("old", "new"), codes, strict=True):
            folder = Path(place) / name
            folder.mkdir()
            (folder / "lib.py").write_text(code)
            sides.append(griffe.load("lib", search_paths=[folder], allow_inspection=False))
        return list(griffe.find_breaking_changes(*sides))


@given(signatures(), signatures())
@settings(max_examples=150, deadline=None)
def test_what_the_peer_reports_is_a_row_or_binds_alike(old: Signature, new: Signature) -> None:
    codes = source(old), source(new)
    found = compare(*(written("lib.py", code.encode()) for code in codes))
    if reported(codes) and not found.rows:
        assert not refused_calls(old, new) and not _moved(old, new)


@given(signatures(), signatures())
@settings(max_examples=150, deadline=None)
def test_breaking_rows_and_refused_calls_go_together(old: Signature, new: Signature) -> None:
    found = compare(*(written("lib.py", source(one).encode()) for one in (old, new)))
    refused = refused_calls(old, new)
    if refused:
        assert found.breaking
    for row in found.breaking:
        assert row.proof.status is ProofStatus.WITNESSED, (row.delta.address, row.proof.reason)
    if not refused and not _moved(old, new):
        assert Verdict.BREAKING not in {row.judgement.verdict for row in found.rows}


def _moved(old: Signature, new: Signature) -> bool:
    """True when a value by position may land elsewhere."""
    return bool(rebound_calls(old, new))


def test_signatures_are_those_of_the_written_module() -> None:
    code = "def f(a, /, b=None, *args, c, d=None, **kwargs): ...\n"
    signature = signature_of(written("lib.py", code.encode()).operations[0])
    assert signature is not None
    assert source(signature) == code
