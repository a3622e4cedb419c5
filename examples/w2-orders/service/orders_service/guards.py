"""Who calls, and how often."""

from collections import Counter
from typing import Annotated

from fastapi import Depends, HTTPException, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

REQUESTS_PER_MINUTE = 600
CALLERS = {"synthetic-caller"}
bearer = HTTPBearer(auto_error=False)
calls: Counter[str] = Counter()


class Unauthorized(Exception):
    """The bearer token is missing or not valid."""


def caller(credentials: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]) -> str:
    if credentials is None or credentials.credentials not in CALLERS:
        raise Unauthorized
    return credentials.credentials


def rate_limit(who: Annotated[str, Depends(caller)]) -> None:
    calls[who] += 1
    if calls[who] > REQUESTS_PER_MINUTE:
        raise HTTPException(status_code=429, detail="Too many requests", headers={"Retry-After": "60"})
