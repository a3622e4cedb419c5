"""The ledger as a pandas frame, built once from plain tuples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from evreview.comparison.ledger import LEDGER, Column, Dtype, columns_of
from evreview.comparison.wire_forms import canonical
from evreview.core.vocabulary import Form
from evreview.ledger.delta import Delta

if TYPE_CHECKING:
    from pandas import DataFrame, Series


def ledger_frame(deltas: Iterable[Delta]) -> DataFrame:
    """One row per delta.

    Returns:
        A frame with grain one difference, key `delta_id`, and the columns of
        `columns.columns_of("ledger")` in that order; closed vocabularies are categoricals with all allowed values.
    """
    import pandas as pd

    columns = columns_of(LEDGER)
    rows = [_tuple(delta) for delta in deltas]
    data = {column.name: _series(column, [row[at] for row in rows]) for at, column in enumerate(columns)}
    return pd.DataFrame(data, columns=[column.name for column in columns])


def text_of(form: Form) -> str:
    """A form as the frame shows it."""
    return canonical(form).decode("utf-8", "replace")


def _tuple(delta: Delta) -> tuple[object, ...]:
    return (
        str(delta.id),
        delta.kind.value,
        delta.operation,
        delta.operations,
        str(delta.address),
        delta.role.value,
        delta.polarity.value if delta.polarity is not None else "",
        delta.in_error,
        delta.element.value,
        delta.aspect.value,
        delta.change.value,
        delta.facet,
        text_of(delta.released),
        text_of(delta.candidate),
        str(delta.released_place or ""),
        str(delta.candidate_place or ""),
        delta.facts,
    )


def _series(column: Column, values: list[object]) -> Series:
    import pandas as pd

    if column.dtype is Dtype.CATEGORY:
        return pd.Series(pd.Categorical(values, categories=list(column.allowed)))
    return pd.Series(values, dtype=column.dtype.value)
