"""What a scanner wrote, as the SARIF that is retained: rules and places, without a line or value of the evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import listed
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.sarif import SarifResult, read_sarif
from evreview.redaction.redactor import Redactor

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
