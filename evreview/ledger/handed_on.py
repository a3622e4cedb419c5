"""Names that a module defined before and imports now: still there, so what they lead to is compared."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace

from evreview.contract.model import Contract, Element, ElementKind
from evreview.kinds.python import signatures as sig


def handed_on(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both libraries, the candidate with the names that it only hands on where the released one had them public.

    What a module imports for its own use is no part of its interface, and so leaves both sides otherwise.
    """
    old, new = ({one.key: one for one in side.operations} for side in (released, candidate))
    relays = {relay.key: relay for module in _modules(candidate) for relay in module.children}
    taken: dict[str, Element] = {}
    known = _Known({**relays, **new})
    for key, relay in relays.items():
        if key not in new and (key in old or key.rpartition(".")[0] in taken):
            taken.update((one.key, one) for one in _whole(relay, known))
    return _bare(released, {}), _bare(candidate, taken)


def _modules(contract: Contract) -> Iterator[Element]:
    return (one for one in contract.root.children if one.kind is ElementKind.MODULE)


class _Known:
    """Names in their order, and those that stand below each: found without looking at all of them."""

    def __init__(self, names: Mapping[str, Element]) -> None:
        self._names = names
        self._at = {key: at for at, key in enumerate(names)}
        self._sorted = sorted(names)

    def below(self, target: str) -> Iterator[Element]:
        """The name and all that stand below it, in the order of the library."""
        found = [target] if target in self._names else []
        start = bisect_left(self._sorted, f"{target}.")
        end = bisect_left(self._sorted, f"{target}/")
        found += self._sorted[start:end]
        return (self._names[key] for key in sorted(found, key=self._at.__getitem__))


def _whole(relay: Element, known: _Known) -> Iterator[Element]:
    """What a relay leads to, with its members, under the relay's own key."""
    target = relay.facet(sig.STANDS_FOR)
    if not isinstance(target, str):
        yield relay
        return
    listed = [facet for facet in relay.facets if facet.name == sig.LISTED]
    for one in known.below(target):
        if one.key == target:
            kept = [facet for facet in one.facets if facet.name != sig.LISTED]
            yield replace(one, key=relay.key, facets=(*kept, *listed))
        else:
            yield replace(one, key=relay.key + one.key.removeprefix(target))


def _bare(contract: Contract, more: Mapping[str, Element]) -> Contract:
    """The contract without the relays of its modules, and with some names more."""
    children = (replace(one, children=()) if one.kind is ElementKind.MODULE else one for one in contract.root.children)
    return replace(contract, root=replace(contract.root, children=(*children, *more.values())))
