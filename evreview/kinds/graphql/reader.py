"""GraphQL schemas in the schema definition language, in one file or many, or as a server tells them to introspection.

The parts are in the `graphql_…` files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.source import Files, digest_of
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Aspect, ContractKind, Role
from evreview.kinds.graphql import ENDINGS, answers

EDITION: Final = "GraphQL, September 2025"


def read(files: Files) -> Contract:
    """The schema that the files define together, extensions merged into what they extend.

    Raises:
        BadInput: every problem: `text-encoding`, `graphql-syntax`, `graphql-introspection`, `graphql-too-deep`,
            `graphql-operation`, `graphql-definition`, `graphql-type-unknown`, `graphql-type-misplaced`,
            `graphql-extension`.
    """
    from evreview.kinds.graphql.elements import elements, schema_marks
    from evreview.kinds.graphql.syntax import definitions_of, place_of

    names = dict.fromkeys([*([files.entry] if files.entry else []), *files.named(*ENDINGS)]) or answers(files)
    parts = {name: files.load(name) for name in names}
    texts = _decoded(parts)
    found = definitions_of(texts)
    place = place_of(found.schemas[0]) if found.schemas else Place(next(iter(parts)), "")
    root = Element(
        kind=ElementKind.DOCUMENT,
        key="",
        name="",
        aspect=Aspect.ANNOTATIONS,
        place=place,
        role=Role.DOCUMENT,
        facets=tuple(schema_marks(found)),
        children=elements(found),
    )
    return Contract(
        kind=ContractKind.GRAPHQL,
        version=EDITION,
        title="",
        release="",
        path=files.entry,
        sha256=digest_of(parts.values()),
        root=root,
        documents=texts,
        unread=found.unread,
    )


def _decoded(parts: Mapping[str, bytes]) -> dict[str, str]:
    """The files as texts.

    Raises:
        BadInput: `text-encoding`, for each that is no UTF-8.
    """
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    for name, data in parts.items():
        try:
            texts[name] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            found = f"not UTF-8: the byte 0x{data[error.start]:02x}"
            place, advice = f"line {line}", "save the file as UTF-8"
            problems.append(Problem(code="text-encoding", found=found, file=name, place=place, advice=advice))
    if problems:
        raise BadInput(problems)
    return texts
