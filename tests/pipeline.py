"""Two documents in memory through the whole pipeline."""

from __future__ import annotations

import json

from evreview.comparison.comparison import Comparison
from evreview.comparison.rules.example import expand, supplied
from evreview.comparison.rules.rule import Example, Slot
from evreview.contract.model import Contract
from evreview.core.vocabulary import Form, Json
from evreview.kinds.compare import compare
from evreview.kinds.load import read_contract


def contract(document: Json) -> Contract:
    return read_contract("api.json", lambda name: json.dumps(document).encode())


def written(name: str, data: bytes) -> Contract:
    """The contract in one file."""
    return read_contract(name, lambda _: data)


def compared(released: Json, candidate: Json) -> Comparison:
    return compare(contract(released), contract(candidate))


def edited(slot: Slot, released: Form, candidate: Form) -> Comparison:
    """The comparison of one edit in one slot of the rules' skeleton contract."""
    return compared(expand(slot, released), expand(slot, candidate))


def shown(example: Example) -> Comparison:
    return compare(*(written(*supplied(example.slot, form)) for form in (example.released, example.candidate)))
