"""The bundled security review, varied: each variant is the demo with a few edits, and how it must end. Data only."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Final

from tests.golden.editing import Append, Delete, Edit, Set, Variant

AUTHORIZATION, MODEL, INVENTORY = "records/authorization.yaml", "records/trust-model.yaml", "records/inventory.yaml"
RUBRIC, REMEDIATION, RUN = "records/rubric.yaml", "records/remediation.yaml", "records/test-run.yaml"
DEPLOYMENT, PLAN = "records/deployment.yaml", "records/execution-plan.yaml"
REVISION: Final = "8d2f60c1b7a94e35f0c6d81a2b93e7450f6c1ad8"
OTHER: Final = "0f" * 20
OWNER: Final = "Product security owner"
MANAGER: Final = "Release manager"
HEADER: Final = "S-b5e93c9191ca"
"""The demo's supported finding: the header that decides who reads notes. Its id lasts."""
_PLAN: Final = Path(__file__).resolve().parents[2] / "examples" / "w3-tickets" / "records" / "execution-plan.yaml"
PLAN_DIGEST: Final = f"sha256:{hashlib.sha256(_PLAN.read_bytes()).hexdigest()}"
DISCLOSE_ITEMS: Final = ["redacted report", "severity rationale", "recipients", "channel", "timing"]
ACCEPT_ITEMS: Final = ["compensating controls", "accountable owner", "expiry", "revalidation date"]


def ended(name: str, step: int, state: str, exit_status: int, *edits: Edit, code: str = "", **gates: str) -> Variant:
    named = {gate.replace("_", "-"): found for gate, found in gates.items()} or None
    return Variant(name=name, edits=edits, step=step, state=state, exit_status=exit_status, code=code, gates=named)


def unauthorized(name: str, *edits: Edit) -> Variant:
    return ended(f"f1-{name}", 1, "stop", 3, *edits, code="W3-F1")


def decided(**entry: Any) -> Append:
    return Append("decisions.yaml", "/decisions", {"at": "2026-11-21T10:00:00+00:00"} | entry)


def approval(gate: str, role: str, stands_for: str, reviewed: list[str], **more: Any) -> Append:
    entry = {"kind": "approval", "gate": gate, "role": role, "stands_for": stands_for, "decision": "approved"}
    return decided(**(entry | {"reviewed": reviewed} | more))


def supplied(item: str, kind: str, content: str) -> tuple[Edit, ...]:
    """A further item, covered by the action that takes in results."""
    entry = {"id": item, "type": kind, "content": content, "integrity": REVISION, "establishes": "What it says."}
    return Append("review.yaml", "/evidence", entry), Append("review.yaml", "/actions/take in results/items", item)


def accepted(slice_: str, **more: Any) -> Append:
    entry = {"kind": "disposition", "subject": HEADER, "role": OWNER, "decision": "borne until the desk sends tokens"}
    return decided(**(entry | {"state": "accepted", "until": "2027-01-31", "of": slice_} | more))


def accepts(digest: str, *, manager: bool) -> Append:
    """The answer of one of both approvers to the acceptance with that digest."""
    who = (MANAGER, "release-manager") if manager else (OWNER, "security-owner")
    return approval("accept-reachable-vulnerability", *who, [HEADER, digest, *ACCEPT_ITEMS])


ACCEPTED_TERMS: Final = (
    f"kind: risk-acceptance\nid: AC-1\nfinding: {HEADER}\n"
    "compensating_controls: [the desk reads notes on one machine]\naccountable_owner: Ticket service owner\n"
    "expires: 2027-01-31\nrevalidate_on: 2026-12-31\nevidence: [E10]\n"
)
ACCEPTANCE: Final = supplied("E19", "execution and approval record", ACCEPTED_TERMS)
BOARD: Final = "Customer advisory board"
OUTSIDER: Final = Append("review.yaml", "/recipients", BOARD)
DISCLOSE: Final = approval("disclose-outside-team", OWNER, "security-owner", [BOARD, *DISCLOSE_ITEMS])
SUSPICION: Final = supplied(
    "E19",
    "execution and approval record",
    "kind: security-candidates\ncandidates:\n  - {id: C-1, area: authorization, "
    "title: Tickets of others may be counted, route: POST /v1/tickets}\n",
)

VARIANTS: Final[tuple[Variant, ...]] = (
    ended(
        "demo", 9, "advance", 4, execute_locally="open", disclose_outside_team="not needed",
        accept_reachable_vulnerability="not needed",
    ),
    unauthorized("no-authorization", Delete("review.yaml", "/evidence/E1")),
    unauthorized("no-period", Delete(AUTHORIZATION, "/period")),
    unauthorized("no-recipients", Delete(AUTHORIZATION, "/recipients")),
    unauthorized("expired", Set("review.yaml", "/as_of", "2026-12-19")),
    unauthorized("path-not-allowed", Set(AUTHORIZATION, "/paths", ["deploy/**"])),
    unauthorized("target-not-local", Set("review.yaml", "/actions/run the tests again/targets", ["desk.example.com"])),
    ended(
        "untied-revision", 2, "stop", 3, Set("review.yaml", "/runtime_conclusion", True),
        Set(DEPLOYMENT, "/revision", OTHER),
    ),
    ended("no-assets", 2, "remain", 4, Delete(MODEL, "/assets")),
    ended("f2-negative-tests-unstated", 3, "stop", 3, Delete(INVENTORY, "/controls/notes-check/negative_tests"),
          code="W3-F2"),
    ended("f4-secret-without-handling", 3, "stop", 3, Delete("decisions.yaml", "/decisions/0"), code="W3-F4"),
    ended("f4-handling-of-other-content", 3, "stop", 3, Set("decisions.yaml", "/decisions/0/of", "sha256:" + "0" * 64),
          code="W3-F4"),
    unauthorized("excerpt-without-path", Set("review.yaml", "/actions/read the code/items", ["E3", "E4", "E5", "E6"]),
                 Append("review.yaml", "/actions/take in results/items", "E7"),
                 Append("review.yaml", "/actions/take in results/items", "E8"),
                 Append("review.yaml", "/actions/take in results/items", "E9")),
    unauthorized("file-left-out", Append(AUTHORIZATION, "/exclusions", "deploy/**")),
    ended("excerpt-of-no-path", 1, "stop", 3, *supplied("E19", "source excerpt", "def of_nowhere(): ...\n"),
          Append("review.yaml", "/actions/read the code/items", "E19"), code="W3-F1"),
    ended("undecided-finding", 9, "advance", 4, Append(INVENTORY, "/controls/notes-check/surrounding", {
        "path": "service/waf.py", "says": "not supplied",
    })),
    ended("no-boundary-at-an-entry-point", 4, "remain", 4, Append(MODEL, "/entry_points", {
        "id": "import", "route": "POST /v1/tickets", "actors": ["customer"], "assets": ["tickets"],
    })),
    ended("f3-no-safe-verification", 9, "advance", 4, *SUSPICION, code="W3-F3"),
    ended("f5-run-left-its-sandbox", 6, "stop", 3, Set(RUN, "/violations", ["connect 192.0.2.7:443"]), code="W3-F5"),
    ended("no-rubric", 9, "advance", 4, Delete("review.yaml", "/evidence/E16")),
    ended("no-rollback", 8, "remain", 4, Delete(REMEDIATION, "/remediations/R-1/rollback")),
    ended("remediation-weakens", 8, "remain", 4, Set(REMEDIATION, "/remediations/R-1/removes", ["access-log"])),
    ended("disclosure-pending", 9, "remain", 4, OUTSIDER, disclose_outside_team="open"),
    ended(
        "disclosure-unseen", 9, "remain", 4, OUTSIDER,
        approval("disclose-outside-team", OWNER, "security-owner", [BOARD, *DISCLOSE_ITEMS[1:]]),
        disclose_outside_team="open",
    ),
    ended(
        "disclosure-approved-for-nobody-named", 9, "remain", 4, OUTSIDER,
        approval("disclose-outside-team", OWNER, "security-owner", DISCLOSE_ITEMS), disclose_outside_team="open",
    ),
    ended(
        "disclosure-denied", 9, "remain", 4,
        approval("disclose-outside-team", OWNER, "security-owner", DISCLOSE_ITEMS, decision="rejected"),
        disclose_outside_team="rejected",
    ),
    ended("disclosure-approved-for-no-report", 9, "remain", 4, OUTSIDER, DISCLOSE, disclose_outside_team="open"),
    ended(
        "active-approved", 9, "advance", 4,
        approval("execute-locally", OWNER, "security-owner", [
            "ticket-access-tests", PLAN_DIGEST, "isolated target", "revision", "method", "expected traffic",
            "test data", "network boundary", "stop conditions", "cleanup", "rollback evidence",
        ]), execute_locally="approved",
    ),
)  # fmt: skip
