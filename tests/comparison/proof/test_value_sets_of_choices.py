"""Choices whose branches carry no tag: judged by what they admit and by what peers write, not by pairs of branches."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.comparison import Comparison
from evreview.core.vocabulary import ProofStatus, Realism, Verdict
from tests.comparison.pairs import document, get, post
from tests.pipeline import compared

TEXT: Any = {"type": "string"}
COUNT: Any = {"type": "integer"}
SAFE, BREAKS, OPEN = Verdict.COMPATIBLE, Verdict.BREAKING, Verdict.UNKNOWN


def thing(owed: str = "", **members: Any) -> Any:
    """An open object; the members named in `owed` are required."""
    made: dict[str, Any] = {"type": "object", "properties": members}
    return {**made, "required": owed.split()} if owed else made


MAIL = thing("address", address=TEXT, subject=TEXT)
PHONE = thing("caller", caller=TEXT, country=TEXT)
PIGEON = thing("loft", loft=TEXT)
WIDTH, MASS, LID = thing(width=COUNT, shade=TEXT), thing(mass=COUNT), thing(lid={"type": "boolean"})
NAMED: Any = {"Mail": MAIL, "Phone": PHONE, "Pigeon": PIGEON}
REF: Any = {name: {"$ref": f"#/components/schemas/{name}"} for name in NAMED}


def one(*branches: Any) -> Any:
    return {"oneOf": list(branches)}


def any_(*branches: Any) -> Any:
    return {"anyOf": list(branches)}


def nested(schema: Any) -> Any:
    return {"type": "object", "properties": {"kept": {"type": "array", "items": schema}}}


def answered(released: Any, candidate: Any, version: str = "3.1.0") -> Comparison:
    """Both as what a response carries."""
    old, new = (document({"/a": get(each)}, NAMED, version) for each in (released, candidate))
    return compared(old, new)


def asked(released: Any, candidate: Any, version: str = "3.1.0") -> Comparison:
    """Both as what a request carries."""
    old, new = (document({"/a": post(each)}, NAMED, version) for each in (released, candidate))
    return compared(old, new)


def verdicts(found: Comparison) -> set[Verdict]:
    return {row.judgement.verdict for row in found.rows}


def worst(found: Comparison) -> Verdict:
    return next((each for each in (BREAKS, OPEN) if each in verdicts(found)), SAFE)


PLACES = pytest.mark.parametrize("at", [lambda schema: schema, nested], ids=["body", "items of a member"])

GONE = [
    (any_(WIDTH, MASS, LID), any_(WIDTH, LID)),
    (any_(LID, MASS), LID),
    (one(WIDTH, MASS, LID), one(WIDTH, MASS)),
    (one(MASS, WIDTH, LID), one(LID, WIDTH)),
    (any_(thing("id", id=TEXT, mass=COUNT), thing("id", id=TEXT, lid=TEXT)), any_(thing("id", id=TEXT, lid=TEXT))),
    (any_(REF["Mail"], REF["Phone"], REF["Pigeon"]), any_(REF["Mail"], REF["Phone"])),
    (one(REF["Mail"], REF["Phone"], REF["Pigeon"]), one(REF["Mail"], REF["Pigeon"])),
]
"""A branch of open objects that goes: read the other way round, one that comes."""


@PLACES
@pytest.mark.parametrize(("more", "fewer"), GONE)
def test_a_kind_of_request_that_goes_is_never_proved_compatible(more: Any, fewer: Any, at: Any) -> None:
    found = asked(at(more), at(fewer))
    assert worst(found) in (BREAKS, OPEN)
    assert not [row for row in found.rows if row.proof.status is ProofStatus.PROVED]


@PLACES
@pytest.mark.parametrize(("more", "fewer"), GONE)
def test_a_kind_of_answer_that_comes_is_never_proved_compatible(more: Any, fewer: Any, at: Any) -> None:
    found = answered(at(fewer), at(more))
    assert worst(found) in (BREAKS, OPEN)
    assert not [row for row in found.rows if row.proof.status is ProofStatus.PROVED]


@PLACES
@pytest.mark.parametrize(("more", "fewer"), [*GONE[2:4], *GONE[5:]])
def test_the_other_direction_is_compatible(more: Any, fewer: Any, at: Any) -> None:
    assert verdicts(answered(at(more), at(fewer))) == {SAFE}
    assert verdicts(asked(at(fewer), at(more))) == {SAFE}


@pytest.mark.parametrize(
    ("more", "fewer"),
    [
        (any_(thing("id", id=TEXT, mass=COUNT), thing("id", id=TEXT)), any_(thing("id", id=TEXT))),
        (any_(MASS, thing(mass=COUNT, lid=TEXT)), any_(thing(mass=COUNT, lid=TEXT))),
        (any_(TEXT, {"type": "string", "maxLength": 3}, COUNT), any_(TEXT, COUNT)),
    ],
)
def test_a_branch_whose_messages_have_a_case_left_may_go(more: Any, fewer: Any) -> None:
    assert worst(asked(more, fewer)) is SAFE


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf"])
def test_only_the_branch_that_goes_is_blamed(keyword: str) -> None:
    found = asked({keyword: [MAIL, PHONE]}, {keyword: [MAIL, PIGEON]})
    said = {row.delta.change.value: row.judgement.verdict for row in found.rows}
    assert said == {"added": SAFE, "removed": BREAKS}
    found = answered({keyword: [MAIL, PHONE]}, {keyword: [MAIL, PIGEON]})
    said = {row.delta.change.value: row.judgement.verdict for row in found.rows}
    assert said == {"added": BREAKS, "removed": SAFE}


PHONE_MORE = thing("caller", caller=TEXT, country=TEXT, line=TEXT)
REWRITTEN = [
    (one(REF["Mail"], REF["Phone"]), one(REF["Mail"], PHONE_MORE)),
    (one(REF["Mail"], REF["Phone"]), one(PHONE_MORE, REF["Mail"])),
    (one(MAIL, PHONE), one(PHONE_MORE, MAIL)),
    (any_(MAIL, PHONE), any_(PHONE_MORE, MAIL)),
    (one(WIDTH, MASS), one(thing(mass=COUNT, unit=TEXT), WIDTH)),
    (one(thing("id a", id=TEXT, a=TEXT), thing("id b", id=TEXT, b=COUNT)),
     {"allOf": [thing("id", id=TEXT, note=TEXT), one(thing("a", a=TEXT), thing("b", b=COUNT))]}),
    (one(thing("id a", id=TEXT, a=TEXT), thing("id b", id=TEXT, b=COUNT)),
     {**thing("id", id=TEXT, note=TEXT), **one(thing("a", a=TEXT), thing("b", b=COUNT))}),
]  # fmt: skip
"""One optional member more, and the choice written in another way."""


@PLACES
@pytest.mark.parametrize(("released", "candidate"), REWRITTEN)
def test_how_a_choice_is_written_breaks_nobody(released: Any, candidate: Any, at: Any) -> None:
    assert verdicts(answered(at(released), at(candidate))) <= {SAFE}
    assert verdicts(asked(at(released), at(candidate))) <= {SAFE}


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (one(MAIL, PHONE), thing(address=TEXT, subject=TEXT, caller=TEXT, country=TEXT)),
        (any_(MAIL, PHONE), thing(address=TEXT, subject=TEXT, caller=TEXT, country=TEXT, more=TEXT)),
        (one(REF["Mail"], REF["Pigeon"]), thing(address=TEXT, subject=TEXT, loft=TEXT)),
        (one(WIDTH, LID), thing(width=COUNT, shade=TEXT, lid={"type": "boolean"})),
    ],
)
def test_branches_that_are_merged_take_what_they_took(released: Any, candidate: Any) -> None:
    assert BREAKS not in verdicts(asked(released, candidate))
    assert BREAKS in verdicts(answered(released, candidate)) or OPEN in verdicts(answered(released, candidate))


@pytest.mark.parametrize(
    ("released", "candidate"),
    [
        (one(MAIL, PHONE), one(MAIL, thing("caller", caller=COUNT, country=TEXT))),
        (one(WIDTH, MASS), one(thing(width=TEXT, shade=TEXT), MASS)),
        (one(MAIL, PHONE), one(MAIL, thing("caller country", caller=TEXT, country=TEXT))),
        (one(MAIL, PHONE), thing("address", address=TEXT, subject=TEXT, caller=TEXT, country=TEXT)),
        (one(thing("a", a=TEXT), thing("b", b=TEXT)), one(thing(a=TEXT), thing("b", b=TEXT))),
        (one(thing("id a", id=TEXT, a=TEXT), thing("id b", id=TEXT, b=COUNT)),
         {"allOf": [thing("id c", id=TEXT, c=TEXT), one(thing("a", a=TEXT), thing("b", b=COUNT))]}),
    ],
)  # fmt: skip
def test_what_peers_write_and_one_side_refuses_is_never_compatible(released: Any, candidate: Any) -> None:
    assert worst(asked(released, candidate)) in (BREAKS, OPEN)


TEXTS: Any = {"additionalProperties": TEXT}
OPENLY: Any = {"additionalProperties": True}
ANYTHING: Any = {"additionalProperties": {}}
LETTER = [
    (asked, {"type": "object", "properties": {}}, thing(why=TEXT)),
    (asked, thing(to={"type": "object", "properties": {}}), thing(to=thing(city=TEXT))),
    (asked, {**thing(id=TEXT), **OPENLY}, {**thing(id=TEXT, more=COUNT), **OPENLY}),
    (answered, {**thing(id=TEXT, note=TEXT), **OPENLY}, {**thing(id=TEXT), **OPENLY}),
    (answered, nested({**thing(id=TEXT, note=TEXT), **ANYTHING}), nested({**thing(id=TEXT), **ANYTHING})),
    (asked, one(MAIL, PHONE), one(MAIL, PHONE, thing("loft", loft=TEXT, address=COUNT))),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "released", "candidate"), LETTER)
def test_what_only_the_letter_breaks_is_no_break(ask: Any, released: Any, candidate: Any) -> None:
    found = ask(released, candidate)
    assert BREAKS not in verdicts(found)
    for row in found.rows:
        assert row.proof.realism in (None, Realism.LETTER)
        assert row.to_dict()["proof"]["witness_realism"] in ("", "letter only")  # type: ignore[call-overload, index]


@pytest.mark.parametrize(
    ("released", "candidate", "realism"),
    [
        (thing(id=TEXT), {**thing(id=TEXT), "additionalProperties": False}, Realism.LETTER),
        (thing(id=TEXT), thing(id=COUNT), Realism.DECLARED),
        ({**thing(id=TEXT), **TEXTS}, {**thing(id=TEXT), "additionalProperties": COUNT}, Realism.DECLARED),
        ({**thing(), **TEXTS}, {**thing(total=COUNT), **TEXTS}, Realism.DECLARED),
        ({"type": "object"}, {"type": "object", "additionalProperties": COUNT}, Realism.DECLARED),
    ],
)  # fmt: skip
def test_a_break_says_whether_peers_would_send_its_witness(released: Any, candidate: Any, realism: Realism) -> None:
    (row,) = asked(released, candidate).rows
    assert (row.judgement.verdict, row.proof.status, row.proof.realism) == (BREAKS, ProofStatus.WITNESSED, realism)


def test_a_member_of_a_free_form_object_that_gets_a_type_is_undecided() -> None:
    (row,) = asked({"type": "object"}, thing(why=TEXT)).rows
    assert (row.judgement.verdict, row.proof.realism) == (OPEN, Realism.FREE_FORM)


def test_rows_that_only_the_letter_breaks_stand_last() -> None:
    released = thing(a=thing(x=TEXT), b=TEXT)
    candidate = thing(a={**thing(x=TEXT), "additionalProperties": False}, b=COUNT)
    found = asked(released, candidate)
    assert [row.proof.realism for row in found.rows] == [Realism.DECLARED, Realism.LETTER]
    assert list(found.frame["witness_realism"]) == ["declared", "letter only"]


BOUND: Any = {"type": "string", "maxLength": 12}
LIMITED = [
    BOUND,
    {"type": "string", "pattern": "^a"},
    {"type": "string", "format": "uuid"},
    {"type": "integer", "minimum": 3, "multipleOf": 2},
    {"type": "array", "items": TEXT, "minItems": 2},
    {"type": "string", "enum": ["a", "b"], "minLength": 1},
]


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf"])
@pytest.mark.parametrize("schema", LIMITED)
def test_a_limit_that_moves_into_a_branch_was_not_removed(schema: Any, keyword: str) -> None:
    for found, verdict in (
        (answered(schema, {keyword: [schema, MAIL]}), BREAKS),
        (asked(schema, {keyword: [schema, MAIL]}), SAFE),
        (asked({keyword: [schema, MAIL]}, schema), BREAKS),
        (answered({keyword: [schema, MAIL]}, schema), SAFE),
    ):
        (row,) = found.rows
        assert (row.delta.aspect.value, row.judgement.verdict) == ("composition", verdict)


def test_a_limit_that_goes_is_still_told() -> None:
    (row,) = answered(any_(BOUND, MAIL), any_(TEXT, MAIL)).rows
    assert (row.delta.facet, row.judgement.verdict) == ("maxLength", BREAKS)


CLOSED: Any = {**MAIL, "additionalProperties": False}


@PLACES
@pytest.mark.parametrize("other", [PHONE, PIGEON, REF["Phone"], thing("lid", lid={"type": "boolean"}, hue=TEXT)])
def test_one_branch_that_closes_sends_no_other_kind(other: Any, at: Any) -> None:
    """That two branches met before, and one meets now, is the letter of `oneOf`: nobody answers with both kinds."""
    opened, closed = at(one(MAIL, other)), at(one(CLOSED, other))
    assert worst(answered(opened, closed)) is SAFE
    assert worst(asked(closed, opened)) is SAFE


@pytest.mark.parametrize("schema", [{"not": MAIL}, {"type": "object", "not": MAIL}])
def test_below_not_closing_lets_more_through(schema: Any) -> None:
    assert worst(answered(schema, {**schema, "not": CLOSED})) is BREAKS


@pytest.mark.parametrize("facet", [one, any_])
def test_a_branch_that_closes_refuses_requests_with_more(facet: Any) -> None:
    assert worst(asked(facet(MAIL, COUNT), facet(CLOSED, COUNT))) is BREAKS
    assert worst(answered(facet(CLOSED, COUNT), facet(MAIL, COUNT))) is BREAKS
