"""Comparisons that nothing decided: nowhere do they read as agreement."""

from __future__ import annotations

from dataclasses import replace

from evreview.core.vocabulary import Concern
from evreview.workflows.w2.facts import W2Facts
from evreview.workflows.w2.reconcile.deviation import Undecided
from evreview.workflows.w2.tables import discrepancy_rows, trace_rows
from evreview.workflows.w2.view import verdict
from tests.golden.w2_runs import finished

OPERATION = "GET /v1/orders"


def facts(*points: Undecided) -> W2Facts:
    """The demo as if nothing disagreed in it."""
    known = finished("demo").facts
    assert isinstance(known, W2Facts)
    read = tuple(cell for cell in known.matrix if cell.standing != "unread")
    return replace(known, discrepancies=(), points=points, matrix=read)


def point(concern: Concern) -> Undecided:
    return Undecided(operation=OPERATION, concern=concern, place="", reason="not every part was read", citations=())


def traced(known: W2Facts, concern: Concern) -> str:
    done = finished("demo")
    rows = trace_rows(done.bundle, known, done.decision)
    return next(row[2] for row in rows if "GET /v1/orders" in row[0] and f": {concern}" in row[0])


def register(known: W2Facts) -> str:
    return str(discrepancy_rows(finished("demo").bundle, known, ()))


def test_agreement_is_stated_only_where_everything_was_decided() -> None:
    agreed, open_ = facts(), facts(point(Concern.AUTHENTICATION))
    assert "tests agree" in register(agreed)
    assert "tests agree" not in register(open_)
    assert "1 comparison not decided" in register(open_)


def test_what_is_published_says_that_the_code_is_not_known_to_agree() -> None:
    known = facts(point(Concern.AUTHENTICATION))
    assert "not decided in 1 comparison" in traced(known, Concern.AUTHENTICATION)
    told = traced(known, Concern.PARAMETERS)
    assert told.startswith("published; contract stated") and "not decided" not in told


def test_the_verdict_counts_what_was_not_decided() -> None:
    done = finished("demo")
    told = [str(each) for each in verdict(done.bundle, facts(point(Concern.ERRORS)), done.decision)]
    assert any("1 comparison not decided" in line for line in told)
