"""Texts of a new bundle: every field of the models with its meaning, the ones to fill in marked.

`# text` explains, `#key:` is an optional field to uncomment, `FILL-IN` is to be replaced. Made from the JSON Schemas,
so a new field appears here by itself.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evreview.core.errors import bad_input
from evreview.core.json_text import mapping
from evreview.core.vocabulary import EvidenceType, Json, WorkflowId
from evreview.evidence.files import write_new
from evreview.evidence.json_schemas import schemas
from evreview.evidence.typed_reader import MARK
from evreview.evidence.wanted_values import is_special, resolved, wanted

_WIDTH: Final = 108
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9./ -]*")
# YAML 1.1 readers, editors among them, take these for booleans and null.
_READ_ELSEWHERE: Final = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})

_HEAD: Final = f"""\
# An evidence bundle for evreview. Replace every {MARK}; remove the # before the optional fields that you use.
# `evreview check` on this folder names everything that is missing, with its place.
"""


DECISIONS_TEXT: Final = """\
# What people decided. Append-only: the notebook and the library add entries at the end, or you do.
# An entry (its fields are in `evreview schema decisions.yaml`) looks like this:
#  - kind: approval
#    gate: ship-breaking-change
#    role: API owner
#    stands_for: api-owner
#    decision: approved
#    at: 2026-01-31T12:00:00Z
#    reviewed: []
decisions:
"""


def scaffold(workflow: str) -> Mapping[str, str]:
    """File names and texts of a new bundle; contracts and code are the user's to put beside them.

    Args:
        workflow: `w1`, `w2` or `w3`.

    Raises:
        BadInput: there is no such workflow.
    """
    if workflow.upper() not in list(WorkflowId):
        raise bad_input("not-allowed", f"`{workflow}` is no workflow", advice="Allowed: w1, w2, w3")
    chosen = WorkflowId(workflow.upper())
    texts = {"review.yaml": _review(chosen), "decisions.yaml": DECISIONS_TEXT}
    texts |= {name: body_text(kind, SAMPLES[chosen].get(name, {})) for name, kind in FILES[chosen].items()}
    return texts


def review_text(workflow: WorkflowId, given: Sample, evidence: Sequence[Mapping[str, Json]]) -> str:
    """A `review.yaml` in which what is given stands, and every other field is commented out or marked."""
    sample: dict[str, Json] = {"evreview": 1, "workflow": workflow.lower(), **given}
    sample["evidence"] = [dict(item) for item in evidence]
    found: Mapping[str, Any] = schemas()
    return _HEAD + "\n" + "\n".join(_Writer(found["review.yaml"]).lines(sample)) + "\n"


def body_text(kind: str, sample: Sample) -> str:
    """A typed body in which the sample stands, and every other field is commented out or marked."""
    found: Mapping[str, Any] = schemas()
    return _HEAD_OF_BODY.format(kind=kind) + "\n".join(_Writer(found[kind]).lines(sample)) + "\n"


_HEAD_OF_BODY: Final = (
    f"# A typed body, `kind: {{kind}}`. Replace every {MARK}; remove the # before optional fields that you use.\n"
)


def new_bundle(workflow: str, folder: str | Path) -> tuple[Path, ...]:
    """The files of a new bundle, written into a new or empty folder.

    Raises:
        BadInput: there is no such workflow, or the folder is not empty or can't be written.
    """
    return write_new(Path(folder), scaffold(workflow))


def _review(workflow: WorkflowId) -> str:
    lines = [review_text(workflow, {"asks": ["assess"], **REVIEW_SAMPLES[workflow]}, NEEDED[workflow]).rstrip("\n")]
    if OPTIONAL[workflow]:
        lines.append("  # Optional items; their files are beside this one.")
    for item in OPTIONAL[workflow]:
        lines += [
            f"  #{line[2:]}" for line in _entry([f"    {key}: {_inline(value)}" for key, value in item.items()], 2)
        ]
    return "\n".join(lines) + "\n"


class _Writer:
    """Writes objects of one schema as commented YAML."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema

    def lines(self, sample: Mapping[str, Json]) -> Iterator[str]:
        """The whole document: fields of the sample and required ones active, the others commented out."""
        yield from self._object(self._schema, sample, 0)

    def _object(self, node: Mapping[str, Any], sample: Mapping[str, Json], indent: int) -> Iterator[str]:
        for name, prop in node["properties"].items():
            active = name in sample or name in node.get("required", ())
            written = list(self._field(name, prop, sample.get(name), indent))
            yield from self._comment(prop, active, indent, marked=active and MARK in written[0])
            yield from written if active else (_off(line, indent) for line in written)

    def _field(self, name: str, prop: Mapping[str, Any], given: Json, indent: int) -> Iterator[str]:
        pad, target = " " * indent, resolved(self._schema, prop)
        if given == MARK:
            yield f"{pad}{name}: {MARK}"
            return
        if target.get("type") == "object" and "properties" in target:
            yield f"{pad}{name}:"
            yield from self._object(target, given if isinstance(given, Mapping) else {}, indent + 2)
            return
        element = resolved(self._schema, target.get("items", {}))
        if target.get("type") == "array" and "properties" in element:
            if given == []:
                yield f"{pad}{name}: []"
                return
            yield f"{pad}{name}:"
            # An entry whose fields are all optional shows its first one, which carries the dash.
            bare = {} if element.get("required") else dict.fromkeys(list(element["properties"])[:1])
            entries = given if isinstance(given, list) and given else [bare]
            yield from _entry(
                list(self._object(_led(element, entries[0]), mapping(entries[0]), indent + 4)), indent + 2
            )
            for entry in entries[1:]:
                flat = [f"{pad}    {key}: {_inline(value)}" for key, value in mapping(entry).items()]
                yield from _entry(flat, indent + 2)
            return
        yield f"{pad}{name}: {_inline(given if given is not None else self._example(prop))}"

    def _comment(self, prop: Mapping[str, Any], required: bool, indent: int, *, marked: bool) -> Iterator[str]:
        words = " ".join(str(prop.get("description", "")).split())
        allowed = self._words(prop)
        words += f" One of: {', '.join(allowed)}." if len(allowed) > 1 else ""
        words += f" Takes: {wanted(self._schema, prop)}." if marked and is_special(self._schema, prop) else ""
        words += "" if required else " Optional."
        for line in textwrap.wrap(words, _WIDTH - indent, break_long_words=False, break_on_hyphens=False):
            yield f"{' ' * indent}# {line}"

    def _words(self, prop: Mapping[str, Any]) -> list[str]:
        node = resolved(self._schema, prop)
        node = resolved(self._schema, node["items"]) if node.get("type") == "array" else node
        return [str(word) for word in node.get("enum", ())]

    def _example(self, prop: Mapping[str, Any]) -> Json:
        """A value of the right type: the default when it says something, else a marker where only the user knows."""
        default, node = prop.get("default"), resolved(self._schema, prop)
        if default not in (None, [], {}, ""):
            return default  # type: ignore[no-any-return]
        words = self._words(prop)
        if "const" in node:
            return node["const"]  # type: ignore[no-any-return]
        if node.get("type") == "array":
            return [words[0] if words else MARK]
        if words:
            return words[0]
        simple: dict[str, Json] = {"boolean": False, "integer": MARK, "number": MARK, "object": {}, "string": MARK}
        return simple.get(str(node.get("type")))


def _led(element: Mapping[str, Any], given: Json) -> Mapping[str, Any]:
    """The element with its first active field in front, which carries the dash of the entry."""
    fields = element["properties"]
    active = {*element.get("required", ()), *mapping(given)}
    first = next((name for name in fields if name in active), next(iter(fields)))
    return {**element, "properties": {first: fields[first], **fields}}


def _entry(lines: list[str], indent: int) -> Iterator[str]:
    """The lines of a list entry, with the dash before its first active field."""
    dashed = False
    for line in lines:
        is_field = not line.lstrip().startswith("#")
        if is_field and not dashed:
            yield f"{' ' * indent}- {line[indent + 2 :]}"
            dashed = True
        else:
            yield line


def _off(line: str, indent: int) -> str:
    return f"{' ' * indent}#{line[indent:]}"


def _inline(value: Json) -> str:
    """A value as YAML on one line; plain where it can't be misread."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value not in _READ_ELSEWHERE:
        return value
    return json.dumps(value, ensure_ascii=False)


# The evidence items and files that a new bundle of each workflow starts with.


def _item(number: int, kind: EvidenceType, establishes: str, file: str) -> dict[str, Json]:
    item: dict[str, Json] = {"id": f"E{number}", "type": str(kind), "integrity": MARK, "establishes": establishes}
    return item | {"file": file}


_RELEASED: Final = _item(
    1,
    EvidenceType.CONTRACT,
    "The released wire contract. Does not establish runtime behaviour.",
    "contracts/released.yaml",
)
_CANDIDATE: Final = _item(
    2,
    EvidenceType.CONTRACT,
    "The proposed wire contract. Does not establish runtime behaviour.",
    "contracts/candidate.yaml",
)
_DIFF: Final = _item(
    3,
    EvidenceType.IMPLEMENTATION_DIFF,
    "What changed in the code. Does not establish that it was executed.",
    "implementation.diff",
)
_TEST: Final = "The checks that name command, revision, fixture and result. Nothing about checks without a result."

NEEDED: Final[Mapping[WorkflowId, Sequence[dict[str, Json]]]] = {
    WorkflowId.W1: (
        _RELEASED,
        _CANDIDATE,
        _DIFF,
        _item(
            4,
            EvidenceType.IMPLEMENTATION_DIFF,
            "Which contract element each branch of E3 implements, as the reviewer reads it.",
            "mapping.yaml",
        ),
        _item(5, EvidenceType.POLICY, "The rules in force. Not any fact about this change.", "policy.yaml"),
    ),
    WorkflowId.W2: (
        _item(
            1,
            EvidenceType.CONTRACT,
            "The approved wire contract. Does not establish runtime behaviour.",
            "contract.yaml",
        ),
        _item(2, EvidenceType.SOURCE_EXCERPT, "The handlers as inspected. Not that they ran.", "handlers.py"),
        _item(3, EvidenceType.SOURCE_EXCERPT, "The validators as inspected. Not that they ran.", "validators.py"),
        _item(4, EvidenceType.SOURCE_EXCERPT, "Which files were inspected, and at which revision.", "sources.yaml"),
        _item(5, EvidenceType.TEST_RECORD, "The output of the contract tests as retained.", "test-output.xml"),
        _item(6, EvidenceType.TEST_RECORD, "Command, environment and exit status behind E5.", "test-run.yaml"),
        _item(7, EvidenceType.EXECUTION_AND_APPROVAL, "What is published, and for whom.", "scope.yaml"),
        _item(8, EvidenceType.EXECUTION_AND_APPROVAL, "The API owner's word on E1.", "approval.yaml"),
    ),
    WorkflowId.W3: (
        _item(1, EvidenceType.AUTHORIZATION_RECORD, "What may be reviewed, how, and when.", "authorization.yaml"),
        _item(2, EvidenceType.DATA_FLOW, "The trust model as described. Not that it is deployed.", "trust-model.yaml"),
        _item(3, EvidenceType.SOURCE_EXCERPT, "The code in scope. Not that it was executed.", "source.py"),
        _item(4, EvidenceType.SOURCE_EXCERPT, "Which files were inspected, and at which revision.", "sources.yaml"),
        _item(5, EvidenceType.TEST_INVENTORY, "The controls under review and their tests.", "inventory.yaml"),
    ),
}
OPTIONAL: Final[Mapping[WorkflowId, Sequence[dict[str, Json]]]] = {
    WorkflowId.W1: (
        _item(6, EvidenceType.CLIENT_INVENTORY, "What known clients declare. Not executed behaviour.", "clients.yaml"),
        _item(7, EvidenceType.TEST_RECORD, _TEST, "checks.yaml"),
        _item(
            8, EvidenceType.EXECUTION_AND_APPROVAL, "Recorded responses. Not production traffic.", "observations.yaml"
        ),
        _item(
            9, EvidenceType.ROLLOUT_RECORD, "Which rollout mechanisms exist. Not that they were used.", "rollout.yaml"
        ),
        _item(
            10,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "Privacy-safe use in the periods named. Not later use.",
            "usage.yaml",
        ),
        _item(11, EvidenceType.EXECUTION_AND_APPROVAL, "That notice of a removal was given.", "notice.yaml"),
        _item(12, EvidenceType.EXECUTION_AND_APPROVAL, "Which clients adopted which path.", "adoption.yaml"),
        _item(13, EvidenceType.EXECUTION_AND_APPROVAL, "That the rollback was exercised.", "drill.yaml"),
    ),
    WorkflowId.W2: (
        _item(
            9,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "What may be executed in an isolated fixture. Not that it was.",
            "execution-plan.yaml",
        ),
        _item(10, EvidenceType.TEST_INVENTORY, "Facts about code, declared by the reviewer.", "code-facts.yaml"),
        _item(11, EvidenceType.TEST_RECORD, "Further checks with their results.", "checks.yaml"),
        _item(
            12, EvidenceType.CLIENT_INVENTORY, "What a client was written for. Not that it was sent.", "examples.yaml"
        ),
        _item(13, EvidenceType.TEST_RECORD, "The routes that the application told.", "route-table.yaml"),
    ),
    WorkflowId.W3: (
        _item(6, EvidenceType.POLICY, "The severity rubric in force. Not any fact about the code.", "rubric.yaml"),
        _item(7, EvidenceType.TEST_RECORD, _TEST, "checks.yaml"),
        _item(8, EvidenceType.ROLLOUT_RECORD, "What runs, and from which revision.", "deployment.yaml"),
        _item(9, EvidenceType.TEST_INVENTORY, "What the reviewer suspects. No proof of it.", "candidates.yaml"),
        _item(10, EvidenceType.EXECUTION_AND_APPROVAL, "The proposed remediations.", "remediation.yaml"),
        _item(11, EvidenceType.EXECUTION_AND_APPROVAL, "A risk that is borne for a time.", "acceptance.yaml"),
        _item(
            12,
            EvidenceType.EXECUTION_AND_APPROVAL,
            "What may be executed in isolation. Not that it was.",
            "execution-plan.yaml",
        ),
    ),
}
FILES: Final[Mapping[WorkflowId, Mapping[str, str]]] = {
    WorkflowId.W1: {
        "mapping.yaml": "implementation-mapping",
        "policy.yaml": "policy",
        "clients.yaml": "client-inventory",
        "checks.yaml": "test-record",
        "observations.yaml": "observations",
        "rollout.yaml": "rollout-record",
        "usage.yaml": "usage-metrics",
        "notice.yaml": "deprecation-notice",
        "adoption.yaml": "adoption-record",
        "drill.yaml": "rollback-drill",
    },
    WorkflowId.W2: {
        "sources.yaml": "source-map",
        "test-run.yaml": "test-run",
        "scope.yaml": "publication-scope",
        "approval.yaml": "contract-approval",
        "execution-plan.yaml": "execution-plan",
        "code-facts.yaml": "code-facts",
        "checks.yaml": "test-record",
        "examples.yaml": "client-examples",
        "route-table.yaml": "route-table",
    },
    WorkflowId.W3: {
        "authorization.yaml": "authorization",
        "trust-model.yaml": "trust-model",
        "sources.yaml": "source-map",
        "inventory.yaml": "security-inventory",
        "rubric.yaml": "severity-rubric",
        "checks.yaml": "test-record",
        "deployment.yaml": "deployment-record",
        "candidates.yaml": "security-candidates",
        "remediation.yaml": "remediation-plan",
        "acceptance.yaml": "risk-acceptance",
        "execution-plan.yaml": "execution-plan",
    },
}


# Fields that a workflow asks for although a file can be read without them: in a scaffold they stand open.


Sample = Mapping[str, Json]


def _open(*names: str) -> dict[str, Json]:
    return dict.fromkeys(names, MARK)


def _lists(*names: str) -> dict[str, Json]:
    return {name: [MARK] for name in names}


_ACTION: Final[dict[str, Json]] = {
    **_open("id", "technique", "purpose"),
    "items": ["E2", "E3", "E4", "E5"],
    **_lists("paths"),
}
REVIEW_SAMPLES: Final[Mapping[WorkflowId, Sample]] = {
    # What step 1 asks for stands open, although an assessment without it can be read.
    WorkflowId.W1: {
        **_open("protocol", "surface", "implementation_revision"),
        "roles": _open("api_owner", "release_manager"),
        "contracts": {"released": "E1", "candidate": "E2"},
    },
    WorkflowId.W2: {"roles": _open("api_owner")},
    WorkflowId.W3: {
        **_open("surface", "implementation_revision"),
        "roles": _open("security_owner", "release_manager", "reviewer"),
        "actions": [_ACTION],
        **_lists("recipients"),
    },
}
_W2: Final[Mapping[str, Sample]] = {
    "sources.yaml": {
        "sources": [
            {"item": "E2", "path": MARK, "part": "handler"},
            {"item": "E3", "path": MARK, "part": "validator"},
        ]
    },
    "test-run.yaml": {
        "output": "E5",
        **_open("command", "revision", "contract", "environment", "isolated", "exit_status"),
    },
    "scope.yaml": {
        "contract": "E1",
        **_open("revision", "api_version", "base_url", "audience"),
        "operations": [MARK],
        "exclusions": [{}],
    },
    "approval.yaml": {"contract": "E1", "revision": MARK},
}
_W3: Final[Mapping[str, Sample]] = {
    "authorization.yaml": {
        **_open(
            "approving_role",
            "decision",
            "at",
            "form",
            "channel",
            "revision",
            "owns",
            "environment",
            "cleanup",
            "rollback",
        ),
        **_lists("paths", "techniques", "prohibited_targets", "prohibited_actions", "exclusions", "recipients"),
        **_lists("stop_conditions"),
        "period": _open("since", "until"),
        "active_testing": _open("permitted", "environment"),
    },
    "trust-model.yaml": {
        "revision": MARK,
        "actors": [_open("position")],
        "entry_points": [{"route": MARK, **_lists("actors", "boundaries", "assets")}],
        "identity_transitions": [_open("at")],
        "assets": [_open("classification")],
        "boundaries": [_open("backed_by")],
        **_lists("attacker_positions", "excluded_capabilities"),
    },
    "sources.yaml": {"sources": [{"item": "E3", "path": MARK, "part": MARK}]},
    "inventory.yaml": {
        "revision": MARK,
        "controls": [
            {
                **_open("area"),
                **_lists("routes", "assets", "boundaries"),
                **{name: [{}] for name in ("source", "middleware", "deployment", "positive_tests", "negative_tests")},
                "surrounding": [_open("item", "says")],
            }
        ],
        "not_in_scope": [_open("area")],
    },
    "deployment.yaml": {"revision": MARK, **_lists("wiring")},
    "candidates.yaml": {
        "candidates": [
            {
                **_open("area", "route", "control", "asset", "attacker", "safe_verification", "impact"),
                "shown_by": [{}],
            }
        ]
    },
    "remediation.yaml": {
        "remediations": [
            {
                **_open("owner_role", "deployment_dependency", "rollback", "exit_evidence"),
                "positive_tests": [{}],
                "negative_tests": [{}],
            }
        ]
    },
    "acceptance.yaml": {
        **_open("accountable_owner", "expires", "revalidate_on"),
        **_lists("compensating_controls", "evidence"),
    },
}
SAMPLES: Final[Mapping[WorkflowId, Mapping[str, Sample]]] = {
    WorkflowId.W1: {},
    WorkflowId.W2: _W2,
    WorkflowId.W3: _W3,
}
"""By workflow, then by file."""
