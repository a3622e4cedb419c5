"""Two contracts compared: the ledger's facts, each with a judgement and the proof of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from evreview.contracts.model import Contract, ElementKind, Place, Unread
from evreview.errors import bad_input
from evreview.ledger import facts
from evreview.ledger.columns import PROOF, RULES, Dtype, columns_of
from evreview.ledger.delta import Context, Delta, Noise
from evreview.ledger.diff import diff_contracts
from evreview.ledger.ledger import Ledger
from evreview.ledger.noise import RESPELLED, SAME_VALUES
from evreview.proof.agreement import REFUTED as CONTRADICTED
from evreview.proof.closing import WHY as AROUND
from evreview.proof.doubt import doubtful
from evreview.proof.inverting import WHY as TURNED
from evreview.proof.inverting import turned, turned_by_rule
from evreview.proof.member import NEIGHBOURS
from evreview.proof.position import direction
from evreview.proof.prove import CUT_SHORT, UNCOMPUTED, Finding, Proof, Prover, agreeing, unproven
from evreview.proof.selection import SELECTED, selects
from evreview.proof.unread import UNREAD
from evreview.rules.classify import Judgement, classify
from evreview.rules.direction import producer_answers
from evreview.shapes.depth import TOO_DEEP, deep_stack
from evreview.vocab import Form, Json, Missing, ProofStatus, Verdict

if TYPE_CHECKING:
    from pandas import DataFrame, Series

SCHEMA = "evreview.diff/1"
EQUIVALENT = SAME_VALUES
MISREAD = "read as the same on both sides, but the value sets differ"


@dataclass(frozen=True, slots=True)
class Row:
    """One delta with what it means and how that is known. The proof is computed when it is first read."""

    delta: Delta
    judgement: Judgement
    _prover: Prover = field(repr=False, compare=False)
    _known: Proof | None = field(default=None, repr=False, compare=False)

    @property
    @deep_stack()
    def proof(self) -> Proof:
        """The proof of the row's verdict."""
        return self._known if self._known is not None else self._prover.proof(self.delta)

    def to_dict(self) -> dict[str, Json]:
        """The row as `evreview diff --format json` prints it."""
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
                "reason": proof.reason,
            },
            "locations": _locations(delta),
            "operations": list(delta.operations),
            "title": judgement.title,
            "why": judgement.why,
            "facet": delta.facet,
            "in_error": delta.in_error,
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """What `compare` found.

    Attributes:
        ledger: the facts.
        rows: every difference on the wire, in the ledger's order.
        noise: differences that never reach the wire, and those whose value sets are proved equal, with the reason.
        witnesses: whether messages were looked for.
    """

    ledger: Ledger
    rows: tuple[Row, ...]
    noise: tuple[Noise, ...]
    witnesses: bool = True

    def __repr__(self) -> str:
        """Nothing of the contracts: a notebook that shows it saves it."""
        return f"Comparison({len(self.rows)} rows, {len(self.noise)} without effect, {len(self.unread)} unread)"

    @property
    def contexts(self) -> tuple[Context, ...]:
        """Unchanged elements that some row needs in order to be read."""
        return self.ledger.contexts

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What the readers could not understand."""
        return self.ledger.unread

    @cached_property
    def breaking(self) -> tuple[Row, ...]:
        """The rows with a breaking verdict."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.BREAKING)

    def row(self, delta_id: str) -> Row:
        """The row with this id.

        Raises:
            BadInput: `row-unknown`.
        """
        found = self._by_id.get(delta_id)
        if found is None:
            raise bad_input("row-unknown", f"no row has the id {delta_id}", advice="`evreview diff` lists the ids")
        return found

    @cached_property
    def _by_id(self) -> Mapping[str, Row]:
        return {row.delta.id: row for row in self.rows}

    @cached_property
    def summary(self) -> Mapping[str, Json]:
        """Rows counted by verdict and by proof status, and whether anything breaks: true, false or "unknown".

        What nobody could read leaves a doubt, unless it is written alike on both sides.
        """
        verdicts = Counter(row.judgement.verdict for row in self.rows)
        proofs = Counter(row.proof.status for row in self.rows)
        unknown = verdicts[Verdict.UNKNOWN] or bool(doubtful(self.ledger))
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

    @cached_property
    def frame(self) -> DataFrame:
        """One row per delta, key `delta_id`; the columns of `ledger/columns.py` that ledger, rules and proof own."""
        from evreview.ledger.frame import ledger_frame

        return ledger_frame(row.delta for row in self.rows).assign(**_judged(self.rows))

    def to_dict(self) -> dict[str, Json]:
        """The JSON object of `evreview diff --format json`."""
        return {
            "schema": SCHEMA,
            "released": _contract(self.ledger.released),
            "candidate": _contract(self.ledger.candidate),
            "summary": dict(self.summary),
            "rows": [row.to_dict() for row in self.rows],
            "noise": [_noise(noise) for noise in self.noise],
            "unread": [{"place": str(row.place), "found": row.found, "advice": row.advice} for row in self.unread],
        }


@deep_stack()
def compare(released: Contract, candidate: Contract, *, witnesses: bool = True) -> Comparison:
    """Every difference of two contracts, judged.

    Rows whose value sets are proved equal become noise. A proof that contradicts its rule wins, and says so.
    Without witnesses, what containment leaves open rests on its rule and is unproven.
    """
    ledger = diff_contracts(released, candidate)
    prover = Prover(ledger, witnesses=witnesses)
    rows: list[Row] = []
    noise: list[Noise] = []
    safe: set[str] = set()
    for said in ledger.noise:
        if said.reason == RESPELLED and prover.differs(said.delta):
            rows.append(Row(said.delta, classify(said.delta), prover, unproven(MISREAD)))
        else:
            noise.append(said)
    for delta in ledger.deltas:
        finding = prover.finding(delta)
        if finding is Finding.SAFE:
            safe.add(delta.id)
        if finding is Finding.EQUAL:
            noise.append(Noise(delta=delta, reason=EQUIVALENT))
        else:
            rows.append(_row(delta, finding, prover))
    return Comparison(ledger=ledger, rows=_agreeing(rows, safe, prover), noise=tuple(noise), witnesses=witnesses)


def _agreeing(rows: list[Row], safe: set[str], prover: Prover) -> tuple[Row, ...]:
    """The rows; proofs that a value of the whole schema refutes are taken back."""
    doubted = prover.contradicted((row.delta, row.delta.id in safe) for row in rows)
    if not doubted:
        return tuple(rows)
    return tuple(
        Row(
            row.delta,
            _withheld(row.delta, row.judgement, f"{CONTRADICTED.capitalize()}."),
            prover,
            unproven(CONTRADICTED),
        )
        if row.delta.id in doubted
        else row
        for row in rows
    )


def _row(delta: Delta, finding: Finding, prover: Prover) -> Row:
    judgement = classify(delta)
    if finding is Finding.NOT_VALUES:
        above = prover.turning(delta).forbids(judgement.verdict)
        judgement = _withheld(delta, judgement, TURNED if turned_by_rule(delta, above=above) else "")
        return Row(delta, judgement, prover, None if judgement.verdict is Verdict.BREAKING else UNCOMPUTED)
    if finding is Finding.SAFE:
        return _overruled(delta, judgement, (Verdict.COMPATIBLE, prover.containment(delta)), prover)
    why = _undecided(delta, prover.doubt(delta)) or (AROUND if prover.closed(delta) else "")
    why = why or (TURNED if prover.turning(delta).forbids(judgement.verdict) else "")
    if judgement.verdict is Verdict.BREAKING and (not why or prover.refuted(delta)):
        return Row(delta, judgement, prover)
    proof = prover.deciding(delta)
    if proof.status is ProofStatus.WITNESSED:
        return _overruled(delta, judgement, (Verdict.BREAKING, proof), prover)
    if proof.reason == CUT_SHORT:
        why = why or "Containment decided nothing, and values were looked for only briefly: ask for witnesses."
    return Row(delta, _withheld(delta, judgement, why), prover, unproven(proof.reason))


def _undecided(delta: Delta, doubt: str) -> str:
    """Why nothing but a value or a containment may decide the row, "" when its rule may."""
    if doubt == UNREAD:
        return "A part of the schema could not be read: what it admits is not known."
    if doubt == TOO_DEEP:
        return f"{TOO_DEEP.capitalize()}."
    member = delta.element is ElementKind.PROPERTY and delta.facet == "" and delta.facts.get(facts.REQUIRED) is not True
    if doubt == NEIGHBOURS and member:
        return "The object describes members without a name, and comparing both descriptions decided nothing."
    if doubt == NEIGHBOURS and delta.facet == "prefixItems":
        return "What holds for the other items changes with the row, and comparing both arrays decided nothing."
    if delta.facet == "pattern" and isinstance(delta.released, str) and isinstance(delta.candidate, str):
        return "Whether one expression matches all that the other one matches could not be decided."
    if doubt == SELECTED and selects(delta):
        return "The branch has a discriminator of its own, and which value selects which schema is no set of values."
    if delta.facet == "patternProperties":
        return "Which members the expressions bind together could not be decided."
    return TURNED if turned(delta) else ""


def _withheld(delta: Delta, judgement: Judgement, why: str) -> Judgement:
    """The judgement of a rule that can't know, turned into openly unknown."""
    if not why or judgement.verdict is Verdict.UNKNOWN:
        return judgement
    accepts, emits = producer_answers(Verdict.UNKNOWN, direction(delta))
    return replace(
        judgement,
        verdict=Verdict.UNKNOWN,
        accepts_old_requests=accepts,
        emits_old_compatible=emits,
        why=f"{why} The rule by itself says {judgement.verdict.value}.",
    )


def _overruled(delta: Delta, judgement: Judgement, found: tuple[Verdict, Proof], prover: Prover) -> Row:
    """A row whose proof decides, whatever its rule says."""
    verdict, proof = found
    if judgement.verdict is verdict:
        return Row(delta, judgement, prover, proof)
    accepts, emits = producer_answers(verdict, direction(delta))
    why = f"{judgement.why} The proof overrules this: {proof.reason}."
    changed = replace(judgement, verdict=verdict, accepts_old_requests=accepts, emits_old_compatible=emits, why=why)
    return Row(delta, changed, prover, agreeing(proof, judgement.verdict.value))


def _judged(rows: tuple[Row, ...]) -> dict[str, Series]:
    """The columns that rules and proofs own, in the order of `columns.py`."""
    import pandas as pd

    cells = [
        (
            row.judgement.rule or "",
            row.judgement.verdict.value,
            row.judgement.accepts_old_requests.value,
            row.judgement.emits_old_compatible.value,
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
    from evreview.ledger.frame import text_of

    witness = proof.witness if isinstance(proof.witness, Mapping) else {}
    shown: Json = next((witness[name] for name in ("message", "value") if name in witness), witness)
    text = text_of(shown) if witness else ""
    return proof.reason, text, *(str(witness.get(name) or "") for name in ("accepted_by", "refused_by")), proof.command


def _contract(contract: Contract) -> dict[str, Json]:
    return {
        "path": contract.path,
        "kind": contract.kind.value,
        "version": contract.version,
        "sha256": contract.sha256,
    }


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
        "reason": noise.reason,
        "locations": _locations(delta),
    }


def _locations(delta: Delta) -> dict[str, Json]:
    return {"released": _place(delta.released_place), "candidate": _place(delta.candidate_place)}


def _place(place: Place | None) -> str:
    return "" if place is None else str(place)


def _form(form: Form) -> Json:
    return form.value if isinstance(form, Missing) else form
