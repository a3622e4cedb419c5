"""Who calls, and what the caller may do."""

import hmac
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, HTTPException, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from tickets_service.settings import TOKEN_SECONDS, TOKEN_SECRET

bearer = HTTPBearer(auto_error=False)


@dataclass(frozen=True)
class Principal:
    """Who a verified token was issued to."""

    id: str
    role: str


def issue(who: str, role: str, now: int) -> str:
    text = f"{who}.{role}.{now}"
    return f"{text}.{hmac.new(TOKEN_SECRET.encode(), text.encode(), sha256).hexdigest()}"


def principal(credentials: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]) -> Principal:
    if credentials is None:
        raise HTTPException(status_code=401, detail="A bearer token is needed")
    text, _, signature = credentials.credentials.rpartition(".")
    expected = hmac.new(TOKEN_SECRET.encode(), text.encode(), sha256).hexdigest()
    parts = text.split(".")
    if len(parts) != 3 or not hmac.compare_digest(signature, expected):
        raise HTTPException(status_code=401, detail="The bearer token is not valid")
    if time.time() - int(parts[2]) > TOKEN_SECONDS:
        raise HTTPException(status_code=401, detail="The bearer token has expired")
    return Principal(id=parts[0], role=parts[1])


def staff(who: Annotated[Principal, Depends(principal)]) -> Principal:
    if who.role != "staff":
        raise HTTPException(status_code=403, detail="Staff only")
    return who
