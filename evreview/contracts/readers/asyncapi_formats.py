"""The languages that payloads are described in, by `schemaFormat`, and OpenAPI's schemas in the words of draft 7."""

from __future__ import annotations

from typing import Final, NamedTuple

from evreview.contract.model import Place
from evreview.contracts.readers.asyncapi_scope import MAX_DEPTH, Scope
from evreview.core.vocabulary import Json, Word


class Language(Word):
    """How a payload is described. The first is AsyncAPI's own, a superset of JSON Schema draft 7."""

    JSON = "json-schema"
    OPENAPI = "openapi-schema"
    AVRO = "avro"
    PROTOBUF = "protobuf"
    RAML = "raml"
    OTHER = "other"


def payload_facet(language: Language) -> str:
    """The facet that holds a payload described in another language than JSON Schema."""
    return f"{language.value} payload"


PAYLOADS: Final = tuple(payload_facet(each) for each in Language if each not in (Language.JSON, Language.OPENAPI))


class Format(NamedTuple):
    """A schema format: its language, and the version that is named after it."""

    language: Language
    version: str
    written: str

    @property
    def is_json(self) -> bool:
        """True when the values are JSON and described as such."""
        return self.language in (Language.JSON, Language.OPENAPI)


_LANGUAGES: Final = (
    ("application/vnd.aai.asyncapi", Language.JSON),
    ("application/schema", Language.JSON),
    ("application/vnd.oai.openapi", Language.OPENAPI),
    ("application/vnd.apache.avro", Language.AVRO),
    ("application/vnd.google.protobuf", Language.PROTOBUF),
    ("application/x-protobuf", Language.PROTOBUF),
    ("application/raml", Language.RAML),
)
OWN: Final = Format(Language.JSON, "", "")
"""What holds where no format is named."""


def format_of(written: Json, place: Place, scope: Scope) -> Format:
    """The schema format that a message names; JSON Schema where it names none."""
    if written is None:
        return OWN
    if not isinstance(written, str):
        scope.skip(place, "schemaFormat: not a string", "write it as a media type")
        return OWN
    kind, *rest = (part.strip() for part in written.split(";"))
    version = next((part.partition("=")[2] for part in rest if part.lower().startswith("version=")), "")
    language = next((found for prefix, found in _LANGUAGES if kind.lower().startswith(prefix)), Language.OTHER)
    if kind.lower().startswith("application/schema") and version not in ("", "draft-07"):
        scope.skip(place, f"schemaFormat {written}: read as draft 7", "describe the payload by draft 7")
    return Format(language, version, written)


_BOUNDS: Final = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
_MAPS: Final = frozenset({"properties", "patternProperties", "definitions"})
_DATA: Final = frozenset({"enum", "default", "example", "examples", "const"})


def translate(node: Json, place: Place, scope: Scope) -> None:
    """Writes a schema of OpenAPI 3.0, and all that it refers to, anew in the words of draft 7."""
    waiting = [(node, place)]
    seen: set[Place] = set()
    while waiting:
        current, at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        made = _translated(current, 0)
        if made != current:
            scope.edited(at, made)
        for ref in _references(current):
            found = scope.resolver.target(at, ref)
            waiting += [(found[1], found[0])] if found is not None else []


def _translated(node: Json, depth: int) -> Json:
    if depth > MAX_DEPTH:
        return node
    if isinstance(node, list):
        return [_translated(item, depth + 1) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Json] = {}
    for key, value in node.items():
        if key in _DATA:
            made[key] = value
        elif key in _MAPS and isinstance(value, dict):
            made[key] = {name: _translated(item, depth + 2) for name, item in value.items()}
        elif key != "nullable":
            made[key] = _translated(value, depth + 1)
    return _nullable(_bounded(made), node)


def _bounded(node: dict[str, Json]) -> dict[str, Json]:
    for exclusive, bound in _BOUNDS:
        if node.get(exclusive) is True and bound in node:
            node[exclusive] = node.pop(bound)
        elif isinstance(node.get(exclusive), bool):
            del node[exclusive]
    return node


def _nullable(made: dict[str, Json], node: dict[str, Json]) -> Json:
    if node.get("nullable") is True and isinstance(made.get("type"), str):
        made["type"] = [made["type"], "null"]
    return made


def _references(node: Json) -> list[str]:
    found, waiting = [], [node]
    while waiting:
        current = waiting.pop()
        if isinstance(current, list):
            waiting += current
        elif isinstance(current, dict):
            ref = current.get("$ref")
            found += [ref] if isinstance(ref, str) else []
            waiting += current.values()
    return found
