"""Operations and webhooks as a whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.direction import Text, concerning, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import MISSING, Change, Json, Polarity, Role, Verdict

_PATHS: Final = "OpenAPI 3.1, section 4.8.8 Paths Object"
_HOOKS: Final = "OpenAPI 3.1, section 4.8.1 OpenAPI Object, `webhooks`"
_OPERATION: Final = (ElementKind.OPERATION,)
_EXTRA: Final[Json] = {"/extras": {"get": {"responses": {"204": {"description": "none"}}}}}
_HOOK: Final[Json] = {"changed": {"post": {"responses": {"204": {"description": "noted"}}}}}


def _whole(change: Change, *roles: Role) -> Match:
    return Match(elements=_OPERATION, facets=("",), changes=(change,), roles=roles)


def _takes_over(delta: Delta) -> bool:
    return comparison_delta.TAKES_OVER in delta.facts


def _things(*concrete: str) -> Json:
    answer: Json = {"204": {"description": "none"}}
    member: Json = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    templated: Json = {"get": {"parameters": [member], "responses": answer}}
    return {"/extras/{id}": templated, **{path: {"get": {"responses": answer}} for path in concrete}}


_HOOK_REMOVED: Final = Example(Slot.WEBHOOKS, _HOOK, MISSING)
_HOOK_ADDED: Final = Example(Slot.WEBHOOKS, MISSING, _HOOK)
_REMOVED: Final = Example(Slot.PATHS, _EXTRA, {})
_ADDED: Final = Example(Slot.PATHS, {}, _EXTRA)

RULES: tuple[Rule, ...] = (
    concerning(
        Polarity.WRITTEN,
        stated(
            "webhook-removed",
            Verdict.BREAKING,
            Text(
                title="A webhook was removed",
                why="The released contract promised to call the subscriber; the call no longer comes.",
                reference=_HOOKS,
            ),
            _whole(Change.REMOVED, Role.WEBHOOK, Role.CALLBACK),
            (_HOOK_REMOVED, _REMOVED),
        ),
    ),
    concerning(
        Polarity.WRITTEN,
        stated(
            "webhook-added",
            Verdict.COMPATIBLE,
            Text(
                title="A webhook was added",
                why="A new call reaches only those who subscribe to it.",
                reference=_HOOKS,
            ),
            _whole(Change.ADDED, Role.WEBHOOK, Role.CALLBACK),
            (_HOOK_ADDED, _ADDED),
        ),
    ),
    concerning(
        Polarity.READ,
        stated(
            "operation-removed",
            Verdict.BREAKING,
            Text(
                title="An operation was removed",
                why="Every old request to it is refused. Deprecation announces a removal, and excuses nothing.",
                reference=_PATHS,
            ),
            _whole(Change.REMOVED),
            (_REMOVED, _HOOK_REMOVED),
        ),
    ),
    concerning(
        Polarity.READ,
        stated(
            "operation-added-over-template",
            Verdict.UNKNOWN,
            Text(
                title="An operation was added whose path a released template answered",
                why="A concrete path is matched before a templated one: old requests with this text in the path reach "
                "another operation now, and the contract does not say that it answers alike.",
                reference=_PATHS,
            ),
            replace(_whole(Change.ADDED, Role.REQUEST), when=_takes_over),
            (
                Example(Slot.PATHS, _things(), _things("/extras/mine")),
                Example(Slot.PATHS, _things(), _things("/extras/mine/all")),
            ),
        ),
    ),
    concerning(
        Polarity.READ,
        stated(
            "operation-added",
            Verdict.COMPATIBLE,
            Text(
                title="An operation was added",
                why="No old request names it.",
                reference=_PATHS,
            ),
            _whole(Change.ADDED),
            (_ADDED, _HOOK_ADDED),
        ),
    ),
)
