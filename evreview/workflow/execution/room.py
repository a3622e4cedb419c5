"""A plan as a sandbox: the files, the helper inside and what it is told."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evreview.core.vocabulary import Json
from evreview.evidence.records.review import ExecutionPlan
from evreview.sandbox.model import AIDS, WORK, Limits, Sandbox

PORT: Final = 8080
"""On a loopback that nobody else has."""
_READY_SECONDS: Final = 20
_BODY_BYTES: Final = 262_144
_TEXT_BYTES: Final = 65_536
_RESULT_BYTES: Final = 8 * 1024 * 1024
_TABLE: Final = "/tmp/evreview-routes.json"
"""In the scratch folder of the sandbox."""
_REPORT: Final = re.compile(r"--junit-?xml(?:=(?P<file>.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A request that is sent: its operation, its target with query, header pairs and octets."""

    operation: str
    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The interpreter, the folders that are shown for it, and the texts of the helpers; `asks` asks for routes."""

    python: str
    shown: tuple[str, ...]
    helper: bytes
    asks: bytes = b""


def sandbox_of(
    plan: ExecutionPlan, files: Mapping[str, bytes], messages: Sequence[Outgoing], runtime: Runtime
) -> Sandbox:
    """The sandbox in which a plan runs.

    Args:
        plan: what is to run.
        files: what the work folder holds.
        messages: what is sent to the fixture.
        runtime: the Python that is shown.
    """
    return Sandbox(
        argv=(runtime.python, "-I", "-B", f"{AIDS}/inside.py", "{report}"),
        files=files,
        aids={
            "inside.py": runtime.helper,
            "plan.json": json.dumps(told(plan, messages) | asked_routes(plan, runtime)).encode(),
            **({"routes.py": runtime.asks} if plan.routes else {}),
        },
        runtime=runtime.shown,
        limits=replace(Limits(), seconds=float(plan.seconds)),
        report=True,
    )


def told(plan: ExecutionPlan, messages: Sequence[Outgoing]) -> dict[str, Json]:
    """What the helper inside is told, as JSON."""
    fixture = plan.fixture
    environment: dict[str, Json] = dict(_ported(fixture.environment)) if fixture else {}
    tests = [_port(word) for word in plan.tests]
    return {
        "port": PORT,
        "fixture": {
            "start": [_port(word) for word in fixture.start],
            "environment": environment,
            "ready_path": fixture.ready_path,
            "seconds": min(_READY_SECONDS, plan.seconds),
        }
        if fixture
        else None,
        "messages": [_message(message) for message in messages],
        "tests": tests,
        "result": result_path(tests),
        "cleanup": [_port(word) for word in plan.cleanup],
        "environment": environment,
        "body_limit": _BODY_BYTES,
        "text_limit": _TEXT_BYTES,
        "result_limit": _RESULT_BYTES,
    }


def asked_routes(plan: ExecutionPlan, runtime: Runtime) -> dict[str, Json]:
    """What the helper inside is told about the routes that an application is asked for."""
    asked = plan.routes
    if asked is None:
        return {}
    words = [runtime.python, f"{AIDS}/routes.py", asked.framework, asked.application, _TABLE]
    environment: dict[str, Json] = {"PYTHONDONTWRITEBYTECODE": "1", **_ported(asked.environment)}
    return {"routes": list[Json](words), "routes_environment": environment, "routes_result": _TABLE}


def result_path(tests: Sequence[str]) -> str:
    """Where a test command says that it writes its JUnit report, "" when it does not say."""
    for index, word in enumerate(tests):
        found = _REPORT.fullmatch(word)
        name = (found["file"] or "".join(tests[index + 1 : index + 2])) if found else ""
        if name:
            return name if name.startswith("/") else f"{WORK}/{name}"
    return ""


def _message(message: Outgoing) -> dict[str, Json]:
    return {
        "method": message.method,
        "path": message.target,
        "headers": [list(pair) for pair in message.headers],
        "body": base64.b64encode(message.body).decode() if message.body is not None else None,
    }


def _port(word: str) -> str:
    return word.replace("{port}", str(PORT))


def _ported(values: Mapping[str, str]) -> dict[str, str]:
    return {name: _port(value) for name, value in values.items()}
