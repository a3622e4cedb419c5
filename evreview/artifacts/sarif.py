"""A comparison as a SARIF 2.1.0 log. Deterministic: no time, no random id; results are keyed by the delta's id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from evreview.artifacts.accepted_text import COLUMN, is_asked, suppressions, told
from evreview.guard import Kind
from evreview.guard.model import placeholder

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
NO_RULE: Final = "no-rule"
_KINDS: Final = {"breaking": ("fail", "error"), "unknown": ("fail", "warning"), "compatible": ("pass", "none")}


def sarif_log(document: Mapping[str, Any]) -> dict[str, Any]:
    """The log of a comparison's JSON object, already redacted.

    A breaking row is a failure with level error, an unknown one with level warning, a compatible one a pass.
    """
    rows = document["rows"]
    rules = sorted({row.get("rule") or NO_RULE for row in rows})
    driver = {
        "name": "evreview",
        "rules": [{"id": rule, "shortDescription": {"text": rule.replace("-", " ")}} for rule in rules],
    }
    text = str(document)
    tokens = [placeholder(kind) for kind in Kind if placeholder(kind) in text]
    run = {
        "tool": {"driver": driver},
        "artifacts": [_artifact(document[side]) for side in ("released", "candidate")],
        "results": [_result(row, rules, accepting=is_asked(document)) for row in rows],
        "columnKind": "unicodeCodePoints",
        "properties": {"schema": document["schema"], "summary": document["summary"]},
    }
    if tokens:
        run["redactionTokens"] = tokens
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _artifact(side: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"location": {"uri": _uri(str(side.get("path") or "unknown"))}}
    if side.get("sha256"):
        found["hashes"] = {"sha-256": side["sha256"]}
    return found


def _result(row: Mapping[str, Any], rules: list[str], *, accepting: bool) -> dict[str, Any]:
    kind, level = _KINDS[row["verdict"]]
    rule = row.get("rule") or NO_RULE
    text = f"{row['address']}: {row['aspect']} {row['change']}, {row['verdict']} ({row['proof']['status']})"
    acceptance = told(row)
    names = (
        COLUMN,
        "role",
        "operation",
        "accepts_old_requests",
        "emits_old_compatible",
        "released",
        "candidate",
        "proof",
    )
    return {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "kind": kind,
        "level": level,
        "message": {"text": f"{text}; {acceptance}" if acceptance else text},
        "locations": list(_locations(row)),
        "partialFingerprints": {"deltaId/v1": row["id"]},
        "properties": {name: row[name] for name in names if name in row},
        **({"suppressions": suppressions(row)} if accepting else {}),
    }


def _locations(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    logical = [{"fullyQualifiedName": row["address"], "kind": "element"}]
    found = False
    for side in ("candidate", "released"):
        file, _, pointer = str(row["locations"].get(side) or "").partition("#")
        if file:
            found = True
            physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
            if line := row.get("lines", {}).get(side):
                physical["region"] = {"startLine": line}
            said = {"text": f"{side}: {pointer or 'the document'}"}
            yield {"physicalLocation": physical, "logicalLocations": logical, "message": said}
    if not found:
        yield {"logicalLocations": logical}


def _uri(path: str) -> str:
    return quote(path.replace("\\", "/"), safe="/._-~")
