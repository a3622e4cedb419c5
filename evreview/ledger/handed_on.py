"""Names that a module defined before and imports now: still there, so what they lead to is compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evreview.contracts import signatures as sig
from evreview.contracts.model import Contract, Element, ElementKind


def handed_on(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both libraries, the candidate with the names that it only hands on where the released one had them public.

    What a module imports for its own use is no part of its interface, and so leaves both sides otherwise.
    """
    old, new = ({one.key: one for one in side.operations} for side in (released, candidate))
    relays = {relay.key: relay for module in _modules(candidate) for relay in module.children}
    taken: dict[str, Element] = {}
    for key, relay in relays.items():
        if key not in new and (key in old or key.rpartition(".")[0] in taken):
            taken.update((one.key, one) for one in _whole(relay, {**relays, **new}))
    return _bare(released, {}), _bare(candidate, taken)


def _modules(contract: Contract) -> Iterator[Element]:
    return (one for one in contract.root.children if one.kind is ElementKind.MODULE)


def _whole(relay: Element, known: Mapping[str, Element]) -> Iterator[Element]:
    """What a relay leads to, with its members, under the relay's own key."""
    target = relay.facet(sig.STANDS_FOR)
    if not isinstance(target, str):
        yield relay
        return
    listed = [facet for facet in relay.facets if facet.name == sig.LISTED]
    for key, one in known.items():
        if key == target:
            kept = [facet for facet in one.facets if facet.name != sig.LISTED]
            yield replace(one, key=relay.key, facets=(*kept, *listed))
        elif key.startswith(f"{target}."):
            yield replace(one, key=relay.key + key.removeprefix(target))


def _bare(contract: Contract, more: Mapping[str, Element]) -> Contract:
    """The contract without the relays of its modules, and with some names more."""
    children = (replace(one, children=()) if one.kind is ElementKind.MODULE else one for one in contract.root.children)
    return replace(contract, root=replace(contract.root, children=(*children, *more.values())))
