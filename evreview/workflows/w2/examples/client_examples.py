"""A client's own examples held against the contract: every field has to be described, and every value has to fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.core.quoted_text import Text, UserText, text
from evreview.core.vocabulary import ClosedVocabulary, Direction, Json
from evreview.evidence.cited_records import Cited
from evreview.evidence.item import Citation
from evreview.evidence.records.test_runs import ClientExample, ClientExamples
from evreview.kinds.registry import spec_of
from evreview.messages.media_types import is_json, media_fits
from evreview.schema.validators import Validators
from evreview.schema.view import Sub
from evreview.workflows.w2.contract_entries import children
from evreview.workflows.w2.contract_rows import Fields, Member, Members, Places
from evreview.workflows.w2.facts import Operation
from evreview.workflows.w2.matrix.test_results import documented_response
from evreview.workflows.w2.scope import operations_named

_MOST: Final = 5


class Held(ClosedVocabulary):
    """ACCEPTED: every field is described and every value fits. REJECTED: not so. OPEN: it could not be told."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    OPEN = "not judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedExample:
    """One example of a client: whose, of what, how it is held, and why it is not accepted. Its values are not kept."""

    client: str
    example: str
    operation: str
    held: Held
    why: Text = ()
    citation: Citation


class ClientExampleJudge:
    """Judges the examples that clients supplied for one contract.

    Args:
        contract: the contract of the reference.
        places: its places.
        operations: the operations in scope.
    """

    def __init__(self, contract: Contract, places: Places, operations: Iterable[Operation]) -> None:
        self._contract = contract
        self._fields = Fields(places)
        self._validators = Validators(contract)
        self._scope = {operation.id for operation in operations}

    def judged(self, supplied: Cited[ClientExamples]) -> Iterator[JudgedExample]:
        """Every example of one item, in its order."""
        record = supplied.record
        for at, example in enumerate(record.examples):
            held, why = self._versioned(record.contract_version, example)
            yield JudgedExample(
                client=record.client,
                example=example.id,
                operation=example.operation,
                held=held,
                why=why,
                citation=supplied.at(f"/examples/{at}"),
            )

    def _versioned(self, version: str, example: ClientExample) -> tuple[Held, Text]:
        release = self._contract.release
        if not spec_of(self._contract.kind).over_http:
            return Held.OPEN, ("only examples of HTTP operations are held against their contract",)
        if not release:
            return Held.OPEN, ("the contract states no version",)
        if version != release:
            written, current = UserText(version), UserText(release)
            return Held.REJECTED, ("it was written for version ", written, ", and the contract is version ", current)
        return self._example(example)

    def _example(self, example: ClientExample) -> tuple[Held, Text]:
        meant = [each for each in operations_named(self._contract, example.operation) if each.id in self._scope]
        if len(meant) != 1:
            return Held.REJECTED, ("the reference holds no one operation of that name",)
        owner = _owner(meant[0], example)
        if owner is None:
            status = f" of status {example.status}" if example.part == "response" else ""
            return Held.REJECTED, (f"the contract describes no {example.part}{status}",)
        fitting = [
            each for each in children(owner, ElementKind.MEDIA_TYPE) if media_fits(each.name, example.media_type)
        ]
        if not fitting:
            return Held.REJECTED, ("the contract describes no ", UserText(example.media_type), " there")
        return self._body(min(fitting, key=lambda each: each.name.count("*")), example)

    def _body(self, media: Element, example: ClientExample) -> tuple[Held, Text]:
        direction = Direction.READ if example.part == "request" else Direction.WRITTEN
        if media.value is None or not is_json(example.media_type):
            return Held.OPEN, ("the contract describes no JSON value there",)
        broken = self._validators.violations(media.value, example.body, direction)
        if broken is None:
            return Held.OPEN, ("its schema can't be used",)
        unknown = tuple(self._unknown(media.value, direction, example.body))
        found = [*(f"{at}: not described" for at in unknown), *broken]
        if not found:
            return Held.ACCEPTED, ()
        more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
        return Held.REJECTED, text("it breaks the contract at ", UserText("; ".join(found[:_MOST])), more)

    def _unknown(self, value: ValueSet, direction: Direction, body: Json) -> Iterator[str]:
        members = self._fields.members(value.dialect, direction)
        yield from _UndescribedFields(members).unknown((self._fields.sub(value),), body, "")


def _owner(operation: Operation, example: ClientExample) -> Element | None:
    if example.part == "request":
        return next(children(operation.element, ElementKind.BODY), None)
    return None if example.status is None else documented_response(operation, example.status)


class _UndescribedFields:
    """Which fields of a value no schema describes; a schema that describes no field at all carries any."""

    def __init__(self, members: Members) -> None:
        self._members = members

    def unknown(self, subs: Iterable[Sub], value: Json, at: str) -> Iterator[str]:
        """The JSON pointers of such fields, in order."""
        if not isinstance(value, (Mapping, list)):
            return
        below = tuple(self._below(subs))
        if isinstance(value, list):
            for index, item in enumerate(value):
                steps = (f"[{index}]",) if any(each.step == f"[{index}]" for each in below) else ("[]",)
                yield from self.unknown((each.sub for each in below if each.step in steps), item, f"{at}/{index}")
            return
        described = [each for each in below if each.step.startswith(".")]
        for name, member in value.items() if described else ():
            named = [each.sub for each in described if each.step == f".{name}" and each.required is not None]
            found = named or [each.sub for each in described if each.required is None]
            here = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
            if found:
                yield from self.unknown(found, member, here)
            else:
                yield here

    def _below(self, subs: Iterable[Sub]) -> Iterator[Member]:
        """The members of some schemas, and of all that look at the same value: branches and conditions too."""
        waiting = [self._members.views.resolve(sub) for sub in subs]
        seen = set()
        while waiting:
            sub = waiting.pop(0)
            if sub.key in seen:
                continue
            seen.add(sub.key)
            for member in self._members.below(sub):
                if member.step:
                    yield member
                else:
                    waiting.append(member.sub)
            view = self._members.views.view(sub)
            beside = (*view.conditional.values(), *view.dependent_schemas.values())
            waiting += [self._members.views.resolve(each) for each in beside]
