"""Containment of regular expressions: pinned answers, foreign syntax, limits, and two engines that agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evreview.comparison.rules.rule import Slot
from evreview.core.control_characters import visible
from evreview.core.vocabulary import Json, ProofStatus, Tristate, Verdict
from evreview.schema.regular_languages import contained, words_between
from evreview.schema.subsumption.relation import compare_sets
from tests.pipeline import edited

# narrow, wide, narrow in wide, wide in narrow
PINNED: list[tuple[str, str, bool | None, bool | None]] = [
    ("^a+$", "^aa*$", True, True),
    ("^[0-9]+$", r"^\d+$", True, True),
    ("^(a|b)*$", "^[ab]*$", True, True),
    ("^(ab)+$", "^a(ba)*b$", True, True),
    ("^a$", ".*", True, False),
    ("^a$", "a", True, False),
    ("^a.c$", "^a.*c$", True, False),
    ("^[a-z]{1,63}$", "^[a-z0-9]{1,63}$", True, False),
    ("^a", "^b", False, False),
    ("a^b", "x$y", True, True),
    ("^$", "$^", True, True),
    ("^[^a]$", "^[^b]$", False, False),
    (r"^[ \t\n\r]$", r"^\s$", True, False),
    (r"^[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]$", r"^\s$", True, True),
    (r"^\S$", r"^[^\s]$", True, True),
    (r"^\u0085$", r"^\s$", False, False),
]
FOREIGN = ["(?=a)", "(?i)a", "(?P<n>a)", r"\bword", r"(a)\1", "a{,3}", "[]a]", r"\p{L}", "a++", "(", "a" * 300]
HUGE = ["(a|b)*a(a|b){14}$", "^(.{0,20}){20}$", "^((a{9}){9}){9}$", "(((){9999}){9999}){9999}"]


@pytest.mark.parametrize(("narrow", "wide", "forth", "back"), PINNED)
def test_pinned_answers(narrow: str, wide: str, forth: bool | None, back: bool | None) -> None:
    assert (contained(narrow, wide), contained(wide, narrow)) == (forth, back)
    assert bool(words_between(narrow, wide)) is (forth is False)


@pytest.mark.parametrize("pattern", [*FOREIGN, *HUGE])
def test_what_is_not_understood_or_too_large_is_not_decided(pattern: str) -> None:
    assert contained(pattern, "^[ab]c$") is None
    assert words_between(pattern, "^[ab]c$") == ()


atoms = st.sampled_from(["a", "b", "[ab]", "[^a]", ".", "^", "$", "", "ab", r"\d", r"\s"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds("{}{}".format, inner, inner),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("(?:{}){}".format, inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "*?"])),
    ),
    max_leaves=6,
)
WORDS = ["", *"ab0c ", "a ", *(one + two for one in "ab0" for two in "ab0"), "aab", "aba", "abab", "bbb", "aaaa", "a0b"]


@given(patterns, patterns)
@settings(max_examples=300, deadline=None)
def test_another_engine_agrees(narrow: str, wide: str) -> None:
    found = contained(narrow, wide)
    for word in words_between(narrow, wide):
        assert python_finds(narrow, word) and not python_finds(wide, word)
    if found:
        assert not [word for word in WORDS if python_finds(narrow, word) and not python_finds(wide, word)]


def python_finds(pattern: str, word: str) -> bool:
    """Python's search as ECMA-262 means it: there `$` does not stand before a last line end."""
    return re.search(pattern.replace("$", r"\Z"), word) is not None


def test_a_dollar_is_the_very_end() -> None:
    assert not contained("a", ".$")


@pytest.mark.parametrize(
    ("released", "candidate", "verdict", "status"),
    [
        ("^a$", "^[ab]$", Verdict.COMPATIBLE, ProofStatus.PROVED),
        ("^[ab]$", "^a$", Verdict.BREAKING, ProofStatus.WITNESSED),
        ("^.{1,64}$", "^.{1,60}$", Verdict.BREAKING, ProofStatus.WITNESSED),
        (r"^\p{Lu}", r"^\p{L}", Verdict.UNKNOWN, ProofStatus.UNPROVEN),
    ],
)
def test_rows_about_patterns(released: str, candidate: str, verdict: Verdict, status: ProofStatus) -> None:
    sides = [{"type": "string", "pattern": pattern} for pattern in (released, candidate)]
    (row,) = edited(Slot.REQUEST_BODY, *sides).rows
    assert (row.judgement.verdict, row.proof.status) == (verdict, status)


def test_two_expressions_of_one_language_are_no_difference() -> None:
    comparison = edited(Slot.REQUEST_BODY, *({"type": "string", "pattern": each} for each in ("^a+$", "^aa*$")))
    assert not comparison.rows
    assert len(comparison.noise) == 1


def test_a_word_of_white_space_is_one_that_outputs_show() -> None:
    """The vertical tab is the first that the second one lacks; outputs show another sign in its place."""
    (word,) = words_between(r"^\s$", r"^[ \t\n\r]$")
    assert visible(word) == word
    assert Draft202012Validator({"pattern": r"^\s$"}).is_valid(word)
    assert not Draft202012Validator({"pattern": r"^[ \t\n\r]$"}).is_valid(word)


@pytest.mark.parametrize(
    ("narrow", "wide", "answer"),
    [
        ("^[a-z]+$", r"^\p{L}+$", Tristate.YES),
        ("^[A-Z]$", r"^\p{Lu}$", Tristate.YES),
        ("^[a-z0-9_]+$", r"^[\p{L}\p{N}_]+$", Tristate.YES),
        ("^a[b-d]{3}$", r"^\p{Ll}{4}$", Tristate.YES),
        ("^[0-9]{4}$", r"^\p{Nd}+$", Tristate.YES),
        (r"^\p{L}+$", "^[^0-9]+$", Tristate.YES),
        ("^[a-z-]+$", r"^[\p{L}-]+$", Tristate.YES),
        ("^[a-z]$", r"^\p{Lu}$", Tristate.NO),
        ("^[a-z-]+$", r"^\p{L}+$", Tristate.NO),
        (r"^\p{L}+$", "^[a-z]+$", Tristate.NO),
        ("^[a-z\u00e9]+$", r"^\p{L}+$", Tristate.UNKNOWN),
        (r"^\p{Lu}+$", r"^\p{L}+$", Tristate.UNKNOWN),
        ("^[a-z]+$", r"^[^\p{N}]+$", Tristate.UNKNOWN),
        ("^[a-z]+$", r"^\P{N}+$", Tristate.UNKNOWN),
        ("^[a-z]+$", r"^\p{Script=Latin}+$", Tristate.UNKNOWN),
        ("^[+-A]$", r"^[+-\p{L}]$", Tristate.UNKNOWN),
    ],
)
def test_properties_of_signs_are_known_within_ascii(narrow: str, wide: str, answer: Tristate) -> None:
    left: Json = {"type": "string", "pattern": narrow}
    right: Json = {"type": "string", "pattern": wide}
    assert compare_sets(left, right).released_in_candidate is answer
