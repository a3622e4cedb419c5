"""Floors under what the redactor finds in the labelled set, and a ceiling over what it finds by mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.core.control_characters import visible
from evreview.redaction.detector import Kind
from evreview.redaction.scanner import scan
from tests.redaction.labelled import negatives, positives
from tests.redaction.recall import SEED, false, missed, total

FLOORS = {
    "vendor tokens": 0.99,
    "keyed values": 0.97,
    "headers": 0.98,
    "connection strings": 0.99,
    "private keys": 1.0,
    "signed tokens": 1.0,
    "chosen": 0.985,
    "everyday": 0.96,
    "as others write them": 0.98,
    "elsewhere": 0.99,
    "mail addresses": 1.0,
    "phone numbers": 1.0,
    "accounts and cards": 1.0,
    "national numbers": 0.99,
    "stack traces": 1.0,
    "database errors": 1.0,
    "private places": 0.94,
    "file paths": 1.0,
    "told by words": 0.98,
}
CEILINGS = {
    "words": 0.01,
    "placeholders": 0.01,
    "digests": 0.01,
    "sentences": 0.01,
    "everyday words": 0.0,
    "as others write them, harmless": 0.0,
    "elsewhere, harmless": 0.0,
}
SECRET = frozenset({Kind.SECRET, Kind.TOKEN, Kind.CREDENTIAL})


@pytest.mark.req("C-027", "C-028", "C-029", "C-030", "C-032", "C-033")
@pytest.mark.parametrize("seed", [SEED, 17])
def test_every_group_keeps_its_floor(seed: int) -> None:
    scores = missed(seed)
    assert {score.group for score in scores} == set(FLOORS)
    low = {
        score.group: [case.name for case in score.wrong] for score in scores if 1 - score.share < FLOORS[score.group]
    }
    assert low == {}
    assert 1 - total(scores) >= 0.985


@pytest.mark.req("C-036")
@pytest.mark.parametrize("seed", [SEED, 17])
def test_harmless_texts_stay(seed: int) -> None:
    scores = false(seed)
    high = {score.group: [case.name for case in score.wrong] for score in scores if score.share > CEILINGS[score.group]}
    assert high == {}
    assert total(scores) <= 0.006


def test_the_set_is_the_same_every_time_and_its_values_stand_in_its_texts() -> None:
    one, two = list(positives(3)), list(positives(3))
    assert one == two
    assert [case.name for case in one if case.value not in case.text or not case.value] == []
    assert len({(case.group, case.name) for case in one}) == len(one) >= 2_000
    assert len(list(negatives(3))) >= 700
    assert {case.text for case in one} != {case.text for case in positives(4)}


def test_no_value_of_the_set_is_written_down() -> None:
    """A secret scanner that reads the repository must have nothing to report."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("*.py"))
    opaque = ("vendor tokens", "headers", "private keys", "signed tokens", "accounts and cards")
    assert [case.name for case in positives(SEED) if case.group in opaque and case.value in source] == []


def test_contracts_of_others_hold_hardly_any_secret(corpus: Path) -> None:
    """Published contracts are clean, save for the few invented secrets of their examples, each printed many times."""
    size, found = 0, set()
    for path in sorted(corpus.glob("openapi3.*/*/candidate.*")):
        text = visible(path.read_text(encoding="utf-8"))
        size += len(text)
        found |= {text[hit.start : hit.end] for hit in scan(text) if hit.kind in SECRET}
    assert size > 5_000_000
    assert len(found) * 1_000_000 <= size, found
