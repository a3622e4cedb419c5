"""Hostile sizes: many branches, members, values, parameters and operations; bounds no value can be built for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.adversarial.inputs import Document, Pair, api, both, case, object_of, ref, text


@case
def huge_enum() -> Pair:
    values = [f"value-{at}" for at in range(30_000)]
    return api({"type": "string", "enum": values}), api({"type": "string", "enum": values[:-1]})


@case
def huge_enum_reordered() -> Pair:
    values = list(range(30_000))
    return api({"enum": values}), api({"enum": [*values[::-1][:-1], "new"]})


@case
def huge_enum_of_objects() -> Pair:
    values = [{"a": at, "b": [at]} for at in range(10_000)]
    return api({"enum": values}), api({"enum": [*values[1:], {"a": -1}]})


@case
def huge_enum_to_constants() -> Pair:
    values = list(range(2_000))
    return api({"enum": values}), api({"oneOf": [{"const": value} for value in values]})


@case
def many_branches() -> Pair:
    def make(longest: int) -> Document:
        branches = [object_of(kind={"const": f"k{at}"}, own=text(longest + at)) for at in range(100)]
        return api({"oneOf": branches})

    return both(make)


@case
def many_branches_alike() -> Pair:
    """Nothing tells the branches apart but what changes."""
    return both(lambda longest: api({"oneOf": [object_of(own=text(longest + 50 * at)) for at in range(80)]}))


@case
def many_branches_turned() -> Pair:
    branches = [object_of(**{f"p{at}": text(5)}) for at in range(500)]
    return api({"anyOf": branches}), api({"anyOf": [*branches[::-1][1:], object_of(new=text(1))]})


@case
def many_members_of_all_of() -> Pair:
    return both(lambda longest: api({"allOf": [object_of(**{f"p{at}": text(longest)}) for at in range(1000)]}))


@case
def many_overlapping_members() -> Pair:
    return both(lambda longest: api({"allOf": [{"maxProperties": longest + at} for at in range(1000)]}))


@case
def branches_to_multiply() -> Pair:
    """A conjunction of disjunctions: 4^20 branches when multiplied out."""

    def make(longest: int) -> Document:
        choice = [{"anyOf": [object_of(**{f"p{at}": text(longest + way)}) for way in range(4)]} for at in range(20)]
        return api({"allOf": choice})

    return both(make)


@case
def exclusive_branches_to_multiply() -> Pair:
    def make(longest: int) -> Document:
        choice = [
            {"oneOf": [{**object_of(**{f"p{at}": text(longest)}), "required": [f"p{at}"]}, {"maxProperties": at}]}
            for at in range(24)
        ]
        return api({"allOf": choice})

    return both(make)


def _tower(wrap: Callable[[Document, int], Document], height: int = 60) -> Pair:
    def make(longest: int) -> Document:
        schema = object_of(leaf=text(longest))
        for at in range(height):
            schema = wrap(schema, at)
        return api(schema)

    return both(make)


@case
def any_of_tower() -> Pair:
    return _tower(lambda below, at: {"anyOf": [below, {"type": "integer", "minimum": at}, {"const": f"c{at}"}]})


@case
def one_of_tower() -> Pair:
    return _tower(lambda below, at: {"oneOf": [below, {"type": "integer", "multipleOf": at + 1}]})


@case
def all_of_tower() -> Pair:
    return _tower(lambda below, at: {"allOf": [below, object_of(**{f"p{at}": text(5)})]})


@case
def not_tower() -> Pair:
    return _tower(lambda below, at: {"not": below}, 110)


@case
def property_tower() -> Pair:
    return _tower(lambda below, at: object_of(next=below), 100)


@case
def condition_tower() -> Pair:
    return _tower(lambda below, at: {"if": {"required": [f"p{at}"]}, "then": below, "else": {"minProperties": 1}})


DEEPEST = 234
"""As deep as a text may be nested, what stands around the schema left out."""


@case
def deepest_not() -> Pair:
    return _tower(lambda below, _: {"not": below}, DEEPEST)


@case
def deepest_items() -> Pair:
    return _tower(lambda below, _: {"type": "array", "items": below}, DEEPEST)


@case
def deepest_contained() -> Pair:
    return _tower(lambda below, _: {"contains": below}, DEEPEST)


@case
def deepest_names() -> Pair:
    return _tower(lambda below, _: {"propertyNames": below}, DEEPEST)


@case
def deepest_unevaluated() -> Pair:
    return _tower(lambda below, _: {"unevaluatedProperties": below}, DEEPEST)


@case
def deepest_properties() -> Pair:
    return _tower(lambda below, _: object_of(a=below), DEEPEST // 2)


@case
def deepest_any_of() -> Pair:
    return _tower(lambda below, _: {"anyOf": [below, {"type": "integer"}]}, DEEPEST // 2)


@case
def wide_object() -> Pair:
    def make(longest: int) -> Document:
        names = [f"p{at}" for at in range(600)]
        closed = {"additionalProperties": False, "required": names[:100]}
        return api({**object_of(**{name: text(longest) for name in names}), **closed})

    return both(make)


@case
def many_required() -> Pair:
    names = [f"p{at}" for at in range(10_000)]
    return api({"type": "object", "required": names[1:]}), api({"type": "object", "required": names})


@case
def many_patterns() -> Pair:
    def make(longest: int) -> Document:
        return api({"type": "object", "patternProperties": {f"^{'a' * at}": text(longest) for at in range(120)}})

    return both(make)


@case
def many_parameters() -> Pair:
    def make(longest: int) -> Document:
        places = ("query", "header", "cookie")
        found = [{"name": f"p{at}", "in": place, "schema": text(longest)} for at in range(300) for place in places]
        return api({"type": "object"}, parameters=found)

    return both(make)


@case
def many_owed_parameters() -> Pair:
    """Every message carries every parameter, and every parameter changes."""

    def make(longest: int) -> Document:
        found = [{"name": f"p{at}", "in": "query", "required": True, "schema": text(longest)} for at in range(200)]
        return api({"type": "object"}, parameters=found)

    return both(make)


@case
def many_media_types() -> Pair:
    def make(longest: int) -> Document:
        content = {f"application/x{at}+json": {"schema": text(longest)} for at in range(400)}
        return api({"type": "object"}, requestBody={"content": content})

    return both(make)


@case
def many_operations_of_one_component() -> Pair:
    def make(longest: int) -> Document:
        document = dict(api({"type": "object"}, {"Shared": object_of(b=text(longest))}))
        content = {"application/json": {"schema": ref("Shared")}}
        operation = {"requestBody": {"content": content}, "responses": {"200": {"description": "", "content": content}}}
        return {**document, "paths": {f"/p{at}": {"post": operation, "put": operation} for at in range(800)}}

    return both(make)


@case
def every_path_renamed() -> Pair:
    def make(prefix: str) -> Document:
        document = dict(api({"type": "object"}))
        operation = document["paths"]["/x"]["post"]
        return {**document, "paths": {f"/{prefix}{at}/{{id}}": {"post": operation} for at in range(800)}}

    return make("old"), make("new")


@case
def many_security_alternatives() -> Pair:
    def make(longest: int) -> Document:
        wanted = [{f"s{at}": [f"scope{n}" for n in range(longest)], "common": []} for at in range(1000)]
        return api(object_of(b=text(longest)), security=wanted)

    return both(make)


@case
def many_servers() -> Pair:
    return both(
        lambda longest: api(object_of(b=text(longest)), servers=[{"url": f"/v{at}"} for at in range(100 * longest)])
    )


@case
def unused_components() -> Pair:
    def make(longest: int) -> Document:
        spare = {f"Spare{at}": object_of(b=text(longest), next=ref(f"Spare{at + 1}")) for at in range(8_000)}
        return api(object_of(b=text(longest)), spare)

    return both(make)


def _bounds(**keywords: Any) -> Pair:
    """Every bound moves by one: whatever tells the sides apart is as large as the bound."""
    moved = {key: value - 1 if key.startswith("max") else value + 1 for key, value in keywords.items()}
    return api(keywords), api(moved)


@case
def unbuildable_lengths() -> Pair:
    return _bounds(minLength=10**9, maxLength=2 * 10**9)


@case
def unbuildable_items() -> Pair:
    return _bounds(minItems=10**9, maxItems=2 * 10**9)


@case
def unbuildable_properties() -> Pair:
    return _bounds(minProperties=10**9, maxProperties=2 * 10**9)


@case
def unbuildable_unique_items() -> Pair:
    old, new = (
        {"type": "array", "uniqueItems": True, "items": {"type": "integer"}, "minItems": n} for n in (10**6, 10**6 + 1)
    )
    return api(old), api(new)


@case
def unbuildable_nested_items() -> Pair:
    """100^6 values in the smallest instance."""

    def make(longest: int) -> Document:
        schema: Document = text(longest)
        for _ in range(6):
            schema = {"type": "array", "minItems": 100, "items": schema}
        return api(schema)

    return both(make)


@case
def unbuildable_required_fan() -> Pair:
    """2^30 members in the smallest instance."""

    def make(longest: int) -> Document:
        schemas: dict[str, Any] = {
            f"L{at}": {**object_of(l=ref(f"L{at + 1}"), r=ref(f"L{at + 1}")), "required": ["l", "r"]}
            for at in range(30)
        }
        leaf = {**object_of(b=text(longest)), "required": ["b"]}
        return api(ref("L0"), {**schemas, "L30": leaf})

    return both(make)


@case
def odd_numbers() -> Pair:
    odd = [0, -1, 1e-300, 1e308, -1e308, 10**400, 5e-324, 0.1, 3, 2**53 + 1]

    def make(longest: int) -> Document:
        fields = {
            f"p{at}": {"type": "number", "multipleOf": value, "minimum": value, "exclusiveMaximum": value + longest}
            for at, value in enumerate(odd)
        }
        return api({**object_of(b=text(longest), **fields), "required": sorted(fields)})

    return both(make)


@case
def odd_multiples() -> Pair:
    old, new = {"type": "integer", "multipleOf": 10**18 + 9}, {"type": "integer", "multipleOf": (10**18 + 9) * 2}
    return api(old), api({**new, "minimum": 10**30})


@case
def contains_counts() -> Pair:
    def make(longest: int) -> Document:
        return api({"type": "array", "contains": text(longest), "minContains": 10**7, "maxContains": 10**8 + longest})

    return both(make)


@case
def huge_texts() -> Pair:
    long = "x" * 500_000
    old = {"type": "object", "description": long, "properties": {long[:100_000]: {"const": long}}}
    return api(old), api({**old, "properties": {long[:100_000]: {"const": long + "y"}}})


@case
def deep_values() -> Pair:
    def value(depth: int) -> Any:
        found: Any = "leaf"
        for _ in range(depth):
            found = {"a": [found]}
        return found

    return api({"const": value(100), "default": value(100)}), api({"const": value(99), "example": value(100)})
