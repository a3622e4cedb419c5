"""A comparison as columns: CSV and Parquet, one line per row, every cell a text."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from evreview.artifacts.accepted_text import COLUMN
from evreview.artifacts.exact_json import exactly
from evreview.artifacts.ledger_words import Document, compact, evidence
from evreview.core.control_characters import escaped, marked
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Json
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard
from evreview.report.escape import csv_cell

if TYPE_CHECKING:
    import pandas as pd

PROOF_COLUMNS: Final = ("proof_reason", "witness", "witness_realism", "accepted_by", "refused_by", "command")
"""The proof in full, taken from the rows so that it is cleaned part by part. Those of an accept file come last."""
FORMS: Final = ("released", "candidate")
"""Taken from the rows where something acts in them: the frame does not show it."""
PLACES: Final = {"released_place": "released", "candidate_place": "candidate"}
"""The columns that name a file as the user did; the frame names it as the contract does."""


def csv_text(frame: pd.DataFrame, rows: Sequence[Document], guard: Guard) -> Clean:
    """The rows as CSV; no cell starts a formula."""
    columns = _columns(frame, rows, guard)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(name) for name in columns])
    writer.writerows([csv_cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    return Clean(out.getvalue())


def parquet_bytes(frame: pd.DataFrame, rows: Sequence[Document], guard: Guard) -> bytes:
    """The rows as Parquet.

    Raises:
        BadInput: its library is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        advice = "Install it with: pip install 'evreview[parquet]'"
        raise bad_input("parquet-not-installed", "the parquet format needs pyarrow", advice=advice) from None
    import pandas as pd

    out = io.BytesIO()
    columns = pd.DataFrame(_columns(frame, rows, guard), dtype="object")
    columns.astype("string").to_parquet(out, engine="pyarrow", index=False)
    return out.getvalue()


def _columns(frame: pd.DataFrame, rows: Sequence[Document], guard: Guard) -> dict[str, list[str]]:
    """The columns as text; nested values are compact JSON, cleaned before they are written."""
    own = [str(name) for name in frame.columns if name not in PROOF_COLUMNS]
    raw = {name: [_plain(value) for value in frame[name]] for name in own}
    places = {name: [row["locations"][side] for row in rows] for name, side in PLACES.items() if name in raw}
    proved = [_proof(row["proof"]) for row in rows]
    cleaned = guard.clean_json({"columns": {**raw, **places}, "proofs": proved}, signs=marked)
    assert isinstance(cleaned, Mapping)
    columns: Any = cleaned["columns"]
    proofs: Any = cleaned["proofs"]
    found = {name: [_text(value) for value in values] for name, values in columns.items()}
    for name in FORMS:
        found[name] = [_exact(row[name], guard) or text for row, text in zip(rows, found[name], strict=True)]
    last = {name: found.pop(name) for name in list(found) if name.startswith(COLUMN)}
    return {**found, **{name: [_shown(proof[name]) for proof in proofs] for name in PROOF_COLUMNS}, **last}


def _proof(proof: Document) -> dict[str, Json]:
    witness = proof["witness"] if isinstance(proof.get("witness"), Mapping) else {}
    return {
        "proof_reason": proof.get("reason") or "",
        "witness": evidence(proof),
        "witness_realism": proof.get("witness_realism") or "",
        "accepted_by": witness.get("accepted_by") or "",
        "refused_by": witness.get("refused_by") or "",
        "command": proof.get("command") or "",
    }


def _shown(value: Any) -> str:
    """A text as it is; a witness, in a list of one, as JSON."""
    return value if isinstance(value, str) else "".join(map(compact, value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else compact(value)


def _exact(form: Json, guard: Guard) -> str:
    """A form in which something acts as JSON text with escapes, "" for any other one."""
    if escaped(text := compact(form)) == text:
        return ""
    cleaned = guard.clean_json([form], signs=exactly(guard))
    assert isinstance(cleaned, list)
    return escaped(compact(cleaned[0]))


def _plain(value: Any) -> Any:
    import pandas as pd

    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return ""
    return value if isinstance(value, str | Mapping | list | tuple) else str(value)
