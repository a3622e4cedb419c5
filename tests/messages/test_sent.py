"""The pairs of a message that belong to a parameter: found by name, the same ones that asking each pair finds."""

from __future__ import annotations

from itertools import product

import pytest

from evreview.contract.model import Contract
from evreview.kinds.compare import compare
from evreview.kinds.openapi.prover_structure import TOO_MUCH
from evreview.messages.admission import Named
from evreview.messages.parameter_styles import Style, claims
from evreview.messages.value_types import TypeOutline
from tests.adversarial.inputs import api, text
from tests.adversarial.test_growth import calls, read

PAIRS = tuple(
    (name, str(at))
    for at, name in enumerate(
        ("a", "b", "a", "a%5Bx%5D", "a[y]", "a[y][z]", "a[", "ab[x]", "[x]", "a%5Bx%5D[y]", "c", "%61", "", "x")
    )
)
FORMS = (TypeOutline(types={"object"}), TypeOutline(types={"string"}), TypeOutline())


@pytest.mark.parametrize("name", ["a", "a[x]", "ab", "x", "", "%61"])
def test_pairs_are_found_by_name_as_by_asking_each(name: str) -> None:
    sent, others = Named(PAIRS), frozenset({"b", name})
    for style, explode, form in product(("form", "deepObject", "spaceDelimited"), (True, False), FORMS):
        written = Style("query", name, style, explode)
        asked = tuple(pair for pair in PAIRS if claims(pair[0], written, form, others))
        assert sent.of(written, form, others) == asked


def owing(count: int) -> tuple[Contract, Contract]:
    """All parameters are sent with each message, and each has a row."""
    made = []
    for longest in (9, 5):
        found = [{"name": f"p{at}", "in": "query", "required": True, "schema": text(longest)} for at in range(count)]
        made.append(read(api({"type": "object"}, parameters=found)))
    return made[0], made[1]


def test_each_message_is_judged_in_one_pass() -> None:
    """n rows have messages of n parameters, so the square is the least; every pair for every parameter is the cube."""

    def work(count: int) -> int:
        found = compare(*owing(count))
        return calls(lambda: found.summary)

    work(2)
    small, large = work(20), work(80)
    assert large < small * 4**2


def test_messages_end_with_a_limit_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evreview.kinds.openapi.prover_structure._ALL_PARTS", 30)
    found = compare(*owing(10))
    assert [str(row.proof.status) for row in found.rows].count("witnessed") == 3
    assert {row.proof.reason for row in found.rows if row.proof.status == "unproven"} == {TOO_MUCH}
