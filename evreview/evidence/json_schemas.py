"""JSON Schemas of everything a person writes into a bundle, and the page of the bundle format made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import BaseModel

from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.claim_types import CARRIES, SUPPORTS, VOCABULARY, ClaimKind
from evreview.evidence.item_reader import ReviewFile
from evreview.evidence.records.compatibility import DIALECT
from evreview.evidence.records.review import Decisions
from evreview.evidence.typed_reader import BODIES


def one_line(text: str) -> str:
    """A text without its line breaks; blanks inside of a line stay, since a recipe may count them."""
    return " ".join(line.strip() for line in text.strip().splitlines())


def schemas() -> dict[str, Json]:
    """A JSON Schema per file and per `kind:` of typed body, self-contained."""
    models: dict[str, type[BaseModel]] = {"review.yaml": ReviewFile, "decisions.yaml": Decisions}
    models |= {kind: body.record for kind, body in BODIES.items()}
    return {name: {"$schema": DIALECT, **_strict(model)} for name, model in models.items()}


def _strict(model: type[BaseModel]) -> dict[str, Json]:
    """The model's schema, with what only intake checks: `kind` is written, one of content and file is given."""
    schema: dict[str, Any] = model.model_json_schema()
    for node in (schema, *schema.get("$defs", {}).values()):
        if "const" in node.get("properties", {}).get("kind", {}):
            node["required"] = ["kind", *node.get("required", ())]
    entry = schema.get("$defs", {}).get("ItemEntry")
    if entry is not None:
        entry["oneOf"] = [{"required": ["content"]}, {"required": ["file"]}]
    return schema


def fields(schema: Mapping[str, Any], node: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Name, type, whether it is required, and meaning of every field of an object of a schema."""
    for name, field in node.get("properties", {}).items():
        needed = "yes" if name in node.get("required", ()) else "no"
        yield name, type_text(schema, field), needed, one_line(str(field.get("description", "")))


def type_text(schema: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    """A field's type in words: `list of policy rule`, `text or null`, or its allowed values."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        target = schema["$defs"][name]
        return name if target.get("type") == "object" else type_text(schema, target)
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return ", ".join(f"`{word}`" for word in node["enum"])
    members = node.get("anyOf") or node.get("oneOf")
    if members:
        return " or ".join(type_text(schema, member) for member in members)
    return _simple(schema, node)


def _simple(schema: Mapping[str, Any], node: Mapping[str, Any]) -> str:
    kind = node.get("type")
    if kind == "array":
        return f"list of {type_text(schema, node.get('items', {}))}"
    if kind == "object":
        return "mapping of texts"
    if node.get("pattern") == r"^E[1-9][0-9]*$":
        return "evidence id"
    if kind == "string":
        formats = {"date": "day", "date-time": "time with time zone"}
        return "day" if "pattern" in node else formats.get(str(node.get("format")), "text")
    return {"integer": "whole number", "number": "number", "boolean": "true or false", "null": "null"}.get(
        str(kind), "any JSON value"
    )


def bundle_format() -> str:
    """`docs/bundle-format.md`, made from the models and tables."""
    found = schemas()
    sections = [_INTRODUCTION.strip()]
    sections += ["## `review.yaml`", *_objects(found["review.yaml"])]
    sections += [
        "## Kinds of evidence",
        "The known values of `type`. Another kind is accepted as text, with a warning.",
        "\n".join(f"* {kind}" for kind in EvidenceType),
        _INTEGRITY.strip(),
        "## `decisions.yaml`",
        *_objects(found["decisions.yaml"]),
        "## Typed bodies",
        _BODIES.strip(),
    ]
    for kind, body in BODIES.items():
        where = ", ".join(sorted(body.types))
        sections += [f"### `kind: {kind}`", f"Content of evidence of type: {where}.", *_objects(found[kind])]
    sections += [_CITATIONS.strip(), _supports(), _DENIALS.strip(), _vocabulary(), _carries()]
    return "\n\n".join(sections) + "\n"


def _objects(schema: Any) -> Iterator[str]:
    """A table per object of a schema, the whole document first."""
    yield _table(("Field", "Type", "Required", "Meaning"), fields(schema, schema))
    for name, node in schema.get("$defs", {}).items():
        if node.get("type") == "object":
            yield f"**{name}.** {one_line(str(node.get('description', '')))}"
            yield _table(("Field", "Type", "Required", "Meaning"), fields(schema, node))


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [_row(head), _row(tuple("---" for _ in head))]
    lines.extend(_row((f"`{first}`", *rest)) for first, *rest in rows)
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _supports() -> str:
    every = "every type, unlisted ones too"
    lines = [_row(("Claim", "Types of evidence that may support it")), _row(("---", "---"))]
    for claim, types in SUPPORTS.items():
        lines.append(_row((claim, every if claim is ClaimKind.STATEMENT else ", ".join(sorted(types)))))
    return "\n".join(lines)


def _vocabulary() -> str:
    lines = [_row(("Claim", "Named by (regular expression)")), _row(("---", "---"))]
    lines += [_row((claim, f"`{words}`")) for claim, words in VOCABULARY.items()]
    return "\n".join(lines)


def _carries() -> str:
    text = "A typed body narrows further: an item with such a body carries only these claims, and statements."
    lines = [_row(("Body", "Claims")), _row(("---", "---"))]
    lines += [_row((f"`{kind}`", ", ".join(sorted(claims)))) for kind, claims in CARRIES.items()]
    return "\n\n".join([text, "\n".join(lines)])


_INTRODUCTION: Final = """
<!-- Generated by `python -m tests.generated`. -->

# The bundle format

A bundle is a folder with `review.yaml`, the evidence beside it, and optionally `decisions.yaml`. `evreview new w1 DIR`
makes one to fill in, `evreview check DIR` names every problem with its file, place and advice, `evreview schema` prints
the JSON Schemas. Unknown keys are refused. All text is UTF-8; no file has more than 64 MiB. Files are named by relative
POSIX paths; a name or a symbolic link that leaves the folder is refused. Nothing is fetched, nothing is executed.
"""

_INTEGRITY: Final = """
### Integrity

`integrity` ties the content to something that can't move:

| Written | Result |
| --- | --- |
| `sha256:<64 digits>` (or sha384, sha512) | the digest of the content; verified, a difference is an error |
| `blob <git blob id>` | verified in the same way |
| `commit <40 or 64 digits>`, with `path <path>` or `<commit>:<path>` | verified in a given clone, else declared |
| `v1.4.0, sha256:<64 digits>` | a tag with a digest: the digest is verified |
| `main`, `HEAD`, `latest`, `refs/heads/…`, an abbreviated commit, a tag alone | refused |

What can't be verified is printed as declared, never as verified. The sha256 of the content is always recorded.
"""

_BODIES: Final = """
Content that is a mapping with `kind:` is a typed body: it is read, and it must be valid. Other text is accepted and can
be cited, and nothing is derived from it. A HAR recording stands as it is in a test record or an execution and approval
record. Its entries may carry `_side` (`released` or `candidate`), `_revision`, `_fixture`, `_command` and `_source`;
`log.comment` may state the same for all of them (`side: candidate; revision: 1f2e3d4`). A recorded response whose side
is neither stated nor told by its revision belongs to an unknown side.
"""

_CITATIONS: Final = """
## Citations

A citation is `E3`, or `E3` with a locator that resolves inside the item:

| Written | Means |
| --- | --- |
| `E3#/paths/~1orders/get` | a JSON pointer into JSON or YAML content |
| `E3:L10`, `E3:L10-L20` | lines, counted from 1, both ends included |
| `E3:id=C-7` | the entry with that id (or name) in a typed body |
| `E3:file=parts/order.yaml#/type` | a JSON pointer in another file of a split contract |
| `E3:file=parts/order.proto#L10` | a line of another file of a split contract |

Blanks, commas, semicolons, brackets, backticks and pipes in a locator are percent-encoded. Citations count in `[E3]`,
`(E1, E2:L3)` and Evidence cells; in code spans nothing is a citation. `E0`, `E01` and `e1` are errors.

## Which evidence may support which claim
"""

_DENIALS: Final = """
What `establishes` denies is taken away: words after *not*, *no*, *nothing* or *cannot* in a sentence, and words right
before *is not proved* (or recorded, shown, verified, …), exclude the claims that they name. `Not only` denies nothing.
"""
