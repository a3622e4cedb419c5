"""What comes or goes with what holds it is one row: procedures of a service, parts of a type of another kind."""

from __future__ import annotations

import pytest

from evreview.kinds.compare import compare
from tests.pipeline import written

TOP = 'syntax = "proto3";\npackage t;\nmessage A { string a = 1; }\nservice Keep { rpc K(A) returns (A); }\n'
SHOP = "service Shop { rpc One(A) returns (A); rpc Two(A) returns (stream A); rpc Three(stream A) returns (A); }\n"
NODES = (
    "type Query { n: Node a: A b: B c: C }\ntype A { id: ID! x: String }\ntype B { id: ID! y: String }\n"
    "type C { id: ID! }\n"
)
ROOTS = "type Query { a: Int }\ntype Mutation { m: Int }\ntype Subscription { s: Int t: Int }\n"
THING = "type Query { t: T }\n"


def implementing(*names: str) -> str:
    made = NODES + "interface Node { id: ID! }\n"
    for name in names:
        made = made.replace(f"type {name} {{", f"type {name} implements Node {{")
    return made


def rows(name: str, released: str, candidate: str) -> list[tuple[str, str, str]]:
    found = compare(written(name, released.encode()), written(name, candidate.encode()))
    return sorted((row.delta.address, row.delta.facet or row.delta.change, row.judgement.verdict) for row in found.rows)


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [
        (TOP + SHOP, TOP, [("service t.Shop", "removed", "breaking")]),
        (TOP, TOP + SHOP, [("service t.Shop", "added", "compatible")]),
        (
            TOP + SHOP,
            TOP + SHOP.replace("service Shop", "service Store"),
            [("service t.Shop", "removed", "breaking"), ("service t.Store", "added", "compatible")],
        ),
        (TOP + SHOP, TOP + SHOP.replace("rpc One(A) returns (A);", ""), [("t.Shop/One", "removed", "breaking")]),
        (
            TOP + SHOP,
            TOP.replace("rpc K(A) returns (A);", ""),
            [("service t.Shop", "removed", "breaking"), ("t.Keep/K", "removed", "breaking")],
        ),
        (TOP + "service Bare { }", TOP, [("service t.Bare", "removed", "breaking")]),
    ],
)
def test_procedures_go_with_their_service(released: str, candidate: str, expected: list[tuple[str, str, str]]) -> None:
    found = rows("a.proto", released, candidate)
    assert [(address, what) for address, what, _ in found] == [(address, what) for address, what, _ in expected]


def test_the_row_of_a_service_lists_its_procedures() -> None:
    found = compare(*(written("a.proto", text.encode()) for text in (TOP + SHOP, TOP)))
    assert [row.delta.operations for row in found.rows] == [("t.Shop/One", "t.Shop/Three", "t.Shop/Two")]
    assert sorted(noise.delta.address for noise in found.noise) == ["t.Shop/One", "t.Shop/Three", "t.Shop/Two"]


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [
        (implementing("A", "B"), NODES + "union Node = A | B", [("type Node", "kind")]),
        (implementing("A"), NODES + "union Node = A", [("type Node", "kind")]),
        (
            implementing("A", "B"),
            NODES + "union Node = A",
            [("type B > member Node", "removed"), ("type Node", "kind")],
        ),
        (implementing("A"), NODES + "union Node = A | C", [("type Node", "kind"), ("type Node > member C", "added")]),
        (NODES + "union Node = A | B", implementing("A", "B"), [("type Node", "kind")]),
        (NODES + "union Node = A | B", implementing("B"), [("type Node", "kind"), ("type Node > member A", "removed")]),
        (implementing("A", "B"), NODES + "type Node { id: ID! }", [("type Node", "kind")]),
        (THING + "type T { a: Int b: Int }", THING + "scalar T", [("type T", "kind")]),
        (THING + "enum T { A B }", THING + "scalar T", [("type T", "kind")]),
        (THING + "scalar T", THING + "enum T { A B }", [("type T", "kind")]),
        (
            THING + "type T { a: Int b: Int }",
            THING + "interface T { a: Int }",
            [("type T", "kind"), ("type T > field b", "removed")],
        ),
        (implementing("A", "B"), implementing("A"), [("type B > member Node", "removed")]),
    ],
)  # fmt: skip
def test_parts_go_with_the_kind_of_their_type(released: str, candidate: str, expected: list[tuple[str, str]]) -> None:
    assert [row[:2] for row in rows("a.graphql", released, candidate)] == expected


def rooted(*words: str) -> str:
    return "schema { " + " ".join(f"{word}: {word.capitalize()}" for word in words) + " }\n"


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [
        (ROOTS, rooted("query", "mutation") + ROOTS, [("subscription s", "removed"), ("subscription t", "removed")]),
        (rooted("query", "mutation") + ROOTS, ROOTS, [("subscription s", "added"), ("subscription t", "added")]),
        (ROOTS, rooted("query", "subscription") + ROOTS, [("mutation m", "removed")]),
        (ROOTS, ROOTS.replace("type Mutation { m: Int }", ""), [("mutation m", "removed")]),
        (ROOTS.replace("type Mutation { m: Int }", ""), ROOTS, [("mutation m", "added")]),
        (ROOTS, ROOTS.replace("t: Int", "t: Int u: Int"), [("subscription u", "added")]),
    ],
)
def test_fields_of_a_root_are_operations(released: str, candidate: str, expected: list[tuple[str, str]]) -> None:
    assert [row[:2] for row in rows("a.graphql", released, candidate)] == expected


def test_a_field_of_a_type_that_is_no_root_keeps_its_row() -> None:
    released = THING + "type T { a: Int }"
    assert [row[:2] for row in rows("a.graphql", released, released.replace("a: Int", "a: Int b: Int"))] == [
        ("type T > field b", "added")
    ]
