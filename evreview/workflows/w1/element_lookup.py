"""From what people write about an element to the element itself, and to the differences that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Final

from evreview.comparison.component_identity import element_step
from evreview.comparison.delta import BASE_ASPECT, REQUIRED, Delta
from evreview.contract.model import Contract, Element, ElementKind, Place, ValueSet
from evreview.contract.references import Resolver
from evreview.core.vocabulary import Aspect, Change, Direction, Json, Role, Tristate
from evreview.evidence.cited_records import Cited
from evreview.evidence.element_mentions import (
    METHODS,
    field_path,
    field_steps,
    is_branch,
    is_within,
    names_part,
    names_type,
    operation_key,
)
from evreview.evidence.records.compatibility import ClientInventory, KnownClient, Uses
from evreview.evidence.records.test_runs import CheckResult, TestRecord
from evreview.kinds.registry import spec_of

if TYPE_CHECKING:
    from evreview.workflows.w1.facts import ContractPair


_BRANCHES: Final = ("allOf", "oneOf", "anyOf")
_ACTIONS: Final = ("send", "receive")
_TEMPLATE: Final = re.compile(r"\{[^{}]*\}")


def find_operation(contract: Contract, text: str) -> Element | None:
    """The operation that `text` names: its key, or a method with a concrete path or address.

    A concrete path is matched with the templates, literal segments first, as it stands and without the path of each
    server.
    """
    wanted = operation_key(text)
    exact = next((one for one in contract.operations if operation_key(one.key) == wanted), None)
    if exact is not None:
        return exact
    method, _, path = wanted.partition(" ")
    if method in _ACTIONS:
        varied = (one for one in contract.operations if "{}" in one.key and _travels(one.key, wanted))
        return min(varied, key=lambda one: one.key.count("{}"), default=None)
    if method not in METHODS or not path:
        return None
    paths = (path, *_without_server(contract, path))
    fitting = [one for each in paths for one in contract.operations if _fits(one.key, method, each)]
    return min(fitting, key=lambda one: one.key.count("{}"), default=None)


def find_response(operation: Element, status: int | str) -> Element | None:
    """The response that answers with `status`: the exact one, else its range, else the default."""
    responses = {child.key.lower(): child for child in operation.children if child.kind is ElementKind.RESPONSE}
    code = str(status).lower()
    return responses.get(code) or responses.get(f"{code[:1]}xx") or responses.get("default")


def media_types(parent: Element) -> Mapping[str, Element]:
    """The media types below an element, by key."""
    return {child.key: child for child in parent.children if child.kind is ElementKind.MEDIA_TYPE}


def find_media_type(parent: Element, content_type: str) -> Element | None:
    """The media type that covers `content_type`: without its parameters, then as a range."""
    bare = content_type.split(";")[0].strip().lower()
    known = {key.split(";")[0].strip(): child for key, child in media_types(parent).items()}
    return known.get(bare) or known.get(f"{bare.split('/')[0]}/*") or known.get("*/*")


def find_element(contract: Contract, text: str) -> tuple[Element, tuple[str, ...]] | None:
    """The element at a ledger address, with the steps that lead on inside its value set; None when there is none.

    The text may leave out the operation; then the first operation that has the rest is meant.
    """
    segments = [" ".join(part.split()) for part in text.split(" > ")]
    for operation in contract.operations:
        rest = segments[1:] if operation_key(segments[0]) == operation_key(operation.key) else None
        if rest is None and segments[0].split()[0].upper() in METHODS:
            continue
        found = _descend(operation, segments if rest is None else rest)
        if found is not None and (found[0] is not operation or not found[1]) and _leads_on(contract, *found):
            return found
    found = _descend(contract.root, segments)
    return found if found is not None and found[0] is not contract.root and not found[1] else None


def named_part(contract: Contract, steps: Sequence[str]) -> Element | None:
    """The named type, or the part of one, that the steps spell: `Order.total`; None when there is none."""
    for child in contract.root.children:
        name = field_steps(child.key)
        if child.kind is ElementKind.TYPE and tuple(steps[: len(name)]) == name:
            found = _spelled(child, steps[len(name) :])
            if found is not None:
                return found
    return None


def _spelled(element: Element, steps: Sequence[str]) -> Element | None:
    for step in steps:
        below = next((child for child in element.children if step in (child.key, child.name)), None)
        if below is None:
            return None
        element = below
    return element


def find_value(contract: Contract, start: ValueSet, steps: Sequence[str]) -> ValueSet | None:
    """The value set that `steps` lead to, through references and compositions; None when there is none."""
    resolver = Resolver(contract.documents)
    found = next(_walk(resolver, (start.place, start.node), tuple(steps), set()), None)
    return ValueSet(found[0], found[1], start.dialect) if found else None


def required_in(contract: Contract, start: ValueSet, steps: Sequence[str]) -> bool:
    """True when the last step is a required member of what holds it."""
    resolver = Resolver(contract.documents)
    *outer, name = steps
    for place, node in _walk(resolver, (start.place, start.node), tuple(outer), set()):
        for _, part in _parts(resolver, (place, node), set()):
            listed = part.get("required")
            if isinstance(listed, list) and name in listed:
                return True
    return False


_Found = tuple[Place, Json]


def _descend(element: Element, segments: Sequence[str]) -> tuple[Element, tuple[str, ...]] | None:
    """As deep as the segments name child elements; what remains are steps inside the value set."""
    if not segments:
        return element, ()
    for child in element.children:
        if segments[0].casefold() in _labels(child):
            return _descend(child, segments[1:])
    for child in element.children:
        if child.kind is ElementKind.BODY and (found := _descend(child, segments)) and found[0] is not child:
            return found
    if element.value is None:
        return None
    return element, tuple(step for segment in segments if not is_branch(segment) for step in field_steps(segment))


def _labels(element: Element) -> frozenset[str]:
    """The ways to write one element as a segment."""
    kind = element.kind.value
    named = {element.key, element.name, f"{kind} {element.key}", f"{kind} {element.name}", element_step(element)}
    if element.kind is ElementKind.BODY:
        named |= {"body", "request body", "request"}
    if element.kind is ElementKind.PARAMETER:
        named |= {element.key.replace(":", " ", 1)}
    return frozenset(name.casefold() for name in named)


def _leads_on(contract: Contract, element: Element, steps: tuple[str, ...]) -> bool:
    if not steps:
        return True
    return element.value is not None and find_value(contract, element.value, steps) is not None


def _walk(resolver: Resolver, at: _Found, steps: tuple[str, ...], seen: set[tuple[Place, int]]) -> Iterator[_Found]:
    """Every place that the steps lead to."""
    if (at[0], len(steps)) in seen:
        return
    seen.add((at[0], len(steps)))
    if not steps:
        yield at
        return
    for place, node in _parts(resolver, at, set()):
        for inner in _inside(place, node, steps[0]):
            yield from _walk(resolver, inner, steps[1:], seen)


def _parts(resolver: Resolver, at: _Found, seen: set[Place]) -> Iterator[tuple[Place, Mapping[str, Json]]]:
    """The node behind its references, then the branches of its compositions."""
    target = resolver.follow(*at)
    if target is None:
        return
    place, node = target
    if place in seen or not isinstance(node, Mapping):
        return
    seen.add(place)
    yield place, node
    for keyword in _BRANCHES:
        branches = node.get(keyword)
        for index, branch in enumerate(branches if isinstance(branches, list) else ()):
            yield from _parts(resolver, (place.child(keyword, index), branch), seen)


def _inside(place: Place, node: Mapping[str, Json], step: str) -> Iterator[_Found]:
    if step == "[]":
        if "items" in node:
            yield place.child("items"), node["items"]
        return
    properties = node.get("properties")
    if isinstance(properties, Mapping) and step in properties:
        yield place.child("properties", step), properties[step]
    elif step in ("{*}", "{}", "*") and isinstance(node.get("additionalProperties"), Mapping):
        yield place.child("additionalProperties"), node["additionalProperties"]


def _travels(key: str, wanted: str) -> bool:
    """True for an action on an address that the template of an event contract has, variables filled in."""
    pattern = "[^{}]+".join(re.escape(part) for part in _TEMPLATE.split(key))
    return re.fullmatch(pattern, wanted) is not None


def _fits(key: str, method: str, path: str) -> bool:
    own_method, _, template = key.partition(" ")
    if own_method != method:
        return False
    pattern = "[^/]+".join(re.escape(part) for part in _TEMPLATE.split(template))
    return re.fullmatch(pattern, path) is not None


def _without_server(contract: Contract, path: str) -> Iterable[str]:
    """The path as the document writes it, for each server whose own path it starts with."""
    for child in contract.root.children:
        if child.kind is ElementKind.SERVER:
            prefix = re.sub(r"^[a-z][a-z0-9+.-]*://[^/]*", "", child.name).rstrip("/")
            if prefix and path.startswith(f"{prefix}/"):
                yield path[len(prefix) :]


def answering(sides: ContractPair, operation: str, status: int | str | None) -> frozenset[str]:
    """The names, in small letters, of the responses that answer with `status` on either side; and `status` itself."""
    if status is None:
        return frozenset()
    found = {str(status).lower()}
    for contract in (sides.released, sides.candidate):
        held = find_operation(contract, operation)
        response = find_response(held, status) if held else None
        found |= {response.key.lower()} if response else set()
    return frozenset(found)


# Whether a client or a check speaks of what a difference is about, as far as it tells.


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


def touched(client: KnownClient, delta: Delta) -> Tristate:
    """Whether the client uses the changed element: by operation, then by status, then by field.

    Unknown usage stays unknown. An added element or a new demand reaches every caller of the operation, whatever
    fields it lists; a field that it lists as a whole includes what lies below it.
    """
    if client.uses is None:
        return Tristate.UNKNOWN
    reached = {operation_key(operation) for operation in delta.operations or (delta.operation,) if operation}
    if not reached:
        known = bool(client.uses) and delta.aspect in _WHOLE_DOCUMENT
        return Tristate.YES if known else Tristate.UNKNOWN if client.uses else Tristate.NO
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
    if (
        spec_of(delta.kind).data_only
        and delta.direction is Direction.READ
        and check.client
        and check.parses == "candidate"
    ):
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


def _use_touches(use: Uses, delta: Delta) -> Tristate:
    aspect = base_aspect(delta)
    status = _STATUS.search(f" > {delta.address}")
    added_status = aspect is Aspect.STATUS_CODES and delta.change is Change.ADDED
    named = "" if added_status or status is None else status["status"]
    own = operation_key(use.operation) == operation_key(delta.operation)
    if named == "default" and not own:
        named = ""  # the address shows one of the operations; what answers at this one is not told
    answered = use.answered if isinstance(use, NamedUse) else ("default",)
    if named and use.statuses is not None and named not in answered and not _handles(use.statuses, named):
        return Tristate.NO
    steps = field_path(delta.address)
    # Who leaves an argument out relies on its default.
    left_out = delta.element is ElementKind.ARGUMENT and aspect is Aspect.DEFAULTS
    if not steps or left_out or aspect in _UNLISTED or _reaches_everyone(delta):
        return Tristate.YES
    if use.fields is None:
        return Tristate.UNKNOWN
    listed = [field_steps(name) for name in use.fields]
    if delta.element is ElementKind.ARGUMENT and delta.role is not Role.SIGNATURE and steps not in listed:
        # Fields of what comes back are listed there, and seldom what is given.
        return Tristate.UNKNOWN
    if names_type(delta.address) and not names_part(delta.address) and not any(one[0] == steps[0] for one in listed):
        # Which fields hold the type is not told: values of an enum come wherever a field has them.
        return Tristate.UNKNOWN
    return _any([_field_touches(one, listed, delta, use.operation) for one in listed])


def _reaches_everyone(delta: Delta) -> bool:
    if delta.direction is Direction.WRITTEN:
        return delta.change is Change.ADDED and base_aspect(delta) is Aspect.FIELDS
    # A field of a named input type that takes no null any more can't be left out either.
    demanded = names_type(delta.address) and base_aspect(delta) is Aspect.NULLABILITY
    return bool(delta.facts.get(REQUIRED)) or base_aspect(delta) is Aspect.REQUIREDNESS or demanded


def _field_touches(one: tuple[str, ...], listed: Iterable[tuple[str, ...]], delta: Delta, operation: str) -> Tristate:
    """Whether one listed field is the changed one, lies below it, or is listed as a whole around it."""
    steps = field_path(delta.address)
    if operation_key(operation) != operation_key(delta.operation) and not names_type(delta.address):
        return _named_in(one, steps)
    if is_within(one, steps):
        return Tristate.YES
    whole = not any(other != one and is_within(other, one) for other in listed)
    return Tristate.YES if whole and is_within(steps, one) else Tristate.NO


def _named_in(one: tuple[str, ...], steps: tuple[str, ...]) -> Tristate:
    """For a shared component the address shows one place only; at the others its last name decides."""
    names = [step for step in steps if step != "[]"]
    own = [step for step in one if step != "[]"]
    return Tristate.YES if own and names and (names[-1] in own or own[-1] == names[-1]) else Tristate.NO


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


def _any(answers: Iterable[Tristate]) -> Tristate:
    found = set(answers)
    return next((answer for answer in (Tristate.YES, Tristate.UNKNOWN) if answer in found), Tristate.NO)


# The fields, arguments and parameters that an operation has, dotted as evidence names them.


_NAMED: Final = frozenset({ElementKind.PARAMETER, ElementKind.HEADER})
_DEPTH: Final = 5
_MOST: Final = 2000


def fields_of(contract: Contract, operation: Element) -> frozenset[str]:
    """The names of what an operation takes and gives, to a bounded depth and number: enough to find a misspelt one."""
    return frozenset(islice(_below(Resolver(contract.documents), operation), _MOST))


def _below(resolver: Resolver, element: Element) -> Iterator[str]:
    for child in element.children:
        if child.kind is ElementKind.ARGUMENT:
            yield child.key
        elif child.kind in _NAMED:
            yield child.name
        elif child.value is not None:
            yield from _members(resolver, child.value.place, child.value.node, "", _DEPTH)
        yield from _below(resolver, child)


def _members(resolver: Resolver, place: Place, node: Json, before: str, depth: int) -> Iterator[str]:
    target = resolver.follow(place, node)
    if target is None or not isinstance(target[1], Mapping) or not depth:
        return
    at, found = target[0], dict(target[1])
    properties = found.get("properties")
    for name, below in properties.items() if isinstance(properties, Mapping) else ():
        dotted = f"{before}.{name}" if before else name
        yield dotted
        yield from _members(resolver, at, below, dotted, depth - 1)
    if "items" in found:
        yield from _members(resolver, at, found["items"], f"{before}[]", depth - 1)
    for keyword in _BRANCHES:
        listed = found.get(keyword)
        for branch in listed if isinstance(listed, list) else ():
            yield from _members(resolver, at, branch, before, depth - 1)


# The names that evidence gives an operation, led to the one that the contracts' own rows have.
#
# Besides a row's own spelling people write an operation's id or, of an event contract, the address or name of a
# channel, or a message. A name that only one operation has at its end (`Orders.Get`, `Get`) is that operation.


_ACTION_PREFIXES: Final = ("send ", "receive ", "publish ", "subscribe ", "message ", "channel ")
_IDS: Final = ("operationId",)
_PARTS: Final = str.maketrans("./#", "\n\n\n")


class Spellings:
    """Looks up operations of both contracts by every name that is told."""

    def __init__(self, sides: ContractPair) -> None:
        self._sides = sides
        self._contracts = (sides.released, sides.candidate)
        self._named: dict[str, dict[str, None]] = {}
        self._ends: dict[str, dict[str, None]] = {}
        self._found: dict[str, tuple[str, ...]] = {}
        for contract in self._contracts:
            for operation in contract.operations:
                for name in _names(operation):
                    self._named.setdefault(operation_key(name), {})[operation.key] = None
                own = operation.key.translate(_PARTS).split("\n")
                for at in range(1, len(own)) if " " not in operation.key else ():
                    self._ends.setdefault("\n".join(own[at:]), {})[operation.key] = None

    def keys(self, text: str) -> tuple[str, ...]:
        """The keys of the operations that a text names; none for one that neither contract has."""
        if text not in self._found:
            self._found[text] = self._look_up(text)
        return self._found[text]

    def answered(self, key: str, listed: Iterable[str]) -> frozenset[str]:
        """The responses, in small letters, that answer the statuses a client lists: `default` may be what 404 gets."""
        return frozenset(name for each in listed for name in answering(self._sides, key, each))

    def nearest(self, text: str) -> str:
        """The name most like a text that names nothing, "" when none is like it."""
        known = {each.key for contract in self._contracts for each in contract.operations} | self._named.keys()
        return closest(operation_key(text), known)

    def _look_up(self, text: str) -> tuple[str, ...]:
        exact = [found.key for one in (text, text.strip().strip("/")) for found in self._exact(operation_key(one))]
        if exact:
            return tuple(dict.fromkeys(exact))
        bare = next(
            (text.strip()[len(word) :] for word in _ACTION_PREFIXES if text.strip().lower().startswith(word)), text
        )
        named = self._named.get(operation_key(text)) or self._named.get(operation_key(bare))
        if named:
            return tuple(named)
        ends = self._ends.get(text.strip().strip("/").translate(_PARTS), {})
        return tuple(ends) if len(ends) == 1 else ()

    def _exact(self, wanted: str) -> Iterator[Element]:
        for contract in self._contracts:
            yield from (each for each in contract.operations if operation_key(each.key) == wanted)


def dotted(field: str) -> str:
    """A field, dotted, as the end of a ledger address, behind an operation, or as a path from the body names it."""
    text = field.strip().removeprefix("$.")
    words = text.split(maxsplit=2)
    if " > " in text:
        whole = text if words[0].upper() in METHODS else f"GET / > {text}"
        return ".".join(field_path(whole)).replace(".[]", "[]") or text
    return words[2] if len(words) > 2 and words[0].upper() in METHODS else text


def closest(text: str, known: Iterable[str]) -> str:
    """The known name most like a text, "" when none is like it."""
    return next(iter(get_close_matches(text, sorted(known), 1, 0.5)), "")


def _names(operation: Element) -> Iterator[str]:
    """What an operation is called beside its key: its ids, its channel's address and name, its messages."""
    yield from (str(value) for name in _IDS if isinstance(value := operation.facet(name), str) and value)
    verb, _, address = operation.key.partition(" ")
    if verb in ("send", "receive"):
        yield address
    for child in operation.children:
        if child.kind is ElementKind.CHANNEL:
            yield child.name
            yield from (str(name) for name in (child.facet("channel name"), child.facet("address as written")) if name)
        elif child.kind is ElementKind.MESSAGE and verb in ("send", "receive"):
            yield from (str(name) for name in _of_message(child) if name)


def _of_message(message: Element) -> Iterable[object]:
    return (message.key, message.name, *(message.facet(name) for name in ("name", "messageId", "component", "title")))


def called_as_rows(
    inventories: Sequence[Cited[ClientInventory]], spellings: Spellings
) -> tuple[Cited[ClientInventory], ...]:
    """The inventories with each use under the names that rows have, one for each operation that it names."""
    return tuple(
        Cited(
            cited.record.model_copy(
                update={"clients": tuple(_client(client, spellings) for client in cited.record.clients)}
            ),
            cited.citation,
        )
        for cited in inventories
    )


def _client(client: KnownClient, spellings: Spellings) -> KnownClient:
    if client.uses is None:
        return client
    return client.model_copy(update={"uses": tuple(each for use in client.uses for each in _uses(use, spellings))})


def _uses(use: Uses, spellings: Spellings) -> list[Uses]:
    keys = spellings.keys(use.operation)
    fields = None if use.fields is None else tuple(map(dotted, use.fields))
    return [
        NamedUse.model_construct(
            **{**dict(use), "operation": key, "fields": fields}, answered=spellings.answered(key, use.statuses or ())
        )
        for key in keys
    ] or [use]


def checks_as_rows(tests: Sequence[Cited[TestRecord]], spellings: Spellings) -> tuple[Cited[TestRecord], ...]:
    """The records of tests with each check under the name that rows have for its operation."""
    return tuple(
        Cited(
            cited.record.model_copy(
                update={"checks": tuple(check_as_rows(check, spellings) for check in cited.record.checks)}
            ),
            cited.citation,
        )
        for cited in tests
    )


def check_as_rows(check: CheckResult, spellings: Spellings) -> CheckResult:
    """The check under the names that rows have for its operation: one, or each that its text means."""
    keys = spellings.keys(check.operation) if check.operation else ()
    if check.field:
        check = check.model_copy(update={"field": dotted(check.field)})
    if len(keys) > 1:
        return NamedCheck.model_construct(**{**dict(check), "operation": keys[0]}, operations=keys)
    return check.model_copy(update={"operation": keys[0]}) if keys else check
