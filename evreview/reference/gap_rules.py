"""What a contract may leave open about an operation. One rule is one value: its reason, an example, the opposite."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evreview.codefacts.model import Route
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Concern
from evreview.evidence.item import Citation
from evreview.reference.applicable import Sample
from evreview.reference.entry import Entries
from evreview.schema.validators import Validators
from evreview.workflows.w2.contract_rows import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What the rules look at. `route` is None unless all of the operation's code was read."""

    entry: Entry
    route: Route | None
    entries: Entries
    validators: Validators

    @property
    def here(self) -> tuple[Citation, ...]:
        """The operation itself, for what it does not say."""
        return (self.entries.places.at(self.entry.operation.element.place),)

    @property
    def refuses(self) -> bool:
        """True when the contract documents a response to requests that are wrong."""
        return bool({"400", "422", "4XX", "default"} & {row.status for row in self.entry.errors})


@dataclass(frozen=True, slots=True)
class Lack:
    """One thing that a rule found lacking: its place within the operation, what to say, what to cite.

    `concern` is told where it is not the rule's.
    """

    place: str
    says: Text
    citations: tuple[Citation, ...]
    concern: Concern | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapRule:
    """One way in which a contract says less than a reference needs.

    Attributes:
        why: why readers of the reference have to know.
        find: what is lacking of one operation.
        blocks: True when the operation can't be used by what is left.
        absence: True for what is stated absent, because neither contract nor implementation defines it.
    """

    id: str
    concern: Concern
    why: str
    find: Callable[[Looked], Iterable[Lack]]
    example: Sample
    counter_example: Sample
    blocks: bool = False
    absence: bool = False
