"""Two AsyncAPI contracts brought together: parameters of two generations, and messages whose keys differ.

3.x says of a variable which texts it lists, 2.x has a whole schema. What the older side says beyond the texts that are
listed can't be said on the newer one. It is a property of the parameter there, whose coming and going is told, and no
set of values that the other side would lift or set up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from evreview.comparison import delta as fact
from evreview.comparison.elements import ElementDifference, KindPairing, Position
from evreview.comparison.noise import NoiseReason
from evreview.comparison.pairing import Paired
from evreview.comparison.wire_forms import canonical
from evreview.contract.model import Contract, Element, ElementKind, Facet, Place
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Absent, Aspect, Change, Json
from evreview.kinds.asyncapi.reader import SUBSCRIBED
from evreview.kinds.asyncapi.reader_channels import with_edits
from evreview.kinds.asyncapi.reader_servers import PAYLOADS
from evreview.schema.reader import is_annotation, listed_values

FACET: Final = "schema of 2.x"
_SAID_BY_BOTH: Final = frozenset({"type", "enum", "const", "default"})
_TEXT: Final = "string"


def as_said_by_both(released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
    """Both contracts; of two generations the older one with parameters as the newer one could write them."""
    older = [contract.version.startswith("2.") for contract in (released, candidate)]
    if older == [True, False]:
        return _reduced(released, candidate), candidate
    return (released, _reduced(candidate, released)) if older == [False, True] else (released, candidate)


def _reduced(contract: Contract, newer: Contract) -> Contract:
    """The contract, its parameters with nothing but the texts that they list as values."""
    resolver, edits = Resolver(contract.documents), dict[Place, Json]()
    listing = {
        (operation.key, child.key)
        for operation in newer.operations
        for child in operation.children
        if child.kind is ElementKind.PARAMETER and child.value is not None and _lists(child.value.node)
    }

    def settled(operation: Element, child: Element) -> Element:
        if child.kind is not ElementKind.PARAMETER:
            return child
        return _parameter(child, resolver, edits, listed_there=(operation.key, child.key) in listing)

    children = tuple(
        replace(element, children=tuple(settled(element, child) for child in element.children))
        if element.kind is ElementKind.OPERATION
        else element
        for element in contract.root.children
    )
    root = replace(contract.root, children=children)
    return replace(contract, root=root, documents=with_edits(contract.documents, edits))


def _lists(node: Json) -> bool:
    return isinstance(node, (dict, Mapping)) and "enum" in node


def _parameter(element: Element, resolver: Resolver, edits: dict[Place, Json], *, listed_there: bool) -> Element:
    found = resolver.follow(element.value.place, element.value.node) if element.value is not None else None
    if element.value is None or found is None or not isinstance(found[1], (dict, Mapping)):
        return element
    schema, type_ = found[1], found[1].get("type", _TEXT)
    listed = listed_values(schema)
    if listed is None and listed_there and type_ == "boolean":
        listed = [True, False]
    if listed is None and listed_there and type_ == _TEXT:
        # Both sides say which texts they mean, if in other words.
        return element
    kept: dict[str, Json] = {"type": _TEXT}
    if listed is not None:
        kept["enum"] = [_text(value) for value in listed]
    if "default" in schema:
        kept["default"] = _text(schema["default"])
    edits[element.value.place] = kept
    made = replace(element, value=replace(element.value, node=kept))
    said: dict[str, Json] = {name: value for name, value in schema.items() if not is_annotation(name)}
    if listed is None and (type_ != _TEXT or said.keys() - _SAID_BY_BOTH) and not element.key.startswith(SUBSCRIBED):
        return replace(made, facets=(*made.facets, Facet(FACET, Aspect.TYPES, said)))
    return made


def _text(value: Json) -> Json:
    """A value as an address holds it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (int, float)) else value


# Messages whose keys differ, paired by what their authors left alone: names of messages do not travel.


class MessagePairing(KindPairing):
    """Pairs messages under other names too."""

    def pair(self, paired: Paired, position: Position, members: tuple[Sequence[Element], Sequence[Element]]) -> None:
        """Moves messages that are one to `both`."""
        pair_messages(paired)


def pair_messages(found: Paired) -> None:
    """Moves messages of `gone` and `come` to `both`: those that share a title, an id, a description, or are left over.

    Each sign counts only where it names one message on either side.
    """
    if not any(_messages(found.gone)) or not any(_messages(found.come)):
        return
    for sign in _SIGNS:
        gone, come = (_by(sign, elements) for elements in (found.gone, found.come))
        for name in gone.keys() & come.keys():
            old, new = gone[name], come[name]
            if old is not None and new is not None:
                found.both.append((old, new))
                found.gone.remove(old)
                found.come.remove(new)


def _by(sign: Callable[[Element], str], elements: list[Element]) -> dict[str, Element | None]:
    """The messages by a sign of theirs, None for one that several share."""
    made: dict[str, Element | None] = {}
    for element in _messages(elements):
        name = sign(element)
        if name:
            made[name] = None if name in made else element
    return made


def _messages(elements: list[Element]) -> Iterator[Element]:
    return (element for element in elements if element.kind is ElementKind.MESSAGE)


def _facet(name: str) -> Callable[[Element], str]:
    def read(element: Element) -> str:
        value = element.facet(name)
        return "" if value is None or isinstance(value, Absent) else str(value)

    return read


def _payload(element: Element) -> str:
    """The payload as written, for one that says something."""
    node = element.value.node if element.value is not None else None
    return canonical(node).decode() if isinstance(node, dict) and node else ""


def _left(_element: Element) -> str:
    return "the only one left"


_SIGNS: Final = (_facet("messageId"), _facet("title"), _facet("component"), _payload, _left)


# Rows of an event contract that others explain: what went where some is unread, payloads in a new language.

_HOLDING: Final[Mapping[ElementKind, re.Pattern[str]]] = {
    ElementKind.OPERATION: re.compile(
        r"/operations(/[^/]+(/channel)?)?|/channels(/[^/]+(/publish|/subscribe|/\$ref)?)?"
    ),
    ElementKind.MESSAGE: re.compile(
        r"/operations/[^/]+/messages(/[^/]+)?|/channels/[^/]+/messages(/[^/]+)?"
        r"|/channels/[^/]+/(publish|subscribe)/message(/oneOf(/[^/]+)?)?"
    ),
}
"""Where the parts stand that a reader of AsyncAPI finds operations and messages in."""


def with_unread(rows: list[ElementDifference], released: Contract, candidate: Contract) -> list[ElementDifference]:
    """The rows, those of elements that went with the word that the candidate may hold them unread."""
    if not candidate.unread:
        return rows
    before = {(item.place.pointer, item.found) for item in released.unread}
    lost = [item.place.pointer for item in candidate.unread if (item.place.pointer, item.found) not in before]
    hidden = {kind for kind, holding in _HOLDING.items() if any(map(holding.fullmatch, lost))}
    return [_maybe_unread(row) if row.about.kind in hidden and _went(row) else row for row in rows]


def _went(row: ElementDifference) -> bool:
    return not row.difference.facet and row.difference.direction is Change.REMOVED


def _maybe_unread(row: ElementDifference) -> ElementDifference:
    return replace(row, difference=replace(row.difference, facts={**row.difference.facts, fact.MAYBE_UNREAD: True}))


# Payloads that are described in another language than before: one edit, whatever facets of the message it moves.


_FORMAT: Final = "schemaFormat"
_VALUES: Final = "schema"
Spot = tuple[str, tuple[str, ...]]


def one_per_language(rows: list[ElementDifference]) -> list[ElementDifference]:
    """The rows, those of descriptions that came or went with the language as noise: the row of the format says it."""
    changed = {_spot(row) for row in rows if row.difference.facet == _FORMAT and not row.difference.reason}
    return [_explained_by_format(row) if _spot(row) in changed and _is_description(row) else row for row in rows]


def _spot(row: ElementDifference) -> Spot:
    return row.position.operation, row.steps


def _is_description(row: ElementDifference) -> bool:
    facet = row.difference.facet
    return (facet == _VALUES or facet in PAYLOADS) and row.difference.direction is not Change.CHANGED


def _explained_by_format(row: ElementDifference) -> ElementDifference:
    return replace(row, difference=replace(row.difference, reason=NoiseReason.SAID_BY_FORMAT))
