"""What the contract states about limits, idempotency, side effects, pagination and rate limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from evreview.contract.model import Contract, ElementKind
from evreview.core.quoted_text import Subject, Text, listed
from evreview.core.vocabulary import Concern, Json
from evreview.evidence.item import Citation
from evreview.reference.claims import claim
from evreview.reference.entry_request import children, written_description
from evreview.reference.model import Operation
from evreview.reference.places import Places
from evreview.reference.words import value_text
from evreview.workflows.w2.contract_rows import HeaderRow, ParameterRow, RequestBody, Response, Stated, is_error
from evreview.workflows.w2.contract_words import Signal, Where, rate_limit_header, sentences, signals

_DEEPEST: Final = 2
_HEADERS: Final = ((Concern.RATE_LIMITS, "rate-limit-header"), (Concern.PAGINATION, "pagination-header"))


class Statements:
    """Collects the statements about one operation."""

    def __init__(self, contract: Contract, operation: Operation, places: Places) -> None:
        self._contract = contract
        self._operation = operation
        self._places = places

    def found(
        self, parameters: Iterable[ParameterRow], body: RequestBody | None, responses: tuple[Response, ...]
    ) -> tuple[Stated, ...]:
        """Every statement once, in the order of concerns."""
        rows = [
            *self._sentences(),
            *self._extensions(),
            *self._parameters(tuple(parameters), _lists(responses)),
            *self._sizes(body),
            *self._responses(responses),
            *self._callbacks(),
        ]
        unique: dict[tuple[str, Text], Stated] = {}
        for row in rows:
            unique.setdefault((row.claim, row.says), row)
        order = list(Concern)
        return tuple(sorted(unique.values(), key=lambda row: order.index(row.concern)))

    def _sentences(self) -> Iterator[Stated]:
        """Sentences of the operation's and its responses' descriptions; of the whole API's those on rate limits."""
        element = self._operation.element
        owners = [(element, element.facet(key), key) for key in ("summary", "description")]
        owners += [(each, written_description(each), "description") for each in children(element, ElementKind.RESPONSE)]
        for owner, text, key in owners:
            citation = self._places.at(owner.place.child(key))
            yield from self._quoted(text, citation, tuple(Concern))
        root = self._contract.root
        citation = self._places.at(root.place.child("info", "description"))
        yield from self._quoted(root.facet("info.description"), citation, (Concern.RATE_LIMITS,))

    def _quoted(self, text: object, citation: Citation, concerns: tuple[Concern, ...]) -> Iterator[Stated]:
        for sentence in sentences(text) if isinstance(text, str) else ():
            for signal in signals("sentence", sentence):
                if signal.concern in concerns:
                    yield self._row(signal.concern, "description", (Subject(sentence),), signal.id, (citation,))

    def _extensions(self) -> Iterator[Stated]:
        element = self._operation.element
        for facet in element.facets:
            for signal in signals("extension", facet.name) if facet.name.startswith("x-") else ():
                says: Text = (Subject(facet.name), ": ", Subject(value_text(_json(facet.value))))
                citation = self._places.at(element.place.child(facet.name))
                yield self._row(signal.concern, facet.name, says, signal.id, (citation,))

    def _parameters(self, rows: tuple[ParameterRow, ...], listing: bool) -> Iterator[Stated]:
        for row in rows:
            where: Where = "query parameter" if row.location == "query" else "header parameter"
            for signal in signals(where, row.name) if row.location in ("query", "header") else ():
                if not signal.weak or (listing and not _enumerated(row)):
                    yield from self._parameter(row, signal, where)

    def _parameter(self, row: ParameterRow, signal: Signal, where: Where) -> Iterator[Stated]:
        says: Text = (f"{where} ", Subject(row.name), ", required" if row.required else ", optional")
        yield replace(self._row(signal.concern, row.name, says, signal.id, row.citations), rests_on=(row.claim,))
        bound = next((each for each in row.validation if each[0] in ("at most ", "less than ")), None)
        if signal.concern is Concern.PAGINATION and bound is not None:
            limit: Text = (f"{where} ", Subject(row.name), ": ", *bound)
            bounded = self._row(Concern.LIMITS, row.name, limit, signal.id, row.citations)
            yield replace(bounded, rests_on=(row.claim, row.validation_claim))

    def _sizes(self, body: RequestBody | None) -> Iterator[Stated]:
        """The largest number of items that a request may carry."""
        owned = [(each, row) for each in (body.bodies if body else ()) for row in (each.root, *each.fields)]
        for each, row in ((each, row) for each, row in owned if row is not None):
            for words in row.allowed:
                if words[0] in ("at most ", "exactly ") and str(words[-1]).startswith(" item"):
                    says: Text = (Subject(row.path) if row.path else "the body", ": ", *words)
                    name = row.path or "request body"
                    sized = self._row(Concern.LIMITS, name, says, "limit-items", row.citations)
                    yield replace(sized, rests_on=(each.claim_of(row),))

    def _responses(self, responses: tuple[Response, ...]) -> Iterator[Stated]:
        yield from self._headers([header for response in responses for header in response.headers])
        for response in responses:
            if response.status == "429":
                told: Text = ("too many calls are answered with status ", Subject("429"))
                known = self._row(Concern.RATE_LIMITS, "429", told, "rate-limit-status", response.citations)
                yield replace(known, rests_on=(response.claim,))
            yield from self._fields(response)

    def _headers(self, headers: list[HeaderRow]) -> Iterator[Stated]:
        """Each header about rate limits or pagination once, with the statuses that carry it."""
        for name in dict.fromkeys(header.name for header in headers):
            for concern, signal in _HEADERS:
                rows = [row for row in headers if row.name == name and _about(row, concern)]
                if rows:
                    says: Text = ("response header ", Subject(name), " of status ", *listed(row.status for row in rows))
                    on = tuple(on for row in rows for on in row.citations)
                    yield replace(self._row(concern, name, says, signal, on), rests_on=tuple(row.claim for row in rows))

    def _fields(self, response: Response) -> Iterator[Stated]:
        for body in response.bodies if not is_error(response.status) else ():
            for row in body.fields:
                if row.path.count(".") < _DEEPEST and "[]" not in row.path:
                    for signal in signals("response field", row.path):
                        says: Text = ("response field ", Subject(row.path))
                        named = self._row(signal.concern, row.path, says, signal.id, row.citations)
                        yield replace(named, rests_on=(body.claim_of(row),))

    def _callbacks(self) -> Iterator[Stated]:
        for callback in children(self._operation.element, ElementKind.CALLBACK):
            says: Text = ("the callback ", Subject(callback.name), " may be sent")
            citation = self._places.at(callback.place)
            yield self._row(Concern.SIDE_EFFECTS, callback.name, says, "side-effect-callback", (citation,))

    def _row(self, concern: Concern, name: str, says: Text, signal: str, on: tuple[Citation, ...]) -> Stated:
        key = claim(self._operation.id, concern, name)
        return Stated(concern=concern, name=name, says=says, signal=signal, claim=key, citations=on)


def _about(row: HeaderRow, concern: Concern) -> bool:
    if concern is Concern.RATE_LIMITS:
        return rate_limit_header(row.name, row.status)
    paging = any(signal.concern is Concern.PAGINATION for signal in signals("response header", row.name))
    return paging and not is_error(row.status)


def _enumerated(row: ParameterRow) -> bool:
    """True for a choice among fixed values: that is a filter, no place in a list."""
    return any(words[0] in ("one of ", "only ") for words in row.validation if words)


def _lists(responses: tuple[Response, ...]) -> bool:
    """True when a success response is a list or carries one as a member."""
    return any(body.lists for response in responses if not is_error(response.status) for body in response.bodies)


def _json(value: object) -> Json:
    return value if isinstance(value, (str, int, float, bool, list, dict)) else None
