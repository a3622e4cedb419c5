"""The table over all that a batch has kept: a row a pair or review, made from the parts whenever it is asked for."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from evreview.app.batch.storage import Storage
from evreview.app.batch.task import TaskStatus, ledger_name, part_name
from evreview.core.vocabulary import Json
from evreview.report.escape import csv_cell

if TYPE_CHECKING:
    import pandas as pd

TABLE: Final = "portfolio"
_TEXT, _NUMBER = "string", "int64"
OBJECTS: Final = ("rules", "gates", "waiting", "clients")
"""Columns that hold a JSON object."""


@dataclass(frozen=True, slots=True)
class PortfolioColumn:
    """A column: its name, its type, and what stands in it."""

    name: str
    dtype: str
    meaning: str


COLUMNS: Final = (
    PortfolioColumn("name", _TEXT, "names the pair or the bundle; unique"),
    PortfolioColumn("contract", _TEXT, "which contract the pair is a version of; of a bundle its name"),
    PortfolioColumn("position", _NUMBER, "the place among the pairs of that contract, from 0"),
    PortfolioColumn("kind", _TEXT, "the kind of contract, as it was read or asked for"),
    PortfolioColumn("released", _TEXT, "where the released contract stands, empty for a bundle"),
    PortfolioColumn("candidate", _TEXT, "where the candidate stands, empty for a bundle"),
    PortfolioColumn("bundle", _TEXT, "the bundle's folder, empty for a pair"),
    PortfolioColumn(
        "status", _TEXT, f"one of {', '.join(each for each in TaskStatus if each is not TaskStatus.UNWRITTEN)}"
    ),
    PortfolioColumn("rows", _NUMBER, "differences on the wire"),
    PortfolioColumn("breaking", _NUMBER, "those that break an old client"),
    PortfolioColumn("unknown", _NUMBER, "those without a verdict"),
    PortfolioColumn("compatible", _NUMBER, "the others"),
    PortfolioColumn("proved", _NUMBER, "rows with a proof"),
    PortfolioColumn("witnessed", _NUMBER, "rows with a witness"),
    PortfolioColumn("unproven", _NUMBER, "rows that only a rule speaks for"),
    PortfolioColumn("noise", _NUMBER, "differences of a pair that never reach the wire"),
    PortfolioColumn("unread", _NUMBER, "parts of a pair that could not be understood"),
    PortfolioColumn("rules", _TEXT, "rules of breaking rows with their counts, a JSON object"),
    PortfolioColumn("workflow", _TEXT, "W1, W2 or W3 of a review, empty for a pair"),
    PortfolioColumn("permitted", _TEXT, "yes or no: whether the review permits what it was asked; empty for a pair"),
    PortfolioColumn("decision", _TEXT, "what the review decided, in words"),
    PortfolioColumn("as_of", _TEXT, "the day on which the review judges, YYYY-MM-DD"),
    PortfolioColumn("findings", _NUMBER, "findings of W1 and W3, discrepancies of W2"),
    PortfolioColumn("gates", _TEXT, "each gate of the review with its state, a JSON object"),
    PortfolioColumn("waiting", _TEXT, "what each gate waits for, a JSON object"),
    PortfolioColumn("clients", _TEXT, "clients that breaking rows fail, with the number of rows, a JSON object"),
    PortfolioColumn("code", _TEXT, "why there is no result: the problem's code"),
    PortfolioColumn("found", _TEXT, "why there is no result, or no file of it, in words, redacted"),
    PortfolioColumn("key", _TEXT, "the key of the part"),
    PortfolioColumn("ledger", _TEXT, "the ledger's place below the output, empty without one"),
    PortfolioColumn("artifact", _TEXT, "the place of the review's artifact below the output, empty without one"),
)
"""What `portfolio.parquet` and `portfolio.csv` hold. A number is 0 where there is no ledger."""


def portfolio_rows(storage: Storage) -> list[dict[str, Json]]:
    """One row for each pair and review that is recorded, by contract and position.

    Raises:
        StorageFailed: the store refuses.
    """
    pairs = [json.loads(data) for data in storage.read_all(storage.names("pairs")).values()]
    keys = {part_name(pair["key"]) for pair in pairs}
    parts = {part["key"]: part for part in map(json.loads, storage.read_all(sorted(keys)).values())}
    rows = [_row(pair, parts[pair["key"]]) for pair in pairs if pair["key"] in parts]
    return sorted(rows, key=lambda row: (str(row["contract"]), int(str(row["position"])), str(row["name"])))


def _row(pair: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Json]:
    done = part["status"] == TaskStatus.DONE
    is_pair = "bundle" not in pair
    told = {
        "contract": pair["name"],
        "ledger": ledger_name(pair["key"]) if done and is_pair else "",
        **pair,
        **part,
        "kind": part.get("kind") or pair.get("kind", ""),
        **{name: json.dumps(part.get(name, {}), ensure_ascii=False) for name in OBJECTS},
    }
    return {column.name: told.get(column.name, 0 if column.dtype == _NUMBER else "") for column in COLUMNS}


def portfolio_frame(storage: Storage) -> pd.DataFrame:
    """The rows as a frame with `COLUMNS`.

    Raises:
        StorageFailed: the store refuses.
    """
    import pandas as pd

    frame = pd.DataFrame(portfolio_rows(storage), columns=[column.name for column in COLUMNS])
    return frame.astype({column.name: column.dtype for column in COLUMNS})


def write_portfolio(storage: Storage) -> str:
    """The table put into the output, and its name there.

    Raises:
        StorageFailed: the store refuses.
    """
    name, data = table_of(storage)
    storage.write(name, data)
    return name


def table_of(storage: Storage) -> tuple[str, bytes]:
    """The table's name and bytes: parquet, or CSV where pyarrow is not installed.

    Raises:
        StorageFailed: the store refuses.
    """
    if find_spec("pyarrow") is None:
        return f"{TABLE}.csv", _csv(portfolio_rows(storage)).encode()
    out = io.BytesIO()
    portfolio_frame(storage).to_parquet(out, engine="pyarrow", index=False)
    return f"{TABLE}.parquet", out.getvalue()


def _csv(rows: list[dict[str, Json]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([column.name for column in COLUMNS])
    writer.writerows([csv_cell(str(row[column.name])) for column in COLUMNS] for row in rows)
    return out.getvalue()
