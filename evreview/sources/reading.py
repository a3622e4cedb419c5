"""What a reader of one schema knows so far: whether it is exact, and what it could not tell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from evreview.codefacts.model import CodeNote, Spot, UnreadCode
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import Concern, Json

Schema = dict[str, Json]


def check(name: str, spot: Spot, function: str) -> CodeNote:
    """A function that may refuse values which the schema admits: named, not read as a value set.

    Args:
        name: the member that it looks at, "" for the whole.
        spot: its lines.
        function: its name in the code.
    """
    return CodeNote(concern=Concern.VALIDATION, name=name, spot=spot, value=function[:200], certain=False)


def named(checks: Iterable[CodeNote], name: str) -> list[CodeNote]:
    """The checks with the name of the member around those that look at a whole."""
    return [replace(each, name=each.name or name) for each in checks]


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
    checks: list[CodeNote] = field(default_factory=list, kw_only=True)

    def untold(self, spot: Spot, found: str, advice: str = "") -> Schema:
        """Any value, with why it can't be told."""
        self.exact = False
        self.unread.append(UnreadCode(spot, found, advice))
        return {}

    def refuses(self, name: str, spot: Spot, function: str) -> None:
        """A function that may refuse more; `name` is the member that it looks at, "" for the whole."""
        self.exact = False
        self.checks.append(check(name, spot, function))
