"""What stands around a row's value: every schema in place that looks at it, in branches beside the row's own too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.proof.child_edges import ChildEdges
from evreview.comparison.proof.claim import Questions
from evreview.comparison.proof.position import (
    Leg,
    Pair,
    RowPositions,
    UsagePath,
    UsagePaths,
    ValueSide,
    addressed_name,
    carries,
    direction_of,
    field_name,
    slot_of,
)
from evreview.comparison.proof.value_sets import Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import ElementKind, Place, SchemaDialect, ValueSet
from evreview.core.frozen import frozen
from evreview.core.json_text import sorted_text
from evreview.core.vocabulary import ABSENT, Change, Direction, Json, Tristate
from evreview.schema.evaluator import Trace, Violation
from evreview.schema.reader import UNEVALUATED
from evreview.schema.subsumption.relation import StatedSchemas
from evreview.schema.to_json_schema import gaps
from evreview.schema.view import Branch, Sub, branch_of

# What schemas above a position say of it aside, over all of its uses at once; found once for a direction.
#
# Uses are walked one by one only as far as there are few; this says whether one of the others might declare more.


LOOKING: Final = frozenset(
    {"contains", "anyOf", "oneOf", "allOf", "if", "not", "dependentSchemas", "dependencies", "$ref"}
)
"""Keywords by which a schema may look at members beside the one that describes them."""
_ASIDE: Final = LOOKING | {"patternProperties"}
_NOTHING: Final[StatedSchemas] = frozenset()


class CarriedDeclarations:
    """Carries what is said aside down the ledger's pair graph."""

    def __init__(self, usage_paths: UsagePaths, sets: Sets) -> None:
        self._usage_paths = usage_paths
        self._sets = sets
        self._told: dict[Direction, Mapping[int, StatedSchemas]] = {}

    def tells(self, pairs: Iterable[SchemaPair], direction: Direction, name: str | None) -> bool:
        """True when a use of a position may declare a member of a name beside it; without a name, any member."""
        if direction not in self._told:
            self._told[direction] = self._found(direction)
        told = _NOTHING.union(*(self._told[direction].get(id(pair), _NOTHING) for pair in pairs))
        return bool(told) and (name is None or self._sets.told(told, direction, name))

    def _found(self, direction: Direction) -> Mapping[int, StatedSchemas]:
        waiting = [root.pair for root in self._usage_paths.roots if root.position.released.direction is direction]
        found: dict[int, StatedSchemas] = {id(pair): _NOTHING for pair in waiting}
        while waiting:
            pair = waiting.pop()
            above = found[id(pair)]
            plain = not above and not any(sub.writes(_ASIDE) for sub in (pair.released, pair.candidate))
            for link in pair.links:
                below = link.target
                told = _NOTHING if plain else self._below(pair, above, (slot_of(link), below), direction)
                known = found.get(id(below))
                if known is None or not told <= known:
                    found[id(below)] = told if known is None else known | told
                    waiting.append(below)
        return found

    def _below(
        self, pair: SchemaPair, told: StatedSchemas, to: tuple[tuple[str, str] | None, SchemaPair], direction: Direction
    ) -> StatedSchemas:
        slot, target = to
        own, under = (self._sets.of_subs((each.released, each.candidate), direction) for each in (pair, target))
        return self._sets.carried((own, told), direction, slot, under)


# Schemas that close from outside: `unevaluated*` in place around a row, which refuses what nobody names beside it.


WHY: Final = "A schema around the row judges what is left unevaluated, and comparing the whole decided nothing."
_NAMING: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "items"}
    | {"contains", "allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "schema", "$ref"}
)
"""The rows that change which members and items a schema names."""
_ALL: Final = UNEVALUATED | {"additionalProperties", "items", "additionalItems"}
"""The keywords that evaluate whatever is left, even where they admit all of it."""
_IN_PLACE: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_JUDGING: Final = frozenset(
    {SchemaDialect.OPENAPI_3_1, SchemaDialect.DRAFT_2019_09, SchemaDialect.DRAFT_2020_12, SchemaDialect.ANY_DRAFT}
)
"""The versions of schemas that know such a keyword."""
_BRANCHES: Final = frozenset({"allOf", "anyOf", "oneOf", "if", "dependentSchemas", "contains"})
"""The rows that the schema of their own node may stand around: what a branch names, or what `contains` matches."""


def closing(delta: Delta, subs: Sequence[Sub]) -> frozenset[Place]:
    """The schemas around a row that refuse members or items which the row begins or ceases to name.

    Args:
        subs: the schemas that judge its value, outermost first, that of its own node last.
    """
    names = delta.facet == "" if delta.element is ElementKind.PROPERTY else delta.facet in _NAMING
    parts = [part for sub in (subs if branching(delta) else subs[:-1]) for part in sub.parts] if names else []
    return frozenset(
        part.place for part in parts if isinstance(part.node, (dict, Mapping)) and UNEVALUATED & part.node.keys()
    )


def branching(delta: Delta) -> bool:
    """True for a row about branches of a node, which decide what the node itself leaves unevaluated."""
    return delta.element is not ElementKind.PROPERTY and delta.facet in _BRANCHES


def judges(*nodes: Json) -> bool:
    """True when one of some nodes, or a branch written in it, says what holds of all that is left unevaluated."""
    return any(not UNEVALUATED.isdisjoint(node) for node in in_place(*nodes))


def evaluate_otherwise(released: ValueSet, candidate: ValueSet) -> bool:
    """True for two nodes that may leave different members or items to a schema around them that judges the rest.

    Only one of them, or of the branches written in them, looks at all that it does not name, or a condition without
    consequence, which still looks, differs.
    """
    if not {released.dialect, candidate.dialect} <= _JUDGING:
        return False
    old, new = (sorted(filter(None, map(_evaluated, in_place(value.node)))) for value in (released, candidate))
    return old != new


def _evaluated(node: Mapping[str, Json]) -> str:
    """What a node by itself evaluates beyond names, as a text."""
    lone = None if "then" in node or "else" in node else node.get("if")
    return sorted_text([sorted(_ALL & node.keys()), lone]) if lone is not None or not _ALL.isdisjoint(node) else ""


def in_place(*nodes: Json) -> Iterator[Mapping[str, Json]]:
    """The nodes and the branches that are written in them."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if not isinstance(node, (dict, Mapping)):
            continue
        yield node
        for keyword in _IN_PLACE & node.keys():
            below = node[keyword]
            waiting += below if isinstance(below, list) else [below]


_USAGE_PATHS: Final = 16
_RESTRICTING: Final = frozenset({"allOf", "not", "if", "propertyNames", "maxProperties", "contains", "maxItems"})

_MATCHING: Final = frozenset({"contains"})


@frozen
class EnclosingApplicators:
    """The schemas around a row that may declare a member which its own branch does not.

    Attributes:
        pairs: the outermost pairs at which other schemas may look at the row's value, or at a value around it.
        unclear: whether a use that was not looked at may be one below such a pair.
    """

    pairs: tuple[SchemaPair, ...]
    unclear: bool


def enclosing_applicators(
    delta: Delta, direction: Direction, questions: Questions, carried_declarations: CarriedDeclarations, sets: Sets
) -> EnclosingApplicators:
    """What may declare members beside a row: declared is what any branch of the sender mentions."""
    found: dict[int, SchemaPair] = {}
    skipped: list[SchemaPair] = []
    usage_paths = list(islice(questions.usage_paths.to(delta, skipped), _USAGE_PATHS))
    for usage_path in usage_paths:
        top = top_beside(usage_path, delta, direction, sets)
        if top is not None:
            found[id(top)] = top
    many = bool(skipped) or len(usage_paths) == _USAGE_PATHS
    return EnclosingApplicators(
        tuple(found.values()),
        many and carried_declarations.tells(questions.usage_paths.pairs(delta), direction, _named(delta)),
    )


def _named(delta: Delta) -> str | None:
    return field_name(delta) if delta.facet == "" else None


def top_beside(usage_path: UsagePath, delta: Delta, direction: Direction, sets: Sets) -> SchemaPair | None:
    """The outermost pair of a use that may declare members beside a row, None for a use without one."""
    first = next((at for at, leg in enumerate(usage_path.legs) if _branches(leg)), None)
    if first is None:
        return None
    below = UsagePath(usage_path.root, usage_path.legs[first:], usage_path.pair)
    return below.legs[0][0] if _may_declare(below, _named(delta), direction, sets) else None


def _may_declare(usage_path: UsagePath, name: str | None, direction: Direction, sets: Sets) -> bool:
    """True when the top of a way may declare a member of the row's value; without a name any member counts."""
    slots = [slot for _, link in usage_path.legs if (slot := slot_of(link)) is not None]
    top, own = (
        sets.of_subs((pair.released, pair.candidate), direction) for pair in (usage_path.legs[0][0], usage_path.pair)
    )
    if name is not None:
        return sets.mentions(top, direction, slots, name)
    return _parts(usage_path.legs[0]) or sets.described(top, direction, slots, own)


def _branches(leg: Leg) -> bool:
    """True for a step beside which other schemas may look at the same value: into a branch, or past branches."""
    return _parts(leg) or any(sub.writes(LOOKING) for sub in (leg[0].released, leg[0].candidate))


def _parts(leg: Leg) -> bool:
    """True for a step that stays at the same value, or at an item that another schema may match."""
    pair, link = leg
    return slot_of(link) is None or any(sub.writes(_MATCHING) for sub in (pair.released, pair.candidate))


def rewritten(delta: Delta, usage_paths: UsagePaths) -> bool:
    """True for a branch that went where another one came, or the other way round."""
    rows = (row for pair in usage_paths.pairs(delta) for row in pair.differences if row.facet == delta.facet)
    return len({row.released is ABSENT for row in rows if not row.reason}) > 1


def enclosing(delta: Delta, usage_paths: UsagePaths, contained: Callable[[SchemaPair], bool]) -> tuple[SchemaPair, ...]:
    """Conjunctions that are contained as a whole and that every use of a row passes; none when a use passes no such.

    What stands beside the row's own branch may rule out all that the row changes.
    """
    waiting, found = list(usage_paths.pairs(delta)), dict[int, SchemaPair]()
    seen, asked = {id(pair) for pair in waiting}, 0
    while waiting:
        pair = waiting.pop()
        if any(carries(root, delta) for root in usage_paths.tops.get(id(pair), ())):
            return ()
        for above, link in usage_paths.users.get(id(pair), ()):
            if above.selects or asked > _USAGE_PATHS:
                return ()
            if id(above) in seen:
                continue
            seen.add(id(above))
            conjunct = slot_of(link) is None and branch_of(link.step) not in (Branch.ANY_OF, Branch.ONE_OF)
            beside = conjunct or any(map(_restricts, (above.released, above.candidate)))
            asked += beside
            if beside and contained(above):
                found[id(above)] = above
            else:
                waiting.append(above)
    return tuple(found.values())


def _restricts(sub: Sub) -> bool:
    """True for a schema that may refuse a member for what it is beside its own description, or in some branch."""
    if len(sub.parts) > 1 or sub.writes(_RESTRICTING) or _is_unmeetable(sub):
        return True
    return any("maxItems" in node for node in in_place(*(part.node for part in sub.parts)))


def _is_unmeetable(sub: Sub) -> bool:
    """True for a schema that demands a member which it refuses by name: no object meets it."""
    return any(
        node.get("additionalProperties") is False
        and not (_names(node, "required") <= _names(node, "properties") or "patternProperties" in node)
        for node in in_place(*(part.node for part in sub.parts))
    )


def _names(node: Mapping[str, Json], keyword: str) -> frozenset[str]:
    held = node.get(keyword)
    return frozenset(name for name in held if isinstance(name, str)) if isinstance(held, (list, dict)) else frozenset()


# Which violations are a row's own: those at its node and keyword, and those that nothing else in a union causes.


_VALUES: Final = frozenset({"enum", "const", "type"})
_UPPER: Final = frozenset({"maximum", "exclusiveMaximum"})
_LOWER: Final = frozenset({"minimum", "exclusiveMinimum"})
_OBJECTS: Final = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
_RELATED: Final[Mapping[str, frozenset[str]]] = {
    "type": _VALUES | {"format"} | _UPPER | _LOWER,
    "nullable": _VALUES | {"oneOf", "anyOf", "not", "if", "then", "else"},
    "enum": _VALUES,
    "format": frozenset({"format"}) | _UPPER | _LOWER,
    **dict.fromkeys(_UPPER, _UPPER),
    **dict.fromkeys(_LOWER, _LOWER),
    "additionalProperties": _OBJECTS,
    "unevaluatedProperties": _OBJECTS,
    "patternProperties": _OBJECTS,
    "unevaluatedItems": frozenset({"unevaluatedItems", "items", "prefixItems"}),
    "items": frozenset({"items", "unevaluatedItems"}),
    "prefixItems": frozenset({"items", "prefixItems", "unevaluatedItems"}),
    "contains": frozenset({"contains", "minContains", "maxContains"}),
    "minContains": frozenset({"contains", "minContains"}),
    "if": frozenset({"then", "else", "if"}),
    **dict.fromkeys(("then", "else"), frozenset({"then", "else", "if"})),
}
_WHOLE: Final = frozenset({"schema", "discriminator", "$ref", "$dynamicRef", "$recursiveRef"})
"""What these rows say may show in any keyword of their node or below it."""
_COMPOSED: Final = frozenset({"oneOf", "anyOf", "allOf"})


class RowViolations:
    """Recognises the violations of one row on one side; `above` are the schemas in place above its node."""

    def __init__(self, delta: Delta, sub: Sub, side: ValueSide, place: Place | None, above: Iterable[Sub] = ()) -> None:
        self._side = side
        self._places = {part.place for part in sub.parts} | ({place} if place is not None else set())
        self.closing = closing(delta, (*above, sub))
        composed = delta.element is not ElementKind.PROPERTY and delta.facet in _COMPOSED
        if composed and place is not None and place.pointer.rpartition("/")[0].endswith("/allOf"):
            self._places = {place}
        rephrased = (
            delta.change is Change.CHANGED or isinstance(delta.released, list) or isinstance(delta.candidate, list)
        )
        self._whole = delta.element is not ElementKind.PROPERTY and (
            delta.facet in _WHOLE or (composed and (rephrased or delta.facet == "allOf"))
        )
        self._in_place = composed
        self._related = _RELATED.get(delta.facet, frozenset({delta.facet}))
        self._name = None
        if delta.element is ElementKind.PROPERTY:
            self._name = field_name(delta)
            self._name = self._name if self._name is not None else addressed_name(delta)
            self._related = frozenset({"required"}) if delta.facet == "required" else _OBJECTS | {"required"}

    def explains(self, violation: Violation) -> bool:
        """True when the violation would not be there without the row."""
        if self._at_node(violation):
            return True
        return any(branch and all(map(self.explains, branch)) for branch in violation.branches)

    def shows(self, violation: Violation) -> bool:
        """True when the row is among what refuses the value, in some branch of a union at least."""
        return self.explains(violation) or any(self.shows(one) for branch in violation.branches for one in branch)

    def explains_all(self, violations: Iterable[Violation]) -> bool:
        """True when nothing but the row stands against the value."""
        return all(map(self.explains, violations))

    def _at_node(self, violation: Violation) -> bool:
        chain = _upward(violation.trace)
        for at, step in enumerate(chain):
            origin = self._origin(step)
            if origin in self.closing and self._closed(chain[: at + 1]):
                return True
            if origin in self._places:
                if self._whole or (self._in_place and violation.at == step.at):
                    return True
                for inner in reversed(chain[: at + 1]):
                    if inner.at != step.at:
                        break
                    if inner.keyword in self._related and (self._name is None or inner.name == self._name):
                        return True
        return False

    def _origin(self, step: Trace) -> Place | None:
        """Where a node is written; `false`, which has no identity, where the node above leads to it.

        Without a node above, `false` is all that is asked, so that the row can stand nowhere else.
        """
        if step.node is not False:
            return self._side.source.origin(step.node)
        if step.above is None:
            return next(iter(self._places), None)
        above = self._side.source.origin(step.above.node)
        names = (step.above.keyword, step.above.name) if step.above.name else (step.above.keyword,)
        return above.child(*names) if above is not None else None

    def _closed(self, chain: list[Trace]) -> bool:
        """True when the last step of a way up refuses a member or item that the row is about."""
        inner = next((step for step in chain if step.at == chain[-1].at and step.keyword in UNEVALUATED), None)
        return inner is not None and (self._name is None or inner.name == self._name)


def _upward(trace: Trace) -> list[Trace]:
    found = [trace]
    while found[-1].above is not None:
        found.append(found[-1].above)
    return found


# Rows below a discriminator that changed: which branch a value is held against is no longer the same on both sides.


Key = tuple[str, str]

_MANY: Final = 20_000


class Selection:
    """Knows the nodes of both contracts that a changed discriminator selects among."""

    def __init__(self, positions: RowPositions, deltas: Iterable[Delta]) -> None:
        self._positions = positions
        self._changed = [delta for delta in deltas if delta.facet == "discriminator" and not self._is_plain(delta)]
        self._below: dict[Direction, tuple[frozenset[Key], frozenset[Key]]] = {}

    def touches(self, pair: Pair, direction: Direction | None) -> bool:
        """True when a node of the pair stands at or below a discriminator that changed in this direction."""
        if not self._changed or direction is None:
            return False
        if direction not in self._below:
            self._below[direction] = self._reached(direction)
        keys = [(value.place.file, value.place.pointer) for value in pair]
        return any(key in below for key, below in zip(keys, self._below[direction], strict=True))

    def _is_plain(self, delta: Delta) -> bool:
        """True when the value sets of both nodes say what the discriminator selects."""
        pair = self._positions.nodes(delta)
        return self.non_wire(delta) or (
            pair is not None
            and all(
                edges.decides(value.place, value.node) for edges, value in zip(self._positions.edges, pair, strict=True)
            )
        )

    def hides(self, delta: Delta) -> bool:
        """True for a branch or choice that came or went with a discriminator which no value set shows."""
        if not selects(delta):
            return False
        pair = self._positions.nodes(delta) if delta.change is Change.CHANGED else None
        return pair is None or not all(
            edges.spelled_out(value.place, value.node) or edges.decides(value.place, value.node)
            for edges, value in zip(self._positions.edges, pair, strict=True)
        )

    def non_wire(self, delta: Delta) -> bool:
        """True for a discriminator that comes or goes and demands nothing: the branches list what selects them."""
        pair = self._positions.nodes(delta)
        written = [isinstance(value.node, dict) and "discriminator" in value.node for value in pair or ()]
        return (
            pair is not None
            and written.count(True) == 1
            and all(
                edges.spelled_out(value.place, value.node)
                for edges, value in zip(self._positions.edges, pair, strict=True)
            )
        )

    def _reached(self, direction: Direction) -> tuple[frozenset[Key], frozenset[Key]]:
        pairs = [self._positions.nodes(delta) for delta in self._changed if direction_of(delta) is direction]
        found = [pair for pair in pairs if pair is not None]
        edges = self._positions.edges
        released, candidate = (_under(side, [pair[at] for pair in found]) for at, side in enumerate(edges))
        return released, candidate


def selects(delta: Delta) -> bool:
    """True for a branch or choice that came or went with a discriminator of its own."""
    forms = (delta.released, delta.candidate)
    return delta.facet in ("anyOf", "oneOf") and any(
        isinstance(form, dict) and "discriminator" in form for form in forms
    )


def _under(edges: ChildEdges, values: Iterable[ValueSet]) -> frozenset[Key]:
    found: set[Key] = set()
    waiting = [(value.place, value.node) for value in values]
    while waiting and len(found) < _MANY:
        place, node = waiting.pop()
        key = (place.file, place.pointer)
        if key not in found:
            found.add(key)
            waiting.extend((step.target, step.node) for step in edges.below(place, node))
    return frozenset(found)


# Nodes that were read as the same: whether a value, or what is left unevaluated around them, says otherwise.


class Spelling:
    """Compares both spellings, with the schemas around them where these judge what a spelling leaves."""

    def __init__(self, questions: Questions, sets: Sets) -> None:
        self._questions = questions
        self._sets = sets

    def differs(self, delta: Delta) -> bool:
        """True when two nodes that were read as the same are known not to admit the same, or those around them."""
        pair, direction = self._questions.positions.nodes(delta), direction_of(delta)
        if pair is None or direction is None:
            return False
        around = self._judging(delta, pair)
        return any(self._refuted_as(pair, around, usage_path) for usage_path in (direction, direction.reversed))

    def unsettled(self, delta: Delta) -> bool:
        """True for two nodes read as the same whose unevaluated rest is judged, and not proved to be judged alike."""
        pair, direction = self._questions.positions.nodes(delta), direction_of(delta)
        if pair is None or direction is None:
            return False
        subs = [(each.released, each.candidate) for each in self._judging(delta, pair)]
        judged = [self._sets.of_subs(each, direction) for each in subs]
        judged += [self._sets.of_nodes(pair, direction)] if judges(pair[0].node, pair[1].node) else []
        return not all(self._sets.equal(schemas, direction) for schemas in judged)

    def _judging(self, delta: Delta, pair: Pair) -> list[SchemaPair]:
        """The schemas around two nodes that judge what these leave unevaluated, where that may differ untold."""
        standing = self._questions.standings.of(delta) if evaluate_otherwise(*pair) else None
        anchors = standing.anchors if standing is not None else ()
        return [
            each
            for each in anchors
            if judges(*(part.node for part in (*each.released.parts, *each.candidate.parts)))
            and not _opens_unevaluated(each)
        ]

    def _refuted_as(self, pair: Pair, anchors: Iterable[SchemaPair], direction: Direction) -> bool:
        """True when a value refutes in one direction that two nodes, or schemas around them, admit the same."""
        around = (self._sets.of_subs((each.released, each.candidate), direction) for each in anchors)
        return any(
            self._sets.safe(schemas, direction).answer is Tristate.NO
            for schemas in (self._sets.of_nodes(pair, direction), *around)
            if not (gaps(schemas[0]) or gaps(schemas[1]))
        )


def _opens_unevaluated(around: SchemaPair) -> bool:
    """True when a row of a schema says that nothing is left for it to judge on one side: then that row is the edit."""
    return any(
        row.facet in UNEVALUATED and not row.reason and (row.released is True or row.candidate is True)
        for row in around.differences
    )
