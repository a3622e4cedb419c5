"""Parts of forms whose content type follows from their schema: another schema may mean another type.

OpenAPI 3.0.3, section 4.7.15, and 3.1.0, section 4.8.15, `contentType`: a file is `application/octet-stream`, a text
`text/plain`. No value set says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from evreview.comparison.delta import Delta
from evreview.comparison.elements import Root
from evreview.comparison.node_pair import SchemaReaders
from evreview.comparison.noise import NoiseReason
from evreview.comparison.proof.claim import Questions
from evreview.comparison.proof.position import Leg, carries, direction_of, field_name, slot_of
from evreview.comparison.schema_pairs import Link, SchemaPair
from evreview.comparison.wire_forms import Forms
from evreview.contract.model import Element, ElementKind, SchemaDialect
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Direction
from evreview.messages.encoding_defaults import described, described_names, is_styled, kind_of_part
from evreview.messages.media_types import admitted_by
from evreview.schema.reader import OLD_OPENAPI
from evreview.schema.view import SchemaView, Sub, property_step
from evreview.schema.views import Views
from evreview.schema.wire_text import (
    BINARY_NAMES,
    OCTET_STREAM,
    admits_binary_payload,
    is_binary_payload,
    names_media_types,
    refuses_nothing,
)

_BRANCHED: Final = frozenset({"allOf", "anyOf", "oneOf"})
_OF_PARTS: Final = _BRANCHED | {"type", "format", "enum", "items", "contentMediaType", "contentEncoding"}
"""What the content type of a part may follow from."""
_OF_FORMS: Final = _BRANCHED | {"", "additionalProperties", "patternProperties", "unevaluatedProperties"}
"""What says which schema describes a part."""
_LISTS: Final = frozenset({"items", "prefixItems"})
_MEMBERS: Final = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
_DEEPEST: Final = 8
_Types = frozenset[str]


class _At(NamedTuple):
    """A pair above a row, and the member that leads from it to the row.

    Attributes:
        pair: above the row.
        listed: whether a list stands between both.
        part: the member, None while the pair is the member itself or stands in it.
        name: of the member, "" for one that has none.
    """

    pair: SchemaPair
    listed: bool = False
    part: SchemaPair | None = None
    name: str = ""


class _Part(NamedTuple):
    """A part of a form and the schemas that may describe it on both sides."""

    name: str
    subs: tuple[tuple[Sub, ...], tuple[Sub, ...]]


class PartTypes:
    """Knows the rows that change the content type of a part.

    Args:
        questions: the rows and their uses.
    """

    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    def changed(self, delta: Delta) -> bool:
        """True where a row stands in a part that has another content type by its schema, in one of its uses.

        Or in a form whose parts are described by other schemas after it.
        """
        direction = direction_of(delta)
        if direction is None or delta.facet not in _OF_PARTS | _OF_FORMS or not self._has_parts:
            return False
        return any(
            self._differs(root, part, direction)
            for at in self._above(delta)
            for root in self._forms(delta, at)
            for part in self._parts(delta, root, at)
        )

    @cached_property
    def _has_parts(self) -> bool:
        return any(map(_is_multipart, self._questions.usage_paths.roots))

    @cached_property
    def _sides(self) -> tuple[SchemaReaders, SchemaReaders]:
        old, new = (Views(Resolver(documents), dialect) for documents, dialect in self._questions.positions.documents())
        return SchemaReaders(old, Forms(old)), SchemaReaders(new, Forms(new))

    def _above(self, delta: Delta) -> Iterator[_At]:
        """The row's own pairs and those above them that it may be a part of."""
        waiting = [_At(pair) for pair in self._questions.usage_paths.pairs(delta)]
        seen = {(id(at.pair), at.listed, id(at.part)) for at in waiting}
        for at in waiting:
            yield at
            for above, link in self._questions.usage_paths.users.get(id(at.pair), ()):
                slot = slot_of(link)
                if slot is None:
                    found = at._replace(pair=above)
                elif at.part is None and slot.keyword in _LISTS and not at.listed:
                    found = _At(above, listed=True)
                elif at.part is None and slot.keyword in _MEMBERS:
                    found = _At(above, at.listed, link.target, slot.name if link.required is not None else "")
                else:
                    continue
                key = id(found.pair), found.listed, id(found.part)
                if key not in seen:
                    seen.add(key)
                    waiting.append(found)

    def _forms(self, delta: Delta, at: _At) -> Iterator[Root]:
        tops = self._questions.usage_paths.tops.get(id(at.pair), ())
        yield from (root for root in tops if _is_multipart(root) and carries(root, delta))

    def _parts(self, delta: Delta, root: Root, at: _At) -> Iterator[_Part]:
        """The part that a row stands in; those that a row of the whole form is about."""
        if at.part is not None:
            if delta.facet in _OF_PARTS:
                yield _Part(at.name, ((at.part.released,), (at.part.candidate,)))
        elif not at.listed and delta.facet in _OF_FORMS:
            both = _forms(root)
            name = field_name(delta) if delta.facet == "" else None
            listed = [described_names(form, side.views) for form, side in zip(both, self._sides, strict=True)]
            for each in sorted(listed[0] | listed[1]) if name is None else [name]:
                old, new = (described(form, each, side.views) for form, side in zip(both, self._sides, strict=True))
                yield _Part(each, (old, new))

    def _differs(self, root: Root, part: _Part, direction: Direction) -> bool:
        """True where a part is sent with another type than is expected; those both sides state have their own row."""
        stated = [_stated(form, part.name) for form in _forms(root)]
        if None not in stated:
            return False
        old, new = (
            _implied(subs, side) if said is None else _names(said)
            for said, subs, side in zip(stated, part.subs, self._sides, strict=True)
        )
        sent, expected = (old, new) if direction is Direction.READ else (new, old)
        return bool(sent and expected) and not all(admitted_by(each, ",".join(expected)) for each in sent)


def _forms(root: Root) -> tuple[Element, Element]:
    return root.position.released, root.position.candidate


def _is_multipart(root: Root) -> bool:
    both = _forms(root)
    return all(element.kind is ElementKind.MEDIA_TYPE and element.key.startswith("multipart/") for element in both)


def _stated(form: Element, name: str) -> str | None:
    """The content type that a form states for a part, "" where a style writes the part, None for neither."""
    for child in form.children:
        if child.kind is ElementKind.ENCODING and child.key == name:
            stated = child.facet("contentType")
            return stated if isinstance(stated, str) else "" if is_styled(child) else None
    return None


def _names(stated: str) -> _Types:
    return frozenset(each.strip().lower() for each in stated.split(",")) - {""}


def _implied(subs: Sequence[Sub], side: SchemaReaders) -> _Types:
    """The content types that follow from the schemas of a part, nothing where one of them isn't known."""
    found = [_types(sub, side, 0) for sub in subs]
    return frozenset().union(*found) if all(found) else frozenset()


def _types(sub: Sub, side: SchemaReaders, depth: int) -> _Types:
    view = side.view(sub)
    items = side.view(view.items) if isinstance(view.items, Sub) else None
    if depth > _DEEPEST or any(each is not None and _encodes(each) for each in (view, items)):
        return frozenset()
    branches = view.any_of or view.one_of
    if branches and view.types is None and not view.all_of:
        found = [_types(branch, side, depth + 1) for branch in branches]
        return frozenset().union(*found) if all(found) else frozenset()
    return _names(kind_of_part(view, side.views))


def _encodes(view: SchemaView) -> bool:
    """True for octets in text, of which 3.0 and 3.1 say different types."""
    return "contentEncoding" in view.keywords or view.keywords.get("format") == "byte"


# Rows about bodies and parts of forms that are octets: `binary` refuses none of them, and an empty schema neither.


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
        return NoiseReason.OCTETS
    named = delta.facet == "contentMediaType" and _encoded_alike(delta, questions)
    return NoiseReason.NAMED_AROUND if named and _all_alike(delta, questions, _named_around) else ""


def _encoded_alike(delta: Delta, questions: Questions) -> bool:
    """True when the octets of both sides travel as they are, or in the same encoding."""
    return all(_encodings(pair.released) == _encodings(pair.candidate) for pair in questions.usage_paths.pairs(delta))


def _encodings(sub: Sub) -> set[str]:
    """The encodings that a schema names; `format: byte` is what 2.0 and 3.0 write for base64."""
    nodes = [part.node for part in sub.parts if isinstance(part.node, dict)]
    encoded = {"base64" for node in nodes if node.get("format") == "byte"}
    return encoded | {str(node["contentEncoding"]).lower() for node in nodes if "contentEncoding" in node}


def _all_alike(delta: Delta, questions: Questions, holds: _Test) -> bool:
    """True when a test holds for both sides of every pair that a row is about, wherever it stands."""
    dialects = tuple(dialect for _, dialect in questions.positions.documents())
    pairs = questions.usage_paths.pairs(delta)
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
    users = questions.usage_paths.users
    found = list(_at(pair, "", delta, questions))
    members = [leg for item, link in users.get(id(pair), ()) for leg in _members(item, link, questions)]
    for above, link in members:
        if users.get(id(above)) or link.required is None:
            return []
        found += _at(above, link.step, delta, questions)
    return found if all(element.kind is ElementKind.MEDIA_TYPE for both, _ in found for element in both) else []


def _members(above: SchemaPair, link: Link, questions: Questions) -> Sequence[Leg]:
    """A link to a member; those to the list where it leads to the items of one."""
    listed = link.step == "[]" and not questions.usage_paths.tops.get(id(above))
    return questions.usage_paths.users.get(id(above), ()) if listed else [(above, link)]


def _at(pair: SchemaPair, step: str, delta: Delta, questions: Questions) -> Iterator[_Holder]:
    for root in questions.usage_paths.tops.get(id(pair), ()):
        if carries(root, delta):
            yield (root.position.released, root.position.candidate), step


def _takes_all(media: Element, step: str, sub: Sub, dialect: SchemaDialect) -> bool:
    types = media.key if not step else _part_types(media, step, sub, dialect)
    octets = types != "" and all(map(is_binary_payload, types.split(",")))
    return octets and all(admits_binary_payload(part.node, dialect) for part in sub.parts)


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
