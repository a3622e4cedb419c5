"""A comparison with the table of acceptances beside it, in the form that every output format reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evreview.acceptance.join import Acceptance, Accepted
from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import DeltaId, Json

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = ("acceptance", "acceptance_reason", "acceptance_owner", "acceptance_expires")


@dataclass(frozen=True, slots=True)
class AcceptedComparison:
    """A comparison whose rows say whether they are accepted; no row and no verdict is other than without it."""

    comparison: Comparison
    acceptance: Acceptance

    def to_dict(self) -> dict[str, Json]:
        """The comparison's JSON object; each row, the summary and the whole have one more member `acceptance`."""
        plain = self.comparison.to_dict()
        counts = self.acceptance.summary()
        stale = [entry.to_dict() for entry in self.acceptance.stale]
        return {
            **plain,
            "summary": {**self.comparison.summary, "acceptance": counts},
            "rows": [{**row, "acceptance": self._of(row["id"])} for row in _mappings(plain["rows"])],
            "acceptance": {"today": self.acceptance.today.isoformat(), **counts, "stale": stale},
        }

    def _of(self, row: Json) -> Json:
        found = self.acceptance.by_id.get(DeltaId(str(row)))
        return found.to_dict() if found is not None else None

    @property
    def frame(self) -> DataFrame:
        """The comparison's frame, with the columns `COLUMNS` after its own."""
        frame = self.comparison.frame
        cells = [_cells(self.acceptance.by_id.get(DeltaId(name))) for name in frame["delta_id"]]
        return frame.assign(**{name: [cell[at] for cell in cells] for at, name in enumerate(COLUMNS)})


def _mappings(value: Json) -> Iterator[Mapping[str, Json]]:
    assert isinstance(value, Sequence)
    return (row for row in value if isinstance(row, Mapping))


def _cells(found: Accepted | None) -> tuple[str, str, str, str]:
    if found is None:
        return "", "", "", ""
    return found.state.value, found.entry.reason, found.entry.owner, found.entry.expires
