"""Which violations are a row's own: those at its node and keyword, and those that nothing else in a union causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from evreview.contract.model import ElementKind, Place
from evreview.core.vocabulary import Change
from evreview.ledger.delta import Delta
from evreview.proof.closing import closing
from evreview.proof.levels import Side
from evreview.proof.names import addressed_name, field_name
from evreview.schema.evaluator import Trace, Violation
from evreview.schema.reader import UNEVALUATED
from evreview.schema.view import Sub

_VALUES: Final = frozenset({"enum", "const", "type"})
_UPPER: Final = frozenset({"maximum", "exclusiveMaximum"})
_LOWER: Final = frozenset({"minimum", "exclusiveMinimum"})
_OBJECTS: Final = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
_RELATED: Final[Mapping[str, frozenset[str]]] = {
    "type": _VALUES | {"format"} | _UPPER | _LOWER,
    "nullable": _VALUES | {"oneOf", "anyOf", "not", "if", "then", "else"},
    "enum": _VALUES,
    "format": frozenset({"format"}) | _UPPER | _LOWER,
    **dict.fromkeys(_UPPER, _UPPER),
    **dict.fromkeys(_LOWER, _LOWER),
    "additionalProperties": _OBJECTS,
    "unevaluatedProperties": _OBJECTS,
    "patternProperties": _OBJECTS,
    "unevaluatedItems": frozenset({"unevaluatedItems", "items", "prefixItems"}),
    "items": frozenset({"items", "unevaluatedItems"}),
    "prefixItems": frozenset({"items", "prefixItems", "unevaluatedItems"}),
    "contains": frozenset({"contains", "minContains", "maxContains"}),
    "minContains": frozenset({"contains", "minContains"}),
    "if": frozenset({"then", "else", "if"}),
    **dict.fromkeys(("then", "else"), frozenset({"then", "else", "if"})),
}
_WHOLE: Final = frozenset({"schema", "discriminator", "$ref", "$dynamicRef", "$recursiveRef"})
"""What these rows say may show in any keyword of their node or below it."""
_COMPOSED: Final = frozenset({"oneOf", "anyOf", "allOf"})


class Own:
    """Recognises the violations of one row on one side; `above` are the schemas in place above its node."""

    def __init__(self, delta: Delta, sub: Sub, side: Side, place: Place | None, above: Iterable[Sub] = ()) -> None:
        self._side = side
        self._places = {part.place for part in sub.parts} | ({place} if place is not None else set())
        self.closing = closing(delta, (*above, sub))
        composed = delta.element is not ElementKind.PROPERTY and delta.facet in _COMPOSED
        if composed and place is not None and place.pointer.rpartition("/")[0].endswith("/allOf"):
            self._places = {place}
        rephrased = (
            delta.change is Change.CHANGED or isinstance(delta.released, list) or isinstance(delta.candidate, list)
        )
        self._whole = delta.element is not ElementKind.PROPERTY and (
            delta.facet in _WHOLE or (composed and (rephrased or delta.facet == "allOf"))
        )
        self._in_place = composed
        self._related = _RELATED.get(delta.facet, frozenset({delta.facet}))
        self._name = None
        if delta.element is ElementKind.PROPERTY:
            self._name = field_name(delta)
            self._name = self._name if self._name is not None else addressed_name(delta)
            self._related = frozenset({"required"}) if delta.facet == "required" else _OBJECTS | {"required"}

    def explains(self, violation: Violation) -> bool:
        """True when the violation would not be there without the row."""
        if self._at_node(violation):
            return True
        return any(branch and all(map(self.explains, branch)) for branch in violation.branches)

    def shows(self, violation: Violation) -> bool:
        """True when the row is among what refuses the value, in some branch of a union at least."""
        return self.explains(violation) or any(self.shows(one) for branch in violation.branches for one in branch)

    def explains_all(self, violations: Iterable[Violation]) -> bool:
        """True when nothing but the row stands against the value."""
        return all(map(self.explains, violations))

    def _at_node(self, violation: Violation) -> bool:
        chain = _upward(violation.trace)
        for at, step in enumerate(chain):
            origin = self._origin(step)
            if origin in self.closing and self._closed(chain[: at + 1]):
                return True
            if origin in self._places:
                if self._whole or (self._in_place and violation.at == step.at):
                    return True
                for inner in reversed(chain[: at + 1]):
                    if inner.at != step.at:
                        break
                    if inner.keyword in self._related and (self._name is None or inner.name == self._name):
                        return True
        return False

    def _origin(self, step: Trace) -> Place | None:
        """Where a node is written; `false`, which has no identity, where the node above leads to it.

        Without a node above, `false` is all that is asked, so that the row can stand nowhere else.
        """
        if step.node is not False:
            return self._side.source.origin(step.node)
        if step.above is None:
            return next(iter(self._places), None)
        above = self._side.source.origin(step.above.node)
        names = (step.above.keyword, step.above.name) if step.above.name else (step.above.keyword,)
        return above.child(*names) if above is not None else None

    def _closed(self, chain: list[Trace]) -> bool:
        """True when the last step of a way up refuses a member or item that the row is about."""
        inner = next((step for step in chain if step.at == chain[-1].at and step.keyword in UNEVALUATED), None)
        return inner is not None and (self._name is None or inner.name == self._name)


def _upward(trace: Trace) -> list[Trace]:
    found = [trace]
    while found[-1].above is not None:
        found.append(found[-1].above)
    return found
