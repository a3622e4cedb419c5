"""Branches of allOf, anyOf and oneOf, conditions, content models of objects and arrays, discriminators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.rule import Example, FormChange, Match, Rule, Slot, members
from evreview.comparison.rules.variance import Shown, Text, ValueSetChange, both_ways, kebab, mirrored, stated, unknown
from evreview.core.vocabulary import ABSENT, Absent, Change, Direction, Form, Json, Verdict

_CORE: Final = "JSON Schema 2020-12 Core, section 10"
_DISCRIMINATOR: Final = "OpenAPI 3.1, section 4.8.25 Discriminator Object"
_TEXT: Final[Json] = {"type": "string"}
_NUMBER: Final[Json] = {"type": "integer"}
_CAT: Final[Json] = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cat"}}}
_DOG: Final[Json] = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "dog"}}}
_COW: Final[Json] = {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "cow"}}}
_APART: Final[list[Json]] = [_CAT, _COW, _DOG]
_ALTERNATIVES: Final[list[Json]] = [_CAT, {"type": "object", "required": ["a"]}, _DOG]
_DEMANDS: Final[list[Json]] = [{"pattern": "a"}, {"pattern": "b"}, {"pattern": "c"}]

# keyword -> what a schema below it does to the values
_CONSTRAINTS: Final = {
    "not": "refuses every value of its schema",
    "if": "chooses which condition applies",
    "propertyNames": "limits the names of members",
    "patternProperties": "binds the members whose names match",
    "contains": "demands an item of its schema",
    "prefixItems": "binds the first items one by one",
    "dependentSchemas": "binds objects that have a certain member",
    "dependentRequired": "demands members where another is present",
}
_MEMBERS: Final[dict[str, Json]] = {"type": "object", "additionalProperties": True}
_SHOWN: Final[dict[str, tuple[Json, Json]]] = {
    "not": ({"type": "string"}, {"type": "string", "not": {"enum": ["x"]}}),
    "if": (
        {"type": "object"},
        {"type": "object", "if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
    ),
    "propertyNames": ({"type": "object"}, {"type": "object", "propertyNames": {"maxLength": 8}}),
    "patternProperties": (_MEMBERS, {**_MEMBERS, "patternProperties": {"^n_": {"type": "integer"}}}),
    "contains": ({"type": "array"}, {"type": "array", "contains": {"type": "integer"}}),
    "prefixItems": ({"type": "array"}, {"type": "array", "prefixItems": [{"type": "integer"}]}),
    "dependentSchemas": ({"type": "object"}, {"type": "object", "dependentSchemas": {"a": {"required": ["b"]}}}),
    "dependentRequired": ({"type": "object"}, {"type": "object", "dependentRequired": {"a": ["b"]}}),
}


def _constraint(keyword: str) -> Iterator[Rule]:
    """The six rules of a keyword that only ever refuses values."""
    stem, why = kebab(keyword), f"`{keyword}` {_CONSTRAINTS[keyword]}."
    without, held = _SHOWN[keyword]
    yield from both_ways(
        ValueSetChange.NARROWS,
        (f"{stem}-added", f"`{keyword}` added", Match(facets=(keyword,), changes=(Change.ADDED,))),
        (f"{stem}-removed", f"`{keyword}` removed", Match(facets=(keyword,), changes=(Change.REMOVED,))),
        (why, _CORE),
        Shown(released=without, candidate=held),
    )


def _branches(keyword: str, why: str, *, alternatives: bool) -> Iterator[Rule]:
    more, fewer = (
        (ValueSetChange.WIDENS, ValueSetChange.NARROWS)
        if alternatives
        else (ValueSetChange.NARROWS, ValueSetChange.WIDENS)
    )
    more_than_two = (_APART if keyword == "oneOf" else _ALTERNATIVES) if alternatives else _DEMANDS
    two, three = more_than_two[:2], more_than_two
    kind = "object" if alternatives else "string"
    asked, stem = (keyword,), kebab(keyword)
    edits: tuple[tuple[str, ValueSetChange, Match, Form, Form], ...] = (
        ("introduced", ValueSetChange.NARROWS, Match(facets=asked, shift=(FormChange.SET,), when=_whole), ABSENT, two),
        ("dropped", ValueSetChange.WIDENS, Match(facets=asked, shift=(FormChange.UNSET,), when=_whole), two, ABSENT),
        ("branch-added", more, Match(facets=asked, shift=(FormChange.SET,)), two, three),
        ("branch-removed", fewer, Match(facets=asked, shift=(FormChange.UNSET,)), three, two),
    )
    for verb, effect, match, before, after in edits:
        text = Text(f"`{keyword}` {verb.replace('-', ' ')}", why, _CORE)
        shown = Shown(released=_composed(keyword, kind, before), candidate=_composed(keyword, kind, after))
        yield from mirrored(f"{stem}-{verb}", effect, text, match, shown)


def _whole(delta: Delta) -> bool:
    """True when the row is about the whole list of branches, not about one of them."""
    return isinstance(delta.released, list) or isinstance(delta.candidate, list)


def _composed(keyword: str, kind: str, branches: Form) -> Json:
    base: dict[str, Json] = {"type": kind} if kind == "object" else {"type": kind, "pattern": "z"}
    return base if isinstance(branches, Absent) else {**base, keyword: branches}


_OPEN: Final[Json] = {"type": "object", "properties": {"a": _TEXT}}
_CLOSED: Final[Json] = {"type": "object", "properties": {"a": _TEXT}, "additionalProperties": False}
_CLOSING: Final = (
    "A closed object refuses members that it does not name.",
    "JSON Schema 2020-12 Core, section 10.3.2.3",
)
_MAP: Final = ("additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items")


def _kinds(*values: str, by: str = "kind") -> Json:
    mapping: Json = {value: f"#/components/schemas/{value}" for value in values}
    return {"oneOf": [_CAT, _DOG], "discriminator": {"propertyName": by, "mapping": mapping}}


def _values(form: Form) -> frozenset[str]:
    """What a discriminator says: its member and the values that name a branch."""
    if not isinstance(form, Mapping):
        return frozenset()
    return (members(form.get("values", [])) or frozenset()) | {f"by {form.get('propertyName')}"}


_BODIES: Final = (Slot.REQUEST_BODY, Slot.RESPONSE_BODY)
_MEDIA: Final = "OpenAPI 3.1, section 4.8.14 Media Type Object"


_TOLD: Final = "The discriminator names the member that tells the branches apart, and the values that stand for them."

_COMPOSED: Final = ("allOf", "anyOf", "oneOf")
_OVERLAPPING: Final[list[Json]] = [_CAT, {"type": "object", "required": ["a"]}]
_ANY: Final[Json] = {"anyOf": _OVERLAPPING}
_EXACTLY: Final[Json] = {"oneOf": _OVERLAPPING}
_OTHER: Final[Json] = {"anyOf": _ALTERNATIVES}
_SIDES: Final = {Direction.READ: ("request", Slot.REQUEST_FIELD), Direction.WRITTEN: ("response", Slot.RESPONSE_FIELD)}
_ONE_VALUE: Final = "A value that meets two branches is admitted by `anyOf` and refused by `oneOf`."


def _rephrased(stem: str, direction: Direction, verdict: Verdict, text: Text, shown: tuple[Json, Json]) -> Rule:
    """One rule about a composition that took the place of another one."""
    side, slot = _SIDES[direction]
    same, other = stem != "composition-rephrased", _SIDES[direction.reversed][0]
    match = Match(
        facets=_COMPOSED,
        direction=direction,
        when={"any": _to_any, "one": _to_one}.get(stem[:3]),
        changes=(Change.CHANGED,),
    )
    said = Text(f"A {side} value is {text.title}", text.why, text.reference)
    counter = (_ANY, _OTHER) if same else (_ANY, _EXACTLY)
    made = stated(f"{side}-{stem}", verdict, said, match, Example(slot, *shown), Example(slot, *counter))
    return replace(made, mirror=f"{other}-{stem}")


def _to_one(delta: Delta) -> bool:
    return delta.facts.get(comparison_delta.SAME_BRANCHES) is True and delta.facet == "anyOf"


def _to_any(delta: Delta) -> bool:
    return delta.facts.get(comparison_delta.SAME_BRANCHES) is True and delta.facet == "oneOf"


def _rephrasings() -> Iterator[Rule]:
    narrows = Text("one of several schemas, now exactly one", _ONE_VALUE, _CORE)
    widens = Text("exactly one of several schemas, now any", _ONE_VALUE, _CORE)
    anew = Text(
        "composed in another way",
        "One kind of composition took the place of another one; the rule alone can't tell which values that moves.",
        _CORE,
    )
    for direction in Direction:
        read = direction is Direction.READ
        open_, safe = Verdict.UNKNOWN, Verdict.COMPATIBLE
        yield _rephrased("one-replaced-any", direction, open_ if read else safe, narrows, (_ANY, _EXACTLY))
        yield _rephrased("any-replaced-one", direction, safe if read else open_, widens, (_EXACTLY, _ANY))
        yield _rephrased(
            "composition-rephrased", direction, open_, anew, ({"anyOf": _ALTERNATIVES}, {"type": "object"})
        )


def _undecided(stem: str, text: Text, match: Match, *edits: tuple[Json, Json]) -> Iterator[Rule]:
    """The rules of both directions about a change that no rule alone can judge; `{}` in the title is the direction."""
    for direction, (side, slot) in _SIDES.items():
        said, asked = replace(text, title=text.title.format(side)), replace(match, direction=direction)
        made = unknown(f"{side}-{stem}", said, asked, *(Example(slot, *edit) for edit in edits))
        yield replace(made, mirror=f"{_SIDES[direction.reversed][0]}-{stem}")


def _found_by(expression: str) -> Json:
    return {"type": "object", "patternProperties": {expression: _NUMBER}, "additionalProperties": False}


_BRANCHED: Final[dict[str, Json]] = {"type": "object", "anyOf": [{"properties": {"a": _TEXT}}, {"required": ["b"]}]}
_JUDGING: Final = ({"additionalProperties", "unevaluatedProperties"}, {"items", "unevaluatedItems"})


def _judges_otherwise(delta: Delta) -> bool:
    forms = [form for form in (delta.released, delta.candidate) if isinstance(form, Mapping) and len(form) == 1]
    return len(forms) == 2 and {name for form in forms for name in form} in _JUDGING


RULES: tuple[Rule, ...] = (
    *_branches("allOf", "Every branch of `allOf` binds.", alternatives=False),
    *_branches("anyOf", "One branch of `anyOf` suffices.", alternatives=True),
    *_branches("oneOf", "Exactly one branch of `oneOf` applies.", alternatives=True),
    *_rephrasings(),
    *(rule for keyword in _CONSTRAINTS for rule in _constraint(keyword)),
    *both_ways(
        ValueSetChange.NARROWS,
        ("object-closed", "an object was closed", Match(facets=_MAP, candidate=(False,))),
        ("object-opened", "an object was opened", Match(facets=_MAP, released=(False,))),
        _CLOSING,
        Shown(released=_OPEN, candidate=_CLOSED),
    ),
    *mirrored(
        "additional-members-bound",
        ValueSetChange.NARROWS,
        Text("members without a name got a schema", "The schema binds every unnamed member.", _CLOSING[1]),
        Match(facets=_MAP, released=(True, ABSENT)),
        Shown(released={"type": "object"}, candidate={"type": "object", "additionalProperties": _NUMBER}),
    ),
    *mirrored(
        "additional-members-freed",
        ValueSetChange.WIDENS,
        Text("members without a name lost their schema", "The schema bound every unnamed member.", _CLOSING[1]),
        Match(facets=_MAP, candidate=(True, ABSENT)),
        Shown(released={"type": "object", "additionalProperties": _NUMBER}, candidate={"type": "object"}),
    ),
    *_undecided(
        "members-judged-otherwise",
        Text(
            "Other members of a {} value are judged",
            "No branch names an unevaluated member or item either; the rule alone can't tell which values that moves.",
            "JSON Schema 2020-12 Core, section 11.3",
        ),
        Match(facets=("additionalProperties", "items"), when=_judges_otherwise),
        ({**_BRANCHED, "additionalProperties": False}, {**_BRANCHED, "unevaluatedProperties": False}),
        (_OPEN, _CLOSED),
    ),
    *_undecided(
        "pattern-properties-changed",
        Text(
            "Other members of a {} value are bound by the schema of an expression",
            "Members that only one expression finds are bound by what else the other side says; the rule alone can't "
            "tell which values that moves.",
            "JSON Schema 2020-12 Core, section 10.3.2.2",
        ),
        Match(facets=("patternProperties",), changes=(Change.CHANGED,)),
        (_found_by("^n_"), _found_by("^n")),
        _SHOWN["patternProperties"],
    ),
    *both_ways(
        ValueSetChange.NARROWS,
        (
            "discriminator-added",
            "a member tells the branches apart",
            Match(facets=("discriminator",), shift=(FormChange.SET,)),
        ),
        (
            "discriminator-removed",
            "no member tells the branches apart",
            Match(facets=("discriminator",), shift=(FormChange.UNSET,)),
        ),
        (_TOLD, _DISCRIMINATOR),
        Shown(released={"oneOf": [_CAT, _DOG]}, candidate=_kinds(), slots=_BODIES),
    ),
    *both_ways(
        ValueSetChange.WIDENS,
        (
            "discriminator-value-added",
            "one more value names a branch",
            Match(facets=("discriminator",), when=lambda delta: _values(delta.released) < _values(delta.candidate)),
        ),
        (
            "discriminator-value-removed",
            "one value fewer names a branch",
            Match(facets=("discriminator",), when=lambda delta: _values(delta.candidate) < _values(delta.released)),
        ),
        (_TOLD, _DISCRIMINATOR),
        Shown(released=_kinds("cat"), candidate=_kinds("cat", "dog"), slots=_BODIES),
    ),
    *mirrored(
        "discriminator-changed",
        ValueSetChange.REPLACES,
        Text("the branches are told apart in another way", _TOLD, _DISCRIMINATOR),
        Match(facets=("discriminator",)),
        Shown(
            released=_kinds("cat", "dog"),
            candidate=_kinds("cat", "dog", by="type"),
            counter=(_kinds("cat"), _kinds("cat", "dog")),
            slots=_BODIES,
        ),
    ),
    *both_ways(
        ValueSetChange.NARROWS,
        ("schema-added", "any content became described content", Match(facets=("schema",), shift=(FormChange.SET,))),
        (
            "schema-removed",
            "described content became any content",
            Match(facets=("schema",), shift=(FormChange.UNSET,)),
        ),
        ("Without a schema every value is admitted.", _MEDIA),
        Shown(released=ABSENT, candidate={"type": "object"}, slots=_BODIES),
    ),
    *both_ways(
        ValueSetChange.NARROWS,
        ("nothing-admitted", "no value is admitted any more", Match(facets=("schema",), candidate=(False,))),
        ("something-admitted", "values are admitted where none was", Match(facets=("schema",), released=(False,))),
        ("The schema `false` admits nothing.", _CORE),
        Shown(released={"type": "string"}, candidate=False),
    ),
)
