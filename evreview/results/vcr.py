"""VCR tapes: those of schemathesis, with checks, and those of vcrpy and its relatives, which hold exchanges only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evreview.core.vocabulary import Json
from evreview.evidence.test_results.http_archive import decoded
from evreview.evidence.test_results.model import Case, Exchange, Outcome, Results, Unreadable
from evreview.evidence.test_results.schemathesis import header_value
from evreview.results.exchanges import Recorded, exchange
from evreview.results.parts import MAX_CASES, listed, mapping, separate, status_of, where, word, worst
from evreview.results.schemathesis_checks import check_assertions, check_messages, outcome_of

LISTS = ("http_interactions", "interactions")


def read_vcr(data: Json) -> Results:
    """Every interaction as a case; without checks its outcome is `recorded`."""
    tape = mapping(data)
    name = next((name for name in LISTS if name in tape), LISTS[0])
    entries = listed(tape.get(name))
    cases: list[Case] = []
    unread: list[Unreadable] = []
    for number, entry in enumerate(entries[:MAX_CASES]):
        locator = where(name, number)
        found, faults = exchange(_recorded(mapping(entry)), locator)
        unread.extend(faults)
        if found is not None:
            cases.append(_case(mapping(entry), number, found))
    if len(entries) > MAX_CASES:
        unread.append(Unreadable(where(name), f"only the first {MAX_CASES} interactions were read", lost=True))
    seed = tape.get("seed")
    return Results(
        format="vcr",
        cases=separate(cases),
        command=word(tape.get("command")),
        tool=word(tape.get("recorded_with")),
        seed=str(seed) if isinstance(seed, int | str) else "",
        unread=tuple(unread),
    )


def _case(entry: Mapping[str, Json], number: int, seen: Exchange) -> Case:
    checks = listed(entry.get("checks"))
    operation = f"{seen.method} {seen.path}"
    return Case(
        id=word(entry.get("id")) or f"interaction-{number}",
        what=operation,
        outcome=_outcome(entry, checks),
        locator=seen.locator,
        message=check_messages(checks),
        assertions=check_assertions(checks, operation, word(mapping(entry.get("generation")).get("mode")), seen),
        exchanges=(seen,),
    )


def _outcome(entry: Mapping[str, Json], checks: Sequence[Json]) -> Outcome:
    stated = (outcome_of(one) for one in (entry.get("status"), *(mapping(check).get("status") for check in checks)))
    known = [outcome for outcome in stated if outcome is not None]
    return worst(known) if known else "recorded"


def _recorded(entry: Mapping[str, Json]) -> Recorded:
    request, response = mapping(entry.get("request")), mapping(entry.get("response"))
    headers, status = mapping(response.get("headers")), response.get("status")
    return Recorded(
        method=word(request.get("method")),
        url=word(request.get("uri")) or word(request.get("url")),
        request_headers=tuple(mapping(request.get("headers"))),
        status=status_of(mapping(status).get("code") if isinstance(status, Mapping) else status),
        content_type=header_value(headers, "content-type"),
        response_headers=tuple(headers),
        body=_body(response.get("body"), header_value(headers, "content-encoding")),
    )


def _body(body: Json, encoding: str) -> str | bytes | None:
    """The body as recorded; a compressed one is not unpacked."""
    if encoding.lower() not in ("", "identity"):
        return None
    if isinstance(body, str):
        return body
    part = mapping(body)
    return decoded(word(part.get("base64_string"))) or word(part.get("string")) or None
