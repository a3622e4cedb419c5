"""Random edits of one signature, beside griffe's differ: what it reports is a row here, or every call still binds."""

from __future__ import annotations

import tempfile
from pathlib import Path

import griffe
from hypothesis import given, settings

from evreview.core.vocabulary import ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.call_binding import Signature, rebound_calls, refused_calls, signature_of
from tests.kinds.python.test_python_binding import signatures, source
from tests.pipeline import written


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
        assert ProofStatus.WITNESSED in {row.proof.status for row in found.breaking}
    if not refused and not _moved(old, new):
        assert Verdict.BREAKING not in {row.judgement.verdict for row in found.rows}


def _moved(old: Signature, new: Signature) -> bool:
    """True when a value by position may land in another parameter than one that only got another name."""
    stars = (sig.REST, sig.KEYWORDS)
    names = [{each.kind if each.kind in stars else each.name for each in one.parameters} for one in (old, new)]
    pairs = (pair for each in rebound_calls(old, new) for pair in zip(each.before.roles, each.after.roles, strict=True))
    return any(before != after and (before in names[1] or after in names[0]) for before, after in pairs)


def test_signatures_are_those_of_the_written_module() -> None:
    code = "def f(a, /, b=None, *args, c, d=None, **kwargs): ...\n"
    signature = signature_of(written("lib.py", code.encode()).operations[0])
    assert signature is not None
    assert source(signature) == code
