"""Whether a client uses what a difference is about, as far as its declaration tells."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evreview.comparison.delta import BASE_ASPECT, REQUIRED, Delta
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, Aspect, Change, ContractKind, Polarity
from evreview.evidence.element_mentions import field_path, field_steps, is_within, names_part, names_type, operation_key
from evreview.evidence.records.compatibility import KnownClient, Uses
from evreview.evidence.records.test_runs import CheckResult

DATA = frozenset({ContractKind.AVRO, ContractKind.JSON_SCHEMA})
"""The kinds that describe data, and not who writes and who reads it."""
_STATUS = re.compile(r" > response (?P<status>\S+)")
_WHOLE_DOCUMENT = frozenset({Aspect.SERVERS, Aspect.SECURITY, Aspect.VERSION_SELECTORS})
_UNLISTED = frozenset({Aspect.CONTENT_TYPES, Aspect.STATUS_CODES, Aspect.METHODS, Aspect.SECURITY, Aspect.SERVERS})


class NamedCheck(CheckResult):
    """A check whose text names several operations (a message that two of them carry): it is about each."""

    operations: tuple[str, ...] = ()


class NamedUse(Uses):
    """A use with the responses that answer its statuses: what 404 gets may be what `default` says."""

    answered: frozenset[str] = frozenset()


def base_aspect(delta: Delta) -> Aspect:
    """The aspect that the delta has apart from standing in an error or bearing a marked name."""
    return Aspect(str(delta.facts.get(BASE_ASPECT, delta.aspect)))


def touched(client: KnownClient, delta: Delta) -> Answer:
    """Whether the client uses the changed element: by operation, then by status, then by field.

    Unknown usage stays unknown. An added element or a new demand reaches every caller of the operation, whatever
    fields it lists; a field that it lists as a whole includes what lies below it.
    """
    if client.uses is None:
        return Answer.UNKNOWN
    reached = {operation_key(operation) for operation in delta.operations or (delta.operation,) if operation}
    if not reached:
        known = bool(client.uses) and delta.aspect in _WHOLE_DOCUMENT
        return Answer.YES if known else Answer.UNKNOWN if client.uses else Answer.NO
    used = [use for use in client.uses if operation_key(use.operation) in reached]
    answers = [_use_touches(use, delta) for use in used]
    return _any(answers)


def concerns(check: CheckResult, delta: Delta) -> bool:
    """True when a check is about this difference: it names the delta, or the operation with its field or aspect.

    A check that names only the operation concerns differences of the operation as a whole, and one that names
    nothing concerns none in particular.
    """
    if check.deltas:
        return delta.id in check.deltas
    if delta.kind in DATA and delta.polarity is Polarity.READ and check.client and check.parses == "candidate":
        return False  # what a client reads is what is written, and that has a row of its own
    reached = set(map(operation_key, delta.operations))
    named = [name for name in _operations(check) if operation_key(name) in reached]
    if not named or (check.aspect and check.aspect not in (delta.aspect, base_aspect(delta))):
        return False
    if check.field:
        steps = field_steps(check.field)
        return any(_same_field(steps, delta, name) for name in named)
    return bool(check.aspect) or " > " not in delta.address


def _operations(check: CheckResult) -> tuple[str, ...]:
    if isinstance(check, NamedCheck):
        return check.operations
    return (check.operation,) if check.operation else ()


def _use_touches(use: Uses, delta: Delta) -> Answer:
    aspect = base_aspect(delta)
    status = _STATUS.search(f" > {delta.address}")
    added_status = aspect is Aspect.STATUS_CODES and delta.change is Change.ADDED
    named = "" if added_status or status is None else status["status"]
    own = operation_key(use.operation) == operation_key(delta.operation)
    if named == "default" and not own:
        named = ""  # the address shows one of the operations; what answers at this one is not told
    answered = use.answered if isinstance(use, NamedUse) else ("default",)
    if named and use.statuses is not None and named not in answered and not _handles(use.statuses, named):
        return Answer.NO
    steps = field_path(delta.address)
    # Who leaves an argument out relies on its default.
    left_out = delta.element is ElementKind.ARGUMENT and aspect is Aspect.DEFAULTS
    if not steps or left_out or aspect in _UNLISTED or _reaches_everyone(delta):
        return Answer.YES
    if use.fields is None:
        return Answer.UNKNOWN
    listed = [field_steps(name) for name in use.fields]
    if delta.element is ElementKind.ARGUMENT and delta.kind is not ContractKind.PYTHON and steps not in listed:
        # Fields of what comes back are listed there, and seldom what is given.
        return Answer.UNKNOWN
    if names_type(delta.address) and not names_part(delta.address) and not any(one[0] == steps[0] for one in listed):
        # Which fields hold the type is not told: values of an enum come wherever a field has them.
        return Answer.UNKNOWN
    return _any([_field_touches(one, listed, delta, use.operation) for one in listed])


def _reaches_everyone(delta: Delta) -> bool:
    if delta.polarity is Polarity.WRITTEN:
        return delta.change is Change.ADDED and base_aspect(delta) is Aspect.FIELDS
    # A field of a named input type that takes no null any more can't be left out either.
    demanded = names_type(delta.address) and base_aspect(delta) is Aspect.NULLABILITY
    return bool(delta.facts.get(REQUIRED)) or base_aspect(delta) is Aspect.REQUIREDNESS or demanded


def _field_touches(one: tuple[str, ...], listed: Iterable[tuple[str, ...]], delta: Delta, operation: str) -> Answer:
    """Whether one listed field is the changed one, lies below it, or is listed as a whole around it."""
    steps = field_path(delta.address)
    if operation_key(operation) != operation_key(delta.operation) and not names_type(delta.address):
        return _named_in(one, steps)
    if is_within(one, steps):
        return Answer.YES
    whole = not any(other != one and is_within(other, one) for other in listed)
    return Answer.YES if whole and is_within(steps, one) else Answer.NO


def _named_in(one: tuple[str, ...], steps: tuple[str, ...]) -> Answer:
    """For a shared component the address shows one place only; at the others its last name decides."""
    names = [step for step in steps if step != "[]"]
    own = [step for step in one if step != "[]"]
    return Answer.YES if own and names and (names[-1] in own or own[-1] == names[-1]) else Answer.NO


def _same_field(wanted: tuple[str, ...], delta: Delta, operation: str) -> bool:
    steps = field_path(delta.address)
    if operation_key(operation) != operation_key(delta.operation) and not names_type(delta.address):
        return bool(steps) and wanted[-1:] == steps[-1:]
    return wanted == steps


def _handles(statuses: Iterable[str], status: str) -> bool:
    wanted = status.upper()
    return any(
        known.upper() in (wanted, "DEFAULT") or _ranges(known, wanted) or _ranges(wanted, known) for known in statuses
    )


def _ranges(pattern: str, status: str) -> bool:
    return len(pattern) == 3 and pattern[1:].upper() == "XX" and status[:1] == pattern[:1]


def _any(answers: Iterable[Answer]) -> Answer:
    found = set(answers)
    return next((answer for answer in (Answer.YES, Answer.UNKNOWN) if answer in found), Answer.NO)
