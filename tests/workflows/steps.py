"""What a step of a demo review starts from, so that a test runs one step alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from evreview.core.vocabulary import EvidenceType
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle
from evreview.redaction.redactor import Redactor
from evreview.workflows.engine.run import Engine
from evreview.workflows.session import flow_of
from evreview.workflows.w3.authorization import as_authorized

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DEMOS = {"w1": "w1-orders", "w2": "w2-orders", "w3": "w3-tickets"}


def before(workflow: str, number: int) -> tuple[Bundle, Any]:
    """The demo's bundle, and what is known before one of its steps."""
    bundle, known = _demo(workflow)
    return bundle, known[number - 1]


def without(bundle: Bundle, *types: EvidenceType) -> Bundle:
    """The bundle without the items of some types."""
    return replace(bundle, items={name: item for name, item in bundle.items.items() if item.type not in types})


@cache
def _demo(workflow: str) -> tuple[Bundle, Sequence[Any]]:
    bundle = as_authorized(open_bundle(EXAMPLES / DEMOS[workflow]))
    flow = flow_of(bundle.workflow)
    guard = Redactor.over((str(item.id), item.content) for item in bundle.items.values())
    start = flow.start(lambda item: bundle.source(item.id), guard)
    engine: Engine[Any] = Engine(bundle, flow.steps, flow.failures, start)
    known = [engine.facts]
    while not engine.ended:
        engine.advance()
        known.append(engine.facts)
    return bundle, known
