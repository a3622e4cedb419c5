"""A schema with places where it may be edited, each in one way or the other, so that any two choices are a pair."""

from __future__ import annotations

from collections.abc import Collection

BASE = '''
"""A shop."""
type Query {
  order(id: ID!, currency: String = "EUR"): Order
  orders(where: Where, first: Int, order: Sorting = NEWEST): [Order!]!
  node(id: ID!): Node
  search(text: String!): [Found!]
  report(kind: Kind): Float
  rate(of: [Int!]): Time
}
type Mutation { createOrder(input: OrderInput!): Order!  cancel(by: By!): Boolean }
interface Node { id: ID! }
interface Priced { price(in: String): Float }
type Order implements Node { id: ID! total: Float! status: Status! lines(first: Int = 5): [Line!] at: Time
  note: String }
type Line implements Priced { sku: String! qty: Int price(in: String): Float }
type Person implements Node { id: ID! name: String }
type Company { vat: String owner: Person }
type Lonely { x: Int }
union Found = Person | Order
enum Status { NEW PAID }
enum Sorting { NEWEST OLDEST }
enum Kind { DAY WEEK }
enum Unused { A B }
scalar Time
input OrderInput { sku: String! note: String extra: Where limit: Int = 3 }
input Where { sku: String kind: Kind }
input By { id: ID name: String }
input Idle { a: Int }
directive @cached(ttl: Int = 5, scope: Kind) repeatable on FIELD | QUERY
directive @audited on FIELD_DEFINITION | OBJECT
directive @shown on FIELD
'''

EDITS: tuple[tuple[str, str], ...] = (
    ('currency: String = "EUR"', 'currency: String = "USD"'),
    ('order(id: ID!, currency: String = "EUR")', "order(id: ID!, currency: String)"),
    ("where: Where, first: Int,", "where: Where, first: Int!,"),
    ("where: Where, first: Int,", "where: Where, first: [Int],"),
    ("where: Where, first: Int,", "where: Where, first: Int = 7,"),
    ("where: Where, first: Int,", "where: Where,"),
    ("where: Where, first: Int,", "where: Where, first: Int, after: ID,"),
    ("where: Where, first: Int,", "where: Where, first: Int, later: ID!,"),
    ("[Order!]!", "[Order!]"),
    ("[Order!]!", "[Order]!"),
    ("[Order!]!", "[Order!]!  more: String"),
    ("  report(kind: Kind): Float\n", ""),
    ("report(kind: Kind): Float", "report(kind: Kind): String"),
    ("report(kind: Kind): Float", "report(kind: String): Float"),
    ("rate(of: [Int!])", "rate(of: [Int])"),
    ("cancel(by: By!): Boolean", "cancel(by: By!): Order"),
    ("cancel(by: By!): Boolean", "cancel(by: By): Boolean"),
    ("total: Float!", "total: Float"),
    ("total: Float!", "total: [Float]"),
    ("total: Float! ", ""),
    ("lines(first: Int = 5)", "lines(first: Int = 6)"),
    ("lines(first: Int = 5)", "lines"),
    ("[Line!] at", "[Line!]! at"),
    ("at: Time\n", "at: String\n"),
    ("note: String }\ntype Line", "note: String @deprecated }\ntype Line"),
    ("type Line implements Priced", "type Line"),
    ("vat: String owner", "vat: String! owner"),
    ("type Company {", "type Company implements Node { id: ID!"),
    ("type Lonely { x: Int }\n", ""),
    ("type Lonely { x: Int }", "type Lonely { y: Int }"),
    ("Found = Person | Order", "Found = Person"),
    ("Found = Person | Order", "Found = Person | Order | Company"),
    ("NEW PAID", "NEW PAID SENT"),
    ("NEW PAID", "NEW"),
    ("NEWEST OLDEST", "NEWEST"),
    ("NEWEST OLDEST", "NEWEST OLDEST ANY"),
    ("DAY WEEK", "DAY"),
    ("enum Unused { A B }", "enum Unused { A C }"),
    ("scalar Time\n", 'scalar Time @specifiedBy(url: "https://time.test")\n'),
    ("scalar Time\n", "enum Time { NOON }\n"),
    ("note: String extra", "note: String! extra"),
    ("note: String extra", "extra"),
    ("note: String extra", "note: String more: String! extra"),
    ("note: String extra", "note: String more: String extra"),
    ("limit: Int = 3", "limit: Int"),
    ("limit: Int = 3", "limit: Int! = 3"),
    ("limit: Int = 3", "limit: Int = 4"),
    ("input By {", "input By @oneOf {"),
    ("input Idle { a: Int }\n", ""),
    ("ttl: Int = 5", "ttl: Int!"),
    ("ttl: Int = 5", "ttl: Int = 6"),
    ("scope: Kind)", "scope: Kind!)"),
    (", scope: Kind)", ")"),
    (") repeatable on", ") on"),
    ("on FIELD | QUERY", "on FIELD"),
    ("directive @shown on FIELD\n", ""),
    ("directive @audited on FIELD_DEFINITION | OBJECT\n", ""),
    ("FIELD_DEFINITION | OBJECT", "FIELD_DEFINITION"),
    ("interface Priced {", "extend type Line { weight: Float }\ninterface Priced {"),
    ("interface Priced {", "type Pallet implements Node { id: ID! }\ninterface Priced {"),
    ("interface Priced {", "type Box { x: Int }\ninterface Priced {"),
)  # fmt: skip


def made(chosen: Collection[int]) -> str:
    """The schema with some edits; one whose place another edit took is left out."""
    text = BASE
    for index in sorted(chosen):
        old, new = EDITS[index]
        text = text.replace(old, new, 1)
    return text
