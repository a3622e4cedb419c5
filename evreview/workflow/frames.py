"""The registers that every workflow has, as frames: steps and gates. And how every register is redacted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from evreview.guard import Guard
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


def redacted(frames: Mapping[str, pd.DataFrame], guard: Guard) -> dict[str, pd.DataFrame]:
    """The same frames without anything that may not leave; a frame without such a value stays the object it is."""
    return {name: _redacted(frame, guard) for name, frame in frames.items()}


def _redacted(frame: pd.DataFrame, guard: Guard) -> pd.DataFrame:
    changed: dict[Any, pd.Series[Any]] = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column):
            continue
        cells = column.tolist()
        clean = _cleaned(cells, guard)
        if any(new is not old for new, old in zip(clean, cells, strict=True)):
            changed[name] = pd.Series(clean, index=column.index, dtype=object)
    return frame.assign(**changed) if changed else frame


def _cleaned(cells: Sequence[Any], guard: Guard) -> list[Any]:
    """The cells; one that stays as it was is the same object, whatever its type."""
    texts = list(dict.fromkeys(cell for cell in cells if isinstance(cell, str)))
    shown = guard.clean_json(texts)
    assert isinstance(shown, list)
    known = dict(zip(texts, shown, strict=True))
    return [_cell(cell, known, guard) for cell in cells]


def _cell(cell: Any, known: Mapping[str, Any], guard: Guard) -> Any:
    if isinstance(cell, str):
        clean = known[cell]
        return cell if clean == cell else clean
    if isinstance(cell, Mapping | list | tuple):
        plain = dict(cell) if isinstance(cell, Mapping) else list(cell)
        clean = guard.clean_json(plain)
        if clean == plain:
            return cell
        return tuple(clean) if isinstance(cell, tuple) and isinstance(clean, list) else clean
    return cell
