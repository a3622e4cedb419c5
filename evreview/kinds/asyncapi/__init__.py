"""AsyncAPI 2 and 3: reader, alignment, embedded payloads, rules and proofs.

Takes YAML or JSON documents.
Gives a contract of channels and messages, rules, and witnesses as events.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import (
    JudgedComparison,
    KindSpec,
    KindWords,
    Listing,
    Payload,
    ReplayedMessage,
    Specs,
)
from evreview.core.vocabulary import ContractKind, Json

if TYPE_CHECKING:
    from evreview.comparison.elements import ElementDiff, KindPairing
    from evreview.comparison.proof.outcome import WholeMessages
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files
    from evreview.schema.validators import SchemaCheck


class _AsyncApi(KindSpec):
    """AsyncAPI 2 and 3."""

    kind = ContractKind.ASYNCAPI
    title = "AsyncAPI"
    opening = "an AsyncAPI document starts with `asyncapi`"
    words = KindWords(listing=Listing.OPERATION)
    one_file = True
    endings = (".yaml", ".yml", ".json")
    says = re.compile(rb"""(?:\A|[\s"'{,])asyncapi["']?\s*:""")
    events = True
    json_values = True

    def recognises(self, files: Files) -> bool:
        return not files.is_folder and isinstance(files.root, dict) and "asyncapi" in files.root

    def read(self, files: Files) -> Contract:
        from evreview.kinds.asyncapi.reader import read

        return read(files)

    def with_shared_names(self, released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
        from evreview.kinds.asyncapi.alignment import as_said_by_both

        return as_said_by_both(released, candidate)

    def pairing(self) -> KindPairing:
        from evreview.kinds.asyncapi.alignment import MessagePairing

        return MessagePairing()

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:
        from evreview.kinds.asyncapi.alignment import one_per_language, with_unread

        found.rows = one_per_language(with_unread(found.rows, released, candidate))

    def rules(self) -> tuple[Rule, ...]:
        from evreview.comparison.rules import deprecation
        from evreview.comparison.rules.schema_values import SCHEMA_RULES
        from evreview.kinds.asyncapi import rules_connections, rules_operations

        return (*rules_operations.RULES, *rules_connections.RULES, *SCHEMA_RULES, *deprecation.RULES)

    def whole_messages(self, released: Contract, candidate: Contract) -> WholeMessages:
        from evreview.kinds.asyncapi.prover import EventMessageProver

        return EventMessageProver(released, candidate)

    def with_payloads(self, found: JudgedComparison, specs: Specs, *, witnesses: bool) -> JudgedComparison:
        from evreview.kinds.asyncapi.embedded_payloads import embedded

        return embedded(found, specs, witnesses=witnesses)

    def heard(self, contracts: tuple[Contract, Contract], message: Json, check: SchemaCheck) -> ReplayedMessage:
        from evreview.comparison.proof.outcome import SIDES
        from evreview.kinds.asyncapi.prover import KIND, EventAdmission, from_json

        if not isinstance(message, Mapping) or message.get("kind") != KIND:
            return super().heard(contracts, message, check)
        event = from_json(message)
        judges = (
            EventAdmission(side, contract, check, whole=True) for side, contract in zip(SIDES, contracts, strict=True)
        )
        return ReplayedMessage(event, tuple(judge.accepts(event) for judge in judges))

    def payload(
        self, contracts: tuple[Contract, Contract], witness: Mapping[str, Json], specs: Specs
    ) -> Payload | None:
        from evreview.kinds.asyncapi.embedded_payloads import LANGUAGE, part, payloads

        return Payload(payloads(contracts, witness, specs), part(witness)) if LANGUAGE in witness else None


SPEC: Final = _AsyncApi()
