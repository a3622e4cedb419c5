"""What every family of protobuf rules is written with: one helper, the sections of the guides, small texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Answer, Change, Form, Plane, RuleId, Verdict

BREAKING: Final = Verdict.BREAKING
SAFE: Final = Verdict.COMPATIBLE
OPEN: Final = Verdict.UNKNOWN

UPDATING: Final = "Protocol Buffers language guide, Updating A Message Type"
ENCODING: Final = "Protocol Buffers, Encoding"
JSON: Final = "Protocol Buffers, ProtoJSON Format"
PRESENCE: Final = "Protocol Buffers, Field Presence"
ENUMS: Final = "Protocol Buffers, Enum Behavior"
FEATURES: Final = "Protocol Buffers, Feature Settings for Editions"
GUIDE: Final = "Protocol Buffers language guide"
GRPC: Final = "gRPC over HTTP2, Requests"
TRANSCODING: Final = "google.api.http, HTTP transcoding"

CONVENTION: Final = "buf calls this breaking by convention"


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a rule."""

    title: str
    why: str
    reference: str


@dataclass(frozen=True, slots=True)
class Felt:
    """The verdict of a row and those of its planes: the binary wire, the JSON wire, generated code."""

    verdict: Verdict
    binary: Verdict
    json: Verdict
    source: Verdict


EVERYWHERE: Final = Felt(BREAKING, BREAKING, BREAKING, BREAKING)
NOWHERE: Final = Felt(SAFE, SAFE, SAFE, SAFE)
CODE_ONLY: Final = Felt(SAFE, SAFE, SAFE, BREAKING)
JSON_AND_CODE: Final = Felt(BREAKING, SAFE, BREAKING, BREAKING)
WIRES: Final = Felt(BREAKING, BREAKING, BREAKING, SAFE)

_ANSWERS: Final = {BREAKING: Answer.NO, SAFE: Answer.YES, OPEN: Answer.UNKNOWN}


def proto(rule_id: str, felt: Felt, said: Said, match: Match, shown: tuple[tuple[str, str], tuple[str, str]]) -> Rule:
    """A rule about protobuf; `shown` holds the texts of its example and of its counter-example."""
    answer = _ANSWERS[felt.verdict]
    return Rule(
        id=RuleId(rule_id),
        title=said.title,
        why=said.why,
        match=match,
        verdict=felt.verdict,
        accepts_old_requests=answer,
        emits_old_compatible=answer,
        reference=said.reference,
        example=Example(Slot.PROTOBUF, *shown[0]),
        counter_example=Example(Slot.PROTOBUF, *shown[1]),
        planes=((Plane.BINARY, felt.binary), (Plane.JSON, felt.json), (Plane.SOURCE, felt.source)),
    )


def text(*declarations: str, syntax: str = "proto3") -> str:
    """A small `.proto` text."""
    head = f'edition = "{syntax}";' if syntax.isdigit() else f'syntax = "{syntax}";'
    return "\n".join((head, "package shop;", *declarations, ""))


def order(*members: str, syntax: str = "proto3", beside: tuple[str, ...] = ()) -> str:
    """A text with one message of these members, and declarations beside it."""
    return text(f"message Order {{ {' '.join(members)} }}", *beside, syntax=syntax)


def status(*values: str, syntax: str = "proto3") -> str:
    """A text with one enum, and a message that holds it."""
    label = "optional " if syntax == "proto2" else ""
    return text(
        f"enum Status {{ {' '.join(values)} }}", f"message Order {{ {label}Status status = 1; }}", syntax=syntax
    )


def calls(*procedures: str, beside: tuple[str, ...] = ()) -> str:
    """A text with one service of these procedures."""
    return text("message Asked {}", "message Told {}", *beside, f"service Orders {{ {' '.join(procedures)} }}")


def is_enum(form: Form) -> bool:
    """True for the form of an enum."""
    return isinstance(form, dict) and form.get("kind") == "enum"


def whole(change: Change, *, enum: bool) -> Match:
    """A message or enum that came or went."""
    return Match(
        elements=(ElementKind.TYPE,),
        facets=("",),
        changes=(change,),
        when=lambda it: is_enum(it.candidate if change is Change.ADDED else it.released) is enum,
    )


def texts(form: Form) -> Sequence[str]:
    """The members of a form that is a list, as texts; none of any other."""
    return [str(each) for each in form] if isinstance(form, (list, tuple)) else []
