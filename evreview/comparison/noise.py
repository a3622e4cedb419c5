"""Differences that never reach the wire, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.delta import RawDifference
from evreview.comparison.wire_forms import same
from evreview.core.vocabulary import ABSENT, Aspect, Form, Json, Sentence
from evreview.schema.reader import is_annotation
from evreview.schema.view import SchemaView, Sub


class NoiseReason(Sentence):
    """Why a difference never reaches the wire."""

    READ_BY_PEOPLE = "only people read it: no message changes"
    UNKNOWN_KEYWORD = "the format defines no such keyword: no message changes"
    EXTENSION = "a vendor extension: the format gives it no meaning on the wire"
    ORDER = "only the order in which it is written differs"
    RENAMED = "component names never travel"
    DECLARED = "a declaration alone changes no message: the rows of the operations that demand it say what changes"
    NOT_ON_WIRE = "a name or note for people and generators: no message changes"
    UNSENT = "HTTP sends no content in this response, whatever is said of it: no message changes"
    RESPELLED = "written differently, admits the same values: both sides read to one normal form"
    SAME_VALUES = "equivalent value sets: containment is proved both ways for the schema as a whole"
    EXCLUDING = "the alternatives exclude each other: one of them and exactly one of them admit the same values"
    ANYTHING = "a schema that refuses nothing admits the same values as none at all"
    OCTETS = "all octets are admitted on both sides: `binary` refuses none, no schema and an empty one neither"
    NAMED_AROUND = (
        "OpenAPI 3.1.1, section 4.4.2: where the media type or the encoding names the type, `contentMediaType` says it "
        "again or is ignored"
    )
    FORM = "a form is names and values, which make an object: no other value travels in one"
    ONE_WAY = "`deepObject` writes objects in one way only, whatever `explode` says"
    SPLIT = "said by several schemas that all hold, or by one: the same values are admitted"
    MOVED = "where a part of the contract is written never travels"
    ONE_NAME = "one name in two spellings: case, blanks, order of parameters and default ports do not count"
    JSON_CHARSET = "RFC 8259, section 11: a charset beside a JSON type has no effect on compliant recipients"
    BASE64 = "OpenAPI 3.1 writes `contentEncoding: base64` for what 2.0 and 3.0 write `format: byte`"
    BINARY = "OpenAPI 3.1 writes the media type of octets for what 2.0 and 3.0 write `format: binary`"
    WRITTEN_OUT = "the format's default, written out or left unsaid"
    UNWRITTEN = "the name of a positional-only argument: no call can write it"
    UNFOLDED = "an object that is exploded and parameters of its members' names are the same URLs"
    NOT_EXPLODED = "`explode` says nothing about single values, and one side has no others"
    UNUSED_SERVERS = "every operation names servers of its own: none is served by those of the document"
    SAME_URLS = "the servers' path and the paths together give the same URLs"
    BESIDE_REFERENCE = "OpenAPI 3.0.3, section 4.7.23: whatever stands beside `$ref` is ignored"
    NON_WIRE_NULLABLE = (
        "OpenAPI 3.0.3, section 4.7.24.1: `nullable` has effect only beside `type` in the same schema object, and an "
        "enum without null still refuses null; OpenAPI 3.1 has no such keyword; authors who write it mostly mean that "
        "null is possible"
    )
    NULLABLE_ASIDE = BESIDE_REFERENCE + "; authors who write `nullable` there mostly mean that null is possible"
    SAID_BY_FORMAT = "the payload is described in another language: the row of its schema format says it"
    TOLD_BY_RANGE = "a range took its place, or gave way to it: the row of the range says it"
    TOLD_BY_SERVICE = "a procedure that comes or goes with its service: the row of the service says it"
    TOLD_BY_KIND = "it comes or goes with the kind of a type: the row of the type says it"
    TOLD_BY_DEMAND = "nobody may leave it out any more: the row that demands it says what becomes of those who do"
    OF_ROOT = "fields of a type that documents start at are operations, which have rows of their own"
    SELECTED_BY_VALUE = "an alternative that comes or goes with its value: the row of the discriminator says it"
    NON_WIRE = "the keyword says nothing about values of this type: no message changes"


_PROSE: Final = frozenset(
    {"title", "description", "summary", "example", "examples", "externalDocs", "$comment", "$schema", "$id", "$anchor"}
)


def annotation_noise(
    before: SchemaView, after: SchemaView, released: Sub, candidate: Sub, found: list[RawDifference]
) -> None:
    """Adds one row per annotation keyword that differs, and one when only an order differs."""
    if before.annotations or after.annotations:
        for name in sorted(before.annotations.keys() | after.annotations.keys()):
            old, new = _get(before.annotations, name), _get(after.annotations, name)
            if not same(old, new):
                found.append(_row(name, old, new, released, candidate))
    for keyword in ("required", "enum"):
        old_order, new_order = _order(released, keyword), _order(candidate, keyword)
        if old_order != new_order and sorted(map(repr, old_order)) == sorted(map(repr, new_order)):
            found.append(
                RawDifference(
                    aspect=Aspect.IDENTIFIERS,
                    facet=f"order of {keyword}",
                    released=old_order,
                    candidate=new_order,
                    released_place=released.place,
                    candidate_place=candidate.place,
                    reason=NoiseReason.ORDER,
                )
            )


def _row(name: str, old: Form, new: Form, released: Sub, candidate: Sub) -> RawDifference:
    return RawDifference(
        aspect=Aspect.ANNOTATIONS,
        facet=name,
        released=old,
        candidate=new,
        released_place=released.place,
        candidate_place=candidate.place,
        reason=reason_of(name),
    )


def beside_reference(
    released: Sub, candidate: Sub, *, ignored: bool, refuses_null: bool = False
) -> Iterator[RawDifference]:
    """One row per member that differs beside two references; all but `nullable` never reach the wire.

    Args:
        released, candidate: as written, references not followed.
        ignored: whether the dialect of both sides gives nothing beside `$ref` a meaning.
        refuses_null: whether both references lead to schemas that refuse null: then `nullable` is no noise.
    """
    old, new = released.parts[0].node, candidate.parts[0].node
    if (
        not (isinstance(old, dict) and isinstance(new, dict) and "$ref" in old and "$ref" in new)
        or len(old) + len(new) < 3
    ):
        return
    names = sorted((old.keys() | new.keys()) - {"$ref"})
    if not ignored and not all(is_annotation(name) for name in names):
        return
    for name in names:
        before, after = _get(old, name), _get(new, name)
        if not same(before, after):
            row = _row(name, before, after, released, candidate)
            said = before is True, after is True
            if name == "nullable" and refuses_null and said[0] != said[1]:
                told = {fact.WITHOUT_EFFECT: True}
                yield replace(
                    row, aspect=Aspect.NULLABILITY, released=said[0], candidate=said[1], reason="", facts=told
                )
            else:
                non_wire = NoiseReason.NULLABLE_ASIDE if name == "nullable" else NoiseReason.BESIDE_REFERENCE
                yield row if is_annotation(name) else replace(row, aspect=Aspect.IDENTIFIERS, reason=non_wire)


def reason_of(keyword: str) -> str:
    """Why a keyword that `is_annotation` never reaches the wire."""
    if keyword in _PROSE:
        return NoiseReason.READ_BY_PEOPLE
    return NoiseReason.EXTENSION if keyword.startswith("x-") else NoiseReason.UNKNOWN_KEYWORD


def _get(members: Mapping[str, Json], name: str) -> Form:
    return members.get(name, ABSENT)


def _order(sub: Sub, keyword: str) -> list[Json]:
    node = sub.parts[0].node
    listed = node.get(keyword) if isinstance(node, dict) else None
    return listed if isinstance(listed, list) else []


# Names whose parameters, headers and fields mean paging, order, repeat safety or version choice: data, no logic else.
#
# A name is compared in lower case without `-`, `_`, `[`, `]` and blanks. `FIELDS` holds only names that are never
# ordinary data: a field `order` or `page` of a response is a thing, a query parameter `order` is a marker.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PAGINATION: Final = _words(
    "page limit offset cursor perpage pagesize pagetoken pagenumber pageno next nextpage nextcursor nextpagetoken prev "
    "previouspage previouscursor prevcursor startingafter endingbefore startafter endbefore maxresults top skip "
    "continue continuationtoken marker nextmarker pagelimit pageoffset pagecursor pageafter pagebefore after before "
    "first last"
)
_PAGINATION_FIELDS: Final = _words(
    "nextpage nextcursor nextpagetoken previouspage previouscursor prevcursor prevpage pagesize perpage pagetoken "
    "hasmore totalpages totalcount pagecount nextmarker continuationtoken pageinfo nextlink nextoffset hasnextpage "
    "haspreviouspage endcursor startcursor"
)
_PAGINATION_HEADERS: Final = _words(
    "link xtotalcount xtotalpages xpage xperpage xnextpage xprevpage xnextcursor xpagination contentrange"
)
_ORDERING: Final = _words("sort order orderby sortby sortorder orderdir sortdir direction sortdirection")
_ORDERING_FIELDS: Final = _words("orderby sortby sortorder orderdir sortdir sortdirection")
_IDEMPOTENCY: Final = _words(
    "idempotencykey xidempotencykey requestid xrequestid xrequesttoken clienttoken clientrequestid "
    "clientrequesttoken paypalrequestid"
)
_IDEMPOTENCY_FIELDS: Final = _words("idempotencykey clienttoken clientrequestid clientrequesttoken")
_IDEMPOTENCY_HEADERS: Final = _words("idempotencykey xidempotencykey idempotencyreplayed")
_VERSION: Final = _words(
    "apiversion xapiversion acceptversion xversion version xgithubapiversion stripeversion notionversion "
    "xmsversion odataversion"
)
_VERSION_HEADERS: Final = _words("apiversion xapiversion xgithubapiversion stripeversion xmsversion")

# Where a name stands -> which names mark what. Anything that stands elsewhere has no marker.
PARAMETERS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION | _PAGINATION_FIELDS,
    Aspect.ORDERING: _ORDERING,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY,
    Aspect.VERSION_SELECTORS: _VERSION,
}
HEADERS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION_HEADERS,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY_HEADERS,
    Aspect.VERSION_SELECTORS: _VERSION_HEADERS,
}
FIELDS: Final[Mapping[Aspect, frozenset[str]]] = {
    Aspect.PAGINATION: _PAGINATION_FIELDS,
    Aspect.ORDERING: _ORDERING_FIELDS,
    Aspect.IDEMPOTENCY: _IDEMPOTENCY_FIELDS,
}

_PUNCTUATION: Final = re.compile(r"[-_\[\]\s.]")
_VERSION_SEGMENT: Final = re.compile(r"/v\d+(?:[._-]?(?:alpha|beta|rc|preview)?\d*)*(?=/|$)", re.IGNORECASE)


def plain(name: str) -> str:
    """The form in which marker names are compared."""
    return _PUNCTUATION.sub("", name).lower()


def marker(name: str, names: Mapping[Aspect, frozenset[str]]) -> Aspect | None:
    """The aspect that `name` marks in one of the three tables above, None for an ordinary name."""
    wanted = plain(name)
    return next((aspect for aspect, marked in names.items() if wanted in marked), None)


def without_version(key: str) -> tuple[str, str]:
    """An operation key without its first version segment, and that segment ("" when it has none)."""
    found = _VERSION_SEGMENT.search(key)
    if found is None:
        return key, ""
    return key[: found.start()] + key[found.end() :], found.group()
