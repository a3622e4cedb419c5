"""A review as OSCAL assessment results, release 1.2.1: checks and what was examined are observations, findings have a
target and, while unsettled, an open risk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evreview.artifacts.interchange.model import Check, Concluded, Exchange, cited

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
