"""One rule is one value: what it matches, what it concludes, why, and what shows it.

Rules are data. The catalogue page, the messages and the tests are made from these fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final

from evreview.comparison import delta as facts
from evreview.comparison.delta import Delta
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import (
    Absent,
    Aspect,
    Change,
    Direction,
    Form,
    Json,
    Plane,
    Role,
    RuleId,
    Tristate,
    Verdict,
)

# How one form turned into another: what a rule may ask without knowing the keyword.


class FormChange(StrEnum):
    """The direction of a change of form."""

    RAISED = "raised"
    LOWERED = "lowered"
    GREW = "grew"
    SHRANK = "shrank"
    REPLACED = "replaced"
    SET = "set"
    UNSET = "unset"


def shift_of(released: Form, candidate: Form) -> FormChange:
    """The shift between two different forms: numbers move, lists and objects grow or shrink, others are replaced."""
    if isinstance(released, Absent):
        return FormChange.SET
    if isinstance(candidate, Absent):
        return FormChange.UNSET
    if is_number(released) and is_number(candidate):
        return FormChange.RAISED if candidate > released else FormChange.LOWERED  # type: ignore[operator]
    before, after = members(released), members(candidate)
    if before is None or after is None:
        return FormChange.REPLACED
    if before < after:
        return FormChange.GREW
    return FormChange.SHRANK if after < before else FormChange.REPLACED


def members(form: Form) -> frozenset[str] | None:
    """The members of a list (or the entries of an object) as comparable texts, None for anything else."""
    if isinstance(form, Mapping):
        return frozenset(stable(key) + stable(value) for key, value in form.items())
    if isinstance(form, Sequence) and not isinstance(form, str):
        return frozenset(stable(item) for item in form)
    return None


def stable(value: Json) -> str:
    """One text per JSON value, whatever the order of its keys."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def is_number(form: Form) -> bool:
    """True for a number, which a boolean is not."""
    return isinstance(form, (int, float)) and not isinstance(form, bool)


Predicate = Callable[[Delta], bool]


def covered(delta: Delta) -> bool:
    """True for an element that something of the other side holds: a status in a range, an address in a template."""
    return bool(delta.facts.get(facts.COVERED_BY))


def covers(delta: Delta) -> bool:
    """True for a range that holds elements of the other side."""
    return bool(delta.facts.get(facts.COVERS))


def required(delta: Delta) -> bool:
    """True for an element that its message has to carry."""
    return delta.facts.get(facts.REQUIRED) is True


class Slot(StrEnum):
    """Where in the skeleton contract an example's fragment stands; `example.expand` knows each place."""

    REQUEST_FIELD = "request field schema"
    RESPONSE_FIELD = "response field schema"
    REQUEST_BODY = "request body schema"
    RESPONSE_BODY = "response body schema"
    ERROR_BODY = "error body schema"
    WEBHOOK_FIELD = "webhook field schema"
    REQUEST_CONTENT = "request body content"
    RESPONSE_CONTENT = "response content"
    ERROR_CONTENT = "error content"
    BODY = "request body"
    PARAMETERS = "parameters"
    PARAMETER_SCHEMA = "parameter schema"
    RESPONSES = "responses"
    HEADERS = "response headers"
    HEADER_SCHEMA = "response header schema"
    OPERATION = "operation"
    OPERATION_SECURITY = "operation security"
    TWIN_SECURITY = "operation security, beside operations that demand `user` or `robot`, both bearer tokens"
    CALLBACKS = "callbacks"
    LINKS = "links"
    PATHS = "paths"
    WEBHOOKS = "webhooks"
    WEBHOOK_PARAMETERS = "webhook parameters"
    SERVERS = "servers"
    SECURITY = "document security"
    SECURITY_SCHEMES = "security schemes"
    DEMANDED_SCHEMES = "security schemes, of which the operation demands `login`"


@frozen
class Whole:
    """A whole contract in place of a slot: what it is called, and the name of its file."""

    title: str
    file: str

    def __str__(self) -> str:
        return self.title


DOCUMENT: Final = Whole("OpenAPI document", "api.json")
"""The shared rules are shown in OpenAPI, as the slots are."""


@frozen
class Example:
    """One edit: the same slot of one small contract, before and after. ABSENT: the slot is left out.

    Of a kind other than OpenAPI the fragment is the whole contract, as text or as JSON.
    """

    slot: Slot | Whole
    released: Form
    candidate: Form

    @property
    def backwards(self) -> Example:
        """The same edit from the candidate to the released form."""
        return Example(self.slot, self.candidate, self.released)


@frozen(kw_only=True)
class Match:
    """What a rule applies to. Every field that is set has to hold; an empty one asks nothing.

    Attributes:
        aspects, changes, elements, facets, roles: closed lists; `facets=("",)` means the element as a whole.
        direction: whether the producer reads or writes the value.
        in_error: inside an error response, or outside of one.
        shift: how the released form turned into the candidate form.
        released, candidate: the exact forms expected.
        facts: what the delta's facts have to say.
        when: a last question that no field above can ask.
    """

    aspects: tuple[Aspect, ...] = ()
    changes: tuple[Change, ...] = ()
    elements: tuple[ElementKind, ...] = ()
    facets: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    direction: Direction | None = None
    in_error: bool | None = None
    shift: tuple[FormChange, ...] = ()
    released: tuple[Form, ...] = ()
    candidate: tuple[Form, ...] = ()
    facts: tuple[tuple[str, Json], ...] = ()
    when: Predicate | None = None

    def applies(self, delta: Delta) -> bool:
        """True when every field that is set holds for `delta`."""
        return self._position(delta) and self._forms(delta) and (self.when is None or self.when(delta))

    def _position(self, delta: Delta) -> bool:
        return (
            (not self.aspects or delta.aspect in self.aspects)
            and (not self.changes or delta.change in self.changes)
            and (not self.elements or delta.element in self.elements)
            and (not self.facets or delta.facet in self.facets)
            and (not self.roles or delta.role in self.roles)
            and (self.direction is None or delta.direction is self.direction)
            and (self.in_error is None or delta.in_error is self.in_error)
        )

    def _forms(self, delta: Delta) -> bool:
        return (
            (not self.shift or shift_of(delta.released, delta.candidate) in self.shift)
            and (not self.released or _is_one_of(delta.released, self.released))
            and (not self.candidate or _is_one_of(delta.candidate, self.candidate))
            and all(_same(delta.facts.get(key), value) for key, value in self.facts)
        )


@frozen(kw_only=True)
class Rule:
    """What one kind of change means for the other side of the wire.

    Attributes:
        id: kebab-case, names the change found; never reused.
        title: the change in one line, as a heading says it.
        why: why the verdict follows from the contract.
        match: which deltas it speaks about.
        verdict: what the contract's text says; a proof may overrule it.
        accepts_old_requests, emits_old_compatible: the two producer questions.
        reference: the section of the standard that decides.
        example, counter_example: an edit that fires exactly this rule, and a near one that does not.
        mirror: the rule of the other direction, "" when there is none.
        planes: the verdict in each plane, for kinds where they differ; empty elsewhere.
        replaced_by: ids that took over; a replaced rule matches nothing and keeps its id.
    """

    id: RuleId
    title: str
    why: str
    match: Match
    verdict: Verdict
    accepts_old_requests: Tristate
    emits_old_compatible: Tristate
    reference: str
    example: Example
    counter_example: Example
    mirror: str = ""
    planes: tuple[tuple[Plane, Verdict], ...] = ()
    replaced_by: tuple[RuleId, ...] = ()

    @property
    def direction(self) -> Direction | None:
        """The direction that the rule speaks about, None when it asks for none."""
        return self.match.direction


def _same(left: Form | None, right: Form | None) -> bool:
    """Equality that keeps `true` and 1 apart."""
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _is_one_of(form: Form, wanted: tuple[Form, ...]) -> bool:
    return any(_same(form, other) for other in wanted)
