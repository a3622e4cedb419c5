"""Scanners' retained SARIF as leads: read short, written again without values. Its word alone never shows anything."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.codefacts.model import CodeFacts, SourceText, Spot
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_text import listed, mapping, word
from evreview.core.limits import MAX_BYTES
from evreview.core.quoted_text import UserText, begin_of, text
from evreview.core.vocabulary import Area, EvidenceType, Json
from evreview.evidence.item import Bundle, Citation, EvidenceItem
from evreview.evidence.test_results.model import Unreadable, where
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


_LEVELS: Final = {"HIGH": "error", "MEDIUM": "warning", "LOW": "note"}
_SCRIPTS: Final = (".js", ".jsx", ".mjs", ".cjs")
_TYPED: Final = (".ts", ".tsx", ".mts", ".cts")
_ENDINGS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("python", "python2", "python3", "py"), (".py", ".pyi")),
    **dict.fromkeys(("javascript", "js"), _SCRIPTS), **dict.fromkeys(("typescript", "ts"), _TYPED),
    **dict.fromkeys(("csharp", "c#"), (".cs",)), **dict.fromkeys(("golang", "go"), (".go",)),
    **dict.fromkeys(("cpp", "c++"), (".cpp", ".cc", ".cxx", ".hpp", ".h")), "c": (".c", ".h"),
    "ruby": (".rb",), "kotlin": (".kt", ".kts"), "rust": (".rs",), "scala": (".scala",), "bash": (".sh", ".bash"),
    "sh": (".sh", ".bash"), **dict.fromkeys(("terraform", "hcl"), (".tf", ".hcl")), "yaml": (".yaml", ".yml"),
    "html": (".html", ".htm"), **dict.fromkeys(("dockerfile", "docker"), ("dockerfile", ".dockerfile")),
    "solidity": (".sol",), "elixir": (".ex", ".exs"), "clojure": (".clj",), "apex": (".cls",), "ocaml": (".ml",),
}  # fmt: skip
"""How files of a language end, by semgrep's names."""
_ANY: Final = frozenset({"generic", "regex", "none", "aliengrep", "spacegrep"})
"""Rules for texts of every kind."""
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def of_bandit(data: bytes, unlooked: Sequence[str] = ()) -> str:
    """Bandit's JSON as SARIF; it names the files at which no rule looked.

    Raises:
        BadInput: `scan-failed` for a text of another form.
    """
    said = parse_text(data, "bandit")
    results = said.get("results") if isinstance(said, Mapping) else None
    if not isinstance(results, list):
        raise bad_input("scan-failed", "Bandit wrote something else than its results")
    return _log("Bandit", [one for each in results if isinstance(each, Mapping) for one in _of_bandit(each)], unlooked)


def _of_bandit(each: Mapping[str, Json]) -> Iterator[tuple[SarifResult, str]]:
    weakness = each.get("issue_cwe")
    number = weakness.get("id") if isinstance(weakness, Mapping) else None
    lines = [line for line in listed(each.get("line_range")) if isinstance(line, int)]
    first = each.get("line_number")
    if not isinstance(first, int):
        return
    found = SarifResult(
        tool="Bandit",
        rule=str(each.get("test_id", "")),
        about=str(each.get("test_name", "")).replace("_", " "),
        tags=("security", *((f"external/cwe/cwe-{number}",) if number else ())),
        uri=str(each.get("filename", "")).replace("\\", "/").removeprefix("./"),
        first=first,
        last=max([first, *lines]),
        symbol="",
        fingerprint="",
        suppressed=False,
        locator="",
    )
    yield found, _LEVELS.get(str(each.get("issue_severity")), "warning")


def of_sarif(data: bytes, unlooked: Sequence[str] = ()) -> str:
    """Another scanner's SARIF without what it repeats of the evidence.

    Args:
        unlooked: files at which none of its rules looked; the log says so.

    Raises:
        BadInput: those of `read_sarif`; `scan-failed` where no rule looked: nothing found would say nothing.
    """
    results = read_sarif(data, "scan").results
    if not results and not _has_rules(parse_text(data, "scan")):
        advice = "name rules that are not empty with --rules"
        raise bad_input("scan-failed", "the scanner was given no rule", advice=advice)
    return _log(results[0].tool if results else "Semgrep", [(one, "warning") for one in results], unlooked)


def unlooked_at(files: Sequence[str], rules: Sequence[bytes]) -> tuple[str, ...]:
    """The files for whose language no rule is, by the `languages` of semgrep's rules; () where these can't be told."""
    languages: set[str] = set()
    for data in rules:
        try:
            said = parse_text(data, "rules")
        except BadInput:
            continue
        for rule in listed(said.get("rules")) if isinstance(said, Mapping) else ():
            named = listed(rule.get("languages")) if isinstance(rule, Mapping) else []
            languages |= {str(one).lower() for one in named} or {"generic"}
    if not languages or languages & _ANY:
        return ()
    ends = {end for one in languages for end in _ENDINGS.get(one, (f".{one}",))}
    return tuple(sorted(name for name in files if not name.lower().endswith(tuple(ends))))


def _has_rules(said: Json) -> bool:
    """True where a run names a rule that it looked with, of its own or of an extension."""
    for run in listed(said.get("runs")) if isinstance(said, Mapping) else ():
        tool = run.get("tool") if isinstance(run, Mapping) else None
        parts = [tool.get("driver"), *listed(tool.get("extensions"))] if isinstance(tool, Mapping) else []
        if any(isinstance(part, Mapping) and listed(part.get("rules")) for part in parts):
            return True
    return False


def _log(tool: str, results: Sequence[tuple[SarifResult, str]], unlooked: Sequence[str] = ()) -> str:
    redactor = Redactor()
    ordered = sorted(results, key=lambda pair: (pair[0].uri, pair[0].first, pair[0].rule))
    rules = {one.rule: one for one, _ in ordered}
    driver = {
        "name": redactor.clean(tool),
        "rules": [
            {
                "id": redactor.clean(name),
                "shortDescription": {"text": redactor.clean(one.about)},
                "properties": {"tags": [*one.tags]},
            }
            for name, one in sorted(rules.items())
        ],
    }
    found = [
        {
            "ruleId": redactor.clean(one.rule),
            "level": level,
            "message": {"text": redactor.clean(one.about)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": one.uri},
                        "region": {"startLine": one.first, "endLine": one.last},
                    }
                }
            ],
        }
        for one, level in ordered
    ]
    run: dict[str, object] = {"tool": {"driver": driver}, "results": found}
    if unlooked:
        run["invocations"] = [
            {"executionSuccessful": True, "toolConfigurationNotifications": [*map(_notice, unlooked)]}
        ]
    log = {"version": "2.1.0", "$schema": SCHEMA, "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def _notice(name: str) -> dict[str, object]:
    return {
        "level": "warning",
        "message": {"text": "No rule looked at this file."},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": name}}}],
    }


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
