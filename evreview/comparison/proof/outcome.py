"""What is known of a row's verdict, and how: the finding of containment, the proof that is shown, whole messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from typing import Final, Protocol

from evreview.comparison.build import dialect_of
from evreview.comparison.delta import Delta
from evreview.comparison.elements import Root
from evreview.comparison.ledger import Ledger
from evreview.comparison.node_pair import Equality
from evreview.contract.model import Contract, Place, UnsupportedConstruct, ValueSet
from evreview.contract.references import Resolver
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.quoted_text import command_line
from evreview.core.vocabulary import Absent, Direction, Json, ProofMethod, ProofStatus, Realism, Sentence
from evreview.messages.message import Violation
from evreview.schema.subsumption.result import UndecidedReason
from evreview.schema.to_json_schema import Source, is_gap, references
from evreview.schema.view import Part, Sub

BY_LETTER: Final = {
    Realism.LETTER: "the letter alone is broken: the witness rests on members that its sender's contract names nowhere "
    "or in another branch",
    Realism.FREE_FORM: "the witness gives a member of a free-form object another value than the other side describes: "
    "whether anybody sends it is not known",
}


class ProofReason(Sentence):
    """Why a proof stands, or why there is none."""

    NONE = ""
    NOT_ASKED = "no value was looked for"
    BY_RULE = "the row is about no set of values; the rule speaks"
    MISREAD = "read as the same on both sides, but the value sets differ"
    UNSETTLED = "what is left unevaluated is judged here, and comparing both spellings decided nothing"
    UNKNOWN_FORMAT = "nothing here knows which values this format admits"
    SELECTING = "a discriminator's values select schemas and refuse nothing themselves: no validator follows that"
    SELECTED = "the discriminator above the row changed, so that another branch may be selected for the same value"
    REPHRASED = "the composition changed as a whole"
    TOO_WIDE = "the schema has too many branches to compare them all for each of its rows"
    ASSUMED = "contained only as long as nobody sends members that the open side does not declare"
    NEIGHBOURS = "what the row changes also moves values between other keywords of the same schema"
    BESIDE = "schemas beside the row's own look at the same object, and comparing them together decided nothing"
    REFUSED = "values of the member that are sent are refused"
    NO_CONTEXT = "too many uses, or uses that differ between both sides, stand around the row to compare them"
    UNSERVED = "the branches that are left take its messages for what open objects may carry, and have no case for them"
    RETYPED = "the content type of a part follows from its schema, and another one follows now"
    PARTED = "a comma in a text may part it into several items, and no contract says whether it is escaped"
    CONTRADICTED = "every row of the schema is contained by itself, but a value refutes the schema as a whole"
    NOT_FOUND = "neither containment nor a value that one side refuses was found"
    BY_DISCRIMINATOR = "the value of a discriminator selects the row's schema, and no validator follows that"
    TOO_MUCH = "the search for values took more steps than it may for one comparison"
    NO_PLACE = "no message of both contracts carries the schema that the row stands in"
    CUT_SHORT = "no value was looked for beyond a brief look, which found none"


Doubt = ProofReason | UndecidedReason
"""What stands against deciding a row by its value sets; `ProofReason.NONE` for nothing."""


@frozen(kw_only=True)
class RefusedValue:
    """A value of a whole position that the side that sends it admits and the side that expects it refuses.

    Attributes:
        root: the position on both sides: its elements, operation and steps.
        value: the value of the position.
        alone: True when nothing but the row stands against the value.
        realism: whether a peer would send it.
    """

    root: Root
    value: Json
    alone: bool
    realism: Realism = Realism.DECLARED

    @property
    def rank(self) -> tuple[bool, bool]:
        """What peers would send sorts before all else, and what only the row stands against before the rest."""
        return self.realism is not Realism.DECLARED, not self.alone


@frozen(kw_only=True)
class Proof:
    """How a verdict is known.

    Attributes:
        status: proved, witnessed, unproven, or n/a where values are not concerned.
        method: what decided.
        witness: `value`, who accepts it and who refuses it, as two validators found; {} without one.
        command: the command that repeats the check, "" while there is none.
        reason: what was found, or why nothing was.
        found: the value and the position that a witness is made from, None without one.
        realism: whether a peer would send the witness; None without one, and where that is not asked.
    """

    status: ProofStatus
    method: ProofMethod
    witness: Json
    command: str
    reason: str
    found: RefusedValue | None = field(default=None, repr=False, compare=False)
    realism: Realism | None = None


class ContainmentResult(StrEnum):
    """What computing the value sets says about a row."""

    NOT_VALUES = "not about values"
    EQUAL = "equal"
    SAFE = "contained in the safe direction"
    OPEN = "not contained, or not decided"


UNCOMPUTED: Final = Proof(
    status=ProofStatus.NOT_APPLICABLE, method=ProofMethod.RULE, witness={}, command="", reason=ProofReason.BY_RULE
)
UNRULED: Final = replace(UNCOMPUTED, reason="the row is about no set of values, and no rule speaks of it")
CONTAINED: Final = Proof(
    status=ProofStatus.PROVED,
    method=ProofMethod.CONTAINMENT,
    witness={},
    command="",
    reason="the side that is sent is contained in the side that is expected",
)
CONTAINED_DECLARED: Final = replace(CONTAINED, reason=f"{CONTAINED.reason}, for messages of declared members")
"""An open object was taken to carry no member of a name that only the other side declares."""

CONTAINED_AS_TEXT: Final = replace(
    CONTAINED, method=ProofMethod.ENCODING, reason=f"{CONTAINED.reason}, as text on the wire"
)
"""Values that travel as text without their type were compared by their texts."""


def unproven(reason: str) -> Proof:
    """The proof of a verdict that rests on its rule alone."""
    return Proof(status=ProofStatus.UNPROVEN, method=ProofMethod.RULE, witness={}, command="", reason=reason)


def proved(reason: str) -> Proof:
    """The proof of a row about no set of values that no message can show."""
    return Proof(status=ProofStatus.PROVED, method=ProofMethod.VALIDATION, witness={}, command="", reason=reason)


def witnessed(found: RefusedValue, direction: Direction | None) -> Proof:
    """The proof by a value that one side admits and the other refuses."""
    accepted, refused = ("released", "candidate") if direction is Direction.READ else ("candidate", "released")
    others = "" if found.alone else ", for more reasons than this row"
    return Proof(
        status=ProofStatus.WITNESSED,
        method=ProofMethod.VALIDATION,
        witness={"value": found.value, "accepted_by": accepted, "refused_by": refused},
        command="",
        reason=f"a value that the {accepted} contract admits and the {refused} contract refuses{others}",
        found=found,
        realism=found.realism,
    )


def by_letter(proof: Proof, realism: Realism) -> Proof:
    """The proof of a row that stays as its rule says: what stands against it, nobody is known to send."""
    return replace(proof, status=ProofStatus.UNPROVEN, method=ProofMethod.RULE, reason=BY_LETTER[realism])


def with_overruled_verdict(proof: Proof, overruled: str) -> Proof:
    """The same proof, saying which verdict of the rule it overruled."""
    return replace(proof, reason=f"{proof.reason}; the rule by itself says {overruled}")


# What nobody could read, and whether a difference may hide in it.


def unread_that_may_differ(ledger: Ledger) -> tuple[UnsupportedConstruct, ...]:
    """The unread parts in which something may differ: all that are not written alike, references included."""
    if not ledger.unread:
        return ()
    released, candidate = ledger.released, ledger.candidate
    files = _Files(released, candidate)
    told = [{(files.one_name(item.place), item.found) for item in side.unread} for side in (released, candidate)]
    equality = Equality(
        Resolver(released.documents),
        Resolver(candidate.documents),
        one_dialect=dialect_of(released) is dialect_of(candidate),
    )

    def unchanged(item: UnsupportedConstruct) -> bool:
        key = (files.one_name(item.place), item.found)
        if item.place.line is not None or files.is_text(item.place):
            # A text has no node to compare, and its lines move with every edit above them.
            return all(item.found in {found for _, found in side} for side in told)
        # What stands in neither list is a keyword that nobody can read: it hangs on nothing beside it.
        if (key in told[0]) is not (key in told[1]):
            return False
        old, new = files.nearest(item.place)
        return old is not None and new is not None and equality.surely_equal(Sub((old,)), Sub((new,)))

    return tuple(item for item in ledger.unread if not unchanged(item))


class _Files:
    """The files of both sides; those at which the two contracts start may have different names."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._documents = released.documents, candidate.documents
        old, new = released.root.place.file, candidate.root.place.file
        mixed = old != new and (old in candidate.documents or new in released.documents)
        self._starts = None if mixed else (old, new)

    def one_name(self, place: Place) -> Place:
        """The place, in the released contract's name of the file."""
        return self.places(place)[0]

    def places(self, place: Place) -> tuple[Place, Place]:
        """A place of either side in the files of both."""
        own = (place.file, place.file)
        names = self._starts if self._starts is not None and place.file in self._starts else own
        return Place(names[0], place.pointer), Place(names[1], place.pointer)

    def nearest(self, place: Place) -> tuple[Part | None, Part | None]:
        """What both sides have at a place, or around one at which neither has anything: the absence is what is told."""
        found = [
            follow(document, at.pointer)
            for document, at in zip(self._documents_of(place), self.places(place), strict=True)
        ]
        if place.pointer and all(isinstance(node, Absent) for node in found):
            return self.nearest(Place(place.file, place.pointer.rpartition("/")[0]))
        old, new = (
            None if isinstance(node, Absent) else Part(node, at)
            for node, at in zip(found, self.places(place), strict=True)
        )
        return old, new

    def _documents_of(self, place: Place) -> list[Json]:
        return [held.get(at.file) for held, at in zip(self._documents, self.places(place), strict=True)]

    def is_text(self, place: Place) -> bool:
        """True for a place in a file that is no JSON."""
        return any(isinstance(document, str) for document in self._documents_of(place))


# The parts that nobody could read, seen from a schema node. What depends on them is neither proved nor witnessed.


_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas")


class Gaps:
    """The unread parts that the nodes of one source depend on. Where there is none, nobody looks twice."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._whole: set[str] = set()
        """Definitions that reach no unread part at all."""
        self._in_place: dict[Place, frozenset[str]] = {}
        self._concerning: dict[tuple[Place, int, str, str | None], frozenset[str]] = {}

    def in_place(self, value: ValueSet) -> frozenset[str]:
        """The unread parts that judge the same value as the node: its references and compositions, no members."""
        if value.place not in self._in_place:
            names = _references_in_place(self._source.schema(value))
            self._in_place[value.place] = self._reached(names, self._used_in_place)[0]
        return self._in_place[value.place]

    def concerning(self, value: ValueSet, keyword: str, member: str | None) -> frozenset[str]:
        """The unread parts that a row about `keyword` (or about a property) of a node depends on."""
        key = (value.place, id(value.node), keyword, member)
        # A choice of thousands has a row for each of its branches.
        if key not in self._concerning:
            self._concerning[key] = self._found(value, keyword, member)
        return self._concerning[key]

    def _found(self, value: ValueSet, keyword: str, member: str | None) -> frozenset[str]:
        schema = self._source.schema(value)
        found = self.in_place(value)
        if not isinstance(schema, (dict, Mapping)):
            return found
        if member is not None:
            properties = schema.get("properties")
            schema = {"a": properties.get(member, True)} if isinstance(properties, (dict, Mapping)) else {}
        else:
            schema = schema if keyword == "schema" else {"a": schema.get(keyword, True)}
        below, seen = self._reached(references(schema), self._source.used)
        if not below:
            self._whole |= seen
        return found | below

    def _used_in_place(self, name: str) -> Iterator[str]:
        return _references_in_place(self._source.definition(name))

    def _reached(self, names: Iterable[str], used: Callable[[str], Iterable[str]]) -> tuple[frozenset[str], set[str]]:
        """The unread parts among names and all that those use, and all names that were looked at."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in seen and name not in self._whole:
                seen.add(name)
                waiting.extend(() if is_gap(name) else used(name))
        return frozenset(name for name in seen if is_gap(name)), seen


def _references_in_place(schema: Json) -> Iterator[str]:
    stack = [schema]
    while stack:
        node = stack.pop()
        if not isinstance(node, (dict, Mapping)):
            continue
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix("#/$defs/")
        for keyword in _IN_PLACE:
            below = node.get(keyword)
            if keyword == "dependentSchemas" and isinstance(below, (dict, Mapping)):
                stack.extend(below.values())
            elif isinstance(below, list):
                stack.extend(below)
            else:
                stack.append(below)


# Proofs by whole messages: what every kind's maker of them gives and says, and the command that repeats a proof.

SIDES: Final = ("released", "candidate")
ADMITTED: Final = "the other contract admits every message that was tried"
NOT_SENT: Final = "the sender's own contract does not admit the message"
OTHER_REASON: Final = "the other contract refuses the message, but not because of this row"
NO_ROUTE: Final = "an event is its value and has no route that could be missing"


class WholeMessages(Protocol):
    """Makes the messages of one comparison."""

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof of a value's witness with the message that carries it, or why no message shows it.

        Args:
            proof: witnessed by a value.
            found: the values and their positions, the best first.
        """

    def structural(self, delta: Delta) -> Proof:
        """The proof of a row about no set of values: a message, or the rule alone with the reason."""


class Values:
    """Messages that are nothing but a value: the witness says where its value set is written on both sides."""

    def __init__(self, released: Contract, candidate: Contract) -> None:
        self._paths = [released.path, candidate.path]

    def carried(self, delta: Delta, proof: Proof, found: Iterable[RefusedValue]) -> Proof:
        """The proof by a value that is all that a message carries."""
        if proof.found is None:
            return proof
        return replace(proof, witness=placed_value(proof, proof.found), command=replay_command(self._paths, delta.id))

    def structural(self, delta: Delta) -> Proof:
        """The rule alone: a value is sent to nowhere."""
        return replace(UNCOMPUTED, reason=f"{ProofReason.BY_RULE}: {NO_ROUTE}")


def placed_value(proof: Proof, found: RefusedValue) -> Json:
    """The witness of a value, and where its value set is written on both sides."""
    position = found.root.position
    sides = zip(SIDES, (position.released, position.candidate), strict=True)
    at = {name: str(side.value.place) for name, side in sides if side.value}
    stated = proof.witness if isinstance(proof.witness, Mapping) else {}
    return {**stated, "value": found.value, "at": at}


def replay_command(paths: Sequence[str], row: str, options: Sequence[str] = ()) -> str:
    """The command line that judges a row's witness again; a path that looks like an option is named from its folder."""
    files = [f"./{path}" if path.startswith("-") else path for path in paths]
    return command_line(["evreview", "replay", *files, row, *options])


def closest(violations: tuple[Violation, ...], delta: Delta, *, reads: bool) -> Violation:
    """The violation that stands nearest to the row: at its node and keyword, below it, above it, else the first."""
    place = (delta.candidate_place if reads else delta.released_place) or delta.released_place or delta.candidate_place
    if place is None:
        return violations[0]

    def nearness(violation: Violation) -> int:
        return max(_near(each, place.file, place.pointer, delta.facet) for each in violation.walk())

    return max(violations, key=nearness)


def _near(violation: Violation, file: str, pointer: str, facet: str) -> int:
    at = violation.place
    if at.file != file:
        return 0
    keyword = 1 if violation.keyword == facet else 0
    if at.pointer == pointer or f"{at.pointer}/{violation.keyword}" == pointer:
        return 1000 + keyword
    if pointer.startswith(f"{at.pointer}/") or at.pointer.startswith(f"{pointer}/"):
        return 500 - abs(len(pointer) - len(at.pointer)) // 4 + keyword
    return keyword


def each_operation(delta: Delta) -> Iterator[str]:
    """Keys of operations that a row reaches, its own first."""
    if delta.operation:
        yield delta.operation
    yield from (key for key in delta.operations if key != delta.operation)
