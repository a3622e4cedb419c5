"""The card of one row: where, both forms whole, why, how it is shown, the message, what to do. Nothing is cut here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from evreview.core.frozen import frozen
from evreview.core.json_text import folded_text
from evreview.core.quoted_text import Text
from evreview.core.vocabulary import Json, Tristate
from evreview.report.change_in_words import LedgerRow
from evreview.report.difference_text import NOTHING, NextStep, RowContext, RowText, forms, next_steps, said, steps_of
from evreview.report.forms_in_words import is_absent

DIRECTIONS: Final[Mapping[str, str]] = {
    "accepts_old_requests": "old requests accepted",
    "emits_old_compatible": "old form still emitted",
}


class PartLabel(StrEnum):
    """What a part of a card tells."""

    WHERE = "where"
    REACHES = "reaches"
    ALSO_REACHES = "also reaches"
    RELEASED = "released"
    CANDIDATE = "candidate"
    WHY = "why"
    DIRECTION = "direction"
    PLANES = "planes"
    ACCEPTED = "accepted"
    CLIENTS = "clients"
    SHOWN_BY = "shown by"
    MESSAGE = "message"
    VALUE = "value"
    REFUSED = "refused"


@frozen
class CardPart:
    """One part of a card: its label, lines of words, and a value as JSON text, "" for none."""

    label: PartLabel
    lines: tuple[Text, ...]
    code: str = ""


@frozen(kw_only=True)
class Card:
    """A row whole: what its line says, the rule that speaks, the parts in order, and the next steps."""

    row: RowText
    rule: str
    parts: tuple[CardPart, ...]
    next_steps: tuple[NextStep, ...]


def card_of(row: LedgerRow, told: RowContext = NOTHING) -> Card:
    """The card of a row, redacted before as far as it has to be."""
    spoken = said(row, told)
    return Card(
        row=spoken,
        rule=str(row["rule"] or ""),
        parts=tuple(_parts(row, spoken, told)),
        next_steps=next_steps(row, told),
    )


def _parts(row: LedgerRow, spoken: RowText, told: RowContext) -> Iterator[CardPart]:
    first, *steps = steps_of(row["address"]) or ["the document"]
    where = " > ".join([told.names.get(first, first), *steps])
    yield CardPart(PartLabel.WHERE, ((where,),))
    if len(spoken.operations) > 1:
        others = tuple((name,) for name in spoken.operations if name != where)
        label = PartLabel.REACHES if len(others) == len(spoken.operations) else PartLabel.ALSO_REACHES
        yield CardPart(label, others)
    for side, words in zip((PartLabel.RELEASED, PartLabel.CANDIDATE), forms(row), strict=True):
        yield _side(row, side, words)
    yield CardPart(PartLabel.WHY, ((str(row["why"]),),))
    yield from _answers(row)
    if acceptance := row.get("acceptance"):
        yield CardPart(PartLabel.ACCEPTED, ((_accepted(acceptance),),))
    if spoken.clients:
        yield CardPart(PartLabel.CLIENTS, tuple((client,) for client in spoken.clients))
    proof: Any = row["proof"]
    yield CardPart(
        PartLabel.SHOWN_BY, ((f"{spoken.shown_by}: {proof['reason']}" if proof["reason"] else spoken.shown_by,),)
    )
    yield from _witness(proof)


def _side(row: LedgerRow, side: PartLabel, words: Text) -> CardPart:
    form = row[side]
    place, line = str(row["locations"].get(side) or ""), row.get("lines", {}).get(side)
    file = place.partition("#")[0]
    at = f"at {file}:{line}" if file and line else f"at {place}" if place else ""
    structured = isinstance(form, Mapping | list | tuple) and bool(form) and not is_absent(form)
    return CardPart(side, (words, *(((at,),) if at else ())), in_json(form) if structured else "")


def _answers(row: LedgerRow) -> Iterator[CardPart]:
    told = [f"{words}: {row[name]}" for name, words in DIRECTIONS.items() if row[name] != Tristate.NOT_APPLICABLE]
    if told:
        yield CardPart(PartLabel.DIRECTION, ((", ".join(told),),))
    if row.get("planes"):
        yield CardPart(
            PartLabel.PLANES, ((", ".join(f"{plane}: {verdict}" for plane, verdict in row["planes"].items()),),)
        )


def _accepted(found: Mapping[str, Any]) -> str:
    until = "until" if found["state"] == "accepted" else "expired on"
    return f"{until} {found['expires']} by {found['owner']}: {found['reason']}"


def _witness(proof: Mapping[str, Any]) -> Iterator[CardPart]:
    witness: Any = proof.get("witness") or {}
    if not witness:
        return
    sides = [(str(witness[side]), verb) for side, verb in (("accepted_by", "admits"), ("refused_by", "refuses"))
             if witness.get(side)]  # fmt: skip
    head = ", ".join(f"{name} {verb} it" for name, verb in sides)
    realism = str(proof.get("witness_realism") or "")
    if realism not in ("", "declared"):
        head = f"{head}; {realism}" if head else realism
    message = witness.get("message")
    if isinstance(message, Mapping) and isinstance(message.get("method"), str):
        body: Any = message.get("body") or {}
        yield CardPart(PartLabel.MESSAGE, tuple((line,) for line in (head, *_request(message)) if line), _body(body))
    else:
        shown = next((witness[name] for name in ("message", "value") if name in witness), witness)
        yield CardPart(
            PartLabel.MESSAGE if "message" in witness else PartLabel.VALUE, ((head,),) if head else (), in_json(shown)
        )
    broken: Any = witness.get("violation") or {}
    if broken.get("keyword"):
        at = f"{broken.get('in', '')} {broken.get('at', '')}".strip()
        yield CardPart(PartLabel.REFUSED, ((f"{at} breaks {broken['keyword']} at {broken.get('place', '')}",),))


def _request(message: Mapping[str, Any]) -> Iterator[str]:
    """The first line of a message, and its headers: what it is sent to and what it answers."""
    query = f"?{message['query']}" if message.get("query") else ""
    target = f"{message.get('server', '')}{message.get('path') or message.get('route', '')}{query}"
    words = [message["method"], target, *(["->", message["status"]] if "status" in message else [])]
    yield " ".join(str(word) for word in (*words, message.get("content_type", "")) if str(word))
    for name, value in (message.get("headers") or {}).items():
        yield f"{name}: {value}"
    if message.get("cookies"):
        yield f"cookie: {message['cookies']}"
    if message.get("credentials"):
        yield f"with credentials: {', '.join(message['credentials'])}"


def _body(body: Mapping[str, Any]) -> str:
    if "json" in body:
        return in_json(body["json"])
    return str(body["text"]) if isinstance(body.get("text"), str) else in_json(body) if body else ""


def in_json(value: Json) -> str:
    """The value as JSON text with its keys in order; what fits a line stands on one."""
    return folded_text(value, sort_keys=True)
