"""An exploded object in the query and parameters of its members' names are one text; samples of URLs say so, too."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evreview.comparison.noise import NoiseReason
from evreview.core.vocabulary import Verdict
from tests.comparison.pairs import document
from tests.pipeline import compared

INTEGER, TEXT = {"type": "integer"}, {"type": "string", "maxLength": 2}
MEMBERS: Any = {"a": INTEGER, "b": TEXT}


def _object(properties: Any, *, demanded: bool = False, **more: Any) -> Any:
    beside = {name: more.pop(name) for name in ("style", "explode") if name in more}
    schema = {"type": "object", "properties": properties, **more}
    return [{"name": "o", "in": "query", "schema": schema, "required": demanded, **beside}]


def _single(properties: Any, *demanded: str) -> Any:
    return [{"name": n, "in": "query", "schema": s, "required": n in demanded} for n, s in properties.items()]


def _document(parameters: Any) -> Any:
    return document({"/a": {"get": {"parameters": parameters, "responses": {"200": {"description": ""}}}}})


SAMPLES = [
    {name: value for name, value in zip("ab", values, strict=True) if value is not None}
    for values in product((None, 1, "x"), (None, "x", "xxx"))
]


def _admits_object(sent: Any, parameter: Any) -> bool:
    if not sent:
        return not parameter["required"]
    return bool(Draft202012Validator(parameter["schema"]).is_valid(sent))


def _admits_each(sent: Any, parameters: Any) -> bool:
    return all(
        Draft202012Validator(each["schema"]).is_valid(sent[each["name"]])
        if each["name"] in sent
        else not each["required"]
        for each in parameters
    )


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        (_object(MEMBERS), _single(MEMBERS)),
        (_object(MEMBERS, additionalProperties=False), _single(MEMBERS)),
        (_object(MEMBERS, style="form", explode=True), _single(MEMBERS)),
        (_object(MEMBERS, demanded=True, required=["a"]), _single(MEMBERS, "a")),
        (_object(MEMBERS, demanded=True, required=["a", "b"]), _single(MEMBERS, "a", "b")),
        (_object({"a": INTEGER}, required=["a"]), _single({"a": INTEGER})),
    ],
)
def test_both_spellings_are_the_same_urls(whole: Any, parts: Any) -> None:
    """Noise, and validators agree on every sample whose names both sides declare."""
    for old, new in ((whole, parts), (parts, whole)):
        found = compared(_document(old), _document(new))
        assert found.rows == ()
        assert NoiseReason.UNFOLDED in {noise.reason for noise in found.noise}
    for sent in (each for each in SAMPLES if each.keys() <= whole[0]["schema"]["properties"].keys()):
        assert _admits_object(sent, whole[0]) is _admits_each(sent, parts), sent


def _renamed(parameters: Any, name: str = "p") -> Any:
    return [{**each, "name": name} for each in parameters]


@pytest.mark.parametrize("more", [{}, {"demanded": True, "required": ["a"]}])
def test_the_name_of_an_exploded_object_is_in_no_url(more: Any) -> None:
    whole = _object(MEMBERS, **more)
    found = compared(_document(whole), _document(_renamed(whole)))
    assert found.rows == ()
    assert {noise.reason for noise in found.noise} == {NoiseReason.UNFOLDED}
    narrower = _renamed(_object({**MEMBERS, "a": {"type": "integer", "maximum": 5}}, **more))
    (row,) = compared(_document(whole), _document(narrower)).rows
    assert (row.delta.facet, row.judgement.verdict) == ("maximum", Verdict.BREAKING)


@pytest.mark.parametrize("more", [{"explode": False}, {"style": "deepObject"}])
def test_the_name_of_any_other_object_is_in_the_url(more: Any) -> None:
    whole = _object(MEMBERS, demanded=True, required=["a"], **more)
    assert Verdict.BREAKING in {
        row.judgement.verdict for row in compared(_document(whole), _document(_renamed(whole))).rows
    }


@pytest.mark.parametrize(
    ("released", "candidate", "expected"),
    [
        (_object(MEMBERS), _single({**MEMBERS, "a": {"type": "integer", "maximum": 5}}), {("query a", "maximum")}),
        (_single({**MEMBERS, "a": {"type": "integer", "maximum": 5}}), _object(MEMBERS), {("query a", "maximum")}),
        (_object(MEMBERS), _single(MEMBERS, "a"), {("query a", "required")}),
        (_object(MEMBERS), _single({"a": INTEGER}), {("query b", "")}),
        (_object(MEMBERS), _single({**MEMBERS, "c": TEXT}), {("query c", "")}),
    ],
)
def test_an_edit_beside_the_rewrite_is_a_row_of_its_own(released: Any, candidate: Any, expected: Any) -> None:
    rows = compared(_document(released), _document(candidate)).rows
    assert {(row.delta.address.rpartition(" > ")[2], row.delta.facet) for row in rows} == expected


def test_a_witness_is_the_whole_url() -> None:
    narrow = _single({**MEMBERS, "a": {"type": "integer", "maximum": 5}})
    (row,) = compared(_document(_object(MEMBERS)), _document(narrow)).rows
    assert row.judgement.verdict is Verdict.BREAKING
    assert row.proof.witness["message"]["query"] == "a=6"  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    "whole",
    [
        _object(MEMBERS, additionalProperties=True),
        _object(MEMBERS, additionalProperties=INTEGER),
        _object(MEMBERS, minProperties=1),
        _object(MEMBERS, required=["a"]),
        _object(MEMBERS, demanded=True),
        _object(MEMBERS, explode=False),
        _object(MEMBERS, style="deepObject"),
        _object({"a": {"type": "array", "items": INTEGER}, "b": TEXT}),
        _object({"a": {"type": "integer", "readOnly": True}, "b": TEXT}),
        _object(MEMBERS, nullable=True),
        [*_object(MEMBERS), *_single({"a": TEXT})],
    ],
)
def test_what_parameters_cannot_say_is_no_rewrite(whole: Any) -> None:
    for old, new in ((whole, _single(MEMBERS)), (_single(MEMBERS), whole)):
        found = compared(_document(old), _document(new))
        assert NoiseReason.UNFOLDED not in {noise.reason for noise in found.noise}
        assert found.breaking


def _called(role: str, parameters: Any) -> Any:
    called = {"post": {"parameters": parameters, "responses": {"204": {"description": ""}}}}
    if role == "webhook":
        return document({}, version="3.1.0", webhooks={"w": called})
    calls = {"responses": {"204": {"description": ""}}, "callbacks": {"c": {"{$request.body#/u}": called}}}
    return document({"/a": {"post": calls}})


@pytest.mark.parametrize("role", ["webhook", "callback"])
def test_what_the_producer_sends_is_the_same_url_either_usage_path(role: str) -> None:
    spelled = _object(MEMBERS), _single(MEMBERS), _renamed(_object(MEMBERS))
    for old, new in product(spelled, spelled):
        found = compared(_called(role, old), _called(role, new))
        assert found.rows == ()
        assert old is new or NoiseReason.UNFOLDED in {noise.reason for noise in found.noise}


@pytest.mark.parametrize("role", ["webhook", "callback"])
def test_a_text_that_the_producer_sends_under_the_same_name_is_compared(role: str) -> None:
    number, text = {"a": INTEGER}, {"a": {"type": "string"}}
    for old, new in ((_single(number), _object(text)), (_object(number), _single(text))):
        (row,) = compared(_called(role, old), _called(role, new)).rows
        assert (row.delta.facet, row.judgement.verdict) == ("type", Verdict.BREAKING)
        assert row.proof.witness is not None
        (row,) = compared(_called(role, new), _called(role, old)).rows
        assert (row.delta.facet, row.judgement.verdict) == ("type", Verdict.COMPATIBLE)


def test_a_callback_of_a_callback_is_one_as_well() -> None:
    def nested(parameters: Any) -> Any:
        inner = _called("callback", parameters)["paths"]["/a"]["post"]
        outer = {"responses": {"204": {"description": ""}}, "callbacks": {"d": {"{$request.body#/v}": {"post": inner}}}}
        return document({"/b": {"post": outer}})

    assert compared(nested(_object(MEMBERS)), nested(_single(MEMBERS))).rows == ()
