"""Finished runs of the W3 variants, each made once."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review
from evreview.workflows.w3.facts import W3Facts
from evreview.workflows.w3.model import SecurityFinding
from tests.golden.editing import Edit, Variant, build
from tests.golden.w3_variants import ACCEPTANCE, HEADER, VARIANTS, accepted, accepts

DEMO = Path(__file__).resolve().parents[2] / "examples" / "w3-tickets"


@cache
def finished(name: str) -> Review:
    """The finished review of a variant, by name."""
    return varied(next(variant for variant in VARIANTS if variant.name == name).edits)


def varied(edits: tuple[Edit, ...]) -> Review:
    """The finished review of the demo with some edits."""
    with tempfile.TemporaryDirectory() as place:
        one = Variant(name="one", edits=edits, step=0, state="", exit_status=0)
        return review(open_bundle(build(one, DEMO, Path(place) / "bundle")))


def facts(done: Review) -> W3Facts:
    """The facts of a W3 review."""
    assert isinstance(done.facts, W3Facts)
    return done.facts


def supported(done: Review) -> SecurityFinding:
    """The demo's supported finding."""
    (found,) = [each for each in facts(done).findings if each.candidate.id == HEADER]
    return found


def judged() -> str:
    """The digest of what the demo's supported finding was judged by."""
    return supported(finished("demo")).candidate.slice


@cache
def asked() -> tuple[Edit, ...]:
    """The edits by which the owner accepts the supported finding, before anybody answered the gate."""
    return (accepted(judged()), *ACCEPTANCE)


@cache
def accepting() -> str:
    """The digest that the answers to the gate name."""
    return supported(varied(asked())).accepting


@cache
def with_acceptance(*, manager: bool = True) -> Review:
    """The demo with its supported finding accepted, by the release manager too or not."""
    answers = [accepts(accepting(), manager=False), *([accepts(accepting(), manager=True)] if manager else [])]
    return varied((*asked(), *answers))
