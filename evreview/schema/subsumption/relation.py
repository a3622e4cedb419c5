"""Whether one value set holds another: the public face of the subsumption engine.

Both sets are schemas as `to_json_schema` gives them. A `yes` is a proof; a `no` carries a value that validators admit
on the left and refuse on the right; everything else is unknown, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import jsonschema_rs
from jsonschema_rs import canonical

from evreview.core.frozen import frozen
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Json, Tristate
from evreview.schema.formats import PLAIN
from evreview.schema.reader import ASSERTED_FORMATS
from evreview.schema.subsumption.constraint_set import (
    demands,
    described,
    describes,
    forms_of,
    gather,
    in_place,
    looking,
    names_in,
    opened,
)
from evreview.schema.subsumption.interned_schema import (
    Constraint,
    Definition,
    InternedSchema,
    Items,
    Members,
    SchemaPool,
    text_of,
)
from evreview.schema.subsumption.prover import SubsumptionProver
from evreview.schema.subsumption.result import SubsumptionResult, UndecidedReason, unknown
from evreview.schema.to_json_schema import closed, gaps
from evreview.schema.validators import Unusable, validator

# The names that a schema mentions of a value further down, in whatever branch that stands.


At = tuple[str | int, ...]
_CHOICES: Final = frozenset({"any", "one"})


def mentioned_below(form: InternedSchema, slots: Iterable[tuple[str, str]], pool: SchemaPool) -> set[str] | None:
    """Every name mentioned by any schema that looks at the value to which some members lead, each (keyword, name).

    None where one of the schemas describes members without a name: then any name counts.
    """
    forms = _looking_below(form, slots, pool)
    return None if opened(forms, pool) else names_in(forms)


def described_beside(
    form: InternedSchema, slots: Iterable[tuple[str, str]], own: InternedSchema, pool: SchemaPool
) -> bool:
    """True when the value to which some members lead is described by more than its own form."""
    return any(map(describes, _looking_below(form, slots, pool) - looking([own], pool)))


def carried(
    own: Iterable[InternedSchema], slot: tuple[str, str] | None, target: InternedSchema, pool: SchemaPool
) -> frozenset[InternedSchema]:
    """What some forms say of a value below them, or of the same one, beside the form that stands there."""
    forms = looking(own, pool)
    if slot is not None:
        forms = looking(
            [under for one in forms for constraint in one.constraints for under in _under(constraint, *slot)], pool
        )
    return frozenset(filter(describes, forms - looking([target], pool)))


def tell(forms: Iterable[InternedSchema], name: str, pool: SchemaPool) -> bool:
    """True when some forms mention a name, or describe members without one."""
    around = looking(forms, pool)
    return opened(around, pool) or name in names_in(around)


def undeclared_members(
    value: Json,
    sent: Iterable[InternedSchema],
    expected: Iterable[InternedSchema],
    pool: SchemaPool,
    *,
    free: bool = False,
) -> Iterator[At]:
    """The way to each member that only the expected forms declare, where the sent ones say nothing of other members.

    Args:
        value: what is sent.
        sent, expected: what both sides say of it.
        pool: holds the forms.
        free: True to count where the sent forms say that others may come, or declare none, too.
    """
    mine, theirs = looking(sent, pool), looking(expected, pool)
    steps: Iterable[tuple[str | int, Json]] = ()
    more: set[str] = set()
    if isinstance(value, dict):
        alone = not _binds(mine, pool) if free else _says_all(mine, pool)
        strange = value.keys() - names_in(mine) if alone else set()
        more = (names_in(theirs) & strange) - _forbidden(theirs, pool) if strange else set()
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    told = _telling(mine), _telling(theirs)
    for step, member in steps:
        if step in more:
            yield (step,)
        elif isinstance(member, (dict, list)):
            slot = ("properties", step) if isinstance(step, str) else ("items", "")
            below, others = ([form for constraint in said for form in _under(constraint, *slot)] for said in told)
            yield from ((step, *way) for way in undeclared_members(member, below, others, pool, free=free))


def _telling(forms: Iterable[InternedSchema]) -> list[Constraint]:
    """The constraints that say something of members or items; the demands are many more."""
    listed = (constraint for form in forms for constraint in form.constraints)
    return [
        one for one in listed if one[0] == "contains" or any(isinstance(each, (Members, Items)) for each in one[1:])
    ]


def _binds(forms: set[InternedSchema], pool: SchemaPool) -> bool:
    """True when members of any name are described: then one that the other side names is sent as well."""
    said = [constraint for form in forms for constraint in form.constraints]
    told = [constraint[1] for constraint in said if constraint[0] == "members"]
    return any(constraint[0] == "enum" for constraint in said) or any(
        each.patterns or each.rest not in (None, pool.nothing, pool.anything) for each in told
    )


def _says_all(forms: set[InternedSchema], pool: SchemaPool) -> bool:
    """True for an object that declares members, and writes nothing about others; no branch is free-form either."""
    if opened(forms, pool) or any(constraint[0] == "enum" for form in forms for constraint in form.constraints):
        return False
    branches = (
        form for one in forms for each in one.constraints if each[0] in _CHOICES for form in in_place(each, pool)
    )
    return bool(names_in(forms)) and not any(_is_free(form, pool) for form in branches)


def _is_free(form: InternedSchema, pool: SchemaPool) -> bool:
    constraint_set = gather((form,), pool)
    return not constraint_set.impossible and "object" in constraint_set.types and not names_in(looking((form,), pool))


def _forbidden(forms: set[InternedSchema], pool: SchemaPool) -> set[str]:
    return {name for said in described(forms, pool) for name, form in said.names.items() if form is pool.nothing}


def _looking_below(form: InternedSchema, slots: Iterable[tuple[str, str]], pool: SchemaPool) -> set[InternedSchema]:
    """Every form that looks at the value to which some members lead."""
    forms = looking([form], pool)
    for keyword, name in slots:
        below = [
            under for one in forms for constraint in one.constraints for under in _under(constraint, keyword, name)
        ]
        forms = looking(below, pool)
    return forms


def _under(constraint: Constraint, keyword: str, name: str) -> Iterator[InternedSchema]:
    """The forms of a constraint that look at a member; of a member without a fixed name, all of them."""
    for said in constraint[1:]:
        if isinstance(said, Members):
            yield from forms_of(said, name) if keyword == "properties" else _all(said)
        elif isinstance(said, Items):
            yield from said.prefix
            yield from () if said.rest is None else (said.rest,)
        elif isinstance(said, InternedSchema) and constraint[0] == "contains":
            yield said


def _all(members: Members) -> Iterator[InternedSchema]:
    yield from members.names.values()
    yield from members.patterns.values()
    yield from () if members.rest is None else (members.rest,)


StatedSchemas = frozenset[InternedSchema]
"""What is said of a value beside its own schema."""
STEPS: Final = 20_000
"""Questions per decision. Published contracts need a few hundred at most."""
_IN_PLACE: Final = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
_LOOKS: Final = 20_000
_MALFORMED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@frozen(kw_only=True)
class Subsumption:
    """Whether all values of the left set are values of the right one.

    Attributes:
        answer: yes, no or unknown.
        witness: for no, the value on the left that the right refuses, as a 1-tuple; () otherwise.
        reason: for unknown, why; else `NONE`.
        assumed: for yes, True when it holds for messages of declared members only: an object that writes nothing about
            additional members was taken to carry no member of a name that only the other side declares.
    """

    answer: Tristate
    witness: tuple[Json, ...] = ()
    reason: UndecidedReason = UndecidedReason.NONE
    assumed: bool = False


class SubsumptionChecker:
    """Decides subsumption between the value sets of two sources, and remembers what it decided.

    Args:
        left, right: the schema behind a name of a definition, of either side.
        shared: True to take definitions of one name for the same, whatever they say; then answers are about what
            differs around them, and a `no` is checked with the left side's definitions.
        declared: whether open objects are read as carrying declared members only (see `Subsumption.assumed`).
        steps: how many questions one decision may ask.
    """

    def __init__(
        self, left: Definition, right: Definition, *, shared: bool = False, declared: bool = True, steps: int = STEPS
    ) -> None:
        self._sides = (left, left if shared else right)
        self._right = right
        self._shared = shared
        self._pool = SchemaPool(left, right, shared=shared)
        self._search = SubsumptionProver(self._pool, declared=declared, steps=steps)
        self._known: dict[tuple[int, int], SubsumptionResult] = {}
        self._verified: dict[tuple[int, int], tuple[Json, Json, bool]] = {}

    def decide(self, left: Json, right: Json) -> Subsumption:
        """Whether every value of `left` is one of `right`."""
        found = self._found(left, right)
        if found.answer is not Tristate.NO:
            return _answered(found)
        key = (id(left), id(right))
        if key not in self._verified:
            self._verified[key] = (left, right, self._confirmed(left, right, found.value))
        if self._verified[key][2]:
            return Subsumption(answer=Tristate.NO, witness=(found.value,))
        return Subsumption(answer=Tristate.UNKNOWN, reason=UndecidedReason.REFUTED)

    def _confirmed(self, left: Json, right: Json, value: Json) -> bool:
        try:
            with deep_stack():
                return self.verified(left, right, value)
        except (RecursionError, *_MALFORMED):
            return False

    def contained(self, left: Json, right: Json) -> Subsumption:
        """The same, quicker: where it is not yes, no validator is asked, and no value shown."""
        found = self._found(left, right)
        return (
            _answered(found)
            if found.answer is not Tristate.NO
            else Subsumption(answer=Tristate.UNKNOWN, reason=UndecidedReason.UNASKED)
        )

    def _found(self, left: Json, right: Json) -> SubsumptionResult:
        try:
            with deep_stack():
                one, other = self._pool.form(left, 0), self._pool.form(right, 1)
                key = (one.number, other.number)
                if key not in self._known:
                    self._known[key] = self._search.decide(one, other)
                return self._known[key]
        except RecursionError:
            return unknown(UndecidedReason.TOO_DEEP)
        except _MALFORMED:
            return unknown(UndecidedReason.MALFORMED)

    def alike(self, left: Json, right: Json) -> bool:
        """True when both schemas, and all they refer to, are written alike."""
        return self._pool.form(left, 0) is self._pool.form(right, 1)

    def member(self, left: Json, right: Json, name: str) -> Subsumption:
        """Whether every member of a name that a value of `left` may have is one that `right` asks for; no witness."""
        try:
            with deep_stack():
                found = self._search.member(self._pool.form(left, 0), self._pool.form(right, 1), name)
        except RecursionError:
            return Subsumption(answer=Tristate.UNKNOWN, reason=UndecidedReason.TOO_DEEP)
        except _MALFORMED:
            return Subsumption(answer=Tristate.UNKNOWN, reason=UndecidedReason.MALFORMED)
        return Subsumption(answer=found.answer, reason=found.reason, assumed=found.assumed)

    def mentioned(self, left: Json, slots: Iterable[tuple[str, str]]) -> set[str] | None:
        """Every name that any schema mentions of the value below some members of `left`; None where that is not known.

        Args:
            left: a schema of the left side.
            slots: the keyword and the name of each member on the way down.
        """
        try:
            with deep_stack():
                return mentioned_below(self._pool.form(left, 0), slots, self._pool)
        except (RecursionError, *_MALFORMED):
            return None

    def described(self, left: Json, slots: Iterable[tuple[str, str]], own: Json) -> bool:
        """False when nothing of `left` but its own schema describes the value below some members."""
        try:
            with deep_stack():
                return described_beside(self._pool.form(left, 0), slots, self._pool.form(own, 0), self._pool)
        except (RecursionError, *_MALFORMED):
            return True

    def carried(self, left: Json, told: StatedSchemas, slot: tuple[str, str] | None, own: Json) -> StatedSchemas:
        """What a schema of the left side, and what is told beside it, say of a value below beside its `own` schema."""
        try:
            with deep_stack():
                above = (self._pool.form(left, 0), *told)
                return carried(above, slot, self._pool.form(own, 0), self._pool)
        except _MALFORMED:
            return frozenset()  # what is malformed is contained in nothing

    def told(self, told: StatedSchemas, name: str) -> bool:
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
                return frozenset(undeclared_members(value, *forms, self._pool, free=free))
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


def _answered(found: SubsumptionResult) -> Subsumption:
    if found.answer is Tristate.UNKNOWN:
        return Subsumption(answer=Tristate.UNKNOWN, reason=found.reason or UndecidedReason.UNDECIDED)
    return Subsumption(answer=Tristate.YES, assumed=found.assumed)


def include(left: Json, right: Json, *, declared: bool = False) -> Subsumption:
    """Whether every value of one self-contained schema is one of another."""
    return SubsumptionChecker(own_definitions(left), own_definitions(right), declared=declared).decide(left, right)


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


# How two value sets lie to each other. The only file that touches the experimental canonical form of jsonschema-rs.
#
# Both schemas are self-contained. The subsumption engine answers first; the canonical form is asked about small schemas
# without references that the engine leaves open.


_DRAFT = jsonschema_rs.Draft202012
_ANSWERS: Final = {"yes": Tristate.YES, "no": Tristate.NO, "unknown": Tristate.UNKNOWN}
_SMALL: Final = 2000


@frozen(kw_only=True)
class SetRelation:
    """How two value sets lie to each other.

    Attributes:
        released_in_candidate: whether every released value is a candidate value.
        candidate_in_released: whether every candidate value is a released value.
        reason: why one of them is unknown, `NONE` when both are decided.
    """

    released_in_candidate: Tristate
    candidate_in_released: Tristate
    reason: UndecidedReason = UndecidedReason.NONE

    @property
    def equal(self) -> Tristate:
        """Whether both admit the same values."""
        both = (self.released_in_candidate, self.candidate_in_released)
        if Tristate.NO in both:
            return Tristate.NO
        return Tristate.YES if both == (Tristate.YES, Tristate.YES) else Tristate.UNKNOWN


def compare_sets(released: Json, candidate: Json) -> SetRelation:
    """How the value sets of two self-contained schemas lie to each other, undeclared members counted in."""
    one, other = text_of(released), text_of(candidate)
    if one == other:
        return SetRelation(released_in_candidate=Tristate.YES, candidate_in_released=Tristate.YES)
    return _compare(one, other)


@lru_cache(maxsize=8192)
def _compare(released: bytes, candidate: bytes) -> SetRelation:
    old, new = json.loads(released), json.loads(candidate)
    forth = SubsumptionChecker(own_definitions(old), own_definitions(new), declared=False).decide(old, new)
    back = SubsumptionChecker(own_definitions(new), own_definitions(old), declared=False).decide(new, old)
    answers = [
        canonical_answer(*sides) if found.answer is Tristate.UNKNOWN else found.answer
        for found, sides in ((forth, (old, new)), (back, (new, old)))
    ]
    reason = _reason(forth, back) if Tristate.UNKNOWN in answers else UndecidedReason.NONE
    return SetRelation(released_in_candidate=answers[0], candidate_in_released=answers[1], reason=reason)


def _reason(*found: Subsumption) -> UndecidedReason:
    return next((each.reason for each in found if each.reason), UndecidedReason.NEITHER_WAY)


def canonical_answer(narrow: Json, wide: Json) -> Tristate:
    """What the canonical form says of two small schemas without references: whether the wide one holds the other.

    Schemas with formats whose values nobody knows are left open: it takes listed words for values of such a format.
    """
    texts = text_of(narrow), text_of(wide)
    if any(b'"format"' in text for text in texts) and not all(map(knows_format, _formats((narrow, wide)))):
        return Tristate.UNKNOWN
    if any(len(text) > _SMALL or b'"$ref"' in text for text in texts):
        return Tristate.UNKNOWN
    try:
        inner, outer = (_canonical(text) for text in texts)
        return _ANSWERS.get(str(outer.covers(inner).value), Tristate.UNKNOWN)
    except (ValueError, RecursionError, canonical.CanonicalizationError):
        return Tristate.UNKNOWN


@lru_cache(maxsize=4096)
def _canonical(text: bytes) -> jsonschema_rs.CanonicalSchema:
    return jsonschema_rs.canonicalize(json.loads(text), draft=_DRAFT, validate_formats=True, offline=True)


def _formats(schemas: tuple[Json, Json]) -> Iterator[Json]:
    """Every string that a keyword `format` may hold, those that only stand in listed values included."""
    waiting: list[Json] = [*schemas]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("format"), str):
                yield node["format"]
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node


def knows_format(name: Json) -> bool:
    """True when a string format is one whose values are known here."""
    return isinstance(name, str) and (name in ASSERTED_FORMATS or name in PLAIN)
