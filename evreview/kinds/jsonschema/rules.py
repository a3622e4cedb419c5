"""Events of JSON Schema as a whole: one that came, one that went. What their values are, the rules of schemas say."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.rule import Example, Match, Rule, Whole
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Json, Role, RuleId, Tristate, Verdict

_SHOWN: Final = Whole("JSON Schema of an event", "event.schema.json")

_REFERENCE: Final = "JSON Schema core 2020-12, section 8.2.4: a schema resource describes instances by itself"
_EVENT: Final = (ElementKind.OPERATION,)
_PAID: Final[Json] = {"$defs": {"paid": {"type": "object", "required": ["at"]}}}
_BOTH: Final[Json] = {"$defs": {"paid": {"type": "object", "required": ["at"]}, "sent": {"type": "object"}}}
_OTHER: Final[Json] = {"$defs": {"paid": {"type": "object"}}}

REMOVED: Final = Rule(
    id=RuleId("jsonschema-event-removed"),
    title="An event is described no more",
    why="Nothing says how a consumer of the candidate reads the events that were written and are still on their way.",
    match=Match(elements=_EVENT, facets=("",), changes=(Change.REMOVED,), roles=(Role.MESSAGE,)),
    verdict=Verdict.BREAKING,
    accepts_old_requests=Tristate.NO,
    emits_old_compatible=Tristate.NOT_APPLICABLE,
    reference=_REFERENCE,
    example=Example(_SHOWN, _BOTH, _PAID),
    counter_example=Example(_SHOWN, _PAID, _OTHER),
    mirror="jsonschema-event-added",
)
ADDED: Final = Rule(
    id=RuleId("jsonschema-event-added"),
    title="An event is described that was not before",
    why="Nobody wrote such events before, and a consumer of the released contract knows none to wait for.",
    match=Match(elements=_EVENT, facets=("",), changes=(Change.ADDED,), roles=(Role.MESSAGE,)),
    verdict=Verdict.COMPATIBLE,
    accepts_old_requests=Tristate.YES,
    emits_old_compatible=Tristate.NOT_APPLICABLE,
    reference=_REFERENCE,
    example=Example(_SHOWN, _PAID, _BOTH),
    counter_example=Example(_SHOWN, _OTHER, _PAID),
    mirror="jsonschema-event-removed",
)

RULES: Final = (REMOVED, ADDED)
