"""Pairs the elements of two contracts by kind and key; the only other ways to pair are named here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from evreview.contract.model import Element, ElementKind
from evreview.contracts.signatures import EITHER, KIND, POSITIONAL_ONLY
from evreview.core.vocabulary import Role
from evreview.ledger.markers import without_version

_VERSIONED: Final = (ElementKind.OPERATION, ElementKind.SERVER)
_RANGED: Final = (ElementKind.MEDIA_TYPE, ElementKind.RESPONSE)
"""The kinds whose keys may be ranges. No other element is compared with all the siblings of the other side."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The members of two parents.

    Attributes:
        both: pairs by equal kind and key, in released order; then a media type that got another name.
        versions: pairs of operations or servers whose keys differ in a version segment only, with both segments.
        gone, come: what only one side has.
    """

    both: list[tuple[Element, Element]] = field(default_factory=list)
    versions: list[tuple[Element, Element, str, str]] = field(default_factory=list)
    gone: list[Element] = field(default_factory=list)
    come: list[Element] = field(default_factory=list)


def pair_elements(released: Sequence[Element], candidate: Sequence[Element]) -> Paired:
    """Each element with its counterpart."""
    others = {_identity(element): element for element in candidate}
    found = Paired()
    for element in released:
        other = others.pop(_identity(element), None)
        if other is None:
            found.gone.append(element)
        else:
            found.both.append((element, other))
    found.come.extend(others.values())
    _pair_versions(found)
    return found


def _identity(element: Element) -> tuple[ElementKind, str, Role | None]:
    # A directive that only schemas apply is no other form of one that documents name: it comes and goes by itself.
    return element.kind, element.key, element.role if element.kind is ElementKind.DIRECTIVE else None


def _pair_versions(found: Paired) -> None:
    """Moves operations and servers that differ in their version segment only from `gone` and `come` to `versions`."""
    waiting: dict[tuple[ElementKind, str, str], list[tuple[Element, str]]] = {}
    for element in found.come:
        if element.kind in _VERSIONED:
            bare, version = without_version(element.key)
            waiting.setdefault((element.kind, element.role.value, bare), []).append((element, version))
    for element in list(found.gone):
        if element.kind not in _VERSIONED:
            continue
        bare, version = without_version(element.key)
        candidates = waiting.get((element.kind, element.role.value, bare), [])
        if len(candidates) == 1:
            other, new_version = candidates.pop()
            found.versions.append((element, other, version, new_version))
            found.gone.remove(element)
            found.come.remove(other)


def plain_name(key: str) -> str:
    """A media type's name without what has no effect in it.

    RFC 8259, section 11, of JSON and `charset`: "Adding one really has no effect on compliant recipients."
    """
    kind, *parameters = (part.strip() for part in key.lower().split(";"))
    if not parameters or not (kind in ("application/json", "text/json") or kind.endswith("+json")):
        return key
    return ";".join([kind, *(each for each in parameters if each.replace('"', "") != "charset=utf-8")])


def pair_media_types(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves media types that only got another name to `both`: two spellings, and the one that went and one that came.

    Not the latter when the other side still holds one of them beside the two, under a range. Of several types that went
    into one range that came it is the first.
    """
    _pair_spellings(found)
    _pair_ranges(found, released, candidate)
    gone, come = (_only_media_type(elements) for elements in (found.gone, found.come))
    if gone is None or come is None:
        return
    if covering(gone, _without(candidate, come)) or covering(come, _without(released, gone)):
        return
    found.both.append((gone, come))
    found.gone.remove(gone)
    found.come.remove(come)


Alike = Callable[[Element, Element], bool]
"""Whether two responses hold much the same."""


def pair_replaced_statuses(
    found: Paired, released: Sequence[Element], candidate: Sequence[Element], alike: Alike
) -> None:
    """Moves a status that went and one of its class that came in its place (200 and 201) to `both`.

    They are the only ones of the class that went and came; of errors, which are many, the only ones that stood there.
    """
    gone, come = (_by_class(elements) for elements in (found.gone, found.come))
    mine, theirs = (_by_class(elements) for elements in (released, candidate))
    for kind in sorted(gone.keys() & come.keys()):
        old, new = gone[kind][0], come[kind][0]
        if len(gone[kind]) > 1 or len(come[kind]) > 1 or (kind in "45" and len(mine[kind]) + len(theirs[kind]) > 2):
            continue
        if covering(old, candidate) or covering(new, released) or not alike(old, new):
            continue
        found.both.append((old, new))
        found.gone.remove(old)
        found.come.remove(new)


def _by_class(elements: Iterable[Element]) -> dict[str, list[Element]]:
    """The statuses that are no ranges, by their first digit."""
    found: dict[str, list[Element]] = {}
    for element in elements:
        if element.kind is ElementKind.RESPONSE and element.key.isdigit():
            found.setdefault(element.key[0], []).append(element)
    return found


def pair_statuses(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves a status that went and the range that came in its place to `both`: one edit, which may add other statuses.

    Of several statuses that went into one range it is the first; the others are still described there. Not a range
    that a released one holds, which adds none.
    """
    if not found.gone:
        return
    come = [each for each in found.come if each.kind is ElementKind.RESPONSE and range_over(each, released) is None]
    for general in sorted(come, key=lambda element: element.key == "default"):
        held = [element for element in found.gone if covers(general, element, candidate)]
        if held:
            first = min(held, key=lambda element: element.key)
            found.both.append((first, general))
            found.gone.remove(first)
            found.come.remove(general)


def _pair_ranges(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves the first of several media types that went and the range that came in their place to `both`."""
    for general in [each for each in found.come if each.kind is ElementKind.MEDIA_TYPE]:
        held = [element for element in found.gone if covers(general, element)]
        if len(held) < 2 or covering(general, released):
            continue
        first = min(held, key=lambda element: element.key)
        if not covering(first, _without(candidate, general)):
            found.both.append((first, general))
            found.gone.remove(first)
            found.come.remove(general)


def _pair_spellings(found: Paired) -> None:
    types = {
        plain_name(element.key): element for element in reversed(found.come) if element.kind is ElementKind.MEDIA_TYPE
    }
    for element in [each for each in found.gone if each.kind is ElementKind.MEDIA_TYPE] if types else ():
        other = types.pop(plain_name(element.key), None)
        if other is not None:
            found.both.append((element, other))
            found.gone.remove(element)
            found.come.remove(other)


def pair_arguments(found: Paired, released: Sequence[Element], candidate: Sequence[Element]) -> None:
    """Moves an argument that went and the one that came at its position to `both`: one edit of its name.

    A call by position gives its value to either of them.
    """
    if not found.gone or not found.come:
        return
    places = {element.key: at for at, element in enumerate(_by_position(candidate))}
    come = {places[element.key]: element for element in found.come if _is_positional(element)}
    for at, element in enumerate(_by_position(released)):
        other = come.get(at)
        if other is not None and element in found.gone:
            found.both.append((element, other))
            found.gone.remove(element)
            found.come.remove(other)


def _by_position(elements: Sequence[Element]) -> list[Element]:
    return [element for element in elements if _is_positional(element)]


def _is_positional(element: Element) -> bool:
    return element.kind is ElementKind.ARGUMENT and element.facet(KIND) in (POSITIONAL_ONLY, EITHER)


def _without(elements: Iterable[Element], one: Element) -> list[Element]:
    return [element for element in elements if element is not one]


def _only_media_type(elements: Sequence[Element]) -> Element | None:
    types = [element for element in elements if element.kind is ElementKind.MEDIA_TYPE]
    return types[0] if len(types) == 1 else None


def covers(general: Element, special: Element, beside: Iterable[Element] = ()) -> bool:
    """True when the key of `general` is a range that holds the key of `special` (`application/*`, `2XX`, `default`).

    `beside`: the siblings of `general`. A `default` beside a success speaks of errors: nobody takes it for the
    description of one more success.
    """
    if general.kind is not special.kind or general.key == special.key:
        return False
    if general.kind is ElementKind.MEDIA_TYPE:
        return _media_covers(general.key.lower(), special.key.lower())
    if general.kind is not ElementKind.RESPONSE:
        return False
    if general.key == "default":
        success = any(
            other.kind is general.kind and other.key != "default" and not other.in_error and other is not special
            for other in beside
        )
        return special.in_error or not success
    return general.key.upper().endswith("XX") and special.key[:1] == general.key[:1] and special.key != "default"


def _media_covers(general: str, special: str) -> bool:
    if general in ("*/*", "*"):
        return True
    if special.partition(";")[0] == general or plain_name(special) == plain_name(general):
        return True
    kind, _, subtype = general.partition("/")
    return subtype == "*" and special.partition("/")[0] == kind


def range_over(element: Element, siblings: Sequence[Element]) -> Element | None:
    """The narrowest of the other side's siblings that covers `element`."""
    if element.kind not in _RANGED:
        return None
    found = [sibling for sibling in siblings if covers(sibling, element, siblings)]
    return min(found, key=lambda sibling: (sibling.key in ("*/*", "default"), sibling.key), default=None)


def told_by_range(element: Element, own: Sequence[Element], theirs: Sequence[Element]) -> bool:
    """True for an element that went into a range that came, or came out of one that went: one edit, the range's.

    Args:
        element: a media type or response of one side only.
        own: its siblings and itself.
        theirs: the elements of the other side.
    """
    general = range_over(element, theirs)
    return general is not None and all(_identity(one) != _identity(general) for one in own)


def covering(element: Element, siblings: Sequence[Element]) -> str:
    """Key of the narrowest sibling that covers `element`, "" when none does."""
    found = range_over(element, siblings)
    return "" if found is None else found.key


def covered(element: Element, own: Iterable[Element], siblings: Iterable[Element]) -> list[str]:
    """Keys of the other side's siblings that `element`, which stands beside `own`, covers; sorted."""
    if element.kind not in _RANGED:
        return []
    beside = tuple(own)
    return sorted(sibling.key for sibling in siblings if covers(element, sibling, beside))
