"""Small contracts of the tests, read by the reader as any other."""

from __future__ import annotations

import json
from typing import Any

from evreview.contract.model import Contract
from evreview.kinds.load import read_contract


def contract_of(paths: dict[str, Any], **rest: Any) -> Contract:
    """An OpenAPI 3.1 contract of these paths."""
    document = {"openapi": "3.1.0", "info": {"title": "Orders", "version": "1.2.0"}, "paths": paths, **rest}
    return read(document)


def read(document: Any) -> Contract:
    """The contract that a document is."""
    data = json.dumps(document).encode()
    return read_contract("contract.json", lambda name: data)


OK = {"200": {"description": "ok"}}
