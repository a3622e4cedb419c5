"""Whether a value that a contract states was plainly invented. What is in doubt is not: own values stand instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Json
from evreview.redaction.placeholders import opaque, reserved_host, stands_in
from evreview.redaction.redactor import Guard
from evreview.workflows.w2.step5_examples.scalar_values import snake_case

_PERSONAL: Final = re.compile(
    r"(?:^|_)(?:(?:first|last|full|given|family|middle|nick|display|user|customer|contact|person|maiden)_?name|surname"
    r"|e_?mails?|phones?|mobile|fax|address(?:es)?|street|birth\w*|dob|ssn|tax_id|iban|account_number|card_number"
    r"|user|owner|author|assignee|login|password|secret|token|api_key|signature|credentials?)(?:_|\Z)"
)
_HOST: Final = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]{1,20}:)?//(?:[^/\s@]{0,64}@)?([^\s/:?#\"'<>]{1,200})")
_MAIL: Final = re.compile(r"@([\w-]+(?:\.[\w-]+)+)")
_NAME: Final = re.compile(
    r"(?i)(?<![\w.@/-])((?:[a-z0-9-]{1,63}\.){1,5}(?:com|net|org|io|dev|app|co|eu|de|uk|fr|cloud|ai))(?![\w-])"
)
_ADDRESS: Final = re.compile(r"(?<![\d.])((?:\d{1,3}\.){3}\d{1,3})(?![\d.])")
_DIGITS: Final = re.compile(r"\d(?:[ .()-]?\d){6,}")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
_UUID: Final = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_WORDY: Final = re.compile(r"[A-Za-z]{2,30}(?:[ _.-][A-Za-z]{1,30}){1,}")
_LONGEST: Final = 400
_LARGE: Final = 1_000_000


def invented(value: Json, name: str, guard: Guard) -> bool:
    """True when nothing in the value can be somebody's: no host, person, number or key, and the guard reports none."""
    return all(_leaf(leaf, at) for leaf, at in _leaves(value, name)) and all(
        guard.clean(text) == text for text in (_pair(at, leaf) for leaf, at in _leaves(value, name))
    )


def reported(name: str, value: Json, guard: Guard) -> bool:
    """True when the guard takes something out of a single value in a field of a name."""
    text = _pair(name, value)
    return guard.clean(text) != text


def _pair(name: str, value: Json) -> str:
    return f'"{name}": "{value}"' if isinstance(value, str) else f'"{name}": {value}'


def _leaves(value: Json, name: str) -> Iterator[tuple[Json, str]]:
    stack: list[tuple[Json, str]] = [(value, name)]
    while stack:
        node, at = stack.pop()
        if isinstance(node, dict):
            yield from ((key, "") for key in node)
            stack.extend((member, str(key)) for key, member in node.items())
        elif isinstance(node, list):
            stack.extend((item, at) for item in node)
        else:
            yield node, at


def _leaf(value: Json, name: str) -> bool:
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return abs(value) < _LARGE
    text = str(value)
    if len(text) > _LONGEST:
        return False
    # A short text stands in for nothing: most given names have fewer than five letters.
    if _PERSONAL.search(snake_case(name)) and not (len(set(text)) > 4 and stands_in(text)):
        return False
    hosts = [*_HOST.findall(text), *_MAIL.findall(text), *_NAME.findall(text), *_ADDRESS.findall(text)]
    if not all(reserved_host(host) for host in hosts):
        return False
    if _UUID.search(text):
        return False
    plain = _DATE.sub("", text)
    return not _DIGITS.search(plain) and (_wordy(plain) or not opaque(plain, least=12))


def _wordy(text: str) -> bool:
    return _WORDY.fullmatch(text) is not None
