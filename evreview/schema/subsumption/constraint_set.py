"""What holds of a value, read out of the forms that it is known to meet: the left side of an subsumption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.discriminators import token
from evreview.schema.formats import NOT_TEXT, Says, asserted, formatted, matches
from evreview.schema.subsumption.interned_schema import (
    TYPES,
    Constraint,
    InternedSchema,
    Items,
    Members,
    SchemaPool,
    concerns,
    exact,
)

# Whether a value is one of a form's, read constraint by constraint; None where nobody knows.
# A guide for the search only: the last word on a witness is a validator's.


_STEPS: Final = 4000
_DEPTH: Final = 200


def holds(form: InternedSchema, value: Json) -> Says:
    """Whether a form admits a value; None when it was not found out, within a limit, or when a format is not known."""
    return _Reading(lenient=False).form(form, value, 0)


def satisfies_all(forms: Iterable[InternedSchema], value: Json) -> Says:
    """Whether every form admits a value, formats that nobody knows taken as names only, as validators do."""
    reading = _Reading(lenient=True)
    return _all(reading.form(form, value, 0) for form in forms)


def kind_of(value: Json) -> str:
    """The type of a value, numbers of both kinds together."""
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    if isinstance(value, (int, float)):
        return "number"
    return "string" if isinstance(value, str) else "object" if isinstance(value, (dict, Mapping)) else "array"


class _Reading:
    def __init__(self, *, lenient: bool) -> None:
        self._left = _STEPS
        self._lenient = lenient
        self._said: dict[tuple[InternedSchema, int], tuple[Says, int]] = {}

    def form(self, form: InternedSchema, value: Json, depth: int) -> Says:
        self._left -= 1
        if self._left < 0 or depth > _DEPTH:
            return None
        return _all(self._constraint(form, constraint, value, depth) for constraint in form.constraints)

    def _constraint(self, form: InternedSchema, constraint: Constraint, value: Json, depth: int) -> Says:
        if constraint[0] == "ref":
            target = form.pool.target(constraint[1], constraint[2])
            return None if target is None else self._shared(target, value, depth + 1)
        made = _COMMON.get(constraint[0])
        if made is not None:
            return made(self, constraint, value, depth)
        kind = kind_of(value)
        plain = _BY_TYPE.get((kind, constraint[0]))
        if plain is not None:
            return plain(constraint, value)
        deep = _DEEP.get((kind, constraint[0]))
        return True if deep is None else deep(self, constraint, value, depth)

    def _shared(self, form: InternedSchema, value: Json, depth: int) -> Says:
        """The answer of a form that others may name too, asked once per value; deeper down nothing more is found."""
        key = form, id(value)
        known = self._said.get(key)
        if known is None or (known[0] is None and depth < known[1]):
            known = self._said[key] = self.form(form, value, depth), depth
        return known[0]

    def enum(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return token(value) in constraint[1].by_token

    def types(self, constraint: Constraint, value: Json, depth: int) -> Says:
        number = exact(value)
        return kind_of(value) in constraint[1] and not (
            constraint[2] and number is not None and number.denominator != 1
        )

    def all(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return self.form(constraint[1], value, depth + 1)

    def any(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return _some(self.form(branch, value, depth + 1) for branch in constraint[1])

    def one(self, constraint: Constraint, value: Json, depth: int) -> Says:
        said = [self.form(branch, value, depth + 1) for branch in constraint[1]]
        if said.count(True) > 1:
            return False
        return None if None in said else said.count(True) == 1

    def negated(self, constraint: Constraint, value: Json, depth: int) -> Says:
        said = self.form(constraint[1], value, depth + 1)
        return None if said is None else not said

    def conditional(self, constraint: Constraint, value: Json, depth: int) -> Says:
        said = self.form(constraint[1], value, depth + 1)
        return None if said is None else self.form(constraint[2 if said else 3], value, depth + 1)

    def unknown(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return None

    def unevaluated(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return None if value and concerns(constraint, kind_of(value)) else True

    def never(self, constraint: Constraint, value: Json, depth: int) -> Says:
        return False

    def format(self, constraint: Constraint, value: Any, depth: int) -> Says:
        if constraint[1] in NOT_TEXT:
            return self._lenient or None if isinstance(value, str) else True
        said = formatted(constraint[1], value) if isinstance(value, str) else True if asserted(constraint[1]) else None
        return self._lenient or None if said is None else said

    def members(self, constraint: Constraint, value: Any, depth: int) -> Says:
        return _all(
            self.form(form, member, depth + 1)
            for name, member in value.items()
            for form in forms_of(constraint[1], name)
        )

    def names(self, constraint: Constraint, value: Any, depth: int) -> Says:
        return _all(self.form(constraint[1], name, depth + 1) for name in value)

    def dependent_schema(self, constraint: Constraint, value: Any, depth: int) -> Says:
        return self.form(constraint[2], value, depth + 1) if constraint[1] in value else True

    def items(self, constraint: Constraint, value: Any, depth: int) -> Says:
        made = [(constraint[1].at(index), item) for index, item in enumerate(value)]
        return _all(self.form(form, item, depth + 1) for form, item in made if form is not None)

    def contains(self, constraint: Constraint, value: Any, depth: int) -> Says:
        said = [self.form(constraint[1], item, depth + 1) for item in value]
        least, most, (low, high) = said.count(True), len(said) - said.count(False), constraint[2:]
        if most < low or (high is not None and least > high):
            return False
        return True if least >= low and (high is None or most <= high) else None


def forms_of(members: Any, name: str) -> list[InternedSchema]:
    """Every form that the member of a name has to meet."""
    found = [members.names[name]] if name in members.names else []
    found += [form for pattern, form in members.patterns.items() if matches(pattern, name)]
    return found or ([members.rest] if members.rest is not None else [])


def _all(said: Iterable[Says]) -> Says:
    unknown = False
    for one in said:
        if one is False:
            return False
        unknown = unknown or one is None
    return None if unknown else True


def _some(said: Iterable[Says]) -> Says:
    unknown = False
    for one in said:
        if one:
            return True
        unknown = unknown or one is None
    return None if unknown else False


def stepped(value: Json, step: Fraction) -> bool:
    """True for a multiple of a step."""
    number = exact(value)
    return number is not None and (number / step).denominator == 1


def _above(constraint: Constraint, value: Json) -> Says:
    number = exact(value)
    return number is not None and (number > constraint[1] or (number == constraint[1] and not constraint[2]))


def _below(constraint: Constraint, value: Json) -> Says:
    number = exact(value)
    return number is not None and (number < constraint[1] or (number == constraint[1] and not constraint[2]))


def _unique(constraint: Constraint, value: Any) -> Says:
    return len({token(item) for item in value}) == len(value)


_COMMON: Final[Mapping[str, Callable[[_Reading, Constraint, Json, int], Says]]] = {
    "enum": _Reading.enum,
    "types": _Reading.types,
    "all": _Reading.all,
    "any": _Reading.any,
    "one": _Reading.one,
    "not": _Reading.negated,
    "if": _Reading.conditional,
    "gap": _Reading.unknown,
    "unevaluated": _Reading.unevaluated,
    "never": _Reading.never,
}
_DEEP: Final[Mapping[tuple[str, str], Callable[[_Reading, Constraint, Any, int], Says]]] = {
    ("string", "format"): _Reading.format,
    ("number", "format"): _Reading.format,
    ("object", "members"): _Reading.members,
    ("object", "names"): _Reading.names,
    ("object", "dependentSchema"): _Reading.dependent_schema,
    ("array", "items"): _Reading.items,
    ("array", "contains"): _Reading.contains,
}
_BY_TYPE: Final[Mapping[tuple[str, str], Callable[[Constraint, Any], Says]]] = {
    ("number", "min"): _above,
    ("number", "max"): _below,
    ("number", "step"): lambda constraint, value: stepped(value, constraint[1]),
    ("string", "minLength"): lambda constraint, value: len(value) >= constraint[1],
    ("string", "maxLength"): lambda constraint, value: len(value) <= constraint[1],
    ("string", "pattern"): lambda constraint, value: matches(constraint[1], value),
    ("array", "minItems"): lambda constraint, value: len(value) >= constraint[1],
    ("array", "maxItems"): lambda constraint, value: len(value) <= constraint[1],
    ("array", "unique"): _unique,
    ("object", "required"): lambda constraint, value: constraint[1] in value,
    ("object", "minProperties"): lambda constraint, value: len(value) >= constraint[1],
    ("object", "maxProperties"): lambda constraint, value: len(value) <= constraint[1],
    ("object", "dependent"): lambda constraint, value: (
        constraint[1] not in value or all(name in value for name in constraint[2])
    ),
}


@dataclass(slots=True)
class ConstraintSet:
    """Everything known of a value without choosing a branch.

    Attributes:
        forms: the forms that it meets, references followed.
        constraints: their constraints, in order.
        types: the types left.
        unions: of each choice still open, its branches; one of them holds.
        refused: forms that it does not meet.
        impossible: True when no value is left.
        conditional: the forms that look at it and are not known to hold, for `asides.Asides` alone.
    """

    forms: set[InternedSchema] = field(default_factory=set)
    constraints: dict[Constraint, None] = field(default_factory=dict)
    types: list[str] = field(default_factory=lambda: list(TYPES))
    unions: list[tuple[InternedSchema, ...]] = field(default_factory=list)
    refused: list[InternedSchema] = field(default_factory=list)
    impossible: bool = False
    conditional: tuple[InternedSchema, ...] | None = None
    members: list[Members] = field(default_factory=list)
    items: list[Items] = field(default_factory=list)
    _kinds: dict[str, list[Constraint]] = field(default_factory=dict)
    _required: set[str] | None = None
    _named: dict[str, list[InternedSchema]] = field(default_factory=dict)
    _loose: list[Members] = field(default_factory=list)
    _mentioned: set[str] | None = None

    def without(self, refused: InternedSchema, pool: SchemaPool) -> list[InternedSchema]:
        """The forms without the word that they refuse one: it says nothing more while that one is taken apart."""
        found = []
        for form in self.forms:
            rest = tuple(constraint for constraint in form.constraints if constraint != ("not", refused))
            found.append(form if len(rest) == len(form.constraints) else pool.of(*rest))
        return found

    def note(self, constraint: Constraint) -> None:
        """One more constraint that holds."""
        if constraint not in self.constraints:
            self.constraints[constraint] = None
            self._kinds.setdefault(constraint[0], []).append(constraint)

    def writes(self, kinds: frozenset[str]) -> bool:
        """True when a constraint of one of some kinds holds."""
        return not kinds.isdisjoint(self._kinds)

    def of(self, *kinds: str) -> Sequence[Constraint]:
        """The constraints of some kinds, in order."""
        if len(kinds) == 1:
            return self._kinds.get(kinds[0], ())
        return [constraint for constraint in self.constraints if constraint[0] in kinds]

    def index(self) -> None:
        """Sorts what is said of members and items, once all is known."""
        self._required = self.required
        self.members = [constraint[1] for constraint in self.of("members")]
        self.items = [constraint[1] for constraint in self.of("items")]
        for members in self.members:
            if members.patterns or members.rest is not None:
                self._loose.append(members)
            else:
                for name, form in members.names.items():
                    self._named.setdefault(name, []).append(form)

    @property
    def required(self) -> set[str]:
        """The members that the value has, those that others bring along included."""
        if self._required is not None:
            return self._required
        found = {constraint[1] for constraint in self.of("required")}
        owed = self.of("dependent")
        while True:
            more = {name for _, has, names in owed if has in found for name in names} - found
            if not more:
                return found
            found |= more

    def most(self, kind: str) -> int | None:
        """The smallest of some upper limits, None without one."""
        return min((constraint[1] for constraint in self.of(kind)), default=None)

    def least(self, kind: str) -> int:
        """The greatest of some lower limits."""
        return max((constraint[1] for constraint in self.of(kind)), default=0)

    def declared(self) -> list[str]:
        """Every name that something is said about, in order."""
        found: dict[str, None] = {}
        for members in self.members:
            found.update(dict.fromkeys(members.names))
        for constraint in self.constraints:
            if constraint[0] in ("required", "dependent", "dependentSchema"):
                found[constraint[1]] = None
        return list(found)

    def mentioned(self, pool: SchemaPool) -> set[str]:
        """Every name that any schema mentions which looks at the same value, in branches and conditions too."""
        if self._mentioned is None:
            self._mentioned = names_in(looking(self.forms, pool))
        return self._mentioned

    def free(self, pool: SchemaPool) -> bool:
        """True for an object that declares no member at all: it is there to carry any."""
        if self.of(FREE[0]):
            return True
        own = (form for form in self.forms if not any(constraint[0] == BESIDE for constraint in form.constraints))
        return not (self._named or self.required or names_in(looking(own, pool)))

    def undeclared(self, name: str, pool: SchemaPool) -> bool:
        """True when members are declared, this one is none of them, and nothing is written about all others."""
        if self.of(FREE[0]) or not all(members.rest is None and not members.patterns for members in self.members):
            return False
        beside = chain(
            (constraint[1] for constraint in self.of(BESIDE)), (one[2] for one in self.of("dependentSchema"))
        )
        if self.of("unevaluated") or name in self.mentioned(pool) or self.free(pool):
            return False
        return not opened(looking(chain(beside, self.refused, *self.unions), pool), pool)

    def member(self, name: str, pool: SchemaPool) -> tuple[InternedSchema, ...]:
        """Every form that the member of a name meets."""
        found: list[InternedSchema] = list(self._named.get(name, ()))
        for members in self._loose:
            said = {pattern: matches(pattern, name) for pattern in members.patterns}
            own = [members.names[name]] if name in members.names else []
            own += [form for pattern, form in members.patterns.items() if said[pattern]]
            alone = not own and None not in said.values() and members.rest is not None
            found += [members.rest] if alone and members.rest is not None else own
        if any(holds(constraint[1], name) is False for constraint in self.of("names")):
            return (pool.nothing,)
        return tuple(dict.fromkeys(form for form in found if form is not pool.anything))

    def rest(self, pool: SchemaPool) -> tuple[InternedSchema, ...]:
        """What members of names that nobody declares meet at least."""
        found = [members.rest for members in self.members if members.rest is not None]
        return tuple(dict.fromkeys(form for form in found if form is not pool.anything))

    def item(self, index: int | None, pool: SchemaPool) -> tuple[InternedSchema, ...]:
        """What the item at an index meets, or with None any item behind all prefixes."""
        found = [items.rest if index is None else items.at(index) for items in self.items]
        return tuple(dict.fromkeys(form for form in found if form is not None and form is not pool.anything))


FREE: Constraint = ("free",)
"""Meets everything. It notes of a free-form object that it is one, before what an assumption mentions joins it."""
BESIDE = "beside"
"""Meets everything. Notes a form that looks at the value where it holds: what that one mentions is declared."""
_NAMING = ("required", "dependent", "dependentSchema")
_DESCRIBING = frozenset({*_NAMING, "members", "names", "unevaluated", "items", "contains"})


def looking(forms: Iterable[InternedSchema], pool: SchemaPool) -> set[InternedSchema]:
    """Every form that looks at the same value as some forms, themselves included."""
    seen = set(forms)
    waiting = list(seen)
    while waiting:
        for constraint in waiting.pop().constraints:
            for form in in_place(constraint, pool):
                if form not in seen:
                    seen.add(form)
                    waiting.append(form)
    return seen


def declares(form: InternedSchema, pool: SchemaPool) -> bool:
    """True for a form that says something of members or items, by itself or by what it holds in place."""
    return any(describes(one) for one in looking((form,), pool))


def describes(form: InternedSchema) -> bool:
    """True for a form that says something of members or items by itself."""
    return any(constraint[0] in _DESCRIBING for constraint in form.constraints)


def described(forms: Iterable[InternedSchema], pool: SchemaPool) -> Iterator[Members]:
    """What some forms, and all that look at the same value, say of members."""
    return (
        constraint[1] for form in looking(forms, pool) for constraint in form.constraints if constraint[0] == "members"
    )


def demands(form: InternedSchema, name: str) -> bool:
    """True when a form demands a member of a name by itself, if only beside another one."""
    return any(
        constraint == ("required", name) or (constraint[0] == "dependent" and name in constraint[2])
        for constraint in form.constraints
    )


def names_in(forms: Iterable[InternedSchema]) -> set[str]:
    """The names of members that some forms mention."""
    found: set[str] = set()
    for form in forms:
        for constraint in form.constraints:
            if constraint[0] == "members":
                found.update(constraint[1].names)
            elif constraint[0] == "names":
                found.update(_listed_names(constraint))
            elif constraint[0] in _NAMING:
                found.add(constraint[1])
                found.update(constraint[2] if constraint[0] == "dependent" else ())
    return found


def _listed_names(constraint: Constraint) -> Iterator[str]:
    """The names that `propertyNames` lists."""
    listed = [inner for inner in constraint[1].constraints if inner[0] == "enum"]
    return (name for inner in listed for name in inner[1].by_token.values() if isinstance(name, str))


def opened(forms: Iterable[InternedSchema], pool: SchemaPool) -> bool:
    """True when any of some forms writes what members without a name are, and does not just refuse them."""
    for form in forms:
        for constraint in form.constraints:
            if constraint[0] == "unevaluated" and constraint[2] == "unevaluatedProperties":
                return True
            if constraint[0] == "members" and (
                constraint[1].patterns or constraint[1].rest not in (None, pool.nothing)
            ):
                return True
    return False


def in_place(constraint: Constraint, pool: SchemaPool) -> tuple[InternedSchema, ...]:
    """The forms by which a constraint looks at the same value."""
    match constraint[0]:
        case "all" | "not" | "beside":
            return (constraint[1],)
        case "any" | "one":
            branches: tuple[InternedSchema, ...] = constraint[1]
            return branches
        case "if":
            return constraint[1:]
        case "dependentSchema":
            return (constraint[2],)
        case "ref":
            target = pool.target(constraint[1], constraint[2])
            return () if target is None else (target,)
    return ()


def gather(forms: Iterable[InternedSchema], pool: SchemaPool) -> ConstraintSet:
    """What holds of a value that meets all forms; made once, nobody changes it."""
    key = tuple(forms)
    if key not in pool.gathered:
        pool.gathered[key] = _gathered(key, pool)
    return pool.gathered[key]


def _gathered(forms: tuple[InternedSchema, ...], pool: SchemaPool) -> ConstraintSet:
    constraint_set = ConstraintSet()
    waiting = list(forms)[::-1]
    choices: list[tuple[InternedSchema, ...]] = []
    conditions: list[Constraint] = []
    while waiting or conditions:
        if not waiting:
            required = constraint_set.required if constraint_set.types == ["object"] else set()
            waiting += [form for _, name, form in conditions if name in required and form not in constraint_set.forms]
            if not waiting:
                break
        form = waiting.pop()
        if form in constraint_set.forms:
            continue
        constraint_set.forms.add(form)
        for constraint in form.constraints:
            constraint_set.note(constraint)
            match constraint[0]:
                case "never":
                    constraint_set.impossible = True
                case "ref":
                    target = pool.target(constraint[1], constraint[2])
                    waiting += [target] if target is not None else []
                case "all":
                    waiting.append(constraint[1])
                case "not":
                    constraint_set.refused.append(constraint[1])
                case "any" | "one":
                    choices.append(constraint[1])
                case "dependentSchema":
                    conditions.append(constraint)
                case "if":
                    choices.append(conditional(constraint, pool))
                case "types":
                    constraint_set.types = [name for name in constraint_set.types if name in constraint[1]]
    constraint_set.unions = [branches for branches in choices if not constraint_set.forms.intersection(branches)]
    constraint_set.refused = list(dict.fromkeys(constraint_set.refused))
    twice = any(
        sum(branch in constraint_set.forms for branch in constraint[1]) > 1 for constraint in constraint_set.of("one")
    )
    constraint_set.impossible = constraint_set.impossible or twice or not constraint_set.types
    constraint_set.index()
    return constraint_set


def conditional(constraint: Constraint, pool: SchemaPool) -> tuple[InternedSchema, InternedSchema]:
    """A condition as two branches."""
    _, when, then, other = constraint
    return pool.of(("all", when), ("all", then)), pool.of(("not", when), ("all", other))


def concerning(form: InternedSchema, kind: str) -> list[Constraint]:
    """The constraints of a form that may refuse values of a type."""
    return [constraint for constraint in form.constraints if concerns(constraint, kind)]
