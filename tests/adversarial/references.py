"""Hostile references: cycles, fans that expand exponentially, long chains, targets that are no schemas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.adversarial.inputs import Document, Pair, api, both, case, object_of, ref, text

LEVELS = 30
"""A fan of two over this many levels stands for 2^30 expansions."""
CHAIN = 1500


def _fan(join: Callable[[Document], Document], longest: int, levels: int = LEVELS) -> Document:
    schemas: dict[str, Any] = {f"L{at}": join(ref(f"L{at + 1}")) for at in range(levels)}
    return api(ref("L0"), {**schemas, f"L{levels}": object_of(leaf=text(longest))})


def fanned(join: Callable[[Document], Document], levels: int = LEVELS) -> Pair:
    """Every level uses the one below it twice, or more often."""
    return both(lambda longest: _fan(join, longest, levels))


@case
def property_fan() -> Pair:
    return fanned(lambda below: object_of(left=below, right=below))


@case
def all_of_fan() -> Pair:
    return fanned(lambda below: {"allOf": [below, below]})


@case
def any_of_fan() -> Pair:
    return fanned(lambda below: {"anyOf": [below, {"allOf": [below]}]})


@case
def one_of_fan() -> Pair:
    return fanned(lambda below: {"oneOf": [object_of(left=below), object_of(right=below)]})


@case
def any_of_array_fan() -> Pair:
    """A chain of unions whose branches are the next one, lists of it, and it once more."""

    def make(longest: int) -> Document:
        def level(at: int) -> Document:
            below = ref(f"L{at + 1}")
            return {"anyOf": [below, {"type": "array", "items": below}, {"allOf": [below]}]}

        return api(ref("L0"), {**{f"L{at}": level(at) for at in range(45)}, "L45": text(longest)})

    return both(make)


@case
def mixed_fan() -> Pair:
    return fanned(lambda below: {"allOf": [object_of(a=below)], "anyOf": [below, object_of(b=below)]})


@case
def array_fan() -> Pair:
    return fanned(lambda below: {"type": "array", "prefixItems": [below], "items": below})


@case
def negated_fan() -> Pair:
    return fanned(lambda below: {"not": {"anyOf": [below, object_of(a=below)]}})


@case
def conditional_fan() -> Pair:
    return fanned(lambda below: {"if": below, "then": object_of(a=below), "else": object_of(b=below)})


@case
def cyclic_fan() -> Pair:
    """Every level refers to every other one."""

    def make(longest: int) -> Document:
        names = [f"N{at}" for at in range(40)]
        schemas = {name: object_of(**{other: ref(other) for other in names}, own=text(longest)) for name in names}
        return api(ref("N0"), schemas)

    return both(make)


def meshed(count: int) -> Pair:
    """Every component is one of as many objects as there are components, each of which may lead to another one."""

    def make(longest: int) -> Document:
        leading = [object_of(**{f"c{at}": ref(f"N{at}")}) for at in range(count)]
        leaves = [object_of(**{f"v{at}": text(longest if at == count - 1 else 5)}) for at in range(count)]
        return api(ref("N0"), {f"N{at}": {"oneOf": [*leading, leaf]} for at, leaf in enumerate(leaves)})

    return both(make)


@case
def one_of_mesh() -> Pair:
    return meshed(12)


@case
def all_of_of_everything() -> Pair:
    """Every component is the conjunction of all others."""

    def make(longest: int) -> Document:
        names = [f"N{at}" for at in range(20)]
        schemas = {
            name: {"allOf": [ref(other) for other in names if other != name], **object_of(own=text(longest))}
            for name in names
        }
        return api(ref("N0"), schemas)

    return both(make)


def chained(link: Callable[[Document], Document], length: int = CHAIN) -> Pair:
    """Every link leads to the next one."""

    def make(longest: int) -> Document:
        schemas: dict[str, Any] = {f"L{at}": link(ref(f"L{at + 1}")) for at in range(length)}
        return api(ref("L0"), {**schemas, f"L{length}": object_of(leaf=text(longest))})

    return both(make)


@case
def reference_chain() -> Pair:
    return chained(lambda below: below)


@case
def property_chain() -> Pair:
    return chained(lambda below: object_of(next=below))


@case
def item_chain() -> Pair:
    return chained(lambda below: {"type": "array", "items": below})


@case
def all_of_chain() -> Pair:
    return chained(lambda below: {"allOf": [below], "minProperties": 1})


@case
def one_of_chain() -> Pair:
    return chained(lambda below: {"oneOf": [below, {"type": "null"}]}, 1000)


@case
def sibling_chain() -> Pair:
    return chained(lambda below: {**below, "minProperties": 1})


@case
def negation_chain() -> Pair:
    return chained(lambda below: {"not": below}, 1001)


@case
def self_reference() -> Pair:
    return both(lambda longest: api(object_of(a=ref("A"), b=text(longest)), {"A": ref("A")}))


@case
def reference_ring() -> Pair:
    schemas = {f"A{at}": ref(f"A{(at + 1) % 50}") for at in range(50)}
    return both(lambda longest: api(object_of(a=ref("A0"), b=text(longest)), schemas))


@case
def all_of_self() -> Pair:
    return both(lambda longest: api(ref("A"), {"A": {"allOf": [ref("A")], **object_of(b=text(longest))}}))


@case
def all_of_mutual() -> Pair:
    def make(longest: int) -> Document:
        return api(
            ref("A"),
            {"A": {"allOf": [ref("B"), object_of(b=text(longest))]}, "B": {"allOf": [ref("A"), object_of(c=text(5))]}},
        )

    return both(make)


@case
def all_of_through_siblings() -> Pair:
    def make(longest: int) -> Document:
        return api(
            ref("A"),
            {"A": {**ref("B"), **object_of(b=text(longest))}, "B": {**ref("A"), "minProperties": 1}},
        )

    return both(make)


def _one(name: str, schema: Callable[[Document, Document], Document]) -> Pair:
    """A component that is made of itself and of a text that changes."""
    return both(lambda longest: api(ref(name), {name: schema(ref(name), text(longest))}))


@case
def one_of_self() -> Pair:
    return _one("A", lambda own, leaf: {"oneOf": [own, object_of(b=leaf)]})


@case
def any_of_self() -> Pair:
    return _one("A", lambda own, leaf: {"anyOf": [own, object_of(b=leaf)]})


@case
def not_self() -> Pair:
    return _one("A", lambda own, leaf: {"not": own, **object_of(b=leaf)})


@case
def condition_self() -> Pair:
    return _one("A", lambda own, leaf: {"if": own, "then": own, "else": own, **object_of(b=leaf)})


@case
def dependent_self() -> Pair:
    return _one("A", lambda own, leaf: {"dependentSchemas": {"b": own}, **object_of(b=leaf)})


@case
def unevaluated_self() -> Pair:
    return _one("A", lambda own, leaf: {"allOf": [object_of(b=leaf)], "unevaluatedProperties": own})


@case
def unevaluated_all_of_self() -> Pair:
    return _one("A", lambda own, leaf: {"allOf": [own, object_of(b=leaf)], "unevaluatedProperties": False})


@case
def unevaluated_items_self() -> Pair:
    return _one("A", lambda own, leaf: {"prefixItems": [leaf], "contains": own, "unevaluatedItems": own})


@case
def map_self() -> Pair:
    return _one("A", lambda own, leaf: {**object_of(b=leaf), "additionalProperties": own})


@case
def required_self() -> Pair:
    """No finite value is admitted."""
    return _one("A", lambda own, leaf: {**object_of(b=leaf, own=own), "required": ["own", "b"]})


@case
def names_self() -> Pair:
    return _one("A", lambda own, leaf: {**object_of(b=leaf), "propertyNames": own, "patternProperties": {"^x": own}})


@case
def dynamic_references() -> Pair:
    def make(longest: int) -> Document:
        tree = {
            "$dynamicAnchor": "node",
            **object_of(data=text(longest), children={"type": "array", "items": {"$dynamicRef": "#node"}}),
        }
        strict = {"$dynamicAnchor": "node", **ref("Tree"), "unevaluatedProperties": False}
        return api(ref("Strict"), {"Tree": tree, "Strict": strict})

    return both(make)


@case
def reference_to_the_document() -> Pair:
    return both(lambda longest: api({"anyOf": [{"$ref": "#"}, object_of(b=text(longest))]}))


@case
def reference_through_the_operation() -> Pair:
    """The body's schema contains the body's schema by its place in the paths."""
    place = "#/paths/~1x/post/requestBody/content/application~1json/schema"
    return both(lambda longest: api(object_of(a={"$ref": place}, b=text(longest))))


@case
def odd_references() -> Pair:
    odd: list[Any] = ["", "#", "##", "#/", "#/components", "%", "#/%ZZ", "#/components/schemas/%41", "a b", "file:///x",
                      "../../../x.json", "http://[", "#" + "/a" * 5000, 7, None, [], {"$ref": "#"}]  # fmt: skip
    return both(lambda longest: api(object_of(b=text(longest), **{f"p{n}": {"$ref": r} for n, r in enumerate(odd)})))


def _parts(longest: int, parts: Mapping[str, Any], **operation: Any) -> Document:
    document = dict(api(object_of(b=text(longest)), **operation))
    document["components"] = {**document["components"], **parts}
    return document


@case
def component_rings() -> Pair:
    """Parameters, headers, responses, bodies and examples that refer to themselves."""
    kinds = ("parameters", "headers", "responses", "requestBodies", "examples", "links", "callbacks", "securitySchemes")
    parts = {kind: {"A": {"$ref": f"#/components/{kind}/B"}, "B": {"$ref": f"#/components/{kind}/A"}} for kind in kinds}
    more = {
        "parameters": [{"$ref": "#/components/parameters/A"}],
        "callbacks": {"c": {"$ref": "#/components/callbacks/A"}},
    }
    return both(lambda longest: _parts(longest, parts, **more))


@case
def path_item_rings() -> Pair:
    def make(longest: int) -> Document:
        document = dict(api(object_of(b=text(longest))))
        rings = {"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}, "/c": {"$ref": "#/paths/~1c"}}
        return {**document, "paths": {**document["paths"], **rings}}

    return both(make)


@case
def callback_rings() -> Pair:
    """A callback whose operation has the same callback again, through components and through path items."""

    def make(longest: int) -> Document:
        body = {"content": {"application/json": {"schema": object_of(b=text(longest))}}}
        again = {"again": {"$ref": "#/components/callbacks/A"}, "other": {"$ref": "#/components/callbacks/B"}}
        operation = {"requestBody": body, "callbacks": again, "responses": {}}
        parts = {
            "callbacks": {
                "A": {"{$request.body#/url}": {"post": operation}},
                "B": {"{$request.body#/url}": {"$ref": "#/components/pathItems/P"}},
            },
            "pathItems": {"P": {"put": operation, "post": operation}},
        }
        return _parts(longest, parts, callbacks=again)

    return both(make)


@case
def callback_fan() -> Pair:
    """Callbacks in callbacks, two per level: 2^20 operations when expanded."""

    def make(longest: int) -> Document:
        body = {"content": {"application/json": {"schema": object_of(b=text(longest))}}}

        def level(at: int) -> Document:
            below = {name: {"$ref": f"#/components/callbacks/C{at + 1}"} for name in ("l", "r")} if at < 20 else {}
            return {"{$request.body#/url}": {"post": {"requestBody": body, "callbacks": below, "responses": {}}}}

        parts = {"callbacks": {f"C{at}": level(at) for at in range(21)}}
        return _parts(longest, parts, callbacks={"c": {"$ref": "#/components/callbacks/C0"}})

    return both(make)


@case
def callback_to_its_own_path() -> Pair:
    own = {"c": {"{$request.body#/url}": {"$ref": "#/paths/~1x"}}}
    return both(lambda longest: api(object_of(b=text(longest)), callbacks=own))


@case
def recursive_discriminator() -> Pair:
    def make(longest: int) -> Document:
        mapping = {name: f"#/components/schemas/{name}" for name in ("Cat", "Dog", "Pet", "Gone")}
        pet = {
            "oneOf": [ref("Cat"), ref("Dog")],
            "discriminator": {"propertyName": "kind", "mapping": mapping},
            **object_of(kind={"type": "string"}),
            "required": ["kind"],
        }
        cat = {"allOf": [ref("Pet"), object_of(friend=ref("Pet"), name=text(longest))]}
        return api(ref("Pet"), {"Pet": pet, "Cat": cat, "Dog": {"allOf": [ref("Pet"), object_of(bark=text(5))]}})

    return both(make)
