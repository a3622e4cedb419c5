"""What one row says about values, cut out of everything around it: two small schemas that differ by this row alone.

Whatever else the position demands holds on both sides alike, so containment of the small schemas is containment of the
whole ones. Members that an open object does not declare count as not sent; an explicit change of the content model is a
row of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.ledger import Ledger
from evreview.comparison.proof.monotonicity import MonotonicityFinder
from evreview.comparison.proof.outcome import Doubt, ProofReason
from evreview.comparison.proof.position import Pair, RowPositions, UsagePaths, field_name
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Absent, Change, DeltaId, Direction, Form, Json
from evreview.schema.evaluator import At, Violation
from evreview.schema.reader import BOUNDS
from evreview.schema.subsumption.relation import knows_format
from evreview.schema.subsumption.result import UndecidedReason
from evreview.schema.view import Sub

SCALARS: Final = frozenset(
    {
        "minLength",
        "maxLength",
        "pattern",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "minProperties",
        "maxProperties",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
    }
)
NARROWING: Final = frozenset(
    {
        "allOf",
        "not",
        "contains",
        "prefixItems",
        "patternProperties",
        "propertyNames",
        "dependentSchemas",
        "dependentRequired",
    }
)
"""Keywords whose presence only ever refuses values."""
OPENNESS: Final = frozenset({"additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items"})
EVERYTHING: Final = frozenset({"", ".*", ".*?", "^", "$", "^.*", ".*$"})
"""Patterns that match every string, because a pattern may match anywhere."""


@frozen(kw_only=True)
class Claim:
    """The two small schemas of a row.

    Attributes:
        released, candidate: differ by the row alone.
        exact: False when they only say which one is wider, so that equality of the whole is still possible.
        reason: why nothing can be said, `NONE` when the schemas can be compared.
    """

    released: Json = True
    candidate: Json = True
    exact: bool = True
    reason: Doubt = ProofReason.NONE


def claim_of(delta: Delta) -> Claim | None:
    """The claim of a row about values, None for a row about anything else."""
    if delta.direction is None or delta.facts.get(comparison_delta.WITHOUT_EFFECT) is True:
        return None
    if delta.element is ElementKind.PROPERTY:
        return _member(delta) if delta.facet in ("", "required") else None
    if delta.element is not ElementKind.SCHEMA:
        return None
    made = _MAKERS.get(delta.facet)
    return made(delta) if made is not None else None


def _scalar(delta: Delta) -> Claim:
    return Claim(released=_keyword(delta.facet, delta.released), candidate=_keyword(delta.facet, delta.candidate))


def _contained(delta: Delta) -> Claim:
    """How many items match matters only beside what they have to match; any schema stands for it."""
    matched: dict[str, Json] = {"type": "array", "contains": {"type": "integer"}}
    released, candidate = _keyword(delta.facet, delta.released), _keyword(delta.facet, delta.candidate)
    return Claim(released={**matched, **released}, candidate={**matched, **candidate})


def _keyword(facet: str, form: Form) -> dict[str, Json]:
    if isinstance(form, Absent) or (facet == "pattern" and isinstance(form, str) and form in EVERYTHING):
        return {}
    if isinstance(form, (dict, Mapping)):
        return {"exclusive" + facet[0].upper() + facet[1:]: form.get("exclusive")}
    return {facet: form}


def _type(delta: Delta) -> Claim:
    return Claim(released=_keyword("type", delta.released), candidate=_keyword("type", delta.candidate))


def _null(delta: Delta) -> Claim:
    without: Json = {"not": {"type": "null"}}
    return Claim(
        released={} if delta.released is True else without, candidate={} if delta.candidate is True else without
    )


def _enum(delta: Delta) -> Claim | None:
    if delta.facts.get(comparison_delta.EXTENSIBLE) is True and delta.direction is Direction.WRITTEN:
        # The released contract says that the list may grow: the values it names are not the values it admits.
        return None
    released = delta.released if isinstance(delta.released, list) else None
    candidate = delta.candidate if isinstance(delta.candidate, list) else None
    if released is None or candidate is None:
        return Claim(released=_values(released), candidate=_values(candidate))
    if delta.change is Change.ADDED:
        return Claim(
            released=_values(released), candidate=_values([*released, *_listed(delta, comparison_delta.ADDED_VALUES)])
        )
    gone = _listed(delta, comparison_delta.REMOVED_VALUES)
    return Claim(released=_values(released), candidate=_values([value for value in released if value not in gone]))


def _values(values: list[Json] | None) -> Json:
    return {} if values is None else {"enum": values} if values else False


def _listed(delta: Delta, key: str) -> list[Json]:
    found = delta.facts.get(key)
    return list(found) if isinstance(found, list) else []


def _format(delta: Delta) -> Claim:
    if not all(
        isinstance(form, Absent) or knows_format(form) or (isinstance(form, str) and form in BOUNDS)
        for form in (delta.released, delta.candidate)
    ):
        return Claim(reason=ProofReason.UNKNOWN_FORMAT, exact=False)
    return Claim(released=_formatted(delta.released), candidate=_formatted(delta.candidate))


def _formatted(form: Form) -> Json:
    if isinstance(form, Absent):
        return {}
    if isinstance(form, str) and form in BOUNDS:
        return {"minimum": BOUNDS[form][0], "maximum": BOUNDS[form][1]}
    return {"format": form}


def _narrowing(delta: Delta) -> Claim | None:
    if delta.change is Change.CHANGED:
        return Claim(reason=ProofReason.REPHRASED, exact=False)
    added = delta.change is Change.ADDED
    return Claim(released=added, candidate=not added, exact=False)


def _alternatives(delta: Delta) -> Claim | None:
    """A branch of anyOf more is wider; the list as a whole, set or dropped, narrows or widens."""
    whole = isinstance(delta.released, list) or isinstance(delta.candidate, list)
    if delta.change is Change.CHANGED:
        return Claim(reason=ProofReason.REPHRASED, exact=False)
    wider = (delta.change is Change.ADDED) != whole
    return Claim(released=not wider, candidate=wider, exact=False)


def _undecided(delta: Delta) -> Claim:
    return Claim(reason=ProofReason.REPHRASED, exact=False)


def _selecting(delta: Delta) -> Claim:
    return Claim(reason=ProofReason.SELECTING, exact=False)


def _unread(delta: Delta) -> Claim:
    """A reference has a row of its own only where it leads nowhere."""
    return Claim(reason=UndecidedReason.GAP, exact=False)


def _open(delta: Delta) -> Claim:
    if delta.candidate is True or delta.released is False:
        return Claim(released=False, candidate=True, exact=False)
    if delta.released is True or delta.candidate is False:
        return Claim(released=True, candidate=False, exact=False)
    return Claim(reason=ProofReason.REPHRASED, exact=False)


def _member(delta: Delta) -> Claim | None:
    name = field_name(delta)
    if name is None:
        return None
    owed: Json = {"required": [name]}
    absent: Json = {"properties": {name: False}}
    if delta.facet == "required":
        if _never_owed(delta):
            return Claim(released={}, candidate={})
        return Claim(released=owed if delta.released is True else {}, candidate=owed if delta.candidate is True else {})
    required = delta.facts.get(comparison_delta.REQUIRED) is True and not _never_owed(delta)
    declared: Json = owed if required else {}
    if delta.change is Change.ADDED:
        if delta.direction is Direction.READ:
            return Claim(released=absent, candidate=declared, exact=False)
        closed = delta.facts.get(comparison_delta.RELEASED_CLOSED) is True
        return Claim(
            released=absent if closed else {}, candidate={"required": [name]} if closed else declared, exact=False
        )
    if delta.direction is Direction.READ:
        closed = delta.facts.get(comparison_delta.CANDIDATE_CLOSED) is True
        return Claim(
            released={"required": [name]} if closed else declared, candidate=absent if closed else {}, exact=False
        )
    return Claim(released=declared, candidate=absent, exact=False)


def _never_owed(delta: Delta) -> bool:
    mark = comparison_delta.READ_ONLY if delta.direction is Direction.READ else comparison_delta.WRITE_ONLY
    return delta.facts.get(mark) is True


_MAKERS: Final[Mapping[str, Callable[[Delta], Claim | None]]] = {
    **dict.fromkeys(SCALARS, _scalar),
    **dict.fromkeys(("minContains", "maxContains"), _contained),
    **dict.fromkeys(NARROWING, _narrowing),
    **dict.fromkeys(OPENNESS, _open),
    **dict.fromkeys(("oneOf", "if", "schema"), _undecided),
    "discriminator": _selecting,
    **dict.fromkeys(("$ref", "$dynamicRef", "$recursiveRef"), _unread),
    "anyOf": _alternatives,
    "type": _type,
    "nullable": _null,
    "enum": _enum,
    "format": _format,
}


# The rows of one comparison that say something about values: what each says, and the nodes it stands in.


class Questions:
    """What containment and the search for witnesses both start from.

    Attributes:
        positions: finds the nodes of rows in both contracts.
        deltas: every row, in the ledger's order.
        claims: what a row about values says, by id.
        nodes: the nodes that such a row stands in, None when a place is missing.
        usage_paths: the uses of a row on both sides.
        standings: whether the whole grows with a row, and what has to be compared above it where it does not.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.positions = RowPositions(ledger.released, ledger.candidate)
        self.usage_paths = UsagePaths(ledger)
        self.standings = MonotonicityFinder(self.usage_paths, self.positions.edges)
        self.deltas = ledger.deltas
        self.claims: dict[DeltaId, Claim] = {}
        self.nodes: dict[DeltaId, Pair | None] = {}
        for delta in self.deltas:
            claim = claim_of(delta)
            if claim is not None:
                self.claims[delta.id] = claim
                self.nodes[delta.id] = self.positions.nodes(delta)


# Schemas with so many branches that comparing them once for each of their rows would take as good as for ever.


_NARROW: Final = 100
"""Branches that every row may be held against."""
_MOST: Final = 8_000_000
"""How many pairs of branches the rows of wider schemas may ask about in one comparison: 200 rows of 200 branches."""
_COMPOSED: Final = ("allOf", "anyOf", "oneOf")


class Breadth:
    """Counts what the rows of wide schemas cost, in their order."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._left = _MOST
        self._known: dict[DeltaId, bool] = {}
        self._widths: dict[int, int] = {}

    def exceeded(self, delta: Delta) -> bool:
        """True for a row about values of a wide schema for which nothing is left."""
        if delta.id not in self._known:
            pairs = self._questions.usage_paths.pairs(delta) if delta.id in self._questions.claims else ()
            width = max(map(self._width, pairs), default=0)
            cost = width * width if width > _NARROW else 0
            self._known[delta.id] = cost > self._left
            self._left -= 0 if self._known[delta.id] else cost
        return self._known[delta.id]

    def _width(self, pair: SchemaPair) -> int:
        if id(pair) not in self._widths:
            self._widths[id(pair)] = max(_branches(pair.released), _branches(pair.candidate))
        return self._widths[id(pair)]


def _branches(sub: Sub) -> int:
    nodes = [part.node for part in sub.parts if isinstance(part.node, dict)]
    listed = [node.get(keyword) for node in nodes for keyword in _COMPOSED]
    return sum(len(branches) for branches in listed if isinstance(branches, list))


# Members that nobody sends: an object that declares members carries none that only the expecting side declares.


def refused_of(strays: Iterable[At], broken: Collection[Violation]) -> frozenset[At]:
    """Those of some members whose own values are refused, in some branch at least."""
    return frozenset(usage_path for usage_path in strays if any(_inside(usage_path, one) for one in broken))


def _inside(usage_path: At, violation: Violation) -> bool:
    below = violation.at[: len(usage_path)] == usage_path
    return below or any(_inside(usage_path, one) for branch in violation.branches for one in branch)


def without(value: Json, usage_paths: Collection[At]) -> Json:
    """The value without some members, each by the way to it."""
    if isinstance(value, list):
        return [without(item, _below(usage_paths, at)) for at, item in enumerate(value)]
    if isinstance(value, dict):
        return {
            name: without(member, _below(usage_paths, name))
            for name, member in value.items()
            if (name,) not in usage_paths
        }
    return value


def _below(usage_paths: Collection[At], step: str | int) -> frozenset[At]:
    return frozenset(usage_path[1:] for usage_path in usage_paths if len(usage_path) > 1 and usage_path[0] == step)
