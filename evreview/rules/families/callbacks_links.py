"""Callbacks that the producer makes, and links that it suggests."""

from __future__ import annotations

from typing import Final

from evreview.comparison.rules.direction import Text, concerning, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import MISSING, Change, Json, Polarity, Verdict

_CALLBACK: Final = "OpenAPI 3.1, section 4.8.18 Callback Object"
_LINK: Final = "OpenAPI 3.1, section 4.8.20 Link Object"
_LINKS: Final = (ElementKind.LINK,)
_CALLED: Final[Json] = {"done": {"{$request.query.url}": {"post": {"responses": {"204": {"description": "noted"}}}}}}
_FOLLOW: Final[Json] = {"self": {"operationId": "readThing"}}
_OTHER: Final[Json] = {"self": {"operationId": "listThings"}}


def _call(rule_id: str, verdict: Verdict, words: tuple[str, str], change: Change) -> Rule:
    present, absent = (_CALLED, MISSING), (MISSING, _CALLED)
    edit = present if change is Change.REMOVED else absent
    return concerning(
        Polarity.WRITTEN,
        stated(
            rule_id,
            verdict,
            Text(title=words[0], why=words[1], reference=_CALLBACK),
            Match(elements=(ElementKind.CALLBACK,), facets=("",), changes=(change,)),
            (Example(Slot.CALLBACKS, *edit), Example(Slot.CALLBACKS, *reversed(edit))),
        ),
    )


RULES: tuple[Rule, ...] = (
    _call(
        "callback-removed",
        Verdict.BREAKING,
        ("A callback was removed", "The released contract promised the call; an old client waits for it."),
        Change.REMOVED,
    ),
    _call(
        "callback-added",
        Verdict.COMPATIBLE,
        ("A callback was added", "The call reaches only a client that gives an address for it."),
        Change.ADDED,
    ),
    concerning(
        Polarity.WRITTEN,
        stated(
            "link-changed",
            Verdict.COMPATIBLE,
            Text(
                title="A link was added, removed or changed",
                why="A link is a hint at design time and guarantees nothing; messages stay as they are. What "
                "happened to the operation it names is a row of its own.",
                reference=_LINK,
            ),
            Match(elements=_LINKS),
            (
                Example(Slot.LINKS, _FOLLOW, _OTHER),
                Example(Slot.CALLBACKS, MISSING, _CALLED),
            ),
        ),
    ),
)
