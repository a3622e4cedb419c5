"""Formats of which both validators tell the same strings: held against both, over texts close to the limits."""

from __future__ import annotations

import random
import warnings

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus
from evreview.schema.boundary_values import FORMATS
from evreview.schema.formats import disputed, formatted
from evreview.schema.reader import ASSERTED_FORMATS
from evreview.schema.validators import validator
from tests.pipeline import edited

LETTERS = "aA0z-9.:/TZPD@~#?% é\n+_[](){}\\^|x1"
# texts that one of the validators is known to take for something, or nearly so
NEAR: dict[str, tuple[str, ...]] = {
    "date": ("0000-01-01", "0001-01-01", "2023-02-29"),
    "date-time": ("2024-01-31T23:59:60Z", "2024-01-31 12:00:00Z", "0000-01-01T00:00:00Z", "2024-01-31T12:00:00-00:00"),
    "time": ("12:00:60Z", "12:00:00z", "12:00:00"),
    "duration": ("P1Y2M3DT4H5M6S", "PT", "P1.5D", "-P1D"),
    "idn-email": ("a@b.c", "a@", "é@é.c", "@", "a"),
    "uri-template": ("{", "/a/{b}", "{b", "é{b}", " "),
    "email": ("a@", "@", "a b@c", "-@-.aa"),
    "hostname": ("a.", "xn--a", "a\n", "a_b", "0", "a..b"),
    "idn-hostname": ("xn--a", "a.", "a_b"),
    "ipv6": ("1::2%a", "::ffff:1.2.3.4"),
    "uri": ("a:", "http://[::1]/", "http://a/%4", "http://a:99999", "a://b-/"),
    "uri-reference": ("", "//a\n", "a:b", "///a"),
    "iri": ("é:", "http://é/é"),
    "iri-reference": ("é", "?é"),
    "json-pointer": ("", "/~", "/~2"),
    "relative-json-pointer": ("01", "100", "0#", "0/~0"),
    "regex": ("(?<a>b)", "\\p{L}", "(?P<a>b)", "a++", "[[a]"),
}


def _texts(name: str) -> list[str]:
    chance = random.Random(name)
    known = (*NEAR.get(name, ()), *FORMATS.get(name, ()))
    made = [*known, *LETTERS, "", "aaaa"]
    for _ in range(120):
        text = list(chance.choice(known))
        for _ in range(chance.randint(1, 2)):
            at = chance.randint(0, len(text))
            text[at : at + chance.randint(0, 1)] = chance.choice([[], [chance.choice(LETTERS)]])
        made.append("".join(text))
    return made


@pytest.mark.parametrize("name", sorted(ASSERTED_FORMATS | {"idn-email", "uri-template"}))
def test_what_is_not_disputed_both_validators_say(name: str) -> None:
    first = validator({"format": name})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        for text in _texts(name):
            said = first.is_valid(text)
            if not disputed(name, text, admitted=said):
                assert Draft202012Validator.FORMAT_CHECKER.conforms(text, name) is said, (name, text)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_the_texts_that_witnesses_show_are_not_disputed(name: str) -> None:
    assert all(formatted(name, text) for text in FORMATS[name])
    assert formatted("date" if name != "date" else "uuid", FORMATS[name][0]) is False


def test_a_name_of_no_format_is_not_disputed() -> None:
    assert not disputed("colour", "red", admitted=True)


TEXT: Json = {"type": "string"}
# the slot of the edit, released, candidate, whether some text shows the row to both validators
ROWS: list[tuple[Slot, Json, Json, bool]] = [
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "email"}, {"type": "string", "pattern": "^-@-$"}, False),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "email"}, {"type": "string", "enum": ["a@"]}, False),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "email"}, {"type": "string", "enum": ["a@", "a"]}, True),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "hostname"}, {"type": "string", "enum": ["a."]}, False),
    (Slot.REQUEST_FIELD, {"type": "string", "enum": ["0000-01-01"]}, {"not": {"format": "date"}}, False),
    (Slot.REQUEST_FIELD, {"type": "string", "enum": ["0000-01-01", "2024-01-31"]}, {"not": {"format": "date"}}, True),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "email"}, TEXT, True),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "uri-template"}, TEXT, False),
    (Slot.RESPONSE_FIELD, {"type": "string", "format": "idn-email"}, TEXT, True),
    (Slot.REQUEST_FIELD, {"type": "string", "pattern": "^(?i)a$"}, {"type": "string", "pattern": "^b$"}, False),
    (Slot.REQUEST_FIELD, {"type": "string", "pattern": "^b$"}, {"type": "string", "pattern": "^(?i)a$"}, False),
    (Slot.REQUEST_FIELD, {"type": "string", "pattern": "(?i)^a$"}, {"type": "string", "pattern": "^b$"}, True),
]


@pytest.mark.parametrize(("slot", "released", "candidate", "shown"), ROWS)
def test_no_witness_hangs_on_what_validators_dispute(slot: Slot, released: Json, candidate: Json, shown: bool) -> None:
    rows = [row for row in edited(slot, released, candidate).rows if row.judgement.verdict.value == "breaking"]
    assert rows
    assert any(row.proof.status is ProofStatus.WITNESSED for row in rows) is shown
