"""The rows of an entry: what each says, where it stands, what it is called; and how they are read off a schema."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.contract.citations import cited_place
from evreview.contract.model import Contract, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.quoted_text import Text, UserText
from evreview.core.vocabulary import ABSENT, ClosedVocabulary, Concern, Direction, EvidenceId, Form, Json
from evreview.evidence.item import Citation
from evreview.schema.view import Key, Part, SchemaView, Sub
from evreview.schema.views import Views
from evreview.workflows.w2.contract_words import (
    Constraint,
    TypeKind,
    constraints,
    described,
    type_kind,
    type_words,
    value_text,
)
from evreview.workflows.w2.facts import ClaimKey, Operation, claim

Citations = tuple[Citation, ...]


class PropertyName(ClosedVocabulary):
    """A line of an operation's own table."""

    OPERATION_ID = "operation ID"
    PLACE = "method and path"
    VERSION = "API version"
    BASE_URL = "base URL shape"
    REQUEST_BODY = "request body"
    DEPRECATED = "deprecated"
    SUMMARY = "behaviour: summary"
    DESCRIPTION = "behaviour: description"


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """One line of the operation's own table."""

    name: PropertyName
    value: Text
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeUse:
    """One security scheme that an alternative demands.

    Attributes:
        key: as code facts name it: `http bearer`, `apiKey header x-key`, `oauth2`.
        name: the contract's name of it.
        says: kind and way, in words.
        placeholder: how a request carries it, with an invented value that nobody takes for one.
    """

    key: str
    name: str
    says: Text
    scopes: tuple[str, ...]
    placeholder: str
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """What an operation demands: one alternative suffices, all schemes of it together; `()` needs no credentials.

    Attributes:
        stated: False when the contract says nothing about security for this operation.
    """

    stated: bool
    alternatives: tuple[tuple[SchemeUse, ...], ...]
    says: Text
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterRow:
    """One parameter.

    Attributes:
        kind: of the type.
        style: how its value is written, "" where the format's default holds.
        fields: of an object or of a list of objects.
    """

    name: str
    location: str
    type: Text
    kind: TypeKind
    required: bool
    validation: tuple[Constraint, ...]
    claim: ClaimKey
    validation_claim: ClaimKey
    citations: Citations
    default: Form = ABSENT
    style: str = ""
    description: str = ""
    deprecated: bool = False
    fields: tuple[FieldRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field of a body.

    Attributes:
        path: dotted from the body's root: `items[].sku`, `labels.*` for the members of a map, "" for the body itself.
        required: None for the body itself, for items and for members of a map.
        kind: of the type.
        notes: what else holds: the branch it belongs to, where the listing is cut, conditions.
        branch: the alternative of a oneOf or anyOf that the field belongs to, "" for a field of all.
        codes: the texts and whole numbers that it is limited to.
        listing: True for an array.
        object: the contract's name of the schema that its members stand in, "" for one without a name.
        extends: that of the one named schema which it is made of besides its own members.
        again: True where its members are left out because they repeat.
    """

    path: str
    type: Text
    kind: TypeKind
    required: bool | None
    allowed: tuple[Constraint, ...]
    citations: Citations
    notes: tuple[Text, ...] = ()
    default: Form = ABSENT
    description: str = ""
    branch: str = ""
    deprecated: bool = False
    codes: tuple[str, ...] = ()
    listing: bool = False
    object: str = ""
    extends: str = ""
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """One media type of a request or response: the whole value and its fields, in the contract's order.

    Attributes:
        media_type: as written, "" where the contract names none.
        root: the value as a whole, None without a schema.
    """

    media_type: str
    root: FieldRow | None
    fields: tuple[FieldRow, ...]
    claim: ClaimKey
    citations: Citations

    @property
    def lists(self) -> bool:
        """True when the body is a list or carries one near its root."""
        rows = (self.root, *self.fields) if self.root is not None else ()
        return any(row.listing and row.path.count(".") < 2 and "[]" not in row.path for row in rows)

    def claim_of(self, row: FieldRow) -> ClaimKey:
        """The claim that a field of this body makes."""
        return ClaimKey(f"{self.claim} {row.path}") if row.path else self.claim


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestBody:
    """The request body of an operation."""

    required: bool
    description: str
    bodies: tuple[Body, ...]
    claim: ClaimKey
    citations: Citations


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderRow:
    """One response header."""

    status: str
    name: str
    type: Text
    required: bool
    allowed: tuple[Constraint, ...]
    claim: ClaimKey
    citations: Citations
    description: str = ""
    rate_limit: bool = False


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A code that the contract defines for one status, and where; `example` when only an example shows it."""

    value: str
    citations: Citations
    example: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One documented response; `status` may be a range (`4XX`) or `default`."""

    status: str
    description: str
    bodies: tuple[Body, ...]
    headers: tuple[HeaderRow, ...]
    claim: ClaimKey
    citations: Citations
    codes: tuple[tuple[str, tuple[ErrorCode, ...]], ...] = ()

    def codes_of(self, body: Body) -> tuple[ErrorCode, ...]:
        """The error codes of one media type."""
        return next((codes for name, codes in self.codes if name == body.media_type), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A statement about limits, idempotency, side effects, pagination or rate limits, by the signal that found it.

    Attributes:
        rests_on: the claims that it repeats: while one of them is withheld, so is the statement.
    """

    concern: Concern
    name: str
    says: Text
    signal: str
    claim: ClaimKey
    citations: Citations
    rests_on: tuple[ClaimKey, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything that the contract says about one operation."""

    operation: Operation
    properties: tuple[Property, ...]
    authentication: Authentication
    parameters: tuple[ParameterRow, ...]
    body: RequestBody | None
    success: tuple[Response, ...]
    errors: tuple[Response, ...]
    stated: tuple[Stated, ...]

    @property
    def responses(self) -> tuple[Response, ...]:
        """Success responses, then errors."""
        return (*self.success, *self.errors)

    @property
    def headers(self) -> tuple[HeaderRow, ...]:
        """The response headers of all responses."""
        return tuple(header for response in self.responses for header in response.headers)

    def about(self, concern: Concern) -> tuple[Stated, ...]:
        """The statements about one concern."""
        return tuple(row for row in self.stated if row.concern is concern)


def own_claim(operation: str, name: str) -> ClaimKey:
    """The key of a claim about the operation itself, which belongs to no concern: `GET /orders base URL shape`."""
    return ClaimKey(f"{operation} {name}")


def response_claim(operation: str, status: str, *place: str) -> ClaimKey:
    """The key of a claim about a response, under success responses or errors."""
    return claim(operation, Concern.ERRORS if is_error(status) else Concern.SUCCESS, status, *place)


def is_error(status: str) -> bool:
    """True for 4xx, 5xx and `default`."""
    return status == "default" or status[:1] in ("4", "5")


# Citations of places of the contract under documentation, always of something that is written there.


class Places:
    """Makes and remembers the citations of one contract."""

    def __init__(self, contract: Contract, item: EvidenceId) -> None:
        self.contract = contract
        self.item = item
        self.resolver = Resolver(contract.documents)
        self._entry = contract.root.place.file
        self._made: dict[Place, Citation] = {}
        self._required: dict[tuple[int, ...], dict[str, Place]] = {}
        self._aliases: dict[Place, Place] = {}

    def at(self, place: Place) -> Citation:
        """A citation of the place, or of what holds it where a reader spelled out something that is written nowhere."""
        found = self._made.get(place)
        if found is None:
            found = cited_place(self.item, self._entry, self._written(place))
            self._made[place] = found
        return found

    def all(self, places: Iterable[Place]) -> tuple[Citation, ...]:
        """Citations of several places, each once."""
        return tuple(dict.fromkeys(self.at(place) for place in places))

    def node(self, place: Place) -> Json:
        """What is written at a place, None where nothing is."""
        found = follow(self.contract.documents.get(place.file), place.pointer)
        return None if found is ABSENT else found

    def stands_for(self, made: Place, written: Place) -> None:
        """Records where that is written which the reader put at a place of its own."""
        self._aliases[made] = written

    def required(self, sub: Sub) -> dict[str, Place]:
        """Where each required member of a resolved schema position is demanded."""
        found = self._required.get(sub.key)
        if found is None:
            found = {}
            for part in sub.parts:
                self._demands(part, found, set())
            self._required[sub.key] = found
        return found

    def _demands(self, part: Part, found: dict[str, Place], seen: set[int]) -> None:
        node = part.node
        if not isinstance(node, dict) or id(node) in seen:
            return
        seen.add(id(node))
        names = node.get("required")
        for name in names if isinstance(names, list) else ():
            if isinstance(name, str):
                found.setdefault(name, part.place.child("required"))
        ref, members = node.get("$ref"), node.get("allOf")
        target = self.resolver.target(part.place, ref) if isinstance(ref, str) else None
        if target is not None:
            self._demands(Part(target[1], target[0]), found, seen)
        for at, member in enumerate(members if isinstance(members, list) else ()):
            self._demands(Part(member, part.place.child("allOf", at)), found, seen)

    def _written(self, place: Place) -> Place:
        alias = self._aliases.get(place)
        if alias is not None:
            return alias
        document = self.contract.documents.get(place.file)
        while place.pointer and follow(document, place.pointer) is ABSENT:
            place = Place(place.file, place.pointer.rpartition("/")[0])
            if place in self._aliases:
                return self._aliases[place]
        return place


# One step down a schema: its members and its own words, remembered, because components are met again and again.


HIDDEN: Final = {Direction.READ: "readOnly", Direction.WRITTEN: "writeOnly"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A position one step below another one.

    Attributes:
        step: what it adds to the path: `.name`, `[]`, `[0]`, `.*`, "" for a branch.
        sub, written: the schema, references followed, and as written.
        required: None where nothing can be required.
        demanded: where a required member is demanded.
        label: the alternative that it is, "" for none.
        printed: False for a part that only lends its members.
    """

    step: str
    sub: Sub
    written: Sub
    required: bool | None = None
    demanded: Place | None = None
    label: str = ""
    printed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a schema says of its own values, in words."""

    type: Text
    kind: TypeKind
    allowed: tuple[Constraint, ...]
    notes: tuple[Text, ...]
    default: Form
    deprecated: bool
    codes: tuple[str, ...]
    listing: bool


class Members:
    """Members and words of the schemas of one contract, in one dialect and direction."""

    def __init__(self, views: Views, places: Places, direction: Direction | None) -> None:
        self.views = views
        self._places = places
        self._hidden = HIDDEN.get(direction) if direction is not None else None
        self._members: dict[Key, tuple[Sub, tuple[Member, ...]]] = {}
        self._words: dict[Key, tuple[Sub, Words]] = {}
        self._cited: dict[tuple[Key, Key], tuple[Sub, Sub, tuple[Citation, ...], str]] = {}

    def below(self, sub: Sub) -> tuple[Member, ...]:
        """The members of a resolved position that the direction carries, in the contract's order."""
        found = self._members.get(sub.key)
        if found is None:
            found = self._members[sub.key] = (sub, tuple(self._below(sub)))
        return found[1]

    def words(self, sub: Sub) -> Words:
        """What a resolved position says of its values."""
        found = self._words.get(sub.key)
        if found is None:
            found = self._words[sub.key] = (sub, self._spelled(self.views.view(sub)))
        return found[1]

    def cited(self, written: Sub, sub: Sub) -> tuple[tuple[Citation, ...], str]:
        """Where a position and the schema behind it stand, and the first description there, the position's before."""
        key = (written.key, sub.key)
        found = self._cited.get(key)
        if found is None:
            parts = (*written.parts, *sub.parts)
            words = next((text for text in (described(part.node) for part in parts) if text), "")
            found = self._cited[key] = (written, sub, self._places.all(part.place for part in parts), words)
        return found[2], found[3]

    def _below(self, sub: Sub) -> Iterator[Member]:
        view = self.views.view(sub)
        yield from self._named(sub, view)
        for at, each in enumerate(view.prefix):
            yield self._member(f"[{at}]", each)
        if isinstance(view.items, Sub):
            yield self._member("[]", view.items)
        for _, each in sorted(view.patterns.items()):
            yield self._member(".*", each)
        if isinstance(view.additional, Sub):
            yield self._member(".*", view.additional)
        for each in view.all_of:
            yield replace(self._member("", each), printed=False)
        for branches in (view.any_of, view.one_of):
            for label, each in zip(self.views.labels(view, branches), branches, strict=True):
                yield replace(self._member("", each), label=label)
        yield from self._subtypes(sub, view)

    def _named(self, sub: Sub, view: SchemaView) -> Iterator[Member]:
        demands = self._places.required(sub) if view.required else {}
        for name, each in view.properties.items():
            made = self._member(f".{name}", each)
            if not self._is_hidden(made):
                required = name in view.required
                yield replace(made, required=required, demanded=demands.get(name) if required else None)

    def _subtypes(self, sub: Sub, view: SchemaView) -> Iterator[Member]:
        """The subtypes that a discriminator selects where no union lists them: their own fields, as alternatives."""
        told = view.discriminator
        home = self.views.selecting(sub) if told is not None and not view.composed else None
        for value, ref in (self.views.selected(home) if home is not None else {}).items():
            made = self._member("", ref)
            if told is not None and made.sub.key != sub.key:
                yield replace(made, label=f"{told.property}={value}")

    def _member(self, step: str, sub: Sub) -> Member:
        return Member(step=step, sub=self.views.resolve(sub), written=sub)

    def _is_hidden(self, made: Member) -> bool:
        if self._hidden is None:
            return False
        if self.views.view(made.sub).flag(self._hidden):
            return True
        nodes = (part.node for part in made.written.parts)
        return any(isinstance(node, dict) and node.get(self._hidden) is True for node in nodes)

    def _spelled(self, view: SchemaView) -> Words:
        return Words(
            type=type_words(view, self._read),
            kind=type_kind(view),
            allowed=constraints(view),
            notes=tuple(_notes(view)),
            default=view.keywords.get("default", ABSENT),
            deprecated=view.flag("deprecated"),
            codes=tuple(value_text(value) for value in view.enum or () if type(value) in (str, int)),
            listing="array" in (view.types or ()) or isinstance(view.items, Sub),
        )

    def _read(self, sub: Sub) -> SchemaView:
        return self.views.view(self.views.resolve(sub))


def _notes(view: SchemaView) -> Iterator[Text]:
    if "$ref" in view.keywords:
        yield ("its schema could not be read: the reference leads nowhere",)
    if view.discriminator is not None:
        yield (UserText(view.discriminator.property), " tells the alternatives apart")
    if view.conditional or view.dependent_schemas or view.dependent_required or view.negated is not None:
        yield ("the contract states further conditions on this value",)


# A body's schema as one row per field: nested, in the contract's order, cut where it repeats or grows too long.


MOST_FIELDS: Final = 300
"""Rows of one body; what is deeper is named where the listing is cut."""

_CUT_HERE: Final = "its members are not listed: the body has more fields than one listing holds"


class Fields:
    """Flattens the schemas of one contract; remembers what it flattened, by schema and direction."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._views: dict[SchemaDialect, Views] = {}
        self._members: dict[tuple[SchemaDialect, Direction | None], Members] = {}
        self._made: dict[tuple[int, Place, Direction | None], tuple[Json, tuple[FieldRow, ...]]] = {}

    def views(self, dialect: SchemaDialect) -> Views:
        """The views of all schemas in one dialect."""
        if dialect not in self._views:
            self._views[dialect] = Views(self.places.resolver, dialect)
        return self._views[dialect]

    def view(self, value: ValueSet) -> SchemaView:
        """The view of a value set, references followed."""
        views = self.views(value.dialect)
        return views.view(views.resolve(_sub(value)))

    def sub(self, value: ValueSet) -> Sub:
        """A value set as a position."""
        return _sub(value)

    def members(self, dialect: SchemaDialect, direction: Direction | None) -> Members:
        """The members of all schemas in one dialect and direction, remembered."""
        side = (dialect, direction)
        if side not in self._members:
            self._members[side] = Members(self.views(dialect), self.places, direction)
        return self._members[side]

    def rows(self, value: ValueSet, direction: Direction | None) -> tuple[FieldRow, ...]:
        """The body itself, then its fields; read-only fields of a request and write-only ones of a response left out.

        A field of an alternative names the alternative. Where a schema repeats, and where the listing would grow
        too long, a note says so in the place of what is left out.
        """
        key = (id(value.node), value.place, direction)
        if key not in self._made:
            members = self.members(value.dialect, direction)
            self._made[key] = (value.node, _Listing(members, self.places).rows(_sub(value)))
        return self._made[key][1]


def _sub(value: ValueSet) -> Sub:
    return Sub((Part(value.node, value.place),))


@dataclass(slots=True)
class _Field:
    """One field while the listing grows."""

    path: str
    member: Member
    branch: str
    above: tuple[tuple[Key, str], ...] = ()
    below: list[_Field] = field(default_factory=list)
    cut: Text = ()
    again: bool = False


class _Listing:
    """One flattening: broad first, so that a cut takes the deepest fields; printed in the contract's order."""

    def __init__(self, members: Members, places: Places) -> None:
        self._members = members
        self._places = places
        self._left = MOST_FIELDS

    def rows(self, sub: Sub) -> tuple[FieldRow, ...]:
        root = _Field("", Member(step="", sub=self._members.views.resolve(sub), written=sub), "")
        waiting = deque([root])
        while waiting:
            each = waiting.popleft()
            self._grow(each)
            waiting.extend(each.below)
        return tuple(self._printed(root))

    def _grow(self, each: _Field) -> None:
        """Puts the members one step below a field into it, or the reason why not."""
        key = each.member.sub.key
        again = next((path for seen, path in each.above if seen == key), None)
        if again is not None:
            each.again = True
            each.cut = (
                ("its members repeat those of ", UserText(again)) if again else ("its members repeat the body's",)
            )
            return
        members = self._members.below(each.member.sub)
        if not members:
            return
        printed = sum(member.printed for member in members)
        if printed > self._left:
            each.cut = (_CUT_HERE,)
            return
        self._left -= printed
        above = (*each.above, (key, each.path))
        each.below = [
            _Field(_joined(each.path, member.step), member, _branch(each.branch, member.label), above)
            for member in members
        ]

    def _printed(self, each: _Field) -> Iterator[FieldRow]:
        """The row of a field and of everything below it."""
        if each.member.printed:
            yield self._row(each)
        for member in each.below:
            yield from self._printed(member)

    def _row(self, each: _Field) -> FieldRow:
        member, words = each.member, self._members.words(each.member.sub)
        citations, description = self._members.cited(member.written, member.sub)
        if member.demanded is not None:
            citations = tuple(dict.fromkeys((*citations, self._places.at(member.demanded))))
        notes: list[Text] = [("for ", UserText(each.branch))] if each.branch else []
        notes += words.notes
        notes += [each.cut] if each.cut else []
        return FieldRow(
            path=each.path,
            type=words.type,
            kind=words.kind,
            required=member.required,
            allowed=words.allowed,
            citations=citations,
            notes=tuple(notes),
            default=words.default,
            description=description,
            branch=each.branch,
            deprecated=words.deprecated,
            codes=words.codes,
            listing=words.listing,
            object=_name_of(member.sub),
            extends=_extended(member.sub),
            again=each.again,
        )


_NAMED_AT: Final = re.compile(r"/(?:components/schemas|definitions|\$defs)/([^/]+)")


def _named_at(where: str) -> str:
    found = _NAMED_AT.fullmatch(where)
    return found[1].replace("~1", "/").replace("~0", "~") if found else ""


def _name_of(sub: Sub) -> str:
    """The contract's name of a schema that stands among its named ones, "" for any other."""
    return next((name for part in sub.parts if (name := _named_at(part.place.pointer))), "")


def _extended(sub: Sub) -> str:
    """The name of the one named schema whose members a schema takes over beside its own."""
    nodes = [part.node for part in sub.parts if isinstance(part.node, dict)]
    bases = [base for node in nodes if isinstance(node.get("allOf"), list) for base in node["allOf"]]
    refs = [base.get("$ref") for base in bases if isinstance(base, dict)]
    named = [name for ref in refs if isinstance(ref, str) and (name := _named_at(ref.partition("#")[2]))]
    return named[0] if len(named) == 1 else ""


def _joined(path: str, step: str) -> str:
    return f"{path}{step}" if path else step.removeprefix(".")


def _branch(above: str, label: str) -> str:
    return f"{above}, {label}" if above and label else above or label
