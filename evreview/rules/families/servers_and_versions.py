"""Servers, base paths and version segments of paths."""

from __future__ import annotations

from typing import Final

from evreview.comparison import delta as comparison_delta
from evreview.comparison.delta import Delta
from evreview.comparison.rules.direction import Text, concerning, stated
from evreview.comparison.rules.rule import Example, Match, Rule, Shift, Slot
from evreview.contract.model import ElementKind
from evreview.core.vocabulary import Change, Json, Polarity, Verdict

_SERVER: Final = "OpenAPI 3.1, section 4.8.5 Server Object"
_SERVERS: Final = (ElementKind.SERVER,)
_ONE: Final[Json] = [{"url": "https://api.example.test/v1"}]
_TWO: Final[Json] = [{"url": "https://api.example.test/v1"}, {"url": "https://eu.example.test/v1"}]
_ENUMS: Final = tuple(f"variables.{at}.enum" for at in range(10))
_DEFAULTS: Final = tuple(f"variables.{at}.default" for at in range(10))


def _path(version: str) -> Json:
    return {f"/{version}/extras": {"get": {"responses": {"204": {"description": "none"}}}}}


def _variable(default: str, *allowed: str) -> Json:
    return [
        {
            "url": "https://{region}.example.test/v1",
            "variables": {"region": {"default": default, "enum": list(allowed)}},
        }
    ]


_FIXED: Final[list[Json]] = [{"url": "https://eu.example.test/v1"}]


def _covered(delta: Delta) -> bool:
    return bool(delta.facts.get(comparison_delta.COVERED_BY))


def _edit(before: Json, after: Json, slot: Slot = Slot.SERVERS) -> tuple[Example, Example]:
    return Example(slot, before, after), Example(slot, after, before)


def _old_requests(rule: Rule) -> Rule:
    return concerning(Polarity.READ, rule)


RULES: tuple[Rule, ...] = (
    _old_requests(
        stated(
            "server-covered-by-others",
            Verdict.COMPATIBLE,
            Text(
                title="A server gave way to others that serve its addresses",
                why="Every released address is still one of the candidate's.",
                reference=_SERVER,
            ),
            Match(elements=_SERVERS, facets=("",), changes=(Change.REMOVED,), when=_covered),
            (
                Example(Slot.SERVERS, [*_variable("eu", "eu", "us"), *_FIXED], _variable("eu", "eu", "us")),  # type: ignore[misc]
                Example(Slot.SERVERS, _TWO, _ONE),
            ),
        )
    ),
    _old_requests(
        stated(
            "server-removed",
            Verdict.BREAKING,
            Text(
                title="A server or base path was removed",
                why="Old clients send their requests to the released address, which is no longer served by contract.",
                reference=_SERVER,
            ),
            Match(elements=_SERVERS, facets=("",), changes=(Change.REMOVED,)),
            _edit(_TWO, _ONE),
        )
    ),
    _old_requests(
        stated(
            "server-added",
            Verdict.COMPATIBLE,
            Text(
                title="A server or base path was added",
                why="Old clients go on using the released address; its removal would be a row of its own.",
                reference=_SERVER,
            ),
            Match(elements=_SERVERS, facets=("",), changes=(Change.ADDED,)),
            _edit(_ONE, _TWO),
        )
    ),
    _old_requests(
        stated(
            "server-variable-value-added",
            Verdict.COMPATIBLE,
            Text(
                title="A server variable admits more values",
                why="Every released address is still one of the candidate's.",
                reference="OpenAPI 3.1, section 4.8.6 Server Variable Object",
            ),
            Match(elements=_SERVERS, facets=_ENUMS, shift=(Shift.GREW, Shift.UNSET)),
            _edit(_variable("eu", "eu"), _variable("eu", "eu", "us")),
        )
    ),
    _old_requests(
        stated(
            "server-variable-value-removed",
            Verdict.BREAKING,
            Text(
                title="A server variable admits fewer values",
                why="An old client may use an address that is no longer served by contract.",
                reference="OpenAPI 3.1, section 4.8.6 Server Variable Object",
            ),
            Match(elements=_SERVERS, facets=_ENUMS),
            _edit(_variable("eu", "eu", "us"), _variable("eu", "eu")),
        )
    ),
    _old_requests(
        stated(
            "server-variable-default-changed",
            Verdict.COMPATIBLE,
            Text(
                title="The default of a server variable changed",
                why="Old clients were built for an address with the released default, which the variable still admits; "
                "a value that it no longer admits is a row of its own.",
                reference="OpenAPI 3.1, section 4.8.6 Server Variable Object",
            ),
            Match(elements=_SERVERS, facets=_DEFAULTS),
            (
                Example(Slot.SERVERS, _variable("eu", "eu", "us"), _variable("us", "eu", "us")),
                Example(Slot.SERVERS, _variable("eu", "eu"), _variable("eu", "eu", "us")),
            ),
        )
    ),
    _old_requests(
        stated(
            "version-path-changed",
            Verdict.BREAKING,
            Text(
                title="Operations moved to another version path",
                why="Old requests name the released path, which the candidate no longer has.",
                reference="OpenAPI 3.1, section 4.8.8 Paths Object",
            ),
            Match(elements=(ElementKind.OPERATION,), facets=("path",)),
            (
                Example(Slot.PATHS, _path("v1"), _path("v2")),
                Example(Slot.PATHS, _path("v1"), {**_path("v1"), **_path("v2")}),  # type: ignore[dict-item]
            ),
        )
    ),
)
