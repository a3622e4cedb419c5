"""Credentials: a call is accepted when what it carries satisfies one of the alternatives.

OpenAPI 3.1, 4.8.30: one of the requirement objects has to be satisfied, and all schemes within it; {} makes security
optional; an operation's list replaces the document's. A credential is what stands on the wire and the scopes that its
token was given for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from tests.edit_space.forms import Form
from tests.edit_space.messages.edit import Edit, every_change, posting, sent_by, together
from tests.edit_space.oracle import Opinion

Way = tuple[str, ...]
Carried = frozenset[tuple[Way, frozenset[str]]]
TOKEN: Final = "https://login.example/token"


def _oauth(url: str = TOKEN, *scopes: str) -> dict[str, Any]:
    flow = {"tokenUrl": url, "scopes": {scope: scope for scope in scopes or ("read", "write")}}
    return {"type": "oauth2", "flows": {"clientCredentials": flow}}


SCHEMES: Final = {
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "other": {"type": "apiKey", "in": "query", "name": "key"},
    "user": {"type": "http", "scheme": "basic"},
    "login": _oauth(),
}
REQUIREMENTS: Final = (
    None,
    [],
    [{}],
    [{"key": []}],
    [{"key": []}, {}],
    [{"key": []}, {"other": []}],
    [{"key": [], "other": []}],
    [{"user": []}],
    [{"login": ["read"]}],
    [{"login": ["read", "write"]}],
    [{"login": ["read"]}, {"key": []}],
    [{"login": ["read"], "key": []}],
    [{"login": ["write"]}],
)
DEFINITIONS: Final = (
    {"type": "apiKey", "in": "header", "name": "X-Key"},
    {"type": "apiKey", "in": "header", "name": "x-key"},
    {"type": "apiKey", "in": "header", "name": "X-Other"},
    {"type": "apiKey", "in": "query", "name": "X-Key"},
    {"type": "apiKey", "in": "cookie", "name": "X-Key"},
    {"type": "http", "scheme": "basic"},
    {"type": "http", "scheme": "Basic"},
    {"type": "http", "scheme": "bearer"},
    {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    {"type": "http", "scheme": "digest"},
    {"type": "openIdConnect", "openIdConnectUrl": "https://login.example/a"},
    {"type": "openIdConnect", "openIdConnectUrl": "https://login.example/b"},
    _oauth(),
    _oauth(TOKEN, "read"),
    _oauth(TOKEN, "read", "write", "admin"),
    _oauth("https://other.example/token"),
    {**_oauth(), "description": "said"},
    {
        "type": "oauth2",
        "flows": {**_oauth()["flows"], "password": {"tokenUrl": TOKEN, "scopes": {"read": "read", "write": "write"}}},
    },
)
SWAGGER: Final = (
    {"type": "basic"},
    {"type": "apiKey", "in": "header", "name": "X-Key"},
    {"type": "apiKey", "in": "query", "name": "X-Key"},
    {"type": "oauth2", "flow": "application", "tokenUrl": TOKEN, "scopes": {"read": "read"}},
    {"type": "oauth2", "flow": "application", "tokenUrl": TOKEN, "scopes": {"read": "read", "write": "write"}},
    {"type": "oauth2", "flow": "password", "tokenUrl": TOKEN, "scopes": {"read": "read"}},
)


def ways(scheme: Mapping[str, Any], *, addressed: bool) -> frozenset[Way]:
    """Everything that a client can carry to satisfy a scheme; with `addressed`, where it fetched its token counts."""
    kind = str(scheme["type"])
    if kind == "apiKey":
        name = str(scheme["name"])
        return frozenset({(kind, scheme["in"], name.lower() if scheme["in"] == "header" else name)})
    if kind in ("http", "basic"):
        return frozenset({("http", str(scheme.get("scheme", "basic")).lower())})
    if kind == "openIdConnect":
        return frozenset({(kind, str(scheme["openIdConnectUrl"]) if addressed else "")})
    flows = scheme.get("flows") or {scheme["flow"]: scheme}
    return frozenset((kind, name, str(flow.get("tokenUrl")) if addressed else "") for name, flow in flows.items())


def offered(scheme: Mapping[str, Any]) -> frozenset[str]:
    """The scopes that a scheme gives tokens for."""
    flows = scheme.get("flows") or {"only": scheme}
    return frozenset(scope for flow in flows.values() for scope in flow.get("scopes", {}))


def carried(requirements: Any, schemes: Mapping[str, Any], *, addressed: bool, greedy: bool) -> Iterator[Carried]:
    """What clients carry that bring no more than an alternative asks for (or all scopes on offer, when greedy)."""
    for alternative in requirements or [{}]:
        choices = []
        for name, scopes in alternative.items():
            asked = frozenset(scopes) | (offered(schemes[name]) if greedy else frozenset())
            choices.append([(way, asked) for way in sorted(ways(schemes[name], addressed=addressed))])
        yield from (frozenset(choice) for choice in product(*choices))


def accepted(requirements: Any, schemes: Mapping[str, Any], *, addressed: bool, greedy: bool) -> Any:
    """Whether a side takes what a client carries."""

    def takes(held: Carried) -> bool:
        return any(
            all(_met(schemes[name], frozenset(scopes), held, addressed, greedy) for name, scopes in alternative.items())
            for alternative in requirements or [{}]
        )

    return takes


def _met(scheme: Mapping[str, Any], scopes: frozenset[str], held: Carried, addressed: bool, greedy: bool) -> bool:
    known = ways(scheme, addressed=addressed)
    return any(
        way in known and scopes <= had and (not greedy or way[0] != "oauth2" or had <= offered(scheme))
        for way, had in held
    )


def _ask(released: tuple[Any, Mapping[str, Any]], candidate: tuple[Any, Mapping[str, Any]]) -> Opinion:
    readings = {}
    for addressed, greedy in product((True, False), repeat=2):
        how = {"addressed": addressed, "greedy": greedy}
        name = (
            f"tokens {'are' if addressed else 'are not'} tied to their address, {'all' if greedy else 'needed'} scopes"
        )
        readings[name] = sent_by(carried(*released, **how), accepted(*candidate, **how))
    return together(readings)


def _placed(level: str, form: Form, requirements: Any, schemes: Mapping[str, Any]) -> dict[str, Any]:
    said = {} if requirements is None else {"security": requirements}
    place = {"securityDefinitions": schemes} if form is Form.V20 else {"components": {"securitySchemes": schemes}}
    if level == "overriding":
        return {**posting(form, **said), **place, "security": [{"user": []}]}
    return {**posting(form, **(said if level == "operation" else {})), **(said if level == "document" else {}), **place}


def edits() -> Iterator[Edit]:
    """Every change of what a call has to prove, and of how a scheme's credentials travel."""
    for level in ("operation", "document", "overriding"):
        states = tuple(state for state in REQUIREMENTS if level != "overriding" or state is not None)
        for form in (Form.V30, Form.V31) if level == "operation" else (Form.V30,):
            yield from every_change(
                f"security requirements, {level}",
                states,
                lambda state, level=level, form=form: _placed(level, form, state, SCHEMES),
                lambda old, new: _ask((old, SCHEMES), (new, SCHEMES)),
            )
    for form, states, scopes in ((Form.V31, DEFINITIONS, []), (Form.V20, SWAGGER, [])):
        for used in (True, False):
            needed = [{"s": scopes}] if used else []
            yield from every_change(
                f"security scheme, {'used' if used else 'only declared'}",
                states,
                lambda state, form=form, needed=needed: _placed("operation", form, needed, {"s": state}),
                lambda old, new, needed=needed: _ask((needed, {"s": old}), (needed, {"s": new})),
            )
    yield from every_change(
        "security scheme, declared or not",
        (("key",), ("key", "login"), ("key", "login", "user")),
        lambda names: _placed("operation", Form.V31, [{"key": []}], {name: SCHEMES[name] for name in names}),
        lambda old, new: sent_by((), bool),
    )
