"""Trust model and inventory as far as the code shows them: routes, guards, and the tests that ask guarded routes.

A draft says what was read. Whether a control suffices, who attacks and what is worth protecting are a person's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.middleware import around, covering
from evreview.codefacts.model import CodeFacts, Guard, Route, SourceText, Spot
from evreview.codefacts.names import Modules
from evreview.codefacts.read import definitions
from evreview.codefacts.test_functions import TestFunction, answers, read_tests
from evreview.core.vocabulary import Area, Json
from evreview.evidence.records.security import BackedBy
from evreview.evidence.typed_reader import MARK

CALLER, DATA = "caller", "data"
"""The one actor and the one asset that a draft starts with: whoever calls, and what the routes give and change."""
_AREAS: Final = {"authentication": Area.AUTHENTICATION, "authorization": Area.AUTHORIZATION}
_REFUSALS: Final = {401, 403}
_ERRORS: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedRecords:
    """What the code and the tests show, as a trust model and an inventory say it.

    Attributes:
        guards: those whose kind is known, once each by kind and name.
        lines: the texts of the files, by item.
        defined: where functions stand, by name.
        surrounded: something runs around the handlers, so a control may depend on it.
        unclear: the names of guards whose kind the code does not show.
    """

    facts: CodeFacts
    guards: Mapping[tuple[str, str], Guard]
    tests: Sequence[TestFunction]
    lines: Mapping[str, Sequence[str]]
    defined: Mapping[str, Spot]
    surrounded: bool
    unclear: tuple[str, ...]

    @classmethod
    def of(cls, facts: CodeFacts, texts: Sequence[SourceText], tests: Sequence[SourceText]) -> DraftedRecords:
        """What is read of code and tests; nothing of them is executed.

        Args:
            facts: of the code.
            texts, tests: its files, and those of the tests.
        """
        modules = Modules(texts)
        every = [guard for route in facts.routes for guard in route.guards]
        guards: dict[tuple[str, str], Guard] = {}
        for guard in every:
            if guard.kind in _AREAS:
                guards.setdefault((guard.kind, guard.name), guard)
        return cls(
            facts=facts,
            guards=guards,
            tests=read_tests(Modules(tests)),
            lines={str(text.item): text.text.splitlines() for text in texts},
            defined=definitions(texts),
            surrounded=bool(around(modules) or covering(modules)),
            unclear=tuple(dict.fromkeys(guard.name for guard in every if guard.kind not in _AREAS)),
        )

    def trust_model(self, revision: str) -> dict[str, Json]:
        """Entry points by route, boundaries by guard and entrance; who comes, and what for, is a person's to say."""
        entrances = self.entrances()
        points: list[Json] = [
            {
                "id": name,
                "route": _name(route),
                "actors": [CALLER],
                "boundaries": [self.id_of(guard) for guard in self._guards_of(route)] or [entrances[_at(route)]],
                "assets": [DATA],
            }
            for name, route in zip(_ids(_name(route) for route in self.facts.routes), self.facts.routes, strict=True)
        ]
        return {
            "kind": "trust-model",
            "revision": revision,
            "actors": [{"id": CALLER, "name": "whoever sends requests to these routes", "position": MARK}],
            "entry_points": points or MARK,
            "identity_transitions": list(self._transitions()) or MARK,
            "assets": [{"id": DATA, "name": "what the routes give and change", "classification": MARK}],
            "boundaries": [
                *(self._boundary(guard) for guard in self.guards.values()),
                *(self._entrance(path, identity) for path, identity in entrances.items()),
            ]
            or MARK,
            "attacker_positions": [MARK],
            "excluded_capabilities": [MARK],
        }

    def _boundary(self, guard: Guard) -> dict[str, Json]:
        return {
            "id": self.id_of(guard),
            "name": f"the check {guard.name}",
            "outside": "callers whom it refuses",
            "inside": "the routes that it guards",
            "backed_by": "route",
            "route": self._routes_of(guard)[0],
        }

    def entrances(self) -> dict[str, str]:
        """The ids of the boundaries where nobody is known to be asked: one for each file of handlers, by its path."""
        paths = list(dict.fromkeys(_at(route) for route in self.facts.routes if not self._guards_of(route)))
        taken = [self.id_of(guard) for guard in self.guards.values()]
        return dict(zip(paths, _ids([*taken, *(f"entrance {path}" for path in paths)])[len(taken) :], strict=True))

    def _entrance(self, path: str, identity: str) -> dict[str, Json]:
        """Whether everybody may come in there, or what stands before it, is a person's to say."""
        route = next(one for one in self.facts.routes if _at(one) == path and not self._guards_of(one))
        return {
            "id": identity,
            "name": f"the way into {path} where no check of the caller is known",
            "outside": "whoever reaches it",
            "inside": "the routes that it leads to",
            "backed_by": BackedBy.ASSUMPTION.value,
            "shown_by": self._lines_of(route.public or route.spot),
            "assumption": MARK,
        }

    def _transitions(self) -> Iterator[dict[str, Json]]:
        for guard in self.guards.values():
            if guard.kind == "authentication":
                yield {
                    "id": f"{self.id_of(guard)}-lets-in",
                    "before": f"a caller with credentials ({guard.scheme})"
                    if guard.scheme
                    else "a caller not known yet",
                    "after": f"a caller whom {guard.name} lets in",
                    "at": self.id_of(guard),
                    "shown_by": self._excerpt(guard),
                }

    def inventory(self, revision: str) -> dict[str, Json]:
        """A control for each guard, with the tests that ask its routes; what the code does not show stays marked."""
        controls: list[Json] = [self._control(guard) for guard in self.guards.values()]
        named = {_AREAS[guard.kind] for guard in self.guards.values()}
        left: list[Json] = [{"area": area.value, "why": MARK} for area in Area if area not in named]
        return {"kind": "security-inventory", "revision": revision, "controls": controls, "not_in_scope": left}

    def _control(self, guard: Guard) -> dict[str, Json]:
        return {
            "id": self.id_of(guard),
            "area": _AREAS[guard.kind].value,
            "name": f"{guard.name}{f', {guard.scheme}' if guard.scheme else ''}",
            "routes": list(self._routes_of(guard)),
            "assets": [DATA],
            "boundaries": [self.id_of(guard)],
            "source": [self._excerpt(guard)],
            "middleware": MARK if self.surrounded else [],
            "deployment": MARK,
            "positive_tests": list(self._tests_of(guard, range(_ERRORS))),
            "negative_tests": list(self._tests_of(guard, _REFUSALS)),
            "surrounding": [],
        }

    def _tests_of(self, guard: Guard, statuses: range | set[int]) -> Iterator[dict[str, Json]]:
        """The tests that ask a route of a guard and assert one of these statuses; whether they ran is not known."""

        guarded = [route for route in self.facts.routes if guard.name in {one.name for one in self._guards_of(route)}]
        wanted = {401: "authentication", 403: "authorization"}
        for test in self.tests:
            said = [
                one.status
                for one in test.asked
                if one.status in statuses and any(answers(route, one) for route in guarded)
            ]
            if any(wanted.get(status or 0, guard.kind) == guard.kind for status in said):
                yield {"item": str(test.spot.item), "test": f"{test.path}::{test.name.replace('.', '::')}"}

    def _excerpt(self, guard: Guard) -> dict[str, Json]:
        """The lines where a guard stands: its own, where a supplied file has them, else those that set it up."""
        return self._lines_of(self.defined.get(guard.name.rpartition(".")[2], guard.spot))

    def _lines_of(self, spot: Spot) -> dict[str, Json]:
        lines = self.lines[str(spot.item)][spot.first - 1 : spot.last]
        quote = next(line.strip() for line in lines if line.strip())
        return {"item": str(spot.item), "lines": f"{spot.first}-{spot.last}", "quote": quote}

    def _guards_of(self, route: Route) -> list[Guard]:
        named = dict.fromkeys((guard.kind, guard.name) for guard in route.guards)
        return [self.guards[key] for key in named if key in self.guards]

    def _routes_of(self, guard: Guard) -> list[str]:
        key = (guard.kind, guard.name)
        return list(
            dict.fromkeys(
                _name(route) for route in self.facts.routes if any((one.kind, one.name) == key for one in route.guards)
            )
        )

    def id_of(self, guard: Guard) -> str:
        """The id of a guard's boundary and control: its name, with its kind where two of one name are read."""
        twice = sum(name == guard.name for _, name in self.guards) > 1
        return _slug(f"{guard.name}-{guard.kind}" if twice else guard.name)


def _at(route: Route) -> str:
    """The file in which a route's handler stands."""
    return route.spot.path or str(route.spot.item)


def _name(route: Route) -> str:
    return f"{route.method} {route.path}"


def _ids(names: Iterable[str]) -> list[str]:
    """A usable id for each name, no two alike."""
    found: dict[str, None] = {}
    for name in names:
        base = slug = _slug(name)
        number = 1
        while slug in found:
            number += 1
            slug = f"{base}-{number}"
        found[slug] = None
    return list(found)


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-").lower() or "root"
