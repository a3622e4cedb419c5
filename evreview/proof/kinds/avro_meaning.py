"""Written bytes as a reader understands them: the writer's structure with the reader's logical types in it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from evreview.contracts.avro.logical import effective
from evreview.contracts.avro.model import REFERENCE, Logical, Named, Type
from evreview.kinds.avro.resolution import names_match, source_of
from evreview.proof.kinds.avro_codec import Codec, Heard, short_error
from evreview.proof.kinds.avro_logical import taking


def understood(data: bytes, writer: tuple[Codec, str], reader: tuple[Codec, str]) -> Heard:
    """The value that a reader's logical types make of bytes; both sides with the key of a root.

    The structure is the writer's: whether it is read at all is asked elsewhere.
    """
    import fastavro

    own, other = (codec.schema.roots[key] for codec, key in (writer, reader))
    try:
        spelled = _Spelling(writer[0], reader[0], set()).type(own, other)
        return Heard(value=fastavro.schemaless_reader(BytesIO(data), fastavro.parse_schema(spelled, named_schemas={})))
    except Exception as error:  # whatever the codec raises is what the reader sees
        return Heard(error=short_error(error))


class _Spelling:
    """Spells a writer's schema with the logical types of a reader's."""

    def __init__(self, writer: Codec, reader: Codec, told: set[str]) -> None:
        self._old, self._new, self._told = writer.schema.names, reader.schema.names, told

    def type(self, own: Type, other: Type | None) -> Any:
        """A written type as the reader's type understands it; None where the reader has none for it."""
        if own.sort == "union":
            return [self.type(part, other) for part in own.parts]
        if own.sort == REFERENCE:
            return self._reference(self._old[own.name], other)
        taken = taking(own, other) if other is not None else None
        if own.parts:
            of = "items" if own.sort == "array" else "values"
            return {"type": own.sort, of: self.type(own.parts[0], taken.parts[0] if taken is not None else None)}
        if taken is None or taken.logical is None:
            return own.sort
        # What is promoted and has logical types is written alike: int and long, bytes and string.
        return {"type": taken.sort, **_attributes(effective(taken.logical, taken.sort))}

    def _reference(self, own: Named, other: Type | None) -> Any:
        if own.name in self._told:
            return own.name
        self._told.add(own.name)
        reader = self._named(own, other)
        head = {"type": own.sort, "name": own.name}
        if own.sort == "enum":
            return {**head, "symbols": list(own.symbols)}
        if own.sort == "fixed":
            logical = effective(reader.logical, "fixed", own.size) if reader is not None else None
            return {**head, "size": own.size, **_attributes(logical)}
        taken = {source.name: each for each in (reader.fields if reader else ()) if (source := source_of(each, own))}
        fields = [
            {
                "name": each.name,
                "type": self.type(each.type, taken[each.name].type if each.name in taken else None),
            }
            for each in own.fields
        ]
        return {**head, "fields": fields}

    def _named(self, own: Named, other: Type | None) -> Named | None:
        """The reader's type that takes a written one."""
        if other is None:
            return None
        parts = other.parts if other.sort == "union" else (other,)
        named = [self._new[part.name] for part in parts if part.sort == REFERENCE]
        fitting = [each for each in named if each.sort == own.sort]
        return next((each for each in fitting if names_match(each, own)), fitting[0] if len(fitting) == 1 else None)


def _attributes(logical: Logical | None) -> dict[str, Any]:
    if logical is None:
        return {}
    told = {"logicalType": logical.name, "precision": logical.precision, "scale": logical.scale}
    return {name: value for name, value in told.items() if value is not None}
