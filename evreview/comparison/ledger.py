"""THE table of ledger columns. Every frame with ledger rows takes names, meanings and types from here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evreview.contract.model import ElementKind
from evreview.core.vocabulary import (
    Answer,
    Aspect,
    Change,
    ContractKind,
    Polarity,
    ProofMethod,
    ProofStatus,
    Realism,
    Role,
    Verdict,
)


class Dtype(StrEnum):
    TEXT = "string"
    FLAG = "bool"
    COUNT = "int64"
    CATEGORY = "category"
    OBJECT = "object"


@dataclass(frozen=True, slots=True)
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
        "polarity",
        "read: the producer reads the value; written: it writes it; empty: neither",
        Dtype.CATEGORY,
        LEDGER,
        _values(Polarity, empty=True),
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
    Column("accepts_old_requests", "the new producer accepts old requests", Dtype.CATEGORY, RULES, _values(Answer)),
    Column(
        "emits_old_compatible",
        "the new producer emits responses that old clients read",
        Dtype.CATEGORY,
        RULES,
        _values(Answer),
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
