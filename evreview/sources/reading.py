"""What a reader of one schema knows so far: whether it is exact, and what it could not tell."""

from __future__ import annotations

from dataclasses import dataclass, field

from evreview.sources.model import Spot, UnreadCode
from evreview.sources.names import Modules
from evreview.vocab import Json

Schema = dict[str, Json]


@dataclass(slots=True)
class SchemaReading:
    """The state of reading one schema. `takes` is True for what is loaded, False for what is dumped."""

    modules: Modules
    takes: bool
    exact: bool = field(default=True, kw_only=True)
    coerces: bool = field(default=False, kw_only=True)
    levels: int = field(default=0, kw_only=True)
    unread: list[UnreadCode] = field(default_factory=list, kw_only=True)
    spots: list[Spot] = field(default_factory=list, kw_only=True)

    def untold(self, spot: Spot, found: str, advice: str = "") -> Schema:
        """Any value, with why it can't be told."""
        self.exact = False
        self.unread.append(UnreadCode(spot, found, advice))
        return {}
