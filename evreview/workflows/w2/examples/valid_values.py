"""The values of one contract's schemas, found once each: accepted by both validators, passed by the redactor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, Place, SchemaDialect, ValueSet
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Direction, Json, Tristate
from evreview.messages.admission import MessageAdmission
from evreview.messages.bodies import UnsentMembers, hidden
from evreview.messages.message import Message
from evreview.messages.routing import RoutedOperation
from evreview.messages.validation import Judge
from evreview.messages.value_types import TypeOutline
from evreview.redaction.redactor import Redactor
from evreview.schema.subsumption.relation import Subsumption, SubsumptionChecker
from evreview.schema.to_json_schema import Source, closed, gaps
from evreview.schema.validators import CROSS_CHECK, PRIMARY, PrimaryValidator, SchemaCheck, SchemaError
from evreview.workflows.w2.examples.message_schemas import Annotations, SentSource, StatedValue, examples_of
from evreview.workflows.w2.examples.readable_values import FLAT, MOST, Readable
from evreview.workflows.w2.examples.scalar_values import invented
from evreview.workflows.w2.facts import Why

INVALID: Final = "the contract's own example is not valid, or not for this direction: "
DOUBTFUL: Final = "the contract's own example may not be invented: "
_LONG: Final = 1600
"""Characters beyond which no further level of optional members is shown."""
_RICHEST: Final = 3
_SPARE: Final = 12
_STATED: Final = 4
_WHYS: Final = {
    Why.UNSATISFIABLE: "proved: no value meets this schema",
    Why.TOO_LARGE: "the schema demands more characters, items or members than an example shows",
    Why.NOT_FOUND: "no value was found that the schema admits; whether there is one is not known",
    Why.UNREAD: "a part of the schema could not be read",
    Why.GUARDED: "every value that was found is one that the guard reports",
    Why.DISAGREED: "no value that was found is accepted by both validators without members that are never sent",
}


@dataclass(frozen=True, slots=True)
class SourcedValue:
    """A value and the place in the contract that states it, None for an invented one."""

    value: Json
    place: Place | None = None


@dataclass(slots=True)
class Case:
    """The values of one schema in one direction, looked for as far as they are asked for.

    Attributes:
        remarks: why values that the contract states are not used.
        why: why there is no value; None while there is one, or nobody asked.
    """

    _coming: Iterator[SourcedValue]
    _known: list[SourcedValue] = field(default_factory=list)
    remarks: list[Text] = field(default_factory=list)
    why: Why | None = None

    def values(self) -> Iterator[SourcedValue]:
        """The values, the best first."""
        at = 0
        while True:
            while at < len(self._known):
                yield self._known[at]
                at += 1
            found = next(self._coming, None)
            if found is None:
                return
            self._known.append(found)

    @property
    def reason(self) -> str:
        """Why there is no value, in words."""
        return _WHYS.get(self.why, "") if self.why is not None else ""


@dataclass(slots=True)
class _Direction:
    source: Source
    notes: Annotations
    keeper: UnsentMembers | None
    made: dict[SchemaDialect, Readable] = field(default_factory=dict)


class Cases:
    """The cases of one contract."""

    def __init__(self, contract: Contract, redactor: Redactor) -> None:
        self.contract = contract
        self.redactor = redactor
        self.first, self.second = acceptors(contract)
        self._known: dict[tuple[Place, Direction | None, str, bool], Case] = {}
        self._directions: dict[Direction | None, _Direction] = {}

    def of(self, element: Element, value: ValueSet, *, flat: bool = False) -> Case:
        """The case of an element's schema. `flat`: members that are no single values are left out where they may be."""
        name = _field(element)
        key = (element.place if name else self.first.judge.end(value).place, element.direction, name, flat)
        if key not in self._known:
            case = Case(iter(()))
            case._coming = self._values(element, value, case, flat=flat)
            self._known[key] = case
        return self._known[key]

    def readable(self, value: ValueSet, direction: Direction | None) -> Readable:
        """What makes values of a direction."""
        held = self._direction(direction)
        if value.dialect not in held.made:
            held.made[value.dialect] = Readable(held.source, held.notes, self.redactor, value.dialect)
        return held.made[value.dialect]

    def schema(self, value: ValueSet, direction: Direction | None) -> Json:
        """The schema as `readable` takes it."""
        return self._direction(direction).source.schema(value)

    def accepted(self, value: ValueSet, direction: Direction | None, instance: Json) -> bool:
        """True when both validators accept a value, and it has no member that is kept back in its direction."""
        keeper = self._direction(direction).keeper
        if keeper is not None and keeper.without(value, instance) != instance:
            return False
        return all(side.judge.errors(value, direction, instance) == () for side in (self.first, self.second))

    def _direction(self, direction: Direction | None) -> _Direction:
        if direction not in self._directions:
            # The judge's own source: a schema is converted once for making and judging.
            source = self.first.judge.source(direction)
            notes = Annotations(self.contract, source, direction)
            self._directions[direction] = _Direction(source, notes, hidden(self.contract, direction))
        return self._directions[direction]

    def _values(self, element: Element, value: ValueSet, case: Case, *, flat: bool) -> Iterator[SourcedValue]:
        seen: set[str] = set()
        failed = ""
        for found in self._guesses(element, value, case, flat=flat):
            text = json.dumps(found.value, sort_keys=True)
            if text in seen:
                continue
            seen.add(text)
            failed = failed or "value"
            if not self.accepted(value, element.direction, found.value):
                continue
            failed = "guard"
            if self.redactor.clean(printed(found.value, _field(element))) == printed(found.value, _field(element)):
                failed = "none"
                yield found
        if failed != "none":
            case.why = self._why(value, element.direction, guarded=failed == "guard")

    def _guesses(self, element: Element, value: ValueSet, case: Case, *, flat: bool) -> Iterator[SourcedValue]:
        yield from self._stated(element, value, case)
        readable, schema = self.readable(value, element.direction), self.schema(value, element.direction)
        name = _field(element)
        readable.begin()
        keeper = self._direction(element.direction).keeper
        for made in _grown(readable, schema, name, flat=flat):
            yield SourcedValue(made)
            if keeper is not None:
                yield SourcedValue(keeper.without(value, made))
        for made in self._found(readable, schema, element.direction):
            if readable.weight(made) <= MOST:
                yield SourcedValue(made if keeper is None else keeper.without(value, made))

    def _found(self, readable: Readable, schema: Json, direction: Direction | None) -> Iterator[Json]:
        """What `schema` finds by itself."""
        yield from (made for (made,) in islice(readable.builder.values(schema), _SPARE))
        yield from self._decided(schema, direction).witness

    def _decided(self, schema: Json, direction: Direction | None) -> Subsumption:
        """Whether the schema holds no value at all."""
        source = self._direction(direction).source
        return SubsumptionChecker(source.definition, _nothing, declared=False).decide(schema, False)

    def _stated(self, element: Element, value: ValueSet, case: Case) -> Iterator[SourcedValue]:
        """What the contract states, as far as it is plainly invented and valid; remarks say of the rest why not."""
        for stated, place in islice(self._written(element, value), _STATED):
            if not self.accepted(value, element.direction, stated):
                case.remarks.append((INVALID, str(place)))
            elif not invented(stated, _field(element), self.redactor):
                case.remarks.append((DOUBTFUL, str(place)))
            else:
                yield SourcedValue(stated, place)

    def _written(self, element: Element, value: ValueSet) -> Iterator[StatedValue]:
        node = follow(self.contract.documents.get(element.place.file), element.place.pointer)
        if isinstance(node, dict):
            yield from examples_of(element.place, node)
        held = self._direction(element.direction)
        yield from held.notes.stated(held.source.schema(value))

    def _why(self, value: ValueSet, direction: Direction | None, *, guarded: bool) -> Why:
        source = self._direction(direction).source
        schema = source.schema(value)
        if guarded:
            return Why.GUARDED
        if gaps(closed(schema, source.definition)):
            return Why.UNREAD
        answer = self._decided(schema, direction).answer
        if answer is Tristate.YES:
            return Why.UNSATISFIABLE
        if self.readable(value, direction).too_large:
            return Why.TOO_LARGE
        return Why.DISAGREED if answer is Tristate.NO else Why.NOT_FOUND


def _field(element: Element) -> str:
    """The name of a parameter or header, "" for a body."""
    return element.name if element.kind in (ElementKind.PARAMETER, ElementKind.HEADER) else ""


def printed(value: Json, name: str = "") -> str:
    """A value as an example prints it, for the redactor to read."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return f'"{name}": {text}' if name else text


def _grown(readable: Readable, schema: Json, name: str, *, flat: bool) -> Iterator[Json]:
    """The richest value that stays short, then leaner ones."""
    ladder: list[Json] = []
    for rich in (FLAT, 0) if flat else range(1, _RICHEST + 1):
        found = readable.made(schema, name, rich)
        if found is None or (ladder and len(json.dumps(found[0])) > _LONG):
            break
        ladder.append(found[0])
    yield from ladder if flat else reversed(ladder)
    for rich in (0, FLAT):
        found = readable.made(schema, name, rich)
        if found is not None:
            yield found[0]


def _nothing(_name: str) -> Json | None:
    return None


# The two validators as judges of whole messages; a schema that many messages share is judged once per value.


CHECKS: Final = (PRIMARY, CROSS_CHECK)
_REFERENCES: Final = frozenset({SchemaDialect.SWAGGER_2, SchemaDialect.OPENAPI_3_0})
"""Where `$ref` says everything, whatever stands beside it."""
_BESIDE: Final = frozenset({"$ref", "description", "summary"})


class SharedJudge(Judge):
    """A judge that asks about the schema at the end of a chain of references, not about each reference to it."""

    def __init__(self, contract: Contract, check: SchemaCheck) -> None:
        super().__init__(contract, check)
        self._resolver = Resolver(contract.documents)
        self._ends: dict[int, tuple[ValueSet, ValueSet]] = {}
        self._forms: dict[tuple[int, Direction | None], TypeOutline] = {}

    def take_over(self, other: SharedJudge) -> None:
        """Uses the schemas that another judge of the contract has converted."""
        self._sources, self._outlines, self._ends, self._forms = (
            other._sources,
            other._outlines,
            other._ends,
            other._forms,
        )

    def end(self, value: ValueSet) -> ValueSet:
        """The value set that a plain reference stands for, the same one for all references; itself otherwise."""
        known = self._ends.get(id(value))
        if known is None:
            known = self._ends[id(value)] = (value, self._end(value))
        return known[1]

    def _end(self, value: ValueSet) -> ValueSet:
        node = value.node
        if not isinstance(node, dict) or not isinstance(node.get("$ref"), str):
            return value
        if value.dialect not in _REFERENCES and not _BESIDE.issuperset(node):
            return value
        found = self._resolver.target(value.place, str(node["$ref"]))
        return value if found is None else ValueSet(found[0], found[1], value.dialect)

    def source(self, direction: Direction | None) -> Source:
        """See `Judge.source`."""
        if direction not in self._sources:
            self._sources[direction] = SentSource(self.contract, direction)
        return self._sources[direction]

    def errors(self, value: ValueSet, direction: Direction | None, instance: Json) -> tuple[SchemaError, ...] | str:
        """See `Judge.errors`."""
        return super().errors(self.end(value), direction, instance)

    def outline(self, element: Element) -> TypeOutline:
        """See `Judge.outline`."""
        if element.value is None:
            return TypeOutline()
        key = (id(self.end(element.value)), element.direction)
        if key not in self._forms:
            self._forms[key] = super().outline(element)
        return self._forms[key]


class JudgedBy(MessageAdmission):
    """An acceptor with a shared judge."""

    judge: SharedJudge

    def __init__(self, contract: Contract, check: SchemaCheck, like: JudgedBy | None = None) -> None:
        """`like`: another one of the same contract, from which schemas and routes are taken over."""
        super().__init__(contract, check)
        self.judge = SharedJudge(contract, check)
        self._found: dict[tuple[str, str, str], RoutedOperation] = {}
        if like is not None:
            self.routes, self._found = like.routes, like._found
            self.judge.take_over(like.judge)

    def _route(self, message: Message) -> RoutedOperation:
        key = (message.method, message.path, message.route)
        if key not in self._found:
            self._found[key] = super()._route(message)
        return self._found[key]


def acceptors(contract: Contract) -> tuple[JudgedBy, JudgedBy]:
    """Both validators over one contract. The first has found a schema well-formed before the second is asked."""
    # It takes a second to load; what is only read, and never sent, needs no judge.
    from evreview.schema.cross_check_validator import CrossCheckValidator

    first = JudgedBy(contract, PrimaryValidator())
    return first, JudgedBy(contract, CrossCheckValidator(checked=True), first)
