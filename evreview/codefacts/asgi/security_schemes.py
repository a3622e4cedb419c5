"""Security schemes of FastAPI, and what FastAPI answers when one finds no credentials."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.constants import constant
from evreview.codefacts.guards.framework_conventions import DENIALS
from evreview.codefacts.model import CodeResponse, Guard, Spot
from evreview.codefacts.names import Definition, Modules
from evreview.codefacts.schema_reading import keywords
from evreview.core.vocabulary import ABSENT, Json

_HTTP: Final = {"HTTPBearer": "http bearer", "HTTPBasic": "http basic", "HTTPDigest": "http digest"}
_KEYS: Final = {"APIKeyHeader": "header", "APIKeyQuery": "query", "APIKeyCookie": "cookie"}
_OAUTH: Final = ("OAuth2PasswordBearer", "OAuth2AuthorizationCodeBearer", "OAuth2")
SCHEMES: Final = (*_HTTP, *_KEYS, *_OAUTH, "OpenIdConnect", "HTTPBase")


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """A security scheme object: its class, how OpenAPI names it, whether it refuses by itself.

    Attributes:
        optional: it is told to let callers without credentials pass.
    """

    name: str
    cls: str
    scheme: str
    refuses: bool
    optional: bool = False


def scheme_of(modules: Modules, found: Definition) -> Scheme | None:
    """The scheme that an instance is; None for anything else."""
    if not isinstance(found.node, ast.Call):
        return None
    made = modules.called(found.scope, found.node)
    for cls in SCHEMES:
        if modules.is_a(made, ("fastapi",), cls):
            words = keywords(found.node)
            refuses = constant(modules, found.scope, words.get("auto_error")) is not False
            own = isinstance(made, Definition)
            return Scheme(
                found.name or cls, cls, _scheme(modules, found, cls), refuses and not own, not (refuses or own)
            )
    return None


def _scheme(modules: Modules, found: Definition, cls: str) -> str:
    if cls in _HTTP:
        return _HTTP[cls]
    if cls in _KEYS:
        words = keywords(found.node) if isinstance(found.node, ast.Call) else {}
        name = constant(modules, found.scope, words.get("name"))
        return f"apiKey {_KEYS[cls]} {name}" if isinstance(name, str) and name is not ABSENT else f"apiKey {_KEYS[cls]}"
    return "oauth2" if cls in _OAUTH else "openIdConnect" if cls == "OpenIdConnect" else ""


def guard_of(scheme: Scheme, spot: Spot, scopes: tuple[str, ...]) -> Guard:
    """The check of credentials that a scheme makes."""
    return Guard(name=scheme.name, kind="authentication", spot=spot, scheme=scheme.scheme, scopes=scopes)


def denial(scheme: Scheme, spot: Spot) -> CodeResponse | None:
    """What FastAPI answers without credentials; its status is None where versions of FastAPI differ."""
    if not scheme.refuses or scheme.cls not in DENIALS:
        return None
    detail: Json = {"const": "Not authenticated"}
    schema: Json = {"type": "object", "properties": {"detail": detail}, "required": ["detail"]}
    status = DENIALS[scheme.cls]
    headers = ("WWW-Authenticate",) if status else ()
    return CodeResponse(
        status=status, how="framework", spot=spot, media_type="application/json", schema=schema, exact=True,
        headers=headers,
    )  # fmt: skip
