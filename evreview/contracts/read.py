"""A contract of any kind from its files: finds out the kind and hands over to the reader for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from evreview.contracts.model import Contract
from evreview.contracts.readers import openapi
from evreview.contracts.source import Load, Source, load_source
from evreview.documents.text import without_gc
from evreview.errors import bad_input
from evreview.vocab import ContractKind, Json


@dataclass(frozen=True, slots=True)
class Reader:
    """How one kind of contract is recognised and read."""

    kind: ContractKind
    recognises: Callable[[Json], bool]
    read: Callable[[Source], Contract]


READERS: Final = (Reader(ContractKind.OPENAPI, openapi.recognises, openapi.read),)
"""Asked in this order."""


def read_contract(entry: str, load: Load, *, kind: ContractKind | None = None) -> Contract:
    """The contract that starts in the file `entry`.

    Args:
        entry: POSIX path relative to the root folder.
        load: gives the bytes of a file by such a path; raises `BadInput` for one that is missing or outside.
        kind: the kind, when it is known; otherwise the document says it.

    Raises:
        BadInput: every problem that keeps the contract from being read at all.
    """
    with without_gc():
        source = load_source(entry, load)
        for reader in READERS:
            if kind in (None, reader.kind) and reader.recognises(source.root):
                return reader.read(source)
    found = f"not recognised as a contract{f' of the kind {kind}' if kind else ''}"
    known = ", ".join(reader.kind for reader in READERS)
    advice = f"an OpenAPI document starts with `openapi` or `swagger`; kinds that are read: {known}"
    raise bad_input("contract-kind-unknown", found, file=entry, advice=advice)
