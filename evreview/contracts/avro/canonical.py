"""Parsing canonical form and its fingerprints: Avro 1.12 specification, "Transforming into Parsing Canonical Form"."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from evreview.contracts.avro.model import REFERENCE, Named, Type
from evreview.core.vocabulary import Json

_EMPTY: Final = 0xC15D213AA4D7A795


def canonical(type_: Type, names: Mapping[str, Named]) -> str:
    """The parsing canonical form: what decides how data is read, and nothing else."""
    return json.dumps(_form(type_, names, set()), separators=(",", ":"), ensure_ascii=False)


def _form(type_: Type, names: Mapping[str, Named], told: set[str]) -> Json:
    if type_.sort == REFERENCE:
        named = names[type_.name]
        if named.name in told:
            return named.name
        told.add(named.name)
        return _named(named, names, told)
    if type_.sort == "union":
        return [_form(part, names, told) for part in type_.parts]
    if type_.sort == "array":
        return {"type": "array", "items": _form(type_.parts[0], names, told)}
    if type_.sort == "map":
        return {"type": "map", "values": _form(type_.parts[0], names, told)}
    return type_.sort


def _named(named: Named, names: Mapping[str, Named], told: set[str]) -> Json:
    head: dict[str, Json] = {"name": named.name, "type": named.sort}
    if named.sort == "enum":
        return {**head, "symbols": list(named.symbols)}
    if named.sort == "fixed":
        return {**head, "size": named.size}
    fields: list[Json] = [{"name": each.name, "type": _form(each.type, names, told)} for each in named.fields]
    return {**head, "fields": fields}


def fingerprints(text: str) -> dict[str, str]:
    """CRC-64-AVRO (as the eight bytes of the single-object encoding) and SHA-256 of a canonical form, as hex."""
    data = text.encode("utf-8", "surrogatepass")
    return {
        "CRC-64-AVRO": _crc64(data).to_bytes(8, "little").hex(),
        "SHA-256": hashlib.sha256(data).hexdigest(),
    }


def _crc64(data: bytes) -> int:
    mark = _EMPTY
    for byte in data:
        mark = (mark >> 8) ^ _TABLE[(mark ^ byte) & 0xFF]
    return mark


def _entry(at: int) -> int:
    for _ in range(8):
        at = (at >> 1) ^ (_EMPTY & -(at & 1))
    return at


_TABLE: Final = tuple(_entry(at) for at in range(256))
