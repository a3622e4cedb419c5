"""OpenAPI and Swagger 2: reader, alignment, rules and whole-message proofs.

Takes YAML or JSON documents.
Gives a contract, rules about HTTP, and witnesses as requests and responses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from evreview.comparison.kind_spec import KindSpec, KindWords, Listing, Prepared
from evreview.core.vocabulary import ContractKind

if TYPE_CHECKING:
    from evreview.comparison.drafts import Draft
    from evreview.comparison.elements import ElementDiff
    from evreview.comparison.node_pair import SchemaReaders
    from evreview.comparison.proof.outcome import WholeMessages
    from evreview.comparison.rules.rule import Rule
    from evreview.contract.model import Contract
    from evreview.contract.source import Files


class _OpenApi(KindSpec):
    """OpenAPI 3 and Swagger 2."""

    kind = ContractKind.OPENAPI
    title = "OpenAPI"
    opening = "an OpenAPI document starts with `openapi` or `swagger`"
    words = KindWords(listing=Listing.OPERATION)
    starts_like = re.compile(rb'\s*\{\s*"(?:openapi|swagger)"\s*:\s*"[23]\.[0-9]')
    one_file = True
    endings = (".yaml", ".yml", ".json")
    says = re.compile(rb"""(?:\A|[\s"'{,])(?:openapi|swagger)["']?\s*:""")
    over_http = True
    json_values = True

    def recognises(self, files: Files) -> bool:
        return (
            not files.is_folder
            and isinstance(files.root, dict)
            and ("openapi" in files.root or "swagger" in files.root)
        )

    def read(self, files: Files) -> Contract:
        from evreview.kinds.openapi.reader import read

        return read(files)

    def with_shared_names(self, released: Contract, candidate: Contract) -> tuple[Contract, Contract]:
        from evreview.kinds.openapi.alignment import same_schemes

        return same_schemes(released, candidate)

    def prepared(self, released: Contract, candidate: Contract, sides: tuple[SchemaReaders, SchemaReaders]) -> Prepared:
        from evreview.kinds.openapi.alignment import aligned, unfolded

        folded = unfolded(released, candidate, sides)
        spelled, moved = aligned(*folded.contracts)
        return Prepared(folded.contracts, (folded.contracts[0], spelled), tuple(folded.rows), moved)

    def settle(self, found: ElementDiff, released: Contract, candidate: Contract) -> None:
        from evreview.kinds.openapi.alignment import with_components, with_shadowed
        from evreview.kinds.openapi.repeated_edits import (
            of_all_operations,
            one_per_cause,
            served_by_none,
            without_servers,
        )

        rows = with_shadowed(found.rows, released)
        found.non_wire_servers = served_by_none(found.positions, released, candidate)
        rows = of_all_operations(without_servers(rows) if found.non_wire_servers else rows, found.positions)
        found.rows = one_per_cause(with_components(rows, found.positions, released, candidate))

    def settled_drafts(self, drafts: list[Draft]) -> list[Draft]:
        from evreview.kinds.openapi.repeated_edits import one_per_field

        return one_per_field(drafts)

    def rules(self) -> tuple[Rule, ...]:
        from evreview.comparison.rules import deprecation, security
        from evreview.comparison.rules.schema_values import SCHEMA_RULES
        from evreview.kinds.openapi import rules_bodies, rules_operations, rules_parameters, rules_responses

        return (
            *rules_operations.OPERATION_RULES,
            *rules_parameters.PARAMETER_RULES,
            *rules_bodies.RULES,
            *rules_operations.CALL_RULES,
            *rules_responses.RULES,
            *SCHEMA_RULES,
            *security.RULES,
            *rules_operations.SERVER_RULES,
            *rules_operations.CALLBACK_RULES,
            *deprecation.RULES,
            *rules_parameters.SERIALISATION_RULES,
        )

    def whole_messages(self, released: Contract, candidate: Contract) -> WholeMessages:
        from evreview.kinds.openapi.prover import MessageProver

        return MessageProver(released, candidate)


SPEC: Final = _OpenApi()
