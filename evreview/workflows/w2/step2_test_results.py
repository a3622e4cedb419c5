"""Recorded exchanges held against the contract: status, media type and body, judged and never printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import Subject, Text, text
from evreview.core.vocabulary import Concern, Polarity
from evreview.evidence.test_results.model import Exchange
from evreview.messages.media_types import media_fits
from evreview.reference.covered import Says
from evreview.reference.entry import Entries
from evreview.reference.entry_request import children
from evreview.reference.model import Operation
from evreview.schema.validators import UNUSABLE, Validators

_MOST = 5
_BODILESS = frozenset({204, 205, 304})


class Judge:
    """Judges the exchanges of one contract; validators are built once."""

    def __init__(self, contract: Contract, entries: Entries) -> None:
        self._validators = Validators(contract)
        self._entries = entries

    def judged(self, operation: Operation, exchange: Exchange) -> tuple[Says, Text]:
        """Whether an exchange agrees with the contract as far as recorded, and what contradicts or hinders."""
        response = documented_response(operation, exchange.status or 0)
        if response is None:
            return Says.CONTRADICTS, ("status ", Subject(str(exchange.status)), " is not documented")
        stated = list(children(response, ElementKind.MEDIA_TYPE))
        if not exchange.media_type:
            return Says.AGREES, ()
        if not stated:
            return self._without_body(operation, exchange)
        fitting = [each for each in stated if media_fits(each.name, exchange.media_type)]
        if not fitting:
            seen = Subject(exchange.media_type)
            return Says.CONTRADICTS, ("media type ", seen, " is not documented for this status")
        return self._body(min(fitting, key=lambda each: each.name.count("*")), exchange)

    def _without_body(self, operation: Operation, exchange: Exchange) -> tuple[Says, Text]:
        empty = exchange.status in _BODILESS or operation.method == "HEAD"
        if empty or not exchange.body_recorded or exchange.body in (None, ""):
            return Says.AGREES, ()
        return Says.CONTRADICTS, ("a body of ", Subject(exchange.media_type), " is not documented for this status")

    def _body(self, media: Element, exchange: Exchange) -> tuple[Says, Text]:
        if media.value is None or not exchange.body_recorded:
            return Says.AGREES, ()
        found = self._validators.violations(media.value, exchange.body, Polarity.WRITTEN)
        if any(UNUSABLE in each for each in found):
            return Says.OPEN, ("the body could not be judged: its schema can't be used",)
        if not found:
            return Says.AGREES, ()
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        return Says.CONTRADICTS, text("the body breaks its schema at ", Subject("; ".join(found[:_MOST])), more)

    def touched(self, operation: Operation, exchange: Exchange) -> tuple[Concern, ...]:
        """What of an operation an exchange used besides its response: parameters, body, credentials, headers."""
        return tuple(dict.fromkeys(self._touched(operation, exchange)))

    def _touched(self, operation: Operation, exchange: Exchange) -> Iterator[Concern]:
        entry = self._entries.entry(operation)
        sent = {("query", name) for name in exchange.query} | {("header", name) for name in exchange.request_headers}
        named = {(row.location, row.name.lower() if row.location == "header" else row.name) for row in entry.parameters}
        if sent & named or any(row.location == "path" for row in entry.parameters):
            yield Concern.PARAMETERS
        if "authorization" in exchange.request_headers:
            yield Concern.AUTHENTICATION
        if "content-type" in exchange.request_headers and entry.body is not None:
            yield Concern.REQUEST_BODY
        if {row.name.lower() for row in entry.headers} & set(exchange.response_headers):
            yield Concern.HEADERS


def documented_response(operation: Operation, status: int) -> Element | None:
    """The response element that holds for a status: its own, its range's, or the default one."""
    found: Mapping[str, Element] = {each.key: each for each in children(operation.element, ElementKind.RESPONSE)}
    names = (str(status), f"{str(status)[:1]}XX", "default")
    return next((found[name] for name in names if name in found), None)
