"""The bytes that an ordinary contract starts with: they only say which reader is asked first."""

from __future__ import annotations

import pytest

from evreview.core.vocabulary import ContractKind
from evreview.kinds.load import read_contract
from evreview.kinds.registry import KINDS

FIRST = {spec.kind: spec.starts_like for spec in KINDS if spec.starts_like is not None}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"openapi": "3.1.0"', ContractKind.OPENAPI),
        (b'\n {\n  "swagger" : "2.0"', ContractKind.OPENAPI),
        (b"openapi: 3.0.3\n", None),
        (b'{"info": {}, "openapi": "3.1.0"', None),
        (b'{"asyncapi": "3.0.0"', None),
        (b"openapi = 3.0\n", None),
        (b"openapi: str\n", None),
    ],
)
def test_the_first_bytes_name_a_kind(data: bytes, kind: ContractKind | None) -> None:
    assert [each for each, first in FIRST.items() if first.match(data)] == ([] if kind is None else [kind])


def test_first_bytes_do_not_decide() -> None:
    text = b"openapi: 3.0\nclass Pet:\n    name: str\n"
    assert read_contract("pet.py", lambda _: text).kind is ContractKind.PYTHON
