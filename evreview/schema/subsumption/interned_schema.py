"""What a schema node demands, as literals: tuples that start with what they speak about.

Each literal concerns one type of value or all of them; a value that is of no concern satisfies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from evreview.core.vocabulary import Json
from evreview.shapes.disjoint import token
from evreview.shapes.inclusion.evaluated import ALL_ITEMS, Evaluated, evaluated_by, items_evaluated
from evreview.shapes.inclusion.formats import NOT_TEXT, PLAIN, asserted
from evreview.shapes.inclusion.text_checks import matches

if TYPE_CHECKING:
    from evreview.shapes.inclusion.forms import Form, Pool

Literal = tuple[Any, ...]
TYPES: Final = ("null", "boolean", "number", "string", "array", "object")
UNREAD: Final = "-unread-"
_CONCERNS: Final[Mapping[str, str]] = {
    "free": "",
    "beside": "",
    **dict.fromkeys(("min", "max", "step"), "number"),
    **dict.fromkeys(("minLength", "maxLength", "pattern"), "string"),
    **dict.fromkeys(("items", "minItems", "maxItems", "unique", "contains"), "array"),
    **dict.fromkeys(
        ("members", "required", "minProperties", "maxProperties", "names", "dependent", "dependentSchema"), "object"
    ),
}
_PATTERNS: Final = 3
"""How many expressions may bind names in some values only; each set of them is a demand."""
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")


class Values:
    """Listed values, each under its token."""

    __slots__ = ("by_token", "key")

    def __init__(self, values: Iterable[Json]) -> None:
        self.by_token = {token(value): value for value in values}
        self.key = ("values", tuple(self.by_token))


class Members:
    """What an object says of its members: by name, by pattern, and of all others (None when it does not say)."""

    __slots__ = ("key", "names", "patterns", "rest")

    def __init__(self, names: dict[str, Form], patterns: dict[str, Form], rest: Form | None) -> None:
        self.names, self.patterns, self.rest = names, patterns, rest
        self.key = (
            "members",
            tuple(sorted(names.items(), key=_first)),
            tuple(sorted(patterns.items(), key=_first)),
            rest,
        )


class Items:
    """What an array says of its items: the first ones one by one, and all others."""

    __slots__ = ("key", "prefix", "rest")

    def __init__(self, prefix: tuple[Form, ...], rest: Form | None) -> None:
        self.prefix, self.rest = prefix, rest
        self.key = ("items", prefix, rest)

    def at(self, index: int) -> Form | None:
        """What the item at an index has to be, None when nothing is said."""
        return self.prefix[index] if index < len(self.prefix) else self.rest


def concerns(literal: Literal, kind: str) -> bool:
    """True when a literal may refuse values of a type."""
    if literal[0] == "types":
        return kind not in literal[1] or (kind == "number" and bool(literal[2]))
    if literal[0] == "unevaluated":
        return kind == ("object" if literal[2] == "unevaluatedProperties" else "array")
    if literal[0] == "format":
        # What a format of numbers says of numbers stands beside it, as bounds.
        return kind == "string" or (kind == "number" and not asserted(literal[1]) and literal[1] not in NOT_TEXT)
    return _CONCERNS.get(literal[0], kind) == kind


def literals_of(form: Form) -> tuple[Literal, ...]:
    """The literals of one node."""
    node = form.node
    if not isinstance(node, (dict, Mapping)):
        return (("never",),) if node is False else ()
    found = [*_plain(form, node), *_composed(form, node), *_arrays(form, node), *_objects(form, node)]
    return tuple(dict.fromkeys(found))


def _plain(form: Form, node: Mapping[str, Json]) -> Iterator[Literal]:
    kinds = node.get("type")
    if kinds is not None:
        names = {name for name in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(name, str)}
        whole = "integer" in names and "number" not in names
        yield "types", frozenset("number" if name == "integer" else name for name in names), whole
    for keyword in ("enum", "const"):
        if keyword in node:
            listed = node[keyword] if keyword == "enum" else [node[keyword]]
            if isinstance(listed, list):
                yield "enum", form.pool.interned(Values(listed))
    yield from _numbers(node)
    for keyword in _COUNTS:
        count = node.get(keyword)
        if isinstance(count, (int, float)) and not isinstance(count, bool) and (keyword[1] == "a" or count > 0):
            yield keyword, int(count)
    if isinstance(node.get("pattern"), str):
        yield "pattern", node["pattern"]
    if isinstance(node.get("format"), str) and node["format"] not in PLAIN:
        yield "format", node["format"]


def _numbers(node: Mapping[str, Json]) -> Iterator[Literal]:
    for keyword, kind, open_end in (
        ("minimum", "min", False),
        ("exclusiveMinimum", "min", True),
        ("maximum", "max", False),
        ("exclusiveMaximum", "max", True),
    ):
        bound = exact(node.get(keyword))
        if bound is not None:
            yield kind, bound, open_end
    step = exact(node.get("multipleOf"))
    if step is not None and step > 0:
        yield "step", step


def exact(value: Json) -> Fraction | None:
    """A number as it is written, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))
    except (InvalidOperation, ValueError, OverflowError):
        return None


def _composed(form: Form, node: Mapping[str, Json]) -> Iterator[Literal]:
    ref = node.get("$ref")
    if isinstance(ref, str):
        name = ref.removeprefix("#/$defs/")
        yield ("gap", name) if name.startswith(UNREAD) else ("ref", form.pool.name_side(form.side, name), name)
    for member in _list_or_empty(node.get("allOf")):
        yield "all", form.child(member)
    for keyword, kind in (("anyOf", "any"), ("oneOf", "one")):
        branches = _list_or_empty(node.get(keyword))
        if branches:
            forms = tuple(form.child(branch) for branch in branches)
            if len(forms) == 1:
                yield "all", forms[0]
                continue
            if kind == "one" and forms.count(form.pool.anything) == 1:
                yield from (("not", other) for other in forms if other is not form.pool.anything)
                continue
            united = _united(forms, distinct=kind == "one")
            yield (kind, forms) if united is None else ("enum", form.pool.interned(united))
    if "not" in node:
        yield "not", form.child(node["not"])
    if "if" in node and ("then" in node or "else" in node):
        yield "if", form.child(node["if"]), form.child(node.get("then", True)), form.child(node.get("else", True))


def _united(forms: tuple[Form, ...], *, distinct: bool) -> Values | None:
    """The values of branches that only list some, None where a branch says more or one value is listed twice."""
    found: dict[str, Json] = {}
    count = 0
    for form in forms:
        if len(form.literals) != 1 or form.literals[0][0] != "enum":
            return None
        found.update(form.literals[0][1].by_token)
        count += len(form.literals[0][1].by_token)
    return None if distinct and count != len(found) else Values(found.values())


def _arrays(form: Form, node: Mapping[str, Json]) -> Iterator[Literal]:
    prefix = tuple(form.child(item) for item in _list_or_empty(node.get("prefixItems")))
    rest = form.child(node["items"]) if "items" in node and not isinstance(node["items"], list) else None
    if prefix or rest is not None:
        yield "items", form.pool.interned(Items(prefix, rest))
    if node.get("uniqueItems") is True:
        yield ("unique",)
    if "contains" in node:
        low, high = node.get("minContains", 1), node.get("maxContains")
        yield (
            "contains",
            form.child(node["contains"]),
            int(low) if isinstance(low, (int, float)) else 1,
            int(high) if isinstance(high, (int, float)) else None,
        )
    if "unevaluatedItems" in node and node["unevaluatedItems"] is not True:
        yield from _left_over(form, form.child(node["unevaluatedItems"]), items_evaluated(form, node))


def _left_over(form: Form, rest: Form, evaluated: int | None) -> Iterator[Literal]:
    """`unevaluatedItems` said without it: as all other items, where no branch decides what was evaluated."""
    if evaluated is None:
        yield "unevaluated", form, "unevaluatedItems"
    elif evaluated != ALL_ITEMS:
        yield "items", form.pool.interned(Items((form.pool.anything,) * evaluated, rest))


def _objects(form: Form, node: Mapping[str, Json]) -> Iterator[Literal]:
    names, patterns = _mapped(form, node, "properties"), _mapped(form, node, "patternProperties")
    rest = form.child(node["additionalProperties"]) if "additionalProperties" in node else None
    if names or patterns or rest is not None:
        yield "members", form.pool.interned(Members(names, patterns, rest))
    for name in _list_or_empty(node.get("required")):
        yield "required", name
    if "propertyNames" in node:
        yield "names", form.child(node["propertyNames"])
    owed = node.get("dependentRequired")
    for name, more in owed.items() if isinstance(owed, (dict, Mapping)) else ():
        yield "dependent", name, frozenset(str(other) for other in _list_or_empty(more))
    for name, sub in _mapped(form, node, "dependentSchemas").items():
        yield "dependentSchema", name, sub
    if "unevaluatedProperties" in node:
        yield from _unevaluated(form, form.child(node["unevaluatedProperties"]), evaluated_by(form, node))


def _unevaluated(form: Form, rest: Form, found: Evaluated | None) -> Iterator[Literal]:
    """`unevaluatedProperties` said without it.

    All names and patterns that may be evaluated are declared, and `rest` holds for all others. What not every value
    evaluates brings a choice along: something that evaluates it holds, or `rest` does. Patterns may overlap, so that
    there is a choice for every set of them: something that evaluates one of them, or all others and `rest`.
    """
    pool = form.pool
    if found is not None and pool.anything in found.everything:
        return
    if rest is pool.anything:
        # All of them are admitted, as with `additionalProperties`: the openness is written.
        yield "members", pool.interned(Members({}, {}, rest))
        return
    names = {} if found is None else _sometimes(found.names, pool)
    patterns = {} if found is None else _sometimes(found.patterns, pool)
    if found is None or len(patterns) > _PATTERNS:
        yield "unevaluated", form, "unevaluatedProperties"
        return
    demanded: list[Literal] = []
    for absent in (kept for count in range(len(patterns) + 1) for kept in combinations(patterns, count)):
        bound = {pattern: pool.anything for pattern in found.patterns if pattern not in absent}
        left = ("members", pool.interned(Members(dict.fromkeys(found.names, pool.anything), bound, rest)))
        some = dict.fromkeys(way for pattern in absent for way in patterns[pattern])
        demanded.append(("any", (*some, pool.of(left))) if absent else left)
    for name, ways in names.items():
        if (demand := _evaluated_or(name, list(ways), found, rest)) is None:
            yield "unevaluated", form, "unevaluatedProperties"
            return
        demanded += demand
    yield from [("any", (*found.everything, pool.of(*demanded)))] if found.everything else demanded


def _sometimes(told: Mapping[str, list[Form]], pool: Pool) -> dict[str, list[Form]]:
    """What only some values evaluate, each with the conditions."""
    return {name: ways for name, ways in told.items() if pool.anything not in ways}


def _evaluated_or(name: str, ways: list[Form], found: Evaluated, rest: Form) -> list[Literal] | None:
    """That a member is evaluated one way or another, or meets `rest`; None where an expression can't be read."""
    pool = rest.pool
    said = {pattern: matches(pattern, name) for pattern in found.patterns}
    if None in said.values():
        return None
    ways += [way for pattern, matched in said.items() if matched for way in found.patterns[pattern]]
    if pool.anything in ways:
        return []
    alone = () if rest is pool.nothing else (pool.of(("members", pool.only(name, rest))),)
    return [("dependentSchema", name, _any_of(pool, (*ways, *alone)))]


def _any_of(pool: Pool, ways: tuple[Form, ...]) -> Form:
    ways = tuple(dict.fromkeys(ways))
    return ways[0] if len(ways) == 1 else pool.of(("any", ways))


def _mapped(form: Form, node: Mapping[str, Json], keyword: str) -> dict[str, Form]:
    found = node.get(keyword)
    return {name: form.child(sub) for name, sub in found.items()} if isinstance(found, (dict, Mapping)) else {}


def _list_or_empty(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _first(pair: tuple[str, Any]) -> str:
    return pair[0]
