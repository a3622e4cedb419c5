"""`xml` is a difference on the wire only where a message may be XML."""

from __future__ import annotations

from typing import Any

import pytest

from evreview.comparison.noise import NoiseReason
from evreview.comparison.redundant_rows import NO_XML
from evreview.core.vocabulary import Json, Verdict
from tests.pipeline import compared


def document(xml: Json, media: tuple[str, ...]) -> dict[str, Any]:
    item = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "xml": xml}}}
    content = {name: {"schema": {"$ref": "#/components/schemas/Item"}} for name in media}
    operation = {
        "requestBody": {"content": content},
        "responses": {"200": {"description": "x", "content": content}},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "paths": {"/a": {"post": operation}},
        "components": {"schemas": {"Item": item}},
    }


@pytest.mark.parametrize("xml", [{"name": "b"}, {"name": "a", "attribute": True}, {"name": "a", "wrapped": True}])
@pytest.mark.parametrize(
    ("media", "travels"),
    [
        (("application/json",), False),
        (("application/json", "text/plain"), False),
        (("application/xml",), True),
        (("application/json", "application/problem+xml"), True),
        (("*/*",), True),
    ],
)
def test_it_counts_where_a_message_may_be_xml(media: tuple[str, ...], travels: bool, xml: Json) -> None:
    comparison = compared(document({"name": "a"}, media), document(xml, media))
    verdicts = {row.judgement.verdict for row in comparison.rows if row.delta.facet == "xml"}
    assert verdicts == ({Verdict.BREAKING} if travels else set())
    assert travels or {noise.reason for noise in comparison.noise} == {NO_XML}


@pytest.mark.parametrize(
    ("said", "non_wire"),
    [
        ({"name": "a"}, True),
        ({"wrapped": False}, True),
        ({"attribute": False, "prefix": ""}, True),
        ({"name": "b"}, False),
        ({"wrapped": True}, False),
        ({"attribute": 0}, False),
        ({"namespace": "urn:x"}, False),
    ],
)
def test_the_defaults_of_xml_may_be_written_out(said: Json, non_wire: bool) -> None:
    """OpenAPI 3.0.3, section 4.7.26 XML Object: the name is the property's own."""
    for pair in (({}, said), (said, {})):
        comparison = compared(*(document(each, ("application/xml",)) for each in pair))
        assert bool(comparison.rows) is not non_wire
        assert not non_wire or {noise.reason for noise in comparison.noise} == {NoiseReason.WRITTEN_OUT}
