"""Rows about bodies and parts of forms that are octets: `binary` refuses none of them, and an empty schema neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from evreview.comparison.noise import NAMED_AROUND, OCTETS
from evreview.comparison.proof.position import Leg, carries
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.contract.model import Element, ElementKind, SchemaDialect
from evreview.ledger.delta import Delta
from evreview.proof.questions import Questions
from evreview.schema.reader import OLD_OPENAPI
from evreview.schema.view import Sub, property_step
from evreview.schema.wire_text import (
    BINARY_NAMES,
    OCTET_STREAM,
    carries_octets,
    names_media_types,
    refuses_no_octets,
    refuses_nothing,
)

_FACETS: Final = frozenset({"type", *BINARY_NAMES})
_Holder = tuple[tuple[Element, Element], str]
_Test = Callable[[Element, str, Sub, SchemaDialect], bool]


def carried_alike(delta: Delta, questions: Questions) -> str:
    """Why a row about octets, or about what they are, changes no body and no part of a form; "" when it may.

    OpenAPI 3.1.1, section 4.8.14.2: a file of 3.0 (`type: string`, `format: binary`) is content without a schema, and
    in a form a member with an empty one. Section 4.4.2: `contentMediaType` is redundant or ignored where the key of the
    media type or the encoding of the part names the type.
    """
    if delta.facet not in _FACETS:
        return ""
    if _all_alike(delta, questions, _takes_all):
        return OCTETS
    named = delta.facet == "contentMediaType" and _encoded_alike(delta, questions)
    return NAMED_AROUND if named and _all_alike(delta, questions, _named_around) else ""


def _encoded_alike(delta: Delta, questions: Questions) -> bool:
    """True when the octets of both sides travel as they are, or in the same encoding."""
    return all(_encodings(pair.released) == _encodings(pair.candidate) for pair in questions.ways.pairs(delta))


def _encodings(sub: Sub) -> set[str]:
    """The encodings that a schema names; `format: byte` is what 2.0 and 3.0 write for base64."""
    nodes = [part.node for part in sub.parts if isinstance(part.node, dict)]
    encoded = {"base64" for node in nodes if node.get("format") == "byte"}
    return encoded | {str(node["contentEncoding"]).lower() for node in nodes if "contentEncoding" in node}


def _all_alike(delta: Delta, questions: Questions, holds: _Test) -> bool:
    """True when a test holds for both sides of every pair that a row is about, wherever it stands."""
    dialects = tuple(dialect for _, dialect in questions.positions.documents())
    pairs = questions.ways.pairs(delta)
    for pair in pairs:
        holders = _holders(pair, delta, questions)
        if not holders:
            return False
        subs = zip((pair.released, pair.candidate), dialects, strict=True)
        for at, (sub, dialect) in enumerate(subs):
            if not all(holds(elements[at], step, sub, dialect) for elements, step in holders):
                return False
    return bool(pairs)


def _holders(pair: SchemaPair, delta: Delta, questions: Questions) -> list[_Holder]:
    """The media types whose body a pair is, or whose member or list of members; none when it stands elsewhere, too."""
    users = questions.ways.users
    found = list(_at(pair, "", delta, questions))
    members = [leg for item, link in users.get(id(pair), ()) for leg in _members(item, link, questions)]
    for above, link in members:
        if users.get(id(above)) or link.required is None:
            return []
        found += _at(above, link.step, delta, questions)
    return found if all(element.kind is ElementKind.MEDIA_TYPE for both, _ in found for element in both) else []


def _members(above: SchemaPair, link: Link, questions: Questions) -> Sequence[Leg]:
    """A link to a member; those to the list where it leads to the items of one."""
    listed = link.step == "[]" and not questions.ways.tops.get(id(above))
    return questions.ways.users.get(id(above), ()) if listed else [(above, link)]


def _at(pair: SchemaPair, step: str, delta: Delta, questions: Questions) -> Iterator[_Holder]:
    for root in questions.ways.tops.get(id(pair), ()):
        if carries(root, delta):
            yield (root.position.released, root.position.candidate), step


def _takes_all(media: Element, step: str, sub: Sub, dialect: SchemaDialect) -> bool:
    types = media.key if not step else _part_types(media, step, sub, dialect)
    octets = types != "" and all(map(carries_octets, types.split(",")))
    return octets and all(refuses_no_octets(part.node, dialect) for part in sub.parts)


def _named_around(media: Element, step: str, _: Sub, __: SchemaDialect) -> bool:
    return names_media_types(media.key if not step else _stated_types(media, step))


def _part_types(form: Element, step: str, sub: Sub, dialect: SchemaDialect) -> str:
    """The media types of a form's part, "" where they are not known."""
    if not form.key.startswith("multipart/"):
        return ""
    stated = _stated_types(form, step)
    if stated:
        return stated
    nodes = [part.node for part in sub.parts]
    if dialect in OLD_OPENAPI:
        # The type of a part whose schema says nothing is left open.
        return "" if all(map(refuses_nothing, nodes)) else OCTET_STREAM
    own = {node.get("contentMediaType", OCTET_STREAM) if isinstance(node, dict) else OCTET_STREAM for node in nodes}
    return OCTET_STREAM if own == {OCTET_STREAM} else ""


def _stated_types(form: Element, step: str) -> str:
    """The media types that a form states for a part, "" for none."""
    for child in form.children:
        stated = child.facet("contentType") if child.kind is ElementKind.ENCODING else None
        if isinstance(stated, str) and property_step(child.key) == step:
            return stated
    return ""
