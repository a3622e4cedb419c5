"""A comparison for code hosts: as a SARIF 2.1.0 log, and as annotations of GitHub Actions.

Deterministic: no time, no random id; results are keyed by the delta's id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from evreview.contract.model import Place
from evreview.core.frozen import frozen
from evreview.core.quoted_text import plain
from evreview.core.vocabulary import RuleId, Verdict
from evreview.kinds.load import file_of
from evreview.kinds.rule_catalogue import BY_ID
from evreview.redaction.detector import Kind, placeholder
from evreview.report.difference_text import RowText, contexts, said
from evreview.report.ledger_formats import (
    COLUMN,
    NAMES,
    Document,
    by_plane,
    evidence,
    is_accepted,
    is_asked,
    shown_form,
    stale,
    summary,
    suppressions,
    told,
    verdict_of,
)
from evreview.report.ledger_text import WHOLE
from evreview.report.terminal_text import flat, listed_within

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SIDES: Final = ("candidate", "released")
KEPT: Final = (
    *(COLUMN, "role", "operation", "aspect", "facet", "change", "accepts_old_requests", "emits_old_compatible"),
    *("released", "candidate", "proof", "title", "why", "planes"),
)
"""Members of a row that a result carries as they are; `proof` holds the witness and the command that repeats it."""
_LINE: Final = 160
"""Characters of the names, and of the words, of a row in a message."""
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
        "results": [_result(row, text, at, accepting=is_asked(document)) for row, text in _spoken(document)],
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
    found: dict[str, Any] = {"location": {"uri": sarif_uri(file_of(str(side.get("path") or "unknown")))}}
    if side.get("sha256"):
        found["hashes"] = {"sha-256": side["sha256"]}
    return found


def _spoken(document: Row) -> list[tuple[Row, RowText]]:
    """Each row with what it says."""
    known = contexts(document["rows"], document[NAMES])
    return [(row, said(row, known[row["id"]])) for row in document["rows"]]


def _told(text: RowText) -> str:
    """Where the row stands and what it says, on one line."""
    where = listed_within(text.under, _LINE) or WHOLE
    place = f", {flat(text.place)}" if text.place else ""
    return f"{where}{place}: {plain(text.within(_LINE))}"


def _result(row: Row, text: RowText, rules: Mapping[str, int], *, accepting: bool) -> dict[str, Any]:
    kind, level = _KINDS[row["verdict"]]
    rule = row.get("rule") or NO_RULE
    parts = (_told(text), f"{text.verdict}, {text.shown_by}", row["proof"].get("reason"), told(row))
    places = list(_places(row))
    logical = [{"fullyQualifiedName": row["address"], "kind": "element"}]
    first: dict[str, Any] = {**(places[0] if places else {}), "logicalLocations": logical}
    result = {
        "ruleId": rule,
        "ruleIndex": rules[rule],
        "kind": kind,
        "level": level,
        "message": sarif_message("; ".join(part for part in parts if part)),
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
    found: dict[str, Any] = {"artifactLocation": {"uri": sarif_uri(file_of(Place.read(location).file))}}
    if line:
        found["region"] = {"startLine": line}
    return found


def sarif_message(text: str) -> dict[str, str]:
    """A message that shows the text: in SARIF, `[words](target)` would be a link."""
    return {"text": text.replace("](", r"\](")}


def sarif_uri(path: str) -> str:
    """A path as a relative URI reference."""
    return quote(path.replace("\\", "/"), safe="/._-~")


# The rules that spoke, as a SARIF log describes them; made from the catalogue alone.


NO_RULE: Final = "no-rule"
UNREAD: Final = "not-understood"
_LEVELS: Final = {Verdict.BREAKING: "error", Verdict.UNKNOWN: "warning", Verdict.COMPATIBLE: "note"}


def descriptors(rules: Iterable[str]) -> list[dict[str, Any]]:
    """A reporting descriptor per rule id, in the order given."""
    return [_descriptor(rule) for rule in rules]


def unread_descriptor() -> dict[str, Any]:
    """What a notification about a part that nobody could read refers to."""
    said = "A part of a contract could not be understood; what changed in it is not known."
    return {"id": UNREAD, **_texts("Not understood", said, said), "defaultConfiguration": {"level": "warning"}}


def _descriptor(rule_id: str) -> dict[str, Any]:
    rule = BY_ID.get(RuleId(rule_id))
    if rule is None:
        said = "No rule speaks about this difference: whether it is compatible is not known."
        return {
            "id": rule_id,
            "name": _name(rule_id),
            **_texts(rule_id.replace("-", " ").capitalize(), said, said),
            "defaultConfiguration": {"level": "warning"},
        }
    return {
        "id": rule_id,
        "name": _name(rule_id),
        **_texts(rule.title, rule.why, f"{rule.why} Reference: {rule.reference}."),
        "defaultConfiguration": {"level": _LEVELS[rule.verdict]},
        "properties": {
            "verdict": rule.verdict.value,
            "accepts_old_requests": rule.accepts_old_requests.value,
            "emits_old_compatible": rule.emits_old_compatible.value,
            "reference": rule.reference,
        },
    }


def _texts(short: str, full: str, helping: str) -> dict[str, Any]:
    texts = {"shortDescription": short, "fullDescription": full, "help": helping}
    return {name: {"text": text} for name, text in texts.items()}


def _name(rule_id: str) -> str:
    return "".join(part.capitalize() for part in rule_id.split("-"))


# Annotations of GitHub Actions: workflow commands on the log of a step.


LEVELS: Final = ("error", "warning", "notice")
SHOWN: Final = 10
"""GitHub shows so many annotations of each level of one step and drops the others."""
_LEVEL: Final = {"breaking": "error", "unknown": "warning", "compatible": "notice"}


@frozen
class _Annotation:
    level: str
    file: str
    line: int | None
    title: str
    message: str


def github_log(document: Document) -> str:
    """One line each, the gravest first; what GitHub would drop stands as plain text, so that the log holds every row.

    The last line is a notice with the summary.
    """
    found = sorted([*_rows(document), *_stale(document), *_unread(document)], key=lambda one: LEVELS.index(one.level))
    lines: list[str] = []
    more: list[str] = []
    room = {"error": SHOWN, "warning": SHOWN, "notice": SHOWN - 1}
    for one in found:
        room[one.level] -= 1
        if room[one.level] >= 0:
            lines.append(_command(one))
        else:
            more.append(_plain(one))
    return "\n".join([*lines, *more, notice(f"{verdict_of(document)}; {summary(document)}")]) + "\n"


def notice(text: str) -> str:
    """One notice about the whole."""
    return f"::notice title=evreview::{_data(text)}"


def _rows(document: Document) -> Iterator[_Annotation]:
    for row, text in _spoken(document):
        side = "candidate" if row["locations"].get("candidate") else "released"
        proof = row["proof"]
        parts = [_told(text), text.shown_by, f"rule {row['rule']}" if row.get("rule") else "no rule"]
        parts += [f"witness {shown_form(shown, 400)}" for shown in evidence(proof)]
        parts += [f"check with: {proof['command']}"] if proof.get("command") else []
        parts += [each for each in (by_plane(row), told(row)) if each]
        yield _Annotation(
            level="notice" if is_accepted(row) else _LEVEL[row["verdict"]],
            file=file_of(Place.read(str(row["locations"].get(side) or "")).file),
            line=row.get("lines", {}).get(side),
            title=f"{row['verdict']}: {plain(text.title)}",
            message=f"{row['id']} {'; '.join(parts)}",
        )


def _stale(document: Document) -> Iterator[_Annotation]:
    for entry, text in stale(document):
        yield _Annotation("warning", entry["source"], entry["line"] or 1, "accepted, but not found", text)


def _unread(document: Document) -> Iterator[_Annotation]:
    for each in document["unread"]:
        file, pointer = Place.read(str(each["place"]))
        line = int(pointer[1:]) if pointer.startswith("L") else None
        where = f"#{pointer}: " if pointer and line is None else ""
        yield _Annotation("warning", file_of(file), line, "not understood", f"{where}{each['found']}; {each['advice']}")


def _command(one: _Annotation) -> str:
    file = f"file={_property(one.file)}"
    where = f"{file},line={one.line}" if one.line else file
    return f"::{one.level} {where},title={_property(one.title)}::{_data(one.message)}"


def _plain(one: _Annotation) -> str:
    where = f"{one.file}:{one.line}" if one.line else one.file
    return _data(f"{one.level}: {where} {one.title}: {one.message}")


def _data(text: str) -> str:
    """One line in which nothing starts another command, in the older syntax with brackets either."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A").replace("##[", "# #[")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
