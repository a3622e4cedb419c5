"""Typed bodies: which `kind:` means which record, in which evidence types it may stand, and what is wrong with one.

Plain text is accepted everywhere and nothing is derived from it. What starts like a typed body must be a valid one;
source code and test outputs that merely hold `kind:` are none.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, Final, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, Problem
from evreview.core.json_pointer import Step, place
from evreview.core.vocabulary import EvidenceId, EvidenceType, Json
from evreview.evidence.records.compatibility import (
    AdoptionRecord,
    ClientInventory,
    DeprecationNotice,
    Policy,
    RollbackDrill,
    RolloutRecord,
    UsageMetrics,
)
from evreview.evidence.records.reference import ContractApproval, DeclaredCode, PublicationScope, RouteTable, SourceMap
from evreview.evidence.records.review import ExecutionPlan, Record
from evreview.evidence.records.security import (
    Acceptance,
    Authorization,
    Candidates,
    DeploymentRecord,
    RemediationPlan,
    SecurityInventory,
    SeverityRubric,
    TrustModel,
)
from evreview.evidence.records.test_runs import ClientExamples, ImplementationMapping, Observations, TestRecord, TestRun
from evreview.evidence.wanted_values import wanted_at

_RUNS: Final = frozenset({EvidenceType.TEST_RECORD, EvidenceType.EXECUTION_AND_APPROVAL})
_APPROVALS: Final = frozenset({EvidenceType.EXECUTION_AND_APPROVAL})
_INSPECTED: Final = frozenset({EvidenceType.SOURCE_EXCERPT, EvidenceType.TEST_INVENTORY})


@dataclass(frozen=True, slots=True)
class Body:
    """One kind of typed body and the evidence types whose content it may be."""

    record: type[Record]
    types: frozenset[EvidenceType]


BODIES: Final[Mapping[str, Body]] = {
    "policy": Body(Policy, frozenset({EvidenceType.POLICY})),
    "client-inventory": Body(ClientInventory, frozenset({EvidenceType.CLIENT_INVENTORY})),
    "client-examples": Body(ClientExamples, frozenset({EvidenceType.CLIENT_INVENTORY})),
    "rollout-record": Body(RolloutRecord, frozenset({EvidenceType.ROLLOUT_RECORD})),
    "usage-metrics": Body(
        UsageMetrics,
        frozenset({EvidenceType.CLIENT_INVENTORY, EvidenceType.ROLLOUT_RECORD, EvidenceType.EXECUTION_AND_APPROVAL}),
    ),
    "test-record": Body(TestRecord, _RUNS),
    "observations": Body(Observations, _RUNS),
    "implementation-mapping": Body(ImplementationMapping, frozenset({EvidenceType.IMPLEMENTATION_DIFF})),
    "publication-scope": Body(PublicationScope, _APPROVALS),
    "contract-approval": Body(ContractApproval, _APPROVALS),
    "deprecation-notice": Body(DeprecationNotice, _APPROVALS),
    "adoption-record": Body(AdoptionRecord, _APPROVALS),
    "rollback-drill": Body(RollbackDrill, _APPROVALS),
    "source-map": Body(SourceMap, _INSPECTED | _APPROVALS),
    "code-facts": Body(DeclaredCode, _INSPECTED),
    "test-run": Body(TestRun, _RUNS),
    "route-table": Body(RouteTable, _RUNS),
    "execution-plan": Body(ExecutionPlan, _APPROVALS),
    "authorization": Body(Authorization, frozenset({EvidenceType.AUTHORIZATION_RECORD})),
    "trust-model": Body(TrustModel, frozenset({EvidenceType.DATA_FLOW})),
    "deployment-record": Body(
        DeploymentRecord, frozenset({EvidenceType.ROLLOUT_RECORD, EvidenceType.CONFIGURATION_EXCERPT})
    ),
    "security-inventory": Body(SecurityInventory, _INSPECTED | _APPROVALS),
    "security-candidates": Body(Candidates, _INSPECTED | _APPROVALS),
    "severity-rubric": Body(SeverityRubric, frozenset({EvidenceType.POLICY})),
    "remediation-plan": Body(RemediationPlan, _APPROVALS),
    "risk-acceptance": Body(Acceptance, _APPROVALS),
}
TYPED: Final = frozenset(kind for body in BODIES.values() for kind in body.types)
_LOOKS_TYPED: Final = re.compile(r"""\A(?:\s|#[^\n]*\n|---\n)*\{|^["']?kind["']?\s*:""", re.MULTILINE)
_FIRST_KIND: Final = re.compile(r"""\A(?:\s|#[^\n]*\n|---\n)*\{?\s*["']?kind["']?\s*:\s*["']?(?P<kind>[\w-]+)""")
_HAR: Final = re.compile(r'\s*\{\s*"log"\s*:')
_SCAN: Final = re.compile(r'\s*\{\s*[^{}\[\]]{0,400}?"runs"\s*:\s*\[')
_ALIKE: Final = 0.8
"""How alike (difflib's ratio) a misspelt kind is to the known one."""
_MANIFEST: Final = re.compile(r"^apiVersion:", re.MULTILINE)
_STATES_KIND: Final = re.compile(r"""^\s*\{?\s*["']?kind["']?\s*:""", re.MULTILINE)


def read_body(kind: EvidenceType | str, content: str, file: str) -> tuple[Record | None, tuple[Problem, ...]]:
    """The typed record of an item's content, None for plain text, and what is wrong with a typed body.

    Args:
        kind: the item's evidence type.
        content: its text.
        file: named in the problems.
    """
    if kind not in TYPED or not _LOOKS_TYPED.search(content):
        return None, ()
    try:
        value = parse_text(content.encode(), file)
    except BadInput as error:
        return None, error.problems if _is_meant(kind, content) else ()
    if not isinstance(value, Mapping) or "kind" not in value or _is_manifest(value):
        return None, ()
    if kind in _INSPECTED and not _near(str(value["kind"])):
        return None, ()
    return _read_kind(EvidenceType(kind), value, file)


def _is_manifest(value: Mapping[str, Json]) -> bool:
    """True for a manifest of Kubernetes and its kin, which has a `kind:` of its own."""
    return "apiVersion" in value and str(value["kind"]) not in BODIES


def _is_meant(kind: EvidenceType | str, content: str) -> bool:
    """True when a text that can't be parsed was meant as a typed body: it says so, and is no code and no log."""
    if kind in _INSPECTED:
        first = _FIRST_KIND.match(content)
        return first is not None and _near(first["kind"])
    several = _MANIFEST.search(content) is not None
    return _STATES_KIND.search(content) is not None and not several and not _is_stream(content)


def _near(word: str) -> bool:
    """True for a kind of body, well or badly spelt."""
    return bool(get_close_matches(word, BODIES, n=1, cutoff=_ALIKE))


def _is_stream(content: str) -> bool:
    """True for XML, and for JSON objects one per line, as loggers and test runners write them."""
    if content.lstrip().startswith("<"):
        return True
    first, _, rest = content.strip().partition("\n")
    if not first.startswith("{") or not rest.strip():
        return False
    try:
        return isinstance(parse_text(first.encode(), ""), Mapping)
    except BadInput:
        return False


def retained_outputs(records: Iterable[Record | None]) -> frozenset[EvidenceId]:
    """The items whose text is read as the output of a test run."""
    return frozenset(record.output for record in records if isinstance(record, TestRun))


def is_recording(content: str) -> bool:
    """True for a HAR document or a scanner's SARIF log, which are read as recordings and not as typed bodies."""
    return is_har(content) or _SCAN.match(content) is not None


def is_har(content: str) -> bool:
    """True for a HAR document, a mapping with `log.entries`."""
    return _HAR.match(content) is not None


def _read_kind(kind: EvidenceType, value: Mapping[str, Json], file: str) -> tuple[Record | None, tuple[Problem, ...]]:
    named = str(value["kind"])
    body = BODIES.get(named)
    fitting = sorted(name for name, known in BODIES.items() if kind in known.types)
    if body is None or kind not in body.types:
        code = "unknown-kind" if body is None else "kind-does-not-fit"
        found = f"`kind: {named}` " + ("is not known" if body is None else f"does not belong in a {kind}")
        return None, (
            Problem(code=code, found=found, file=file, place="#/kind", advice=suggestion(named, fitting, "kinds")),
        )
    record, unfilled = read_model(body.record, value, file=file)
    if record is None:
        return None, unfilled
    problems = (*repeated_ids(record, file), *_contradictions(record, file))
    return (None if problems else record), (*unfilled, *problems)


def repeated_ids(record: Record, file: str) -> Iterator[Problem]:
    """Entries of one list that share an id: a locator could not tell them apart."""
    for steps, part in _parts(record):
        seen: set[str] = set()
        for index, entry in enumerate(part):
            name = getattr(entry, "id", None)
            if not isinstance(name, str):
                continue
            if name in seen:
                at = place((*steps, index, "id"))
                yield Problem(code="duplicate-id", found=f"`{name}` stands twice", file=file, place=at)
            seen.add(name)


def named_items(record: Record, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], EvidenceId]]:
    """Every evidence id that a record names, with its place."""
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if _is_id(field.annotation):
            ids = value if isinstance(value, tuple) else (value,)
            for index, found in enumerate(ids):
                if found is not None:
                    yield ((*at, name, index) if isinstance(value, tuple) else (*at, name)), found
        elif isinstance(value, Record):
            yield from named_items(value, (*at, name))
        elif isinstance(value, tuple):
            for index, entry in enumerate(value):
                if isinstance(entry, Record):
                    yield from named_items(entry, (*at, name, index))


def _is_id(annotation: object) -> bool:
    return annotation is EvidenceId or any(_is_id(part) for part in get_args(annotation))


def _parts(record: Record, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Sequence[object]]]:
    """Every list in a record, with its place."""
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, tuple):
            yield (*at, name), value
            for index, entry in enumerate(value):
                if isinstance(entry, Record):
                    yield from _parts(entry, (*at, name, index))
        elif isinstance(value, Record):
            yield from _parts(value, (*at, name))


def _contradictions(record: Record, file: str) -> Iterator[Problem]:
    if isinstance(record, Policy | SeverityRubric):
        yield from _unknown_severities(record, file)
    if isinstance(record, UsageMetrics):
        for index, count in enumerate(record.counts):
            if count.until < count.since:
                at = place(("counts", index, "until"))
                yield Problem(code="bad-period", found="the period ends before it starts", file=file, place=at)


def _holding_nothing(rubric: SeverityRubric, file: str) -> Iterator[Problem]:
    """A rubric of which no severity holds the deployment."""
    if rubric.severities and not rubric.holding:
        found = "none of the severities is called High or Critical, and `holds_deployment` names none"
        advice = "Name the severities of which an unresolved finding holds the deployment"
        yield Problem(
            code="holds-deployment-unnamed", found=found, file=file, place=place(("holds_deployment",)), advice=advice
        )


def _unknown_severities(policy: Policy | SeverityRubric, file: str) -> Iterator[Problem]:
    words = [rule.severity for rule in policy.rules]
    used: list[tuple[tuple[Step, ...], str]] = [
        (("rules", index, "severity"), word) for index, word in enumerate(words) if word
    ]
    if isinstance(policy, Policy):
        used += [(("disposition_per_severity", word), word) for word in policy.disposition_per_severity]
    else:
        used += [(("holds_deployment", at), word) for at, word in enumerate(policy.holds_deployment)]
        yield from _holding_nothing(policy, file)
    for steps, word in used:
        if word not in policy.severities:
            yield Problem(
                code="unknown-severity",
                found=f"`{word}` is none of the policy's severities",
                file=file,
                place=place(steps),
                advice=suggestion(word, policy.severities, "severities"),
            )


# Parsed values in, typed records out, or every problem with its place and the words that would be allowed.
#
# pydantic finds what is wrong; here it is said in the words of the bundle format.


M = TypeVar("M", bound=BaseModel)

_CODES: Final[Mapping[str, str]] = {
    "missing": "missing-field",
    "extra_forbidden": "unknown-key",
    "literal_error": "not-allowed",
    "enum": "not-allowed",
    "union_tag_invalid": "not-allowed",
    "union_tag_not_found": "missing-field",
    "string_too_short": "empty-value",
    "too_short": "empty-value",
    "timezone_aware": "time-zone-missing",
    "model_type": "wrong-type",
    "model_attributes_type": "wrong-type",
}
_TYPE_WORDS: Final[Mapping[str, str]] = {
    "string_type": "a text; put the value in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false, without quotes",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping of named fields",
    "model_attributes_type": "a mapping of named fields",
}
MARK: Final = "FILL-IN"
"""Stands in a scaffold where a person has to fill something in."""
UNFILLED: Final = "not-filled-in"
UNANSWERED: Final = "not-answered"
"""Of a marker where a person's answer is to stand."""
EVIDENCE_ID_PATTERN: Final = r"^E[1-9][0-9]*$"


def read_model(
    model: type[M], value: Json, *, file: str, at: tuple[Step, ...] = ()
) -> tuple[M | None, tuple[Problem, ...]]:
    """The typed record of a parsed value, None where it is not of its model, and what is wrong with it.

    A record in which nothing but markers is wrong is given for what looks past them; an optional field whose marker
    is none of its values is left out of it.

    Args:
        model: the record's class.
        value: parsed JSON or YAML.
        file: named in the problems.
        at: where the value stands in the file.
    """
    unfilled = tuple(_unfilled(model, value, file, at))
    try:
        text = json.dumps(value)
    except ValueError:
        found = "a number here has more digits than are read"
        return None, (Problem(code="bad-value", found=found, file=file, place=place(at)),)
    try:
        record = model.model_validate_json(text, strict=True)
        return record, unfilled
    except ValidationError as error:
        wrong = tuple(
            _problem(detail, model, value, file, at) for detail in error.errors(include_url=False, include_context=True)
        )
        marked = {problem.place for problem in wrong} & {problem.place for problem in unfilled}
        if all(problem.place in marked for problem in wrong):
            with suppress(ValidationError):
                return model.model_validate_json(json.dumps(_without(value, marked, at)), strict=True), unfilled
        return None, _one_per_place((*unfilled, *wrong))


def _without(value: Json, places: Collection[str], at: tuple[Step, ...]) -> Json:
    """The value without the fields at these places."""
    if isinstance(value, Mapping):
        return {
            key: _without(part, places, (*at, key)) for key, part in value.items() if place((*at, key)) not in places
        }
    return (
        [_without(part, places, (*at, index)) for index, part in enumerate(value)] if isinstance(value, list) else value
    )


def _unfilled(model: type[BaseModel], value: Json, file: str, at: tuple[Step, ...]) -> Iterator[Problem]:
    """Every place where the scaffold's marker still stands, with what it is to be replaced by."""
    answers = model.answer_fields if issubclass(model, Record) else frozenset()
    for steps in _marked(value, ()):
        code = UNANSWERED if steps and steps[0] in answers else UNFILLED
        words = wanted_at(model, steps)
        found = f"{MARK} still stands here{f' for: {words}' if words else ''}"
        yield Problem(code=code, found=found, file=file, place=place((*at, *steps)), advice=_ADVICE[code])


_ADVICE: Final = {
    UNFILLED: "Replace the marker, or comment the optional field out",
    UNANSWERED: "Whoever has to answer does so with `evreview approve`; `evreview check` prints the command",
}


def _marked(value: Json, at: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if value == MARK:
        yield at
    inside = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inside:
        yield from _marked(part, (*at, step))


def _one_per_place(found: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems without echoes: a value that fits no member of a union is one problem, not one per member."""
    by_place: dict[str, Problem] = {}
    for problem in found:
        known = by_place.get(problem.place)
        if known is None or (known.code == "wrong-type" and problem.code != "wrong-type"):
            by_place[problem.place] = problem
    # pydantic calls a list too short when its only entries are wrong ones, and of a union it says that the value is
    # no text, beside what is wrong with the fields that it has.
    return tuple(
        problem
        for problem in by_place.values()
        if problem.code not in ("empty-value", "wrong-type")
        or not any(other.startswith(f"{problem.place}/") for other in by_place)
    )


def _problem(detail: Any, model: type[BaseModel], value: Json, file: str, at: tuple[Step, ...]) -> Problem:
    kind = str(detail["type"])
    steps = _steps(detail["loc"], value, kind)
    node = _schema_at(model, steps[:-1] if kind in ("missing", "extra_forbidden") else steps, value)
    context = detail.get("ctx") or {}
    if kind == "union_tag_not_found":
        steps = (*steps, _tag_name(context))
    elif kind == "union_tag_invalid":
        steps, node = (*steps, _tag_name(context)), {"enum": [*_tags(node)]}
    is_id = node.get("pattern") == EVIDENCE_ID_PATTERN
    code = "bad-evidence-id" if is_id and kind != "missing" else _CODES.get(kind, _fallback(kind))
    found, advice = _words(code, kind, detail, steps, node)
    return Problem(code=code, found=found, file=file, place=place((*at, *steps)), advice=advice)


def _fallback(kind: str) -> str:
    return "wrong-type" if kind.endswith("_type") else "bad-value"


def _words(code: str, kind: str, detail: Any, steps: tuple[Step, ...], node: Mapping[str, Any]) -> tuple[str, str]:
    name, given = (str(steps[-1]) if steps else "document"), _shown(detail.get("input"))
    match code:
        case "missing-field":
            return f"the field `{name}` is missing", "Add it; `evreview schema` describes every field"
        case "unknown-key":
            # The root of review.yaml is read without its evidence list, which is a key all the same.
            own = ("evidence",) if not steps[:-1] and "workflow" in node.get("properties", {}) else ()
            allowed = sorted((*node.get("properties", {}), *own))
            return f"the key `{name}` is not known here", suggestion(name, allowed, "keys")
        case "not-allowed":
            allowed = [str(word) for word in _allowed(node)]
            return f"`{name}` is {given}, which is not allowed", suggestion(str(detail.get("input")), allowed, "values")
        case "empty-value":
            return f"`{name}` is empty", "Fill it in, or leave an optional field out"
        case "bad-evidence-id":
            return f"{given} is not an evidence id", "Write E and a positive number without leading zeros: E1, E2, …"
        case "time-zone-missing":
            return f"{given} has no time zone", "Write it as 2026-01-31T12:00:00Z or with an offset such as +01:00"
        case "wrong-type":
            return f"`{name}` is {given}", f"It must be {_TYPE_WORDS.get(kind, 'of another type')}"
        case _ if kind == "string_pattern_mismatch":
            pattern = (detail.get("ctx") or {}).get("pattern", "")
            return f"`{name}` is {given}, which is not written as it must be", f"It must match {pattern}"
        case _:
            said = str(detail["msg"]).removeprefix("Value error, ")
            return f"`{name}` is {given}: {said[:1].lower()}{said[1:]}", ""


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def suggestion(given: str, allowed: Sequence[str], what: str) -> str:
    """Advice that names the closest allowed word first, then all of them."""
    close = difflib.get_close_matches(given, allowed, n=1, cutoff=0.6)
    listed = f"Allowed {what}: {', '.join(allowed)}" if allowed else f"No {what} are allowed here"
    return f"Did you mean `{close[0]}`? {listed}" if close else listed


def _steps(location: Sequence[Step], value: Json, kind: str) -> tuple[Step, ...]:
    """The location without the labels that pydantic adds for members of a union."""
    steps: list[Step] = []
    current: object = value
    for index, step in enumerate(location):
        is_last_missing = kind == "missing" and index == len(location) - 1
        if not is_last_missing:
            if not _has(current, step):
                continue
            current = current[step]  # type: ignore[index]
        steps.append(step)
    return tuple(steps)


def _has(value: object, step: Step) -> bool:
    if isinstance(value, Mapping):
        return isinstance(step, str) and step in value
    return isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)


@lru_cache(maxsize=64)
def _schema(model: type[BaseModel]) -> Mapping[str, Any]:
    return model.model_json_schema()


def _schema_at(model: type[BaseModel], steps: Sequence[Step], value: Json) -> Mapping[str, Any]:
    """The part of the model's JSON Schema that describes a place, `{}` when none does."""
    root = _schema(model)
    node, current = _plain(root, root, value), value
    for step in steps:
        child: object = None
        if isinstance(step, str) and isinstance(current, Mapping):
            current = current.get(step)
            child = node.get("properties", {}).get(step, node.get("additionalProperties"))
        elif isinstance(step, int) and isinstance(current, list | tuple):
            current = current[step] if step < len(current) else None
            child = node.get("items")
        node = _plain(root, child, current) if isinstance(child, Mapping) else {}
    return node


def _plain(root: Mapping[str, Any], node: Mapping[str, Any], value: object) -> Mapping[str, Any]:
    """A schema node with its reference followed and its union narrowed to the member that the value looks like."""
    if "$ref" in node:
        return _plain(root, root["$defs"][node["$ref"].rsplit("/", 1)[-1]], value)
    members = [_plain(root, member, value) for member in (*node.get("anyOf", ()), *node.get("oneOf", ()))]
    if not members:
        return node
    tagged = [member for member in members if _tag_fits(member, value)]
    wanted = "object" if isinstance(value, Mapping) else "array" if isinstance(value, list | tuple) else None
    shaped = [member for member in members if member.get("type") == wanted]
    if tagged:
        return tagged[0]
    return shaped[0] if wanted and len(shaped) == 1 else {**node, "members": members}


def _tag_fits(member: Mapping[str, Any], value: object) -> bool:
    tag = member.get("properties", {}).get("kind", {}).get("const")
    return tag is not None and isinstance(value, Mapping) and value.get("kind") == tag


def _allowed(node: Mapping[str, Any]) -> Iterator[object]:
    if "const" in node:
        yield node["const"]
    yield from node.get("enum", ())
    for member in node.get("members", ()):
        yield from _allowed(member)


def _tags(node: Mapping[str, Any]) -> Iterator[object]:
    for member in node.get("members", ()):
        yield from _allowed(member.get("properties", {}).get("kind", {}))


def _tag_name(context: Mapping[str, Any]) -> str:
    return str(context.get("discriminator", "kind")).strip("'")
