"""One difference between two value sets, and how it is looked for."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.contract.model import Place
from evreview.core.vocabulary import MISSING, Form, Json, Word
from evreview.workflows.w2.step3_reconcile.value_sets import Position


class Way(Word):
    """How the code's value set deviates from the contract's. The first seven speak of what is read, the rest of sent.

    NARROWER: it refuses what the contract admits. WIDER: it admits what the contract refuses. CLOSED: it refuses every
    member that it does not name. REQUIRED, OPTIONAL: a field has to be there, or need not, other than the contract
    says. UNREAD: nothing reads a field of the contract. UNDOCUMENTED: a field that the contract does not have (both
    directions). OUTSIDE: a value that the contract refuses is sent. MISSING: a field that the contract promises is
    never sent. UNSENT: one that it mentions is never sent. UNOWED: one that it promises is not always sent. DEFAULT: an
    absent field counts as another value than the contract says.
    """

    NARROWER = "narrower"
    WIDER = "wider"
    CLOSED = "closed"
    REQUIRED = "field-required"
    OPTIONAL = "field-optional"
    UNREAD = "field-unread"
    UNDOCUMENTED = "field-undocumented"
    OUTSIDE = "outside"
    MISSING = "field-missing"
    UNSENT = "field-unsent"
    UNOWED = "field-unowed"
    DEFAULT = "field-default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference below a position.

    Attributes:
        path: the field, dotted, `[]` for the items of a list, `*` for members without a name; "" for the whole.
        contract, implementation: both schemas as written, MISSING where one side has none.
        witness: a value at the place of `judged` that one side admits and the other refuses.
        place: where the contract writes it, None when it does not.
        sides: what the witness was found with, the contract's first; () without a witness.
    """

    way: Way
    path: str
    contract: Form
    implementation: Form
    witness: Form = MISSING
    place: Place | None = None
    sides: tuple[Position, Position] | tuple[Json, Json] | tuple[()] = ()

    @property
    def judged(self) -> tuple[Json, ...]:
        """Self-contained schemas that the witness was found with, the contract's first; () without a witness."""
        return tuple(side.whole if isinstance(side, Position) else side for side in self.sides)


@dataclass(frozen=True, slots=True)
class Open:
    """A comparison that nothing decided."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """How values travel.

    Attributes:
        reads: True for what the code reads, False for what it sends.
        exact: True when the code's schema is all that the code checks, not only an outer bound.
        text: True when values travel as text, as in a query string.
        path: True for a part of a path, which is never empty.
    """

    reads: bool
    exact: bool
    text: bool = False
    path: bool = False
