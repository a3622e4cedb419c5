"""What a client declares about its parser, in words for the register. Nothing here was executed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from evreview.core.vocabulary import ClientId
from evreview.evidence.item import Citation
from evreview.evidence.records.compatibility import KnownClient, Uses

UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserContract:
    """The retained parser contract of one client, as declared; "unknown" where it declares nothing.

    Attributes:
        client, name: the client.
        content_types, fields, nullability, versions: what it accepts, uses, and asks for.
        policies: what it does with unknown fields and enum values.
        citation: where it is declared.
    """

    client: ClientId
    name: str
    content_types: str
    fields: str
    nullability: str
    versions: str
    policies: str
    citation: Citation

    @property
    def text(self) -> str:
        """All five parts, labelled as declared."""
        return (
            f"Declared: content types: {self.content_types}; fields: {self.fields}; nullability: {self.nullability}; "
            f"versions: {self.versions}; {self.policies}"
        )


def parser_contract(client: KnownClient, citation: Citation) -> ParserContract:
    """The parser contract of `client` in words."""
    return ParserContract(
        client=ClientId(client.id),
        name=client.name,
        content_types=_listed(client.accepted_content_types),
        fields=_fields(client.uses),
        nullability=_nullability(client),
        versions=_versions(client),
        policies=_policies(client),
        citation=citation,
    )


def _listed(values: Iterable[str] | None) -> str:
    return UNKNOWN if values is None else ", ".join(values) or "none"


def _fields(uses: tuple[Uses, ...] | None) -> str:
    if uses is None:
        return UNKNOWN
    return " | ".join(f"{use.operation}: {_listed(use.fields)}" for use in uses) or "none"


def _nullability(client: KnownClient) -> str:
    accepted = client.accepts_null
    if accepted is None:
        return UNKNOWN
    if accepted == "all":
        return "null accepted for every field"
    if accepted == "none" or not accepted:
        return "null accepted for no field"
    return f"null accepted for {', '.join(accepted)} only"


def _versions(client: KnownClient) -> str:
    named = ", ".join(client.versions) or UNKNOWN
    return f"{named} (selects by {client.version_selector or UNKNOWN})"


def _policies(client: KnownClient) -> str:
    return (
        f"unknown fields: {client.unknown_fields or UNKNOWN}; "
        f"unknown enum values: {client.unknown_enum_values or UNKNOWN}"
    )
