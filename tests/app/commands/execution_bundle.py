"""A small bundle with a plan: a service of the standard library, its contract, the scope and the decisions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.sealing import ASKED

REVISION = "4be1c07d92f35a86e0d4b7c91f6a2358c0de9471"
PLAN = "read-orders"
PLANS = "execution and approval record"
SERVICE = """
import http.server, json, os, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        HOOK
        self.answer(200 if self.path.startswith("/v1/orders") else 404, {"id": self.path.rsplit("/", 1)[-1]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        open("orders.txt", "a").write(body["sku"])
        self.answer(201, {"id": "made"})

    def answer(self, status, value):
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Set-Cookie", "session=kept-by-nobody")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

print("mode", os.environ.get("MODE"), flush=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
ORDER = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "pattern": "^[a-z0-9]+$"}}}
CODE = {"type": "string", "pattern": "^[a-z]{4}$"}
ANSWER = {"description": "One", "content": {"application/json": {"schema": ORDER}}}
CONTRACT = {
    "openapi": "3.0.3",
    "info": {"title": "Orders", "version": "1"},
    "security": [{"token": []}],
    "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    "paths": {
        "/v1/orders/{id}": {
            "get": {
                "operationId": "getOrder",
                "parameters": [
                    {
                        "name": "id",
                        "in": "path",
                        "required": True,
                        "schema": {"type": "string", "pattern": "^[a-z]{4}$"},
                    }
                ],
                "responses": {"200": ANSWER},
            }
        },
        "/v1/orders": {
            "post": {
                "operationId": "createOrder",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["sku"],
                                "properties": {"sku": {"type": "string", "pattern": "^[A-Z]{3}$"}},
                            }
                        }
                    },
                },
                "responses": {"201": ANSWER},
            }
        },
        "/v1/internal": {"get": {"operationId": "internal", "responses": {"200": ANSWER}}},
    },
}
FIXTURE = {
    "start": ["python", "-S", "service.py", "{port}"],
    "ready_path": "/v1/orders/none",
    "environment": {"MODE": "test"},
    "describes": "the service of the bundle on Python's own HTTP server",
}
CHANGES = {
    "mutating": ["createOrder"],
    "cleanup": ["rm", "orders.txt"],
    "cleanup_describes": "removes the file of orders",
}
REVIEWED = ("isolated target", "test data", "rollback or cleanup", "acceptable side effects")


AUTHORIZATION = {
    "kind": "authorization",
    "approving_role": "Security owner",
    "decision": "approved",
    "at": "2026-11-01T09:00:00Z",
    "form": "written",
    "channel": "the signed request queue",
    "revision": REVISION,
    "owns": "the order service",
    "environment": "source and a local fixture",
    "paths": ["*", "checks/*"],
    "techniques": ["static inspection", "active local validation"],
    "prohibited_targets": ["every deployed environment"],
    "prohibited_actions": ["use of real credentials"],
    "period": {"since": "2026-11-01", "until": "2999-12-31"},
    "exclusions": [],
    "active_testing": {"permitted": True, "environment": "a work folder without network"},
    "recipients": ["Security owner"],
    "stop_conditions": ["any attempt to reach a network"],
    "cleanup": "the work folder is removed",
    "rollback": "nothing outside it changes",
}
ACTIONS = [
    {
        "id": "read",
        "technique": "static inspection",
        "items": ["E1", "E2", "E3", "E4", "E5"],
        "paths": ["service.py", "checks/run.py"],
    },
    {
        "id": "run",
        "technique": "active local validation",
        "items": ["E4"],
        "targets": ["loopback"],
        "purpose": "the checks in a work folder",
    },
]


def approval(gate: str = "execute-locally", **more: Any) -> dict[str, Any]:
    """An answer to a gate, approved by the sandbox owner who saw the plan as `write_bundle` writes it."""
    return {
        "kind": "approval",
        "gate": gate,
        "role": "Sandbox owner",
        "stands_for": "sandbox-owner",
        "decision": "approved",
        "at": "2026-11-20T10:00:00+00:00",
        "reviewed": [PLAN, *REVIEWED],
        "of": ASKED,
        **more,
    }


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _files(hook: str, more: Mapping[str, Any]) -> list[dict[str, str]]:
    tests = more.get("tests", "print('nothing')\n")
    return [
        {"item": "E2", "path": "service.py", "sha256": _sha(more.get("service", SERVICE).replace("HOOK", hook))},
        {"item": "E5", "path": "checks/run.py", "sha256": _sha(tests)},
    ]


def write_bundle(
    folder: Path,
    plan: Mapping[str, Any] | None = None,
    decisions: Sequence[Mapping[str, Any]] = (),
    *,
    hook: str = "pass",
    **more: Any,
) -> Path:
    """The bundle's folder.

    Args:
        folder: where it is written.
        plan: what its plan says beside the usual; None is a plan that sends every read-only example.
        decisions: of `decisions.yaml`.
        hook: Python that the service runs on every GET.
        more: `workflow`, `service_revision`, `extra_plans`, `service` and `tests` (texts of the files); for `w3` what
            its `authorization` says beside the usual, and its `actions`.
    """
    folder.mkdir()
    stated = {
        "kind": "execution-plan",
        "id": PLAN,
        "revision": REVISION,
        "files": _files(hook, more),
        "fixture": FIXTURE,
        "examples": ["*"],
        "seconds": 30,
        **(plan or {}),
    }
    known = {each["item"]: each["sha256"] for each in _files(hook, more)}
    stated["files"] = [{"sha256": known.get(each["item"]), **each} for each in stated["files"]]
    scope = {
        "kind": "publication-scope",
        "contract": "E1",
        "revision": REVISION,
        "api_version": "1",
        "base_url": "https://api.example.com",
        "audience": "integrators",
        "operations": ["getOrder", "createOrder"],
        "exclusions": [{"operation": "internal", "why": "not public"}],
    }
    service = more.get("service", SERVICE).replace("HOOK", hook)
    bodies = [
        ("contract artifact", json.dumps(CONTRACT), ""),
        (
            "source excerpt",
            service,
            f", at commit {more.get('service_revision', REVISION)}",
        ),
        (PLANS, json.dumps(scope), ""),
        (PLANS, json.dumps({k: v for k, v in stated.items() if v is not None}), ""),
        ("test inventory", more.get("tests", "print('nothing')\n"), ""),
        *((PLANS, json.dumps({**stated, **each}), "") for each in more.get("extra_plans", ())),
    ]
    head = {"evreview": 1, "workflow": more.get("workflow", "w2"), "title": "Orders", "as_of": "2026-11-21"}
    head["roles"] = {"sandbox_owner": "Sandbox owner", "security_owner": "Security owner", "reviewer": "Reviewer"}
    if head["workflow"] == "w3":
        bodies.append(("authorization record", json.dumps({**AUTHORIZATION, **more.get("authorization", {})}), ""))
        head |= {"implementation_revision": REVISION, "actions": more.get("actions", ACTIONS)}
    evidence = [
        {
            "id": f"E{number}",
            "type": kind,
            "integrity": f"sha256:{hashlib.sha256(body.encode()).hexdigest()}{at}",
            "establishes": "What it says.",
            "file": f"e{number}.txt",
        }
        for number, (kind, body, at) in enumerate(bodies, 1)
    ]
    for number, (_, body, _) in enumerate(bodies, 1):
        (folder / f"e{number}.txt").write_text(body)
    lines = [f"{key}: {json.dumps(value)}" for key, value in head.items()] + ["evidence:"]
    for entry in evidence:
        lines += [
            f"{'  - ' if not at else '    '}{key}: {json.dumps(value)}" for at, (key, value) in enumerate(entry.items())
        ]
    (folder / "review.yaml").write_text("\n".join(lines) + "\n")
    seen = f"sha256:{_sha(bodies[3][1])}"
    told = [{**entry, "of": seen} if entry.get("of") == ASKED else dict(entry) for entry in decisions]
    (folder / "decisions.yaml").write_text(json.dumps({"decisions": told}))
    return folder
