"""One operation as the contract defines it: every row with its claim and the places that say it, and nothing more."""

from __future__ import annotations

from collections.abc import Iterator

from evreview.contract.model import Contract, ElementKind
from evreview.core.quoted_text import Subject, Text, listed
from evreview.core.vocabulary import Concern, EvidenceId, Polarity
from evreview.evidence.item import Citation
from evreview.reference.claims import claim
from evreview.reference.entry_auth import authentication
from evreview.reference.entry_request import Side, children, parameters, request_body
from evreview.reference.entry_responses import responses
from evreview.reference.fields import Fields
from evreview.reference.model import Operation
from evreview.reference.places import Places
from evreview.workflows.w2.contract_entries import Statements
from evreview.workflows.w2.contract_rows import Entry, Property, RequestBody, is_error, own_claim


class Entries:
    """Makes the entries of one contract; what operations share is read once."""

    def __init__(self, contract: Contract, item: EvidenceId) -> None:
        self.contract = contract
        self.places = Places(contract, item)
        self.fields = Fields(self.places)
        self._made: dict[str, Entry] = {}

    def entry(self, operation: Operation) -> Entry:
        """Everything that the contract says about one operation, remembered."""
        if operation.id not in self._made:
            self._made[operation.id] = self._entry(operation)
        return self._made[operation.id]

    def _entry(self, operation: Operation) -> Entry:
        found = responses(Side(operation, self.fields, Polarity.WRITTEN))
        rows = parameters(operation, self.fields)
        body = request_body(operation, self.fields)
        return Entry(
            operation=operation,
            properties=tuple(self._properties(operation, body)),
            authentication=authentication(self.contract, operation, self.places),
            parameters=rows,
            body=body,
            success=tuple(each for each in found if not is_error(each.status)),
            errors=tuple(each for each in found if is_error(each.status)),
            stated=Statements(self.contract, operation, self.places).found(rows, body, found),
        )

    def _properties(self, operation: Operation, body: RequestBody | None) -> Iterator[Property]:
        """Operation id, method and path, API version, base URL shape, body presence, behaviour: as far as written."""
        here, root = operation.element.place, self.contract.root.place
        if operation.operation_id:
            at = self.places.at(here.child("operationId"))
            yield _property(operation, "operation ID", (Subject(operation.operation_id),), at)
        yield _property(operation, "method and path", (Subject(operation.id),), self.places.at(here))
        if self.contract.release:
            at = self.places.at(root.child("info", "version"))
            yield _property(operation, "API version", (Subject(self.contract.release),), at)
        yield from self._base_url(operation)
        yield self._presence(operation, body)
        if operation.element.facet("deprecated") is True:
            yield _property(operation, "deprecated", ("yes",), self.places.at(here.child("deprecated")))
        for key in ("summary", "description"):
            words = operation.element.facet(key)
            if isinstance(words, str) and words.strip():
                yield _property(operation, f"behaviour: {key}", (Subject(words),), self.places.at(here.child(key)))

    def _base_url(self, operation: Operation) -> Iterator[Property]:
        """The servers as the contract writes them, variables in braces; nothing where it names none."""
        own = list(children(operation.element, ElementKind.SERVER))
        servers = own or list(children(self.contract.root, ElementKind.SERVER))
        # The reader adds a server at `/` where none is written; Swagger 2.0 writes its parts at the document itself.
        root = self.contract.root.place
        keys = [key for key in ("schemes", "host", "basePath") if self.places.node(root.child(key)) is not None]
        written = [each for each in servers if each.place != root]
        if not written and not keys:
            return
        places = [each.place for each in written] or [root.child(key) for key in keys]
        value: Text = listed(dict.fromkeys(each.name for each in servers))
        key = own_claim(operation.id, "base URL shape")
        yield Property(name="base URL shape", value=value, claim=key, citations=self.places.all(places))

    def _presence(self, operation: Operation, body: RequestBody | None) -> Property:
        says = "none" if body is None else "required" if body.required else "optional"
        return Property(
            name="request body",
            value=(says,),
            claim=claim(operation.id, Concern.REQUEST_BODY),
            citations=body.citations if body else (self.places.at(operation.element.place),),
        )


def _property(operation: Operation, name: str, value: Text, on: Citation) -> Property:
    return Property(name=name, value=value, claim=own_claim(operation.id, name), citations=(on,))
