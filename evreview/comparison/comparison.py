"""What a comparison found: judged rows with their proofs, noise, and how they look as a frame and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

from evreview.comparison.delta import Context, Delta, Noise
from evreview.comparison.ledger import PROOF, RULES, Dtype, Ledger, columns_of
from evreview.comparison.proof.outcome import Proof, unread_that_may_differ
from evreview.comparison.rules.classifier import Classification
from evreview.contract.model import Contract, Place, UnsupportedConstruct
from evreview.core.errors import bad_input
from evreview.core.frozen import frozen
from evreview.core.limits import deep_stack
from evreview.core.quoted_text import command_line
from evreview.core.vocabulary import Absent, Form, Json, ProofStatus, Verdict
from evreview.redaction.redactor import Redactor

if TYPE_CHECKING:
    from pandas import DataFrame, Series

SCHEMA: Final = "evreview.diff/1"


class Proving(Protocol):
    """Whoever can say how a row's verdict is known."""

    def proof(self, delta: Delta) -> Proof:
        """The proof of a row's verdict."""


@frozen
class JudgedRow:
    """One delta with what it means and how that is known. The proof is computed when it is first read."""

    delta: Delta
    judgement: Classification
    _prover: Proving = field(repr=False, compare=False)
    _known: Proof | None = field(default=None, repr=False, compare=False)
    _options: str = field(default="", repr=False, compare=False)

    @property
    @deep_stack()
    def proof(self) -> Proof:
        """The proof of the row's verdict."""
        found = self._known if self._known is not None else self._prover.proof(self.delta)
        return replace(found, command=f"{found.command} {self._options}") if self._options and found.command else found

    @property
    def contested(self) -> bool:
        """False for a compatible row whose proof was not asked for yet: no witness stands against it."""
        return self._known is not None or self.judgement.verdict is not Verdict.COMPATIBLE

    def read_with(self, options: str) -> JudgedRow:
        """The same row, its command naming the options that its contracts were read with."""
        return replace(self, _options=options)

    def to_dict(self) -> dict[str, Json]:
        """The row of the JSON object of `evreview diff --format json`, not yet redacted."""
        delta, judgement, proof = self.delta, self.judgement, self.proof
        return {
            "id": delta.id,
            "kind": delta.kind.value,
            "operation": delta.operation,
            "address": delta.address,
            "role": delta.role.value,
            "aspect": delta.aspect.value,
            "change": delta.change.value,
            "released": _form(delta.released),
            "candidate": _form(delta.candidate),
            "rule": judgement.rule,
            "accepts_old_requests": judgement.accepts_old_requests.value,
            "emits_old_compatible": judgement.emits_old_compatible.value,
            "verdict": judgement.verdict.value,
            "proof": {
                "status": proof.status.value,
                "method": proof.method.value,
                "witness": proof.witness,
                "command": proof.command,
                "reason": str(proof.reason),
                "witness_realism": proof.realism.value if proof.realism is not None else "",
            },
            "locations": _locations(delta),
            "operations": list(delta.operations),
            "title": judgement.title,
            "why": judgement.why,
            "facet": delta.facet,
            "in_error": delta.in_error,
            "planes": {plane.value: verdict.value for plane, verdict in judgement.planes},
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What `compare` found.

    Attributes:
        ledger: the facts.
        rows: every difference on the wire, in the ledger's order, those last whose witness nobody is known to send.
        noise: differences that never reach the wire, and those whose value sets are proved equal, with the reason.
        witnesses: whether messages were looked for.
        learn: makes the redactor that redacts `frame`, when first asked for; without it the detectors judge alone.
    """

    ledger: Ledger
    rows: tuple[JudgedRow, ...]
    noise: tuple[Noise, ...]
    witnesses: bool = True
    learn: Callable[[], Redactor] = field(default=Redactor, repr=False, compare=False)

    def __repr__(self) -> str:
        """Nothing of the contracts: a notebook that shows it saves it."""
        return f"Comparison({len(self.rows)} rows, {len(self.noise)} without effect, {len(self.unread)} unread)"

    @property
    def contexts(self) -> tuple[Context, ...]:
        """Unchanged elements that some row needs in order to be read."""
        return self.ledger.contexts

    @property
    def unread(self) -> tuple[UnsupportedConstruct, ...]:
        """What the readers could not understand."""
        return self.ledger.unread

    @cached_property
    def doubted(self) -> bool:
        """True when a part that nobody could read may differ."""
        return bool(unread_that_may_differ(self.ledger))

    @cached_property
    def breaking(self) -> tuple[JudgedRow, ...]:
        """The rows with a breaking verdict."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.BREAKING)

    def row(self, delta_id: str) -> JudgedRow:
        """The row with this id.

        Raises:
            BadInput: `row-unknown`.
        """
        found = self._by_id.get(delta_id)
        if found is None:
            raise bad_input("row-unknown", f"no row has the id {delta_id}", advice="`evreview diff` lists the ids")
        return found

    @cached_property
    def _by_id(self) -> Mapping[str, JudgedRow]:
        return {row.delta.id: row for row in self.rows}

    @cached_property
    def summary(self) -> Mapping[str, Json]:
        """Rows counted by verdict and by proof status, and whether anything breaks: true, false or "unknown".

        What nobody could read leaves a doubt, unless it is written alike on both sides.
        """
        verdicts = Counter(row.judgement.verdict for row in self.rows)
        proofs = Counter(row.proof.status for row in self.rows)
        unknown = verdicts[Verdict.UNKNOWN] or self.doubted
        breaking: Json = True if verdicts[Verdict.BREAKING] else "unknown" if unknown else False
        return {
            "rows": len(self.rows),
            "verdicts": {verdict.value: verdicts[verdict] for verdict in Verdict},
            "proofs": {status.value: proofs[status] for status in ProofStatus},
            "noise": len(self.noise),
            "unread": len(self.unread),
            "breaking": breaking,
            **({} if self.witnesses else {"witnesses": "not asked for"}),
        }

    def read_with(self, options: Sequence[str]) -> Comparison:
        """The same comparison, its commands naming the options that both contracts were read with."""
        told = command_line(options)
        return replace(self, rows=tuple(row.read_with(told) for row in self.rows)) if told else self

    def redacting(self, learn: Callable[[], Redactor]) -> Comparison:
        """The same comparison, its `frame` redacted by what the redactor knows that `learn` makes."""
        return replace(self, learn=learn)

    @cached_property
    def frame(self) -> DataFrame:
        """`raw_frame`, redacted: what a notebook may show and keep."""
        from evreview.redaction.sinks import redacted_frame

        return redacted_frame(self.raw_frame, self.learn())

    @cached_property
    def raw_frame(self) -> DataFrame:
        """One row per delta, key `delta_id`; the columns of `ledger/columns.py` that ledger, rules and proof own.

        Not redacted: words of the contracts stand there as they are written.
        """
        from evreview.comparison.ledger import ledger_frame

        return ledger_frame(row.delta for row in self.rows).assign(**_judged(self.rows))

    def to_dict(self) -> dict[str, Json]:
        """The JSON object of `evreview diff --format json`, not yet redacted: `redactor.clean_json` does that."""
        return {
            "schema": SCHEMA,
            "released": contract_json(self.ledger.released),
            "candidate": contract_json(self.ledger.candidate),
            "summary": dict(self.summary),
            "rows": [row.to_dict() for row in self.rows],
            "noise": [_noise(noise) for noise in self.noise],
            "unread": [{"place": str(row.place), "found": row.found, "advice": row.advice} for row in self.unread],
        }


def _judged(rows: tuple[JudgedRow, ...]) -> dict[str, Series]:
    """The columns that rules and proofs own, in the order of `columns.py`."""
    import pandas as pd

    cells = [
        (
            row.judgement.rule or "",
            row.judgement.verdict.value,
            row.judgement.accepts_old_requests.value,
            row.judgement.emits_old_compatible.value,
            ", ".join(f"{plane}: {verdict}" for plane, verdict in row.judgement.planes),
            row.judgement.why,
            row.proof.status.value,
            row.proof.method.value,
            *_proof_cells(row.proof),
        )
        for row in rows
    ]
    made = {}
    for at, column in enumerate((*columns_of(RULES), *columns_of(PROOF))):
        values = [cell[at] for cell in cells]
        category = column.dtype is Dtype.CATEGORY
        made[column.name] = (
            pd.Series(pd.Categorical(values, categories=list(column.allowed)))
            if category
            else pd.Series(values, dtype=column.dtype.value)
        )
    return made


def _proof_cells(proof: Proof) -> tuple[str, ...]:
    """The proof in full, as texts."""
    from evreview.comparison.ledger import text_of

    witness = proof.witness if isinstance(proof.witness, Mapping) else {}
    shown: Json = next((witness[name] for name in ("message", "value") if name in witness), witness)
    text = text_of(shown) if witness else ""
    realism = proof.realism.value if proof.realism is not None else ""
    return (
        str(proof.reason),
        text,
        realism,
        *(str(witness.get(name) or "") for name in ("accepted_by", "refused_by")),
        proof.command,
    )


def contract_json(contract: Contract) -> dict[str, Json]:
    """What tells which contract was compared."""
    return {"path": contract.path, "kind": contract.kind.value, "version": contract.version, "sha256": contract.sha256}


def _noise(noise: Noise) -> dict[str, Json]:
    delta = noise.delta
    return {
        "id": delta.id,
        "address": delta.address,
        "aspect": delta.aspect.value,
        "facet": delta.facet,
        "change": delta.change.value,
        "released": _form(delta.released),
        "candidate": _form(delta.candidate),
        "reason": str(noise.reason),
        "locations": _locations(delta),
    }


def _locations(delta: Delta) -> dict[str, Json]:
    return {"released": _place(delta.released_place), "candidate": _place(delta.candidate_place)}


def _place(place: Place | None) -> str:
    return "" if place is None else str(place)


def _form(form: Form) -> Json:
    return form.value if isinstance(form, Absent) else form
