"""Secret keys of AWS have no label and no prefix: they go where a key id stands beside them, and nothing else does."""

from __future__ import annotations

import base64
import time
from urllib.parse import quote

import pytest

from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import scan

LONG, SHORT = "AKIA" + "QYLPMN5HFIQR7XYA", "ASIA" + "Y34FZKBOKMUTVV7A"
PLAIN = "hR7tvQ2mLx95TzK4bWcY" + "pD8sNf3uGj6EaVo1Xi5q"
MARKED = "hR7+vQ2mLx9/TzK4bWcY" + "pD8sNf3uGj6EaVo1Xi/q"
LINES = {
    "one line": "{id} {secret}",
    "in front": "{secret} belongs to {id}.",
    "a pair": "{id}:{secret}",
    "a path": "{id}/{secret}",
    "a table": "| {id} | {secret} |",
    "a query": "a={id}&b={secret}",
    "arguments": "--id {id} --with={secret},",
    "two lines": "export A={id}\nexport B={secret}\n",
    "lines between": "{id}\n# one\n# two\n# three\n{secret}",
    "lines between, in front": "{secret}\n# one\n# two\n# three\n{id}",
    "one object": '{{"id": "{id}", "user": "orders", "value": "{secret}"}}',
    "lines of one object": '{{\n  "value": "{secret}",\n' + '  "more": "words",\n' * 30 + '  "id": "{id}"\n}}',
    "one long object": '{{"id": "{id}", "l": "' + "word " * 120 + '", "value": "{secret}"}}',
    "neighbours": '[{{"name": "a", "value": "{id}"}},\n {{"name": "b", "value": "{secret}"}}]',
    "escaped lines": '"text": "{id}\\n{secret}\\n"',
    "escaped in a link": "?text={id}%0A{secret}%0A",
    "escaped blanks": "?text={id}%20{secret}%20",
    "entities": "<a id=&quot;{id}&quot; b=&quot;{secret}&quot;/>",
    "after a digest": "{id} 3f786850e387550fdab836ed7e6dc881de23001b {secret}",
}
STAYS = {
    "no key id": "{value}",
    "git digest": "{id} 3f786850e387550fdab836ed7e6dc881de23001b",
    "upper digest": "{id} 3F786850E387550FDAB836ED7E6DC881DE23001B",
    "mixed digest": "{id} 3F786850e387550fdab836ed7e6dc881de23001B",
    "path": "{id} components/schemas/AccessKeyCredentials1",
    "name": "{id} ListAccessKeysForServiceAccountsRequest2",
    "words": "{id} ListAccessKeysForServiceAccountsInRegion",
    "example": "{id} wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "39 characters": "{id} {value:.39}",
    "41 characters": "{id} {value}q",
    "base64 of 80": "{id} {value}{value}",
    "padded base64": "{id} {value}=",
    "far away in a line": '{{"id": "{id}", "l": "' + "word " * 120 + '"}}, "v": "{value}"',
    "far away": "{id}" + " word" * 120 + " {value}",
    "many lines away": "{id}\n" + "word\n" * 8 + "{value}",
    "another object": '{{\n  "id": "{id}"\n}},\n' + '{{\n  "n": 1\n}},\n' * 6 + '{{\n  "etag": "{value}"\n}}',
    "half a key id": "AKIA {value} ASIA Asia/Tokyo",
    "inside a word": "x{id} {value}",
}


def found(text: str) -> list[str]:
    return [hit.value for hit in scan(text) if hit.detector == "aws-secret-key"]


@pytest.mark.req("C-027")
@pytest.mark.parametrize("secret", [PLAIN, MARKED], ids=["letters", "marks"])
@pytest.mark.parametrize("key_id", [LONG, SHORT], ids=["lasting", "session"])
@pytest.mark.parametrize("form", LINES.values(), ids=LINES)
def test_a_secret_key_beside_its_id_is_removed(form: str, key_id: str, secret: str) -> None:
    text = form.format(id=key_id, secret=secret)
    clean = Redactor().clean(text)
    assert secret not in clean and clean.count("[redacted: secret]") == 1
    assert Redactor().clean(clean) == clean and not Redactor().leaks(clean)


@pytest.mark.parametrize("escaped", [quote(MARKED, safe=""), MARKED.replace("/", "\\/")], ids=["link", "JSON"])
def test_an_escaped_secret_key_is_seen(escaped: str) -> None:
    clean = Redactor().clean(f"{LONG} {escaped}")
    assert clean == "[redacted: token] [redacted: secret]"


@pytest.mark.parametrize("form", STAYS.values(), ids=STAYS)
def test_what_only_looks_like_one_stays(form: str) -> None:
    text = form.format(id=LONG, value=PLAIN)
    assert found(text) == []
    assert Redactor().clean(text) == text.replace(LONG, "[redacted: token]", "x" + LONG not in text)


@pytest.mark.req("C-027")
def test_a_secret_key_that_was_seen_once_goes_in_every_encoding() -> None:
    redactor = Redactor.over([("E1", f"{LONG}\n{MARKED}")])
    data = MARKED.encode()
    for written in (
        MARKED,
        data.hex(),
        data.hex().upper(),
        base64.b64encode(data).decode(),
        base64.b64encode(b"x" + data).decode(),
        base64.urlsafe_b64encode(data).decode(),
        quote(MARKED, safe=""),
        MARKED.replace("/", "\\/"),
        f"{MARKED[:20]}\n    {MARKED[20:]}",
    ):
        clean = redactor.clean(f"alone: {written} here")
        assert clean == "alone: [redacted: secret] here"
    assert [finding.lines for finding in redactor.findings if finding.detector == "aws-secret-key"] == [(2,)]


def test_a_map_from_ids_to_secret_keys_is_cleaned() -> None:
    assert Redactor().clean_json({LONG: PLAIN, "n": 1}) == {"[redacted: token]": "[redacted: secret]", "n": 1}


@pytest.mark.parametrize(
    "part",
    [f"Asia/Tokyo {PLAIN}\n", f"{LONG} {PLAIN.lower()}\n", f"{LONG} {'a/' * 20}b\n", f"{LONG} {PLAIN}q\n", f"{LONG}/"],
    ids=["no id", "digests", "paths", "runs", "ids"],
)
def test_no_text_makes_it_slow(part: str) -> None:
    text = part * (200_000 // len(part))
    start = time.process_time()
    assert found(text) == []
    assert time.process_time() - start < 2
