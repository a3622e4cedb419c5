"""OpenAPI: operations and webhooks as a whole, calls that the producer makes, callbacks, links, servers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.component_identity import STATUS
from evreview.comparison.rules.rule import Example, FormChange, Match, Predicate, Rule, Slot, covered
from evreview.comparison.rules.variance import Text, about_requests, about_responses, stated
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import ABSENT, Absent, Change, Direction, Json, Role, Verdict

_BODY: Final = "OpenAPI 3.1, section 4.8.13 Request Body Object"
_ANSWERS: Final = "OpenAPI 3.1, section 4.8.16 Responses Object; section 4.8.9 Path Item Object of a webhook"
_BODIES: Final = (ElementKind.BODY,)
_STATUS: Final = (ElementKind.RESPONSE,)
_OWED: Final[Json] = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
_OPTIONAL: Final[Json] = {"content": {"application/json": {"schema": {"type": "object"}}}}


def _call_example(body: Json | Absent, *answers: str) -> Json:
    sent: dict[str, Json] = {} if isinstance(body, Absent) else {"requestBody": body}
    responses: Json = {code: {"description": "noted"} for code in answers or ("204",)}
    return {"changed": {"post": {**sent, "responses": responses}}}


def _rule(rule_id: str, verdict: Verdict, words: tuple[str, str], match: Match, calls: tuple[Json, ...]) -> Rule:
    """A rule with the calls of its example and of its counter-example, two each."""
    reference = _BODY if match.elements == _BODIES else _ANSWERS
    shown = (Example(Slot.WEBHOOKS, calls[0], calls[1]), Example(Slot.WEBHOOKS, calls[2], calls[3]))
    return stated(rule_id, verdict, Text(words[0], words[1], reference), match, *shown)


def _bodies(*bodies: Json | Absent) -> tuple[Json, ...]:
    return tuple(_call_example(body) for body in bodies)


def _answers(*answers: tuple[str, ...]) -> tuple[Json, ...]:
    return tuple(_call_example(ABSENT, *codes) for codes in answers)


def _answered(change: Change, when: Predicate | None = None) -> Match:
    return Match(elements=_STATUS, facets=("",), changes=(change,), direction=Direction.READ, when=when)


def _whole_body(change: Change, *asked: tuple[str, Json]) -> Match:
    return Match(elements=_BODIES, facets=("",), changes=(change,), direction=Direction.WRITTEN, facts=asked)


def _became(*, required: bool) -> Match:
    return Match(elements=_BODIES, facets=("required",), direction=Direction.WRITTEN, candidate=(required,))


CALL_RULES: tuple[Rule, ...] = (
    _rule(
        "webhook-body-removed",
        Verdict.BREAKING,
        (
            "The required body of a webhook or callback was removed",
            "The released contract promised a body with every call; an old subscriber gets none.",
        ),
        _whole_body(Change.REMOVED, (comparison_delta.REQUIRED, True)),
        _bodies(_OWED, ABSENT, _OPTIONAL, ABSENT),
    ),
    _rule(
        "webhook-optional-body-removed",
        Verdict.COMPATIBLE,
        ("The optional body of a webhook or callback was removed", "A call without a body was possible before."),
        _whole_body(Change.REMOVED, (comparison_delta.REQUIRED, False)),
        _bodies(_OPTIONAL, ABSENT, _OWED, ABSENT),
    ),
    _rule(
        "webhook-body-added",
        Verdict.COMPATIBLE,
        (
            "A body was added to a webhook or callback",
            "The released contract describes no body, so that an old subscriber reads none.",
        ),
        _whole_body(Change.ADDED),
        _bodies(ABSENT, _OWED, _OWED, ABSENT),
    ),
    _rule(
        "webhook-body-became-optional",
        Verdict.BREAKING,
        (
            "The body of a webhook or callback became optional",
            "The released contract promised a body with every call; one may now come without.",
        ),
        _became(required=False),
        _bodies(_OWED, _OPTIONAL, _OPTIONAL, _OWED),
    ),
    _rule(
        "webhook-body-became-required",
        Verdict.COMPATIBLE,
        (
            "The body of a webhook or callback became required",
            "A call with a body was possible before; every call has one now.",
        ),
        _became(required=True),
        _bodies(_OPTIONAL, _OWED, _OWED, _OPTIONAL),
    ),
    _rule(
        "webhook-answer-added",
        Verdict.COMPATIBLE,
        ("A status was added that a subscriber may answer", "Every answer of an old subscriber stays described."),
        _answered(Change.ADDED),
        _answers(("204",), ("204", "410"), ("204", "410"), ("204",)),
    ),
    _rule(
        "webhook-answer-became-range",
        Verdict.COMPATIBLE,
        (
            "A status that a subscriber may answer became a range, or the default, that holds it",
            "Every answer of an old subscriber stays described.",
        ),
        replace(_answered(Change.CHANGED, covered), facets=(STATUS,)),
        _answers(("204",), ("2XX",), ("204", "2XX"), ("2XX",)),
    ),
    _rule(
        "webhook-answer-changed",
        Verdict.BREAKING,
        (
            "A status that a subscriber may answer became another one",
            "An old subscriber answers with the released one, and the candidate no longer says what becomes of that "
            "answer.",
        ),
        replace(_answered(Change.CHANGED), facets=(STATUS,)),
        _answers(("200",), ("202",), ("204",), ("2XX",)),
    ),
    _rule(
        "webhook-answer-covered-by-range",
        Verdict.COMPATIBLE,
        (
            "A status that a subscriber may answer gave way to a range or default that holds it",
            "Every answer of an old subscriber stays described.",
        ),
        _answered(Change.REMOVED, covered),
        _answers(("204", "410", "4XX"), ("204", "4XX"), ("204", "410"), ("204",)),
    ),
    _rule(
        "webhook-answer-removed",
        Verdict.BREAKING,
        (
            "A status was removed that a subscriber may answer",
            "An old subscriber answers with it, and the candidate no longer says what becomes of that answer.",
        ),
        _answered(Change.REMOVED),
        _answers(("204", "410"), ("204",), ("204", "410", "4XX"), ("204", "4XX")),
    ),
)


# Callbacks that the producer makes, and links that it suggests.


_CALLBACK: Final = "OpenAPI 3.1, section 4.8.18 Callback Object"
_LINK: Final = "OpenAPI 3.1, section 4.8.20 Link Object"
_LINKS: Final = (ElementKind.LINK,)
_CALLED: Final[Json] = {"done": {"{$request.query.url}": {"post": {"responses": {"204": {"description": "noted"}}}}}}
_FOLLOW: Final[Json] = {"self": {"operationId": "readThing"}}
_OTHER: Final[Json] = {"self": {"operationId": "listThings"}}


def _callback_rule(rule_id: str, verdict: Verdict, words: tuple[str, str], change: Change) -> Rule:
    present, absent = (_CALLED, ABSENT), (ABSENT, _CALLED)
    edit = present if change is Change.REMOVED else absent
    return about_responses(
        rule_id,
        verdict,
        Text(words[0], words[1], _CALLBACK),
        Match(elements=(ElementKind.CALLBACK,), facets=("",), changes=(change,)),
        Example(Slot.CALLBACKS, *edit),
    )


CALLBACK_RULES: tuple[Rule, ...] = (
    _callback_rule(
        "callback-removed",
        Verdict.BREAKING,
        ("A callback was removed", "The released contract promised the call; an old client waits for it."),
        Change.REMOVED,
    ),
    _callback_rule(
        "callback-added",
        Verdict.COMPATIBLE,
        ("A callback was added", "The call reaches only a client that gives an address for it."),
        Change.ADDED,
    ),
    about_responses(
        "link-changed",
        Verdict.COMPATIBLE,
        Text(
            "A link was added, removed or changed",
            "A link is a hint at design time and guarantees nothing; messages stay as they are. What "
            "happened to the operation it names is a row of its own.",
            _LINK,
        ),
        Match(elements=_LINKS),
        Example(Slot.LINKS, _FOLLOW, _OTHER),
        Example(Slot.CALLBACKS, ABSENT, _CALLED),
    ),
)


# Operations and webhooks as a whole.


_PATHS: Final = "OpenAPI 3.1, section 4.8.8 Paths Object"
_HOOKS: Final = "OpenAPI 3.1, section 4.8.1 OpenAPI Object, `webhooks`"
_OPERATION: Final = (ElementKind.OPERATION,)
_EXTRA: Final[Json] = {"/extras": {"get": {"responses": {"204": {"description": "none"}}}}}
_HOOK: Final[Json] = {"changed": {"post": {"responses": {"204": {"description": "noted"}}}}}


def _whole_operation(change: Change, *roles: Role) -> Match:
    return Match(elements=_OPERATION, facets=("",), changes=(change,), roles=roles)


def _things(*concrete: str) -> Json:
    answer: Json = {"204": {"description": "none"}}
    member: Json = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    templated: Json = {"get": {"parameters": [member], "responses": answer}}
    return {"/extras/{id}": templated, **{path: {"get": {"responses": answer}} for path in concrete}}


_HOOK_REMOVED: Final = Example(Slot.WEBHOOKS, _HOOK, ABSENT)
_HOOK_ADDED: Final = Example(Slot.WEBHOOKS, ABSENT, _HOOK)
_REMOVED: Final = Example(Slot.PATHS, _EXTRA, {})
_ADDED: Final = Example(Slot.PATHS, {}, _EXTRA)

OPERATION_RULES: tuple[Rule, ...] = (
    about_responses(
        "webhook-removed",
        Verdict.BREAKING,
        Text(
            "A webhook was removed",
            "The released contract promised to call the subscriber; the call no longer comes.",
            _HOOKS,
        ),
        _whole_operation(Change.REMOVED, Role.WEBHOOK, Role.CALLBACK),
        _HOOK_REMOVED,
        _REMOVED,
    ),
    about_responses(
        "webhook-added",
        Verdict.COMPATIBLE,
        Text("A webhook was added", "A new call reaches only those who subscribe to it.", _HOOKS),
        _whole_operation(Change.ADDED, Role.WEBHOOK, Role.CALLBACK),
        _HOOK_ADDED,
        _ADDED,
    ),
    about_requests(
        "operation-removed",
        Verdict.BREAKING,
        Text(
            "An operation was removed",
            "Every old request to it is refused. Deprecation announces a removal, and excuses nothing.",
            _PATHS,
        ),
        _whole_operation(Change.REMOVED),
        _REMOVED,
        _HOOK_REMOVED,
    ),
    about_requests(
        "operation-added-over-template",
        Verdict.UNKNOWN,
        Text(
            "An operation was added whose path a released template answered",
            "A concrete path is matched before a templated one: old requests with this text in the path reach "
            "another operation now, and the contract does not say that it answers alike.",
            _PATHS,
        ),
        replace(
            _whole_operation(Change.ADDED, Role.REQUEST), when=lambda delta: comparison_delta.TAKES_OVER in delta.facts
        ),
        Example(Slot.PATHS, _things(), _things("/extras/mine")),
        Example(Slot.PATHS, _things(), _things("/extras/mine/all")),
    ),
    about_requests(
        "operation-added",
        Verdict.COMPATIBLE,
        Text("An operation was added", "No old request names it.", _PATHS),
        _whole_operation(Change.ADDED),
        _ADDED,
        _HOOK_ADDED,
    ),
)


# Servers, base paths and version segments of paths.


_SERVER: Final = "OpenAPI 3.1, section 4.8.5 Server Object"
_SERVERS: Final = (ElementKind.SERVER,)
_ONE: Final[Json] = [{"url": "https://api.example.test/v1"}]
_TWO: Final[Json] = [{"url": "https://api.example.test/v1"}, {"url": "https://eu.example.test/v1"}]
_ENUMS: Final = tuple(f"variables.{at}.enum" for at in range(10))
_DEFAULTS: Final = tuple(f"variables.{at}.default" for at in range(10))


def _paths(*versions: str) -> Json:
    return {f"/{each}/extras": {"get": {"responses": {"204": {"description": "none"}}}} for each in versions}


def _variable(default: str, *allowed: str) -> list[Json]:
    variables: Json = {"region": {"default": default, "enum": list(allowed)}}
    return [{"url": "https://{region}.example.test/v1", "variables": variables}]


SERVER_RULES: tuple[Rule, ...] = (
    about_requests(
        "server-covered-by-others",
        Verdict.COMPATIBLE,
        Text(
            "A server gave way to others that serve its addresses",
            "Every released address is still one of the candidate's.",
            _SERVER,
        ),
        Match(elements=_SERVERS, facets=("",), changes=(Change.REMOVED,), when=covered),
        Example(
            Slot.SERVERS,
            [*_variable("eu", "eu", "us"), {"url": "https://eu.example.test/v1"}],
            _variable("eu", "eu", "us"),
        ),
        Example(Slot.SERVERS, _TWO, _ONE),
    ),
    about_requests(
        "server-removed",
        Verdict.BREAKING,
        Text(
            "A server or base path was removed",
            "Old clients send their requests to the released address, which is no longer served by contract.",
            _SERVER,
        ),
        Match(elements=_SERVERS, facets=("",), changes=(Change.REMOVED,)),
        Example(Slot.SERVERS, _TWO, _ONE),
    ),
    about_requests(
        "server-added",
        Verdict.COMPATIBLE,
        Text(
            "A server or base path was added",
            "Old clients go on using the released address; its removal would be a row of its own.",
            _SERVER,
        ),
        Match(elements=_SERVERS, facets=("",), changes=(Change.ADDED,)),
        Example(Slot.SERVERS, _ONE, _TWO),
    ),
    about_requests(
        "server-variable-value-added",
        Verdict.COMPATIBLE,
        Text(
            "A server variable admits more values",
            "Every released address is still one of the candidate's.",
            "OpenAPI 3.1, section 4.8.6 Server Variable Object",
        ),
        Match(elements=_SERVERS, facets=_ENUMS, shift=(FormChange.GREW, FormChange.UNSET)),
        Example(Slot.SERVERS, _variable("eu", "eu"), _variable("eu", "eu", "us")),
    ),
    about_requests(
        "server-variable-value-removed",
        Verdict.BREAKING,
        Text(
            "A server variable admits fewer values",
            "An old client may use an address that is no longer served by contract.",
            "OpenAPI 3.1, section 4.8.6 Server Variable Object",
        ),
        Match(elements=_SERVERS, facets=_ENUMS),
        Example(Slot.SERVERS, _variable("eu", "eu", "us"), _variable("eu", "eu")),
    ),
    about_requests(
        "server-variable-default-changed",
        Verdict.COMPATIBLE,
        Text(
            "The default of a server variable changed",
            "Old clients were built for an address with the released default, which the variable still admits; "
            "a value that it no longer admits is a row of its own.",
            "OpenAPI 3.1, section 4.8.6 Server Variable Object",
        ),
        Match(elements=_SERVERS, facets=_DEFAULTS),
        Example(Slot.SERVERS, _variable("eu", "eu", "us"), _variable("us", "eu", "us")),
        Example(Slot.SERVERS, _variable("eu", "eu"), _variable("eu", "eu", "us")),
    ),
    about_requests(
        "version-path-changed",
        Verdict.BREAKING,
        Text(
            "Operations moved to another version path",
            "Old requests name the released path, which the candidate no longer has.",
            "OpenAPI 3.1, section 4.8.8 Paths Object",
        ),
        Match(elements=(ElementKind.OPERATION,), facets=("path",)),
        Example(Slot.PATHS, _paths("v1"), _paths("v2")),
        Example(Slot.PATHS, _paths("v1"), _paths("v1", "v2")),
    ),
)
