"""THE table of ledger columns. Every frame with ledger rows takes names, meanings and types from here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from evreview.comparison.delta import Context, Delta, Noise
from evreview.comparison.elements import Root
from evreview.comparison.schema_pairs import SchemaPair
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, ElementKind, UnsupportedConstruct
from evreview.core.frozen import frozen
from evreview.core.vocabulary import (
    Aspect,
    Change,
    ContractKind,
    DeltaId,
    Direction,
    Form,
    ProofMethod,
    ProofStatus,
    Realism,
    Role,
    Tristate,
    Verdict,
)

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    from evreview.comparison.kind_spec import KindSpec


class Dtype(StrEnum):
    TEXT = "string"
    FLAG = "bool"
    COUNT = "int64"
    CATEGORY = "category"
    OBJECT = "object"


@frozen
class Column:
    """One column: what it holds, how it is stored, which values it may have, and the stage that writes it."""

    name: str
    meaning: str
    dtype: Dtype
    owner: str
    allowed: tuple[str, ...] = ()


def _values(*kinds: type[StrEnum], empty: bool = False) -> tuple[str, ...]:
    return tuple(member.value for kind in kinds for member in kind) + (("",) if empty else ())


HISTORY: Final = "history"
LEDGER: Final = "ledger"
RULES: Final = "rules"
PROOF: Final = "proof"

COLUMNS: Final[tuple[Column, ...]] = (
    Column("earlier", "number of the earlier release of the pair, from 0", Dtype.COUNT, HISTORY),
    Column("later", "number of its later release", Dtype.COUNT, HISTORY),
    Column("answers", "what the row says to the level asked for, empty where it does not count", Dtype.TEXT, HISTORY),
    Column("delta_id", "stable id of the row; the key of every table about differences", Dtype.TEXT, LEDGER),
    Column("kind", "format of the contracts", Dtype.CATEGORY, LEDGER, _values(ContractKind)),
    Column("operation", "operation that the address starts at, empty for the document", Dtype.TEXT, LEDGER),
    Column("operations", "every operation that the difference reaches, sorted", Dtype.OBJECT, LEDGER),
    Column("address", "stable path of what differs", Dtype.TEXT, LEDGER),
    Column("role", "message that the position belongs to", Dtype.CATEGORY, LEDGER, _values(Role)),
    Column(
        "direction",
        "read: the producer reads the value; written: it writes it; empty: neither",
        Dtype.CATEGORY,
        LEDGER,
        _values(Direction, empty=True),
    ),
    Column("in_error", "inside an error response", Dtype.FLAG, LEDGER),
    Column("element", "kind of element that differs", Dtype.CATEGORY, LEDGER, _values(ElementKind)),
    Column("aspect", "what of the wire the row is about", Dtype.CATEGORY, LEDGER, _values(Aspect)),
    Column("change", "added, removed or changed", Dtype.CATEGORY, LEDGER, _values(Change)),
    Column("facet", "keyword that differs, empty for the element as a whole", Dtype.TEXT, LEDGER),
    Column("released", "released form as JSON text, `(absent)` when there is none", Dtype.TEXT, LEDGER),
    Column("candidate", "candidate form as JSON text, `(absent)` when there is none", Dtype.TEXT, LEDGER),
    Column("released_place", "file and JSON pointer in the released contract, empty when unknown", Dtype.TEXT, LEDGER),
    Column("candidate_place", "file and JSON pointer in the candidate, empty when unknown", Dtype.TEXT, LEDGER),
    Column("facts", "what else a rule may ask, keys listed in `facts.py`", Dtype.OBJECT, LEDGER),
    Column("rule", "rule that judged the row, empty when none matches", Dtype.TEXT, RULES),
    Column("verdict", "what the rule or the proof concludes", Dtype.CATEGORY, RULES, _values(Verdict)),
    Column("accepts_old_requests", "the new producer accepts old requests", Dtype.CATEGORY, RULES, _values(Tristate)),
    Column(
        "emits_old_compatible",
        "the new producer emits responses that old clients read",
        Dtype.CATEGORY,
        RULES,
        _values(Tristate),
    ),
    Column("planes", "verdict in each plane (binary: breaking, …), empty for kinds without planes", Dtype.TEXT, RULES),
    Column("why", "why the verdict follows", Dtype.TEXT, RULES),
    Column("proof_status", "how far the verdict is proved", Dtype.CATEGORY, PROOF, _values(ProofStatus)),
    Column("proof_method", "how it was proved", Dtype.CATEGORY, PROOF, _values(ProofMethod, empty=True)),
    Column("proof_reason", "why the proof holds, or why there is none", Dtype.TEXT, PROOF),
    Column("witness", "message as JSON text, or the value where there is no message, or empty", Dtype.TEXT, PROOF),
    Column(
        "witness_realism",
        "whether a peer would send the witness, empty without one",
        Dtype.CATEGORY,
        PROOF,
        _values(Realism, empty=True),
    ),
    Column("accepted_by", "contract that accepts the witness, empty without one", Dtype.TEXT, PROOF),
    Column("refused_by", "contract that refuses the witness, empty without one", Dtype.TEXT, PROOF),
    Column("command", "command line that judges the witness again, empty without one", Dtype.TEXT, PROOF),
)

BY_NAME: Final = {column.name: column for column in COLUMNS}


def columns_of(owner: str) -> tuple[Column, ...]:
    """The columns that one stage writes, in order."""
    return tuple(column for column in COLUMNS if column.owner == owner)


# The ledger as a pandas frame, built once from plain tuples.


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
        delta.direction.value if delta.direction is not None else "",
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


# The ledger: every difference of two contracts, what is only noise, what stays, and what nobody could read.


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The wire-difference ledger of one pair of contracts.

    Attributes:
        spec: the kind of both contracts.
        released, candidate: the contracts compared.
        deltas: differences on the wire, sorted by address; ids are unique among deltas and noise together.
        noise: differences that never reach the wire, each with its reason.
        contexts: unchanged elements that a delta needs in order to be read.
        unread: what the readers of both contracts could not understand, released first.
        pairs: the schema pairs that show a delta, by its id; nothing for a row about elements.
        roots: the positions of messages whose value sets may differ, with the schema pair at the top of each.
    """

    spec: KindSpec = field(repr=False, compare=False)
    released: Contract = field(repr=False)
    candidate: Contract = field(repr=False)
    deltas: tuple[Delta, ...]
    noise: tuple[Noise, ...] = ()
    contexts: tuple[Context, ...] = ()
    unread: tuple[UnsupportedConstruct, ...] = ()
    pairs: Mapping[DeltaId, tuple[SchemaPair, ...]] = field(default_factory=dict, repr=False, compare=False)
    roots: tuple[Root, ...] = field(default=(), repr=False, compare=False)

    @cached_property
    def raw_frame(self) -> DataFrame:
        """One row per delta, key `delta_id`; the columns of `columns.py` that the ledger owns. Not redacted."""

        return ledger_frame(self.deltas)

    def row(self, delta_id: str) -> Delta:
        """The delta with this id.

        Raises:
            KeyError: no delta of this ledger has it.
        """
        return self._by_id[DeltaId(delta_id)]

    @cached_property
    def _by_id(self) -> dict[DeltaId, Delta]:
        return {delta.id: delta for delta in self.deltas}
