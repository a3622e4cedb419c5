"""A body's schema as one row per field: nested, in the contract's order, cut where it repeats or grows too long."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evreview.contract.model import Place, SchemaDialect, ValueSet
from evreview.core.quoted_text import Subject, Text
from evreview.core.vocabulary import Json, Polarity
from evreview.reference.members import Member, Members
from evreview.reference.places import Places
from evreview.schema.view import Key, Part, SchemaView, Sub
from evreview.schema.views import Views
from evreview.workflows.w2.contract_rows import FieldRow

MOST_FIELDS: Final = 300
"""Rows of one body; what is deeper is named where the listing is cut."""

_CUT_HERE: Final = "its members are not listed: the body has more fields than one listing holds"


class Fields:
    """Flattens the schemas of one contract; remembers what it flattened, by schema and direction."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._views: dict[SchemaDialect, Views] = {}
        self._members: dict[tuple[SchemaDialect, Polarity | None], Members] = {}
        self._made: dict[tuple[int, Place, Polarity | None], tuple[Json, tuple[FieldRow, ...]]] = {}

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

    def members(self, dialect: SchemaDialect, polarity: Polarity | None) -> Members:
        """The members of all schemas in one dialect and direction, remembered."""
        side = (dialect, polarity)
        if side not in self._members:
            self._members[side] = Members(self.views(dialect), self.places, polarity)
        return self._members[side]

    def rows(self, value: ValueSet, polarity: Polarity | None) -> tuple[FieldRow, ...]:
        """The body itself, then its fields; read-only fields of a request and write-only ones of a response left out.

        A field of an alternative names the alternative. Where a schema repeats, and where the listing would grow
        too long, a note says so in the place of what is left out.
        """
        key = (id(value.node), value.place, polarity)
        if key not in self._made:
            members = self.members(value.dialect, polarity)
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
            each.cut = ("its members repeat those of ", Subject(again)) if again else ("its members repeat the body's",)
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
        notes: list[Text] = [("for ", Subject(each.branch))] if each.branch else []
        notes += words.notes
        notes += [each.cut] if each.cut else []
        return FieldRow(
            path=each.path,
            type=words.type,
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
        )


def _joined(path: str, step: str) -> str:
    return f"{path}{step}" if path else step.removeprefix(".")


def _branch(above: str, label: str) -> str:
    return f"{above}, {label}" if above and label else above or label
