"""Rows about values decided by containment alone: equal, safe in the direction of the message, or open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.noise import NoiseReason
from evreview.comparison.proof.child_edges import ChildEdges, refers, trivial, watches
from evreview.comparison.proof.claim import OPENNESS, SCALARS, Claim, Questions
from evreview.comparison.proof.content_types import carried_alike
from evreview.comparison.proof.enclosing_applicators import (
    CarriedDeclarations,
    Selection,
    branching,
    closing,
    enclosing,
    enclosing_applicators,
    rewritten,
)
from evreview.comparison.proof.outcome import ContainmentResult, Doubt, Gaps, ProofReason
from evreview.comparison.proof.position import Pair, UsagePath, direction_of, field_name, levels_of
from evreview.comparison.proof.text_values import TextComparison, WireTexts, is_form
from evreview.comparison.proof.value_sets import Meant, Schemas, Sets
from evreview.comparison.schema_pairs import SchemaPair
from evreview.contract.model import ElementKind, Place, ValueSet
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Change, DeltaId, Direction, Json, Tristate
from evreview.schema.subsumption.relation import compare_sets
from evreview.schema.subsumption.result import UndecidedReason
from evreview.schema.to_json_schema import Source
from evreview.schema.view import Branch, branch_of

# Rows about whole forms: their names and values are the members of an object, so a form carries no other value.


_FACETS: Final = frozenset({"type", "nullable"})
_OBJECT: Final[Json] = {"type": "object"}


def same_objects(delta: Delta, claim: Claim | None, questions: Questions) -> bool:
    """True when a row says which types a form has, only forms carry it, and both sides admit the same objects."""
    if claim is None or claim.reason or delta.facet not in _FACETS:
        return False
    pairs = questions.usage_paths.pairs(delta)
    if not pairs or not all(_only_forms(pair, questions) for pair in pairs):
        return False
    released, candidate = ({"allOf": [_OBJECT, side]} for side in (claim.released, claim.candidate))
    return compare_sets(released, candidate).equal is Tristate.YES


def _only_forms(pair: SchemaPair, questions: Questions) -> bool:
    """True for the schema of whole forms that stands nowhere else."""
    roots = questions.usage_paths.tops.get(id(pair), ())
    sides = [side for root in roots for side in (root.position.released, root.position.candidate)]
    return bool(sides) and not questions.usage_paths.users.get(id(pair)) and all(map(is_form, sides))


# When the small claim of a row about members, patterns or tuples really is a conjunct of the whole node.
#
# An open object admits a member before anybody declares it, so a declaration that comes is no pure widening of what is
# read, and one that goes is no pure narrowing of what is written. Rules call both compatible; no proof can.


_WATCHED: Final = frozenset({"additionalProperties", "items", "allOf", "anyOf", "patternProperties", "prefixItems"})
_WATCHED_TOO: Final = frozenset({"contains", "dependentSchemas", "not"})


def ruled_out_reason(
    delta: Delta, pair: tuple[ValueSet, ValueSet], edges: tuple[ChildEdges, ChildEdges]
) -> ProofReason:
    """Why containment of the claim does not carry over to the node, `NONE` when it does."""
    parts = [
        [node for _, node in side.conjoined(value.place, value.node)] for side, value in zip(edges, pair, strict=True)
    ]
    watched = any(watches(node) for side in parts for node in side)
    if delta.element is ElementKind.PROPERTY and delta.facet == "":
        return _member(delta, parts, watched)
    if watched and delta.facet in _WATCHED | _WATCHED_TOO:
        return ProofReason.NEIGHBOURS
    if delta.facet == "patternProperties":
        return ProofReason.NONE if all(_open(node) for side in parts for node in side) else ProofReason.NEIGHBOURS
    if delta.facet == "prefixItems":
        return ProofReason.NONE if all(_endless(node) for side in parts for node in side) else ProofReason.NEIGHBOURS
    return ProofReason.NONE


def _member(delta: Delta, parts: list[list[Mapping[str, Json]]], watched: bool) -> ProofReason:
    released, candidate = parts
    grows = (delta.change is Change.ADDED) == (delta.direction is Direction.READ)
    judge, other = (released, candidate) if delta.change is Change.ADDED else (candidate, released)
    if grows:
        # Only an object that refused the member before (or refuses it now) makes this row safe by itself.
        first = judge[0] if judge else {}
        if _shut(first) and not watched:
            return ProofReason.NONE
        return ProofReason.ASSUMED if not watched and all(_silent(node) for node in judge) else ProofReason.NEIGHBOURS
    lone = all(_open(node) for node in judge) and all(_open(node) or _shut(node) for node in other)
    return ProofReason.NONE if lone and not watched else ProofReason.NEIGHBOURS


def _open(node: Mapping[str, Json]) -> bool:
    return trivial(node.get("additionalProperties", True))


def _shut(node: Mapping[str, Json]) -> bool:
    return node.get("additionalProperties") is False and not node.get("patternProperties")


def _silent(node: Mapping[str, Json]) -> bool:
    """True when the node neither refuses nor describes members that it does not name."""
    return _open(node) and not node.get("patternProperties")


def _endless(node: Mapping[str, Json]) -> bool:
    items = node.get("items", True)
    rest = node.get("additionalItems", True)
    return (isinstance(items, list) or trivial(items)) and trivial(rest)


# What containment says of one row, and how the answers of its uses go together.


_REVERSING_BRANCHES: Final = (Branch.ANY_OF, Branch.ONE_OF, Branch.IF_HAS)
_REVERSING_STEPS: Final = frozenset({"not", "if", "then", "else", "[contains]", "{names}"})


@frozen
class ContainmentAnswer:
    """A finding, whether it holds for messages of declared members only, and what stands against more."""

    finding: ContainmentResult
    assumed: bool = False
    doubt: Doubt = ProofReason.NONE


UNDECIDED: Final = ContainmentAnswer(ContainmentResult.OPEN)


def by_claim(delta: Delta, claim: Claim) -> ContainmentResult:
    """What the small claim of a row decides, asked in the row's direction; open where it has a reason not to."""
    if claim.reason:
        return ContainmentResult.OPEN
    found = compare_sets(claim.released, claim.candidate)
    if claim.exact and found.equal is Tristate.YES:
        return ContainmentResult.EQUAL
    safe = found.released_in_candidate if delta.direction is Direction.READ else found.candidate_in_released
    return ContainmentResult.SAFE if safe is Tristate.YES else ContainmentResult.OPEN


def refuted(delta: Delta, claim: Claim) -> bool:
    """True when the small claim of a row is refuted in its direction."""
    if claim.reason:
        return False
    found = compare_sets(claim.released, claim.candidate)
    answer = found.released_in_candidate if delta.direction is Direction.READ else found.candidate_in_released
    return answer is Tristate.NO


def topmost(usage_path: UsagePath, anchors: set[int]) -> SchemaPair:
    """The topmost schema of a use that may turn the row round or admit what it refuses; else the row's own."""
    return next((pair for pair, link in usage_path.legs if id(pair) in anchors or may_turn(link.step)), usage_path.pair)


def may_turn(step: str) -> bool:
    """True for a step below which a narrower schema may make the whole wider."""
    return branch_of(step) in _REVERSING_BRANCHES or step in _REVERSING_STEPS


def is_branch(place: Place, facet: str) -> bool:
    """True when a place is a branch of a choice itself, not the choice as a whole."""
    return facet in ("anyOf", "oneOf") and place.pointer.rpartition("/")[0].endswith("/" + facet)


def declares(delta: Delta) -> bool:
    """True for a row about a member that is declared, or no longer."""
    return delta.element is ElementKind.PROPERTY and delta.facet == ""


def refers_only_below(schemas: Schemas) -> bool:
    """True when nothing that the schemas refer to holds in their own place: then components may count as the same."""
    return not any(refers(schema) for schema in schemas)


def weakest(said: list[ContainmentAnswer]) -> ContainmentAnswer:
    """The one that says least: an open one, else a safe one."""
    for weak in (ContainmentResult.OPEN, ContainmentResult.SAFE):
        for one in said:
            if one.finding is weak:
                return ContainmentAnswer(weak, any(other.assumed for other in said), one.doubt)
    return ContainmentAnswer(ContainmentResult.EQUAL, any(other.assumed for other in said)) if said else UNDECIDED


def first_open(steps: Iterable[Callable[[], ContainmentAnswer]]) -> ContainmentAnswer:
    """The first one that is open, else the weakest of all."""
    said = []
    for step in steps:
        one = step()
        if one.finding is ContainmentResult.OPEN:
            return one
        said.append(one)
    return weakest(said)


CONGRUENT: Final = SCALARS | {"type", "nullable", "enum", "format", "required", "minContains", "maxContains"}
"""Where equal values of the part mean equal values of the whole, whatever stands around it."""
_NO_VALUES: Final = frozenset({UndecidedReason.GAP, ProofReason.SELECTED, ProofReason.PARTED, ProofReason.TOO_WIDE})
"""Doubts that no value of a schema settles by itself."""
_ROOTS: Final = 500
_USAGE_PATHS: Final = 8


class Contained:
    """Decides rows by comparing value sets; no message is looked for."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self.sets = Sets(questions.positions)
        self.meant = Meant(questions.positions)
        self.carried_declarations = CarriedDeclarations(questions.usage_paths, self.sets)
        self._doubts: dict[DeltaId, Doubt] = {}
        self._assumed: set[DeltaId] = set()
        self._refused: set[DeltaId] = set()
        self._texts: set[DeltaId] = set()
        self._reasons: dict[DeltaId, str] = {}
        self._wire = WireTexts(questions, self.sets)
        self._wholes: dict[tuple[object, ...], ContainmentAnswer] = {}
        self._selection = Selection(questions.positions, questions.deltas)
        self._gaps_of: dict[int, Gaps] = {}

    def finding(self, delta: Delta) -> ContainmentResult:
        """What containment says about a row; below a member that nobody sends its rule speaks where that is nothing."""
        found = self._finding(delta)
        reason = "" if found is ContainmentResult.EQUAL else self._carried_alike(delta)
        if reason:
            self._reasons[delta.id] = reason
            return ContainmentResult.EQUAL
        texts = self._wire.said(delta) if found is ContainmentResult.OPEN else TextComparison.OPEN
        if texts is TextComparison.EXPECTED:
            self._texts.add(delta.id)
            return ContainmentResult.SAFE
        if texts is TextComparison.PARTED:
            self._doubts.setdefault(delta.id, ProofReason.PARTED)
        unseen = delta.facts.get(comparison_delta.OUTSIDE_DIRECTION) is True
        return ContainmentResult.NOT_VALUES if unseen and found is ContainmentResult.OPEN else found

    def _carried_alike(self, delta: Delta) -> str:
        """Why both sides admit the same of what can travel where the row stands, "" when they may not."""
        found = carried_alike(delta, self._questions)
        if found:
            return found
        return NoiseReason.FORM if same_objects(delta, self._questions.claims.get(delta.id), self._questions) else ""

    def _finding(self, delta: Delta) -> ContainmentResult:
        claim, pair = self._questions.claims.get(delta.id), self._questions.nodes.get(delta.id)
        if claim is None:
            return ContainmentResult.NOT_VALUES
        old, new = self._gaps(delta, pair)
        if delta.facet == "discriminator":
            # Which schema a value selects is more than which values there are, unless the branches say it themselves.
            non_wire = not (old or new) and self._selection.non_wire(delta)
            return ContainmentResult.SAFE if non_wire else ContainmentResult.NOT_VALUES
        said = self._said(delta, claim, pair) if old == new else UNDECIDED
        if said.doubt is ProofReason.REFUSED and old == new:
            self._refused.add(delta.id)
        elif said.finding is ContainmentResult.OPEN and (said.doubt or old or new):
            self._doubts[delta.id] = UndecidedReason.GAP if old or new else said.doubt
        selected = (
            said.finding is ContainmentResult.SAFE
            and pair is not None
            and self._selection.touches(pair, direction_of(delta))
        )
        if selected or (said.finding is not ContainmentResult.OPEN and self._selection.hides(delta)):
            self._doubts[delta.id] = ProofReason.SELECTED
            return ContainmentResult.OPEN
        if said.assumed:
            self._assumed.add(delta.id)
        return said.finding

    def doubt(self, delta: Delta) -> Doubt:
        """What stands against deciding a row by its value sets, once `finding` was asked; `NONE` for nothing."""
        return self._doubts.get(delta.id, ProofReason.NONE)

    def give_up(self, delta: Delta, doubt: Doubt) -> None:
        """Notes what stands against ever deciding a row."""
        self._doubts[delta.id] = doubt

    def unserved(self, delta: Delta) -> bool:
        """True for a branch that only the side that sends has, where another one is no case of its messages."""
        branch = self._sent_branch(delta)
        return branch is not None and self.doubt(delta) not in _NO_VALUES and not self._cases(delta, branch)

    def refuses(self, delta: Delta) -> bool:
        """True when the member of a row is sent with values that are refused; whether any whole has one is open."""
        return delta.id in self._refused

    def as_text(self, delta: Delta) -> bool:
        """True when `finding` holds for the texts on the wire, whatever values they are read as."""
        return delta.id in self._texts

    def equality(self, delta: Delta) -> str:
        """Why a row that `finding` called equal changes no message."""
        return self._reasons.get(delta.id, NoiseReason.SAME_VALUES)

    def assumed(self, delta: Delta) -> bool:
        """True when `finding` holds for messages of declared members only: see `shapes.relation.Inclusion`."""
        return delta.id in self._assumed

    def closed(self, delta: Delta) -> bool:
        """True when a schema in place around the row judges what the row begins or ceases to name."""
        standing = self._questions.standings.of(delta)
        if standing is None or not (standing.anchors or branching(delta)):
            return False
        usage_paths = islice(self._questions.usage_paths.to(delta), _USAGE_PATHS)
        return any(
            closing(delta, levels_of(usage_path, candidate=candidate)[-1].subs)
            for usage_path in usage_paths
            for candidate in (False, True)
        )

    def refuted(self, delta: Delta) -> bool:
        """True when a value is known that breaks what the row says, or the schemas above it that may turn it round.

        Then the rule may speak where it could not by itself: it says what the value shows.
        """
        claim, direction = self._questions.claims.get(delta.id), direction_of(delta)
        standing = self._questions.standings.of(delta)
        if claim is None or direction is None or standing is None or self.doubt(delta) in _NO_VALUES:
            return False
        usage_paths, anchors = (
            list(islice(self._questions.usage_paths.to(delta), _USAGE_PATHS)),
            {id(anchor) for anchor in standing.anchors},
        )
        straight = not any(may_turn(link.step) for usage_path in usage_paths for _, link in usage_path.legs)
        if standing.plain and straight and delta.facet == "pattern":
            return refuted(delta, claim)
        pairs = [topmost(usage_path, anchors) for usage_path in usage_paths]
        return any(
            self.sets.safe(self.sets.of_subs((pair.released, pair.candidate), direction), direction).answer
            is Tristate.NO
            for pair in {id(pair): pair for pair in pairs}.values()
        )

    def _gaps(self, delta: Delta, pair: Pair | None) -> tuple[frozenset[str], frozenset[str]]:
        """The unread parts that the row depends on, on both sides."""
        if pair is None:
            return frozenset(), frozenset()
        sides = self._questions.positions.sides(direction_of(delta))
        member = field_name(delta) if declares(delta) else None
        old, new = (
            self._unread(source).concerning(value, delta.facet, member)
            for source, value in zip((sides.released, sides.candidate), pair, strict=True)
        )
        return old, new

    def _unread(self, source: Source) -> Gaps:
        """What could not be read of one side; the sides are kept by `questions`, so that identities stay."""
        return self._gaps_of.setdefault(id(source), Gaps(source))

    def _said(self, delta: Delta, claim: Claim, pair: Pair | None) -> ContainmentAnswer:
        said, direction = self._lifted(delta, claim, pair), direction_of(delta)
        if said.finding is ContainmentResult.OPEN or not said.assumed or direction is None:
            return said
        branch = self._sent_branch(delta)
        if branch is not None and not self._cases(delta, branch):
            # That open branches beside it take its messages as strangers makes no case for them.
            return ContainmentAnswer(ContainmentResult.OPEN, doubt=ProofReason.UNSERVED)
        around = enclosing_applicators(delta, direction, self._questions, self.carried_declarations, self.sets)
        if not (around.pairs or around.unclear):
            return said
        # Branches around the row may declare what its own one doesn't: they are compared together.
        found = first_open(partial(self._reversed, delta, pair, direction, kept=True) for pair in around.pairs)
        if found.finding is ContainmentResult.OPEN or around.unclear:
            return ContainmentAnswer(ContainmentResult.OPEN, doubt=ProofReason.BESIDE)
        return found

    def _lifted(self, delta: Delta, claim: Claim, pair: Pair | None) -> ContainmentAnswer:
        own = self._own(delta, claim, pair)
        if own.finding is ContainmentResult.EQUAL and delta.facet in CONGRUENT:
            return own
        direction = direction_of(delta)
        if direction is None:
            return UNDECIDED
        standing = self._questions.standings.of(delta)
        if standing is None:
            lifted = ContainmentAnswer(ContainmentResult.OPEN, doubt=ProofReason.NO_CONTEXT)
        else:
            kept = own.finding is not ContainmentResult.OPEN
            above = [partial(self._reversed, delta, anchor, direction, kept=kept) for anchor in standing.anchors]
            lifted = first_open([*([lambda: own] if standing.plain else []), *above])
        # A value that the row's own node lets through is seen by every message that grows with the node, unless a
        # schema beside it refuses the value.
        plainly = standing is not None and standing.plain and not standing.anchors and not own.doubt
        if lifted.finding is ContainmentResult.OPEN:
            whole = self._enclosed(delta, direction) if plainly else self._roots(delta, direction)
            lifted = lifted if whole.finding is ContainmentResult.OPEN else whole
        # A member that is declared or no longer declared is a fact, also when no value changes sides by it.
        if lifted.finding is ContainmentResult.EQUAL and declares(delta):
            return ContainmentAnswer(ContainmentResult.SAFE, lifted.assumed)
        return lifted

    def _enclosed(self, delta: Delta, direction: Direction) -> ContainmentAnswer:
        """What the conjunctions around the row say, when each of its uses stands in one."""
        around = enclosing(
            delta,
            self._questions.usage_paths,
            lambda pair: self._anchored(pair, direction).finding is not ContainmentResult.OPEN,
        )
        return first_open(partial(self._anchored, pair, direction) for pair in around) if around else UNDECIDED

    def _own(self, delta: Delta, claim: Claim, pair: Pair | None) -> ContainmentAnswer:
        """What the row's own node says, as if the whole grew and shrank with it."""
        if declares(delta):
            return self._member(delta)
        found, objected = by_claim(delta, claim), ProofReason.NONE
        if found is not ContainmentResult.OPEN and pair is not None and direction_of(delta) is not None:
            objected = ruled_out_reason(delta, pair, self._questions.positions.edges)
        if found is not ContainmentResult.OPEN and not objected:
            return ContainmentAnswer(found)
        if delta.facet == "required" and self._unowed(delta):
            return ContainmentAnswer(ContainmentResult.EQUAL)
        branch = self._branch(delta)
        whole = branch if branch.finding is not ContainmentResult.OPEN else self._together(delta)
        return (
            ContainmentAnswer(ContainmentResult.OPEN, doubt=objected)
            if whole.finding is ContainmentResult.OPEN
            else whole
        )

    def _unowed(self, delta: Delta) -> bool:
        """True when both nodes demand as much in this direction: who sends never owes a member that is kept back."""
        direction, schemas, name = delta.direction, self._schemas(delta), field_name(delta)
        if direction is None or name is None or not schemas:
            return False
        return all(self.sets.alike(each, direction) or not self.sets.owed(each, direction, name) for each in schemas)

    def _member(self, delta: Delta) -> ContainmentAnswer:
        """A member more or less: what is sent of its name against what is expected of it."""
        name, direction = field_name(delta), direction_of(delta)
        expected = (delta.change is Change.ADDED) == (delta.direction is Direction.READ)
        if name is None or direction is None or (expected and delta.facts.get(comparison_delta.REQUIRED) is True):
            return self._together(delta)
        found = [self.sets.member(schemas, delta.direction or direction, name) for schemas in self._schemas(delta)]
        if found and all(each.answer is Tristate.YES for each in found):
            return ContainmentAnswer(ContainmentResult.SAFE, any(each.assumed for each in found))
        whole = self._together(delta)
        answers = {each.answer for each in found}
        doubt = ProofReason.REFUSED if Tristate.NO in answers else ProofReason.NONE
        if Tristate.UNKNOWN in answers:
            doubt = ProofReason.NEIGHBOURS
        return (
            ContainmentAnswer(ContainmentResult.OPEN, doubt=doubt) if whole.finding is ContainmentResult.OPEN else whole
        )

    def _reversed(self, delta: Delta, anchor: SchemaPair, direction: Direction, *, kept: bool) -> ContainmentAnswer:
        """What a schema says that may turn a change below it round; by the letter, or else by what is written.

        Args:
            anchor: the pair above it.
            kept: whether the row's own node says that all of its values are expected.
        """
        said = self._anchored(anchor, direction)
        if said.finding is not ContainmentResult.OPEN or delta.facet in OPENNESS:
            return said
        schemas = self.sets.of_subs((anchor.released, anchor.candidate), direction)
        return self._by_meaning([schemas], direction, kept=kept) or said

    def _by_meaning(self, all_schemas: list[Schemas], direction: Direction, *, kept: bool) -> ContainmentAnswer | None:
        """Safe where all that is written is expected, and each kind of message has its case; else None."""
        for schemas in all_schemas:
            if not self.meant.contained(schemas, direction) or not (kept or self.meant.served(schemas, direction)):
                return None
        return ContainmentAnswer(ContainmentResult.SAFE, assumed=True) if all_schemas else None

    def _cases(self, delta: Delta, branch: Json) -> bool:
        """True when what a branch brings has its own case on the side that expects it, wherever the row shows."""
        direction = delta.direction
        wholes = self._schemas(delta)
        return direction is not None and all(self.meant.served(schemas, direction, branch) for schemas in wholes)

    def _sent_branch(self, delta: Delta) -> Json | None:
        """The branch of a choice that only the side that sends has, None for any other row."""
        direction, read = delta.direction, delta.direction is Direction.READ
        place = delta.released_place if read else delta.candidate_place
        sent = (delta.change is Change.REMOVED) if read else (delta.change is Change.ADDED)
        if direction is None or place is None or not sent or not is_branch(place, delta.facet):
            return None
        return self._questions.positions.written(place, direction, released=read)

    def _branch(self, delta: Delta) -> ContainmentAnswer:
        """A branch more or less: when all that it brings is expected anyway, the row is safe."""
        direction, read, branch = delta.direction, delta.direction is Direction.READ, self._sent_branch(delta)
        if direction is None or branch is None:
            return UNDECIDED
        wholes = self._schemas(delta)
        alone = [(branch, schemas[1]) if read else (schemas[0], branch) for schemas in wholes]
        said = weakest([self._compared(each, direction, shared=False) for each in alone])
        if said.assumed and rewritten(delta, self._questions.usage_paths):
            # Rewritten it is read as any changed branch: what one beside it mentions is declared.
            both = [self.sets.both(branch, schemas[0 if read else 1]) for schemas in wholes]
            within = [(one, whole[1]) if read else (whole[0], one) for one, whole in zip(both, wholes, strict=True)]
            said = weakest([self._compared(each, direction, shared=False) for each in within])
        return (
            ContainmentAnswer(ContainmentResult.SAFE, said.assumed) if said.finding is ContainmentResult.EQUAL else said
        )

    def _schemas(self, delta: Delta) -> list[Schemas]:
        """The schemas of every pair of positions that shows the row."""
        direction = delta.direction
        if direction is None:
            return []
        pairs = self._questions.usage_paths.pairs(delta)
        if pairs:
            return [self.sets.of_subs((pair.released, pair.candidate), direction) for pair in pairs]
        nodes = self._questions.nodes.get(delta.id)
        return [self.sets.of_nodes(nodes, direction)] if nodes is not None else []

    def _together(self, delta: Delta) -> ContainmentAnswer:
        """What the whole nodes say, all their rows taken together."""
        direction, all_schemas = delta.direction, self._schemas(delta)
        if direction is None or not all_schemas:
            return UNDECIDED
        said = weakest(
            [self._compared(schemas, direction, shared=refers_only_below(schemas)) for schemas in all_schemas]
        )
        if said.finding is not ContainmentResult.OPEN or delta.facet in OPENNESS:
            return said
        # Which branch came where another one went is what `_cases` tells; what came alone takes no case away.
        kept = self._one_branch(delta) and self._sent_branch(delta) is None
        return self._by_meaning(all_schemas, direction, kept=kept) or said

    def _one_branch(self, delta: Delta) -> bool:
        """True for a row about one branch of a choice that came or went."""
        places = (delta.released_place, delta.candidate_place)
        return delta.change is not Change.CHANGED and any(
            place is not None and is_branch(place, delta.facet) for place in places
        )

    def _anchored(self, pair: SchemaPair, direction: Direction) -> ContainmentAnswer:
        """What an ancestor that may invert changes says, everything below it taken together."""
        return self._compared(self.sets.of_subs((pair.released, pair.candidate), direction), direction, shared=False)

    def _compared(self, schemas: Schemas, direction: Direction, *, shared: bool) -> ContainmentAnswer:
        key = (id(schemas[0]), id(schemas[1]), direction, shared)
        if key not in self._wholes:
            self._wholes[key] = self._compare(schemas, direction, shared=shared)
        return self._wholes[key]

    def _compare(self, schemas: Schemas, direction: Direction, *, shared: bool) -> ContainmentAnswer:
        found = self.sets.contained(schemas, direction, shared=shared)
        if found.answer is not Tristate.YES or self.sets.alike(schemas, direction, shared=shared):
            # Alike on both sides: what differs stands in another part of the position.
            unasked = found.reason is UndecidedReason.UNASKED
            return ContainmentAnswer(ContainmentResult.OPEN, doubt=ProofReason.NONE if unasked else found.reason)
        equal = self.sets.equal(schemas, direction, shared=shared)
        return ContainmentAnswer(ContainmentResult.EQUAL if equal else ContainmentResult.SAFE, found.assumed)

    def _roots(self, delta: Delta, direction: Direction) -> ContainmentAnswer:
        """What the whole positions say that carry the row: when all that is sent is expected, the row is safe."""
        roots = self._questions.usage_paths.roots_above(delta)
        if not roots or len(roots) > _ROOTS:
            return UNDECIDED
        return first_open(
            lambda root=root: self._compared(  # type: ignore[misc]
                self.sets.of_subs((root.pair.released, root.pair.candidate), direction), direction, shared=False
            )
            for root in roots
        )
