"""Protobuf: what validators and API guides ask of fields, as their options say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from evreview.comparison.delta import Delta
from evreview.comparison.rules.direction import Effect
from evreview.comparison.rules.rule import Match, Rule
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, Change, Form, Polarity
from evreview.rules.families.protobuf import BREAKING, NOWHERE, OPEN, SAFE, Felt, Said, proto, texts
from evreview.rules.protobuf_limits import BEHAVIOR, LIMITS, demanded, doubted, effect, unchanged

_FIELD: Final = (ElementKind.FIELD,)
_VALIDATORS: Final = "protovalidate, Standard rules; protoc-gen-validate, Constraint Rules"
_GUIDE: Final = "google.api.field_behavior; AIP-203"
_REFUSED: Final = Felt(BREAKING, BREAKING, BREAKING, SAFE)
_DOUBTED: Final = Felt(OPEN, OPEN, OPEN, SAFE)


def _facets(form: Form) -> Mapping[str, Form]:
    return form if isinstance(form, Mapping) else {}


def _is_read(delta: Delta) -> bool:
    """True for a field of messages that the candidate may have to read."""
    return delta.polarity is not Polarity.WRITTEN


def _joined(delta: Delta) -> set[str]:
    return set(texts(delta.candidate)) - set(texts(delta.released))


def _plain(delta: Delta) -> bool:
    """True for words of behavior that ask nothing new of whoever writes the message."""
    changed = set(texts(delta.released)) ^ set(texts(delta.candidate))
    return changed <= {"REQUIRED", "OPTIONAL"} and not ("REQUIRED" in _joined(delta) and _is_read(delta))


def _limits(polarity: Callable[[Delta], bool], *effects: Effect) -> Match:
    """Constraints of what travels so, of which the change is known to have one of these effects."""
    return Match(
        elements=_FIELD,
        facets=LIMITS,
        when=lambda it: polarity(it) and effect(it.released, it.candidate) in effects,
    )


def _asked(rule: Rule) -> Rule:
    """The rule, where only what the released side wrote is refused."""
    return replace(rule, emits_old_compatible=Answer.YES)


_BEHAVIOR_TEXT: Final = (
    'syntax = "proto3";\npackage google.api;\nimport "google/protobuf/descriptor.proto";\n'
    "enum FieldBehavior { FIELD_BEHAVIOR_UNSPECIFIED = 0; OPTIONAL = 1; REQUIRED = 2; }\n"
    "extend google.protobuf.FieldOptions { repeated FieldBehavior field_behavior = 1052 [packed = false]; }\n"
)
_LIMIT_TEXT: Final = (
    'syntax = "proto3";\npackage validate;\nimport "google/protobuf/descriptor.proto";\n'
    "message StringRules { uint64 min_len = 2; string pattern = 6; }\nmessage FieldRules { StringRules string = 14; }\n"
    "extend google.protobuf.FieldOptions { FieldRules rules = 1071; }\n"
)


def _behaving(option: str) -> str:
    return f"{_BEHAVIOR_TEXT}message Order {{ string note = 1{option}; }}\n{_service(answered=False)}"


def _limited(limit: str, more: str = "", *, answered: bool | None = None) -> str:
    option = f" [(validate.rules).string = {{ {limit} }}]" if limit else ""
    service = "" if answered is None else _service(answered=answered)
    return f"{_LIMIT_TEXT}message Order {{ string note = 1{option}; {more} }}\n{service}"


def _service(*, answered: bool) -> str:
    asked, told = ("Empty", "Order") if answered else ("Order", "Empty")
    return f"message Empty {{}}\nservice Orders {{ rpc Put({asked}) returns ({told}); }}\n"


_REQUIRED: Final = " [(google.api.field_behavior) = REQUIRED]"
_OPTIONAL: Final = " [(google.api.field_behavior) = OPTIONAL]"
_NEW: Final = "string code = 2 [(validate.rules).string.{}];"

RULES: tuple[Rule, ...] = (
    _asked(
        proto(
            "proto-demanded-field-added",
            _REFUSED,
            Said(
                "A field joined that every message has to carry",
                "Its options demand it, or hold a constraint that its zero does not keep: a server that checks them "
                "refuses a message of before.",
                f"{_GUIDE}; {_VALIDATORS}",
            ),
            Match(
                elements=_FIELD,
                facets=("",),
                changes=(Change.ADDED,),
                when=lambda it: _is_read(it) and demanded(_facets(it.candidate)),
            ),
            (
                (_limited(""), _limited("", _NEW.format("min_len = 3"))),
                (_limited(""), _limited("", _NEW.format("min_len = 0"))),
            ),
        )
    ),
    _asked(
        proto(
            "proto-constrained-field-added",
            _DOUBTED,
            Said(
                "A field joined whose constraint holds for messages without it too",
                "A message of before reads as one with the field's zero; whether that keeps the constraint is not "
                "judged here.",
                _VALIDATORS,
            ),
            Match(
                elements=_FIELD,
                facets=("",),
                changes=(Change.ADDED,),
                when=lambda it: _is_read(it) and doubted(_facets(it.candidate)),
            ),
            (
                (_limited(""), _limited("", _NEW.format('pattern = "^a"'))),
                (_limited(""), _limited("", _NEW.format("min_len = 3"))),
            ),
        )
    ),
    _asked(
        proto(
            "proto-field-demanded",
            _REFUSED,
            Said(
                "A field is demanded now",
                "The behavior REQUIRED says that a request without the field is refused.",
                _GUIDE,
            ),
            Match(elements=_FIELD, facets=(BEHAVIOR,), when=lambda it: _is_read(it) and "REQUIRED" in _joined(it)),
            ((_behaving(""), _behaving(_REQUIRED)), (_behaving(_REQUIRED), _behaving(""))),
        )
    ),
    proto(
        "proto-field-behavior-changed",
        NOWHERE,
        Said(
            "A field is demanded no longer, or in answers only, or called optional",
            "The behavior REQUIRED speaks of requests; whoever carries the field may go on.",
            _GUIDE,
        ),
        Match(elements=_FIELD, facets=(BEHAVIOR,), when=_plain),
        ((_behaving(_REQUIRED), _behaving(_OPTIONAL)), (_behaving(""), _behaving(_REQUIRED))),
    ),
    proto(
        "proto-constraint-reworded",
        NOWHERE,
        Said("A field's constraint is written otherwise", "It lets the same values pass.", _VALIDATORS),
        Match(elements=_FIELD, facets=LIMITS, when=lambda it: unchanged(it.released, it.candidate)),
        (
            (_limited("min_len: 0"), _limited("")),
            (_limited("min_len: 1"), _limited("min_len: 3")),
        ),
    ),
    replace(
        proto(
            "proto-constraint-tightened",
            _REFUSED,
            Said(
                "A field's constraint lets fewer values pass",
                "A server that checks it refuses values that were taken before; no byte is written differently. buf "
                "compares no custom options.",
                _VALIDATORS,
            ),
            _limits(_is_read, Effect.NARROWS, Effect.REPLACES),
            (
                (_limited("min_len: 1"), _limited("min_len: 3")),
                (_limited("min_len: 1", answered=True), _limited("min_len: 3", answered=True)),
            ),
        ),
        emits_old_compatible=Answer.UNKNOWN,
    ),
    proto(
        "proto-constraint-loosened",
        NOWHERE,
        Said(
            "A field's constraint lets more values of requests pass",
            "Every value that was taken is taken still.",
            _VALIDATORS,
        ),
        _limits(lambda it: it.polarity is Polarity.READ, Effect.WIDENS),
        (
            (_limited("min_len: 3", answered=False), _limited("min_len: 1", answered=False)),
            (_limited("min_len: 3", answered=True), _limited("min_len: 1", answered=True)),
        ),
    ),
    proto(
        "proto-written-constraint-tightened",
        NOWHERE,
        Said(
            "A field's constraint lets fewer values of answers pass",
            "Nothing comes that did not come before.",
            _VALIDATORS,
        ),
        _limits(lambda it: not _is_read(it), Effect.NARROWS),
        (
            (_limited("min_len: 1", answered=True), _limited("min_len: 3", answered=True)),
            (_limited("min_len: 3", answered=True), _limited("min_len: 1", answered=True)),
        ),
    ),
    proto(
        "proto-written-constraint-loosened",
        _DOUBTED,
        Said(
            "A field's constraint lets other values pass that are written",
            "A value may come that did not come before; whether its reader checks the constraint, the contract does "
            "not say.",
            _VALIDATORS,
        ),
        _limits(lambda _: True, *Effect),
        (
            (_limited("min_len: 3", answered=True), _limited("min_len: 1", answered=True)),
            (_limited("min_len: 3", answered=False), _limited("min_len: 1", answered=False)),
        ),
    ),
)
