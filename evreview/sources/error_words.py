"""Which constants of a body are error codes: by the name of their member. Other texts are messages for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Form, Json

_NAMES: Final = frozenset(
    {"code", "codes", "error", "errors", "errortype", "err", "errcode", "kind", "type", "errorid", "errorname"}
)
_ENDS: Final = ("code", "codes")
_STATUS: Final = frozenset({"statuscode", "httpcode", "httpstatuscode"})
MAX_LENGTH: Final = 200
MAX_LEVELS: Final = 20


def names_code(member: str) -> bool:
    """True for a member that holds an error code: `code`, `error`, `error_code`, `type`; not for `message`."""
    bare = member.lower().replace("_", "").replace("-", "")
    return (bare in _NAMES or bare.endswith(_ENDS)) and bare not in _STATUS


def is_code(text: str) -> bool:
    """True for a text that may be a code: a sentence is none."""
    return 0 < len(text) <= MAX_LENGTH and not any(sign.isspace() for sign in text)


def codes_of_value(value: Form, *, named: bool = False) -> Iterator[str]:
    """The codes in a constant body; `named`: it is the value of a member that holds codes."""
    if isinstance(value, str):
        if named and is_code(value):
            yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from codes_of_value(part, named=names_code(name))
    elif isinstance(value, list):
        for part in value:
            yield from codes_of_value(part, named=named)


def codes_of_schema(schema: Json, *, named: bool = False, levels: int = MAX_LEVELS) -> Iterator[str]:
    """The codes among the constants of a body's schema, as literals of code are read."""
    if not isinstance(schema, dict) or levels <= 0:
        return
    if "const" in schema:
        yield from codes_of_value(schema["const"], named=named)
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        yield from codes_of_schema(part, named=names_code(name), levels=levels - 1)
    for word in ("anyOf", "prefixItems"):
        parts = schema.get(word)
        for part in parts if isinstance(parts, list) else ():
            yield from codes_of_schema(part, named=named, levels=levels - 1)
    yield from codes_of_schema(schema.get("items"), named=named, levels=levels - 1)


def leaves_code_open(schema: Json, levels: int = MAX_LEVELS) -> bool:
    """True when a member that holds a code has a value that the body itself does not tell."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or levels <= 0:
        return False
    return any(
        (names_code(name) and part == {}) or leaves_code_open(part, levels - 1) for name, part in properties.items()
    )
