"""Whether one value set holds another: the public face of the inclusion engine.

Both sets are schemas as `json_schema.Source` gives them. A `yes` is a proof; a `no` carries a value that validators
admit on the left and refuse on the right; everything else is unknown, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from evreview.core.limits import TOO_DEEP, deep_stack
from evreview.core.vocabulary import Answer, Json
from evreview.schema.subsumption.constraint_set import demands, looking
from evreview.schema.subsumption.prover import Search
from evreview.schema.subsumption.result import UNDECIDED, Found, unknown
from evreview.schema.to_json_schema import closed, gaps
from evreview.schema.validators import Unusable, validator
from evreview.shapes.inclusion.forms import Definition, Form, Pool
from evreview.shapes.inclusion.mentions import carried, described_beside, mentioned_below, strays, tell

Told = frozenset[Form]
"""What is said of a value beside its own schema."""
STEPS: Final = 20_000
"""Questions per decision. Published contracts need a few hundred at most."""
REFUTED: Final = "a value was found, but the validator does not agree that one side refuses it"
UNASKED: Final = "a value was found, and no validator asked about it"
MALFORMED: Final = "a keyword holds something that is no schema"
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_LOOKS: Final = 20_000
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inclusion:
    """Whether all values of the left set are values of the right one.

    Attributes:
        answer: yes, no or unknown.
        witness: for no, the value on the left that the right refuses, as a 1-tuple; () otherwise.
        reason: for unknown, why.
        assumed: for yes, True when it holds for messages of declared members only: an object that writes nothing about
            additional members was taken to carry no member of a name that only the other side declares.
    """

    answer: Answer
    witness: tuple[Json, ...] = ()
    reason: str = ""
    assumed: bool = False


class Inclusions:
    """Decides inclusions between the value sets of two sources, and remembers what it decided.

    Args:
        left, right: the schema behind a name of a definition, of either side.
        shared: True to take definitions of one name for the same, whatever they say; then answers are about what
            differs around them, and a `no` is checked with the left side's definitions.
        declared: whether open objects are read as carrying declared members only (see `Inclusion.assumed`).
        steps: how many questions one decision may ask.
    """

    def __init__(
        self,
        left: Definition,
        right: Definition,
        *,
        shared: bool = False,
        declared: bool = True,
        steps: int = STEPS,
    ) -> None:
        self._sides = (left, left if shared else right)
        self._right = right
        self._shared = shared
        self._pool = Pool(left, right, shared=shared)
        self._search = Search(self._pool, declared=declared, steps=steps)
        self._known: dict[tuple[int, int], Found] = {}
        self._verified: dict[tuple[int, int], tuple[Json, Json, bool]] = {}

    def decide(self, left: Json, right: Json) -> Inclusion:
        """Whether every value of `left` is one of `right`."""
        found = self._found(left, right)
        if found.answer is not Answer.NO:
            return _answered(found)
        key = (id(left), id(right))
        if key not in self._verified:
            self._verified[key] = (left, right, self._confirmed(left, right, found.value))
        if self._verified[key][2]:
            return Inclusion(answer=Answer.NO, witness=(found.value,))
        return Inclusion(answer=Answer.UNKNOWN, reason=REFUTED)

    def _confirmed(self, left: Json, right: Json, value: Json) -> bool:
        try:
            with deep_stack():
                return self.verified(left, right, value)
        except (RecursionError, *_MALFORMED):
            return False

    def contained(self, left: Json, right: Json) -> Inclusion:
        """The same, quicker: where it is not yes, no validator is asked, and no value shown."""
        found = self._found(left, right)
        return _answered(found) if found.answer is not Answer.NO else Inclusion(answer=Answer.UNKNOWN, reason=UNASKED)

    def _found(self, left: Json, right: Json) -> Found:
        try:
            with deep_stack():
                one, other = self._pool.form(left, 0), self._pool.form(right, 1)
                key = (one.number, other.number)
                if key not in self._known:
                    self._known[key] = self._search.decide(one, other)
                return self._known[key]
        except RecursionError:
            return unknown(TOO_DEEP)
        except _MALFORMED:
            return unknown(MALFORMED)

    def alike(self, left: Json, right: Json) -> bool:
        """True when both schemas, and all they refer to, are written alike."""
        return self._pool.form(left, 0) is self._pool.form(right, 1)

    def member(self, left: Json, right: Json, name: str) -> Inclusion:
        """Whether every member of a name that a value of `left` may have is one that `right` asks for; no witness."""
        try:
            with deep_stack():
                found = self._search.member(self._pool.form(left, 0), self._pool.form(right, 1), name)
        except RecursionError:
            return Inclusion(answer=Answer.UNKNOWN, reason=TOO_DEEP)
        except _MALFORMED:
            return Inclusion(answer=Answer.UNKNOWN, reason=MALFORMED)
        return Inclusion(answer=found.answer, reason=found.reason, assumed=found.assumed)

    def mentioned(self, left: Json, holes: Iterable[tuple[str, str]]) -> set[str] | None:
        """Every name that any schema mentions of the value below some members of `left`; None where that is not known.

        Args:
            left: a schema of the left side.
            holes: the keyword and the name of each member on the way down.
        """
        try:
            with deep_stack():
                return mentioned_below(self._pool.form(left, 0), holes, self._pool)
        except (RecursionError, *_MALFORMED):
            return None

    def described(self, left: Json, holes: Iterable[tuple[str, str]], own: Json) -> bool:
        """False when nothing of `left` but its own schema describes the value below some members."""
        try:
            with deep_stack():
                return described_beside(self._pool.form(left, 0), holes, self._pool.form(own, 0), self._pool)
        except (RecursionError, *_MALFORMED):
            return True

    def carried(self, left: Json, told: Told, hole: tuple[str, str] | None, own: Json) -> Told:
        """What a schema of the left side, and what is told beside it, say of a value below beside its `own` schema."""
        try:
            with deep_stack():
                above = (self._pool.form(left, 0), *told)
                return carried(above, hole, self._pool.form(own, 0), self._pool)
        except _MALFORMED:
            return frozenset()  # what is malformed is contained in nothing

    def told(self, told: Told, name: str) -> bool:
        """True when a member of a name may be declared by what is told of a value."""
        with deep_stack():
            return tell(told, name, self._pool)

    def strays(self, left: Json, right: Json, value: Json, *, free: bool = False) -> frozenset[tuple[str | int, ...]]:
        """The ways to those members of a value that only `right` declares, and that are not sent (see `assumed`).

        Args:
            left, right: the schemas.
            value: one of `left`.
            free: True to count those of objects that say that others may come, or declare none, too.
        """
        try:
            with deep_stack():
                forms = [self._pool.form(left, 0)], [self._pool.form(right, 1)]
                return frozenset(strays(value, *forms, self._pool, free=free))
        except (RecursionError, *_MALFORMED):
            return frozenset()

    def owed(self, left: Json, right: Json, name: str) -> bool:
        """False when no schema that looks at a value of either set demands a member of a name."""
        try:
            with deep_stack():
                around = looking((self._pool.form(left, 0), self._pool.form(right, 1)), self._pool)
                return any(demands(form, name) for form in around)
        except (RecursionError, *_MALFORMED):
            return True

    def verified(self, left: Json, right: Json, value: Json) -> bool:
        """True when a validator admits a value on the left and refuses it on the right."""
        names = frozenset(_names(value)).__contains__
        said = []
        for schema, definition in ((left, self._sides[0]), (right, self._definition)):
            missing: list[str] = []
            whole = closed(schema, _noting(definition, missing), names)
            if missing or gaps(whole) or costly(whole):
                return False
            try:
                said.append(validator(whole).is_valid(value))
            except Unusable:
                return False
        return said == [True, False]

    def _definition(self, name: str) -> Json | None:
        found = self._sides[1](name)
        return self._right(name) if found is None else found


def _answered(found: Found) -> Inclusion:
    if found.answer is Answer.UNKNOWN:
        return Inclusion(answer=Answer.UNKNOWN, reason=found.reason or UNDECIDED)
    return Inclusion(answer=Answer.YES, assumed=found.assumed)


def include(left: Json, right: Json, *, declared: bool = False) -> Inclusion:
    """Whether every value of one self-contained schema is one of another."""
    return Inclusions(own_definitions(left), own_definitions(right), declared=declared).decide(left, right)


def own_definitions(schema: Json) -> Definition:
    """The look-up in a schema's own `$defs`."""
    definitions = schema.get("$defs") if isinstance(schema, dict) else None
    return definitions.get if isinstance(definitions, dict) else _no_definition


def _no_definition(name: str) -> Json | None:
    return None


def costly(schema: Json) -> bool:
    """True when alternatives and references multiply, so that a validator would look at one value far too often."""
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    known: dict[str, int] = {}

    def looks(node: Json) -> int:
        if not isinstance(node, dict):
            return 1
        total = 1
        ref = node.get("$ref")
        if isinstance(ref, str):
            name = ref.removeprefix("#/$defs/")
            if name not in known:
                known[name] = 0
                known[name] = looks(definitions.get(name, True))
            total += known[name]
        for keyword in _IN_PLACE:
            below = node.get(keyword)
            total += sum(map(looks, below)) if isinstance(below, list) else looks(below) if below is not None else 0
        return min(total, _LOOKS)

    return any(looks(node) >= _LOOKS for node in (schema, *definitions.values()))


def _noting(definition: Definition, missing: list[str]) -> Definition:
    """The same look-up, writing down the names that lead nowhere."""

    def look_up(name: str) -> Json | None:
        found = definition(name)
        if found is None:
            missing.append(name)
        return found

    return look_up


def _names(value: Json) -> Iterator[str]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield from node
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
