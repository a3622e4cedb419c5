"""GraphQL schemas: what is recognised, what is refused with its place, and what becomes of one that is read."""

from __future__ import annotations

import pytest

from evreview.contract.model import Contract, Element
from evreview.contract.source import Files
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind, Direction
from evreview.kinds.compare import compare
from evreview.kinds.graphql import SPEC
from evreview.kinds.load import read_contract
from tests.pipeline import written


def read(text: str) -> Contract:
    return written("E2", text.encode())


def folder(**files: str) -> Contract:
    named = {f"{name}.graphql": text.encode() for name, text in files.items()}
    return read_contract("", lambda name: named[name], tuple(sorted(named)))


def at(contract: Contract, *keys: str) -> Element:
    element = contract.root
    for key in keys:
        element = next(child for child in element.children if child.key == key)
    return element


SCHEMAS = [
    "type Query { a: Int }",
    '"""Says:\n type: object"""\ntype Query { a: Int }',
    "# openapi: 3.0.0\nschema { query: Q } type Q { a: Int }",
    "extend type Query { a: Int }",
    "enum Kind { A B }",
    'enum Kind { "said" A }',
    "directive @a on FIELD",
    "scalar Time\n",
    "union A = B type B { c: Int }",
    "\ufeffinput A { b: Int }",
]
OTHERS = [
    "type: object\nproperties: {}",
    "enum Kind { A = 0; }\nmessage B { optional int32 c = 1; }",
    "enum Kind { option allow_alias = true; A = 0; }",
    "extend Foo { optional int32 c = 1; }",
    "message Type { }",
    '{"type": "record", "name": "A"}',
    "type Alias = int\n",
    "input = 3",
    "schema = 1",
    "import graphql",
    "query { a }",
    "openapi: 3.0.0",
    '"""' * 5000,
]


@pytest.mark.parametrize("text", SCHEMAS)
def test_schemas_are_recognised_by_their_text(text: str) -> None:
    assert SPEC.recognises(Files("E2", lambda _: text.encode()))


@pytest.mark.parametrize("text", OTHERS)
def test_other_texts_are_left_to_others(text: str) -> None:
    assert not SPEC.recognises(Files("E2", lambda _: text.encode()))


BROKEN = [
    ("type Query { a: }", "graphql-syntax", "line 1"),
    ("type Query {\n a: Int\n", "graphql-syntax", "line 3"),
    ('type Query { a(b: String = "', "graphql-syntax", "line 1"),
    ("type Query {\n a: Int\n a: Int }", "graphql-definition", "line 3"),
    ("type Query { a: Int }\ntype Query { b: Int }", "graphql-definition", "line 2"),
    ("type Query { a: Int\n b: Order }", "graphql-type-unknown", "line 2"),
    ("type Query { a: Int }\nextend enum Query { A }", "graphql-extension", "line 2"),
    ("type Query { a: Int }\nquery { a }", "graphql-operation", "line 2"),
    ("type Query {\n a(by: Order): Int }\ntype Order { id: ID }", "graphql-type-misplaced", "line 2"),
    ("type Query {\n a: By }\ninput By { id: ID }", "graphql-type-misplaced", "line 2"),
    ("type Query { a(b: By): Int }\ninput By {\n id: U }\nunion U = Query", "graphql-type-misplaced", "line 3"),
    ("type Query {\n a(b: [Int] = " + "[" * 3000, "graphql-too-deep", "line 2"),
    ("type Query { a: " + "[" * 3000 + "Int" + "]" * 3000 + " }", "graphql-too-deep", "line 1"),
]


@pytest.mark.parametrize(("text", "code", "place"), BROKEN)
def test_a_broken_schema_says_where(text: str, code: str, place: str) -> None:
    with pytest.raises(BadInput) as caught:
        read(text)
    assert [(problem.code, problem.place, problem.file) for problem in caught.value.problems] == [(code, place, "E2")]


def test_a_text_of_another_encoding_is_refused() -> None:
    with pytest.raises(BadInput) as caught:
        written("E2", b"type Query {\n # caf\xe9\n a: Int }")
    assert [(problem.code, problem.place) for problem in caught.value.problems] == [("text-encoding", "line 2")]


def test_all_problems_at_once() -> None:
    with pytest.raises(BadInput) as caught:
        folder(a="type Query { a: X b: Y }", b="type Z { c: Int c: Int }")
    found = [(problem.code, problem.file) for problem in caught.value.problems]
    assert sorted(found) == [("graphql-definition", "b.graphql"), *[("graphql-type-unknown", "a.graphql")] * 2]


def test_the_files_of_a_folder_are_one_schema() -> None:
    whole = folder(
        base="type Query { order: Order } type Order { id: ID }",
        more="extend type Query { orders: [Order] } extend type Order @seen { total: Float }",
        directives="directive @seen on OBJECT",
    )
    assert [operation.key for operation in whole.operations] == ["query order", "query orders"]
    total = at(whole, "Order", "total")
    assert str(total.place) == "more.graphql#L1"
    assert total.operations == ("query order", "query orders")


def test_a_part_of_a_federated_schema_stands_alone() -> None:
    part = read('extend type Query { order: Order } type Order @key(fields: "id") { id: ID }')
    assert part.kind is ContractKind.GRAPHQL
    assert [item.found for item in part.unread] == ["the directive @key is defined nowhere"]


WAYS = """
type Query { order(where: Where, sort: Sort): Order }
type Order { status: Status kind: Kind }
enum Status { NEW } enum Sort { UP } enum Kind { A } input Where { kind: Kind }
type Lonely { x: Int }
"""


def test_types_know_which_way_they_go_and_who_reaches_them() -> None:
    found = read(WAYS)
    ways = {element.key: element.direction for element in found.root.children if element.kind.value == "type"}
    assert ways == {
        "Query": Direction.WRITTEN, "Order": Direction.WRITTEN, "Lonely": Direction.WRITTEN,
        "Status": Direction.WRITTEN, "Sort": Direction.READ, "Kind": None, "Where": Direction.READ,
    }  # fmt: skip
    assert at(found, "Kind").operations == ("query order",)
    assert at(found, "Lonely").operations == ()


def test_parts_on_one_line_are_rows_of_their_own() -> None:
    old = "type Query { a(x: Int): A b(x: Int): B } type A { x: Int y: Int } type B { x: Int y: Int }"
    found = compare(read(old), read(old.replace(" y: Int", "").replace("(x: Int)", "(x: Int!)")))
    assert [row.delta.address for row in found.rows] == [
        "query a > argument x", "query b > argument x", "type A > field y", "type B > field y",
    ]  # fmt: skip


SAME = [
    ("type Query { a: Int b: Int }", "type Query { b: Int, a: Int }"),
    ("type Query { a: Int }", '"Said." type Query { "Said." a: Int }'),
    ("type Query { a: Int b: Int }", "type Query { a: Int } extend type Query { b: Int }"),
    ("type Query { a(b: [Int] = 1): Int }", "type Query { a(b: [Int] = [1]): Int }"),
    ("type Query { a: Int }", "schema { query: Query } type Query { a: Int }"),
    ('type Query { a: Int @deprecated(reason: "x") }', 'type Query { a: Int @deprecated(reason: "y") }'),
    ("union U = A | B type A { x: Int } type B { x: Int } type Query { u: U }",
     "union U = B | A type A { x: Int } type B { x: Int } type Query { u: U }"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_clients_never_see_is_no_row(one: str, other: str) -> None:
    assert compare(read(one), read(other)).rows == ()


def test_a_new_type_that_implements_an_interface_may_come_where_the_interface_was_promised() -> None:
    """graphql-core calls it safe. An old client may receive a type that it does not expect."""
    old = "type Query { node: Node } interface Node { id: ID } type A implements Node { id: ID }"
    found = compare(read(old), read(old + " type B implements Node { id: ID }"))
    assert [(row.delta.address, row.judgement.verdict.value, row.proof.status.value) for row in found.rows] == [
        ("type B", "breaking", "witnessed")
    ]


def test_unread_parts_of_both_sides_leave_no_doubt() -> None:
    text = "type Query { a: Int @tag }"
    assert compare(read(text), read("# moved\n" + text)).summary["breaking"] is False


@pytest.mark.parametrize(
    "definition",
    ["directive @include(if: Boolean!) on FIELD", "directive @skip(if: Boolean!, why: String!) on FIELD"],
)
def test_a_directive_of_documents_that_is_defined_otherwise_leaves_doubt(definition: str) -> None:
    sides = [
        written("a", text.encode()) for text in ("type Query { a: Int }", f"type Query {{ a: Int }}\n{definition}")
    ]
    assert [str(item.place) for item in sides[1].unread] == ["a#L2"]
    assert compare(*sides).summary["breaking"] == "unknown"


def test_a_directive_that_is_defined_as_specified_leaves_none() -> None:
    text = "type Query { a: Int }\ndirective @skip(if: Boolean!) on INLINE_FRAGMENT | FIELD | FRAGMENT_SPREAD"
    assert written("a", text.encode()).unread == ()
