"""Avro data through fastavro: written with one schema, read with another. The only file that knows fastavro."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from evreview.contracts.avro.model import REFERENCE, Field, Named, Schema, Type
from evreview.core.vocabulary import Json, Missing

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of reading: the value, or the error."""

    value: Any = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Codec:
    """Writes and reads data of one schema; each of its roots is handed to the library once."""

    schema: Schema
    _known: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def written(self, root: str, datum: Any) -> bytes:
        """The bytes of a datum.

        Raises:
            ValueError: the schema does not take it.
        """
        import fastavro

        target = BytesIO()
        try:
            fastavro.schemaless_writer(target, self.known(root), datum)
        except Exception as error:  # whatever the codec raises, there is no witness
            raise ValueError(f"the writer's own schema does not take the datum: {short_error(error)}") from None
        return target.getvalue()

    def known(self, root: str) -> Any:
        """A root as the library has it."""
        import fastavro

        if root not in self._known:
            spelled = _spelled(self.schema.roots[root], self.schema.names, set())
            self._known[root] = fastavro.parse_schema(spelled, named_schemas={})
        return self._known[root]


def read(data: bytes, writer: tuple[Codec, str], reader: tuple[Codec, str]) -> Heard:
    """What a reader sees of bytes that a writer wrote; both with the key of a root."""
    import fastavro

    try:
        schemas = [codec.known(root) for codec, root in (writer, reader)]
        return Heard(value=fastavro.schemaless_reader(BytesIO(data), schemas[0], schemas[1]))
    except Exception as error:  # whatever the codec raises is what the reader sees
        return Heard(error=short_error(error))


def differ(one: Heard, other: Heard) -> bool:
    """True when two sides hear different values, or one of them none."""
    return bool(one.error or other.error) or plain(one.value) != plain(other.value)


def version() -> str:
    """The library that wrote and read, with its version."""
    import fastavro

    return f"fastavro {fastavro.__version__}"


def short_error(error: Exception) -> str:
    """An error in one line."""
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
    if datum is None or isinstance(datum, (str, int, float)):
        return datum
    # What the codec makes of logical types: dates, times, decimals and UUIDs.
    return str(datum.isoformat() if hasattr(datum, "isoformat") else datum)
