"""Contract tests that the evidence lacks, each with objective assertions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.evidence.item import Citation
from evreview.workflows.w2.contract_entries import Entries
from evreview.workflows.w2.contract_rows import Body, Entry, FieldRow, Response
from evreview.workflows.w2.facts import ClaimKey, Operation, ProposedTest, withheld
from evreview.workflows.w2.matrix.test_results import Coverage, ResponseCoverage

_MOST_FIELDS: Final = 20
_NO_WORD: Final = re.compile(r"[^a-z0-9]+")


def tests_needed(
    operations: Sequence[Operation], entries: Entries, covered: Coverage, withholds: frozenset[ClaimKey] = frozenset()
) -> tuple[ProposedTest, ...]:
    """One named test per uncovered response and media type, each assertion one that a machine can decide.

    Words of the contract stand in backticks. Nothing is asserted that a discrepancy withholds: of a response that is
    withheld as a whole only the status, of a body that is withheld no field.
    """
    by_id = {operation.id: operation for operation in operations}
    found: list[ProposedTest] = []
    names: set[str] = set()
    for lacking in covered.uncovered:
        if lacking.operation in by_id:
            entry = entries.entry(by_id[lacking.operation])
            found.append(_renamed(_proposed_test(entry, lacking, withholds), names))
    return tuple(found)


def _proposed_test(entry: Entry, lacking: ResponseCoverage, withholds: frozenset[ClaimKey]) -> ProposedTest:
    response = next(row for row in entry.responses if row.status == lacking.status)
    body = next((each for each in response.bodies if each.media_type == lacking.media_type), None)
    if body is not None and withheld(body.claim, withholds):
        body = None
    key = "\n".join((lacking.operation, lacking.status, lacking.media_type))
    return ProposedTest(
        id="T-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        operation=lacking.operation,
        name=_name(entry.operation, lacking),
        asserts=tuple(_asserts(entry, response, body, withholds)),
        why=f"The contract documents this response; {lacking.reason}.",
        citations=_citations(response, body),
    )


def _asserts(entry: Entry, response: Response, body: Body | None, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    yield _status(entry, response.status)
    if withheld(response.claim, withholds):
        return
    for header in response.headers:
        if header.required and not withheld(header.claim, withholds):
            yield f"the response has the header {_code(header.name)}"
    if body is None:
        return
    if body.media_type:
        yield f"the media type is {_code(body.media_type)}"
    if body.root is None:
        return
    held = any(withheld(body.claim_of(row), withholds) for row in body.fields)
    if not held:
        yield "the body is valid against the documented schema"
    open_fields = [row for row in _demanded(body) if not withheld(body.claim_of(row), withholds)]
    if open_fields:
        more = len(open_fields) - _MOST_FIELDS
        names = ", ".join(_code(row.path) for row in open_fields[:_MOST_FIELDS])
        yield f"the body has {names}{f' and {more} more required fields' if more > 0 else ''}"
    yield from _codes(response, body, withholds)


def _status(entry: Entry, status: str) -> str:
    if status == "default":
        listed = ", ".join(_code(row.status) for row in entry.responses if row.status != "default")
        return f"the status is none of {listed}" if listed else "the response has a status"
    return f"the status is {'in ' if status.endswith('XX') else ''}{_code(status)}"


def _demanded(body: Body) -> Iterator[FieldRow]:
    """The fields that every such body has: required, below required ones only, and in no alternative."""
    missing: list[str] = []
    for row in body.fields:
        below = any(row.path.startswith((f"{outer}.", f"{outer}[")) for outer in missing)
        if row.branch or below or row.required is False or row.path.endswith("*"):
            missing.append(row.path)
        elif row.required and "[" not in row.path:
            yield row


def _codes(response: Response, body: Body, withholds: frozenset[ClaimKey]) -> Iterator[str]:
    codes = [code.value for code in response.codes_of(body) if not code.example]
    rows = [row for row in body.fields if set(codes) & set(row.codes)]
    if codes and rows and not withheld(body.claim_of(rows[0]), withholds):
        several = "one of " if len(codes) > 1 else ""
        yield f"{_code(rows[0].path)} is {several}{', '.join(map(_code, codes))}"


def _citations(response: Response, body: Body | None) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys((*response.citations, *(body.citations if body is not None else ()))))


def _name(operation: Operation, lacking: ResponseCoverage) -> str:
    """A name that any test framework takes: `test_get_order_404_application_json`."""
    said = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", operation.operation_id) or operation.id
    words = (said, lacking.status, lacking.media_type)
    return "_".join(["test", *(_NO_WORD.sub("_", word.lower()).strip("_") for word in words if word)])


def _renamed(made: ProposedTest, names: set[str]) -> ProposedTest:
    """The test under a name that no other one has."""
    name, number = made.name, 2
    while name in names:
        name, number = f"{made.name}_{number}", number + 1
    names.add(name)
    return replace(made, name=name)


def _code(word: str) -> str:
    """A word of the contract in backticks; a backtick in it could end them."""
    return f"`{word.replace('`', chr(39))}`"
