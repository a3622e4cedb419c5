"""What of an entry may be published, and what a discrepancy withholds: that something is left out, never what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from evreview.core.quoted_text import UserText
from evreview.core.vocabulary import Concern
from evreview.report.statement import Statement, limited, observed
from evreview.workflows.w2.contract_rows import (
    Authentication,
    Body,
    Entry,
    FieldRow,
    ParameterRow,
    RequestBody,
    Response,
    response_claim,
)
from evreview.workflows.w2.contract_words import Constraint, ConstraintKind
from evreview.workflows.w2.facts import (
    ClaimKey,
    Discrepancy,
    Disposal,
    Example,
    Part,
    W2Facts,
    contract_citation,
    withheld,
)

Why = Callable[[ClaimKey], str]
LEFT_OUT: Final = Constraint(ConstraintKind.OTHER, ("some members are left out",))


@dataclass(frozen=True, slots=True)
class Published:
    """An entry without what is withheld, and the claims that were left out."""

    entry: Entry
    left_out: tuple[ClaimKey, ...]


def _waits(_: ClaimKey) -> str:
    return "withheld until a discrepancy is disposed of"


def published(entry: Entry, keys: frozenset[ClaimKey], why: Why = _waits) -> Published:
    """The entry without every row that a discrepancy withholds.

    Args:
        entry: everything that the contract says about the operation.
        keys: the claims that may not be published.
        why: what stands in the place of a withheld claim.
    """
    if not keys:
        return Published(entry, ())
    kept = replace(
        entry,
        properties=tuple(row for row in entry.properties if not withheld(row.claim, keys)),
        authentication=_authentication(entry.authentication, keys, why),
        parameters=tuple(_parameter(row, keys, why) for row in entry.parameters if not withheld(row.claim, keys)),
        body=_request(entry.body, keys),
        success=tuple(_response(each, keys) for each in entry.success if not withheld(each.claim, keys)),
        errors=tuple(_response(each, keys) for each in entry.errors if not withheld(each.claim, keys)),
        stated=tuple(row for row in entry.stated if not withheld(row.claim, keys)),
    )
    left = tuple(key for key in dict.fromkeys(claims(entry)) if withheld(key, keys))
    return Published(kept, left)


def claims(entry: Entry) -> Iterator[ClaimKey]:
    """Every claim that an entry makes, in the order of the reference."""
    yield from (row.claim for row in entry.properties)
    yield entry.authentication.claim
    for row in entry.parameters:
        yield row.claim
        if row.validation:
            yield row.validation_claim
    if entry.body is not None:
        yield entry.body.claim
        yield from _of_bodies(entry.body.bodies)
    for response in entry.responses:
        yield response.claim
        yield from _of_bodies(response.bodies)
        yield from (header.claim for header in response.headers)
    yield from (row.claim for row in entry.stated)


def _of_bodies(bodies: tuple[Body, ...]) -> Iterator[ClaimKey]:
    for body in bodies:
        yield body.claim
        yield from (body.claim_of(row) for row in body.fields)


def _authentication(value: Authentication, keys: frozenset[ClaimKey], why: Why) -> Authentication:
    if not withheld(value.claim, keys):
        return value
    return replace(value, alternatives=(), says=(why(value.claim),))


def _parameter(row: ParameterRow, keys: frozenset[ClaimKey], why: Why) -> ParameterRow:
    if not withheld(row.validation_claim, keys):
        return row
    return replace(row, validation=(Constraint(ConstraintKind.OTHER, (why(row.validation_claim),)),))


def _request(body: RequestBody | None, keys: frozenset[ClaimKey]) -> RequestBody | None:
    if body is None or withheld(body.claim, keys):
        return None
    return replace(body, bodies=_bodies(body.bodies, keys))


def _response(response: Response, keys: frozenset[ClaimKey]) -> Response:
    return replace(
        response,
        bodies=_bodies(response.bodies, keys),
        headers=tuple(header for header in response.headers if not withheld(header.claim, keys)),
        codes=tuple(
            (name, codes)
            for name, codes in response.codes
            if not withheld(ClaimKey(f"{response.claim} {name}"), keys)
            and not withheld(ClaimKey(f"{response.claim} {name} code"), keys)
        ),
    )


def _bodies(bodies: tuple[Body, ...], keys: frozenset[ClaimKey]) -> tuple[Body, ...]:
    return tuple(
        _body(body, tuple(row for row in body.fields if not withheld(body.claim_of(row), keys)))
        for body in bodies
        if not withheld(body.claim, keys)
    )


def _body(body: Body, fields: tuple[FieldRow, ...]) -> Body:
    """The body with these fields; an object that lacks some says that they are left out, not that there are none."""
    gone = [row.path for row in body.fields if row not in fields]
    if not gone:
        return body
    return replace(
        body,
        root=body.root and _opened(body.root, gone),
        fields=tuple(_opened(row, gone) for row in fields),
    )


def _opened(row: FieldRow, gone: list[str]) -> FieldRow:
    if not any(path.startswith(row.path) for path in gone):
        return row
    return replace(row, allowed=tuple(LEFT_OUT if each.kind is ConstraintKind.CLOSED else each for each in row.allowed))


def concern_of(key: ClaimKey, operation: str) -> str:
    """The concern that a claim names; "" for a claim about the operation itself."""
    rest = key.removeprefix(operation).strip()
    return next((str(each) for each in Concern if rest == each or rest.startswith(f"{each} ")), "")


def claims_frame(entries: tuple[Entry, ...], facts: W2Facts) -> pd.DataFrame:
    """Every claim of the reference. Key: `claim`. Columns: claim, operation, concern, published."""
    left = facts.withheld
    rows = []
    for entry in entries:
        out = set(published(entry, left).left_out)
        for key in dict.fromkeys(claims(entry)):
            rows.append((str(key), entry.operation.id, concern_of(key, entry.operation.id), key not in out))
    return pd.DataFrame(rows, columns=["claim", "operation", "concern", "published"])


def waits(discrepancies: Iterable[Discrepancy]) -> Iterator[Statement]:
    """One statement per discrepancy that keeps its claims from being published."""
    for each in discrepancies:
        words = (UserText(each.id), " about ", UserText(each.operation))
        owner = UserText(each.owner_role)
        yield observed("Discrepancy ", *words, " blocks publication until it is disposed of by ", owner, ".",
                       on=each.citations)  # fmt: skip


WITHHELD = "withheld until a discrepancy is disposed of"
BY_OWNER = "withheld by the owner's disposition"
REQUEST: tuple[Concern, ...] = (
    Concern.REQUEST_BODY,
    Concern.PARAMETERS,
    Concern.VALIDATION,
    Concern.AUTHENTICATION,
)
"""Concerns that a request example shows."""


def is_partly_held(facts: W2Facts, claim: str) -> bool:
    """True when a discrepancy withholds the claim, a part of it, or what it is a part of."""
    return any(_touches(key, claim) for key in facts.withheld)


def _touches(key: str, claim: str) -> bool:
    return key == claim or key.startswith(f"{claim} ") or claim.startswith(f"{key} ")


def held_words(facts: W2Facts, claim: str) -> str:
    """Why a withheld claim is left out: it waits for the owner, or the owner's word withholds it."""
    about = [each for each in facts.discrepancies if any(_touches(key, claim) for key in each.withholds)]
    settled = not any(each.disposal is Disposal.OPEN for each in about)
    return BY_OWNER if settled and any(each.disposal is Disposal.WITHHOLD for each in about) else WITHHELD


def disputed(facts: W2Facts, claim: str) -> Iterator[Statement]:
    """That a claim is published by the owner's word although sources disagree about it or a part of it."""
    for each in facts.discrepancies:
        if each.disposal is Disposal.PUBLISH_CONTRACT and any(_touches(key, claim) for key in each.withholds):
            says = (" (", UserText(f"{each.concern} {each.place}".strip()), "), by the owner's disposition.")
            yield limited("Published as the contract says, though sources disagree: ", UserText(each.id), *says,
                          on=each.citations)  # fmt: skip


def disputed_about(facts: W2Facts, entry: Entry, *concerns: Concern) -> Iterator[Statement]:
    """That claims of some concerns are published by the owner's word although sources disagree about them."""
    told = (each for concern in concerns for each in disputed(facts, f"{entry.operation.id} {concern}"))
    yield from dict.fromkeys(told)


def incomplete(facts: W2Facts, body: Body) -> Iterator[Statement]:
    """That fields of a body are left out."""
    if is_partly_held(facts, body.claim):
        why = held_words(facts, body.claim)
        yield limited(f"Fields of this body are left out: {why}.", on=contract_citation(facts))


def holds_request(facts: W2Facts, operation: str) -> bool:
    """True when a request example of the operation would show what is withheld."""
    lead = tuple(f"{operation} {concern}" for concern in REQUEST)
    return any(key.startswith(lead) or key == operation for key in facts.withheld)


def holds_example(facts: W2Facts, example: Example) -> bool:
    """True when an example is left out because it would show what is withheld."""
    operation = next((each.id for each in facts.operations if each.element.key == example.about.operation), "")
    if example.about.part is Part.REQUEST:
        return holds_request(facts, operation)
    return is_partly_held(facts, response_claim(operation, example.about.status))


def holds_of(each: Discrepancy, operation: str) -> bool:
    """True when a discrepancy holds back a claim about the operation, and not only one about another route."""
    return any(key == operation or key.startswith(f"{operation} ") for key in each.withholds)


def is_held(each: Discrepancy) -> bool:
    """True while a discrepancy keeps its claims from being published."""
    return each.disposal is not Disposal.PUBLISH_CONTRACT
