"""Expressions with looks, edges of words and references back: what is proved, and the text that stands against it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.comparison.rules.rule import Slot
from evreview.core.vocabulary import Json, ProofStatus, Tristate, Verdict
from evreview.schema.cross_check_validator import NoPattern, found
from evreview.schema.regular_languages import Foreign, demands
from evreview.schema.subsumption.relation import include
from tests.pipeline import edited

YES, NO, UNKNOWN = Tristate.YES, Tristate.NO, Tristate.UNKNOWN
PASSWORD = r"^(?=.*[a-z])(?=.*\d).{8,}$"

# narrow, wide, narrow in wide, wide in narrow
PINNED: list[tuple[str, str, Tristate, Tristate]] = [
    ("^(?!admin)[a-z]+$", "^[a-z]+$", YES, NO),
    ("^(?!admin$)[a-z]+$", "^(?!admin)[a-z]+$", NO, YES),
    (r"^([a-z])\1$", "^[a-z]{2}$", YES, NO),
    (r"^(^a)\1$", "^aa$", YES, UNKNOWN),
    (PASSWORD, "^.{8,}$", YES, NO),
    (PASSWORD, r"^(?=.*\d)(?=.*[a-z]).{8,}$", YES, YES),
    (PASSWORD, r"^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$", NO, YES),
    ("^[a-z-]+(?<!-)$", "^[a-z-]+$", YES, NO),
    ("^[a-z-]+$(?<=a)", "^[a-z-]*a$", YES, YES),
    ("(?!b)^(a|b)$", "^a$", YES, YES),
    ("^(?=a)", "^(?!b)a", YES, YES),
    ("(?:^(?!a)(?:a|b)$)", "^b$", YES, YES),
    ("^(?:(?!admin)[a-z])+$", "^[a-z]+$", YES, NO),
    (r"\bfoo\b", "foo", YES, NO),
    (r"^(?!(a)\1)..$", "^..$", YES, NO),
    ("^((?!a)b|c)$", "^[bc]$", YES, UNKNOWN),
]


def like(pattern: str) -> Json:
    return {"type": "string", "pattern": pattern}


@pytest.mark.parametrize(("narrow", "wide", "forth", "back"), PINNED)
def test_pinned_answers(narrow: str, wide: str, forth: Tristate, back: Tristate) -> None:
    for one, other, answer in ((narrow, wide, forth), (wide, narrow, back)):
        said = include(like(one), like(other))
        assert said.answer is answer
        for text in said.witness:
            assert isinstance(text, str)
            assert found(one, text)
            assert not found(other, text)


@pytest.mark.parametrize("pattern", ["(?i)a", "(?P<n>a)", r"\p{L}", "a++", r"([\1])", r"(a)\10", r"\1(a)", "(?>a)"])
def test_what_engines_read_differently_has_no_demands(pattern: str) -> None:
    with pytest.raises((Foreign, re.error)):
        demands(pattern)


atoms = st.sampled_from(["a", "b", "[ab]", ".", "", "ab", r"\b", r"\B", r"(a)\1", r"(a|b)?\1"])
looks = st.sampled_from(["(?!a)", "(?=.*b)", "(?!.*ba$)", "(?<!a)", "(?<=b)", "(?!b|^a$)"])
parts = st.recursive(
    st.one_of(atoms, looks),
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("(?:{}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}"])),
    ),
    max_leaves=5,
)
patterns = st.builds("{}{}{}{}{}".format, st.sampled_from(["", "^"]), parts, parts, parts, st.sampled_from(["", "$"]))
WORDS = ["", *"ab!", *(one + two for one in "ab!" for two in "ab!"), "aab", "aba", "abab", "bbb", "aaaa", "!ab", "ba!b"]


@given(patterns, patterns)
@settings(max_examples=150, deadline=None)
def test_the_second_engine_agrees(narrow: str, wide: str) -> None:
    """References are numbered anew where several stand in one expression: then nothing is asked."""
    if any(pattern.count("\\1") > 1 for pattern in (narrow, wide)):
        return
    said = include(like(narrow), like(wide))
    try:
        if said.answer is NO:
            (text,) = said.witness
            assert isinstance(text, str)
            assert found(narrow, text) and not found(wide, text)
        elif said.answer is YES:
            assert not [word for word in WORDS if found(narrow, word) and not found(wide, word)]
    except NoPattern:
        return


@pytest.mark.parametrize(
    ("released", "candidate", "verdict", "status"),
    [
        ("^(?!admin)[a-z]+$", "^[a-z]+$", Verdict.COMPATIBLE, ProofStatus.PROVED),
        ("^[a-z]+$", "^(?!admin)[a-z]+$", Verdict.BREAKING, ProofStatus.WITNESSED),
        (r"^([a-z])\1$", "^[a-z]{2}$", Verdict.COMPATIBLE, ProofStatus.PROVED),
        ("^[a-z]{2}$", r"^([a-z])\1$", Verdict.BREAKING, ProofStatus.WITNESSED),
    ],
)
def test_rows_about_looks(released: str, candidate: str, verdict: Verdict, status: ProofStatus) -> None:
    (row,) = edited(Slot.REQUEST_BODY, like(released), like(candidate)).rows
    assert (row.judgement.verdict, row.proof.status) == (verdict, status)
