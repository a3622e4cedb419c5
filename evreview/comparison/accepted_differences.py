"""What a row takes in that no row of its own tells.

That is all that a schema says which was replaced as a whole, and what is said of a member, parameter or header that
came or went, its requiredness too.

The id of such a row names it in short. An entry that accepts it is bound to the rest by a digest, so that the
same id does not cover what comes with the new schema later.
"""

from __future__ import annotations

import hashlib
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.build import dialect_of
from evreview.comparison.wire_forms import Forms, canonical
from evreview.contract.model import Contract, ElementKind, Place
from evreview.contract.references import Resolver
from evreview.core.json_pointer import follow
from evreview.core.limits import deep_stack
from evreview.core.vocabulary import Change, ContractKind, Form, Json, Missing
from evreview.ledger.delta import Delta
from evreview.ledger.ledger import Ledger
from evreview.schema.view import Part, Sub
from evreview.schema.views import Views

_DEEP: Final = 16
_DIGITS: Final = 16
_KINDS: Final = frozenset({ContractKind.OPENAPI, ContractKind.ASYNCAPI, ContractKind.JSON_SCHEMA})
_MEMBERS: Final = frozenset({ElementKind.PROPERTY, ElementKind.PARAMETER, ElementKind.HEADER})
_COMPOSITIONS: Final = frozenset({"allOf", "anyOf", "oneOf"})


class Contents:
    """The digests of one comparison, each made when it is asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._forms: dict[int, _Digests] = {}

    @deep_stack()
    def of(self, delta: Delta) -> str:
        """The digest of what both sides say below the row, 16 levels deep; "" where other rows tell it.

        The same for equal meanings, whatever the texts, the order and the names of components.
        """
        if delta.kind not in _KINDS:
            return ""
        if delta.element in _MEMBERS and not delta.facet and delta.change is not Change.CHANGED:
            return self._member(delta)
        if not _is_whole(delta):
            return ""
        pairs = self._ledger.pairs.get(delta.id, ())
        sides: list[tuple[Sub | None, Sub | None]] = [(pair.released, pair.candidate) for pair in pairs]
        if not sides:
            places = delta.released_place, delta.candidate_place
            old, new = map(_schema_at, (self._ledger.released, self._ledger.candidate), places)
            sides = [(old, new)]
        found = sorted({(self._digest(0, old), self._digest(1, new)) for old, new in sides})
        return _digest([list(each) for each in found])

    def _member(self, delta: Delta) -> str:
        """The digest of what came or went; where it comes back on the other side, another one."""
        at = 0 if delta.change is Change.REMOVED else 1
        contract = (self._ledger.released, self._ledger.candidate)[at]
        place = (delta.released_place, delta.candidate_place)[at]
        sub = _at(contract, place) if delta.element is ElementKind.PROPERTY else _schema_at(contract, place)
        return _digest([delta.facts.get(comparison_delta.REQUIRED) is True, self._digest(at, sub)])

    def _digest(self, at: int, sub: Sub | None) -> str:
        if sub is None:
            return ""
        if at not in self._forms:
            contract = (self._ledger.released, self._ledger.candidate)[at]
            self._forms[at] = _Digests(Views(Resolver(contract.documents), dialect_of(contract)))
        return str(self._forms[at].of(sub, _DEEP))


class _Digests(Forms):
    """Forms whose members are digests: as long as one node, however much stands below it."""

    def of(self, sub: Sub, depth: int = _DEEP) -> Json:
        """The digest of a schema position, as deep as asked for."""
        return _digest(super().of(sub, depth))


def _digest(form: Json) -> str:
    return hashlib.sha256(canonical(form)).hexdigest()[:_DIGITS]


def _is_whole(delta: Delta) -> bool:
    """True for a row behind which the comparison of a schema ended."""
    forms = delta.released, delta.candidate
    if delta.facet == "schema":
        return True
    if delta.facet == "type":
        old, new = map(_types, forms)
        return bool(old and new) and old.isdisjoint(new)
    # One side without branches: a branch that came or went has no other form, branches of another keyword go on.
    plain = [isinstance(form, dict) and form.keys().isdisjoint(_COMPOSITIONS) for form in forms]
    return delta.facet in _COMPOSITIONS and not any(isinstance(form, Missing) for form in forms) and any(plain)


def _types(form: Form) -> set[str]:
    found = {str(name) for name in form} if isinstance(form, list) else {form} if isinstance(form, str) else set()
    return found | {"integer"} if "number" in found else found


def _schema_at(contract: Contract, place: Place | None) -> Sub | None:
    """The schema at the place of an element, None where it has none."""
    found = _at(contract, place)
    below = _at(contract, place.child("schema")) if place is not None else None
    return found if below is None else below


def _at(contract: Contract, place: Place | None) -> Sub | None:
    """The schema at a place, None where none is written."""
    node = follow(contract.documents.get(place.file), place.pointer) if place is not None else None
    return Sub((Part(node, place),)) if place is not None and isinstance(node, dict | bool) else None
