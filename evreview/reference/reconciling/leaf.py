"""Two value sets compared as wholes, with a value that shows the difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from evreview.core.vocabulary import Answer, Json
from evreview.reference.reconciling.difference import Difference, Mode, Open, Way
from evreview.reference.reconciling.readings import readings
from evreview.schema.subsumption.relation import Inclusion
from evreview.schema.wire_text import expected, sent
from evreview.workflows.w2.step3_reconcile.value_sets import Pair, Position, admits

READ_OTHERWISE: Final = "the code may read the value that differs as one that both sides admit"
INEXACT: Final = "what the code shows is an outer bound, and may be narrower in fact"
_NOT_EMPTY: Final[Json] = {"minLength": 1}
_NOT_NULL: Final[Json] = {"type": ["string", "number", "boolean", "array", "object"]}


def whole_sets(pair: Pair, contract: Position, code: Position, mode: Mode) -> Iterator[tuple[Way, Json] | Open]:
    """The one way in which the code's set deviates, with its witness, or why that is open; nothing when it doesn't."""
    left = {"allOf": [contract.schema, *_beside(mode)]} if mode.text or mode.path else contract.schema
    found = _read(pair, (left, code), contract, mode) if mode.reads else _sent(pair, contract, code, mode)
    if found is not None:
        yield found


def witnessed(way: Way, contract: Position, code: Position, witness: Json, path: str) -> Difference:
    """The difference between two whole positions."""
    return Difference(
        way=way,
        path=path,
        contract=contract.form,
        implementation=code.form,
        witness=witness,
        place=contract.place,
        sides=(contract, code),
    )


def _read(pair: Pair, sides: tuple[Json, Position], contract: Position, mode: Mode) -> tuple[Way, Json] | Open | None:
    left, code = sides
    forth = pair.within_code(left, code.schema)
    if forth.answer is Answer.NO:
        refused = _refused(code, forth.witness[0], text=mode.text)
        if refused:
            return Way.NARROWER, forth.witness[0]
        if refused is None or not mode.text:
            return Open("", READ_OTHERWISE)
        return _texts(pair, (left, code), contract, mode)
    wider = _wider(pair, contract, code, mode)
    if wider is None and forth.answer is Answer.UNKNOWN:
        return Open("", forth.reason)
    return wider


def _texts(pair: Pair, sides: tuple[Json, Position], contract: Position, mode: Mode) -> tuple[Way, Json] | Open | None:
    """The same for sets of texts: types differ, and what is written may not."""
    left, code = sides
    texts, read = sent(contract.whole), expected(code.whole)
    if texts is None or read is None:
        return Open("", READ_OTHERWISE)
    found = pair.within_code(texts, read)
    if found.answer is Answer.YES:
        return _wider(pair, contract, code, mode)
    if found.answer is Answer.NO:
        text = found.witness[0]
        meant = any(admits(contract, left, value) for value in readings(text, text=True))
        if meant and _refused(code, text, text=True):
            return Way.NARROWER, text
    return Open("", READ_OTHERWISE)


def _wider(pair: Pair, contract: Position, code: Position, mode: Mode) -> tuple[Way, Json] | Open | None:
    if not mode.exact:
        return None
    left = {"allOf": [code.schema, *_beside(mode)]} if mode.text or mode.path else code.schema
    back = pair.within_contract(left, contract.schema)
    if back.answer is Answer.NO:
        refused = not mode.text or _refused(contract, back.witness[0], text=True)
        return (Way.WIDER, back.witness[0]) if refused else None
    return Open("", back.reason) if back.answer is Answer.UNKNOWN else None


def _sent(pair: Pair, contract: Position, code: Position, mode: Mode) -> tuple[Way, Json] | Open | None:
    found: Inclusion = pair.within_contract(code.schema, contract.schema)
    if found.answer is Answer.YES:
        return None
    if found.answer is Answer.UNKNOWN:
        return Open("", found.reason)
    if mode.exact or pair.within_contract(code.schema, {"not": contract.schema}).answer is Answer.YES:
        return Way.OUTSIDE, found.witness[0]
    return Open("", INEXACT)


def _beside(mode: Mode) -> list[Json]:
    """What can't travel at all: null has no text, and no part of a path is empty."""
    return [*([_NOT_NULL] if mode.text else []), *([_NOT_EMPTY] if mode.path else [])]


def _refused(position: Position, value: Json, *, text: bool) -> bool | None:
    """True when a side refuses every reading of a value; None when nobody can say."""
    answers = [admits(position, position.schema, reading) for reading in readings(value, text=text)]
    if any(answers):
        return False
    return None if None in answers else True
