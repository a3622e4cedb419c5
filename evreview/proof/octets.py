"""Rows about bodies and parts of forms that are octets: `binary` refuses none of them, and an empty schema neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from evreview.contracts.model import Element, ElementKind, SchemaDialect
from evreview.ledger.delta import Delta
from evreview.ledger.schema_graph import Link, SchemaPair
from evreview.proof.questions import Questions
from evreview.proof.ways import Leg, carries
from evreview.shapes.octets import BINARY_NAMES, OCTET_STREAM, carries_octets, refuses_no_octets, refuses_nothing
from evreview.shapes.reading import OLD_OPENAPI
from evreview.shapes.view import Sub, property_step

_FACETS: Final = frozenset({"type", *BINARY_NAMES})
_Holder = tuple[tuple[Element, Element], str]


def octets_alone(delta: Delta, questions: Questions) -> bool:
    """True when every value that a row is about is a body or part of octets, and neither side refuses any octets.

    OpenAPI 3.1.1, section 4.8.14.2: a file of 3.0 (`type: string`, `format: binary`) is content without a schema, and
    in a form a member with an empty one.
    """
    if delta.facet not in _FACETS:
        return False
    dialects = tuple(dialect for _, dialect in questions.positions.documents())
    for pair in questions.ways.pairs(delta):
        holders = _holders(pair, delta, questions)
        if not holders:
            return False
        subs = zip((pair.released, pair.candidate), dialects, strict=True)
        for at, (sub, dialect) in enumerate(subs):
            if not all(_takes_all(elements[at], step, sub, dialect) for elements, step in holders):
                return False
    return bool(questions.ways.pairs(delta))


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


def _part_types(form: Element, step: str, sub: Sub, dialect: SchemaDialect) -> str:
    """The media types of a form's part, "" where they are not known."""
    if not form.key.startswith("multipart/"):
        return ""
    for child in form.children:
        stated = child.facet("contentType") if child.kind is ElementKind.ENCODING else None
        if isinstance(stated, str) and property_step(child.key) == step:
            return stated
    # OpenAPI 3.0 leaves the type of a part open whose schema says nothing.
    silent = dialect in OLD_OPENAPI and all(refuses_nothing(part.node) for part in sub.parts)
    return "" if silent else OCTET_STREAM
