"""Where something is written, and in which spelling, is noise: once per part, and none for other file names."""

from __future__ import annotations

import json

from evreview.contract.model import Contract
from evreview.kinds.compare import diff_contracts
from evreview.kinds.load import read_contract
from tests.comparison import pairs

LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
DONE = {"responses": {"204": {"description": ""}}}


def _named(file: str, document: pairs.Doc, other: pairs.Doc | None = None) -> Contract:
    files = {file: document, "parts.json": other or {}}
    return read_contract(file, lambda name: json.dumps(files[name]).encode())


def test_another_file_name_moves_nothing() -> None:
    ledger = diff_contracts(_named("one.json", pairs.base()), _named("two.json", pairs.base()))
    assert (ledger.deltas, ledger.noise) == ((), ())


def test_a_parameter_that_went_to_a_component_its_path_or_a_file() -> None:
    released = pairs.document({"/a": {"get": {"parameters": [LIMIT], **DONE}}})
    hoisted = pairs.document({"/a": {"parameters": [LIMIT], "get": DONE}})
    extracted = pairs.document({"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/L"}], **DONE}}})
    extracted["components"]["parameters"] = {"L": LIMIT}
    outside = pairs.document({"/a": {"get": {"parameters": [{"$ref": "parts.json#/L"}], **DONE}}})
    for candidate, home in (
        (_named("a.json", hoisted), "the path item"),
        (_named("a.json", extracted), "parameters/L"),
        (_named("a.json", outside, {"L": LIMIT}), "parts.json in place"),
    ):
        ledger = diff_contracts(_named("a.json", released), candidate)
        assert ledger.deltas == ()
        assert [(row.delta.facet, row.delta.released, row.delta.candidate) for row in ledger.noise] == [
            ("written at", "in place", home)
        ]


def test_a_media_type_in_another_spelling_is_noise_and_another_one_is_a_row() -> None:
    def made(name: str) -> pairs.Doc:
        content = {name: {"schema": {"type": "string"}}}
        return pairs.document({"/a": {"get": {"responses": {"200": {"description": "", "content": content}}}}})

    ledger = pairs.diff(made("text/plain;charset=utf-8"), made("Text/Plain; charset=UTF-8"))
    assert (ledger.deltas, [row.delta.facet for row in ledger.noise]) == ((), ["spelling"])
    ledger = pairs.diff(made("text/plain"), made("text/html"))
    assert ([row.facet for row in ledger.deltas], ledger.noise) == (["media-type"], ())


def test_a_parameter_of_a_webhook_or_callback_that_went_to_its_path_item() -> None:
    own, hoisted = {"post": {"parameters": [LIMIT], **DONE}}, {"parameters": [LIMIT], "post": DONE}

    def hook(item: pairs.Doc) -> pairs.Doc:
        return pairs.document({}) | {"openapi": "3.1.0", "webhooks": {"w": item}}

    def callback(item: pairs.Doc) -> pairs.Doc:
        inner = {"post": {**DONE, "callbacks": {"d": {"{$url}": item}}}}
        return pairs.document({"/a": {"post": {**DONE, "callbacks": {"c": {"{$url}": inner}}}}})

    for made in (hook, callback):
        ledger = pairs.diff(made(own), made(hoisted))
        assert ledger.deltas == ()
        assert [(row.delta.facet, row.delta.candidate) for row in ledger.noise] == [("written at", "the path item")]
