"""Texts of a new bundle: every field of the models with its meaning, the ones to fill in marked.

`# text` explains, `#key:` is an optional field to uncomment, `FILL-IN` is to be replaced. Made from the JSON Schemas,
so a new field appears here by itself.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from evreview.core.errors import bad_input
from evreview.core.vocabulary import Json, WorkflowId
from evreview.evidence.files import write_new
from evreview.evidence.json_schemas import schemas
from evreview.evidence.reading import MARK
from evreview.evidence.scaffold_items import FILES, NEEDED, OPTIONAL
from evreview.evidence.scaffold_samples import REVIEW_SAMPLES, SAMPLES

_WIDTH: Final = 108
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9./ -]*")
# YAML 1.1 readers, editors among them, take these for booleans and null.
_READ_ELSEWHERE: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})

_HEAD: Final = f"""\
# An evidence bundle for evreview. Replace every {MARK}; remove the # before the optional fields that you use.
# `evreview check` on this folder names everything that is missing, with its place.
"""


_DECISIONS: Final = """\
# What people decided. Append-only: the notebook and the library add entries at the end, or you do.
# An entry (its fields are in docs/bundle-format.md and in `evreview schema`) looks like this:
#  - kind: approval
#    gate: ship-breaking-change
#    role: API owner
#    stands_for: api-owner
#    decision: approved
#    at: 2026-01-31T12:00:00Z
#    reviewed: []
decisions:
"""


def scaffold(workflow: str) -> Mapping[str, str]:
    """File names and texts of a new bundle; contracts and code are the user's to put beside them.

    Args:
        workflow: `w1`, `w2` or `w3`.

    Raises:
        BadInput: there is no such workflow.
    """
    if workflow.upper() not in list(WorkflowId):
        raise bad_input("not-allowed", f"`{workflow}` is no workflow", advice="Allowed: w1, w2, w3")
    chosen = WorkflowId(workflow.upper())
    found: Mapping[str, Any] = schemas()
    texts = {"review.yaml": _HEAD + "\n" + _review(chosen, found["review.yaml"]), "decisions.yaml": _DECISIONS}
    for name, kind in FILES[chosen].items():
        texts[name] = (
            _HEAD_OF_BODY.format(kind=kind)
            + "\n".join(_Writer(found[kind]).lines(SAMPLES[chosen].get(name, {})))
            + "\n"
        )
    return texts


_HEAD_OF_BODY: Final = (
    f"# A typed body, `kind: {{kind}}`. Replace every {MARK}; remove the # before optional fields that you use.\n"
)


def new_bundle(workflow: str, folder: str | Path) -> tuple[Path, ...]:
    """The files of a new bundle, written into a new or empty folder.

    Raises:
        BadInput: there is no such workflow, or the folder is not empty or can't be written.
    """
    return write_new(Path(folder), scaffold(workflow))


def _review(workflow: WorkflowId, schema: Any) -> str:
    sample: dict[str, Json] = {"evreview": 1, "workflow": workflow.lower(), "asks": ["assess"]}
    sample |= REVIEW_SAMPLES[workflow]
    sample |= {"evidence": list(NEEDED[workflow])}
    writer = _Writer(schema)
    lines = list(writer.lines(sample))
    if OPTIONAL[workflow]:
        lines.append("  # Optional items; their files are beside this one.")
    for item in OPTIONAL[workflow]:
        lines += [
            f"  #{line[2:]}" for line in _entry([f"    {key}: {_inline(value)}" for key, value in item.items()], 2)
        ]
    return "\n".join(lines) + "\n"


class _Writer:
    """Writes objects of one schema as commented YAML."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    def lines(self, sample: Mapping[str, Json]) -> Iterator[str]:
        """The whole document: fields of the sample and required ones active, the others commented out."""
        yield from self._object(self._schema, sample, 0)

    def _object(self, node: Mapping[str, Any], sample: Mapping[str, Json], indent: int) -> Iterator[str]:
        for name, prop in node["properties"].items():
            active = name in sample or name in node.get("required", ())
            yield from self._comment(prop, active, indent)
            written = self._field(name, prop, sample.get(name), indent)
            yield from written if active else (_off(line, indent) for line in written)

    def _field(self, name: str, prop: Mapping[str, Any], given: Json, indent: int) -> Iterator[str]:
        pad, target = " " * indent, self._resolved(prop)
        if target.get("type") == "object" and "properties" in target:
            yield f"{pad}{name}:"
            yield from self._object(target, given if isinstance(given, Mapping) else {}, indent + 2)
            return
        element = self._resolved(target.get("items", {}))
        if target.get("type") == "array" and "properties" in element:
            yield f"{pad}{name}:"
            # An entry whose fields are all optional shows its first one, which carries the dash.
            bare = {} if element.get("required") else dict.fromkeys(list(element["properties"])[:1])
            entries = given if isinstance(given, list) else [bare]
            yield from _entry(
                list(self._object(_led(element, entries[0]), _mapping(entries[0]), indent + 4)), indent + 2
            )
            for entry in entries[1:]:
                flat = [f"{pad}    {key}: {_inline(value)}" for key, value in _mapping(entry).items()]
                yield from _entry(flat, indent + 2)
            return
        yield f"{pad}{name}: {_inline(given if given is not None else self._example(prop))}"

    def _comment(self, prop: Mapping[str, Any], required: bool, indent: int) -> Iterator[str]:
        words = " ".join(str(prop.get("description", "")).split())
        allowed = self._words(prop)
        words += f" One of: {', '.join(allowed)}." if len(allowed) > 1 else ""
        words += "" if required else " Optional."
        for line in textwrap.wrap(words, _WIDTH - indent, break_long_words=False, break_on_hyphens=False):
            yield f"{' ' * indent}# {line}"

    def _resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """The node behind references, and the first member of a union that is not null."""
        if "$ref" in node:
            return self._resolved(self._schema["$defs"][node["$ref"].rsplit("/", 1)[-1]])
        members = () if "properties" in node else node.get("anyOf") or node.get("oneOf") or ()
        for member in members:
            if member.get("type") != "null":
                return self._resolved(member)
        return node

    def _words(self, prop: Mapping[str, Any]) -> list[str]:
        node = self._resolved(prop)
        node = self._resolved(node["items"]) if node.get("type") == "array" else node
        return [str(word) for word in node.get("enum", ())]

    def _example(self, prop: Mapping[str, Any]) -> Json:
        """A value of the right type: the default when it says something, else a marker where only the user knows."""
        default, node = prop.get("default"), self._resolved(prop)
        if default not in (None, [], {}, ""):
            return default  # type: ignore[no-any-return]
        words = self._words(prop)
        if "const" in node:
            return node["const"]  # type: ignore[no-any-return]
        if node.get("type") == "array":
            return [words[0] if words else MARK]
        if words:
            return words[0]
        simple: dict[str, Json] = {"boolean": False, "integer": MARK, "number": MARK, "object": {}, "string": MARK}
        return simple.get(str(node.get("type")))


def _led(element: Mapping[str, Any], given: Json) -> Mapping[str, Any]:
    """The element with its first active field in front, which carries the dash of the entry."""
    fields = element["properties"]
    active = {*element.get("required", ()), *_mapping(given)}
    first = next((name for name in fields if name in active), next(iter(fields)))
    return {**element, "properties": {first: fields[first], **fields}}


def _mapping(value: object) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _entry(lines: list[str], indent: int) -> Iterator[str]:
    """The lines of a list entry, with the dash before its first active field."""
    dashed = False
    for line in lines:
        is_field = not line.lstrip().startswith("#")
        if is_field and not dashed:
            yield f"{' ' * indent}- {line[indent + 2 :]}"
            dashed = True
        else:
            yield line


def _off(line: str, indent: int) -> str:
    return f"{' ' * indent}#{line[indent:]}"


def _inline(value: Json) -> str:
    """A value as YAML on one line; plain where it can't be misread."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value not in _READ_ELSEWHERE:
        return value
    return json.dumps(value, ensure_ascii=False)
