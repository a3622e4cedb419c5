"""GraphQL schemas: reader, introspection, rules and proofs by documents.

Takes SDL or an introspection result.
Gives a contract, rules, and witnesses as operations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import ContractKind, Direction, Json

if TYPE_CHECKING:
    from evreview.comparison.delta import Delta
    from evreview.comparison.elements import ElementDiff
    from evreview.comparison.kind_spec import KindProver, WitnessReplay
    from evreview.comparison.ledger import Ledger
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files

ENDINGS: Final = (".graphql", ".graphqls", ".gql")
_NAME: Final = rb"[_A-Za-z]\w*"
_IGNORED: Final = rb"(?:[\s,]|#[^\n\r]*)*+"
_TEXT: Final = rb'(?:"""(?:\\"""|[^"]|"(?!""))*+"""|"(?:\\.|[^"\\\n\r])*+")'
_BARE: Final = (
    _IGNORED + rb"(?:$|" + _TEXT + rb"|(?:extend|type|interface|input|enum|union|scalar|schema|directive)\s+[@{\w])"
)
"""What follows a type without fields, which its extensions give it."""
OPENS: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?" + _IGNORED + rb"(?:" + _TEXT + _IGNORED + rb")?(?:"
    rb"(?:extend\s+)?(?:type|interface)\s+" + _NAME + rb"(?:\s+implements\b|" + _IGNORED + rb"[@{]|" + _BARE + rb")"
    rb"|(?:extend\s+)?input\s+" + _NAME + rb"(?:" + _IGNORED + rb"[@{]|" + _BARE + rb")"
    rb"|(?:extend\s+)?enum\s+" + _NAME + _IGNORED + rb"(?:@|\{" + _IGNORED + rb"(?:" + _TEXT + _IGNORED + rb")?"
    rb"(?!option\b|reserved\b)[_A-Za-z]\w*+" + _IGNORED + rb"(?!=))"
    rb"|(?:extend\s+)?union\s+" + _NAME + _IGNORED + rb"[@=]"
    rb"|(?:extend\s+)?scalar\s+" + _NAME + rb"\s*(?:[@#\"\w]|$)"
    rb"|(?:extend\s+)?schema" + _IGNORED + rb"[@{]"
    rb"|directive\s*@)"
)  # fmt: skip
"""What a schema starts with; an `enum` of proto2 gives its values numbers, and `type:` is YAML."""
_CHECKS: Final = {
    Direction.READ: "The candidate takes every document that is valid under the released schema at {at}, and "
    "refuses none.",
    Direction.WRITTEN: "Every response of the candidate at {at} validates against the candidate schema; whether it "
    "validates against the released one is recorded.",
}


class _GraphQl(KindSpec):
    """GraphQL schemas."""

    kind = ContractKind.GRAPHQL
    title = "GraphQL"
    opening = "a GraphQL schema defines types, as `type Query { … }`, or is an answer with `__schema`"
    words = KindWords(operation="", answer="result")
    endings = ENDINGS

    def recognises(self, files: Files) -> bool:
        if files.entry:
            return bool(OPENS.match(files.data)) or is_answer(files.entry, files.data)
        return any(OPENS.match(files.load(name)) for name in files.named(*ENDINGS)) or bool(answers(files))

    def read(self, files: Files) -> Contract:
        from evreview.kinds.graphql.reader import read

        return read(files)

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:
        from evreview.kinds.graphql.settlement import told_by_types

        found.rows = told_by_types(found.rows, released, candidate)

    def rules(self) -> tuple[Rule, ...]:
        from evreview.kinds.graphql.rules import RULES

        return RULES

    def prover(self, ledger: Ledger, *, witnesses: bool) -> KindProver:
        from evreview.kinds.graphql.prover import GraphqlProver

        return GraphqlProver(ledger, witnesses=witnesses)

    def replaying(self) -> WitnessReplay:
        from evreview.kinds.graphql.prover import replay

        return replay

    def judge(self, witness: Mapping[str, Json]) -> str:
        return "graphql-core"

    def proposed_check(self, delta: Delta, direction: Direction | None) -> str:
        return _CHECKS[direction].format(at=delta.address) if direction is not None else ""


SPEC: Final = _GraphQl()


def is_answer(name: str, data: bytes) -> bool:
    """True for the answer of a server to an introspection query."""
    if b'"__schema"' not in data or not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return False
    from evreview.kinds.graphql.introspection import schema_in

    try:
        return schema_in(parse_text(data, name)) is not None
    except BadInput:
        return False


def answers(files: Files) -> list[str]:
    """The files of a folder that are answers to introspection."""
    return [name for name in files.named(".json") if is_answer(name, files.load(name))]
