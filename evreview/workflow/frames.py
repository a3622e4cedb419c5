"""The registers that every workflow has, as frames: steps and gates. And how every register is redacted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from evreview.redaction.redactor import Guard
from evreview.redaction.sinks import redacted_frame
from evreview.workflows.engine.gates import Gate
from evreview.workflows.engine.step import StepResult


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
    """One row per gate. Key: `gate`.

    Columns: gate, title, state, seats, approvals, missing (texts, "; " between), about (the digest
    that an answer names, "" for none).
    """
    rows = [
        (
            gate.spec.id,
            gate.spec.title,
            str(gate.state),
            "; ".join(map(str, gate.seats)),
            "; ".join(f"{answer.role}: {answer.decision} at {answer.at.isoformat()}" for answer in gate.approvals),
            "; ".join(gate.missing),
            gate.about,
        )
        for gate in gates
    ]
    return pd.DataFrame(rows, columns=["gate", "title", "state", "seats", "approvals", "missing", "about"])


def redacted(frames: Mapping[str, pd.DataFrame], guard: Guard) -> dict[str, pd.DataFrame]:
    """The same frames without anything that may not leave; a frame without such a value stays the object it is."""
    return {name: redacted_frame(frame, guard) for name, frame in frames.items()}
