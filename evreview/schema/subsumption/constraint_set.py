"""What holds of a value, read out of the forms that it is known to meet: the left side of an inclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.discriminators import token
from evreview.schema.formats import NOT_TEXT, Says, asserted, formatted, matches
from evreview.schema.subsumption.interned_schema import TYPES, Form, Items, Literal, Members, Pool, concerns, exact

# Whether a value is one of a form's, read literal by literal; None where nobody knows.
# A guide for the search only: the last word on a witness is a validator's.


_STEPS: Final = 4000
_DEPTH: Final = 200


def holds(form: Form, value: Json) -> Says:
    """Whether a form admits a value; None when it was not found out, within a limit, or when a format is not known."""
    return _Reading(lenient=False).form(form, value, 0)


def all_hold(forms: Iterable[Form], value: Json) -> Says:
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
        self._said: dict[tuple[Form, int], tuple[Says, int]] = {}

    def form(self, form: Form, value: Json, depth: int) -> Says:
        self._left -= 1
        if self._left < 0 or depth > _DEPTH:
            return None
        return _all(self._literal(form, literal, value, depth) for literal in form.literals)

    def _literal(self, form: Form, literal: Literal, value: Json, depth: int) -> Says:
        if literal[0] == "ref":
            target = form.pool.target(literal[1], literal[2])
            return None if target is None else self._shared(target, value, depth + 1)
        made = _COMMON.get(literal[0])
        if made is not None:
            return made(self, literal, value, depth)
        kind = kind_of(value)
        plain = _BY_TYPE.get((kind, literal[0]))
        if plain is not None:
            return plain(literal, value)
        deep = _DEEP.get((kind, literal[0]))
        return True if deep is None else deep(self, literal, value, depth)

    def _shared(self, form: Form, value: Json, depth: int) -> Says:
        """The answer of a form that others may name too, asked once per value; deeper down nothing more is found."""
        key = form, id(value)
        known = self._said.get(key)
        if known is None or (known[0] is None and depth < known[1]):
            known = self._said[key] = self.form(form, value, depth), depth
        return known[0]

    def enum(self, literal: Literal, value: Json, depth: int) -> Says:
        return token(value) in literal[1].by_token

    def types(self, literal: Literal, value: Json, depth: int) -> Says:
        number = exact(value)
        return kind_of(value) in literal[1] and not (literal[2] and number is not None and number.denominator != 1)

    def all(self, literal: Literal, value: Json, depth: int) -> Says:
        return self.form(literal[1], value, depth + 1)

    def any(self, literal: Literal, value: Json, depth: int) -> Says:
        return _some(self.form(branch, value, depth + 1) for branch in literal[1])

    def one(self, literal: Literal, value: Json, depth: int) -> Says:
        said = [self.form(branch, value, depth + 1) for branch in literal[1]]
        if said.count(True) > 1:
            return False
        return None if None in said else said.count(True) == 1

    def negated(self, literal: Literal, value: Json, depth: int) -> Says:
        said = self.form(literal[1], value, depth + 1)
        return None if said is None else not said

    def conditional(self, literal: Literal, value: Json, depth: int) -> Says:
        said = self.form(literal[1], value, depth + 1)
        return None if said is None else self.form(literal[2 if said else 3], value, depth + 1)

    def unknown(self, literal: Literal, value: Json, depth: int) -> Says:
        return None

    def unevaluated(self, literal: Literal, value: Json, depth: int) -> Says:
        return None if value and concerns(literal, kind_of(value)) else True

    def never(self, literal: Literal, value: Json, depth: int) -> Says:
        return False

    def format(self, literal: Literal, value: Any, depth: int) -> Says:
        if literal[1] in NOT_TEXT:
            return self._lenient or None if isinstance(value, str) else True
        said = formatted(literal[1], value) if isinstance(value, str) else True if asserted(literal[1]) else None
        return self._lenient or None if said is None else said

    def members(self, literal: Literal, value: Any, depth: int) -> Says:
        return _all(
            self.form(form, member, depth + 1) for name, member in value.items() for form in forms_of(literal[1], name)
        )

    def names(self, literal: Literal, value: Any, depth: int) -> Says:
        return _all(self.form(literal[1], name, depth + 1) for name in value)

    def dependent_schema(self, literal: Literal, value: Any, depth: int) -> Says:
        return self.form(literal[2], value, depth + 1) if literal[1] in value else True

    def items(self, literal: Literal, value: Any, depth: int) -> Says:
        made = [(literal[1].at(index), item) for index, item in enumerate(value)]
        return _all(self.form(form, item, depth + 1) for form, item in made if form is not None)

    def contains(self, literal: Literal, value: Any, depth: int) -> Says:
        said = [self.form(literal[1], item, depth + 1) for item in value]
        least, most, (low, high) = said.count(True), len(said) - said.count(False), literal[2:]
        if most < low or (high is not None and least > high):
            return False
        return True if least >= low and (high is None or most <= high) else None


def forms_of(members: Any, name: str) -> list[Form]:
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


def _above(literal: Literal, value: Json) -> Says:
    number = exact(value)
    return number is not None and (number > literal[1] or (number == literal[1] and not literal[2]))


def _below(literal: Literal, value: Json) -> Says:
    number = exact(value)
    return number is not None and (number < literal[1] or (number == literal[1] and not literal[2]))


def _unique(literal: Literal, value: Any) -> Says:
    return len({token(item) for item in value}) == len(value)


_COMMON: Final[Mapping[str, Callable[[_Reading, Literal, Json, int], Says]]] = {
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
_DEEP: Final[Mapping[tuple[str, str], Callable[[_Reading, Literal, Any, int], Says]]] = {
    ("string", "format"): _Reading.format,
    ("number", "format"): _Reading.format,
    ("object", "members"): _Reading.members,
    ("object", "names"): _Reading.names,
    ("object", "dependentSchema"): _Reading.dependent_schema,
    ("array", "items"): _Reading.items,
    ("array", "contains"): _Reading.contains,
}
_BY_TYPE: Final[Mapping[tuple[str, str], Callable[[Literal, Any], Says]]] = {
    ("number", "min"): _above,
    ("number", "max"): _below,
    ("number", "step"): lambda literal, value: stepped(value, literal[1]),
    ("string", "minLength"): lambda literal, value: len(value) >= literal[1],
    ("string", "maxLength"): lambda literal, value: len(value) <= literal[1],
    ("string", "pattern"): lambda literal, value: matches(literal[1], value),
    ("array", "minItems"): lambda literal, value: len(value) >= literal[1],
    ("array", "maxItems"): lambda literal, value: len(value) <= literal[1],
    ("array", "unique"): _unique,
    ("object", "required"): lambda literal, value: literal[1] in value,
    ("object", "minProperties"): lambda literal, value: len(value) >= literal[1],
    ("object", "maxProperties"): lambda literal, value: len(value) <= literal[1],
    ("object", "dependent"): lambda literal, value: (
        literal[1] not in value or all(name in value for name in literal[2])
    ),
}


@dataclass(slots=True)
class Given:
    """Everything known of a value without choosing a branch.

    Attributes:
        forms: the forms that it meets, references followed.
        literals: their literals, in order.
        types: the types left.
        unions: of each choice still open, its branches; one of them holds.
        refused: forms that it does not meet.
        impossible: True when no value is left.
        aside: the forms that look at it and are not known to hold, for `asides.Asides` alone.
    """

    forms: set[Form] = field(default_factory=set)
    literals: dict[Literal, None] = field(default_factory=dict)
    types: list[str] = field(default_factory=lambda: list(TYPES))
    unions: list[tuple[Form, ...]] = field(default_factory=list)
    refused: list[Form] = field(default_factory=list)
    impossible: bool = False
    aside: tuple[Form, ...] | None = None
    members: list[Members] = field(default_factory=list)
    items: list[Items] = field(default_factory=list)
    _kinds: dict[str, list[Literal]] = field(default_factory=dict)
    _required: set[str] | None = None
    _named: dict[str, list[Form]] = field(default_factory=dict)
    _loose: list[Members] = field(default_factory=list)
    _mentioned: set[str] | None = None

    def without(self, refused: Form, pool: Pool) -> list[Form]:
        """The forms without the word that they refuse one: it says nothing more while that one is taken apart."""
        found = []
        for form in self.forms:
            rest = tuple(literal for literal in form.literals if literal != ("not", refused))
            found.append(form if len(rest) == len(form.literals) else pool.of(*rest))
        return found

    def note(self, literal: Literal) -> None:
        """One more literal that holds."""
        if literal not in self.literals:
            self.literals[literal] = None
            self._kinds.setdefault(literal[0], []).append(literal)

    def writes(self, kinds: frozenset[str]) -> bool:
        """True when a literal of one of some kinds holds."""
        return not kinds.isdisjoint(self._kinds)

    def of(self, *kinds: str) -> Sequence[Literal]:
        """The literals of some kinds, in order."""
        if len(kinds) == 1:
            return self._kinds.get(kinds[0], ())
        return [literal for literal in self.literals if literal[0] in kinds]

    def index(self) -> None:
        """Sorts what is said of members and items, once all is known."""
        self._required = self.required
        self.members = [literal[1] for literal in self.of("members")]
        self.items = [literal[1] for literal in self.of("items")]
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
        found = {literal[1] for literal in self.of("required")}
        owed = self.of("dependent")
        while True:
            more = {name for _, has, names in owed if has in found for name in names} - found
            if not more:
                return found
            found |= more

    def most(self, kind: str) -> int | None:
        """The smallest of some upper limits, None without one."""
        return min((literal[1] for literal in self.of(kind)), default=None)

    def least(self, kind: str) -> int:
        """The greatest of some lower limits."""
        return max((literal[1] for literal in self.of(kind)), default=0)

    def declared(self) -> list[str]:
        """Every name that something is said about, in order."""
        found: dict[str, None] = {}
        for members in self.members:
            found.update(dict.fromkeys(members.names))
        for literal in self.literals:
            if literal[0] in ("required", "dependent", "dependentSchema"):
                found[literal[1]] = None
        return list(found)

    def mentioned(self, pool: Pool) -> set[str]:
        """Every name that any schema mentions which looks at the same value, in branches and conditions too."""
        if self._mentioned is None:
            self._mentioned = names_in(looking(self.forms, pool))
        return self._mentioned

    def free(self, pool: Pool) -> bool:
        """True for an object that declares no member at all: it is there to carry any."""
        if self.of(FREE[0]):
            return True
        own = (form for form in self.forms if not any(literal[0] == BESIDE for literal in form.literals))
        return not (self._named or self.required or names_in(looking(own, pool)))

    def undeclared(self, name: str, pool: Pool) -> bool:
        """True when members are declared, this one is none of them, and nothing is written about all others."""
        if self.of(FREE[0]) or not all(members.rest is None and not members.patterns for members in self.members):
            return False
        beside = chain((literal[1] for literal in self.of(BESIDE)), (one[2] for one in self.of("dependentSchema")))
        if self.of("unevaluated") or name in self.mentioned(pool) or self.free(pool):
            return False
        return not opened(looking(chain(beside, self.refused, *self.unions), pool), pool)

    def member(self, name: str, pool: Pool) -> tuple[Form, ...]:
        """Every form that the member of a name meets."""
        found: list[Form] = list(self._named.get(name, ()))
        for members in self._loose:
            said = {pattern: matches(pattern, name) for pattern in members.patterns}
            own = [members.names[name]] if name in members.names else []
            own += [form for pattern, form in members.patterns.items() if said[pattern]]
            alone = not own and None not in said.values() and members.rest is not None
            found += [members.rest] if alone and members.rest is not None else own
        if any(holds(literal[1], name) is False for literal in self.of("names")):
            return (pool.nothing,)
        return tuple(dict.fromkeys(form for form in found if form is not pool.anything))

    def rest(self, pool: Pool) -> tuple[Form, ...]:
        """What members of names that nobody declares meet at least."""
        found = [members.rest for members in self.members if members.rest is not None]
        return tuple(dict.fromkeys(form for form in found if form is not pool.anything))

    def item(self, index: int | None, pool: Pool) -> tuple[Form, ...]:
        """What the item at an index meets, or with None any item behind all prefixes."""
        found = [items.rest if index is None else items.at(index) for items in self.items]
        return tuple(dict.fromkeys(form for form in found if form is not None and form is not pool.anything))


FREE: Literal = ("free",)
"""Meets everything. It notes of a free-form object that it is one, before what an assumption mentions joins it."""
BESIDE = "beside"
"""Meets everything. Notes a form that looks at the value where it holds: what that one mentions is declared."""
_NAMING = ("required", "dependent", "dependentSchema")
_DESCRIBING = frozenset({*_NAMING, "members", "names", "unevaluated", "items", "contains"})


def looking(forms: Iterable[Form], pool: Pool) -> set[Form]:
    """Every form that looks at the same value as some forms, themselves included."""
    seen = set(forms)
    waiting = list(seen)
    while waiting:
        for literal in waiting.pop().literals:
            for form in in_place(literal, pool):
                if form not in seen:
                    seen.add(form)
                    waiting.append(form)
    return seen


def declares(form: Form, pool: Pool) -> bool:
    """True for a form that says something of members or items, by itself or by what it holds in place."""
    return any(describes(one) for one in looking((form,), pool))


def describes(form: Form) -> bool:
    """True for a form that says something of members or items by itself."""
    return any(literal[0] in _DESCRIBING for literal in form.literals)


def described(forms: Iterable[Form], pool: Pool) -> Iterator[Members]:
    """What some forms, and all that look at the same value, say of members."""
    return (literal[1] for form in looking(forms, pool) for literal in form.literals if literal[0] == "members")


def demands(form: Form, name: str) -> bool:
    """True when a form demands a member of a name by itself, if only beside another one."""
    return any(
        literal == ("required", name) or (literal[0] == "dependent" and name in literal[2]) for literal in form.literals
    )


def names_in(forms: Iterable[Form]) -> set[str]:
    """The names of members that some forms mention."""
    found: set[str] = set()
    for form in forms:
        for literal in form.literals:
            if literal[0] == "members":
                found.update(literal[1].names)
            elif literal[0] == "names":
                found.update(_listed_names(literal))
            elif literal[0] in _NAMING:
                found.add(literal[1])
                found.update(literal[2] if literal[0] == "dependent" else ())
    return found


def _listed_names(literal: Literal) -> Iterator[str]:
    """The names that `propertyNames` lists."""
    listed = [inner for inner in literal[1].literals if inner[0] == "enum"]
    return (name for inner in listed for name in inner[1].by_token.values() if isinstance(name, str))


def opened(forms: Iterable[Form], pool: Pool) -> bool:
    """True when any of some forms writes what members without a name are, and does not just refuse them."""
    for form in forms:
        for literal in form.literals:
            if literal[0] == "unevaluated" and literal[2] == "unevaluatedProperties":
                return True
            if literal[0] == "members" and (literal[1].patterns or literal[1].rest not in (None, pool.nothing)):
                return True
    return False


def in_place(literal: Literal, pool: Pool) -> tuple[Form, ...]:
    """The forms by which a literal looks at the same value."""
    match literal[0]:
        case "all" | "not" | "beside":
            return (literal[1],)
        case "any" | "one":
            branches: tuple[Form, ...] = literal[1]
            return branches
        case "if":
            return literal[1:]
        case "dependentSchema":
            return (literal[2],)
        case "ref":
            target = pool.target(literal[1], literal[2])
            return () if target is None else (target,)
    return ()


def gather(forms: Iterable[Form], pool: Pool) -> Given:
    """What holds of a value that meets all forms; made once, nobody changes it."""
    key = tuple(forms)
    if key not in pool.gathered:
        pool.gathered[key] = _gathered(key, pool)
    return pool.gathered[key]


def _gathered(forms: tuple[Form, ...], pool: Pool) -> Given:
    given = Given()
    waiting = list(forms)[::-1]
    choices: list[tuple[Form, ...]] = []
    conditions: list[Literal] = []
    while waiting or conditions:
        if not waiting:
            required = given.required if given.types == ["object"] else set()
            waiting += [form for _, name, form in conditions if name in required and form not in given.forms]
            if not waiting:
                break
        form = waiting.pop()
        if form in given.forms:
            continue
        given.forms.add(form)
        for literal in form.literals:
            given.note(literal)
            match literal[0]:
                case "never":
                    given.impossible = True
                case "ref":
                    target = pool.target(literal[1], literal[2])
                    waiting += [target] if target is not None else []
                case "all":
                    waiting.append(literal[1])
                case "not":
                    given.refused.append(literal[1])
                case "any" | "one":
                    choices.append(literal[1])
                case "dependentSchema":
                    conditions.append(literal)
                case "if":
                    choices.append(conditional(literal, pool))
                case "types":
                    given.types = [name for name in given.types if name in literal[1]]
    given.unions = [branches for branches in choices if not given.forms.intersection(branches)]
    given.refused = list(dict.fromkeys(given.refused))
    twice = any(sum(branch in given.forms for branch in literal[1]) > 1 for literal in given.of("one"))
    given.impossible = given.impossible or twice or not given.types
    given.index()
    return given


def conditional(literal: Literal, pool: Pool) -> tuple[Form, Form]:
    """A condition as two branches."""
    _, when, then, other = literal
    return pool.of(("all", when), ("all", then)), pool.of(("not", when), ("all", other))


def concerning(form: Form, kind: str) -> list[Literal]:
    """The literals of a form that may refuse values of a type."""
    return [literal for literal in form.literals if concerns(literal, kind)]
