"""Kinds of discrepancy about who may call."""

from __future__ import annotations

from typing import Final

from evreview.core.vocabulary import Concern, Json
from evreview.reference.kinds.small import paths
from evreview.workflows.w2.discrepancy_kinds.kind import Breaks, DiscrepancyKind, KindExample

_OF = (Concern.AUTHENTICATION,)
_SCHEMES: Final[Json] = {
    "token": {"type": "http", "scheme": "bearer"},
    "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "login": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://id.example.com/t", "scopes": {"read": "", "write": ""}}},
    },
}
_PLAIN: Final = "@app.get('/orders')\ndef orders():\n    return []\n"
_BEARER: Final = "bearer = HTTPBearer()\n\n\n@app.get('/orders')\ndef orders(token=Depends(bearer)):\n    return []\n"


def _scoped(*scopes: str) -> str:
    return (
        "oauth2 = OAuth2PasswordBearer(tokenUrl='token')\n\n\n"
        "def caller(security_scopes: SecurityScopes, token: str = Depends(oauth2)):\n    return token\n\n\n"
        f"@app.get('/orders')\ndef orders(user=Security(caller, scopes={list(scopes)!r})):\n    return []\n"
    )


def _case(security: Json, code: str) -> KindExample:
    return KindExample(paths=paths(security=security), code=code, schemes=_SCHEMES)


KINDS: Final = (
    DiscrepancyKind(
        id="unguarded",
        concerns=_OF,
        compares="the security that the contract demands with code in which nothing checks the caller, where every "
        "source was read",
        why="Whoever relies on the contract takes data for protected that anybody can reach.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so is everybody else.",
        example=_case([{"token": []}], _PLAIN),
        counter_example=_case([{"token": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="guard-undocumented",
        concerns=_OF,
        compares="a guard in the code with a contract that demands nothing of callers",
        why="A client that keeps to the contract sends no credentials and is refused.",
        breaks=Breaks.SENDERS,
        impact="Documented calls, without credentials, are refused.",
        example=_case([], _BEARER),
        counter_example=_case([], _PLAIN),
    ),
    DiscrepancyKind(
        id="scheme-differs",
        concerns=_OF,
        compares="the scheme that a guard asks for with those of every alternative of the contract; a bearer token is "
        "one scheme on the wire, whether OAuth 2.0, OpenID Connect or plain HTTP names it",
        why="The documented credentials are not looked for.",
        breaks=Breaks.SENDERS,
        impact="Calls with the documented credentials are refused.",
        example=_case([{"key": []}], _BEARER),
        counter_example=_case([{"login": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="scheme-unchecked",
        concerns=_OF,
        compares="the schemes that an alternative of the contract demands together with those that the guards look "
        "for, where they look for some of them and every source was read",
        why="Whoever brings only a part of the documented credentials is let in.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so are callers with only a part of the credentials.",
        example=_case([{"token": [], "key": []}], _BEARER),
        counter_example=_case([{"token": []}, {"token": [], "key": []}], _BEARER),
    ),
    DiscrepancyKind(
        id="scope-undocumented",
        concerns=_OF,
        compares="the constant scopes that the code demands with those of every alternative of the contract",
        why="A token with the documented scopes is refused.",
        breaks=Breaks.SENDERS,
        impact="Calls with the documented scopes are refused.",
        example=_case([{"login": ["read"]}], _scoped("read", "write")),
        counter_example=_case([{"login": ["read", "write"]}], _scoped("read", "write")),
    ),
    DiscrepancyKind(
        id="scope-unchecked",
        concerns=_OF,
        compares="the scopes that the contract demands with the constant scopes that the code demands, where it "
        "demands any",
        why="A token that the contract calls too weak is taken.",
        breaks=Breaks.CALLERS,
        impact="Documented callers are served; so are callers with fewer scopes.",
        example=_case([{"login": ["read", "write"]}], _scoped("read")),
        counter_example=_case([{"login": ["read"]}], _scoped("read")),
    ),
)
