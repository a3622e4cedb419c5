"""A flawed program is named at its entry point and function, its mended twin is not; a suspicion is never High."""

from __future__ import annotations

from pathlib import Path

import pytest

from evreview.workflows.w3.model import State
from tests.workflows.w3.pairs import Pair, pairs, reviewed

PAIRS = pairs()
EACH = pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)


@EACH
def test_the_flawed_one_is_found_once_at_its_function(pair: Pair, tmp_path: Path) -> None:
    facts = reviewed(tmp_path, pair.flawed, pair.entry)
    symbols = {lead.id: lead.symbol for lead in facts.leads}
    own = [one.candidate for one in facts.findings if one.candidate.kind == pair.rule]
    assert [(str(one.state), {symbols[lead] for lead in one.leads}) for one in own] == [(pair.state, {pair.at})]


@EACH
def test_the_mended_one_is_not_named(pair: Pair, tmp_path: Path) -> None:
    found = reviewed(tmp_path, pair.mended, pair.entry).findings
    assert [one.candidate.route for one in found if one.candidate.kind == pair.rule] == []


@pytest.mark.parametrize("pair", [pair for pair in PAIRS.values() if pair.state == "hypothesis"][:3])
def test_a_suspicion_neither_is_high_nor_blocks(pair: Pair, tmp_path: Path) -> None:
    found = reviewed(tmp_path, pair.flawed, pair.entry).findings
    suspected = [one for one in found if one.candidate.state is State.HYPOTHESIS]
    assert suspected
    assert [(one.severity, one.blocks) for one in suspected if one.severity == "High" or one.blocks] == []


def test_the_pairs_enter_everywhere() -> None:
    assert len(PAIRS) >= 40
    assert len({pair.rule for pair in PAIRS.values()}) >= 12
    assert sum(" " not in pair.entry for pair in PAIRS.values()) >= 10
