"""When a concern does not apply to an operation. One rule is one value: its reason, an example, and the opposite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter, CodeResponse, Route, Spot
from evreview.core.vocabulary import Concern, EvidenceId, Json
from evreview.workflows.w2.contract_rows import Entry

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


@dataclass(frozen=True, slots=True)
class Known:
    """What contract and code say of one operation. `route` is None unless all of its code was read."""

    entry: Entry
    route: Route | None

    def silent(self, concern: Concern) -> bool:
        """True when neither contract nor code states anything about a concern."""
        noted = self.route is not None and any(note.concern is concern for note in self.route.notes)
        return not self.entry.about(concern) and not noted

    @property
    def safe(self) -> bool:
        """True for a method that asks and changes nothing (RFC 9110, section 9.2.1)."""
        return self.entry.operation.method in SAFE

    @property
    def lists(self) -> bool:
        """True when a success response is a list or carries one."""
        return any(body.lists for response in self.entry.success for body in response.bodies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """An operation as contract and code show it, for a rule's example: the OpenAPI operation and the route.

    Attributes:
        document: members of the document beside its paths.
    """

    operation: Mapping[str, Json]
    method: str = "GET"
    path: str = "/orders"
    route: Route | None = None
    document: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inapplicable:
    """One reason why a concern does not apply.

    Attributes:
        applies: whether it holds for what is known of an operation.
        example, counter_example: one operation for which it holds, and one for which it does not.
    """

    id: str
    concern: Concern
    why: str
    applies: Callable[[Known], bool]
    example: Sample
    counter_example: Sample


_SPOT: Final = Spot(EvidenceId("E2"), 1, 9)
OK: Final[Json] = {"200": {"description": "ok"}}
_LIST: Final[Json] = {
    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "array", "items": {}}}}}
}
_BODY: Final = CodeBody(media_type="application/json", spot=_SPOT, required=True, schema={}, exact=True)
_LIMIT: Final = CodeParameter(name="limit", location="query", spot=_SPOT, required=False, schema={}, exact=True)


def route_of(
    method: str = "GET",
    *,
    body: CodeBody | None = None,
    parameters: tuple[CodeParameter, ...] = (),
    notes: tuple[CodeNote, ...] = (),
    responses: tuple[CodeResponse, ...] = (),
) -> Route:
    """A route of `/orders` that was read whole, for examples."""
    return Route(
        method=method,
        path="/orders",
        handler="orders",
        framework="fastapi",
        spot=_SPOT,
        body=body,
        parameters=parameters,
        notes=notes,
        responses=responses,
    )


def _note(concern: Concern) -> tuple[CodeNote, ...]:
    return (CodeNote(concern=concern, name="seen", spot=_SPOT),)


RULES: Final = (
    Inapplicable(
        id="no-request-body",
        concern=Concern.REQUEST_BODY,
        why="The contract defines no request body, and the code reads none.",
        applies=lambda known: known.entry.body is None and known.route is not None and known.route.body is None,
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, method="POST", route=route_of("POST", body=_BODY)),
    ),
    Inapplicable(
        id="no-parameters",
        concern=Concern.PARAMETERS,
        why="The contract defines no parameter, and the code reads none.",
        applies=lambda known: not known.entry.parameters and known.route is not None and not known.route.parameters,
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(parameters=(_LIMIT,))),
    ),
    Inapplicable(
        id="nothing-to-validate",
        concern=Concern.VALIDATION,
        why="Neither contract nor code takes a parameter or a body, so there is nothing to validate.",
        applies=lambda known: (
            not known.entry.parameters
            and known.entry.body is None
            and known.route is not None
            and not known.route.parameters
            and known.route.body is None
        ),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(parameters=(_LIMIT,))),
    ),
    Inapplicable(
        id="safe-method-repeats",
        concern=Concern.IDEMPOTENCY,
        why="The method is safe, so repeating a call asks again and changes nothing; nobody states otherwise.",
        applies=lambda known: known.safe and known.silent(Concern.IDEMPOTENCY),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, method="POST", route=route_of("POST")),
    ),
    Inapplicable(
        id="safe-method-changes-nothing",
        concern=Concern.SIDE_EFFECTS,
        why="The method is safe, the contract states no effect, and the code stores into nothing that outlives "
        "the call and calls nothing that is known for one; other calls are not judged.",
        applies=lambda known: known.safe and known.route is not None and known.silent(Concern.SIDE_EFFECTS),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": OK}, route=route_of(notes=_note(Concern.SIDE_EFFECTS))),
    ),
    Inapplicable(
        id="no-list-to-page",
        concern=Concern.PAGINATION,
        why="No success response is or carries a list, and neither contract nor code states pages.",
        applies=lambda known: known.route is not None and not known.lists and known.silent(Concern.PAGINATION),
        example=Sample(operation={"responses": OK}, route=route_of()),
        counter_example=Sample(operation={"responses": _LIST}, route=route_of()),
    ),
)
"""The rules, each about one concern; the first that holds gives the reason."""

NOTHING_TO_TEST: Final = "Neither contract nor implementation states anything that a test could show."


def inapplicable(concern: Concern, known: Known) -> Inapplicable | None:
    """The rule by which a concern does not apply, None when it does."""
    return next((rule for rule in RULES if rule.concern is concern and rule.applies(known)), None)
