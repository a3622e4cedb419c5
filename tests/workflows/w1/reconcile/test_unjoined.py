"""Evidence that reached no difference: what it names, and the known name most like that."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.evidence.records.compatibility import ClientInventory
from evreview.evidence.records.test_runs import CheckResult, ImplementationMapping, Observations, TestRecord
from evreview.kinds.compare import compare
from evreview.workflows.w1.element_lookup import Spellings, check_as_rows, concerns
from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.reconcile.sources import reconcile
from evreview.workflows.w1.reconcile.unjoined import unjoined, unjoined_frame
from tests.pipeline import written
from tests.rows import bundle, item

RELEASED = """
openapi: 3.0.3
info: {title: T, version: "1"}
paths:
  /boxes/{id}:
    get:
      operationId: getBox
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "200":
          description: it
          content:
            application/json:
              schema:
                type: object
                properties: {weight: {type: integer}, lid: {type: object, properties: {tone: {type: string}}}}
"""
SIDES = ContractPair(
    written("api.yaml", RELEASED.encode()),
    written("api.yaml", RELEASED.replace("type: integer", "type: string").encode()),
)
ROWS = compare(SIDES.released, SIDES.candidate).rows
NAMES = Spellings(SIDES)
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-X = 1\n+X = 2\n"
SEEN = {"id": "o", "status": 200, "body_recorded": False}
APP = {"id": "app", "name": "App"}
ELEMENT = ROWS[0].delta.address
MISSPELT = ELEMENT.replace("weight", "wight")


def told(kind: str, given: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Why, named and nearest of what joined nothing in a bundle with one record."""
    records = {
        "check": ("test record", lambda: TestRecord.model_validate({"checks": [{"id": "c", "what": "w"} | given]})),
        "observation": (
            "test record",
            lambda: Observations.model_validate({"observations": [SEEN | given]}),
        ),
        "use": (
            "client inventory",
            lambda: ClientInventory.model_validate({"complete": False, "clients": [APP | {"uses": [given]}]}),
        ),
        "mapping": (
            "implementation diff",
            lambda: ImplementationMapping.model_validate(
                {"diff": "E3", "mappings": [{"path": "a.py", "lines": "1", "quote": "X = 2"} | given]}
            ),
        ),
    }
    type_, record = records[kind]
    made = bundle(item("E3", "implementation diff", DIFF), item("E4", type_, record=record()), revision="d" * 40)
    found = unjoined(made, ROWS, SIDES, NAMES, reconcile(made, ROWS, SIDES))
    assert [each.kind for each in found] == [kind] * len(found) and len(unjoined_frame(found)) == len(found)
    return [(each.why, each.named, each.nearest) for each in found]


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        ("check", {"operation": "getBoks"}, ("no-such-operation", "getBoks", "getBox")),
        ("check", {"operation": "GET /box/{id}"}, ("no-such-operation", "GET /box/{id}", "GET /boxes/{}")),
        ("check", {"operation": "getBox", "field": "wieght"}, ("no-such-field", "wieght", "weight")),
        ("check", {"operation": "getBox", "field": "lid.tune"}, ("no-such-field", "lid.tune", "lid.tone")),
        ("check", {"operation": "getBox", "field": "lid"}, ("no-difference", "getBox > lid", "")),
        ("check", {"deltas": ["D-000000000000"]}, ("no-such-difference", "D-000000000000", "")),
        ("check", {}, ("no-name", "", "")),
        ("check", {"operation": "zzz"}, ("no-such-operation", "zzz", "")),
        ("observation", {"operation": "GET /boxs/{id}"}, ("no-such-operation", "GET /boxs/{id}", "GET /boxes/{}")),
        ("observation", {"operation": "POST /boxes/4"}, ("no-such-operation", "POST /boxes/4", "GET /boxes/{}")),
        ("use", {"operation": "getBocks"}, ("no-such-operation", "getBocks", "getBox")),
        ("use", {"operation": "getBox", "fields": ["weigth"]}, ("no-such-field", "weigth", "weight")),
        ("mapping", {"element": MISSPELT}, ("no-such-element", MISSPELT, ELEMENT)),
    ],
)
def test_what_joins_nothing_is_told(kind: str, given: dict[str, Any], expected: tuple[str, str, str]) -> None:
    (found,) = told(kind, given)
    assert found[:2] == expected[:2] and (found[2] == expected[2] or expected[0] == "no-such-difference")


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("check", {"operation": "getBox", "field": "weight"}),
        ("check", {"operation": "GET /boxes/{boxId}", "field": "weight"}),
        ("check", {"operation": "getBox", "aspect": str(ROWS[0].delta.aspect)}),
        ("check", {"deltas": [ROWS[0].delta.id]}),
        ("check", {"path": "/v2"}),
        ("check", {"boundary": "route table"}),
        ("observation", {"operation": "GET /boxes/4"}),
        ("use", {"operation": "getBox", "fields": ["lid.tone"]}),
        ("use", {"operation": "GET /boxes/{x}"}),
        ("mapping", {"element": ELEMENT}),
        ("mapping", {"element": "none", "why": "a name only"}),
    ],
)
def test_what_joins_is_not_told(kind: str, given: dict[str, Any]) -> None:
    assert told(kind, given) == []


EVENTS = """
asyncapi: 3.0.0
info: {title: T, version: "1"}
channels:
  a: {address: shop.a, messages: {m: {$ref: '#/components/messages/Placed'}}}
  b: {address: shop.b, messages: {m: {$ref: '#/components/messages/Placed'}}}
  c: {address: shop.c, messages: {m: {name: Other, payload: {type: object, properties: {total: {type: integer}}}}}}
operations:
  sendA: {action: send, channel: {$ref: '#/channels/a'}}
  sendB: {action: send, channel: {$ref: '#/channels/b'}}
  sendC: {action: send, channel: {$ref: '#/channels/c'}}
components:
  messages:
    Placed: {name: Placed, payload: {type: object, properties: {total: {type: integer}, note: {type: integer}}}}
"""


@pytest.mark.parametrize(
    ("operation", "field", "reached"),
    [
        ("Placed", "total", {"send shop.a", "send shop.b"}),
        ("sendA", "total", {"send shop.a"}),
        ("shop.b", "total", {"send shop.b"}),
        ("Placed", "note", {"send shop.a", "send shop.b"}),
        ("Other", "total", {"send shop.c"}),
        ("Other", "note", set()),
    ],
)
def test_a_check_of_a_message_is_about_every_operation_that_carries_it(
    operation: str, field: str, reached: set[str]
) -> None:
    sides = ContractPair(
        written("e.yaml", EVENTS.encode()), written("e.yaml", EVENTS.replace("integer", "string").encode())
    )
    check = CheckResult(id="c", what="w", operation=operation, field=field)
    named = check_as_rows(check, Spellings(sides))
    found = [row.delta for row in compare(sides.released, sides.candidate).rows if concerns(named, row.delta)]
    assert {name for delta in found for name in delta.operations if name in reached} == reached
    assert bool(found) is bool(reached)
    assert all(set(delta.operations) & reached for delta in found)
