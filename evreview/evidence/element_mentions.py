"""How evidence names contract elements, matched with ledger addresses.

People write `GET /v1/orders/{id} items[].sku`, or a ledger address, or the end of one. Names of path parameters do
not matter, array steps do: `items[].sku` and `items > [] > sku` are one place.
"""

from __future__ import annotations

import re

METHODS = frozenset({"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"})
_PARAMETER = re.compile(r"\{[^{}]*\}|(?<=/):[A-Za-z_]\w*|(?<=/)<[^<>/]*>")
_MEDIA_TYPE = re.compile(r"^[\w.+*-]+/[\w.+*-]+\s*(;.*)?$")
_LOCATED = re.compile(r"^(?P<where>query|path|header|cookie|formData)[: ](?P<name>.+)$")
CALLED = "CALL "
"""Before the name of a function that is called, where an operation has its method."""
_MESSAGE = "message "
_ARGUMENT = "argument "
_TYPE = "type "
_BRANCH = re.compile(r"^(allOf|anyOf|oneOf|not|if|then|else|variant)\b")


def operation_key(text: str) -> str:
    """An operation or message name as the ledger writes it: `get /v1/orders/{id}` becomes `GET /v1/orders/{}`."""
    words = text.split()
    if len(words) >= 2 and words[0].upper() in METHODS and (words[0] != "query" or words[1].startswith("/")):
        return f"{words[0].upper()} {_PARAMETER.sub('{}', words[1])}"
    return _PARAMETER.sub("{}", text.strip().removeprefix(CALLED))


def field_steps(text: str) -> tuple[str, ...]:
    """The steps of a dotted field: `items[].sku` becomes `("items", "[]", "sku")`."""
    return tuple(step for part in text.split(".") for step in part.replace("[]", ".[]").split(".") if step)


def is_branch(segment: str) -> bool:
    """True for a step of an address that names a branch of a composition, which no field path shows."""
    return bool(_BRANCH.match(segment))


def field_path(address: str) -> tuple[str, ...]:
    """The field that an address ends in, as steps; `()` when it names no field, argument, parameter
    or header.

    Composition branches (`oneOf 1`) are left out: a reader's field path does not show them. The fields of a named type
    are its own, whatever operation reaches it: `type Order > field total` is `Order.total`.
    """
    if names_type(address):
        return _in_type(address.split(" > "))
    segments = address.split(" > ")[1:]
    for index, segment in enumerate(segments):
        if _MEDIA_TYPE.match(segment):
            rest = (part for part in segments[index + 1 :] if not is_branch(part))
            return tuple(step for part in rest for step in field_steps(part))
    for index, segment in enumerate(segments):
        found = _LOCATED.match(segment)
        if found:
            rest = (part for part in segments[index + 1 :] if not is_branch(part))
            return (found["name"], *(step for part in rest for step in field_steps(part)))
    for index, segment in enumerate(segments):
        if segment.startswith(_MESSAGE):
            return _in_message(segments[index + 1 :])
        if segment.startswith(_ARGUMENT):
            return field_steps(segment.removeprefix(_ARGUMENT))
    return ()


def names_type(address: str) -> bool:
    """True for an address that starts at a named type, and at no operation."""
    return address.startswith(_TYPE)


def names_part(address: str) -> bool:
    """True for an address of a field of a named type, or of its argument: clients name them, values and members not."""
    return names_type(address) and " > field " in address


def _in_type(segments: list[str]) -> tuple[str, ...]:
    """A named type and the parts below it; their numbers on the wire are left out."""
    names = (segment.partition(" ")[2].partition(" = ")[0] for segment in segments)
    return tuple(step for name in names for step in field_steps(name))


def _in_message(segments: list[str]) -> tuple[str, ...]:
    """The field of an event's payload, or of its headers below `headers`; `()` for what the protocol adds."""
    if segments and segments[0].startswith("binding "):
        return ()
    return tuple(step for part in segments if not is_branch(part) for step in field_steps(part))


def is_within(steps: tuple[str, ...], outer: tuple[str, ...]) -> bool:
    """True when `steps` is `outer` or lies below it; array steps at the end of `outer` do not matter."""
    return steps[: len(outer)] == outer


def names_element(text: str, address: str, operation: str) -> bool:
    """True when `text` names the element at `address` as `operation` has it, the operation, or what encloses it.

    Args:
        text: `GET /v1/orders/{id}`, the same followed by a dotted field, or the end of a ledger address.
        address: a ledger address.
        operation: the operation to look at: the address's own, or another that the element reaches. A component that
            several operations share has one address; at the others its last name decides.
    """
    words = text.split(maxsplit=2)
    if len(words) < 2 or words[0].upper() not in METHODS or " > " in text:
        return is_suffix(text, address) or operation_key(text) == operation_key(operation)
    if operation_key(" ".join(words[:2])) != operation_key(operation):
        return False
    wanted, steps = field_steps(words[2] if len(words) == 3 else ""), field_path(address)
    if operation_key(operation) == operation_key(address.split(" > ")[0]):
        return is_within(steps, wanted)
    return not wanted or wanted[-1:] == steps[-1:]


def is_suffix(text: str, address: str) -> bool:
    """True when `text` is the address or its end at a step boundary; `{id}` equals `{}`, `a.b` equals `a > b`."""
    wanted, steps = _address_steps(text), _address_steps(address)
    return bool(wanted) and steps[-len(wanted) :] == wanted


def _address_steps(text: str) -> tuple[str, ...]:
    steps: list[str] = []
    for segment in _PARAMETER.sub("{}", text).split(">"):
        part = _LOCATED.sub(r"\g<where>:\g<name>", " ".join(segment.split()))
        plain = not any(sign in part for sign in "/: ")
        steps.extend(field_steps(part) if plain else [part] if part else [])
    return tuple(steps)
