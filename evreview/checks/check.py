"""A check is executed or proposed, and nothing in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from evreview.core.vocabulary import DeltaId
from evreview.evidence.item import Citation

Result = Literal["passed", "failed", "error"]
Direction = Literal["producer", "consumer", "contract"]
"""`contract`: only the two contracts were compared. That verifies neither what a producer nor what a parser does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """A check whose command, revision, fixture and result are all retained.

    Attributes:
        id, what: the check.
        command, revision, fixture, result: what ran where, and how it ended.
        citation: where the result is retained.
        deltas: the rows that it verifies.
        direction: which direction it verifies, None when not recorded.
        client: the client whose parser was executed, "" for none.
        parses: the form it was given, "" when not recorded.
        output: retained output.

    Raises:
        ValueError: one of the four is empty.
    """

    id: str
    what: str
    command: str
    revision: str
    fixture: str
    result: Result
    citation: Citation
    deltas: tuple[DeltaId, ...] = ()
    direction: Direction | None = None
    client: str = ""
    parses: str = ""
    output: str = ""

    def __post_init__(self) -> None:
        four = {
            "command": self.command,
            "revision": self.revision,
            "fixture": self.fixture,
            "result": self.result,
        }
        lacking = [name for name, value in four.items() if not value.strip()]
        if lacking:
            raise ValueError(f"an executed check needs its {', '.join(lacking)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A check without a retained result.

    Attributes:
        id, what: the check; `what` is an objective assertion.
        why: why it is needed, or what is not retained.
        command: the recorded or suggested command, "" for none.
        deltas: the rows whose classification waits for it.
        status: `unexecuted` for a check that the evidence names, `proposed` for one that evreview asks for.
        missing: which of command, revision, fixture and result are not retained.
        direction, client: as for `Executed`.
        citation: where the evidence names it, None when evreview asks for it.
    """

    id: str
    what: str
    why: str
    command: str = ""
    deltas: tuple[DeltaId, ...] = ()
    status: Literal["proposed", "unexecuted"] = "proposed"
    missing: tuple[str, ...] = ()
    direction: Direction | None = None
    client: str = ""
    citation: Citation | None = None
