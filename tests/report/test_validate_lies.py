"""One lying edit at a time where an artifact tells a fact twice: refused without the bundle, at the line that lies.

A line is named by words that it has after the edit; where a fact has two places, it is the one that is found second.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.report.validate import validate_artifact
from tests.report.problem_codes import codes

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
W1 = GOLDEN / "expected" / "demo" / "api-contract-review.md"
W2 = GOLDEN / "expected_w2" / "demo" / "api-reference.md"
W3 = GOLDEN / "expected_w3" / "demo" / "security-review.md"
DIFFERS, COUNT, CELLS = "said-differently", "count-differs", "cells-contradict"
FIRST, DANGLES = "next-action-differs", "reference-dangling"
LIES = [
    (W2, "GET /v1/orders HTTP/1.1", "GET /v1/order HTTP/1.1", DIFFERS, ""),
    (W2, "POST /v1/orders HTTP/1.1", "PUT /v1/orders HTTP/1.1", DIFFERS, ""),
    (W2, "GET /v1/orders/ord_00000000 HTTP", "GET /v1/orders/order-1 HTTP", DIFFERS, ""),
    (W2, "Host: {merchant}.orders.example.com\nauthorization", "Host: api.example.com\nauthorization", DIFFERS, ""),
    (W2, "Idempotency-Key: <value>", "Idempotence-Key: <value>", DIFFERS, ""),
    (W2, "Content-Type: application/json\n", "Content-Type: text/plain\n", DIFFERS, ""),
    (W2, "The request body, `application/json`, is required",
     "The request body, `application/json`, is optional", DIFFERS, "| Request body | required "),
    (W2, "Limits: query parameter `limit`: `1` to `100`",
     "Limits: query parameter `limit`: `1` to `1000`", DIFFERS, ""),
    (W2, "| `limit` | query | integer | no | `1` to `100`",
     "| `limit` | query | integer | no | `1` to `1000`", DIFFERS, "* **Observation:** Limits:"),
    (W2, "| limits | GET /v1/orders: query parameter `limit`: `1` to `100`",
     "| limits | GET /v1/orders: query parameter `limit`: `1` to `500`", DIFFERS, "* **Observation:** Limits:"),
    (W2, '"quantity": 2, "status": "placed",\n   "note"',
     '"quantity": "two", "status": "placed",\n   "note"', DIFFERS, ""),
    (W2, '"quantity": 2, "status": "placed",\n   "note"',
     '"quantity": 5000, "status": "placed",\n   "note"', DIFFERS, ""),
    (W2, '"status": "placed",\n "note"', '"status": "lost",\n "note"', DIFFERS, "HTTP/1.1 201"),
    (W2, '```json\n{"id": "ord_00000000"', '```json\n{"id": "order"', DIFFERS, '{"id": "order", "sku": "ex'),
    (W2, '```json\n{"id": "ord_00000000", "sku": "example sku",',
     '```json\n{"id": "ord_00000000",', DIFFERS, '{"id": "ord_00000000", "qu'),
    (W2, '"nextCursor": "example-cursor"}', '"nextCursor": 7}', DIFFERS, '{"items": [{"id": "ord_000'),
    (W2, "location: /v1/orders/ord_00000000", "location: /elsewhere", DIFFERS, ""),
    (W2, "HTTP/1.1 201\n", "HTTP/1.1 200\n", DIFFERS, ""),
    (W2, "| Authentication | `bearer` | E1:L106 |", "| Authentication | `basic` | E1:L106 |", DIFFERS, ""),
    (W2, "| Base URL shape | `https://{merchant}.orders.example.com` | E1:L7, E9:L5 |",
     "| Base URL shape | `https://orders.example.com` | E1:L7, E9:L5 |", DIFFERS, "Host: {merchant}.orders.ex"),
    (W2, "| Request example | left out: it would show what a discrepancy withholds",
     "| Request example | executed: passed", DIFFERS, ""),
    (W2, "Pagination: query parameter `limit`, optional", "Pagination: query parameter `limit`, required", DIFFERS, ""),
    (W2, "Response header: `Location` on `201`, string, required",
     "Response header: `Location` on `200`, string, required", DIFFERS, ""),
    (W2, "| response header | POST /v1/orders: `Location` on `201`",
     "| response header | POST /v1/orders: `Location` on `202`", DIFFERS, "* **Observation:** Respons"),
    (W2, '{"code": "unauthorized", ', '{"code": "forbidden", ', DIFFERS, ""),
    (W2, "| `401` | `application/json` | `unauthorized` | [Error](#error) | E1",
     "| `401` | `application/json` | `forbidden` | [Error](#error) | E1", DIFFERS, ""),
    (W2, "| `409` | `application/json` | `idempotency_key_reused`",
     "| `409` | `application/json` | `key_reused`", DIFFERS, ""),
    (W2, "Side effects: `Stores the order and reserves stock for it.`",
     "Side effects: `Stores the order.`", DIFFERS, ""),
    (W2, "Status `409`. Unverified", "Status `401`. Unverified", DIFFERS, ""),
    (W2, "Proposed example `EX-a3e2e4d03a`, accepted",
     "Proposed example `EX-a3e2e4d03b`, accepted", DIFFERS, "| `EX-a3e2e4d03a` | `GET /"),
    (W2, "| exclusions | `purgeOrder`", "| exclusions | `listOrders`", DIFFERS, "* **Limitation:** Excluded"),
    (W2, "| included operations | `GET /v1/orders`, `POST /v1/orders`, ",
     "| included operations | `GET /v1/orders`, ", DIFFERS, ""),
    (W2, "Undefined by the contract: header parameter `Idempotency-Key` missing",
     "Undefined by the contract: header parameter `X-Key` missing", DIFFERS, ""),
    (W2, "a request body outside its schema. [E1:L40", "a request body. [E1:L40", DIFFERS, ""),
    (W2, "| `Idempotency-Key` | header | string (`uuid`) | yes |",
     "| `Idempotency-Key` | header | string (`uuid`) | no |", DIFFERS, "* **Observation:** Idempot"),
    (W2, "header parameter `Idempotency-Key`, required. [",
     "header parameter `Idempotency-Key`, optional. [", DIFFERS, ""),
    (W2, "| `404` | withheld | withheld", "| `404` | `application/json` | `gone`", DIFFERS, ""),
    (W2, "all 3 operations | `bearer`", "all 2 operations | `bearer`", COUNT, ""),
    (W2, "| `POST /v1/orders` | left out | it would",
     "| `POST /v1/orders` | proposed, unexecuted | it would", DIFFERS, "| Request example | left o"),
    (W2, "(`X-faf60a479cdb`)", "(`X-6fa5a3125035`)", DIFFERS, ""),
    (W2, "| `quantity` | withheld | withheld | withheld until a discrepancy is disposed of |",
     "| `quantity` | integer | yes | `1` to `100` |", DIFFERS, ""),
    (W2, "| `note` | string or null | no | at most `200` characters | E1:L136 |",
     "| `note` | withheld | withheld | withheld until a discrepancy is disposed of | E1:L136 |", DIFFERS, ""),
    (W2, "with another body.”; unverified (W2-F4) | E1", "with another body.” | E1", DIFFERS,
     "* **Limitation:** Status `409`. Unverified"),
    (W2, "| `201` | `application/json` | n/a | [Order](#order); “The order was created.”; header `Location` |",
     "| `201` | `application/json` | n/a | [Order](#order); “The order was created.”; header `Location`; "
     "unverified (W2-F4) |", DIFFERS, ""),
    (W3, "[No negative test shows that the control `inner-location` refuses",
     "[A negative test shows that the control `inner-location` refuses", DIFFERS, "| S-5e6d3c288ea2: a negati"),
    (W3, "[No negative test shows that the control `inner-location` refuses",
     "[No negative test shows that the control `staff-check` refuses", DIFFERS, "| S-5e6d3c288ea2: a negati"),
    (W3, "[A secret is written in the source](",
     "[A secret is printed in the log](", DIFFERS, "| S-10310fc777db: ask the "),
    (W3, "a secret written in the source in settings.py",
     "a password written in the source in settings.py", DIFFERS, "* **Observation:** In `ser"),
    (W3, "Whoever reads it may act as the service, until the secret is replaced; attacker",
     "Nobody may act as the service; attacker", DIFFERS, ""),
    (W3, "A caller without the right may get what the decision protects; attacker",
     "A caller without the right gets nothing; attacker", DIFFERS, ""),
    (W3, "attacker preconditions: can read the source, its history or what is built from it.",
     "attacker preconditions: can read nothing.", DIFFERS, ""),
    (W3, "on `GET /internal/figures`. [E11:L72]",
     "on `POST /v1/tickets`. [E11:L72]", DIFFERS, "| GET /internal/figures | "),
    (W3, "Not shown: a negative test of `inner-location`", "Not shown: a negative test of `staff-check`", DIFFERS, ""),
    (W3, "No passed negative test of `inner-location` is retained; on",
     "A passed negative test of `inner-location` is retained; on", DIFFERS, ""),
    (W1, "* **Next action:** `Finance integrations owner for client ledger-export`: answer the gate "
     '"Before shipping a breaking change"; first of 8 under Decision record.\n', "", FIRST, "## Scope"),
    (W1, "`Finance integrations owner for client ledger-export`: answer",
     "`Finance integrations owner for client storefront`: answer", FIRST, ""),
    (W2, "`Orders API owner`: dispose of", "`Orders team reviewer`: dispose of", FIRST, ""),
    (W2, "contract promises; first of 9", "contract promised; first of 9", FIRST, ""),
    (W3, "`Ticket service owner`: make the control", "`Release manager`: make the control", FIRST, ""),
    (W3, "Ticket service owner`: make the control change under Remediation order: `S-b5e93c9191ca`;",
     "Ticket service owner`: make the control change under Remediation order: `S-10310fc777db`;", FIRST, ""),
    (W1, "| Before shipping a breaking change | open", "| Before shipping a change | open", DANGLES,
     "* **Next action:** 1"),
    (W3, "| Before any active testing, including local fixtures | open", "| Before any testing | open", DANGLES,
     "* **Next action:** 3"),
    (W1, "Storefront owner approved at", "Storefront owner rejected at", CELLS, ""),
    (W1, "| Before removing a deprecated field | open |",
     "| Before removing a deprecated field | rejected |", CELLS, ""),
    (W1, "Inference: they may fail<br>", "Inference: known: none expected<br>", CELLS, ""),
    (W1, "Inference: it may fail<br>", "Inference: no client is known<br>", CELLS, ""),
    (W1, "Consumers that no inventory lists are unknown; nothing",
     "Consumers that no inventory lists are none; nothing", DIFFERS, ""),
    (W1, "Limitation: unlisted consumers are unknown; usage", "Limitation: unlisted consumers are none; usage",
     DIFFERS, ""),
    (W3, "| `Product security owner`; `approved` |", "| `Product security owner`; `rejected` |", CELLS, ""),
    (W3, "2026-11-16 to 2026-12-18", "2026-11-16 to 2026-11-21", DIFFERS, ""),
    (W3, "| judged for the day | 2026-11-22 |", "| judged for the day | 2026-11-15 |", DIFFERS,
     "| immutable revision"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "true", "lie", "code", "at"), LIES, ids=lambda value: getattr(value, "stem", None))
def test_a_lie_is_seen_at_its_line(path: Path, true: str, lie: str, code: str, at: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert true in text
    edited = text.replace(true, lie, 1)
    found = validate_artifact(edited)
    assert code in codes(found)
    lines = edited.split("\n")
    told = [lines[int(str(problem.place).removeprefix("line ")) - 1] for problem in found if problem.code == code]
    assert any((at or lie).split("\n")[0] in line for line in told), told


def test_a_row_below_the_heading_of_another_verdict_is_seen() -> None:
    lines = W1.read_text(encoding="utf-8").split("\n")
    breaking, compatible = (
        next(at for at, line in enumerate(lines) if line.startswith(f"| [{name}]("))
        for name in ("D-e21fd411e34d", "D-72839fb08646")
    )
    lines[breaking], lines[compatible] = lines[compatible], lines[breaking]
    found = validate_artifact("\n".join(lines))
    assert {int(str(each.place).removeprefix("line ")) for each in found if each.code == CELLS} == {
        breaking + 1,
        compatible + 1,
    }


GATE_ROWS = [(W1, "Before shipping a breaking change"), (W3, "Before any active testing, including local fixtures")]


@pytest.mark.parametrize(("path", "gate"), GATE_ROWS, ids=lambda value: getattr(value, "stem", None))
def test_a_gate_that_an_action_names_has_a_row(path: Path, gate: str) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    left = [line for line in lines if not line.startswith(f"| {gate} |")]
    assert (len(lines) - len(left), DANGLES in codes(validate_artifact("\n".join(left)))) == (1, True)


def test_the_gravest_finding_stands_in_the_verdict() -> None:
    text = W3.read_text(encoding="utf-8")
    left = "\n".join(line for line in text.split("\n") if not line.startswith("* **Inference:** `S-b5e93c9191ca` ("))
    assert (left != text, "count-missing" in codes(validate_artifact(left))) == (True, True)
