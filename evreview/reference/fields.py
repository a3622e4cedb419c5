"""A body's schema as one row per field: nested, in the contract's order, cut where it repeats or grows too long."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evreview.contracts.model import Place, SchemaDialect, ValueSet
from evreview.prose import Subject, Text
from evreview.reference.places import Places
from evreview.reference.rows import FieldRow
from evreview.reference.words import constraint_words, described, type_words, value_text
from evreview.shapes.view import Part, SchemaView, Sub
from evreview.shapes.views import Views
from evreview.vocab import MISSING, Json, Polarity

MOST_FIELDS: Final = 300
"""Rows of one body; what is deeper is named where the listing is cut."""

_HIDDEN: Final = {Polarity.READ: "readOnly", Polarity.WRITTEN: "writeOnly"}
_CUT_HERE: Final = "its members are not listed: the body has more fields than one listing holds"


@dataclass(slots=True)
class _Field:
    """One field while the listing grows."""

    path: str
    sub: Sub
    written: Sub
    required: bool | None
    demanded: Place | None = None
    branch: str = ""
    above: tuple[tuple[tuple[int, ...], str], ...] = ()
    printed: bool = True
    below: list[_Field] = field(default_factory=list)
    cut: Text = ()


class Fields:
    """Flattens the schemas of one contract; remembers what it flattened, by schema and direction."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self._views: dict[SchemaDialect, Views] = {}
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

    def rows(self, value: ValueSet, polarity: Polarity | None) -> tuple[FieldRow, ...]:
        """The body itself, then its fields; read-only fields of a request and write-only ones of a response left out.

        A field of an alternative names the alternative. Where a schema repeats, and where the listing would grow
        too long, a note says so in the place of what is left out.
        """
        key = (id(value.node), value.place, polarity)
        if key not in self._made:
            listing = _Listing(self.views(value.dialect), self.places, polarity)
            self._made[key] = (value.node, listing.rows(_sub(value)))
        return self._made[key][1]


def _sub(value: ValueSet) -> Sub:
    return Sub((Part(value.node, value.place),))


class _Listing:
    """One flattening: broad first, so that a cut takes the deepest fields; printed in the contract's order."""

    def __init__(self, views: Views, places: Places, polarity: Polarity | None) -> None:
        self._views = views
        self._places = places
        self._hidden = _HIDDEN.get(polarity) if polarity is not None else None
        self._left = MOST_FIELDS

    def rows(self, sub: Sub) -> tuple[FieldRow, ...]:
        root = _Field("", self._views.resolve(sub), sub, None)
        waiting = deque([root])
        while waiting:
            each = waiting.popleft()
            self._grow(each)
            waiting.extend(each.below)
        return tuple(self._printed(root))

    def _grow(self, each: _Field) -> None:
        """Puts the members one step below a field into it, or the reason why not."""
        key = each.sub.key
        again = next((path for seen, path in each.above if seen == key), None)
        if again is not None:
            each.cut = ("its members repeat those of ", Subject(again)) if again else ("its members repeat the body's",)
            return
        members = list(self._members(each))
        if not members:
            return
        printed = sum(member.printed for member in members)
        if printed > self._left:
            each.cut = (_CUT_HERE,)
            return
        self._left -= printed
        above = (*each.above, (key, each.path))
        for member in members:
            member.above = above
        each.below = members

    def _members(self, each: _Field) -> Iterator[_Field]:
        view, path = self._views.view(each.sub), each.path
        yield from self._named(each, view)
        for at, sub in enumerate(view.prefix):
            yield self._field(each, f"{path}[{at}]", sub)
        if isinstance(view.items, Sub):
            yield self._field(each, f"{path}[]", view.items)
        for _, sub in sorted(view.patterns.items()):
            yield self._field(each, _dotted(path, "*"), sub)
        if isinstance(view.additional, Sub):
            yield self._field(each, _dotted(path, "*"), view.additional)
        for sub in view.all_of:
            yield replace(self._field(each, path, sub), printed=False)
        for branches in (view.any_of, view.one_of):
            for label, sub in zip(self._views.labels(view, branches), branches, strict=True):
                yield replace(self._field(each, path, sub), branch=_joined(each.branch, label))
        yield from self._subtypes(each, view)

    def _named(self, each: _Field, view: SchemaView) -> Iterator[_Field]:
        demands = self._places.required(each.sub) if view.required else {}
        for name, sub in view.properties.items():
            made = self._field(each, _dotted(each.path, name), sub)
            if self._is_hidden(made):
                continue
            made.required = name in view.required
            made.demanded = demands.get(name) if made.required else None
            yield made

    def _subtypes(self, each: _Field, view: SchemaView) -> Iterator[_Field]:
        """The subtypes that a discriminator selects where no union lists them: their own fields, as alternatives."""
        home = self._views.selecting(each.sub) if view.discriminator is not None and not view.composed else None
        for value, ref in (self._views.selected(home) if home is not None else {}).items():
            target = self._views.resolve(ref)
            if target.key != each.sub.key:
                branch = f"{view.discriminator.property}={value}" if view.discriminator else value
                yield replace(self._field(each, each.path, ref), branch=_joined(each.branch, branch))

    def _field(self, above: _Field, path: str, sub: Sub) -> _Field:
        return _Field(path, self._views.resolve(sub), sub, None, branch=above.branch)

    def _is_hidden(self, made: _Field) -> bool:
        if self._hidden is None:
            return False
        if self._views.view(made.sub).flag(self._hidden):
            return True
        nodes = (part.node for part in made.written.parts)
        return any(isinstance(node, dict) and node.get(self._hidden) is True for node in nodes)

    def _printed(self, each: _Field) -> Iterator[FieldRow]:
        """The row of a field and of everything below it."""
        if each.printed:
            yield self._row(each)
        for member in each.below:
            yield from self._printed(member)

    def _row(self, each: _Field) -> FieldRow:
        view = self._views.view(each.sub)
        places = [part.place for part in (*each.written.parts, *each.sub.parts)]
        places += [each.demanded] if each.demanded else []
        return FieldRow(
            path=each.path,
            type=type_words(view, self._read),
            required=each.required,
            allowed=constraint_words(view),
            citations=self._places.all(places),
            notes=tuple(self._notes(each, view)),
            default=view.keywords.get("default", MISSING),
            description=_description(each),
            branch=each.branch,
            deprecated=view.flag("deprecated"),
            codes=tuple(value_text(value) for value in view.enum or () if type(value) in (str, int)),
            listing="array" in (view.types or ()) or isinstance(view.items, Sub),
        )

    def _read(self, sub: Sub) -> SchemaView:
        return self._views.view(self._views.resolve(sub))

    def _notes(self, each: _Field, view: SchemaView) -> Iterator[Text]:
        if "$ref" in view.keywords:
            yield ("its schema could not be read: the reference leads nowhere",)
        if each.branch:
            yield ("for ", Subject(each.branch))
        if view.discriminator is not None:
            yield (Subject(view.discriminator.property), " tells the alternatives apart")
        if view.conditional or view.dependent_schemas or view.dependent_required or view.negated is not None:
            yield ("the contract states further conditions on this value",)
        if each.cut:
            yield each.cut


def _description(each: _Field) -> str:
    """The description written at the field, else the one of the schema that it refers to."""
    written = (described(part.node) for part in (*each.written.parts, *each.sub.parts))
    return next((text for text in written if text), "")


def _dotted(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _joined(above: str, label: str) -> str:
    return f"{above}, {label}" if above else label
