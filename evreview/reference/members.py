"""One step down a schema: its members and its own words, remembered, because components are met again and again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from evreview.contract.model import Place
from evreview.core.quoted_text import Subject, Text
from evreview.core.vocabulary import MISSING, Form, Polarity
from evreview.evidence.item import Citation
from evreview.reference.places import Places
from evreview.reference.words import constraint_words, described, type_words, value_text
from evreview.schema.view import Key, SchemaView, Sub
from evreview.schema.views import Views

_HIDDEN: Final = {Polarity.READ: "readOnly", Polarity.WRITTEN: "writeOnly"}


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
    allowed: tuple[Text, ...]
    notes: tuple[Text, ...]
    default: Form
    deprecated: bool
    codes: tuple[str, ...]
    listing: bool


class Members:
    """Members and words of the schemas of one contract, in one dialect and direction."""

    def __init__(self, views: Views, places: Places, polarity: Polarity | None) -> None:
        self.views = views
        self._places = places
        self._hidden = _HIDDEN.get(polarity) if polarity is not None else None
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
            allowed=constraint_words(view),
            notes=tuple(_notes(view)),
            default=view.keywords.get("default", MISSING),
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
        yield (Subject(view.discriminator.property), " tells the alternatives apart")
    if view.conditional or view.dependent_schemas or view.dependent_required or view.negated is not None:
        yield ("the contract states further conditions on this value",)
