"""A scanner's retained output in SARIF 2.1.0: which rule matched where. Messages are taken short and never whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import bad_input
from evreview.core.json_text import listed, mapping, word
from evreview.core.limits import MAX_BYTES
from evreview.core.quoted_text import begin_of
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.model import Unreadable, where

MAX_RESULTS: Final = 5_000
"""Results read from one output; what follows is named as unread."""
LONGEST_TEXT: Final = 160
LONGEST_NAME: Final = 200
MAX_LINE: Final = 10_000_000
_NOT_FOUND: Final = frozenset({"pass", "notApplicable", "informational"})
_PLACEHOLDERS: Final = frozenset({"requires login", "0", ""})
_QUOTED: Final = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"|“[^”]*”|‘[^’]*’")
_ADVICE: Final = "retain the file as the scanner wrote it, with `--format sarif` or its like"


_NOTICES: Final = ("toolConfigurationNotifications", "toolExecutionNotifications")
_NAMED: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SarifResult:
    """One match of a scanner.

    Attributes:
        tool, rule: as the output names them.
        about: a short text about the rule, without what stands in quotes; untrusted.
        tags: of the rule, `external/cwe/cwe-259` among them.
        uri: the file as the output names it; first, last: its lines, 0 for none.
        symbol: the function or class as the output names it, "" for none.
        fingerprint: what the tool recognises the match by, "" without one (semgrep writes `requires login` instead).
        suppressed: the scanner was told in the source or elsewhere not to count it.
        locator: where it stands in the output.
    """

    tool: str
    rule: str
    about: str
    tags: tuple[str, ...]
    uri: str
    first: int
    last: int
    symbol: str
    fingerprint: str
    suppressed: bool
    locator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SarifLog:
    """All matches of one output, and what could not be read."""

    results: tuple[SarifResult, ...]
    unread: tuple[Unreadable, ...] = ()


def is_sarif(content: str) -> bool:
    """True for a text that looks like SARIF: a JSON object with runs that names the format or a tool's driver."""
    start = content.lstrip("\ufeff \t\r\n")[:1]
    return start == "{" and '"runs"' in content and ("sarif" in content or '"driver"' in content)


def read_sarif(data: bytes, file: str = "") -> SarifLog:
    """Every match that the output names; parts that can't be read are named in `unread`.

    Raises:
        BadInput: `sarif-format`, `sarif-version`, `text-too-large`, or one of `documents.text`.
    """
    if len(data) > MAX_BYTES:
        raise bad_input("text-too-large", f"more than {MAX_BYTES} bytes", file=file, advice="retain one run per file")
    log = mapping(parse_text(data, file))
    if not isinstance(log.get("runs"), list):
        raise bad_input("sarif-format", "no SARIF: no list of runs", file=file, advice=_ADVICE)
    if log.get("version") != "2.1.0":
        raise bad_input("sarif-version", "no SARIF of version 2.1.0", file=file, place="#/version", advice=_ADVICE)
    reader = _SarifReader()
    for number, run in enumerate(listed(log["runs"])):
        reader.run(mapping(run), number)
    return SarifLog(results=tuple(reader.results), unread=tuple(reader.unread))


class _SarifReader:
    """What was read so far."""

    def __init__(self) -> None:
        self.results: list[SarifResult] = []
        self.unread: list[Unreadable] = []

    def run(self, run: Mapping[str, Json], number: int) -> None:
        """Reads one run."""
        tool = mapping(run.get("tool"))
        name = _name(mapping(tool.get("driver")).get("name")) or "a scanner"
        if "externalPropertyFileReferences" in run:
            self.unread.append(Unreadable(where("runs", number), "parts that stand in other files", _ADVICE))
        if run.get("results") is None:
            self.unread.append(Unreadable(where("runs", number), "a run without a list of results", _ADVICE))
        for invocation in listed(run.get("invocations")):
            if mapping(invocation).get("executionSuccessful") is False:
                found = "a scan that did not end well; it may have missed something"
                self.unread.append(Unreadable(where("runs", number, "invocations"), found, "run it again"))
            self._unlooked(mapping(invocation), where("runs", number, "invocations"))
        for place, result in enumerate(listed(run.get("results"))):
            locator = where("runs", number, "results", place)
            if len(self.results) >= MAX_RESULTS:
                self.unread.append(Unreadable(locator, f"only {MAX_RESULTS} results were read"))
                return
            self._result(name, run, mapping(result), locator)

    def _unlooked(self, invocation: Mapping[str, Json], locator: str) -> None:
        """Files that the output itself says it did not look at."""
        told = [mapping(one) for key in _NOTICES for one in listed(invocation.get(key))]
        named = [_place({}, one)[0] for one in told if word(one.get("level")) in ("", "warning", "error")]
        names = sorted({begin_of(one, LONGEST_NAME) for one in named if one})
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            found = f"files that it did not look at as a whole: {', '.join(names[:_NAMED])}{more}"
            self.unread.append(Unreadable(locator, found, "scan them with rules for their language"))

    def _result(self, tool: str, run: Mapping[str, Json], result: Mapping[str, Json], locator: str) -> None:
        if not result:
            self.unread.append(Unreadable(locator, "no result", _ADVICE))
            return
        if word(result.get("kind")) in _NOT_FOUND or word(result.get("baselineState")) == "absent":
            return
        rule, described = _rule(run, result)
        uri, first, last, symbol = _place(run, result)
        if not rule or not uri:
            found = "a result without a rule" if not rule else "a result without a file"
            self.unread.append(Unreadable(locator, found, _ADVICE))
        self.results.append(
            SarifResult(
                tool=tool, rule=rule or "unnamed", about=_about(described, result), tags=_tags(described), uri=uri,
                first=first, last=last, symbol=symbol, fingerprint=_fingerprint(result),
                suppressed=bool(_suppressions(result)), locator=locator,
            )
        )  # fmt: skip


def _name(value: object) -> str:
    return " ".join(word(value).split())[:LONGEST_NAME]


def _at(values: object, index: object) -> Mapping[str, Json]:
    """The member of a list at an index that the output states."""
    found = listed(values)
    return mapping(found[index]) if type(index) is int and 0 <= index < len(found) else {}


def _rule(run: Mapping[str, Json], result: Mapping[str, Json]) -> tuple[str, Mapping[str, Json]]:
    """A result's rule id and what the tool says about the rule."""
    tool = mapping(run.get("tool"))
    reference = mapping(result.get("rule"))
    component = mapping(reference.get("toolComponent"))
    holder = _at(tool.get("extensions"), component.get("index")) if component else mapping(tool.get("driver"))
    described = _at(holder.get("rules"), reference.get("index", result.get("ruleIndex")))
    name = _name(result.get("ruleId")) or _name(reference.get("id")) or _name(described.get("id"))
    if not described:
        known = (mapping(rule) for rule in listed(holder.get("rules")))
        described = next((rule for rule in known if word(rule.get("id")) == name), {})
    return name, described


def _about(described: Mapping[str, Json], result: Mapping[str, Json]) -> str:
    """The rule's own short description; the message only where there is none."""
    texts = [
        word(mapping(described.get("shortDescription")).get("text")),
        word(described.get("name")).replace("_", " "),
        word(mapping(result.get("message")).get("text")),
    ]
    chosen = next((" ".join(one.split()) for one in texts if one.strip()), "")
    return begin_of(_QUOTED.sub("…", chosen[: 8 * LONGEST_TEXT]), LONGEST_TEXT)


def _tags(described: Mapping[str, Json]) -> tuple[str, ...]:
    properties = mapping(described.get("properties"))
    found = [*listed(properties.get("tags")), *listed(properties.get("cwe")), properties.get("cwe")]
    return tuple(_name(tag) for tag in found if isinstance(tag, str))[:50]


def _place(run: Mapping[str, Json], result: Mapping[str, Json]) -> tuple[str, int, int, str]:
    """File, first and last line, and symbol of a result's first location."""
    location = _at(result.get("locations"), 0)
    physical = mapping(location.get("physicalLocation"))
    artifact = mapping(physical.get("artifactLocation"))
    uri = word(artifact.get("uri"))
    if not uri and "index" in artifact:
        uri = word(mapping(_at(run.get("artifacts"), artifact.get("index")).get("location")).get("uri"))
    region = mapping(physical.get("region"))
    first = _line(region.get("startLine"))
    last = _line(region.get("endLine")) or first
    return uri[:2_000], first, last if last >= first else first, _symbol(location.get("logicalLocations"))


def _line(value: object) -> int:
    return value if type(value) is int and 0 < value <= MAX_LINE else 0


def _symbol(value: object) -> str:
    for logical in (mapping(one) for one in listed(value)):
        name = _name(logical.get("fullyQualifiedName")) or _name(logical.get("name"))
        if name:
            return name
    return ""


def _fingerprint(result: Mapping[str, Json]) -> str:
    """The first fingerprint that tells anything, by name."""
    for kind in ("partialFingerprints", "fingerprints"):
        for _, value in sorted(mapping(result.get(kind)).items()):
            if word(value).strip().lower() not in _PLACEHOLDERS:
                return word(value)[:LONGEST_NAME]
    return ""


def _suppressions(result: Mapping[str, Json]) -> Sequence[Mapping[str, Json]]:
    """The suppressions that hold: one that was rejected or is still under review does not."""
    return list(_holding(result.get("suppressions")))


def _holding(value: object) -> Iterator[Mapping[str, Json]]:
    for one in (mapping(each) for each in listed(value)):
        if word(one.get("status")) in ("", "accepted"):
            yield one
