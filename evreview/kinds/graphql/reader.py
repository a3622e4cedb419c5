"""GraphQL schemas in the schema definition language, in one file or many, or as a server tells them to introspection.

The parts are in the `graphql_…` files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Place
from evreview.contract.source import Files, digest_of
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.vocabulary import Aspect, ContractKind, Role

ENDINGS: Final = (".graphql", ".graphqls", ".gql")
EDITION: Final = "GraphQL, September 2025"

_NAME: Final = rb"[_A-Za-z]\w*"
_IGNORED: Final = rb"(?:[\s,]|#[^\n\r]*)*+"
_TEXT: Final = rb'(?:"""(?:\\"""|[^"]|"(?!""))*+"""|"(?:\\.|[^"\\\n\r])*+")'
_BARE: Final = (
    _IGNORED + rb"(?:$|" + _TEXT + rb"|(?:extend|type|interface|input|enum|union|scalar|schema|directive)\s+[@{\w])"
)
"""What follows a type without fields, which its extensions give it."""
_OPENS: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?" + _IGNORED + rb"(?:" + _TEXT + _IGNORED + rb")?(?:"
    rb"(?:extend\s+)?(?:type|interface)\s+" + _NAME + rb"(?:\s+implements\b|" + _IGNORED + rb"[@{]|" + _BARE + rb")"
    rb"|(?:extend\s+)?input\s+" + _NAME + rb"(?:" + _IGNORED + rb"[@{]|" + _BARE + rb")"
    rb"|(?:extend\s+)?enum\s+" + _NAME + _IGNORED + rb"(?:@|\{" + _IGNORED + rb"(?:" + _TEXT + _IGNORED + rb")?"
    rb"(?!option\b|reserved\b)[_A-Za-z]\w*+" + _IGNORED + rb"(?!=))"
    rb"|(?:extend\s+)?union\s+" + _NAME + _IGNORED + rb"[@=]"
    rb"|(?:extend\s+)?scalar\s+" + _NAME + rb"\s*(?:[@#\"\w]|$)"
    rb"|(?:extend\s+)?schema" + _IGNORED + rb"[@{]"
    rb"|directive\s*@)"
)  # fmt: skip
"""What a schema starts with; an `enum` of proto2 gives its values numbers, and `type:` is YAML."""


def recognises(files: Files) -> bool:
    """True when the text starts like a type system document, or tells of one; or a folder holds such files."""
    if files.entry:
        return bool(_OPENS.match(files.data)) or _is_answer(files.entry, files.data)
    return any(_OPENS.match(files.load(name)) for name in files.named(*ENDINGS)) or bool(_answers(files))


def _is_answer(name: str, data: bytes) -> bool:
    """True for the answer of a server to an introspection query."""
    if b'"__schema"' not in data or not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return False
    from evreview.kinds.graphql.introspection import schema_in

    try:
        return schema_in(parse_text(data, name)) is not None
    except BadInput:
        return False


def _answers(files: Files) -> list[str]:
    return [name for name in files.named(".json") if _is_answer(name, files.load(name))]


def read(files: Files) -> Contract:
    """The schema that the files define together, extensions merged into what they extend.

    Raises:
        BadInput: every problem: `text-encoding`, `graphql-syntax`, `graphql-introspection`, `graphql-too-deep`,
            `graphql-operation`, `graphql-definition`, `graphql-type-unknown`, `graphql-type-misplaced`,
            `graphql-extension`.
    """
    from evreview.kinds.graphql.elements import elements, schema_marks
    from evreview.kinds.graphql.syntax import definitions_of, place_of

    names = dict.fromkeys([*([files.entry] if files.entry else []), *files.named(*ENDINGS)]) or _answers(files)
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
