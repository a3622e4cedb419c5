"""A finished review for other tools: OSCAL assessment results, SARIF log of findings, in-toto statements of checks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evreview.core.frozen import frozen
from evreview.report.ledger_annotations import SCHEMA, sarif_message, sarif_uri

# The review as they see it: its evidence, its executed checks, its findings. All of it is text.


_SPACE: Final = bytes.fromhex("6b0f1c526d5e5f0a9a432b6a1f2f7c10")
"""evreview's own name space of UUIDs."""
_CITED: Final = re.compile(r"(?P<id>E[1-9][0-9]*)(?P<locator>[:#][^,\s]*)?")
_LINES: Final = re.compile(r":L([0-9]+)(?:-L([0-9]+))?")


@frozen(kw_only=True)
class Item:
    """An evidence item: id, kind, the path that it stands for, the digest of its content."""

    id: str
    kind: str
    path: str
    sha256: str


@frozen(kw_only=True)
class Check:
    """A check with its retained result. `evidence` holds citations, comma-separated."""

    id: str
    what: str
    command: str
    revision: str
    environment: str
    result: str
    evidence: str

    @property
    def passed(self) -> bool:
        """True for a check that passed; an error is none."""
        return self.result == "passed"


@frozen(kw_only=True)
class Concluded:
    """One finding, or one discrepancy.

    Attributes:
        id: stable.
        rule, area: what kind of finding it is.
        title, observed, inferred, recommendation, verification: in words; "" where the review has none.
        severity, confidence: as rated.
        disposition, why: what was decided, and by whom or until when.
        supported: False for a hypothesis.
        settled: accepted with an expiry, or closed by evidence.
        holds: it keeps something from being released.
        evidence: citations, comma-separated.
    """

    id: str
    rule: str
    title: str
    evidence: str
    area: str = ""
    observed: str = ""
    inferred: str = ""
    recommendation: str = ""
    verification: str = ""
    severity: str = ""
    confidence: str = ""
    disposition: str = ""
    why: str = ""
    supported: bool = True
    settled: bool = False
    holds: bool = False


@frozen(kw_only=True)
class Exchange:
    """One review.

    Attributes:
        workflow, title, day: which review, and its date.
        digest: of the bundle.
        decision: how it ends.
        items: the evidence that may be spoken of, by id.
    """

    workflow: str
    title: str
    day: str
    digest: str
    decision: str
    items: Mapping[str, Item]
    checks: tuple[Check, ...]
    findings: tuple[Concluded, ...]

    def uuid(self, *parts: str) -> str:
        """An id that depends on the bundle's content and on what it stands for, and on nothing else: version 5."""
        named = "".join(f"{len(part)}:{part}" for part in (self.digest, *parts))
        digest = hashlib.sha1(_SPACE + named.encode(), usedforsecurity=False).hexdigest()
        variant = "89ab"[int(digest[16], 16) % 4]
        return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


def cited(evidence: str) -> Iterator[tuple[str, str]]:
    """The ids and locators of citations, in order."""
    for found in _CITED.finditer(evidence):
        yield found["id"], found["locator"] or ""


def lines(locator: str) -> tuple[int, int] | None:
    """First and last line of a locator that names lines."""
    found = _LINES.fullmatch(locator)
    return (int(found[1]), int(found[2] or found[1])) if found else None


# OSCAL 1.2.1. Checks and what was examined are observations; findings have a target and, while unsettled, an open risk.


VERSION: Final = "1.2.1"
NAMESPACE: Final = "urn:evreview:1"
_NONE: Final = "not stated"


def assessment_results(exchange: Exchange) -> dict[str, Any]:
    """The document. Times are the day of the review: a retained result's own time is not known to a register."""
    return {
        "assessment-results": {
            "uuid": exchange.uuid("assessment-results"),
            "metadata": {
                "title": _line(exchange.title),
                "last-modified": _time(exchange),
                "version": exchange.digest,
                "oscal-version": VERSION,
            },
            "import-ap": {"href": f"#{exchange.uuid('bundle')}", "remarks": "The evidence bundle and its request."},
            "results": [_assessment_result(exchange)],
            "back-matter": {"resources": [_bundle(exchange), *_resources(exchange)]},
        }
    }


def _assessment_result(exchange: Exchange) -> dict[str, Any]:
    observations = [_tested(exchange, check) for check in exchange.checks]
    observations += [_examined(exchange, each) for each in exchange.findings]
    found: dict[str, Any] = {
        "uuid": exchange.uuid("result"),
        "title": f"{exchange.workflow} review",
        "description": _line(exchange.decision),
        "start": _time(exchange),
        "reviewed-controls": {"control-selections": [{"include-all": {}}]},
    }
    if observations:
        found["observations"] = observations
    if exchange.findings:
        found["risks"] = [_risk(exchange, each) for each in exchange.findings]
        found["findings"] = [_finding(exchange, each) for each in exchange.findings]
    return found


def _tested(exchange: Exchange, check: Check) -> dict[str, Any]:
    props = {"command": check.command, "revision": check.revision, "environment": check.environment}
    return {
        "uuid": exchange.uuid("check", check.id, check.evidence),
        "title": _line(check.id),
        "description": _line(check.what),
        "props": [_prop(name, value) for name, value in {**props, "result": check.result}.items() if value.strip()],
        "methods": ["TEST"],
        "types": ["control-objective"],
        "collected": _time(exchange),
        **_evidence(exchange, check.evidence),
    }


def _examined(exchange: Exchange, each: Concluded) -> dict[str, Any]:
    return {
        "uuid": exchange.uuid("examined", each.id),
        "title": _line(each.id),
        "description": _line(each.observed or each.title),
        "methods": ["EXAMINE"],
        "types": ["finding"],
        "collected": _time(exchange),
        **_evidence(exchange, each.evidence),
    }


def _risk(exchange: Exchange, each: Concluded) -> dict[str, Any]:
    accepted = each.settled and each.disposition.startswith("accepted")
    rated = {"severity": each.severity, "confidence": each.confidence, "disposition": each.disposition, "why": each.why}
    return {
        "uuid": exchange.uuid("risk", each.id),
        "title": _line(each.title),
        "description": _line(each.inferred or each.title),
        "statement": _line(each.inferred or each.title),
        "props": [_prop(name, value) for name, value in rated.items() if value.strip()],
        "status": "deviation-approved" if accepted else "closed" if each.settled else "open",
    }


def _finding(exchange: Exchange, each: Concluded) -> dict[str, Any]:
    return {
        "uuid": exchange.uuid("finding", each.id),
        "title": _line(each.title),
        "description": _line(each.observed or each.title),
        "props": [_prop("state", "supported" if each.supported else "hypothesis"), _prop("rule", each.rule)],
        "target": {
            "type": "objective-id",
            "target-id": each.id,
            "status": {"state": "satisfied" if each.settled else "not-satisfied"},
        },
        "related-observations": [{"observation-uuid": exchange.uuid("examined", each.id)}],
        "related-risks": [{"risk-uuid": exchange.uuid("risk", each.id)}],
    }


def _evidence(exchange: Exchange, evidence: str) -> dict[str, Any]:
    found = [
        {"href": f"#{exchange.uuid('item', item)}", "description": f"{item}{locator}"}
        for item, locator in cited(evidence)
        if item in exchange.items
    ]
    return {"relevant-evidence": found} if found else {}


def _bundle(exchange: Exchange) -> dict[str, Any]:
    return {
        "uuid": exchange.uuid("bundle"),
        "title": "Evidence bundle",
        "props": [_prop("sha256", exchange.digest)],
    }


def _resources(exchange: Exchange) -> Iterator[dict[str, Any]]:
    for item in exchange.items.values():
        yield {
            "uuid": exchange.uuid("item", item.id),
            "title": _line(f"{item.id} {item.path}"),
            "description": _line(item.kind),
            "props": [_prop("sha256", item.sha256)],
        }


def _prop(name: str, value: str) -> dict[str, str]:
    return {"name": name, "ns": NAMESPACE, "value": _line(value)}


def _line(text: str) -> str:
    """The text on one line without blanks around it, as OSCAL's string type asks."""
    return " ".join(text.split()) or _NONE


def _time(exchange: Exchange) -> str:
    return f"{exchange.day}T00:00:00Z"


# SARIF 2.1.0. A hypothesis asks for review; only what evidence supports is a failure.


_UNRATED: Final = "not rated"


def findings_log(exchange: Exchange) -> dict[str, Any]:
    """The log: one result per finding, in the register's order, keyed by the finding's stable id."""
    rules = sorted({each.rule for each in exchange.findings})
    at = {rule: index for index, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "evreview", "rules": [{"id": rule} for rule in rules]}},
        "automationDetails": {"id": f"{exchange.workflow}/{exchange.digest}", "guid": exchange.uuid("run")},
        "artifacts": [
            {"location": {"uri": sarif_uri(item.path or item.id)}, "hashes": {"sha-256": item.sha256}}
            for item in exchange.items.values()
        ],
        "results": [_sarif_result(exchange, each, at[each.rule]) for each in exchange.findings],
        "columnKind": "unicodeCodePoints",
        "properties": {"workflow": exchange.workflow, "decision": exchange.decision, "bundle": exchange.digest},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(exchange: Exchange, each: Concluded, rule: int) -> dict[str, Any]:
    said = "; ".join(text for text in (each.title, each.observed, each.inferred) if text)
    found: dict[str, Any] = {
        "ruleId": each.rule,
        "ruleIndex": rule,
        "guid": exchange.uuid("finding", each.id),
        "kind": "fail" if each.supported else "review",
        "level": ("error" if each.holds else "warning") if each.supported else "none",
        "message": sarif_message(said),
        "locations": list(_locations(exchange, each))[:1],
        "relatedLocations": [{"id": number, **place} for number, place in enumerate(_locations(exchange, each), 1)][1:],
        "partialFingerprints": {"findingId/v1": each.id},
        "properties": _properties(each),
    }
    if each.settled:
        found["suppressions"] = [{"kind": "external", "status": "accepted", "justification": _decided(each)}]
    return found


def _properties(each: Concluded) -> dict[str, Any]:
    return {
        "id": each.id,
        "area": each.area,
        "severity": each.severity or _UNRATED,
        "confidence": each.confidence,
        "disposition": each.disposition,
        "recommendation": each.recommendation,
        "verification": each.verification,
        "evidence": each.evidence,
    }


def _decided(each: Concluded) -> str:
    return f"{each.disposition}: {each.why}" if each.why else each.disposition


def _locations(exchange: Exchange, each: Concluded) -> Iterator[dict[str, Any]]:
    """Where the cited evidence stands, source lines first."""
    found = [(item, locator) for item, locator in cited(each.evidence) if item in exchange.items]
    for item, locator in sorted(found, key=lambda pair: lines(pair[1]) is None):
        place: dict[str, Any] = {"artifactLocation": {"uri": sarif_uri(exchange.items[item].path or item)}}
        span = lines(locator)
        if span:
            place["region"] = {"startLine": span[0], "endLine": span[1]}
        yield {"physicalLocation": place, "message": sarif_message(f"{item}{locator}")}


# in-toto attestation v1, predicate test-result v0.1: one statement per executed check.


STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "https://in-toto.io/attestation/test-result/v0.1"
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256: Final = re.compile(r"sha256:([0-9a-f]{64})")


def statements(exchange: Exchange) -> Iterator[dict[str, Any]]:
    """A statement per executed check whose revision is a commit or a digest; nothing else can be its subject."""
    for check in exchange.checks:
        digest = subject_digest(check.revision)
        if digest is not None:
            yield {
                "_type": STATEMENT,
                "subject": [{"name": exchange.title, "digest": digest}],
                "predicateType": PREDICATE,
                "predicate": _predicate(exchange, check),
            }


def subject_digest(revision: str) -> dict[str, str] | None:
    """The revision as a digest set, None for one that is not immutable."""
    archive = _SHA256.fullmatch(revision)
    if archive:
        return {"sha256": archive[1]}
    return {"gitCommit": revision} if _COMMIT.fullmatch(revision) else None


def _predicate(exchange: Exchange, check: Check) -> dict[str, Any]:
    """`annotations` of the configuration hold what the predicate has no member for."""
    command = {"name": "command", "annotations": {"command": check.command, "environment": check.environment}}
    retained = [
        {"name": item, "digest": {"sha256": exchange.items[item].sha256}, "annotations": {"locator": locator}}
        for item, locator in cited(check.evidence)
        if item in exchange.items
    ]
    return {
        "result": "PASSED" if check.passed else "FAILED",
        "configuration": [command, *retained],
        "passedTests": [check.id] if check.passed else [],
        "warnedTests": [],
        "failedTests": [] if check.passed else [check.id],
    }
