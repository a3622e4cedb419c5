"""Words of others: claim words are left out, and a verification that would do harm is none."""

from __future__ import annotations

import pytest

from evreview.core.quoted_text import UserText, plain
from evreview.workflows.w3.model import State
from evreview.workflows.w3.planned_actions import WITHOUT_CLAIM, harm_of, plain_candidate, without_claims
from evreview.workflows.w3.triage.triage import is_unsafe
from tests.workflows.w3.made import CANDIDATE, candidate


@pytest.mark.req("W3F-006")
@pytest.mark.parametrize(
    "word", ["exploitable", "Exploited", "exploits", "exploitation", "confirmed", "proven", "trivially", "RCE"]
)
def test_claim_words_of_the_subject_are_left_out(word: str) -> None:
    told = plain(without_claims((UserText(f"Anyone reads notes, {word} today"),)))
    assert word not in told and WITHOUT_CLAIM in told and told.endswith(" today")


@pytest.mark.parametrize("word", ["unconfirmed", "reprovenance", "source", "improved", "confirm-header"])
def test_other_words_stay(word: str) -> None:
    assert plain(without_claims((UserText(word),))) == word


def test_words_of_ours_are_ours() -> None:
    assert without_claims(("to be confirmed",)) == ("to be confirmed",)


HARMFUL = (
    "Send DELETE to https://prod.example.com/notes and see what happens",
    "Exploit the missing check and read all notes",
    "Ask 192.0.2.7:8443 for the notes",
)


@pytest.mark.req("W3E-012", "W3F-005", "W3G-002", "W3G-003")
@pytest.mark.parametrize("words", HARMFUL)
def test_a_verification_that_would_do_harm_is_none_and_marks_the_suspicion(words: str) -> None:
    stated = candidate(safe_verification=(UserText(words),))
    found = plain_candidate(stated)
    assert harm_of(stated) and found.safe_verification == ()
    assert found.state is State.HYPOTHESIS and is_unsafe(found)


def test_a_harmless_one_stays() -> None:
    words = "Send the request to http://localhost:8000 in the fixture, without the header; it must be refused"
    found = plain_candidate(candidate(safe_verification=(UserText(words),)))
    assert plain(found.safe_verification) == words and found.state is CANDIDATE.state
