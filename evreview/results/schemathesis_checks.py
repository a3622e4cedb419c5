"""What a passed or failed check of schemathesis says about an operation.

Schemathesis writes every check as passed for every response, also those that had nothing to check. Such a pass says
nothing, so each check states when its pass counts. A failure always counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from evreview.core.vocabulary import Concern, Json
from evreview.evidence.test_results.model import Assertion, Exchange, Outcome
from evreview.results.parts import mapping, message_of, word


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """One check. `passes`: when its pass says something. `example` fails it, `counter` does not."""

    id: str
    why: str
    passes: Literal["always", "positive", "negative", "never"]
    concern: Concern | None
    example: str
    counter: str


CHECKS: Final = (
    CheckRule(
        id="not_a_server_error",
        why="the response's status is below 500",
        passes="always",
        concern=None,
        example="500",
        counter="404",
    ),
    CheckRule(
        id="status_code_conformance",
        why="the contract declares the response's status",
        passes="always",
        concern=None,
        example="an undeclared 409",
        counter="a declared 409",
    ),
    CheckRule(
        id="content_type_conformance",
        why="the contract declares the media type for this status",
        passes="always",
        concern=None,
        example="text/html where JSON is declared",
        counter="application/json where it is declared",
    ),
    CheckRule(
        id="response_schema_conformance",
        why="the body is valid against the schema declared for this status; without a schema the pass is empty",
        passes="always",
        concern=None,
        example="a required member is missing",
        counter="all required members are there",
    ),
    CheckRule(
        id="response_headers_conformance",
        why="declared response headers are there; most responses declare none, so a pass says nothing",
        passes="never",
        concern=Concern.HEADERS,
        example="a declared X-Total is missing",
        counter="no header is declared",
    ),
    CheckRule(
        id="negative_data_rejection",
        why="a request that breaks the contract is refused",
        passes="negative",
        concern=Concern.VALIDATION,
        example="201 for a body without a required member",
        counter="422 for it",
    ),
    CheckRule(
        id="positive_data_acceptance",
        why="a request that keeps the contract is not refused as invalid",
        passes="positive",
        concern=Concern.VALIDATION,
        example="422 for a valid body",
        counter="201 for it",
    ),
    CheckRule(
        id="missing_required_header",
        why="a request without a required header is refused; sent in few cases only, and a pass does not say in which",
        passes="never",
        concern=Concern.PARAMETERS,
        example="200 without the required header",
        counter="401 without it",
    ),
    CheckRule(
        id="unsupported_method",
        why="a method that the contract lacks is refused; sent in few cases only",
        passes="never",
        concern=None,
        example="200 for TRACE",
        counter="405 for it",
    ),
    CheckRule(
        id="ignored_auth",
        why="a request without credentials is refused; not tried where the contract demands none",
        passes="never",
        concern=Concern.AUTHENTICATION,
        example="200 without a token",
        counter="401 without it",
    ),
    CheckRule(
        id="use_after_free",
        why="a deleted resource is gone; tried in sequences only",
        passes="never",
        concern=Concern.SIDE_EFFECTS,
        example="200 after DELETE",
        counter="404 after it",
    ),
    CheckRule(
        id="ensure_resource_availability",
        why="a created resource can be read; tried in sequences only",
        passes="never",
        concern=Concern.SIDE_EFFECTS,
        example="404 after POST",
        counter="200 after it",
    ),
)
_BY_ID: Final = {rule.id: rule for rule in CHECKS}
_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "success": "passed",
    "failure": "failed",
    "error": "error",
    "skip": "skipped",
}


def outcome_of(status: object) -> Outcome | None:
    """How a check, a case or a scenario ended, None for an unknown word."""
    return _OUTCOMES.get(word(status).lower())


def check_assertions(checks: Iterable[Json], operation: str, mode: str, seen: Exchange | None) -> tuple[Assertion, ...]:
    """The checks that say something, as assertions about the operation and the response that was seen."""
    found: list[Assertion] = []
    for check in map(mapping, checks):
        name, outcome = word(check.get("name")), outcome_of(check.get("status"))
        rule = _BY_ID.get(name)
        if outcome is None or not name:
            continue
        if outcome == "passed" and not (rule and rule.passes in ("always", mode)):
            continue
        found.append(
            Assertion(
                operation=operation,
                outcome=outcome,
                what=name,
                status=seen.status if seen is not None else None,
                media_type=seen.media_type if seen is not None else "",
                concern=rule.concern if rule is not None else None,
            )
        )
    return tuple(found)


def check_messages(checks: Iterable[Json]) -> str:
    """What the failed checks report: name and message, without the schema and the value that follow."""
    found: list[str] = []
    for check in map(mapping, checks):
        if outcome_of(check.get("status")) in ("passed", None):
            continue
        failure = mapping(mapping(check.get("failure_info")).get("failure"))
        detail = word(failure.get("message")) or word(check.get("message"))
        found.append(f"{word(check.get('name'))}: {detail.partition(chr(10) * 2)[0]}")
    return message_of(*found)
