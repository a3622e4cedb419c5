"""What the reviewer says that a changed branch does at runtime, against one contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import MISSING, Form, Json, Polarity
from evreview.evidence.element_mentions import field_steps
from evreview.evidence.records.test_runs import DiffMapping
from evreview.schema.validators import UNUSABLE, violations
from evreview.workflows.w1.element_lookup import (
    find_element,
    find_media_type,
    find_operation,
    find_response,
    find_value,
    required_in,
)
from evreview.workflows.w1.facts import Fit

SILENT: Final = "the contract does not say"
ABSENT: Final = "the contract has no such element"


@dataclass(frozen=True, slots=True)
class _Spot:
    """The mapped element in one contract: the element, the steps inside its value set, and that value set."""

    contract: Contract
    element: Element
    steps: tuple[str, ...]
    value: ValueSet | None

    @property
    def read(self) -> bool:
        return self.element.polarity is Polarity.READ


def runtime_fit(mapping: DiffMapping, contract: Contract) -> Fit:
    """Whether the stated runtime behaviour agrees with `contract`.

    A mapping without `facet` and `runtime` states no behaviour, and a facet that is none of the six can't be compared.
    """
    if mapping.facet is None or "runtime" not in mapping.model_fields_set:
        return Fit(None, ("the mapping states no runtime behaviour",))
    facet = mapping.facet.strip().lower()
    if facet in _ANSWERS:
        return _ANSWERS[facet](mapping, contract)
    compare = _FACETS.get(facet)
    if compare is None:
        return Fit(None, (f"the facet {mapping.facet} can't be compared",))
    spot = _spot(contract, mapping.element)
    return Fit(False, (ABSENT,)) if spot is None else compare(spot, mapping.runtime)


def _status(mapping: DiffMapping, contract: Contract) -> Fit:
    operation = find_operation(contract, mapping.element.split(" > ")[0])
    if operation is None:
        return Fit(False, (ABSENT,))
    found = find_response(operation, str(mapping.runtime))
    return Fit(True) if found else Fit(False, ("the contract has no response for this status",))


def _content_type(mapping: DiffMapping, contract: Contract) -> Fit:
    """The element is a response or body, or one of its media types."""
    address = mapping.element
    if "/" in address.rpartition(" > ")[2] and " > " in address:
        address = address.rpartition(" > ")[0]
    found = find_element(contract, address)
    if found is None:
        return Fit(False, (ABSENT,))
    media = find_media_type(found[0], str(mapping.runtime))
    return Fit(True) if media else Fit(False, ("the contract does not declare this content type there",))


def _default(spot: _Spot, runtime: Json) -> Fit:
    declared = _declared_default(spot)
    if declared is MISSING:
        return Fit(None, (f"{SILENT} which default applies",))
    same = declared == runtime and isinstance(declared, bool) is isinstance(runtime, bool)
    return Fit(True) if same else Fit(False, ("the contract declares another default",))


def _nullable(spot: _Spot, runtime: Json) -> Fit:
    """A producer that never writes null keeps a contract that allows it."""
    told = spot.element.facet("non-null")
    if isinstance(told, list):
        null = "value" not in told
        fits = null is (runtime is True) or (runtime is not True and not spot.read)
        return Fit(True) if fits else Fit(False, (f"null is {'' if null else 'not '}admitted",))
    if spot.value is None:
        return Fit(None, (f"{SILENT} which values stand there",))
    if runtime is not True and not spot.read:
        return Fit(True)
    admits = _admits(spot, None)
    if admits is None:
        return Fit(None, ("the schema could not be used",))
    return Fit(True) if admits is (runtime is True) else Fit(False, (f"null is {'' if admits else 'not '}admitted",))


def _enum(spot: _Spot, runtime: Json) -> Fit:
    """What is written has to be admitted; what is read has to be understood, which only the listed values show."""
    values = [child.key for child in spot.element.children if child.kind is ElementKind.ENUM_VALUE]
    if values and isinstance(runtime, list):
        return _listed(spot, values, runtime)
    if spot.value is None or not isinstance(runtime, list):
        return Fit(None, (f"{SILENT} which values stand there",))
    if spot.read:
        listed = _keyword(spot, "enum")
        if not isinstance(listed, list):
            return Fit(None, (f"{SILENT} which values it lists",))
        lost = sum(value not in runtime for value in listed)
        return Fit(True) if not lost else Fit(False, (f"{lost} of the listed values are not accepted at runtime",))
    answers = [_admits(spot, value) for value in runtime]
    if None in answers:
        return Fit(None, ("the schema could not be used",))
    refused = answers.count(False)
    return Fit(True) if not refused else Fit(False, (f"runtime values that are not admitted: {refused}",))


def _listed(spot: _Spot, values: list[str], runtime: list[Json]) -> Fit:
    """The values of a named enum: what comes at runtime has to be listed, what is listed has to be taken."""
    unlisted = sum(value not in values for value in runtime)
    if unlisted and spot.element.polarity is not Polarity.READ:
        return Fit(False, (f"runtime values that are not admitted: {unlisted}",))
    lost = sum(value not in runtime for value in values)
    if lost and spot.element.polarity is not Polarity.WRITTEN:
        return Fit(False, (f"{lost} of the listed values are not accepted at runtime",))
    return Fit(True)


def _required(spot: _Spot, runtime: Json) -> Fit:
    """A writer may always send what is optional, a reader may always do without what is required; not the reverse."""
    if spot.steps and spot.element.value is not None:
        declared = required_in(spot.contract, spot.element.value, spot.steps)
    else:
        declared = spot.element.facet("required") is True or spot.element.required is True
    if (runtime is True) is declared or (runtime is True) is not spot.read:
        return Fit(True)
    return Fit(False, (f"the contract calls it {'required' if declared else 'optional'}",))


_ANSWERS: Final[Mapping[str, Callable[[DiffMapping, Contract], Fit]]] = MappingProxyType(
    {"status": _status, "content-type": _content_type}
)
_FACETS: Final[Mapping[str, Callable[[_Spot, Json], Fit]]] = MappingProxyType(
    {"default": _default, "nullable": _nullable, "enum": _enum, "required": _required}
)


def _spot(contract: Contract, address: str) -> _Spot | None:
    found = find_element(contract, address)
    if found is None:
        return None
    element, steps = found
    value = find_value(contract, element.value, steps) if element.value and steps else element.value
    return _Spot(contract, element, steps, value)


def _admits(spot: _Spot, instance: Json) -> bool | None:
    """Whether the value set admits the instance; None when no validator can be built."""
    if spot.value is None:
        return None
    broken = violations(spot.value, spot.contract, instance, spot.element.polarity)
    return None if any(UNUSABLE in line for line in broken) else not broken


def _declared_default(spot: _Spot) -> Form:
    """The default at the value set, or the element's own; MISSING when none is declared."""
    written = _keyword(spot, "default")
    if written is not MISSING:
        return written
    own = None if spot.steps else spot.element.facet("default")
    return MISSING if own is None else own


def _keyword(spot: _Spot, name: str) -> Form:
    """A keyword beside the reference or behind it; MISSING when neither has it."""
    if spot.value is None:
        return MISSING
    target = Resolver(spot.contract.documents).follow(spot.value.place, spot.value.node)
    for node in (spot.value.node, target[1] if target else None):
        if isinstance(node, Mapping) and name in node:
            return node[name]
    return MISSING


def leaf_name(address: str) -> str:
    """The last step that an address names, "" for an operation."""
    last = address.rpartition(" > ")[2] if " > " in address else ""
    steps = [step for step in field_steps(last) if step != "[]"]
    return steps[-1] if steps else ""
