"""Requests: parameters and bodies of the contract against those that the code reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from evreview.codefacts.model import CodeBody, CodeNote, CodeParameter
from evreview.contract.model import Element, ElementKind, ValueSet
from evreview.core.json_text import same
from evreview.core.vocabulary import ABSENT, Concern, Direction, Form, Json
from evreview.workflows.w2.facts import claim
from evreview.workflows.w2.message_parts import covers, first_covering, media_base
from evreview.workflows.w2.reconcile.deviation import At, Deviation, Deviations, Matched, Steps, Undecided
from evreview.workflows.w2.reconcile.fields import value_rows
from evreview.workflows.w2.value_sets import DeviationKind, Mode, PositionDifference

NOT_WHOLE: Final = "not every part of the code was read, so nobody knows whether it is read elsewhere"
UNSCHEMED: Final = "the contract gives the parameter's values another way than by a schema"
NOT_READ: Final = "the contract's entry there could not be read, or declares a parameter a second time"
UNTOLD: Final = "whether the code requires it can't be told"
_CREDENTIALS: Final = frozenset({("header", "authorization"), ("header", "accept"), ("header", "content-type")})
_NAME: Final = re.compile(r"\{([^{}:]*)")
Key = tuple[str, str]
_PARAMETER_KINDS: Final[Mapping[DeviationKind, str]] = {
    DeviationKind.NARROWER: "parameter-narrower",
    DeviationKind.CLOSED: "parameter-narrower",
    DeviationKind.REQUIRED: "parameter-narrower",
}


@dataclass(frozen=True, slots=True)
class _Both:
    """One parameter: as the contract has it, as the code has it."""

    contract: Element | None
    code: CodeParameter | None


def parameters(matched: Matched) -> Deviations:
    """Every deviation in an operation's parameters."""
    pairs = _pairs(matched)
    moved = _moved(pairs)
    for key, both in pairs.items():
        if key in moved:
            yield from _elsewhere(matched, key, both.contract, pairs[moved[key]].code)
        elif both.contract is None and both.code is not None:
            yield _undocumented(matched, key, both.code)
        elif both.code is None and both.contract is not None:
            yield from _unread_parameter(matched, key, both.contract)
        elif both.contract is not None and both.code is not None:
            yield from _compared(matched, key, both.contract, both.code)
    yield from _not_read(matched)


def _not_read(matched: Matched) -> Iterator[Undecided]:
    """Entries of the contract's own list of parameters that could not be read, or that stand twice in it."""
    owner = matched.operation.element.place
    listed = (f"{owner.pointer}/parameters/", f"{owner.pointer.rpartition('/')[0]}/parameters/")
    for part in matched.evidence.contract.unread:
        pointer = part.place.pointer
        if part.place.file == owner.file and pointer.startswith(listed):
            yield Undecided(
                operation=matched.operation.id,
                concern=Concern.PARAMETERS,
                place=pointer.rpartition("/")[2],
                reason=NOT_READ,
                citations=(matched.places.at(part.place),),
            )


def names(matched: Matched) -> frozenset[str]:
    """The names of all parameters of both sides, in lower case."""
    return frozenset(name.lower() for _, name in _pairs(matched))


def parameter_keys(matched: Matched) -> tuple[Key, ...]:
    """Place and name of every parameter of both sides."""
    return tuple(_pairs(matched))


def documented_keys(matched: Matched) -> frozenset[Key]:
    """Place and name of every parameter of the contract."""
    return frozenset(_key(element) for element in matched.children(ElementKind.PARAMETER))


def _pairs(matched: Matched) -> dict[Key, _Both]:
    theirs = _of_code(matched)
    found: dict[Key, _Both] = {}
    for element in matched.children(ElementKind.PARAMETER):
        key = _key(element)
        found[key] = _Both(element, theirs.pop(key, None))
    return found | {key: _Both(None, fact) for key, fact in sorted(theirs.items())}


def _key(element: Element) -> Key:
    location = element.key.partition(":")[0]
    return location, element.name.lower() if location == "header" else element.name


def _of_code(matched: Matched) -> dict[Key, CodeParameter]:
    """What the code reads, path parameters under the contract's names; credentials belong to the security schemes."""
    renamed = _renamed(matched)
    schemes = _scheme_parameters(matched)
    found: dict[Key, CodeParameter] = {}
    for fact in matched.route.parameters:
        name = renamed.get(fact.name, fact.name) if fact.location == "path" else fact.name
        key = (str(fact.location), name.lower() if fact.location == "header" else name)
        if key not in schemes and key not in _CREDENTIALS:
            found.setdefault(key, fact)
    return found


def _renamed(matched: Matched) -> dict[str, str]:
    """The contract's name of each path parameter of the code, counted from the end of the path."""
    mine, theirs = _NAME.findall(matched.operation.path), _NAME.findall(matched.route.path)
    return dict(zip(reversed(theirs), reversed(mine), strict=False))


def _scheme_parameters(matched: Matched) -> frozenset[Key]:
    keys = (
        child.key.split() for child in matched.evidence.contract.root.children
        if child.kind is ElementKind.SECURITY_SCHEME
    )  # fmt: skip
    return frozenset((key[1], key[2]) for key in keys if len(key) > 2 and key[0] == "apiKey")


def _moved(pairs: Mapping[Key, _Both]) -> dict[Key, Key]:
    """Parameters that both sides have in different places, each with its counterpart."""
    alone = [key for key, both in pairs.items() if both.code is None]
    found: dict[Key, Key] = {}
    for location, name in alone:
        others = [
            key for key, both in pairs.items()
            if both.contract is None and key[0] != location and _bare(key[1]) == _bare(name) and key not in found
        ]  # fmt: skip
        if len(others) == 1:
            found[(location, name)], found[others[0]] = others[0], (location, name)
    return found


def _bare(name: str) -> str:
    return name.lower().replace("_", "-")


def _elsewhere(matched: Matched, key: Key, element: Element | None, fact: CodeParameter | None) -> Iterator[Deviation]:
    """One row, at the contract's place."""
    if element is not None and fact is not None:
        forms = contract_form(element), code_form(fact)
        yield _parameter_deviation("parameter-elsewhere", matched, key, (element, fact), forms)


def _undocumented(matched: Matched, key: Key, fact: CodeParameter) -> Deviation:
    if not fact.required and key[0] == "header" and key[1] in _idempotency_keys(matched):
        row = _parameter_deviation("idempotency-undocumented", matched, key, (None, fact), (ABSENT, code_form(fact)))
        return replace(row, concern=Concern.IDEMPOTENCY)
    kind = "parameter-required-undocumented" if fact.required else "parameter-undocumented"
    return _parameter_deviation(kind, matched, key, (None, fact), (ABSENT, code_form(fact)))


def _idempotency_keys(matched: Matched) -> frozenset[str]:
    notes = matched.route.notes
    return frozenset(note.name.lower() for note in notes if note.concern is Concern.IDEMPOTENCY and note.certain)


def _unread_parameter(matched: Matched, key: Key, element: Element) -> Deviations:
    taken = [one for one in matched.route.open_inputs if one.location == key[0]]
    taken = [one for one in taken if one.name.lower() in ("", key[1].lower())]
    if any(one.certain for one in taken):
        return
    if not matched.whole:
        yield matched.undecided(Concern.PARAMETERS, key, NOT_WHOLE, matched.route.spot)
    elif taken:
        yield matched.undecided(Concern.PARAMETERS, key, taken[0].found, *(one.spot for one in taken))
    else:
        yield _parameter_deviation("parameter-unread", matched, key, (element, None), (contract_form(element), ABSENT))


def _compared(matched: Matched, key: Key, element: Element, fact: CodeParameter) -> Deviations:
    required = element.facet("required") is True
    if fact.required is None:
        yield matched.undecided(Concern.PARAMETERS, key, UNTOLD, fact.spot)
    elif fact.required != required:
        kind = "parameter-required" if fact.required else "parameter-optional"
        yield _parameter_deviation(kind, matched, key, (element, fact), (required, fact.required))
    yield from _defaults(matched, key, element, fact)
    if element.value is None:
        yield matched.undecided(Concern.VALIDATION, key, UNSCHEMED, fact.spot)
        return
    yield from _value_rows(matched, (key[0], element.name), element.value, fact)


def _value_rows(matched: Matched, key: Key, value: ValueSet, fact: CodeParameter) -> Deviations:
    sides = matched.values.of_contract(value, Direction.READ), matched.values.of_code(fact.schema, Direction.READ)
    mode = Mode(reads=True, exact=fact.exact, text=True, path=key[0] == "path")
    yield from value_rows(At(matched, Concern.VALIDATION, key, (fact.spot,)), sides, mode, _parameter_kind)


def routed_away(matched: Matched) -> tuple[CodeParameter, ...]:
    """The path parameters of which the route may not take every value that the contract admits.

    A call with another value finds no handler, so that the router answers it, with 404.
    """
    pairs = [(key, both) for key, both in _pairs(matched).items() if key[0] == "path"]
    return tuple(
        both.code
        for key, both in pairs
        if both.code is not None and not (both.code.exact and _takes_all(matched, key, both.contract, both.code))
    )


def _takes_all(matched: Matched, key: Key, element: Element | None, fact: CodeParameter) -> bool:
    value = element.value if element is not None else None
    if value is None:
        return fact.schema == {"type": "string"}
    found = _value_rows(matched, key, value, fact)
    return not any(isinstance(one, Undecided) or one.kind == "parameter-narrower" for one in found)


def _parameter_kind(found: PositionDifference) -> str:
    return _PARAMETER_KINDS.get(found.way, "parameter-wider")


def _defaults(matched: Matched, key: Key, element: Element, fact: CodeParameter) -> Iterator[Deviation]:
    """What an absent parameter stands for; a null in the code stands for nothing."""
    stated = _default(element.value)
    kept = ABSENT if fact.default is None else fact.default
    if kept is ABSENT or (stated is not ABSENT and same(stated, kept)):
        return
    kind = "parameter-default-undocumented" if stated is ABSENT else "parameter-default-differs"
    yield _parameter_deviation(kind, matched, (*key, "default"), (element, fact), (stated, kept))


def _default(value: ValueSet | None) -> Form:
    node = value.node if value is not None else None
    return node.get("default", ABSENT) if isinstance(node, dict) else ABSENT


def _parameter_deviation(
    kind: str, matched: Matched, place: Steps, on: tuple[Element | None, CodeParameter | None], forms: tuple[Form, Form]
) -> Deviation:
    element, fact = on
    named = (str(place[0]), element.name) if element is not None else (str(place[0]), str(place[1]))
    spot = fact.spot if fact is not None else matched.route.spot
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.PARAMETERS,
        place=(*named, *place[2:]),
        contract=forms[0],
        implementation=forms[1],
        citations=matched.cited(element.place if element is not None else None, spot),
        withholds=frozenset(
            claim(matched.operation.id, concern, *named) for concern in (Concern.PARAMETERS, Concern.VALIDATION)
        ),
    )


def contract_form(element: Element) -> Json:
    """A parameter of the contract in short."""
    node = element.value.node if element.value is not None else None
    location = element.key.partition(":")[0]
    required = element.facet("required") is True
    return {"name": element.name, "in": location, "required": required, "schema": node}


def code_form(fact: CodeParameter) -> Json:
    """A parameter of the code in the same terms."""
    said: dict[str, Json] = {"name": fact.name, "in": str(fact.location), "required": fact.required}
    default: dict[str, Json] = {} if fact.default is ABSENT else {"default": fact.default}
    return said | {"schema": fact.schema} | default


# Bodies: whether there is one, its media type, its fields and what they admit.


UNSTATED: Final = "the contract gives no schema for this media type"
NO_MEDIA: Final = "the code does not show which of the contract's media types it reads"
_FORMS: Final = ("application/x-www-form-urlencoded", "multipart/form-data")
_WHOLE: Final = frozenset(
    {"body-required", "body-optional", "body-unread", "body-undocumented", "body-media-type-differs"}
)
"""What is about the body as a whole, whatever place it names."""
_BODY_KINDS: Final[Mapping[DeviationKind, str]] = {
    DeviationKind.NARROWER: "body-narrower",
    DeviationKind.WIDER: "body-wider",
    DeviationKind.CLOSED: "body-closed",
    DeviationKind.REQUIRED: "body-field-required",
    DeviationKind.OPTIONAL: "body-field-optional",
    DeviationKind.UNREAD: "body-field-unread",
    DeviationKind.UNDOCUMENTED: "body-field-undocumented",
    DeviationKind.DEFAULT: "body-field-default-differs",
}


def bodies(matched: Matched) -> Deviations:
    """Every deviation in an operation's request body."""
    element, code = matched.child(ElementKind.BODY), matched.route.body
    if element is None and code is not None:
        yield _body_deviation(
            "body-undocumented", matched, (media_base(code.media_type) or "body",), None, (ABSENT, _form(code))
        )
    elif element is not None and code is None:
        taken = [one for one in matched.route.open_inputs if one.location == "body"]
        if matched.whole and taken:
            yield matched.undecided(Concern.REQUEST_BODY, (), taken[0].found, *(one.spot for one in taken))
        elif matched.whole:
            yield from _unread_body(matched, element)
        else:
            yield matched.undecided(Concern.REQUEST_BODY, (), NOT_WHOLE, matched.route.spot)
    elif element is not None and code is not None:
        yield from _need(matched, element, code)
        yield from _media(matched, element, code)


def _unread_body(matched: Matched, element: Element) -> Iterator[Deviation]:
    names: list[Json] = [media.name for media in element.children]
    yield _body_deviation("body-unread", matched, (), element, (names, ABSENT))


def _need(matched: Matched, element: Element, code: CodeBody) -> Deviations:
    required = element.facet("required") is True
    if code.required is None:
        yield matched.undecided(Concern.REQUEST_BODY, ("required",), UNTOLD, code.spot)
    elif code.required != required:
        kind = "body-required" if code.required else "body-optional"
        yield _body_deviation(kind, matched, ("required",), element, (required, code.required))


def _media(matched: Matched, element: Element, code: CodeBody) -> Deviations:
    medias = {media.key: media for media in element.children if media.kind is ElementKind.MEDIA_TYPE}
    name = first_covering(medias, code.media_type)
    read = media_base(code.media_type)
    stated: list[Json] = [media.name for media in medias.values()]
    if name is None and read:
        yield _body_deviation("body-media-type-differs", matched, (read,), element, (stated, code.media_type))
        return
    if name is None:
        yield matched.undecided(Concern.REQUEST_BODY, (), NO_MEDIA, code.spot)
        return
    for key, media in medias.items():
        if read and matched.whole and not covers(key, read):
            yield _body_deviation(
                "body-media-type-unread", matched, (media.name,), media, (media.name, code.media_type)
            )
    yield from _values(matched, medias[name], code)


def _values(matched: Matched, media: Element, code: CodeBody) -> Deviations:
    at = At(matched, Concern.REQUEST_BODY, (media.name,), (code.spot, *code.models))
    if media.value is None:
        yield matched.undecided(Concern.REQUEST_BODY, at.place, UNSTATED, code.spot)
        return
    sides = (
        matched.values.of_contract(media.value, Direction.READ),
        matched.values.of_code(code.schema, Direction.READ),
    )
    mode = Mode(reads=True, exact=code.exact, text=media_base(code.media_type) in _FORMS)
    for row in value_rows(at, sides, mode, _body_kind):
        yield row if isinstance(row, Undecided) else _validated(row)


def _validated(row: Deviation) -> Deviation:
    """What a body's values disagree in is in doubt as validation too, at the same place."""
    return replace(row, withholds=row.held | {claim(row.operation, Concern.VALIDATION, *row.place)})


def _body_kind(found: PositionDifference) -> str:
    return _BODY_KINDS[found.way]


def _body_deviation(
    kind: str, matched: Matched, place: Steps, on: Element | None, forms: tuple[Form, Form]
) -> Deviation:
    spot = matched.route.body.spot if matched.route.body is not None else matched.route.spot
    return Deviation(
        kind=kind,
        operation=matched.operation.id,
        concern=Concern.REQUEST_BODY,
        place=place,
        contract=forms[0],
        implementation=forms[1],
        citations=matched.cited(on.place if on is not None else None, spot),
        withholds=frozenset({claim(matched.operation.id, Concern.REQUEST_BODY)}) if kind in _WHOLE else frozenset(),
    )


def _form(code: CodeBody) -> Json:
    return {"media type": code.media_type, "required": code.required, "schema": code.schema}


# Conditions and functions of the code that may refuse or change values besides what was read as value sets.


CHECKED: Final = "a condition or function of the code may refuse or change values of it, and is not read as a value set"


def checked(matched: Matched) -> Deviations:
    """One open point per parameter or field of the body that such a check looks at."""
    for note in matched.route.notes:
        if note.concern is Concern.VALIDATION and not note.certain:
            concern, place = _where(matched, note)
            yield matched.undecided(concern, place, CHECKED, note.spot)


def _where(matched: Matched, note: CodeNote) -> tuple[Concern, Steps]:
    named = {_bare(key[1]): key for key in parameter_keys(matched)}
    if note.name and _bare(note.name) in named:
        return Concern.VALIDATION, named[_bare(note.name)]
    body = matched.child(ElementKind.BODY)
    name = (note.name,) if note.name else ()
    medias = [each.name for each in body.children if each.kind is ElementKind.MEDIA_TYPE] if body is not None else []
    return (Concern.REQUEST_BODY, (medias[0], *name)) if medias else (Concern.VALIDATION, name)
