"""Whole W2 bundles around a small service: contract, sources, scope, approval and a run of contract tests."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import Review, review

REVISION: Final = "7c1e94b0a2d85f3361b7e09d4a5c28f0913d6eab"
ERROR: Final = {"type": "object", "properties": {"detail": {"type": "string"}}, "required": ["detail"]}
RECORD: Final = "execution and approval record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A service and what is retained about it.

    Attributes:
        paths: of the contract, with `scheme` as its one security scheme.
        sources: text by path; the first is the handlers', the others are validators.
        seen: the passed tests, as operation, status and media type.
        run: members of the run's wrapper that differ.
        har: an archive of exchanges in place of the JUnit output.
    """

    paths: dict[str, Any]
    sources: dict[str, str]
    scheme: dict[str, str] = field(default_factory=lambda: {"type": "http", "scheme": "bearer"})
    seen: tuple[tuple[str, int, str], ...] = ()
    run: dict[str, Any] = field(default_factory=dict)
    decisions: tuple[dict[str, Any], ...] = ()


def answer(schema: Any, media: str = "application/json") -> dict[str, Any]:
    """A response of the contract."""
    return {"description": "An answer.", "content": {media: {"schema": schema}}}


def reviewed(case: Whole, root: Path) -> Review:
    """The finished review of the bundle, written below `root`."""
    return review(open_bundle(written(case, root)))


def written(case: Whole, root: Path) -> Path:
    """The folder of the bundle."""
    contract = _contract(case)
    operations = [f"{method.upper()} {path}" for path, methods in case.paths.items() for method in methods]
    made = _Items(root)
    made.item("contract artifact", "contract.json", contract, "The approved contract.")
    parts = ["handler", *["validator"] * (len(case.sources) - 1)]
    listed = [
        {"item": made.item("source excerpt", f"src/{path}", text, "The code."), "path": path, "part": part}
        for (path, text), part in zip(case.sources.items(), parts, strict=True)
    ]
    made.item("source excerpt", "sources.json", {"kind": "source-map", "sources": listed}, "Which files were read.")
    scope = {"kind": "publication-scope", "contract": "E1", "revision": REVISION, "api_version": "1.0.0",
             "base_url": "https://api.example.com", "audience": "Integrators", "operations": operations,
             "exclusions": []}  # fmt: skip
    made.item(RECORD, "scope.json", scope, "What is published.")
    approval = {"kind": "contract-approval", "contract": "E1", "sha256": _sha(contract), "revision": REVISION,
                "operations": operations, "role": "API owner", "decision": "approved",
                "at": "2026-11-16T09:00:00+00:00"}  # fmt: skip
    made.item(RECORD, "approval.json", approval, "That the owner approved the contract.")
    _tests(made, case, contract)
    return made.close(case.decisions)


def _contract(case: Whole) -> str:
    document = {"openapi": "3.0.3", "info": {"title": "Parcels", "version": "1.0.0"}, "paths": case.paths,
                "servers": [{"url": "https://api.example.com"}], "security": [{"caller": []}],
                "components": {"securitySchemes": {"caller": case.scheme}}}  # fmt: skip
    return json.dumps(document, indent=1)


def _tests(made: _Items, case: Whole, contract: str) -> None:
    names = [f"test_{number}" for number, _ in enumerate(case.seen)]
    source = "".join(
        f"def {name}(client):\n    answer = client.{operation.split()[0].lower()}('{operation.split()[1]}')\n"
        f"    assert answer.status_code == {status}\n\n\n"
        for name, (operation, status, _) in zip(names, case.seen, strict=True)
    )
    made.item("test inventory", "tests/test_service.py", source, "What the contract tests assert.")
    ran = "".join(f'<testcase classname="tests.test_service" name="{name}" time="0.01"/>\n' for name in names)
    output = f'<testsuites><testsuite name="pytest" tests="{len(names)}">\n{ran}</testsuite></testsuites>\n'
    held = made.item("test record", "results/junit.xml", output, "How every contract test ended.")
    asserts = [
        {"test": f"tests.test_service::{name}", "operation": operation, "status": status, "media_type": media}
        for name, (operation, status, media) in zip(names, case.seen, strict=True)
    ]
    run = {"kind": "test-run", "output": held, "format": "junit", "command": "python -m pytest tests",
           "revision": REVISION, "contract": "sha256:" + _sha(contract), "environment": "Python 3.11, no network",
           "isolated": True, "exit_status": 0, "output_sha256": _sha(output), "asserts": asserts}  # fmt: skip
    made.item("test record", "run.json", {k: v for k, v in (run | case.run).items() if v is not None}, "What ran.")


class _Items:
    def __init__(self, root: Path) -> None:
        self._root, self._items = root, list[dict[str, Any]]()

    def item(self, kind: str, name: str, content: Any, says: str) -> str:
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        self._write(name, text)
        tie = f"sha256:{_sha(text)}, at commit {REVISION}"
        made = {"id": f"E{len(self._items) + 1}", "type": kind, "file": name, "establishes": says, "integrity": tie}
        self._items.append(made)
        return str(made["id"])

    def close(self, decisions: tuple[dict[str, Any], ...]) -> Path:
        request = {"evreview": 1, "as_of": "2026-11-23", "workflow": "w2", "title": "Parcels", "protocol": "HTTP/1.1",
                   "surface": "the public API", "implementation_revision": REVISION,
                   "roles": {"api_owner": "API owner", "reviewer": "Reviewer"}, "evidence": self._items}  # fmt: skip
        self._write("decisions.yaml", json.dumps({"decisions": decisions}))
        self._write("review.yaml", json.dumps(request))
        return self._root

    def _write(self, name: str, text: str) -> None:
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
