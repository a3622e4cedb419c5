"""Labelled texts for the redactor, made by a program; no value in them was ever valid, and none is written down."""

from __future__ import annotations

from collections.abc import Iterator

from tests.redaction.labelled.case import Case
from tests.redaction.labelled.chosen import chosen_cases
from tests.redaction.labelled.coded import coded_cases, coded_passing
from tests.redaction.labelled.elsewhere import elsewhere_cases, elsewhere_passing
from tests.redaction.labelled.everyday import everyday_cases, passing_cases
from tests.redaction.labelled.everyday_more import more_cases, more_passing
from tests.redaction.labelled.foreign import foreign_cases, foreign_passing
from tests.redaction.labelled.fresh import fresh_cases, fresh_passing
from tests.redaction.labelled.headers import connection_cases, header_cases, key_cases, token_cases
from tests.redaction.labelled.internals import place_cases, trace_cases
from tests.redaction.labelled.keyed import keyed_cases
from tests.redaction.labelled.negatives import digest_cases, placeholder_cases, word_cases
from tests.redaction.labelled.personal import account_cases, mail_cases, national_cases, phone_cases
from tests.redaction.labelled.sentences import sentence_cases
from tests.redaction.labelled.told import told_cases
from tests.redaction.labelled.vendors import vendor_cases

SECRET = (
    vendor_cases,
    keyed_cases,
    header_cases,
    connection_cases,
    key_cases,
    token_cases,
    chosen_cases,
    everyday_cases,
    more_cases,
    fresh_cases,
    foreign_cases,
    elsewhere_cases,
    coded_cases,
)
PERSONAL = (mail_cases, phone_cases, account_cases, national_cases, told_cases)
INTERNAL = (trace_cases, place_cases)
HARMLESS = (
    word_cases,
    placeholder_cases,
    digest_cases,
    sentence_cases,
    passing_cases,
    more_passing,
    fresh_passing,
    foreign_passing,
    elsewhere_passing,
    coded_passing,
)

__all__ = ["Case", "negatives", "positives"]


def positives(seed: int) -> Iterator[Case]:
    """The texts with a value that has to go."""
    for make in (*SECRET, *PERSONAL, *INTERNAL):
        yield from make(seed)


def negatives(seed: int) -> Iterator[Case]:
    """The texts in which nothing may change."""
    for make in HARMLESS:
        yield from make(seed)
