"""The registers of a W1 review as frames: what analysts group and filter, and what is written as JSON and CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from evreview.clients.impact import impacts_frame
from evreview.clients.register import register_frame
from evreview.reconcile.unjoined import unjoined_frame
from evreview.workflow.w1.facts import W1Facts
from evreview.workflows.engine.conclusions import findings_frame
from evreview.workflows.engine.registers import boundary_frame, gates_frame, steps_frame
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w1.checks import checks_frame
from evreview.workflows.w1.facts import sources_frame
from evreview.workflows.w1.step4_classification import judgements_frame
from evreview.workflows.w1.step7_removal import removals_frame
from evreview.workflows.w1.step8_rollout import controls_frame


def registers(steps: Sequence[StepResult], facts: W1Facts) -> Mapping[str, pd.DataFrame]:
    """Every register that the steps reached, by name.

    `compatibility-matrix` has one row per delta, key `delta_id`; the others are documented where they are made.
    """
    found: dict[str, pd.DataFrame] = {"steps": steps_frame(steps)}
    if facts.boundary:
        found["scope"] = boundary_frame(facts.boundary)
    if facts.comparison is not None:
        found["compatibility-matrix"] = facts.comparison.raw_frame
    if facts.reconciliation is not None:
        found["sources"] = sources_frame(facts.reconciliation.sources)
        found["unjoined"] = unjoined_frame(facts.unjoined)
    if facts.unknown_consumers is not None:
        found["impacts"] = impacts_frame(facts.impacts)
        found["client-impact"] = register_frame(facts.clients, facts.unknown_consumers)
    if facts.checks is not None:
        found["checks"] = checks_frame(facts.checks)
    if facts.path is not None:
        found["policy-judgements"] = judgements_frame(tuple(facts.judgements.values()))
        found["removals"] = removals_frame(facts.removals)
        found["monitoring"] = controls_frame(facts.controls)
    if facts.gates:
        found["findings"] = findings_frame(facts.findings)
        found["gates"] = gates_frame(facts.gates)
    return found
