"""Avro data through fastavro: written with one schema, read with another. The only file that knows fastavro."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

from evreview.contracts.avro.model import REFERENCE, Field, Named, Schema, Type
from evreview.vocab import Json, Missing

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of reading: the value, or the error."""

    value: Any = None
    error: str = ""


def written(schema: Schema, root: str, datum: Any) -> bytes:
    """The bytes of a datum.

    Raises:
        ValueError: the schema does not take it.
    """
    import fastavro

    target = BytesIO()
    try:
        fastavro.schemaless_writer(target, _known(schema, schema.roots[root]), datum)
    except Exception as error:  # whatever the codec raises, there is no witness
        raise ValueError(f"the writer's own schema does not take the datum: {_short(error)}") from None
    return target.getvalue()


def read(data: bytes, writer: tuple[Schema, str], reader: tuple[Schema, str]) -> Heard:
    """What a reader sees of bytes that a writer wrote; both are a schema and the key of its root."""
    import fastavro

    try:
        schemas = [_known(schema, schema.roots[root]) for schema, root in (writer, reader)]
        return Heard(value=fastavro.schemaless_reader(BytesIO(data), schemas[0], schemas[1]))
    except Exception as error:  # whatever the codec raises is what the reader sees
        return Heard(error=_short(error))


def version() -> str:
    """The library that wrote and read, with its version."""
    import fastavro

    return f"fastavro {fastavro.__version__}"


def _known(schema: Schema, root: Type) -> Any:
    import fastavro

    return fastavro.parse_schema(_spelled(root, schema.names, set()), named_schemas={})


def _short(error: Exception) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _spelled(type_: Type, names: Mapping[str, Named], told: set[str]) -> Any:
    """A schema that stands by itself. Logical types are left out: the bytes are what is asked about."""
    if type_.sort == REFERENCE:
        named = names[type_.name]
        if named.name in told:
            return named.name
        told.add(named.name)
        return _named(named, names, told)
    if type_.sort == "union":
        return [_spelled(part, names, told) for part in type_.parts]
    if type_.parts:
        of = "items" if type_.sort == "array" else "values"
        return {"type": type_.sort, of: _spelled(type_.parts[0], names, told)}
    return type_.sort


def _named(named: Named, names: Mapping[str, Named], told: set[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"type": named.sort, "name": named.name}
    if named.aliases:
        found["aliases"] = list(named.aliases)
    if named.sort == "enum":
        return {**found, "symbols": list(named.symbols), **_default(named)}
    if named.sort == "fixed":
        return {**found, "size": named.size}
    return {**found, "fields": [_field(each, names, told) for each in named.fields]}


def _field(each: Field, names: Mapping[str, Named], told: set[str]) -> dict[str, Any]:
    aliases = {"aliases": list(each.aliases)} if each.aliases else {}
    return {"name": each.name, "type": _spelled(each.type, names, told), **aliases, **_default(each)}


def _default(each: Field | Named) -> dict[str, Any]:
    return {} if isinstance(each.default, Missing) else {"default": each.default}


def plain(datum: Any) -> Json:
    """A datum as JSON, bytes as Avro's JSON encoding has them: one sign for each."""
    if isinstance(datum, bytes):
        return datum.decode("latin-1")
    if isinstance(datum, tuple):
        return plain(datum[1])
    if isinstance(datum, Mapping):
        return {str(key): plain(value) for key, value in datum.items()}
    if isinstance(datum, list):
        return [plain(each) for each in datum]
    return datum  # type: ignore[no-any-return]
