"""Pairs written from the specification: their verdicts, and every witness held against graphql-core by executing it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema, build_schema, graphql_sync, parse, validate

from evreview.contract.source import Files
from evreview.core.vocabulary import Json, ProofStatus, Verdict
from evreview.kinds.compare import compare
from evreview.kinds.graphql import SPEC
from tests.pipeline import written

TEXT = (Path(__file__).parents[2] / "data" / "graphql-pairs.txt").read_text(encoding="utf-8")
PAIRS = re.findall(r"^== ([^\n]+): (\w+)\n(.*?)\n--\n(.*?)\n(?=\n==|\Z)", TEXT, re.M | re.S)


def schema(text: str) -> GraphQLSchema:
    return build_schema(text, assume_valid=True, assume_valid_sdl=True)


def errors(text: str, document: str) -> list[GraphQLError]:
    return validate(schema(text), parse(document))


def sent(text: str, document: str, data: Json) -> bool:
    """Whether a server of the schema that holds this data sends it just so."""
    found = graphql_sync(schema(text), document, root_value=data)
    return not found.errors and found.data == data


def meant(text: str, document: str) -> list[Any]:
    """The arguments that resolvers get for a document, however deep."""
    got: list[Any] = []

    def resolver(_: Any, info: GraphQLResolveInfo, **given: Any) -> Any:
        got.append((info.field_name, given))
        return {"__typename": getattr(info.return_type, "name", "")}

    graphql_sync(schema(text), document, field_resolver=resolver)
    return got


def shown(released: str, candidate: str, message: dict[str, Any]) -> bool:
    """Whether graphql-core finds what a witness says."""
    document = message["document"]
    if errors(released, document):
        return False
    if "reads" in message:
        if message["reads"].startswith("@"):
            return True  # A directive has no resolver; its own default is all that differs.
        return bool(errors(candidate, document)) or meant(released, document) != meant(candidate, document)
    if "response" in message:
        data = message["response"]
        return sent(candidate, document, data) and not sent(released, document, data)
    return bool(errors(candidate, document))


@pytest.mark.parametrize(("name", "verdict", "released", "candidate"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_the_verdict_is_that_of_the_specification(name: str, verdict: str, released: str, candidate: str) -> None:
    rows = compare(written("a", released.encode()), written("b", candidate.encode())).rows
    found = {row.judgement.verdict for row in rows}
    worst = next((each for each in (Verdict.BREAKING, Verdict.UNKNOWN, Verdict.COMPATIBLE) if each in found), "none")
    assert worst == verdict, [(row.delta.address, row.judgement.rule, row.proof.reason) for row in rows]
    for row in rows:
        if row.judgement.verdict is Verdict.BREAKING:
            assert row.proof.status is ProofStatus.WITNESSED and isinstance(row.proof.witness, dict)
            message = row.proof.witness["message"]
            assert isinstance(message, dict) and shown(released, candidate, message), row.proof.witness


def test_the_table_is_read_whole() -> None:
    assert len(PAIRS) == TEXT.count("\n== ") > 80
    assert len({pair[0] for pair in PAIRS}) == len(PAIRS)
    assert all(SPEC.recognises(Files("E1", lambda _, side=side: side.encode())) for pair in PAIRS for side in pair[2:])
