"""Uses that clients state and no element of the contracts has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import ClientId
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import field_steps
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import ClientInventory, Uses
from evreview.workflows.w1.element_lookup import Spellings, closest, fields_of, find_value, named_part
from evreview.workflows.w1.facts import ContractPair
from evreview.workflows.w1.usage_evidence import OwnershipGap

_NAMED = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})
_STRUCTURE = frozenset({"properties", "items", "allOf", "oneOf", "anyOf", "enum", "const", "not", "$ref"})


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmatchedUse:
    """A name of one use that neither contract has: its operation, or one of its fields; `nearest` is "" for none."""

    client: str
    operation: str
    field: str
    nearest: str
    citation: Citation


def unmapped_uses(
    inventories: Sequence[Cited[ClientInventory]], sides: ContractPair, spellings: Spellings | None = None
) -> tuple[OwnershipGap, ...]:
    """Every listed use that names no operation, or no field, of either contract; each is a reason for W1-F3.

    What such a client uses is not known: the misspelt name may stand for anything. Give the clients of the gaps to
    `assess` as `unmapped`. A field below a free-form object or a map can't be misspelt and is no gap.
    """
    return tuple(
        OwnershipGap(client=ClientId(each.client), missing="mapping", text=_sentence(each), citation=each.citation)
        for each in unmatched_uses(inventories, sides, spellings or Spellings(sides))
    )


def unmatched_uses(
    inventories: Sequence[Cited[ClientInventory]], sides: ContractPair, names: Spellings
) -> Iterator[UnmatchedUse]:
    """The names that map nothing, in the order listed."""
    for cited in inventories:
        for place, client in enumerate(cited.record.clients):
            for number, use in enumerate(client.uses or ()):
                for pointer, field, like in _unmatched_uses(use, sides, names):
                    at = cited.at(f"/clients/{place}/uses/{number}{pointer}")
                    yield UnmatchedUse(
                        client=client.id, operation=use.operation, field=field, nearest=like, citation=at
                    )


def _unmatched_uses(use: Uses, sides: ContractPair, names: Spellings) -> Iterator[tuple[str, str, str]]:
    """Where a name of one use maps nothing, the field if it is one, and the name most like it."""
    keys = names.keys(use.operation)
    known = [
        (contract, found)
        for contract in (sides.released, sides.candidate)
        for found in contract.operations
        if found.key in keys
    ]
    if not known:
        yield "/operation", "", names.nearest(use.operation)
        return
    for place, field in enumerate(use.fields or ()):
        if not any(has_field(contract, operation, field_steps(field)) for contract, operation in known):
            like = closest(field, {each for contract, found in known for each in fields_of(contract, found)})
            yield f"/fields/{place}", field, like


def _sentence(stray: UnmatchedUse) -> str:
    nearest = f"; the nearest name is {stray.nearest}" if stray.nearest else ""
    if stray.field:
        lists = f"Client {stray.client} lists field {stray.field} of {stray.operation}"
        return f"{lists}, which neither contract has{nearest}."
    return f"Client {stray.client} lists {stray.operation}, which is an operation of neither contract{nearest}."


def has_field(contract: Contract, operation: Element, steps: tuple[str, ...]) -> bool:
    """True when an operation has a field, argument, parameter or header that the steps spell."""
    if named_part(contract, steps) is not None:
        return True
    for element in _below(operation):
        if element.kind is ElementKind.ARGUMENT and steps == (element.key,):
            return True
        if element.value is None:
            continue
        if element.kind in _NAMED:
            name, *inner = steps
            named = name.casefold() in (element.name.casefold(), element.key.casefold().rpartition(":")[2])
            if named and _leads(contract, element.value, tuple(inner)):
                return True
        elif _leads(contract, element.value, steps):
            return True
    return False


def _leads(contract: Contract, value: ValueSet, steps: tuple[str, ...]) -> bool:
    """True when the steps lead to a value, or into an object whose members are not enumerated."""
    if find_value(contract, value, steps) is not None:
        return True
    for length in range(len(steps)):
        around = find_value(contract, value, steps[:length])
        if around is not None and _is_free(contract, around):
            return True
    return False


def _is_free(contract: Contract, value: ValueSet) -> bool:
    target = Resolver(contract.documents).follow(value.place, value.node)
    if target is None:
        return True
    node = target[1]
    if not isinstance(node, Mapping):
        return node is not False
    if node.get("additionalProperties") is True or isinstance(node.get("additionalProperties"), Mapping):
        return True
    kinds = node.get("type", "object")
    return ("object" in kinds if isinstance(kinds, str | list) else True) and not _STRUCTURE & set(node)


def _below(element: Element) -> Iterator[Element]:
    for child in element.children:
        yield child
        yield from _below(child)
