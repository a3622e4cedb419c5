"""The bench of examples: who is counted as valid, and who is counted at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.examples import OURS, Bodies, Messages, Tally, candidates, examples_table, messages_line, own
from evreview.workflows.w2.facts import Why
from tests.pipeline import contract

MARKED = {"type": "integer", "readOnly": True}
THING = {"type": "object", "required": ["n"], "properties": {"n": {"type": "string"}, "id": MARKED}}
SCHEMAS = {"Thing": THING, "None": {"type": "integer", "minimum": 2, "maximum": 1}}


def bodies() -> Bodies:
    def content(name: str) -> dict[str, object]:
        return {"content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}}

    answers = {"200": {"description": "", **content("Thing")}, "201": {"description": "", **content("Thing")}}
    paths = {
        "/things": {"post": {"requestBody": content("Thing"), "responses": answers}},
        "/never": {"post": {"requestBody": content("None"), "responses": {"204": {"description": ""}}}},
    }
    info = {"title": "T", "version": "1"}
    return Bodies(contract({"openapi": "3.1.0", "info": info, "paths": paths, "components": {"schemas": SCHEMAS}}))


def test_each_schema_counts_once_per_direction_and_only_if_it_can_be_met() -> None:
    found = bodies()
    assert (len(found.all), len(found.distinct), len(found.satisfiable)) == (4, 3, 2)


def test_our_own_values_are_judged_like_everybody_s() -> None:
    tally, messages = Tally(), Messages()
    own(bodies(), tally, messages)
    assert (tally.asked, tally.valid, tally.sendable, tally.clean, tally.operations) == (2, 2, 2, 2, 2)
    assert (messages.made, dict(messages.omitted)) == (4, {Why.UNSATISFIABLE: 1})


@pytest.mark.parametrize(
    ("value", "counts"),
    [
        ({"n": "a"}, (1, 1, 1)),
        ({"n": "a", "id": 1}, (1, 0, 1)),
        ({"n": "ines@somebody.fr"}, (1, 1, 0)),
        ({}, (0, 0, 0)),
    ],
)
def test_what_counts_as_valid_sendable_and_clean(value: dict[str, object], counts: tuple[int, int, int]) -> None:
    found, tally = bodies(), Tally()
    request = next(body for body in found.satisfiable if "requestBody" in body.media.place.pointer)
    found.judge(request, value, tally)  # type: ignore[arg-type]
    assert (tally.valid, tally.sendable, tally.clean) == counts


def test_report_states_shares_and_reasons() -> None:
    tally = Tally(asked=200, valid=199, sendable=100, clean=50, operations=10, seconds=0.05)
    *_, line = examples_table({OURS: tally})
    assert line == "| evreview | 200 | 199 (99.5 %) | 100 (50.0 %) | 50 (25.0 %) | 5.00 ms |"
    messages = Messages(made=3)
    messages.omitted[Why.UNREAD] += 1
    assert messages_line(messages) == "Whole messages: 3 of 4; omitted with the reason: 1 unread."


def test_candidates_of_openapi_3_are_found(tmp_path: Path) -> None:
    for name in ("openapi3.0/b/candidate.json", "openapi3.1/a/candidate.yaml", "openapi2/c/candidate.json"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    assert [path.parent.name for path in candidates(tmp_path)] == ["b", "a"]
