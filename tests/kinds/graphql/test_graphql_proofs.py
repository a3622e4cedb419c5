"""Verdicts that GraphQL schemas decide against their rule, ways that are hard to find, and what a response may hold."""

from __future__ import annotations

import pytest
from graphql import build_schema

from evreview.contract.model import Contract
from evreview.core.vocabulary import Json, Tristate
from evreview.kinds.compare import compare
from evreview.kinds.graphql.judge import GraphqlMessage, from_json, told
from evreview.kinds.graphql.prover import replay
from tests.pipeline import written

SHARED = "interface Dated { at: Int made: Int } type Order implements Dated { at: Int made: Int }"
DECIDED = [
    ("an interface that only fragments name", f"type Query {{ order: Order }} {SHARED}",
     ("made: Int } type Order", "} type Order"), "type Dated > field made", "breaking", "witnessed"),
    ("an enum that only responses hold", "type Query { a: Kind } enum Kind { A }",
     ("a: Kind } enum Kind { A }", "a: Int }"), "type Kind", "compatible", "proved"),
    ("what no operation reaches", "type Query { a: Int } type Lone { x: Int y: Int }",
     (" y: Int", ""), "type Lone > field y", "compatible", "proved"),
    ("an interface that nobody promises", "type Query { a: Order } interface Named { x: Int } type Order { x: Int }",
     ("type Order", "type Order implements Named"), "type Order > member Named", "compatible", "proved"),
    ("a default where a value was demanded", "type Query { a(b: Int!): Int }",
     ("Int!", "Int! = 3"), "query a > argument b", "compatible", "proved"),
    ("a default where none was", "type Query { a(b: Int): Int }",
     ("b: Int", "b: Int = 3"), "query a > argument b", "unknown", "n/a"),
    ("an enum value only directives take", "type Query { a: Int } enum Kind { A B } directive @d(k: Kind) on FIELD",
     ("A B", "A"), "type Kind > value B", "breaking", "witnessed"),
    ("a required field deep in input",
     "type Query { a(b: B!): Int } input B { c: [C!]! } input C { d: D } input D { e: Int }",
     ("e: Int", "e: Int f: Int!"), "type D > field f", "breaking", "witnessed"),
    ("one of", "type Query { a(b: B): Int } input B { x: Int y: Int }",
     ("input B", "input B @oneOf"), "type B", "breaking", "witnessed"),
    ("a mutation's own root", "schema { query: Q mutation: M } type Q { a: Int } type M { b(c: Int): Int }",
     ("(c: Int)", ""), "mutation b > argument c", "breaking", "witnessed"),
    ("an input only directives take", "type Query { a: Int } input I { x: Int } directive @d(i: I) on FIELD",
     ("x: Int", "x: Int y: Int!"), "type I > field y", "breaking", "witnessed"),
    ("a list of lists", "type Query { a: [[Int!]!]! }",
     ("[[Int!]!]!", "[[Int]!]!"), "query a > response", "breaking", "witnessed"),
]  # fmt: skip


@pytest.mark.parametrize("case", DECIDED, ids=[row[0] for row in DECIDED])
def test_schemas_decide(case: tuple[str, str, tuple[str, str], str, str, str]) -> None:
    _, old, edit, address, verdict, status = case
    assert edit[0] in old
    sides = [written("s.graphql", text.encode()) for text in (old, old.replace(*edit, 1))]
    row = next(row for row in compare(*sides).rows if row.delta.address == address)
    assert (row.judgement.verdict.value, row.proof.status.value) == (verdict, status), (row.judgement.rule, row.proof)
    assert "more reasons" not in row.proof.reason


SCHEMA = build_schema("""
type Query { thing: Thing! things: [Thing!] kind: Kind number: Int any: Found own: Own }
type Thing { id: ID! size: Float on: Boolean }
type Other { id: ID! }
union Found = Thing
enum Kind { A B }
scalar Own
""")
RESPONSES: list[tuple[str, Json, bool]] = [
    ("{ thing { id size on } }", {"thing": {"id": "1", "size": 1.5, "on": None}}, True),
    ("{ thing { id } }", {"thing": None}, False),
    ("{ thing { id } }", {"thing": {"id": None}}, False),
    ("{ thing { id } }", {"thing": {"id": 1}}, False),
    ("{ thing { id } }", {"thing": {}}, False),
    ("{ thing { id } }", {"thing": {"id": "1", "size": 1}}, False),
    ("{ thing { on } }", {"thing": {"on": 1}}, False),
    ("{ thing { size } }", {"thing": {"size": True}}, False),
    ("{ things { id } }", {"things": [{"id": "1"}]}, True),
    ("{ things { id } }", {"things": [None]}, False),
    ("{ things { id } }", {"things": {"id": "1"}}, False),
    ("{ kind }", {"kind": "B"}, True),
    ("{ kind }", {"kind": "C"}, False),
    ("{ number }", {"number": 2**31}, False),
    ("{ number }", {"number": 1.5}, False),
    ("{ any { __typename ... on Thing { id } } }", {"any": {"__typename": "Thing", "id": "1"}}, True),
    ("{ any { __typename ... on Thing { id } } }", {"any": {"__typename": "Other"}}, False),
    ("{ own }", {"own": {"any": ["thing"]}}, True),
    ("{ thing { id } }", [], False),
    ("{ nothing }", {"nothing": 1}, False),
    ("{ thing { id }", {}, False),
    ("{" * 4000, {}, False),
]


@pytest.mark.parametrize(("document", "response", "admitted"), RESPONSES)
def test_a_response_is_held_against_its_document(document: str, response: Json, admitted: bool) -> None:
    found = told(SCHEMA, GraphqlMessage(document=document, response=response))
    assert found.accepted is (Tristate.YES if admitted else Tristate.NO), found.says


@pytest.mark.parametrize("broken", [None, [], {}, {"document": 3}, {"message": {}}])
def test_what_is_no_message_is_refused(broken: Json) -> None:
    with pytest.raises(ValueError):
        from_json(broken)


def test_a_message_survives_its_ledger() -> None:
    message = GraphqlMessage(document="{ a }", response={"a": 1}, reads="Query.a(b:)", default=None)
    assert from_json(message.to_json()) == message


def test_replay_holds_both_schemas_against_a_witness() -> None:
    sides: list[Contract] = [
        written("s.graphql", text.encode()) for text in ("type Query { a: Int }", "type Query { b: Int }")
    ]
    old, new = replay(sides[0], sides[1], {"message": {"document": "{ a }"}})
    assert (old.accepted, new.accepted) == (Tristate.YES, Tristate.NO)
    assert "Cannot query field 'a'" in new.says
