"""How evidence names contract elements, matched with ledger addresses.

People write `GET /v1/orders/{id} items[].sku`, or a ledger address, or the end of one. Names of path parameters do
not matter, array steps do: `items[].sku` and `items > [] > sku` are one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

METHODS = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"})
_PARAMETER = re.compile(r"\{[^{}]*\}|(?<=/):[A-Za-z_]\w*")
_MEDIA_TYPE = re.compile(r"^[\w.+*-]+/[\w.+*-]+\s*(;.*)?$")
_LOCATED = re.compile(r"^(query|path|header|cookie|formData)[: ](?P<name>.+)$")
_HEADER = re.compile(r"^header (?P<name>\S+)$")
_BRANCH = re.compile(r"^(allOf|anyOf|oneOf|not|if|then|else|variant)\b")


def operation_key(text: str) -> str:
    """An operation or message name as the ledger writes it: `get /v1/orders/{id}` becomes `GET /v1/orders/{}`."""
    words = text.split()
    if len(words) >= 2 and words[0].upper() in METHODS:
        return f"{words[0].upper()} {_PARAMETER.sub('{}', words[1])}"
    return _PARAMETER.sub("{}", text.strip())


def field_steps(text: str) -> tuple[str, ...]:
    """The steps of a dotted field: `items[].sku` becomes `("items", "[]", "sku")`."""
    return tuple(step for part in text.split(".") for step in part.replace("[]", ".[]").split(".") if step)


def is_branch(segment: str) -> bool:
    """True for a step of an address that names a branch of a composition, which no field path shows."""
    return bool(_BRANCH.match(segment))


def field_path(address: str) -> tuple[str, ...]:
    """The field that an address ends in, as steps; `()` when it names no field, parameter or header.

    Composition branches (`oneOf 1`) are left out: a reader's field path does not show them.
    """
    segments = address.split(" > ")[1:]
    for index, segment in enumerate(segments):
        if _MEDIA_TYPE.match(segment):
            rest = (part for part in segments[index + 1 :] if not is_branch(part))
            return tuple(step for part in rest for step in field_steps(part))
    for index, segment in enumerate(segments):
        found = _LOCATED.match(segment) or _HEADER.match(segment)
        if found:
            rest = (part for part in segments[index + 1 :] if not is_branch(part))
            return (found["name"], *(step for part in rest for step in field_steps(part)))
    return ()


def is_within(steps: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """True when `steps` is `outer` or lies below it; array steps at the end of `outer` do not matter."""
    return steps[: len(outer)] == outer


def names_element(text: str, address: str, operations: Iterable[str]) -> bool:
    """True when `text` names the element at `address`, its operation, or an element that encloses it.

    Args:
        text: `GET /v1/orders/{id}`, the same followed by a dotted field, a ledger address, or the end of one.
        address: a ledger address.
        operations: the operations that the element belongs to, as the ledger writes them.
    """
    if is_suffix(text, address):
        return True
    words = text.split(maxsplit=2)
    reached = {operation_key(operation) for operation in operations}
    if len(words) >= 2 and words[0].upper() in METHODS and operation_key(" ".join(words[:2])) in reached:
        rest = words[2] if len(words) == 3 else ""
        return not rest or is_within(field_path(address), field_steps(rest))
    return operation_key(text) in reached


def is_suffix(text: str, address: str) -> bool:
    """True when `text` is the address or its end at a step boundary; `{id}` equals `{}`, `a.b` equals `a > b`."""
    wanted, steps = _address_steps(text), _address_steps(address)
    return bool(wanted) and steps[-len(wanted) :] == wanted


def _address_steps(text: str) -> tuple[str, ...]:
    steps: list[str] = []
    for segment in _PARAMETER.sub("{}", text).split(">"):
        part = " ".join(segment.split())
        plain = not any(sign in part for sign in "/: ")
        steps.extend(field_steps(part) if plain else [part] if part else [])
    return tuple(steps)
