"""Each weakness is named at its function where it stands, and nothing of it where it is mended."""

from __future__ import annotations

import pytest

from tests.security.leads.sources import leads
from tests.security.leads.spelling_rows import SPELLINGS
from tests.security.leads.twin_rows import TWINS

ROWS = TWINS | SPELLINGS
EACH = pytest.mark.parametrize(("rule", "flawed", "mended"), ROWS.values(), ids=ROWS)


@EACH
def test_the_flawed_one_is_named_at_its_function(rule: str, flawed: str, mended: str) -> None:
    found = [lead for lead in leads(flawed) if lead.rule == rule]
    assert len(found) == 1 and found[0].symbol and found[0].route


@EACH
def test_the_mended_one_is_not_named(rule: str, flawed: str, mended: str) -> None:
    assert [lead.symbol for lead in leads(mended) if lead.rule == rule] == []
