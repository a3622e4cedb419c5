"""Executed checks as in-toto statements, one per check. Spec: in-toto attestation v1, predicate test-result v0.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from evreview.artifacts.interchange.model import Check, Exchange, cited

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
