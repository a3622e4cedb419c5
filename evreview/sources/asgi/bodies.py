"""The request body of a FastAPI route, from the parameters that are read from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from evreview.codefacts.asgi.inputs import Piece
from evreview.codefacts.model import CodeBody, Spot
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import MISSING, Json
from evreview.sources.shape import Schema


def body_of(modules: Modules, pieces: Sequence[Piece]) -> CodeBody | None:
    """One body of all pieces: the value itself, or an object with a member for each."""
    if not pieces:
        return None
    media = _media(modules, pieces)
    alone = pieces[0]
    embedded = len({piece.name for piece in pieces}) > 1 or alone.mark.value(modules, "embed") is True
    form = alone.kind == "File" or (alone.kind == "Form" and not _is_model(alone))
    schema = _object(pieces) if embedded or form else cast(Schema, alone.shape.schema)
    return CodeBody(
        media_type=media,
        spot=_around([piece.mark.spot for piece in pieces]),
        required=any(piece.mark.required for piece in pieces),
        schema=schema,
        exact=all(piece.shape.exact for piece in pieces),
        coerces=any(piece.shape.coerces for piece in pieces),
        models=tuple(dict.fromkeys(spot for piece in pieces for spot in piece.shape.spots)),
    )


def _is_model(piece: Piece) -> bool:
    schema = piece.shape.schema
    return isinstance(schema, dict) and ("properties" in schema or "$ref" in schema)


def _media(modules: Modules, pieces: Sequence[Piece]) -> str:
    kinds = {piece.kind for piece in pieces}
    if "File" in kinds:
        return "multipart/form-data"
    if "Form" in kinds:
        return "application/x-www-form-urlencoded"
    return pieces[0].mark.text(modules, "media_type") or "application/json"


def _object(pieces: Sequence[Piece]) -> Schema:
    properties: dict[str, Json] = {}
    required: list[Json] = []
    defs: dict[str, Json] = {}
    for piece in pieces:
        schema = _with_own_names(cast(Schema, piece.shape.schema), defs)
        properties[piece.name] = schema | ({"default": piece.default} if piece.default is not MISSING else {})
        if piece.mark.required and piece.name not in required:
            required.append(piece.name)
    whole: Schema = {"type": "object", "properties": properties}
    whole |= {"required": required} if required else {}
    return whole | ({"$defs": defs} if defs else {})


def _with_own_names(schema: Schema, defs: dict[str, Json]) -> Schema:
    """The schema without its `$defs`, which move into `defs`; under another name where one is taken."""
    own = cast(dict[str, Json], schema.get("$defs", {}))
    names = {name: _free(name, inner, defs) for name, inner in own.items()}
    for name, inner in own.items():
        defs[names[name]] = _renamed(inner, names)
    return {key: _renamed(value, names) for key, value in schema.items() if key != "$defs"}


def _free(name: str, inner: Json, defs: dict[str, Json]) -> str:
    number, free = 1, name
    while free in defs and defs[free] != inner:
        number += 1
        free = f"{name}_{number}"
    return free


def _renamed(value: Json, names: dict[str, str]) -> Json:
    if isinstance(value, dict):
        return {
            key: f"#/$defs/{names.get(str(part).rpartition('/')[2], str(part).rpartition('/')[2])}"
            if key == "$ref"
            else _renamed(part, names)
            for key, part in value.items()
        }
    return [_renamed(part, names) for part in value] if isinstance(value, list) else value


def _around(spots: Sequence[Spot]) -> Spot:
    """The lines from the first to the last parameter of the first one's function."""
    first = spots[0]
    same = [spot for spot in spots if spot.item == first.item and abs(spot.first - first.first) < 40]
    return Spot(first.item, min(spot.first for spot in same), max(spot.last for spot in same), first.path)
