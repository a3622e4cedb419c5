"""What the contract demands of a caller, with invented credentials in the place of real ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.quoted_text import Part, Subject, Text, listed
from evreview.core.vocabulary import Concern, Json
from evreview.reference.claims import claim
from evreview.reference.model import Operation
from evreview.reference.places import Places
from evreview.workflows.w2.contract_rows import Authentication, SchemeUse

TOKEN: Final = "<access-token>"
KEY: Final = "<api-key>"


def authentication(contract: Contract, operation: Operation, places: Places) -> Authentication:
    """The operation's effective demand: alternatives joined by or, schemes of one alternative joined by and."""
    element = next((child for child in operation.element.children if child.kind is ElementKind.SECURITY), None)
    written = element is not None and element.place.pointer.endswith("/security")
    stated = element is not None and written
    declared = {child.key: child for child in contract.root.children if child.kind is ElementKind.SECURITY_SCHEME}
    demands = element.facet("requirements") if element is not None and stated else []
    alternatives = tuple(
        tuple(_use(key, scopes, declared.get(key), places) for key, scopes in demand.items())
        for demand in (demands if isinstance(demands, list) else [])
        if isinstance(demand, Mapping)
    )
    return Authentication(
        stated=stated,
        alternatives=alternatives,
        says=_says(stated, alternatives),
        claim=claim(operation.id, Concern.AUTHENTICATION),
        citations=(places.at(element.place),)
        if element is not None and stated
        else (places.at(operation.element.place),),
    )


def _says(stated: bool, alternatives: tuple[tuple[SchemeUse, ...], ...]) -> Text:
    if not stated:
        return ("the contract states no security requirement",)
    if not any(alternatives):
        return ("no credentials are needed",)
    parts: list[Part] = []
    for demand in sorted(alternatives, key=lambda each: not each):
        parts += ["; or "] if parts else []
        parts += _demand(demand) if demand else ["no credentials"]
    return tuple(parts)


def _demand(demand: tuple[SchemeUse, ...]) -> list[Part]:
    parts: list[Part] = []
    for use in demand:
        parts += [" and "] if parts else []
        parts += [Subject(use.name), ": ", *use.says]
        if use.scopes:
            parts += [" with scopes ", *listed(use.scopes)]
    return parts


def _use(key: str, scopes: Json, scheme: Element | None, places: Places) -> SchemeUse:
    named = tuple(str(each) for each in scopes) if isinstance(scopes, list) else ()
    if scheme is None:
        name = key.removeprefix("undeclared (").removesuffix(")")
        says: Text = ("a scheme that the contract does not declare",)
        return SchemeUse(key=key, name=name, says=says, scopes=named, placeholder="", citations=())
    return SchemeUse(
        key=key,
        name=scheme.name,
        says=_kind(scheme),
        scopes=named,
        placeholder=placeholder(scheme),
        citations=(places.at(scheme.place),),
    )


def _kind(scheme: Element) -> Text:
    match scheme.facet("type"):
        case "http":
            return ("HTTP authentication, scheme ", Subject(str(scheme.facet("scheme") or "")))
        case "apiKey":
            where = scheme.facet("in")
            place = str(where) if where in ("header", "query", "cookie") else "unknown place"
            return (f"API key in the {place} ", Subject(_written_name(scheme)))
        case "oauth2":
            flows = [each.name.split(".")[1] for each in scheme.facets if each.name.endswith(".scopes")]
            return ("OAuth 2.0, flows ", *listed(sorted(flows))) if flows else ("OAuth 2.0",)
        case "openIdConnect":
            return ("OpenID Connect",)
        case "mutualTLS":
            return ("mutual TLS",)
    return ("a scheme of an unknown type",)


def _written_name(scheme: Element) -> str:
    return str(scheme.facet("name") or "")


def placeholder(scheme: Element) -> str:
    """How a request carries a scheme, with an invented value: `Authorization: Bearer <access-token>`."""
    match scheme.facet("type"):
        case "http" if scheme.facet("scheme") == "basic":
            return "Authorization: Basic <credentials>"
        case "http" if scheme.facet("scheme") == "bearer":
            return f"Authorization: Bearer {TOKEN}"
        case "http":
            return "Authorization: <scheme> <credentials>"
        case "apiKey":
            name = _written_name(scheme)
            lead = {"query": f"?{name}=", "cookie": f"Cookie: {name}="}.get(str(scheme.facet("in")), f"{name}: ")
            return f"{lead}{KEY}"
        case "oauth2" | "openIdConnect":
            return f"Authorization: Bearer {TOKEN}"
        case "mutualTLS":
            return "a synthetic client certificate"
    return ""
