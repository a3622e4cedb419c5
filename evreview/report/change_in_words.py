"""What changed, as a title says it: `status has a new value`, `new required field code`. Words come from the facet.

A phrase holds `{}` where the name of what changed stands; without the name it is what a line says behind its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from evreview.comparison.delta import ADDED_VALUES, ENUM_WHOLE, IN, REMOVED_VALUES, REQUIRED
from evreview.comparison.kind_spec import KindWords
from evreview.comparison.rules.rule import FormChange, shift_of
from evreview.contract.model import ElementKind
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ABSENT, Aspect, Change, ContractKind, Form, Json
from evreview.kinds.registry import spec_of
from evreview.report.forms_in_words import is_absent

LedgerRow = Mapping[str, Any]
_SIDES: Final = ("released", "candidate")


class Detail(StrEnum):
    """Which forms a line adds to the phrase."""

    NONE = "none"
    RELEASED = "released"
    CANDIDATE = "candidate"
    BOTH = "both"
    NEW_VALUES = "new values"
    LOST_VALUES = "lost values"


@frozen
class Phrase:
    """What changed, `{}` in the place of the name, the forms that a line adds, and shorter words for a line."""

    words: str
    detail: Detail = Detail.BOTH
    short: str = ""

    @property
    def unnamed(self) -> str:
        """The phrase without the name."""
        return self.short or " ".join(self.words.replace(" of {}", "").replace("{}", "").split())


def phrase(row: LedgerRow) -> Phrase:
    """What the row says changed."""
    facet, change = str(row["facet"]), str(row["change"])
    if not facet:
        return _whole(row)
    if facet in _VALUES:
        return _VALUES[facet](row)
    if facet in _FLAGS and (found := _flag(row, _FLAGS[facet])):
        return found
    noun = NOUNS.get(facet) or _noun(facet)
    if (
        facet in _BRANCHED
        and change != Change.CHANGED
        and not (_is_list(row["released"]) or _is_list(row["candidate"]))
    ):
        noun = _BRANCHED[facet]
    return _turned(row, noun)


_FLOW: Final = re.compile(r"flows\.(\w+)\.?(\w*)")


def _noun(facet: str) -> str:
    if found := _FLOW.fullmatch(facet):
        return f"{found[2] or 'flow'} ({found[1]})"
    return facet.replace("{", "(").replace("}", ")")


def _turned(row: LedgerRow, noun: str) -> Phrase:
    change = str(row["change"])
    if change == Change.ADDED and is_absent(row["released"]):
        return Phrase(f"new {noun} of {{}}", Detail.CANDIDATE)
    if change == Change.REMOVED and is_absent(row["candidate"]):
        return Phrase(f"{noun} of {{}} removed", Detail.RELEASED)
    return Phrase(f"{noun} of {{}} {_verb(row)}")


def _verb(row: LedgerRow) -> str:
    if row["facet"] in _MOVING or (_is_list(row["released"]) and _is_list(row["candidate"])):
        return _VERBS.get(shift_of(_form(row["released"]), _form(row["candidate"])), "changed")
    return "changed"


def _form(form: Json) -> Form:
    return ABSENT if is_absent(form) else form


def _is_list(form: Json) -> bool:
    return isinstance(form, Sequence) and not isinstance(form, str)


_VERBS: Final = {
    FormChange.RAISED: "raised",
    FormChange.LOWERED: "lowered",
    FormChange.GREW: "extended",
    FormChange.SHRANK: "reduced",
}


# Whole elements.


_ELEMENTS: Final[Mapping[str, str]] = {
    ElementKind.PROPERTY: "field",
    ElementKind.MEDIA_TYPE: "content type",
    ElementKind.SECURITY_SCHEME: "security scheme",
    ElementKind.ENUM_VALUE: "value",
    ElementKind.ENCODING: "encoding",
    ElementKind.ONEOF: "oneof",
}


def noun_of(row: LedgerRow) -> str:
    """What kind of element the row is about, in words."""
    element = str(row["element"])
    if element == ElementKind.PARAMETER:
        stands = str(row["facts"].get(IN) or "")
        return {"header": "header", "cookie": "cookie"}.get(stands, f"{stands} parameter".strip())
    if element == ElementKind.RESPONSE:
        return words_of(row).answer
    if element == ElementKind.MEMBER:
        return "interface" if row["aspect"] == Aspect.INHERITANCE else "member"
    if element == ElementKind.OPERATION:
        return words_of(row).operation_of(row["candidate"], row["released"])
    if element == ElementKind.BODY:
        return "body"
    return _ELEMENTS.get(element, element.replace("-", " "))


def words_of(row: LedgerRow) -> KindWords:
    """The words of the row's kind."""
    return spec_of(ContractKind(row["kind"])).words


def _whole(row: LedgerRow) -> Phrase:
    noun, required = noun_of(row), row["facts"].get(REQUIRED) is True
    noun = f"required {noun}" if required and row["element"] != ElementKind.BODY else noun
    if row["element"] == ElementKind.BODY:
        noun = "required body" if required else "body"
        return Phrase(f"{'new ' if row['change'] == Change.ADDED else ''}{noun}{_gone(row)}", Detail.NONE)
    if row["change"] == Change.ADDED:
        return Phrase(f"new {noun} {{}}".replace("  ", " "), Detail.CANDIDATE)
    if row["change"] == Change.REMOVED:
        return Phrase(f"{noun} {{}} removed".strip(), Detail.RELEASED)
    return Phrase(f"{noun} {{}} changed".strip())


def _gone(row: LedgerRow) -> str:
    return " removed" if row["change"] == Change.REMOVED else ""


# Facets that have a sentence of their own.


def _flag(row: LedgerRow, said: tuple[str, str]) -> Phrase | None:
    """The sentence for a facet that is so or not; None for a third state."""
    states = {True: True, False: False, ABSENT.value: False, "": False, "abstract": True}
    before, state = (states.get(row[side]) if isinstance(row[side], bool | str) else None for side in _SIDES)
    if state is None or before is None or state is before:
        return None
    words = said[0 if state else 1]
    return Phrase(words, Detail.BOTH if row["facet"] == "nullable" else Detail.NONE)


_FLAGS: Final[Mapping[str, tuple[str, str]]] = {
    "required": ("{} becomes required", "{} becomes optional"),
    "key required": ("{} becomes required", "{} becomes optional"),
    "nullable": ("{} may be null", "{} is never null"),
    "deprecated": ("{} is deprecated", "{} is no longer deprecated"),
    "readOnly": ("{} becomes read-only", "{} is no longer read-only"),
    "writeOnly": ("{} becomes write-only", "{} is no longer write-only"),
    "uniqueItems": ("items of {} must differ", "items of {} may repeat"),
    "allowEmptyValue": ("{} may be empty", "{} may no longer be empty"),
    "allowReserved": ("{} may hold reserved signs", "{} may hold no reserved signs"),
    "explode": ("{} is written with explode", "{} is written without explode"),
    "client_streaming": ("{} takes a stream", "{} takes one message"),
    "server_streaming": ("{} answers with a stream", "{} answers with one message"),
    "one-way": ("{} has no answer any more", "{} has an answer now"),
    "repeatable": ("{} may be repeated", "{} may no longer be repeated"),
    "packed": ("{} is packed", "{} is no longer packed"),
    "oneOf": ("{} takes exactly one field", "{} takes any number of fields"),
    "settable": ("{} can be set", "{} can no longer be set"),
    "deletable": ("{} can be deleted", "{} can no longer be deleted"),
    "frozen": ("{} is frozen", "{} is no longer frozen"),
    "final": ("{} is final", "{} is no longer final"),
    "hashable": ("{} can be hashed", "{} can no longer be hashed"),
    "ordered": ("{} can be ordered", "{} can no longer be ordered"),
    "listed": ("{} is listed in __all__", "{} is no longer listed in __all__"),
    "demanded": ("{} must be implemented", "{} need not be implemented"),
    "read on the class": ("{} can be read on the class", "{} can't be read on the class"),
    "takes new attributes": ("{} takes new attributes", "{} takes no new attributes"),
    "checkable at run time": ("{} can be checked at run time", "{} can't be checked at run time"),
    "may be inherited from": ("{} may be inherited from", "{} may no longer be inherited from"),
    "bound by condition": ("{} exists under a condition", "{} always exists"),
    "takes type arguments": ("{} takes type arguments", "{} takes no type arguments"),
    "py.typed": ("py.typed is there", "py.typed is gone"),
}


def _enum(row: LedgerRow) -> Phrase:
    facts = row["facts"]
    if facts.get(ENUM_WHOLE) is True:
        added = row["change"] == Change.ADDED
        words = "{} takes listed values only" if added else "{} takes any value"
        return Phrase(words, Detail.CANDIDATE if added else Detail.RELEASED)
    if row["change"] == Change.ADDED:
        count = len(facts.get(ADDED_VALUES) or ()) or 1
        return Phrase(f"{{}} has {'a new value' if count == 1 else f'{count} new values'}", Detail.NEW_VALUES)
    if row["change"] == Change.REMOVED:
        count = len(facts.get(REMOVED_VALUES) or ()) or 1
        return Phrase(f"{{}} loses {'a value' if count == 1 else f'{count} values'}", Detail.LOST_VALUES)
    return Phrase("values of {} changed")


def _renamed(row: LedgerRow) -> Phrase:
    forms = [form if _is_list(form) else [form] for form in (row["released"], row["candidate"])]
    return Phrase("{} has another name", short="name") if len(forms[0]) == len(forms[1]) == 1 else _turned(row, "names")


def _opened(row: LedgerRow) -> Phrase:
    said = {True: "{} takes any further member", False: "{} takes no further member"}
    candidate = row["candidate"]
    if isinstance(candidate, bool) and isinstance(row["released"], bool):
        return Phrase(said[candidate], Detail.NONE)
    return Phrase("further members of {} changed")


def _sunset(row: LedgerRow) -> Phrase:
    if row["change"] == Change.ADDED:
        return Phrase("new last day of {}", Detail.CANDIDATE)
    if row["change"] == Change.REMOVED:
        return Phrase("last day of {} withdrawn", Detail.RELEASED)
    return Phrase("last day of {} moved")


def _nulls(row: LedgerRow) -> Phrase:
    if not row["candidate"]:
        return Phrase("{} may be null", Detail.NONE)
    if row["released"]:
        return Phrase("null rule of {} changed")
    return Phrase("{} may not be null", Detail.NONE if row["candidate"] == ["value"] else Detail.CANDIDATE)


def _comes(added: str, removed: str) -> Callable[[LedgerRow], Phrase]:
    """The sentence for a facet that is there or not, whatever it holds."""

    def told(row: LedgerRow) -> Phrase:
        words = {Change.ADDED: added, Change.REMOVED: removed}.get(row["change"])
        return Phrase(words, Detail.NONE) if words else _turned(row, NOUNS.get(row["facet"], row["facet"]))

    return told


_VALUES: Final[Mapping[str, Callable[[LedgerRow], Phrase]]] = {
    "enum": _enum,
    "name": _renamed,
    "names": _renamed,
    "additionalProperties": _opened,
    "media-type": lambda _: Phrase("{} has another content type", short="content type"),
    "contentType": lambda row: _turned(row, "content type"),
    "status": lambda _: Phrase("answer {} has another status", short="status"),
    "is": lambda _: Phrase("{} is of another kind", short="kind"),
    "x-sunset": _sunset,
    "non-null": _nulls,
    "requirements": lambda row: replace(_turned(row, "demanded credentials"), short="credentials"),
    "run with python -m": _comes("{} runs with python -m", "{} no longer runs with python -m"),
    "does more when it is run": _comes("{} does more when it is run", "{} does less when it is run"),
}
_MOVING: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems", "maxItems"}
    | {"minProperties", "maxProperties", "minContains", "maxContains", "size", "partitions", "replicas"}
)
NOUNS: Final[Mapping[str, str]] = {
    "exclusiveMinimum": "lower bound",
    "exclusiveMaximum": "upper bound",
    "multipleOf": "step",
    "minLength": "minimum length",
    "maxLength": "maximum length",
    "minItems": "minimum items",
    "maxItems": "maximum items",
    "minProperties": "minimum members",
    "maxProperties": "maximum members",
    "minContains": "minimum matches",
    "maxContains": "maximum matches",
    "x-extensible-enum": "known values",
    "schema of 2.x": "schema (2.x)",
    "variables.0.enum": "values of variable 0",
    "unevaluatedProperties": "unevaluated members",
    "unevaluatedItems": "unevaluated items",
    "patternProperties": "members by pattern",
    "prefixItems": "item by position",
    "propertyNames": "names of members",
    "contains": "item to be contained",
    "contentEncoding": "encoding",
    "contentMediaType": "inner content type",
    "contentSchema": "inner schema",
    "dependentRequired": "required fields",
    "dependentSchemas": "dependent schema",
    "if": "condition",
    "not": "exclusion",
    "anyOf": "list of alternatives (anyOf)",
    "oneOf": "list of alternatives (oneOf)",
    "allOf": "list of parts (allOf)",
    "annotation": "type",
    "returns": "result type",
    "json_name": "name in JSON",
    "google.api.http": "HTTP route",
    "variables.0.default": "default of variable 0",
    "schemaFormat": "payload language",
    "correlationId": "correlation id",
    "asked of subclasses": "keywords of subclasses",
    "assigned from": "assigned value",
    "bound to": "binding",
    "made by": "making",
    "wrapped by": "wrapper",
    "matched by position": "fields matched by position",
    "defined by condition": "definition by condition",
    "loaded with its package": "loading",
    "logicalType": "logical type",
    "path": "version in the path",
}
_BRANCHED: Final = {
    "anyOf": "alternative (anyOf)",
    "oneOf": "alternative (oneOf)",
    "allOf": "part (allOf)",
}
