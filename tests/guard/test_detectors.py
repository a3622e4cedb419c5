"""Tests about the catalogue of detectors: each finds its example and leaves its counter-example alone."""

from __future__ import annotations

import re
import time

import pytest

from evreview.guard import DETECTORS, Detector, Guard
from evreview.guard.scan import scan

each = pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.id)

PASSES = (
    "https://api.example.com/v1/orders",
    "https://orders.example/v1",
    "https://orders.test:8443/v1",
    "https://orders.invalid/",
    "http://localhost:8080/health and http://127.0.0.1:8080/",
    "192.0.2.7, 198.51.100.3, 203.0.113.9 and 2001:db8::7",
    "sha256:" + "9f3a7c1e" * 8,
    "3f786850e387550fdab836ed7e6dc881de23001b",
    "9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264",
    "0b9c1d5e-7f3a-4c1e-9b2d-8046af17c3e9",
    "E1, E10, [E3#/paths/~1v1, E4:L1-L2], D-0123456789ab, F-0123456789ab",
    "Authorization: Bearer SYNTHETIC-TOKEN",
    "api_key: SYNTHETIC-KEY-1234",
    "password: string, token: OrderPageToken, secret: true",
    "type: apiKey\nname: X-API-Key\nin: header",
    "tokenUrl: https://auth.example.com/oauth/token",
    "pagination token: nextPageToken, maxLength: 128",
    "GET /home/timeline and POST /users/{id}/orders",
    '"/data/export.sql": {"get": {}}',
    "threading.local, self.internal, package.json, config.local.yaml",
    "2026-11-20T19:51:19Z, 1.4.0, 10.5, 1700000000000, 9223372036854775807",
    "+1 202-555-0143",
    "orders@example.com, team@orders.test, git@github.com:acme/orders.git",
    "4111 1111 1111 1111 and GB82 WEST 1234 5698 7654 32",
    "customer_id: string, account_id: {type: integer, minimum: 1}, user_id=1234",
    "an error at least once (see the Traceback) at 10:30:15",
    "E11000 is a code of the subject",
    "JSON Schema 2020-12 Core, section 10.3.2.3",
    '"next_page_token": "N2E3YzkzNjMtYzBkMC00NjFm"',
    "type: temporal.api.nexus.v1.HandlerError",
    "task-force-on-disk-access, risk-assessment-for-large-changes, ask-me-anything-about-orders",
    "<script>alert(1)</script> is text here",
)


def test_ids_are_unique_and_kebab() -> None:
    ids = [detector.id for detector in DETECTORS]
    assert len(set(ids)) == len(ids)
    assert [name for name in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


@each
def test_it_finds_its_example_and_the_example_is_removed(detector: Detector) -> None:
    found = [hit for hit in scan(detector.sample) if hit.detector == detector.id]
    assert found
    clean = Guard().clean(f"before {detector.sample} after")
    assert not [hit for hit in found if hit.value in clean]
    assert not Guard().leaks(clean)


@each
def test_it_leaves_its_counter_example_alone(detector: Detector) -> None:
    assert scan(detector.look_alike) == ()


@each
def test_it_says_why(detector: Detector) -> None:
    assert detector.why.endswith(".")
    assert all(keyword == keyword.lower() for keyword in detector.keywords)


@pytest.mark.req("C-036")
@pytest.mark.parametrize("text", PASSES)
def test_synthetic_and_public_values_pass(text: str) -> None:
    assert Guard().clean(text) == text
    assert Guard().leaks(text) == ()


ADVERSARIAL = (
    "a" * 200_000,
    "password=" * 20_000,
    "password: '" * 20_000,
    "-----BEGIN RSA " + "PRIVATE KEY-----\n" + ("-----BEGIN RSA " + "PRIVATE KEY-----\n") * 5_000,
    "eyJ" + "a." * 60_000,
    "a@" * 80_000,
    "a.a-a." * 30_000 + "internal",
    "at " * 60_000,
    "at a.a.a.a(" * 15_000,
    "x.y." * 40_000 + "ZError",
    "/home/a" * 20_000,
    "C:\\a\\" * 30_000,
    "1234 " * 40_000,
    "DE12 3456 " * 20_000,
    "://a:b" * 30_000,
    "${" * 60_000 + "${${" * 10_000,
    "union select " * 12_000,
    "Traceback (most recent call last):\n  " + "a\n  " * 40_000,
    "+1 23 45 " * 20_000,
    "fd00:" * 30_000,
    "customer_id: " * 12_000,
    "bearer " * 25_000,
    "\\u0041%41&amp;" * 10_000,
    '"name" : "cookie" , ' * 8_000,
    "System.A." * 20_000 + "Exception",
    "nc -a -a " * 15_000,
)


@pytest.mark.parametrize("text", ADVERSARIAL, ids=lambda text: text[:14].strip())
def test_no_text_makes_it_slow(text: str) -> None:
    start = time.process_time()
    Guard().leaks(text)
    assert time.process_time() - start < 4


def test_it_reads_about_a_megabyte_a_second() -> None:
    part = (
        "  /v1/orders/{orderId}:\n    get:\n      operationId: getOrder\n      summary: One order, by its token.\n"
        "      parameters:\n        - name: X-Request-Token\n          in: header\n          schema: {type: string, maxLength: 64}\n"  # noqa: E501
        "      responses:\n        '200':\n          description: The order. Contact orders@example.com at any time.\n"
    )
    text = part * (1_000_000 // len(part))
    start = time.process_time()
    assert Guard.over([("E1", text)]).findings == ()
    assert time.process_time() - start < 3
