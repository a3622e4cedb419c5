"""Expressions that nobody here reads, in schemas of events: listed also where both sides say the same.

What a comparison never looks at, since both sides agree, is understood all the less for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.contract.model import Contract, Place, SchemaDialect, Unread
from evreview.contracts.readers.jsonschema_files import schemas
from evreview.core.vocabulary import ContractKind, Json
from evreview.schema.reader import EXPRESSIONS, malformed

_KINDS: Final = (ContractKind.JSON_SCHEMA, ContractKind.ASYNCAPI)


def unread_patterns(contract: Contract, dialect: SchemaDialect) -> Iterator[Unread]:
    """Every expression in the contract's schemas that can't be read, by place."""
    for file, document in contract.documents.items() if contract.kind in _KINDS else ():
        for place, node in schemas(Place(file, ""), document):
            said: dict[str, Json] = {name: node[name] for name in EXPRESSIONS if name in node}
            for bad in malformed(said, dialect) if said else ():
                if len(bad.steps) == 1:
                    yield Unread(place.child(*bad.steps), bad.found, bad.advice)
