"""The registers that every workflow has, as frames: steps and gates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from evreview.workflow.gate import Gate
from evreview.workflow.step import StepResult


def steps_frame(steps: Sequence[StepResult]) -> pd.DataFrame:
    """One row per step run. Key: `step`. Columns: step, title, state, code, reasons, restart, digest."""
    rows = [
        (
            step.number,
            step.title,
            str(step.state),
            step.code,
            "\n".join(map(str, step.reasons)),
            step.restart,
            step.digest,
        )
        for step in steps
    ]
    return pd.DataFrame(rows, columns=["step", "title", "state", "code", "reasons", "restart", "digest"])


def gates_frame(gates: Iterable[Gate]) -> pd.DataFrame:
    """One row per gate. Key: `gate`. Columns: gate, title, state, seats, approvals, missing (texts, "; " between)."""
    rows = [
        (
            gate.spec.id,
            gate.spec.title,
            str(gate.state),
            "; ".join(map(str, gate.seats)),
            "; ".join(f"{answer.role}: {answer.decision} at {answer.at.isoformat()}" for answer in gate.approvals),
            "; ".join(gate.missing),
        )
        for gate in gates
    ]
    return pd.DataFrame(rows, columns=["gate", "title", "state", "seats", "approvals", "missing"])
