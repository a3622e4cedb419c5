"""Findings as a SARIF 2.1.0 log. A hypothesis asks for review; only what evidence supports is a failure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evreview.artifacts.interchange.model import Concluded, Exchange, cited, lines
from evreview.report.ledger_annotations import SCHEMA, sarif_message, sarif_uri

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
        "results": [_result(exchange, each, at[each.rule]) for each in exchange.findings],
        "columnKind": "unicodeCodePoints",
        "properties": {"workflow": exchange.workflow, "decision": exchange.decision, "bundle": exchange.digest},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(exchange: Exchange, each: Concluded, rule: int) -> dict[str, Any]:
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
