"""Whether a value is one of a form's, read literal by literal; None where nobody knows.

A guide for the search only: the last word on a witness is a validator's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from evreview.core.vocabulary import Json
from evreview.schema.subsumption.interned_schema import Literal, concerns, exact
from evreview.shapes.disjoint import token
from evreview.shapes.inclusion.formats import NOT_TEXT, asserted
from evreview.shapes.inclusion.forms import Form
from evreview.shapes.inclusion.text_checks import Says, formatted, matches

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
