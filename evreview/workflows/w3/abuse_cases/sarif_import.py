"""Scanners' retained outputs as leads. A scanner's word alone never shows anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText, Spot
from evreview.core.errors import BadInput, Problem
from evreview.core.quoted_text import UserText, text
from evreview.core.vocabulary import Area, EvidenceType
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.test_results.sarif import SarifResult, is_sarif, read_sarif
from evreview.redaction.redactor import Redactor
from evreview.workflows.w3.abuse_cases.lead_intake import LeadIntake, around, path_in, routes_near, source_named
from evreview.workflows.w3.access_control.units import EnclosingDefinition, RuleInput, read
from evreview.workflows.w3.model import Lead, digest_id, plain_path

_WEAKNESSES: Final[Mapping[Area, frozenset[int]]] = {
    Area.AUTHENTICATION: frozenset({287, 288, 290, 294, 295, 297, 306, 307, 346, 347, 352, 384, 521, 613, 640, 942}),
    Area.AUTHORIZATION: frozenset({264, 269, 284, 285, 425, 552, 566, 602, 639, 732, 807, 862, 863, 915, 1220}),
    Area.SECRETS: frozenset({256, 257, 259, 311, 312, 319, 321, 522, 540, 615, 798}),
    Area.LOGGING: frozenset({117, 223, 532, 778}),
    Area.ERROR_DISCLOSURE: frozenset({200, 209, 210, 215, 489, 497, 537, 550}),
}
"""Weaknesses by number, as MITRE lists them; any other is taken for one of input handling."""
_WORDS: Final[tuple[tuple[Area, re.Pattern[str]], ...]] = (
    (Area.SECRETS, re.compile(r"secret|hardcoded|password|credential|private.?key|api.?key")),
    (Area.LOGGING, re.compile(r"\blog(?:s|ging)?\b|log.?inject")),
    (Area.ERROR_DISCLOSURE, re.compile(r"debug|stack.?trace|traceback|exposure|error.?message")),
    (Area.AUTHORIZATION, re.compile(r"authori[sz]|idor|access.?control|mass.?assign|permission|privilege")),
    (Area.AUTHENTICATION, re.compile(r"auth|jwt|csrf|session|tls|ssl|certificate|verify|cors|cookie")),
)
_CWE: Final = re.compile(r"cwe[-/ _]?0*([1-9][0-9]{0,4})", re.IGNORECASE)


def sarif_leads(bundle: Bundle, sources: Sequence[SourceText], code: CodeFacts) -> LeadIntake:
    """One lead per result of every SARIF item of type `test record` and route that reaches it, and what was not read.

    Problems: those of `read_sarif`, and `sarif-unread` for parts of an output.
    """
    leads: list[Lead] = []
    problems: list[Problem] = []
    reading: RuleInput | None = None
    for item in bundle.of_type(EvidenceType.TEST_RECORD):
        if item.record is not None or not is_sarif(item.content):
            continue
        try:
            log = read_sarif(item.content.encode("utf-8", "replace"), str(item.id))
        except BadInput as error:
            problems += error.problems
            continue
        reading = reading or read(sources, code)
        placed = [result for result in log.results if not _is_outside(reading, result)]
        leads += _leads(reading, item, placed)
        problems += [
            Problem(
                code="sarif-place", found="a result outside the repository or its lines", file=str(item.id),
                place=result.locator, advice="scan the reviewed revision, from the repository's root",
            )
            for result in log.results
            if _is_outside(reading, result)
        ]  # fmt: skip
        problems += [
            Problem(code="sarif-unread", found=one.found, file=str(item.id), place=one.locator, advice=one.advice)
            for one in log.unread
        ]
    return LeadIntake(tuple(leads), tuple(problems))


def _leads(reading: RuleInput, item: EvidenceItem, results: Sequence[SarifResult]) -> Iterator[Lead]:
    numbers: dict[tuple[str, ...], int] = {}
    redactor = Redactor.over([(str(item.id), item.content)])
    ordered = sorted(results, key=lambda one: (one.uri, one.first, one.rule))
    found = _Placed(reading)
    for result in ordered:
        spot, inside, routes = found.of(result)
        symbol = inside.name if inside is not None else result.symbol
        path = plain_path(spot.path) if spot is not None else _shown_path(result)
        known = "" if symbol or not result.fingerprint else result.fingerprint
        key = (result.tool, result.rule, path, symbol, known)
        number = numbers.get(key, 0)
        numbers[key] = number + 1
        for route in routes or ("",):
            several = (route,) if len(routes) > 1 else ()
            yield Lead(
                id=digest_id("L", *key, str(number), *several),
                rule=redactor.clean(result.rule),
                tool=_tool(redactor, result),
                area=area_of(result),
                says=_says(redactor, result),
                spot=spot,
                path=path,
                symbol=symbol,
                route=route,
                citations=(Citation(item.id, result.locator), *(spot.citations if spot is not None else ())),
            )


class _Placed:
    """Where results stand; scanners report the same lines again and again."""

    def __init__(self, reading: RuleInput) -> None:
        self.reading = reading
        self.lines: dict[str, int] = {}
        self.known: dict[tuple[str, int, int], tuple[Spot | None, EnclosingDefinition | None, tuple[str, ...]]] = {}

    def of(self, result: SarifResult) -> tuple[Spot | None, EnclosingDefinition | None, tuple[str, ...]]:
        """The lines, the function around them, the routes that reach it."""
        key = (result.uri, result.first, result.last)
        if key not in self.known:
            spot = self._spot(result)
            inside = around(self.reading, spot) if spot is not None else None
            self.known[key] = (spot, inside, routes_near(self.reading, spot) if spot is not None else ())
        return self.known[key]

    def _spot(self, result: SarifResult) -> Spot | None:
        """The lines within the supplied item; None when the file was not supplied or has no such lines."""
        source = source_named(self.reading.sources, result.uri)
        if source is None or not result.first:
            return None
        if source.item not in self.lines:
            self.lines[source.item] = len(source.text.splitlines())
        first, count = result.first - source.first_line + 1, self.lines[source.item]
        if not 1 <= first <= count:
            return None
        last = min(result.last - source.first_line + 1, count)
        return Spot(source.item, first, max(first, last), source.path)


def _tool(redactor: Redactor, result: SarifResult) -> str:
    """The scanner's name; one that is called like what judges here is told apart."""
    name = redactor.clean(result.tool)
    taken = "".join(sign for sign in name.casefold() if sign.isalnum()) in ("evreview", "reviewer")
    return f"scanner {name}" if taken else name


def _says(redactor: Redactor, result: SarifResult) -> tuple[str | UserText, ...]:
    about = redactor.clean(result.about)
    mark = ", which it was told not to count" if result.suppressed else ""
    told = (": ", UserText(about)) if about else ()
    return text(UserText(redactor.clean(result.tool)), " reports ", UserText(redactor.clean(result.rule)), *told, mark)


def _is_outside(reading: RuleInput, result: SarifResult) -> bool:
    """True for a path that leaves the repository, and for lines that a supplied file does not have."""
    if path_in(result.uri).startswith("..") or not path_in(result.uri):
        return True
    source = source_named(reading.sources, result.uri)
    if source is None:
        return False
    return result.first > source.first_line - 1 + source.text.count("\n") + 1


def _shown_path(result: SarifResult) -> str:
    """The path as the output names it; of an absolute one its last name only, since it tells of a machine."""
    path = path_in(result.uri)
    absolute = result.uri.startswith(("/", "file:")) or ":" in result.uri[:3] or path.startswith("..")
    return path.rpartition("/")[2] if absolute else path


def area_of(result: SarifResult) -> Area:
    """The area by the weakness that the rule is tagged with, else by its words, else input handling."""
    numbers = {int(found) for tag in result.tags for found in _CWE.findall(tag)}
    for area, weaknesses in _WEAKNESSES.items():
        if numbers & weaknesses:
            return area
    if numbers:
        return Area.INPUT_HANDLING
    words = f"{result.rule} {result.about}".lower()
    return next((area for area, pattern in _WORDS if pattern.search(words)), Area.INPUT_HANDLING)
