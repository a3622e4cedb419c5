"""A form of a ledger row in words: `string or null`, `1 to 100`, `5 values`. Never JSON: that stands in the card.

Words of ours are plain text, words of the contract are a `UserText`. Nothing is said that the form does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from evreview.core import vocabulary
from evreview.core.quoted_text import Part, Text, UserText, counted, plain, text
from evreview.core.vocabulary import Json

ABSENT: Final = "absent"
FRAGMENT: Final = 80
"""Characters of one form in a row; the card holds the whole one."""
CUT: Final = "…"
_NAMED: Final = 3
"""Members that are named before the rest is counted."""
_DEEP: Final = 2
_ALL: Final = 1_000_000
_WORD: Final = re.compile(r"[^\s,\"']+(?: [^\s,\"']+)*")
_LITERAL: Final = re.compile(r"true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SHORTENED: Final = re.compile(r".*… \[cut: (\d+) characters, sha256:[0-9a-f]+\]", re.DOTALL)
_ONE_LINE: Final = re.compile(r"\s+")
Pair = tuple[Text, Text]


def is_absent(form: Json) -> bool:
    """True for the form of a side that has no such element."""
    return form == vocabulary.ABSENT.value


def value(form: Json, *, exact: bool = False) -> Text:
    """A single value: numbers, names and words as they are, any other text in quotes.

    Args:
        form: the value.
        exact: whether a text has to be told from the number or literal that it spells.
    """
    if form is None or isinstance(form, bool):
        return ({None: "null", True: "true", False: "false"}[form],)
    if isinstance(form, int | float):
        return (str(form),)
    if not isinstance(form, str):
        return in_words(form)
    if found := _SHORTENED.fullmatch(form):
        return (f"a long form ({found[1]} characters)",)
    line = _ONE_LINE.sub(" ", form)
    bare = _WORD.fullmatch(line) and not (exact and _LITERAL.fullmatch(line))
    return (UserText(line if bare else f'"{line}"'),)


def listed(forms: Iterable[Json], *, end: str = " and ", exact: bool = False) -> Text:
    """Values in a row: `a, b and c`, of many the first and how many more."""
    return _joined([value(each, exact=exact) for each in forms], end=end)


def _joined(parts: Sequence[Text], *, most: int = _NAMED, end: str = " and ") -> Text:
    shown: list[Text] = list(parts if len(parts) <= most + 1 else parts[:most])
    more = len(parts) - len(shown)
    if more:
        shown.append((f"{more} more",))
    out: list[Part] = []
    for at, part in enumerate(shown):
        out += [(end if at == len(shown) - 1 else ", ")] if at else []
        out += part
    return tuple(out)


def shortened(words: Text, limit: int) -> Text:
    """The words up to a number of characters, their end marked where they are cut."""
    if len(plain(words)) <= limit:
        return words
    out: list[Part] = []
    left = limit - len(CUT)
    for part in words:
        piece = str(part)[:left]
        out.append(UserText(piece) if isinstance(part, UserText) else piece)
        left -= len(piece)
    return text(*out, CUT)


def shared_begin(released: str, candidate: str) -> int:
    """How many characters of whole words both forms begin with, the last shared word not counted."""
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(released, candidate, strict=False)))
    return released[:alike].rstrip().rfind(" ") + 1


def without_begin(words: Text, count: int) -> Text:
    """The words without so many characters of their begin, which is marked where it is left out."""
    if not count:
        return words
    out: list[Part] = [CUT]
    for part in words:
        piece = str(part)[count:]
        count = max(count - len(str(part)), 0)
        out += [UserText(piece) if isinstance(part, UserText) else piece] if piece else []
    return text(*out)


# Schemas.


_BRANCHES: Final = {"oneOf": "one of", "anyOf": "any of", "allOf": "all of"}
_SCHEMA: Final = frozenset(
    {"type", "enum", "const", "format", "properties", "required", "items", "prefixItems", "additionalProperties"}
    | {
        "minimum",
        "maximum",
        "pattern",
        "minLength",
        "maxLength",
        "maxItems",
        "minItems",
        "not",
        "readOnly",
        "writeOnly",
    }
    | {"exclusiveMinimum", "exclusiveMaximum", "multipleOf", "patternProperties", "propertyNames", *_BRANCHES}
)


def schema(form: Json, depth: int = _DEEP) -> Text:
    """What a schema admits, as far as a few words tell it."""
    if isinstance(form, bool) or form == {}:
        return ("nothing",) if form is False else ("anything",)
    if not isinstance(form, Mapping):
        return value(form)
    if "const" in form:
        return ("always ", *value(form["const"], exact=True))
    listed_values = form.get("enum")
    if isinstance(listed_values, list | tuple):
        return values(listed_values)
    for name, said in _BRANCHES.items():
        branches = form.get(name)
        if isinstance(branches, list | tuple):
            return _branches(branches, said, depth)
    return _typed(form, depth)


def _branches(branches: Sequence[Json], said: str, depth: int) -> Text:
    if depth and len(branches) == 1:
        return schema(branches[0], depth - 1)
    return (f"{said} {len(branches)} forms",)


def _typed(form: Mapping[str, Any], depth: int) -> Text:
    named = form.get("type")
    types = [named] if isinstance(named, str) else list(named or ())
    words: list[Text] = []
    for one in types:
        if one == "array" and isinstance(form.get("items"), Mapping) and depth:
            words.append(("list of ", *schema(form["items"], depth - 1)))
        elif one == "object":
            words.append(_object(form))
        elif one == "string" and isinstance(form.get("format"), str):
            words.append(value(form["format"]))
        else:
            words.append(value({"array": "list"}.get(one, one) if isinstance(one, str) else one))
    if not words and isinstance(form.get("properties"), Mapping):
        words = [_object(form)]
    bounds = _bounds(form)
    told = [_joined(words, most=_ALL, end=" or "), *bounds] if words else bounds
    if not told and form.get("required"):
        return ("with ", *listed(form["required"]), " required")
    return _commas(told) if told else ("with conditions",)


def _object(form: Mapping[str, Any]) -> Text:
    members = form.get("properties")
    if not isinstance(members, Mapping) or not members:
        return ("object",)
    return ("object with ", *listed(members))


def _bounds(form: Mapping[str, Any]) -> list[Text]:
    said: list[Text] = []
    low, high = form.get("minimum"), form.get("maximum")
    if low is not None and high is not None:
        said.append((*value(low), " to ", *value(high)))
    for facet, words in LIMITS.items():
        paired = facet in ("minimum", "maximum") and low is not None and high is not None
        if isinstance(form.get(facet), int | float) and not paired:
            said.append((words.format(form[facet]),))
    if isinstance(form.get("pattern"), str):
        said.append(_matches(form["pattern"], ()))
    return said


def _commas(parts: Iterable[Text]) -> Text:
    out: list[Part] = []
    for part in parts:
        out += [", ", *part] if out and part else part
    return tuple(out)


def values(form: Sequence[Json]) -> Text:
    """The values of an enumeration: named when few, else counted."""
    return listed(form, end=" or ", exact=True) if 0 < len(form) <= _NAMED else (counted(len(form), "value"),)


# Forms of a keyword or of another facet, by its name.


LIMITS: Final[Mapping[str, str]] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "multiples of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "minProperties": "at least {} members",
    "maxProperties": "at most {} members",
    "minContains": "at least {} matching items",
    "maxContains": "at most {} matching items",
    "size": "{} bytes",
}
SOURCE: Final = "default in source"
"""The facet of a default that is written as source code: its text is no value."""
_FLAGS: Final[Mapping[str, tuple[str, str]]] = {
    "required": ("required", "optional"),
    "key required": ("required", "optional"),
    "deprecated": ("deprecated", "not deprecated"),
    "readOnly": ("read-only", "not read-only"),
    "writeOnly": ("write-only", "not write-only"),
    "uniqueItems": ("all items differ", "items may repeat"),
    "additionalProperties": ("any further member", "no further member"),
    "unevaluatedProperties": ("any further member", "no further member"),
    "unevaluatedItems": ("any further item", "no further item"),
    "client_streaming": ("a stream", "one message"),
    "server_streaming": ("a stream", "one message"),
    "oneOf": ("exactly one field", "any number of fields"),
}
_UNSTATED: Final[Mapping[str, str]] = {
    "pattern": "any text",
    "enum": "any value",
    "default": "no default",
    SOURCE: "no default",
    "format": "no format",
    "readOnly": "not read-only",
    "writeOnly": "not write-only",
    "uniqueItems": "items may repeat",
    "deprecated": "not deprecated",
    **dict.fromkeys(LIMITS, "no limit"),
}
_SCHEMAS: Final = frozenset(
    {"schema", "raml payload", "schema of 2.x", "contains", "propertyNames", "not", "contentSchema", "items"}
    | {"additionalProperties", "unevaluatedProperties", "unevaluatedItems", "patternProperties", "prefixItems"}
    | {"dependentSchemas", *_BRANCHES}
)
_PRESENCE: Final = {
    frozenset[str](): "may be null",
    frozenset({"value"}): "never null",
    frozenset({"value", "items"}): "never null, nor its items",
}


def of_facet(form: Json, facet: str, types: Sequence[str] = ()) -> Text:
    """The form of one facet.

    Args:
        form: the side's form.
        facet: the keyword.
        types: the JSON types of the value at that place, for what is said of null.
    """
    if is_absent(form):
        return (_UNSTATED.get(facet, "not stated"),)
    if facet in LIMITS and isinstance(form, int | float):
        return (LIMITS[facet].format(form),)
    if isinstance(form, bool) and facet in _FLAGS:
        return (_FLAGS[facet][0 if form else 1],)
    said = _SPECIAL.get(facet)
    if said is not None and (words := said(form, types)):
        return words
    if facet in _SCHEMAS and isinstance(form, bool):
        return schema(form)
    return in_words(form)


def _nullable(form: Json, types: Sequence[str]) -> Text:
    others = [name for name in types if name != "null"]
    if form is False:
        return ("never null",)
    return (*_joined([(name,) for name in others], most=_ALL, end=", "), " or null") if others else ("may be null",)


def _enumeration(form: Json, _: Sequence[str]) -> Text:
    return values(form) if isinstance(form, Sequence) and not isinstance(form, str) else ()


def _types(form: Json, _: Sequence[str]) -> Text:
    if isinstance(form, Sequence) and not isinstance(form, str):
        return _joined([_avro(each) for each in form], most=_ALL, end=" or ")
    return _avro(form)


def _avro(form: Json) -> Text:
    """A type of Avro that is written as an object, by its kind and name; anything else as it is."""
    if isinstance(form, Mapping) and isinstance(form.get("type"), str):
        kind, name = form["type"], form.get("name")
        holds = next((form[key] for key in ("items", "values") if key in form), None)
        inner = (" of ", *_types(holds, ())) if holds is not None else ()
        return (*value(kind), *inner, *((" ", *value(name)) if isinstance(name, str) else ()))
    return value(form) if not isinstance(form, Mapping | list | tuple) else in_words(form)


def _nulls(form: Json, _: Sequence[str]) -> Text:
    """The places of a GraphQL type that are never null."""
    if not isinstance(form, Sequence) or isinstance(form, str):
        return ()
    known = _PRESENCE.get(frozenset(map(str, form)))
    return (known,) if known else _joined([(f"{each} never null",) for each in form], most=_ALL)


def _demands(form: Json, _: Sequence[str]) -> Text:
    """The alternatives of a security demand, each with its schemes and scopes."""
    if not isinstance(form, Sequence) or isinstance(form, str):
        return ()
    told = [_demand(each) if isinstance(each, Mapping) else value(each) for each in form]
    return _joined(told, end=" or ") or ("no credentials",)


def _demand(alternative: Mapping[str, Any]) -> Text:
    schemes: list[Text] = []
    for name, scopes in alternative.items():
        told = (" (", *listed(scopes), ")") if isinstance(scopes, Sequence) and scopes and scopes != name else ()
        schemes.append((*value(name), *told))
    return _joined(schemes, end=" with ") or ("no credentials",)


def _routes(form: Json, _: Sequence[str]) -> Text:
    if not isinstance(form, Sequence) or isinstance(form, str):
        return ()
    told = [each for each in form if isinstance(each, Mapping)]
    return listed([f"{each.get('method', '')} {each.get('path', '')}".strip() for each in told])


def _discriminator(form: Json, _: Sequence[str]) -> Text:
    if not isinstance(form, Mapping):
        return ()
    named = form.get("values")
    told = (": ", *listed(named)) if isinstance(named, Sequence) and named else ()
    return ("by ", *value(form.get("propertyName")), *told)


def _matches(form: Json, _: Sequence[str]) -> Text:
    return ("matches ", UserText(_ONE_LINE.sub(" ", form))) if isinstance(form, str) else ()


def _default(form: Json, _: Sequence[str]) -> Text:
    return in_words(form) if isinstance(form, Mapping | list | tuple) or form == "" else value(form, exact=True)


def _exclusion(form: Json, _: Sequence[str]) -> Text:
    return ("anything but ", *schema(form)) if isinstance(form, Mapping) else ()


_SPECIAL: Final[Mapping[str, Callable[[Json, Sequence[str]], Text]]] = {
    "default": _default,
    "not": _exclusion,
    "nullable": _nullable,
    "enum": _enumeration,
    "x-extensible-enum": _enumeration,
    "type": _types,
    "non-null": _nulls,
    "requirements": _demands,
    "google.api.http": _routes,
    "discriminator": _discriminator,
    "pattern": _matches,
}


# Whole elements, and any other form.


_UNTOLD: Final = frozenset(
    {"style", "explode", "name", "json_name", "names", "listed", "cardinality", "deprecated", "required"}
    | {"schemaFormat", "bound to", "result", "json_format", "path", "is", "utf8_validation", "idempotency_level"}
)
"""Members of an element's form that say the same in nearly every row; the card has them."""


def of_element(form: Json, element: str, required: object = None) -> Text:
    """The form of a whole element: what it holds, and whether it has to be there; `absent` for a side without one."""
    if is_absent(form):
        return (ABSENT,)
    duty = {True: "required", False: "optional"}.get(required) if isinstance(required, bool) else None
    holds: list[Text] = []
    if isinstance(form, Mapping) and element in form:
        holds = [*_held(form, element)]
    elif isinstance(form, Mapping | bool):
        holds = [schema(form)]
    if duty is None and isinstance(form, Mapping) and form.get("required") is True and element in form:
        duty = "required"
    return _commas([*holds, *([(duty,)] if duty else [])]) or ("present",)


def _held(form: Mapping[str, Any], element: str) -> Iterable[Text]:
    for name, part in form.items():
        if name == element or name in _UNTOLD or part is False:
            continue
        if name in ("schema", "type", "kind", "returns"):
            yield schema(part) if name == "schema" else _types(part, ())
        elif part is True:
            yield (name,)
        elif name in ("contentType", "servers", "enum_type"):
            yield in_words(part)
        elif name == "non-null":
            yield _nulls(part, ())
        else:
            yield (f"{name} ", *in_words(part))


def in_words(form: Json, depth: int = _DEEP) -> Text:
    """Any form, without marks of JSON."""
    if isinstance(form, bool):
        return ("yes",) if form else ("no",)
    if isinstance(form, Mapping):
        if not form or _SCHEMA & form.keys():
            return schema(form, depth)
        return _pairs(form, depth)
    if isinstance(form, Sequence) and not isinstance(form, str):
        if not form:
            return ("none",)
        if all(isinstance(each, Mapping | list | tuple) for each in form):
            return (counted(len(form), "entry").replace("entrys", "entries"),) if not depth else _nested(form, depth)
        return listed(form)
    return ("null",) if form is None else ("empty",) if form == "" else value(form)


def _nested(form: Sequence[Json], depth: int) -> Text:
    return _joined([in_words(each, depth - 1) for each in form])


def _pairs(form: Mapping[str, Any], depth: int) -> Text:
    if not depth:
        return (f"{len(form)} members",)
    told = [(UserText(str(name)), " ", *in_words(part, depth - 1)) for name, part in form.items()]
    return _joined(told, end=", ")
