"""The kinds of contract, one line each, in the order in which they are asked: texts of their own syntax come first."""

from __future__ import annotations

from typing import Final

from evreview.comparison.kind_spec import KindSpec
from evreview.core.vocabulary import ContractKind
from evreview.kinds import asyncapi, avro, graphql, jsonschema, openapi, protobuf, python

KINDS: Final[tuple[KindSpec, ...]] = (
    protobuf.SPEC,
    graphql.SPEC,
    python.SPEC,
    openapi.SPEC,
    asyncapi.SPEC,
    avro.SPEC,
    jsonschema.SPEC,
)
_BY_KIND: Final = {spec.kind: spec for spec in KINDS}


def spec_of(kind: ContractKind) -> KindSpec:
    """What a kind of contract gives."""
    return _BY_KIND[kind]
