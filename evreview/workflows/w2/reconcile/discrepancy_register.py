"""The discrepancy register as a pandas frame."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evreview.comparison.wire_forms import canonical
from evreview.core.vocabulary import Concern, Form
from evreview.workflows.w2.discrepancy_kinds import KIND, KINDS
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks
from evreview.workflows.w2.facts import Discrepancy, Disposal
from evreview.workflows.w2.reconcile.deviation import Undecided

if TYPE_CHECKING:
    import pandas as pd

_SERVER_ERROR: Final = re.compile(r"5[0-9X]{2}\b")
COLUMNS: Final[Mapping[str, str]] = {
    "id": "`X-` and twelve hex digits over operation, concern, kind and place; lines and files do not count",
    "kind": "the kind's id, see below",
    "operation": "method and path",
    "concern": "what of the operation it is about",
    "place": "where: status, media type, field, parameter",
    "contract": "the contract's form as canonical JSON, `(absent)` where it has none",
    "implementation": "the code's form, the same way",
    "observed": "what a test saw, never a recorded body",
    "witness": "a value that one side admits and the other refuses",
    "breaks": "who is hurt",
    "impact": "the compatibility impact",
    "expands": "True where code or tests show more than the contract says",
    "owner_role": "who disposes of it",
    "disposal": "what the last word that counts does to the claims",
    "disposition": "that word",
    "withholds": "the claims that it holds back, one per line",
    "evidence": "citations, comma-separated",
    "digest": "of both forms; a disposition that names another one as `of` counts for nothing",
}
"""The register's columns with their meanings."""
UNDECIDED_COLUMNS: Final = ("operation", "concern", "place", "reason", "evidence")


def discrepancies_frame(found: Sequence[Discrepancy]) -> pd.DataFrame:
    """The discrepancy register.

    Grain: one row per discrepancy. Key: `id`. Columns: `COLUMNS`; the forms and the witness are canonical JSON,
    `(absent)` where a side has none; `digest` is what a disposition may name as `of`; `expands` is True where the code
    does more than the contract says; closed vocabularies are categoricals with all allowed values.
    """
    import pandas as pd

    data = pd.DataFrame([_row(row) for row in found], columns=list(COLUMNS))
    closed: dict[str, Iterable[str]] = {
        "kind": [kind.id for kind in KINDS],
        "concern": [concern.value for concern in Concern],
        "breaks": [each.value for each in Breaks],
        "disposal": [disposal.value for disposal in Disposal],
    }
    for name, allowed in closed.items():
        data[name] = pd.Categorical(data[name], categories=list(allowed))
    data["expands"] = data["expands"].astype(bool)
    return data


def undecided_frame(found: Sequence[Undecided]) -> pd.DataFrame:
    """Comparisons that nothing decided. Grain: one row per comparison. Columns: `UNDECIDED_COLUMNS`."""
    import pandas as pd

    rows = [
        (each.operation, str(each.concern), each.place, each.reason, ", ".join(map(str, each.citations)))
        for each in found
    ]
    return pd.DataFrame(rows, columns=list(UNDECIDED_COLUMNS))


def expands(row: Discrepancy) -> bool:
    """True where code or tests do more than the contract says; a 5xx that only a test saw is an internal error."""
    only_seen = row.kind.startswith("observed-")
    return KIND[row.kind].expands and not (only_seen and _SERVER_ERROR.match(row.place))


def form_text(form: Form) -> str:
    """A form as the register shows it."""
    return canonical(form).decode("utf-8", "replace")


def _row(row: Discrepancy) -> tuple[object, ...]:
    kind = KIND[row.kind]
    return (
        str(row.id),
        row.kind,
        row.operation,
        row.concern.value,
        row.place,
        form_text(row.contract),
        form_text(row.implementation),
        form_text(row.observed),
        form_text(row.witness),
        kind.breaks.value,
        row.impact,
        expands(row),
        row.owner_role,
        row.disposal.value,
        row.disposition,
        "\n".join(sorted(row.withholds)),
        ", ".join(map(str, row.citations)),
        row.digest,
    )
