"""Tests about the catalogue of detectors: each finds its example and leaves its counter-example alone."""

from __future__ import annotations

import base64
import re
import time

import pytest

from evreview.redaction.detector import Detector
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import scan
from tests.all_cases import all_cases

every_detector = all_cases(DETECTORS, name=lambda detector: detector.id)

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
    "+100000000000, +49 000 0000000 and +385 000000",
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
    "<password>string</password>, <token/>, <maxTokens>123456</maxTokens>",
    "passphrase: the words that open the key, pw: string, pwd=your-password, Passwort: geheim",
    "curl -u $USER:$PASSWORD https://api.example.com and curl -u user:password https://api.example.com",
    "mysql -uroot -p orders and mysql --port 3306",
    "https://api.example.com/a?sig={signature}&signature=string",
    "internal.apiserver.k8s.io, com.corp.orders.Store, internal-api.example.com, orders.corp.example",
    "http://localhost/ http://host:8080/ https://server/ https://example/ http://{host}/",
    "swagger-ui@3.52.5/swagger-ui.css and npm/redoc@2.0.0/redoc.js, @scope/name, a@b",
    "AE07" + "9f3a7c1e5b2d8046af17c3e95d20".upper(),
)


def test_ids_are_unique_and_kebab() -> None:
    ids = [detector.id for detector in DETECTORS]
    assert len(set(ids)) == len(ids)
    assert [name for name in ids if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


@every_detector
def test_it_finds_its_example_and_the_example_is_removed(detector: Detector) -> None:
    found = [hit for hit in scan(detector.sample) if hit.detector == detector.id]
    assert found
    clean = Redactor().clean(f"before {detector.sample} after")
    assert not [hit for hit in found if hit.value in clean]
    assert not Redactor().leaks(clean)


@every_detector
def test_it_leaves_its_counter_example_alone(detector: Detector) -> None:
    assert scan(detector.look_alike) == ()


@every_detector
def test_it_says_why(detector: Detector) -> None:
    assert detector.why.endswith(".")
    assert all(keyword == keyword.lower() for keyword in detector.keywords)


@pytest.mark.req("C-036")
@pytest.mark.parametrize("text", PASSES)
def test_synthetic_and_public_values_pass(text: str) -> None:
    assert Redactor().clean(text) == text
    assert Redactor().leaks(text) == ()


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
    Redactor().leaks(text)
    assert time.process_time() - start < 4


def test_it_reads_megabytes_a_second() -> None:
    part = (
        "  /v1/orders/{orderId}:\n    get:\n      operationId: getOrder\n      summary: One order, by its token.\n"
        "      parameters:\n        - name: X-Request-Token\n          in: header\n          schema: {type: string, maxLength: 64}\n"  # noqa: E501
        "      responses:\n        '200':\n          description: The order. Contact orders@example.com at any time.\n"
    )
    text = part * (1_000_000 // len(part))
    start = time.process_time()
    assert Redactor.over([("E1", text)]).findings == ()
    assert time.process_time() - start < 0.5


def test_a_large_structure_costs_its_distinct_texts() -> None:
    rows = [
        {"id": f"D-{n % 900:012x}", "address": f"GET /v1/orders/{n % 900}/items > response 200", "verdict": "breaking"}
        for n in range(30_000)
    ]
    start = time.process_time()
    assert Redactor().clean_json(rows) == rows
    assert time.process_time() - start < 1


FORMS = {
    "<password>": "<password>{}</password>",
    "element with a namespace": '<ns:dbPassword type="x">{}</ns:dbPassword>',
    "passphrase": "passphrase: {}",
    "pw": "pw: {}",
    "pwd": "host=db;pwd={};",
    "German": "Passwort: {}",
    "curl": "curl -s -u orders:{} https://api.example.com",
    "curl, quoted": "curl --user 'orders:{}' https://api.example.com",
    "mysql": "mysql -h db -uroot -p{} orders",
    "mysqldump": "mysqldump -p{} orders",
}


@pytest.mark.req("C-027", "C-028")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_secret_is_seen_in_every_usual_form(form: str) -> None:
    value = "q7Rx2" + "Lv9tB"
    assert value not in Redactor().clean(f"before {form.format(value)} after")
    assert value not in Redactor.over([("E1", form.format(value))]).clean(f"it is {value}")


@pytest.mark.parametrize("lead", ["", "a", "ab", "user=x;"])
@pytest.mark.parametrize("name", ["password", "PASSWORD", "api_key", "db_secret"])
def test_a_pair_in_base64_is_seen_at_every_alignment(lead: str, name: str) -> None:
    encoded = base64.b64encode(f"{lead} {name}=q7Rx2Lv9tBk3;z".encode()).decode()
    assert encoded not in Redactor().clean(f"data: {encoded} end")
    harmless = base64.b64encode(f"{lead} {name}=string; and words".encode()).decode()
    assert Redactor().clean(f"data: {harmless} end") == f"data: {harmless} end"


@pytest.mark.req("C-030", "C-033")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("https://store.blob.example/a?se=1&sig={}", "9f3a7c1e5b2d8046" + "af17c3e95d20b864"),
        ("calls http://{}/job", "buildserver:8080"),
        ("see http://{}/wiki", "intranet"),
        ("at https://{}/v1", "internal-api.harbourline.fr"),
        ("host {} answers", "internal-api.harbourline.fr"),
        ("on {}:443", "orders.corp.harbourline.fr"),
        ('"homePhone": "{}"', "0648 21" + "73 90"),
        ("call {} now", "+33 6482" + "17390"),
        ("call {} for Ines", "(415) 5" + "59-2671"),
        ("SSN {} of Ines", "482-" + "91-7364"),
        ("Passport number {}", "14AB" + "48217"),
        ("The admin password was {}.", "Wq8v" + "Lm2Zt7"),
        ("passwd {} for root", "Wq8v" + "Lm2Zt7"),
        ("Le mot de passe est {}", "Wq8v" + "Lm2Zt7"),
        ("mfa_seed: {}", "JBSWY3D" + "PEHPK3PXP"),
        ('SECRET = bytes.fromhex("{}")', "9f3a7c1e5b2d8046" + "af17c3e95d20b864"),
        ('API_KEY = base64.b64decode("{}")', "nzp8HlstgEav" + "F8PpXSC4ZA=="),
        ('hmac_key = b"{}"', r"\x9f\x3a\x7c\x1e" + r"\x5b\x2d\x80\x46"),
        ("https://sentry.example/api/1/?sentry_key={}", "9f3a7c1e5b2d8046" + "af17c3e95d20b864"),
        ("uses {} now", "EAACEdEose0cBAk2Lv9tBq7RxZp4" + "Wm8Yc1Nd6Jh3Fs5Gu0aQwErTyUiOpAsDfG"),
        ("call {} now", "+49 15123" + "459789"),
        ("fax: {}", "0648 21" + "73 90"),
        ("paid with {} today", "2223 0031" + " 2200 3222"),
        ("paid to {} today", "DE75 5121 0800" + " 1245 1261 99"),
    ],
)
def test_people_and_places_are_seen_in_more_forms(text: str, value: str) -> None:
    assert value not in Redactor().clean(text.format(value))
    assert Redactor().leaks(text.format(value))


@pytest.mark.parametrize(
    "text",
    [
        "The password is Base64 encoded, or PBKDF2 with 10 rounds.",
        "The password argument is of the type SecretStr1.",
        "password Argon2id is used",
        "the token was refreshed 17 times, the password to reset is asked for",
        'DIGEST = bytes.fromhex("9f3a7c1e5b2d8046af17c3e95d20b864")',
        'PNG = b"\\x89\\x50\\x4e\\x47\\x0d\\x0a\\x1a\\x0a"',
        "SSN 000-00-0000 is refused, passport number 12345 too short",
        "see (404) 555-0143, and f(200) 304-2000",
        "otp: six digits; seed: 42; a random seed = 20260101",
    ],
)
def test_words_that_look_alike_stay(text: str) -> None:
    assert Redactor().clean(text) == text
