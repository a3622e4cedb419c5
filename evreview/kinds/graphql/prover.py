"""Proofs of GraphQL rows: documents that only the released schema takes, responses that only the candidate may send."""

from __future__ import annotations

import json
from typing import Any, Final

from graphql import (
    GraphQLNonNull,
    GraphQLScalarType,
    GraphQLSchema,
    Undefined,
    get_named_type,
    is_interface_type,
    is_leaf_type,
)
from graphql.utilities import coerce_input_literal

from evreview.comparison.delta import Delta
from evreview.comparison.kind_spec import Decision, WitnessJudgement
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.outcome import UNCOMPUTED, Proof, ProofReason, replay_command, unproven
from evreview.comparison.rules.variance import producer_answers
from evreview.contract.model import Contract, ElementKind
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import (
    Aspect,
    Change,
    DeltaId,
    Direction,
    Json,
    ProofMethod,
    ProofStatus,
    Tristate,
    Verdict,
)
from evreview.kinds.graphql import SPEC
from evreview.kinds.graphql.judge import GraphqlMessage, from_json, refusals, told
from evreview.kinds.graphql.reader import SCALARS, schema_of
from evreview.kinds.graphql.trial_documents import Rows, among, spot_of

ALIASED: Final = (
    "a document that gives it one alias with another type's field of the old type is refused; the row is judged by "
    "documents without such aliases"
)
UNREACHED: Final = "no operation of the released schema reaches it, so no document and no response holds it"
INVALID: Final = "one of the schemas is not valid, so no document is valid against it"
NO_MESSAGE: Final = "the rule speaks: no document that was tried shows the difference"
CONTAINED: Final = Proof(
    status=ProofStatus.PROVED,
    method=ProofMethod.CONTAINMENT,
    witness={},
    command="",
    reason="whatever one side sends there is what the other one allows",
)
_CONTAINED: Final = frozenset(
    {"graphql-output-became-non-null", "graphql-input-became-nullable", "graphql-input-enum-value-added"}
    | {"graphql-output-enum-value-removed", "graphql-one-of-dropped"}
)
"""Rules about sets of values, one of which holds the other."""


class GraphqlProver:
    """Decides the rows that both schemas decide, and looks for messages that show the others.

    Args:
        ledger: the rows and both contracts.
        witnesses: False to look for messages only where a verdict rests on one.
    """

    def __init__(self, ledger: Ledger, *, witnesses: bool) -> None:
        self._ledger, self._asked = ledger, witnesses
        self._rows = _rows_of(ledger)
        self._proofs: dict[DeltaId, Proof] = {}

    @deep_stack()
    def decision(self, delta: Delta) -> Decision | None:
        """What the schemas themselves say of the row."""
        if self._rows is None or delta.facet in ("directives", "specifiedBy"):
            return None
        if not delta.operations and delta.element is not ElementKind.DIRECTIVE and "directive " not in delta.address:
            return _compatible(delta, _proved(UNREACHED))
        if _may_come(delta):
            return self._added(delta, self._rows) or self._untold(delta, self._rows)
        if delta.element is ElementKind.ENUM_VALUE and delta.change is Change.REMOVED and delta.direction is None:
            sent = self._rows.ways.is_sent(spot_of(delta).owner)
            return None if sent else _compatible(delta, _proved("no document of the released schema can send it"))
        if delta.element is ElementKind.TYPE and delta.change is Change.REMOVED and self._unnamed(delta, self._rows):
            return _compatible(delta, _proved("no document can name a scalar or enum that only responses hold"))
        if delta.facet == "default" and delta.change is Change.ADDED and self._demanded(delta, self._rows):
            return _compatible(delta, _proved("the released schema demands a value, so no old document leaves it out"))
        if delta.facet == "default" and _is_never_read(self._rows, delta):
            return _compatible(
                delta, _proved("the default of the object's own field is read, never that of an interface")
            )
        if delta.facet == "default" and _means_the_same(self._rows, delta):
            return _compatible(delta, _proved("both defaults are one value of the type"))
        if SPEC.classify(delta).rule == "graphql-output-type-changed":
            return self._result(delta, self._rows)
        return self._contained(delta, self._rows) or self._untold(delta, self._rows)

    def _result(self, delta: Delta, rows: Rows) -> Decision | None:
        """For another type of what comes: among the values of the old one, unknown, or what its rule says."""
        old, new = (_declared(schema, delta) for schema in (rows.released, rows.candidate))
        if old is None or new is None or not among(rows.released, rows.candidate, old.type, new.type):
            return self._untold(delta, rows)
        return _compatible(delta, CONTAINED) if self._searched(delta, rows) is None else None

    def _untold(self, delta: Delta, rows: Rows) -> Decision | None:
        """Unknown, where it rests on the values of a scalar that the schema does not tell."""
        scalar = self._scalar(delta, rows)
        if (
            not scalar
            or SPEC.classify(delta).verdict is not Verdict.BREAKING
            or self._searched(delta, rows) is not None
        ):
            return None
        accepts, emits = producer_answers(Verdict.UNKNOWN, delta.direction)
        found = unproven(f"the schema does not tell which values its scalar {scalar} has")
        return Decision(accepts_old_requests=accepts, emits_old_compatible=emits, proof=found)

    def proof(self, delta: Delta) -> Proof:
        """A message that shows the row, or why there is none."""
        if SPEC.classify(delta).verdict is not Verdict.BREAKING:
            return UNCOMPUTED
        if self._rows is None:
            return unproven(INVALID)
        if not self._asked:
            return unproven(ProofReason.NOT_ASKED)
        if delta.id not in self._proofs:
            found = self._searched(delta, self._rows)
            self._proofs[delta.id] = found or unproven(NO_MESSAGE)
        return self._proofs[delta.id]

    @deep_stack()
    def _searched(self, delta: Delta, rows: Rows) -> Proof | None:
        """The first message against which nothing but the row stands, else the first that shows it at all."""
        others: Proof | None = None
        for message in rows.messages(delta):
            alone, found = self._witness(delta, message, rows)
            if alone and found is not None:
                return found
            others = others or found
        return others

    def _witness(self, delta: Delta, message: GraphqlMessage, rows: Rows) -> tuple[bool, Proof | None]:
        """The proof by a message, None when it shows nothing; and whether nothing else stands against the message."""
        sides = {"released": rows.released, "candidate": rows.candidate}
        accepting, refusing = ("released", "candidate") if message.response is None else ("candidate", "released")
        if refusals(sides[accepting], message):
            return False, None
        broken = refusals(sides[refusing], message)
        if not broken:
            return False, None
        around = GraphqlMessage(document=message.around)
        alone = len(broken) == 1 and not (message.around and refusals(sides[refusing], around))
        witness: dict[str, Json] = {"message": message.to_json(), "accepted_by": accepting, "refused_by": refusing}
        witness |= {name: told(side, message).says for name, side in sides.items()}
        others = "" if alone else ", for more reasons than this row"
        return alone, Proof(
            status=ProofStatus.WITNESSED,
            method=ProofMethod.VALIDATION,
            witness=witness,
            command=replay_command([self._ledger.released.path, self._ledger.candidate.path], delta.id),
            reason=f"{_what(message)} that the {accepting} schema admits and the {refusing} schema excludes{others}",
        )

    def _added(self, delta: Delta, rows: Rows) -> Decision | None:
        """For what may come in responses from now on: a response with it, or that no response can hold it."""
        found = self._searched(delta, rows)
        if found is not None:
            accepts = Tristate.YES if delta.direction is None else Tristate.NOT_APPLICABLE
            return Decision(accepts_old_requests=accepts, emits_old_compatible=Tristate.NO, proof=found)
        if any(True for _ in rows.messages(delta)) or delta.element is ElementKind.TYPE:
            return None
        return _compatible(delta, _proved("no response to a document of the released schema can hold it"))

    def _scalar(self, delta: Delta, rows: Rows) -> str:
        """The scalar of the schema's own that a row about values is about, "" for none."""
        about_values = delta.facet in ("type", "kind") or delta.element is ElementKind.ENUM_VALUE
        for schema in (rows.released, rows.candidate) if about_values else ():
            declared = _declared(schema, delta)
            kind = schema.type_map.get(spot_of(delta).owner) if declared is None else get_named_type(declared.type)
            if isinstance(kind, GraphQLScalarType) and kind.name not in SCALARS:
                return kind.name
        return ""

    def _unnamed(self, delta: Delta, rows: Rows) -> bool:
        leaf = is_leaf_type(rows.released.type_map.get(spot_of(delta).owner))
        return leaf and delta.facet == "" and delta.direction is Direction.WRITTEN

    def _demanded(self, delta: Delta, rows: Rows) -> bool:
        declared = _declared(rows.released, delta)
        return declared is not None and isinstance(declared.type, GraphQLNonNull)

    def _contained(self, delta: Delta, rows: Rows) -> Decision | None:
        if SPEC.classify(delta).rule not in _CONTAINED:
            return None
        if delta.aspect is Aspect.NULLABILITY:
            old, new = (_declared(schema, delta) for schema in (rows.released, rows.candidate))
            if old is None or new is None or str(old.type).replace("!", "") != str(new.type).replace("!", ""):
                return None
            if delta.direction is Direction.WRITTEN:
                return self._merged(delta, rows)
        return _compatible(delta, CONTAINED)

    def _merged(self, delta: Delta, rows: Rows) -> Decision:
        """For what is never null now: a document that merges it with a field of another type, else nothing breaks."""
        spot = spot_of(delta)
        for message in () if spot.word else rows.merged(spot, renamed=False):
            _, found = self._witness(delta, message, rows)
            if found is not None:
                return Decision(accepts_old_requests=Tristate.NO, emits_old_compatible=Tristate.YES, proof=found)
        aliased = () if spot.word else rows.merged(spot, renamed=True)
        if any(self._witness(delta, message, rows)[1] is not None for message in aliased):
            return _compatible(delta, unproven(ALIASED))
        return _compatible(delta, CONTAINED)


def _rows_of(ledger: Ledger) -> Rows | None:
    """The finder of messages, None when one of the schemas has no documents."""
    texts = [{name: str(text) for name, text in side.documents.items()} for side in (ledger.released, ledger.candidate)]
    try:
        released, candidate = (schema_of(text) for text in texts)
    except TypeError:
        return None
    return None if released.query_type is None else Rows(released, candidate)


def _may_come(delta: Delta) -> bool:
    """True for what responses may hold from now on."""
    if delta.change is not Change.ADDED or delta.facet:
        return False
    if delta.element is ElementKind.ENUM_VALUE:
        return delta.direction is not Direction.READ
    return delta.element in (ElementKind.MEMBER, ElementKind.TYPE)


def _declared(schema: GraphQLSchema, delta: Delta) -> Any:
    """The field, argument or input field of a row in one schema."""
    spot = spot_of(delta)
    root = getattr(schema, f"{spot.word}_type") if spot.word else None
    owner = root.name if root is not None else spot.owner
    field = getattr(schema.type_map.get(owner), "fields", {}).get(spot.field)
    return field.args.get(spot.name) if field is not None and spot.name else field


def _is_never_read(rows: Rows, delta: Delta) -> bool:
    """True for the default of an interface's argument that nothing demands a value for (GraphQL, section 6.4.1)."""
    owner, name = spot_of(delta).owner, spot_of(delta).name
    declared = [_declared(schema, delta) for schema in (rows.released, rows.candidate)]
    held = all(is_interface_type(schema.type_map.get(owner)) for schema in (rows.released, rows.candidate))
    return bool(name) and held and not any(each is None or isinstance(each.type, GraphQLNonNull) for each in declared)


def _means_the_same(rows: Rows, delta: Delta) -> bool:
    """True when two defaults are coerced to one value, however they are written."""
    declared = [_declared(schema, delta) for schema in (rows.released, rows.candidate)]
    nodes: list[Any] = [getattr(getattr(each, "ast_node", None), "default_value", None) for each in declared]
    if None in nodes or str(declared[0].type).replace("!", "") != str(declared[1].type).replace("!", ""):
        return False
    read = [coerce_input_literal(node, each.type) for node, each in zip(nodes, declared, strict=True)]
    if Undefined in read:
        return False
    old, new = (json.dumps(value, sort_keys=True) for value in read)
    return old == new


def _proved(reason: str) -> Proof:
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.CONTAINMENT, witness={}, command="", reason=reason)


def _compatible(delta: Delta, proof: Proof) -> Decision:
    accepts, emits = producer_answers(Verdict.COMPATIBLE, delta.direction)
    return Decision(accepts_old_requests=accepts, emits_old_compatible=emits, proof=proof)


def _what(message: GraphqlMessage) -> str:
    if message.reads:
        return "the meaning of a document that leaves a value out,"
    return "a document" if message.response is None else "a response"


def replay(released: Contract, candidate: Contract, witness: Json) -> tuple[WitnessJudgement, WitnessJudgement]:
    """What both schemas say of a retained witness; see `Replaying`.

    Raises:
        ValueError: it is no witness of GraphQL.
    """
    message = from_json(witness.get("message") if isinstance(witness, dict) else None)
    sides = []
    for contract in (released, candidate):
        try:
            schema = schema_of({name: str(text) for name, text in contract.documents.items()})
        except TypeError as error:
            sides.append(WitnessJudgement(accepted=Tristate.UNKNOWN, says=f"the schema is not valid: {error}"))
        else:
            sides.append(told(schema, message))
    return sides[0], sides[1]
