"""A comparison as a SARIF 2.1.0 log. Deterministic: no time, no random id; results are keyed by the delta's id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from evreview.artifacts.accepted_text import COLUMN, is_asked, suppressions, told
from evreview.artifacts.sarif_rules import NO_RULE, UNREAD, descriptors, unread_descriptor
from evreview.contract.model import Place
from evreview.redaction.detector import Kind, placeholder

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SIDES: Final = ("candidate", "released")
KEPT: Final = (
    *(COLUMN, "role", "operation", "aspect", "facet", "change", "accepts_old_requests", "emits_old_compatible"),
    *("released", "candidate", "proof", "title", "why", "planes"),
)
"""Members of a row that a result carries as they are; `proof` holds the witness and the command that repeats it."""
_KINDS: Final = {"breaking": ("fail", "error"), "unknown": ("fail", "warning"), "compatible": ("pass", "none")}
Row = Mapping[str, Any]


def sarif_log(document: Mapping[str, Any]) -> dict[str, Any]:
    """The log of a comparison's JSON object, already redacted.

    A breaking row is a failure with level error, an unknown one with level warning, a compatible one a pass. A result
    stands at the candidate's place, the released one is related; at the released place when there is no other. What
    nobody could read is a notification of the run.
    """
    rules = sorted({row.get("rule") or NO_RULE for row in document["rows"]})
    at = {rule: index for index, rule in enumerate(rules)}
    driver: dict[str, Any] = {"name": "evreview", "rules": descriptors(rules)}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "artifacts": [_artifact(document[side]) for side in ("released", "candidate")],
        "results": [_result(row, at, accepting=is_asked(document)) for row in document["rows"]],
        "columnKind": "unicodeCodePoints",
        "properties": {"schema": document["schema"], "summary": document["summary"]},
    }
    if document["unread"]:
        driver["notifications"] = [unread_descriptor()]
        notes = [_notification(part) for part in document["unread"]]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": notes}]
    text = str(document)
    if tokens := [placeholder(kind) for kind in Kind if placeholder(kind) in text]:
        run["redactionTokens"] = tokens
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(side: Row) -> dict[str, Any]:
    found: dict[str, Any] = {"location": {"uri": sarif_uri(str(side.get("path") or "unknown"))}}
    if side.get("sha256"):
        found["hashes"] = {"sha-256": side["sha256"]}
    return found


def _result(row: Row, rules: Mapping[str, int], *, accepting: bool) -> dict[str, Any]:
    kind, level = _KINDS[row["verdict"]]
    rule = row.get("rule") or NO_RULE
    proof = row["proof"]
    said = [f"{row['address']}: {row['aspect']} {row['change']}, {row['verdict']} ({proof['status']})"]
    said += [text for text in (proof.get("reason"), told(row)) if text]
    places = list(_places(row))
    logical = [{"fullyQualifiedName": row["address"], "kind": "element"}]
    first: dict[str, Any] = {**(places[0] if places else {}), "logicalLocations": logical}
    result = {
        "ruleId": rule,
        "ruleIndex": rules[rule],
        "kind": kind,
        "level": level,
        "message": sarif_message("; ".join(said)),
        "locations": [first],
        "partialFingerprints": {"deltaId/v1": row["id"]},
        "properties": {name: row[name] for name in KEPT if name in row and (name != "planes" or row[name])},
    }
    if places[1:]:
        result["relatedLocations"] = [{"id": number, **place} for number, place in enumerate(places[1:], 1)]
    if accepting:
        result["suppressions"] = suppressions(row)
    return result


def _places(row: Row) -> Iterator[dict[str, Any]]:
    """Where the row stands on each side, the candidate first."""
    for side in SIDES:
        location = str(row["locations"].get(side) or "")
        if Place.read(location).file:
            pointer = Place.read(location).pointer or "the document"
            pointer = f"line {pointer[1:]}" if pointer.startswith("L") else pointer
            line = row.get("lines", {}).get(side)
            yield {"physicalLocation": _physical(location, line), "message": sarif_message(f"{side}: {pointer}")}


def _notification(part: Row) -> dict[str, Any]:
    place = str(part.get("place") or "")
    texts = [text for text in (part.get("found"), part.get("advice")) if text]
    return {
        "level": "warning",
        "descriptor": {"id": UNREAD, "index": 0},
        "message": sarif_message(f"{place}: {'. '.join(texts)}"),
    }


def _physical(location: str, line: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {"artifactLocation": {"uri": sarif_uri(Place.read(location).file)}}
    if line:
        found["region"] = {"startLine": line}
    return found


def sarif_message(text: str) -> dict[str, str]:
    """A message that shows the text: in SARIF, `[words](target)` would be a link."""
    return {"text": text.replace("](", r"\](")}


def sarif_uri(path: str) -> str:
    """A path as a relative URI reference."""
    return quote(path.replace("\\", "/"), safe="/._-~")
