"""Protobuf: what validators and API guides ask of fields, as their options say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Match, Rule, is_number
from evreview.comparison.rules.variance import Text, ValueSetChange
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Direction, Form, Tristate
from evreview.kinds.protobuf.options import FacetName
from evreview.kinds.protobuf.rules_types import BREAKING, NOWHERE, OPEN, SAFE, PlaneVerdicts, texts

# Constraints that validators read from options of fields: whether they became tighter, and what they refuse.
#
# Sources, in one wording: buf/validate/validate.proto (protovalidate), validate/validate.proto (protoc-gen-validate).


LIMITS: Final = (FacetName.LIMITS, FacetName.OLD_LIMITS)

_Keeps = Callable[[Any, Any], bool]
Leaves = Mapping[tuple[str, ...], Any]
"""Constraints by where they stand, what says nothing left out."""

_INTEGERS: Final = frozenset(
    {"int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"}
)
_NUMBERS: Final = _INTEGERS | {"float", "double"}
_ORDERED: Final = {"gt": ("from", 1), "gte": ("from", 0), "lt": ("to", -1), "lte": ("to", 0)}
_LEAST: Final = frozenset({"from", "min_len", "min_bytes", "min_items", "min_pairs"})
_MOST: Final = frozenset({"to", "max_len", "max_bytes", "max_items", "max_pairs"})
_FLAGS: Final = frozenset(
    {"required", "unique", "finite", "no_sparse", "defined_only", "lt_now", "gt_now"}
    | {"email", "hostname", "ip", "ipv4", "ipv6", "uri", "uri_ref", "address", "uuid", "tuuid", "ulid"}
    | {"ip_prefix", "ipv4_prefix", "ipv6_prefix", "host_and_port", "ip_with_prefixlen"}
)
_EXACT: Final = frozenset({"const", "len", "len_bytes"})
_MATCHED: Final = frozenset({"pattern", "prefix", "suffix", "contains", "not_contains"})
_LISTED: Final = {"in": 1, "not_in": -1}


def leaves(form: Form | None) -> Leaves:
    """The constraints of one option."""
    found: dict[tuple[str, ...], Any] = {}
    for path, value in _flat(form, ()):
        ordered = _ORDERED.get(path[-1])
        if ordered is not None and is_number(value) and path[0] in _NUMBERS:
            name, beside = ordered
            # No integer lies between: `> 3` and `>= 4` are one constraint.
            shifted = (value + beside, 0) if path[0] in _INTEGERS else (value, beside)
            found[*path[:-1], name] = list(shifted)
        elif value is not False and not (path[-1] in _LEAST and value == 0):
            found[path] = value
    return found


def _flat(form: Form | None, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(form, Mapping):
        for name, below in form.items():
            yield from _flat(below, (*path, name))
    elif path:
        yield path, form


def effect(released: Form, candidate: Form) -> ValueSetChange | None:
    """What a change of constraints does to the values that a validator lets pass; None where that is not plain."""
    before, after = leaves(released), leaves(candidate)
    if any(_turned(side) for side in (before, after)):
        return None
    found = {_step(path[-1], before.get(path), after.get(path)) for path in before.keys() | after.keys()} - {""}
    if not found or not found <= {ValueSetChange.NARROWS, ValueSetChange.WIDENS, ValueSetChange.REPLACES}:
        return None
    return ValueSetChange(next(iter(found))) if len(found) == 1 else ValueSetChange.REPLACES


def unchanged(released: Form, candidate: Form) -> bool:
    """True for the same constraints in other words."""
    before, after = leaves(released), leaves(candidate)
    return not any(_step(path[-1], before.get(path), after.get(path)) for path in before.keys() | after.keys())


def _turned(side: Leaves) -> bool:
    """True for a range whose end lies before its start: it excludes what lies between."""
    return any(path[-1] == "from" and _above(value, side.get((*path[:-1], "to"))) for path, value in side.items())


def _above(left: Any, right: Any) -> bool:
    return isinstance(left, list) and isinstance(right, list) and left > right


def _step(name: str, before: Any, after: Any) -> str:
    """The effect of one constraint, "" where it is the same, "?" where it is not plain."""
    if before == after:
        return ""
    if name not in _LEAST | _MOST | _FLAGS | _EXACT | _MATCHED | _LISTED.keys():
        return "?"
    if before is None or after is None:
        return ValueSetChange.NARROWS if before is None else ValueSetChange.WIDENS
    if name in _EXACT:
        return ValueSetChange.REPLACES
    if name in _LEAST | _MOST and type(before) is type(after):
        rises = after > before
        return ValueSetChange.NARROWS if rises is (name in _LEAST) else ValueSetChange.WIDENS
    if name in _LISTED and isinstance(before, list) and isinstance(after, list):
        return _listed(before, after, _LISTED[name])
    return "?"


def _listed(before: list[Form], after: list[Form], sense: int) -> str:
    kept, known = all(each in after for each in before), all(each in before for each in after)
    if kept is known:
        return "" if kept else ValueSetChange.REPLACES
    return ValueSetChange.WIDENS if kept is (sense > 0) else ValueSetChange.NARROWS


def demanded(facets: Mapping[str, Form]) -> bool:
    """True for a field that a message has to carry, as its options say."""
    behavior = facets.get(FacetName.BEHAVIOR)
    if isinstance(behavior, list) and "REQUIRED" in behavior:
        return True
    return any(refusal(facets.get(name), None, str(facets.get("cardinality"))) for name in LIMITS)


def doubted(facets: Mapping[str, Form]) -> bool:
    """True for a field whose validator looks at what is not set, and whose constraints can't all be judged here."""
    unset_is_zero = str(facets.get("cardinality")) in ("implicit", "repeated", "map")
    return unset_is_zero and any(unjudged(facets.get(name)) for name in LIMITS)


_SIZES: Final[Mapping[str, _Keeps]] = {
    "min_len": lambda size, limit: size >= limit, "max_len": lambda size, limit: size <= limit,
    "min_items": lambda size, limit: size >= limit, "max_items": lambda size, limit: size <= limit,
    "min_pairs": lambda size, limit: size >= limit, "max_pairs": lambda size, limit: size <= limit,
    "len": lambda size, limit: size == limit,
}  # fmt: skip
_WHOLE: Final[Mapping[str, _Keeps]] = {
    "const": lambda value, limit: value == limit,
    "in": lambda value, limit: value in limit,
    "not_in": lambda value, limit: value not in limit,
    "from": lambda value, limit: [value, 0] >= limit,
    "to": lambda value, limit: [value, 0] <= limit,
    "prefix": lambda value, limit: value.startswith(limit),
    "suffix": lambda value, limit: value.endswith(limit),
    "contains": lambda value, limit: limit in value,
    "not_contains": lambda value, limit: limit not in value,
    "unique": lambda value, limit: len(value) == len({repr(each) for each in value}),
}  # fmt: skip
_OF_MEMBERS: Final = (("items",), ("keys",), ("values",))
_ZERO: Final[Mapping[str, Form]] = {"string": "", "repeated": [], "map": {}, "bool": False}


def refusal(form: Form | None, value: Form | None, cardinality: str) -> str:
    """The constraint that refuses a value, "" where none surely does.

    Args:
        value: of the field, None for one that is not set.
        cardinality: whether an unset field reads as its zero, which constraints then hold for.
    """
    found = leaves(form)
    if any(path[-1] in ("ignore", "skip", "ignore_empty") for path in found):
        return ""
    empty = value is None or (cardinality == "implicit" and not value)
    if any(path[-1] == "required" and len(path) <= 2 for path in found) and empty:
        return "required"
    if value is None and cardinality not in ("implicit", "repeated", "map"):
        return ""
    for path, limit in found.items():
        if len(path) == 2 and _refuses(path, limit, _ZERO.get(path[0], 0) if value is None else value):
            return f"{path[0]}.{_told(path[1], limit)}"
    return ""


def _told(name: str, limit: Any) -> str:
    """A constraint as it is written."""
    if name not in ("from", "to"):
        return f"{name} = {limit}"
    word = next(word for word, meant in _ORDERED.items() if meant == (name, limit[1]))
    return f"{word} = {limit[0]}"


def unjudged(form: Form | None) -> bool:
    """True for constraints of which one can't be judged here."""
    plain = _SIZES.keys() | _WHOLE.keys() | {"required"}
    return any(path[-1] not in plain or len(path) > 2 for path in leaves(form) if path[1:2] not in _OF_MEMBERS)


def _refuses(path: tuple[str, ...], limit: Any, value: Any) -> bool:
    name = path[1]
    try:
        if name in _SIZES:
            return not _SIZES[name](len(value), limit)
        return name in _WHOLE and not _WHOLE[name](value, limit)
    except (TypeError, AttributeError):
        return False


_FIELD: Final = (ElementKind.FIELD,)
_VALIDATORS: Final = "protovalidate, Standard rules; protoc-gen-validate, Constraint Rules"
_GUIDE: Final = "google.api.field_behavior; AIP-203"
_REFUSED: Final = PlaneVerdicts(BREAKING, BREAKING, BREAKING, SAFE)
_DOUBTED: Final = PlaneVerdicts(OPEN, OPEN, OPEN, SAFE)


def _facets(form: Form) -> Mapping[str, Form]:
    return form if isinstance(form, Mapping) else {}


def _is_read(delta: Delta) -> bool:
    """True for a field of messages that the candidate may have to read."""
    return delta.direction is not Direction.WRITTEN


def _joined(delta: Delta) -> set[str]:
    return set(texts(delta.candidate)) - set(texts(delta.released))


def _plain(delta: Delta) -> bool:
    """True for words of behavior that ask nothing new of whoever writes the message."""
    changed = set(texts(delta.released)) ^ set(texts(delta.candidate))
    return changed <= {"REQUIRED", "OPTIONAL"} and not ("REQUIRED" in _joined(delta) and _is_read(delta))


def _limits(direction: Callable[[Delta], bool], *effects: ValueSetChange) -> Match:
    """Constraints of what travels so, of which the change is known to have one of these effects."""
    return Match(
        elements=_FIELD, facets=LIMITS, when=lambda it: direction(it) and effect(it.released, it.candidate) in effects
    )


def _asked(rule: Rule) -> Rule:
    """The rule, where only what the released side wrote is refused."""
    return replace(rule, emits_old_compatible=Tristate.YES)


_BEHAVIOR_TEXT: Final = (
    'syntax = "proto3";\npackage google.api;\nimport "google/protobuf/descriptor.proto";\n'
    "enum FieldBehavior { FIELD_BEHAVIOR_UNSPECIFIED = 0; OPTIONAL = 1; REQUIRED = 2; }\n"
    "extend google.protobuf.FieldOptions { repeated FieldBehavior field_behavior = 1052 [packed = false]; }\n"
)
_LIMIT_TEXT: Final = (
    'syntax = "proto3";\npackage validate;\nimport "google/protobuf/descriptor.proto";\n'
    "message StringRules { uint64 min_len = 2; string pattern = 6; }\nmessage FieldRules { StringRules string = 14; }\n"
    "extend google.protobuf.FieldOptions { FieldRules rules = 1071; }\n"
)


def _behaving(option: str) -> str:
    return f"{_BEHAVIOR_TEXT}message Order {{ string note = 1{option}; }}\n{_service(answered=False)}"


def _limited(limit: str, more: str = "", *, answered: bool | None = None) -> str:
    option = f" [(validate.rules).string = {{ {limit} }}]" if limit else ""
    service = "" if answered is None else _service(answered=answered)
    return f"{_LIMIT_TEXT}message Order {{ string note = 1{option}; {more} }}\n{service}"


def _service(*, answered: bool) -> str:
    asked, told = ("Empty", "Order") if answered else ("Order", "Empty")
    return f"message Empty {{}}\nservice Orders {{ rpc Put({asked}) returns ({told}); }}\n"


_REQUIRED: Final = " [(google.api.field_behavior) = REQUIRED]"
_OPTIONAL: Final = " [(google.api.field_behavior) = OPTIONAL]"
_NEW: Final = "string code = 2 [(validate.rules).string.{}];"

RULES: tuple[Rule, ...] = (
    _asked(
        _REFUSED.rule(
            "proto-demanded-field-added",
            Text(
                "A field joined that every message has to carry",
                "Its options demand it, or hold a constraint that its zero does not keep: a server that checks them "
                "refuses a message of before.",
                f"{_GUIDE}; {_VALIDATORS}",
            ),
            Match(
                elements=_FIELD,
                facets=("",),
                changes=(Change.ADDED,),
                when=lambda it: _is_read(it) and demanded(_facets(it.candidate)),
            ),
            (_limited(""), _limited("", _NEW.format("min_len = 3"))),
            (_limited(""), _limited("", _NEW.format("min_len = 0"))),
        )
    ),
    _asked(
        _DOUBTED.rule(
            "proto-constrained-field-added",
            Text(
                "A field joined whose constraint holds for messages without it too",
                "A message of before reads as one with the field's zero; whether that keeps the constraint is not "
                "judged here.",
                _VALIDATORS,
            ),
            Match(
                elements=_FIELD,
                facets=("",),
                changes=(Change.ADDED,),
                when=lambda it: _is_read(it) and doubted(_facets(it.candidate)),
            ),
            (_limited(""), _limited("", _NEW.format('pattern = "^a"'))),
            (_limited(""), _limited("", _NEW.format("min_len = 3"))),
        )
    ),
    _asked(
        _REFUSED.rule(
            "proto-field-demanded",
            Text(
                "A field is demanded now",
                "The behavior REQUIRED says that a request without the field is refused.",
                _GUIDE,
            ),
            Match(
                elements=_FIELD,
                facets=(FacetName.BEHAVIOR,),
                when=lambda it: _is_read(it) and "REQUIRED" in _joined(it),
            ),
            (_behaving(""), _behaving(_REQUIRED)),
        )
    ),
    NOWHERE.rule(
        "proto-field-behavior-changed",
        Text(
            "A field is demanded no longer, or in answers only, or called optional",
            "The behavior REQUIRED speaks of requests; whoever carries the field may go on.",
            _GUIDE,
        ),
        Match(elements=_FIELD, facets=(FacetName.BEHAVIOR,), when=_plain),
        (_behaving(_REQUIRED), _behaving(_OPTIONAL)),
        (_behaving(""), _behaving(_REQUIRED)),
    ),
    NOWHERE.rule(
        "proto-constraint-reworded",
        Text("A field's constraint is written otherwise", "It lets the same values pass.", _VALIDATORS),
        Match(elements=_FIELD, facets=LIMITS, when=lambda it: unchanged(it.released, it.candidate)),
        (_limited("min_len: 0"), _limited("")),
        (_limited("min_len: 1"), _limited("min_len: 3")),
    ),
    replace(
        _REFUSED.rule(
            "proto-constraint-tightened",
            Text(
                "A field's constraint lets fewer values pass",
                "A server that checks it refuses values that were taken before; no byte is written differently. buf "
                "compares no custom options.",
                _VALIDATORS,
            ),
            _limits(_is_read, ValueSetChange.NARROWS, ValueSetChange.REPLACES),
            (_limited("min_len: 1"), _limited("min_len: 3")),
            (_limited("min_len: 1", answered=True), _limited("min_len: 3", answered=True)),
        ),
        emits_old_compatible=Tristate.UNKNOWN,
    ),
    NOWHERE.rule(
        "proto-constraint-loosened",
        Text(
            "A field's constraint lets more values of requests pass",
            "Every value that was taken is taken still.",
            _VALIDATORS,
        ),
        _limits(lambda it: it.direction is Direction.READ, ValueSetChange.WIDENS),
        (_limited("min_len: 3", answered=False), _limited("min_len: 1", answered=False)),
        (_limited("min_len: 3", answered=True), _limited("min_len: 1", answered=True)),
    ),
    NOWHERE.rule(
        "proto-written-constraint-tightened",
        Text(
            "A field's constraint lets fewer values of answers pass",
            "Nothing comes that did not come before.",
            _VALIDATORS,
        ),
        _limits(lambda it: not _is_read(it), ValueSetChange.NARROWS),
        (_limited("min_len: 1", answered=True), _limited("min_len: 3", answered=True)),
    ),
    _DOUBTED.rule(
        "proto-written-constraint-loosened",
        Text(
            "A field's constraint lets other values pass that are written",
            "A value may come that did not come before; whether its reader checks the constraint, the contract does "
            "not say.",
            _VALIDATORS,
        ),
        _limits(lambda _: True, *ValueSetChange),
        (_limited("min_len: 3", answered=True), _limited("min_len: 1", answered=True)),
        (_limited("min_len: 3", answered=False), _limited("min_len: 1", answered=False)),
    ),
)
