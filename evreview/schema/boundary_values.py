"""Small values of a schema, in a fixed order: where its own limits and the limits of another schema lie.

Values are guesses that aim at the border between two sets. Nothing here decides membership: validators do.
`value_generator` builds values that are admitted; `witness_search` of `comparison.proof` aims at what one row changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from evreview.core.json_text import sorted_text
from evreview.core.vocabulary import Json
from evreview.schema.regular_languages import Writer, words_between
from evreview.schema.validators import Unusable, validator

# Small strings: of a length, of a format, of a pattern. All in a fixed order.


FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "date": ("2024-01-31",),
    "date-time": ("2024-01-31T12:00:00Z",),
    "time": ("12:00:00Z",),
    "duration": ("P1D",),
    "email": ("a@example.test",),
    "hostname": ("example.test",),
    "idn-hostname": ("\u00e9.test",),
    "ipv4": ("192.0.2.1",),
    "ipv6": ("2001:db8::1",),
    "uri": ("https://example.test/",),
    "uri-reference": ("/a",),
    "iri": ("https://example.test/\u00e9",),
    "iri-reference": ("/\u00e9",),
    "uuid": ("00000000-0000-4000-8000-000000000000",),
    "json-pointer": ("/a",),
    "relative-json-pointer": ("0/a",),
    "regex": ("a",),
}
_SHORT: Final[Mapping[str, str]] = {"email": "a@b.c", "hostname": "a", "uri": "a:", "ipv6": "::"}
_LONGEST_TEXT: Final = 4096
_PLAIN: Final = ("", "a", "0", "A", " ", "!", "\u00e9")
_WHATEVER: Final = "a"


def texts(node: Mapping[str, Any], other: Mapping[str, Any], longest: int) -> Iterator[Json]:
    """Strings that may satisfy `node` and lie near the limits of `other`."""
    own, border = node.get("pattern"), other.get("pattern")
    if isinstance(border, str):
        yield from words_between(own if isinstance(own, str) else "", border)
    for source in (node, other):
        yield from FORMATS.get(str(source.get("format")), ())
        if source is node:
            yield from _fitted(node)
        if isinstance(source.get("pattern"), str):
            yield from matching(source["pattern"])
    if isinstance(own, str) and "format" in node:
        # An end that the expression asks for, behind the start that the format does.
        yield from (_WHATEVER + text for text in matching(own)[:3])
        yield from _spliced(node, own)
    yield from _PLAIN
    for size in _lengths(node, other, longest):
        yield _WHATEVER * size
        for pattern in (node.get("pattern"), other.get("pattern")):
            if isinstance(pattern, str):
                yield from _stretched(pattern, size)


def _fitted(node: Mapping[str, Any]) -> Iterator[str]:
    """Texts of the format or pattern that are as long, or as short, as they have to be."""
    form, own = str(node.get("format")), node.get("pattern")
    least, most = node.get("minLength"), node.get("maxLength")
    known = [*FORMATS.get(form, ()), *(matching(own) if isinstance(own, str) else ())]
    if isinstance(least, int):
        missing = [(text, min(least, _LONGEST_TEXT) - len(text)) for text in known if len(text) < least]
        for text, few in missing[:3]:
            # An expression that is not anchored matches anywhere; what stands at its end may have to go on.
            yield text + _WHATEVER * few
            yield _WHATEVER * few + text
            yield text + text[-1:] * few
    if isinstance(most, int) and form in _SHORT and all(len(text) > most for text in known):
        yield _SHORT[form]


def _spliced(node: Mapping[str, Any], own: str) -> Iterator[str]:
    """A start that the expression asks for, before an end that the format does."""
    for start in matching(own)[:1]:
        for text in FORMATS.get(str(node["format"]), ()):
            yield from (start + text[at:] for at in range(1, len(text)))


def matching(pattern: str) -> list[str]:
    """A few short strings that a regular expression matches; none when its syntax is not understood."""
    tree = _parsed(pattern)
    ahead = _ahead(tree)
    made = _written(tree, (0, 1, 2), refused=False)
    return sorted({ahead + text[len(ahead) :] for text in made}, key=lambda text: (len(text), text))


def missing(pattern: str) -> list[str]:
    """A few short strings that only a look or a reference back keeps a regular expression from matching."""
    return sorted(_written(_parsed(pattern), (0, 1), refused=True), key=lambda text: (len(text), text))


def _parsed(pattern: str) -> Any:
    try:
        return parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def _written(tree: Any, rounds: Iterable[int], *, refused: bool) -> set[str]:
    if tree is None:
        return set()
    made = (Writer(last, refused).text(tree, extra) for extra in rounds for last in (False, True))
    return {text for text in made if text is not None}


def _ahead(tree: Any) -> str:
    """One text for all that an expression looks ahead to, each part once: "a0" for a letter and a digit somewhere."""
    looks = [argument[1] for operation, argument in tree or () if operation is sre.ASSERT and argument[0] > 0]
    return "".join(dict.fromkeys(Writer().text(look) or "" for look in looks))


def _stretched(pattern: str, size: int) -> Iterator[str]:
    tree = _parsed(pattern)
    base = None if tree is None else Writer().text(tree)
    if base is not None and len(base) < size:
        longer = Writer().text(tree, size - len(base))
        if longer is not None:
            yield longer[:size]


def _lengths(node: Mapping[str, Any], other: Mapping[str, Any], longest: int) -> list[int]:
    asked = [node.get("minLength"), node.get("maxLength")]
    asked += [other["minLength"] - 1] if isinstance(other.get("minLength"), int) else []
    asked += [other["maxLength"] + 1] if isinstance(other.get("maxLength"), int) else []
    return sorted({size for size in asked if isinstance(size, int) and 0 < size <= longest})


_DEPTH: Final = 7
_PER_NODE: Final = 40
_STEPS: Final = 1500
"""How many nodes one search looks at; contracts whose branches multiply would never end."""
_LONGEST_SAMPLE: Final = 4096
_WIDEST: Final = 1100
_TYPES: Final = ("null", "boolean", "integer", "number", "string", "array", "object")
_ANYTHING: Final[tuple[Json, ...]] = (0, "", None, [], {}, False, 0.5)
Definition = Callable[[str], Json | None]
Node = dict[str, Any]


class BoundaryValues:
    """Values of schemas whose references `definition` looks up, `hinted` those of hints; `steps` bounds the work."""

    def __init__(self, definition: Definition, hinted: Definition | None = None, steps: int = _STEPS) -> None:
        self._definition = definition
        self._hinted = hinted if hinted is not None else definition
        self._minimal: dict[str, tuple[Json] | None] = {}
        self._steps = steps

    def values(self, schema: Json, hint: Json = True, depth: int = 0) -> list[Json]:
        """Up to 40 values (all of an enumeration) that `schema` may admit, aimed at `hint`, smallest first."""
        self._steps -= 1
        if self._steps < 0 or depth > _DEPTH:
            return []
        node, other = self._flat(schema), self._flat(hint, hinted=True)
        if node is None:
            return []
        if not node and depth and _is_open(hint):
            return list(_ANYTHING)
        found = list(self._branches(node, hint, depth)) or list(self._of(node, other or {}, depth))
        return _smallest(found, None if "enum" in node else _PER_NODE)

    def minimal(self, schema: Json, depth: int = 0) -> tuple[Json] | None:
        """The smallest value found for a schema as a 1-tuple, None when there is none."""
        key = sorted_text(schema)
        if key not in self._minimal:
            self._minimal[key] = None
            found = self._checked(schema, self.values(schema, True, depth))
            self._minimal[key] = (found[0],) if found else None
        return self._minimal[key]

    def _checked(self, schema: Json, values: list[Json]) -> list[Json]:
        """The values that really belong to a schema, as far as that can be asked without definitions."""
        flat = self._flat(schema)
        if flat is None or "$ref" in _key(flat):
            return values
        try:
            admits = validator(flat)
        except Unusable:
            return values
        return [value for value in values if admits.is_valid(value)]

    def _branches(self, node: Node, hint: Json, depth: int) -> Iterator[Json]:
        for keyword in ("oneOf", "anyOf"):
            branches = node.get(keyword)
            if isinstance(branches, list):
                rest = {key: value for key, value in node.items() if key != keyword}
                for branch in branches[:12]:
                    yield from self.values({"allOf": [rest, branch]}, hint, depth + 1)
                return

    def _of(self, node: Node, other: Node, depth: int) -> Iterator[Json]:
        if "const" in node:
            yield node["const"]
        elif isinstance(node.get("enum"), list):
            yield from node["enum"]
        else:
            yield from (value for value in _constants(other) if _typed(value, node))
            for name in _names(node):
                yield from self._typed_values(name, node, other, depth)

    def _typed_values(self, name: str, node: Node, other: Node, depth: int) -> Iterator[Json]:
        match name:
            case "null":
                yield None
            case "boolean":
                yield from (False, True)
            case "integer" | "number":
                yield from numbers(node, other, whole=name == "integer")
            case "string":
                yield from texts(node, other, _LONGEST_SAMPLE)
            case "array":
                yield from self._arrays(node, other, depth)
            case _:
                yield from self._objects(node, other, depth)

    def _below(self, schema: Json, hint: Json, depth: int) -> list[Json]:
        """Values of a member: many where the hint says something about it, else the smallest one."""
        if not _is_open(hint):
            return self.values(schema, hint, depth + 1)
        smallest = self.minimal(schema, depth + 1)
        if not depth and smallest is not None and _is_open(schema):
            return list(_ANYTHING)
        return [smallest[0]] if smallest is not None else []

    def _arrays(self, node: Node, other: Node, depth: int) -> Iterator[Json]:
        prefix = [self.minimal(item, depth + 1) for item in node.get("prefixItems", [])]
        head = [item[0] for item in prefix if item]
        items = self._below(node.get("items", True), other.get("items", True), depth)
        if "contains" in node:
            items = [*self.values(node["contains"], True, depth + 1), *items]
        hinted = [*other.get("prefixItems", []), *([other["contains"]] if "contains" in other else [])]
        for position, hint in enumerate(hinted):
            own = node.get("prefixItems", [])
            base = own[position] if position < len(own) else node.get("items", True)
            for value in self.values(base, {"not": hint}, depth + 1) + self.values(base, hint, depth + 1):
                yield [*head[:position], value]
        yield []
        yield head
        for size in _sizes(node, other, "minItems", "maxItems", len(head) + 1):
            for value in items[:8]:
                yield [*head, *[value] * (size - len(head))]
            distinct = [*items]
            yield [*head, *distinct[: max(0, size - len(head))]]

    def _objects(self, node: Node, other: Node, depth: int) -> Iterator[Json]:
        properties: Node = {**node.get("properties", {})}
        base: Node = {}
        for name in node.get("required", []):
            smallest = self.minimal(properties.get(name, _rest(node)), depth + 1)
            if smallest is None:
                return
            base[name] = smallest[0]
        yield base
        hints: Node = other.get("properties", {})
        wanted = [*other.get("required", []), *hints, *_dependent(other), *_dependent(node)]
        for name in dict.fromkeys([*wanted, *(list(properties)[:8])]):
            schema = properties.get(name, _rest(node))
            for value in self._below(schema, hints.get(name, True), depth)[:8]:
                yield {**base, name: value}
            yield {key: value for key, value in base.items() if key != name}
        yield from self._more_members(node, other, base, depth)

    def _more_members(self, node: Node, other: Node, base: Node, depth: int) -> Iterator[Json]:
        rest = _rest(node)
        names = ["x", "extra", "a" * 40, *_names_matching(node), *_names_matching(other)]
        hint = (
            _rest(other)
            if isinstance(_rest(other), dict)
            else next(iter(other.get("patternProperties", {}).values()), True)
        )
        for name in names:
            for value in self._below(rest, hint, depth)[:6]:
                yield {**base, name: value}
        for size in _sizes(node, other, "minProperties", "maxProperties", len(base) + 1):
            optional = [name for name in node.get("properties", {}) if name not in base]
            made = dict(base)
            for name in [*optional, *(f"x{at}" for at in range(size + 1))]:
                value = self.minimal(node.get("properties", {}).get(name, rest), depth + 1)
                if len(made) >= size:
                    break
                if value is not None:
                    made[name] = value[0]
            yield made

    def _flat(self, schema: Json, depth: int = 0, *, hinted: bool = False) -> Node | None:
        """One node with references followed and allOf merged; {} for `true`, None for `false`."""
        if isinstance(schema, bool) or not isinstance(schema, (dict, Mapping)):
            return None if schema is False else {}
        made: Node = {}
        parts: list[Json] = [{key: value for key, value in schema.items() if key not in ("$ref", "allOf", "$defs")}]
        ref = schema.get("$ref")
        if isinstance(ref, str):
            definition = self._hinted if hinted else self._definition
            target = definition(ref.removeprefix("#/$defs/"))
            parts.append(True if target is None else target)
        branches = schema.get("allOf")
        parts.extend(branches if isinstance(branches, list) else [])
        for at, part in enumerate(parts):
            flat = (
                dict(part)
                if at == 0 and isinstance(part, (dict, Mapping))
                else self._flat(part, depth + 1, hinted=hinted)
                if depth < 12
                else {}
            )
            if flat is None:
                return None
            _merge(made, flat)
        return made


def _is_open(schema: Json) -> bool:
    return schema is True or schema == {}


def _merge(made: Node, more: Node) -> None:
    for key, value in more.items():
        if key not in made:
            made[key] = value
        elif key == "properties":
            made[key] = {
                **made[key],
                **{
                    name: {"allOf": [made[key][name], sub]} if name in made[key] else sub for name, sub in value.items()
                },
            }
        elif key == "required":
            made[key] = sorted({*made[key], *value})
        elif key in ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"):
            made[key] = max(made[key], value)
        elif key in ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"):
            made[key] = min(made[key], value)
        elif key == "type":
            both = [name for name in _listed(made[key]) if name in _listed(value)]
            made[key] = both or _listed(value)[:1]
        elif key == "enum":
            made[key] = [item for item in made[key] if item in value]
        elif key in ("items", "additionalProperties"):
            made[key] = {"allOf": [made[key], value]}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _names(node: Node) -> list[str]:
    declared = _listed(node["type"]) if "type" in node else list(_TYPES)
    return [name for name in _TYPES if name in declared]


def _typed(value: Json, node: Node) -> bool:
    names = _names(node)
    match value:
        case None:
            return "null" in names
        case bool():
            return "boolean" in names
        case int():
            return "integer" in names or "number" in names
        case float():
            return "number" in names
        case str():
            return "string" in names
        case _:
            return ("object" if isinstance(value, (dict, Mapping)) else "array") in names


def _constants(other: Node) -> list[Json]:
    refused = other.get("not")
    nested = _constants(refused) if isinstance(refused, dict) else []
    return [*([other["const"]] if "const" in other else []), *_listed(other.get("enum", [])), *nested]


def numbers(node: Node, other: Node, *, whole: bool) -> Iterator[Json]:
    """Numbers at and beside the bounds and multiples of both nodes."""
    limits = [0, 1]
    for source in (node, other):
        for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
            if isinstance(source.get(key), (int, float)):
                limits.append(source[key])
    steps = [
        float(part["multipleOf"])
        for part in (node, other)
        if isinstance(part.get("multipleOf"), (int, float)) and part["multipleOf"] > 1e-9
    ]
    stepped = "multipleOf" in node and bool(steps)
    step = steps[0] if stepped else 1.0
    for limit in dict.fromkeys(limits):
        for value in (limit, limit - step, limit + step, *(() if whole else (limit + 0.5, limit - 0.5, limit + 1e-9))):
            near = round(value / step) * step if stepped else value
            yield int(near) if float(near).is_integer() and abs(near) < 2**53 else near
            yield near if not whole else int(near)
    for multiple in steps:
        yield from (
            int(multiple) if multiple.is_integer() else multiple,
            int(multiple * 2) if multiple.is_integer() else multiple,
        )


def _sizes(node: Node, other: Node, low: str, high: str, usual: int) -> list[int]:
    asked = [usual, node.get(low), node.get(high), 2, 3]
    asked += [other[low] - 1] if isinstance(other.get(low), int) else []
    asked += [other[high] + 1] if isinstance(other.get(high), int) else []
    return sorted({size for size in asked if isinstance(size, int) and 0 < size <= _WIDEST})


def _rest(node: Node) -> Json:
    return node.get("additionalProperties", node.get("unevaluatedProperties", True))


def _dependent(node: Node) -> list[str]:
    return [*node.get("dependentRequired", {}), *node.get("dependentSchemas", {})]


def _names_matching(node: Node) -> list[str]:
    found: list[str] = []
    for pattern in node.get("patternProperties", {}):
        found.extend(str(text) for text in list(texts({"pattern": pattern}, {}, 64))[:2])
    names = node.get("propertyNames")
    return found + ([str(text) for text in list(texts(names, {}, 64))[:2]] if isinstance(names, dict) else [])


def _smallest(values: list[Json], most: int | None) -> list[Json]:
    keyed = {_key(value): value for value in values}
    return [keyed[key] for key in sorted(keyed, key=lambda text: (len(text), text))][:most]


def _key(value: Json) -> str:
    return sorted_text(value)
