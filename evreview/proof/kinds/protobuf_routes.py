"""HTTP routes of procedures, asked: which requests a route takes, and which fields they fill.

Source of the grammar: google/api/http.proto, "Path template syntax".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Final

from evreview.contract.model import Contract, Element, ElementKind
from evreview.core.vocabulary import Form, Json
from evreview.kinds.protobuf.alignment import referred

HTTP: Final = "google.api.http"
_PART: Final = re.compile(r"\{(?P<field>[\w.]+)(?:=(?P<below>[^{}]*))?\}|(?P<star>\*\*?)|(?P<text>[^{}*]+)")
_ANY: Final = "*"
_REST: Final = "**"
_MATCHES: Final = {_ANY: "[^/]+", _REST: ".+"}
_LONGEST: Final = 12


@dataclass(frozen=True, slots=True)
class Template:
    """A route's path.

    Attributes:
        text: without braces: wildcards and words.
        pattern: what a path has to match; a group per variable.
        fields: the field paths of the variables, in the order of the groups.
    """

    text: str
    pattern: re.Pattern[str]
    fields: tuple[str, ...]

    def paths(self) -> Iterator[str]:
        """Concrete paths, for each number of segments that the last wildcard may stand for."""
        lengths = range(1, _LONGEST) if _REST in self.text else range(1, 2)
        for length in lengths:
            fresh = (f"x{number}" for number in count(1))
            rest = self.text.replace(_REST, "/".join(_ANY * length))
            yield re.sub(r"\*", lambda _, fresh=fresh: next(fresh), rest)  # type: ignore[misc]


def template(path: str) -> Template | None:
    """The template that a text is, None for one that is none."""
    at, text, pattern = 0, "", ""
    fields: list[str] = []
    for part in _PART.finditer(path):
        if part.start() != at:
            return None
        at, below = part.end(), part["below"] if part["below"] is not None else _ANY
        if part["field"]:
            fields.append(part["field"])
            text, pattern = text + below, f"{pattern}({_wild(below)})"
        else:
            text, pattern = text + part[0], pattern + _wild(part[0])
    if at != len(path) or not path.startswith("/") or text.count(_REST) > 1 or "***" in text:
        return None
    return Template(text, re.compile(pattern), tuple(fields))


def _wild(text: str) -> str:
    return "".join(_MATCHES.get(each, re.escape(each)) for each in re.split(r"(\*\*?)", text))


class Routes:
    """The routes of a contract's procedures.

    Args:
        contract: what declares them.
    """

    def __init__(self, contract: Contract) -> None:
        self._contract = contract

    @cached_property
    def _types(self) -> Mapping[str, Element]:
        return {child.key: child for child in self._contract.root.children if child.kind is ElementKind.TYPE}

    def requests(self, operation: Element) -> Iterator[Mapping[str, Json] | None]:
        """Requests that the routes of a procedure take, and what is read of each; None for a route of another form."""
        for route in bindings(operation.facet(HTTP)):
            made = template(route["path"])
            if made is None:
                yield None
                continue
            for path in made.paths():
                reads = self._reads(operation, route, path)
                if reads is not None:
                    yield {"call": str(operation.facet("path")), "http": f"{route['method']} {path}", "reads": reads}

    def readings(self, operation: Element, http: str) -> list[Json]:
        """What the routes of a procedure that take a request read of it."""
        method, _, path = http.partition(" ")
        taking = (route for route in bindings(operation.facet(HTTP)) if route["method"] in (method, _ANY))
        return [reads for route in taking if (reads := self._reads(operation, route, path)) is not None]

    def _reads(self, operation: Element, route: Mapping[str, str], path: str) -> Json:
        made = template(route["path"])
        found = made.pattern.fullmatch(path) if made is not None else None
        if made is None or found is None:
            return None
        asked, told = str(operation.facet("request")), str(operation.facet("response"))
        filled: Json = {
            self._number(asked, name): value for name, value in zip(made.fields, found.groups(), strict=True)
        }
        body, answer = route.get("body", ""), route.get("response_body", "")
        return {
            "path": filled,
            "body": body if body == _ANY else self._number(asked, body),
            "response_body": self._number(told, answer),
        }

    def _number(self, message: str, name: str) -> str:
        """A field path by numbers, which stay where names change; by name where the contract does not hold it."""
        numbers: list[str] = []
        for part in name.split(".") if name else ():
            holder = self._types.get(message)
            one = next((child for child in holder.children if child.name == part), None) if holder is not None else None
            numbers.append(one.key if one is not None else part)
            message = next((held for _, held in referred(one.facet("type"))), "") if one is not None else ""
        return ".".join(numbers)


def bindings(form: Form | None) -> Sequence[Mapping[str, str]]:
    """The routes of a facet: method, path, and of the bodies what is set."""
    listed = form if isinstance(form, (list, tuple)) else ()
    return [{name: str(value) for name, value in each.items()} for each in listed if isinstance(each, Mapping)]
