"""The names that evidence gives an operation, led to the one that the contracts' own rows have.

Besides a row's own spelling people write an operation's id or, of an event contract, the address or name of a channel,
or a message. A name that only one operation has at its end (`Orders.Get`, `Get`) is that operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from evreview.clients.touch import NamedCheck, NamedUse
from evreview.contract.model import Element, ElementKind
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import METHODS, field_path, operation_key
from evreview.evidence.records.compatibility import ClientInventory, KnownClient, Uses
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.workflows.w1.element_lookup import answering

if TYPE_CHECKING:
    from evreview.workflows.w1.facts import Sides

_ACTIONS: Final = ("send ", "receive ", "publish ", "subscribe ", "message ", "channel ")
_IDS: Final = ("operationId",)
_PARTS: Final = str.maketrans("./#", "\n\n\n")


class Spellings:
    """Looks up operations of both contracts by every name that is told."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._contracts = (sides.released, sides.candidate)
        self._named: dict[str, dict[str, None]] = {}
        self._ends: dict[str, dict[str, None]] = {}
        self._found: dict[str, tuple[str, ...]] = {}
        for contract in self._contracts:
            for operation in contract.operations:
                for name in _names(operation):
                    self._named.setdefault(operation_key(name), {})[operation.key] = None
                own = operation.key.translate(_PARTS).split("\n")
                for at in range(1, len(own)) if " " not in operation.key else ():
                    self._ends.setdefault("\n".join(own[at:]), {})[operation.key] = None

    def keys(self, text: str) -> tuple[str, ...]:
        """The keys of the operations that a text names; none for one that neither contract has."""
        if text not in self._found:
            self._found[text] = self._look_up(text)
        return self._found[text]

    def answered(self, key: str, listed: Iterable[str]) -> frozenset[str]:
        """The responses, in small letters, that answer the statuses a client lists: `default` may be what 404 gets."""
        return frozenset(name for each in listed for name in answering(self._sides, key, each))

    def nearest(self, text: str) -> str:
        """The name most like a text that names nothing, "" when none is like it."""
        known = {each.key for contract in self._contracts for each in contract.operations} | self._named.keys()
        return closest(operation_key(text), known)

    def _look_up(self, text: str) -> tuple[str, ...]:
        exact = [found.key for one in (text, text.strip().strip("/")) for found in self._exact(operation_key(one))]
        if exact:
            return tuple(dict.fromkeys(exact))
        bare = next((text.strip()[len(word) :] for word in _ACTIONS if text.strip().lower().startswith(word)), text)
        named = self._named.get(operation_key(text)) or self._named.get(operation_key(bare))
        if named:
            return tuple(named)
        ends = self._ends.get(text.strip().strip("/").translate(_PARTS), {})
        return tuple(ends) if len(ends) == 1 else ()

    def _exact(self, wanted: str) -> Iterator[Element]:
        for contract in self._contracts:
            yield from (each for each in contract.operations if operation_key(each.key) == wanted)


def dotted(field: str) -> str:
    """A field, dotted, as the end of a ledger address, behind an operation, or as a path from the body names it."""
    text = field.strip().removeprefix("$.")
    words = text.split(maxsplit=2)
    if " > " in text:
        whole = text if words[0].upper() in METHODS else f"GET / > {text}"
        return ".".join(field_path(whole)).replace(".[]", "[]") or text
    return words[2] if len(words) > 2 and words[0].upper() in METHODS else text


def closest(text: str, known: Iterable[str]) -> str:
    """The known name most like a text, "" when none is like it."""
    return next(iter(get_close_matches(text, sorted(known), 1, 0.5)), "")


def _names(operation: Element) -> Iterator[str]:
    """What an operation is called beside its key: its ids, its channel's address and name, its messages."""
    yield from (str(value) for name in _IDS if isinstance(value := operation.facet(name), str) and value)
    verb, _, address = operation.key.partition(" ")
    if verb in ("send", "receive"):
        yield address
    for child in operation.children:
        if child.kind is ElementKind.CHANNEL:
            yield child.name
            yield from (str(name) for name in (child.facet("channel name"), child.facet("address as written")) if name)
        elif child.kind is ElementKind.MESSAGE and verb in ("send", "receive"):
            yield from (str(name) for name in _of_message(child) if name)


def _of_message(message: Element) -> Iterable[object]:
    return (message.key, message.name, *(message.facet(name) for name in ("name", "messageId", "component", "title")))


def called_as_rows(
    inventories: Sequence[Cited[ClientInventory]], spellings: Spellings
) -> tuple[Cited[ClientInventory], ...]:
    """The inventories with each use under the names that rows have, one for each operation that it names."""
    return tuple(
        Cited(
            cited.record.model_copy(
                update={"clients": tuple(_client(client, spellings) for client in cited.record.clients)}
            ),
            cited.citation,
        )
        for cited in inventories
    )


def _client(client: KnownClient, spellings: Spellings) -> KnownClient:
    if client.uses is None:
        return client
    return client.model_copy(update={"uses": tuple(each for use in client.uses for each in _uses(use, spellings))})


def _uses(use: Uses, spellings: Spellings) -> list[Uses]:
    keys = spellings.keys(use.operation)
    fields = None if use.fields is None else tuple(map(dotted, use.fields))
    return [
        NamedUse.model_construct(
            **{**dict(use), "operation": key, "fields": fields}, answered=spellings.answered(key, use.statuses or ())
        )
        for key in keys
    ] or [use]


def checks_as_rows(tests: Sequence[Cited[TestRecord]], spellings: Spellings) -> tuple[Cited[TestRecord], ...]:
    """The records of tests with each check under the name that rows have for its operation."""
    return tuple(
        Cited(
            cited.record.model_copy(
                update={"checks": tuple(check_as_rows(check, spellings) for check in cited.record.checks)}
            ),
            cited.citation,
        )
        for cited in tests
    )


def check_as_rows(check: CheckResult, spellings: Spellings) -> CheckResult:
    """The check under the names that rows have for its operation: one, or each that its text means."""
    keys = spellings.keys(check.operation) if check.operation else ()
    if check.field:
        check = check.model_copy(update={"field": dotted(check.field)})
    if len(keys) > 1:
        return NamedCheck.model_construct(**{**dict(check), "operation": keys[0]}, operations=keys)
    return check.model_copy(update={"operation": keys[0]}) if keys else check
