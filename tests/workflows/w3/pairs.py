"""A flawed program and its mended twin, each as a whole bundle: `pairs/*.case` holds them and what is expected.

A case begins with rule, entry point, function and state; then its files follow, and those that the twin has otherwise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evreview.evidence.bundle_reader import open_bundle
from evreview.workflows.session import begin

_AT: Final = "7c" * 20
_OWNER: Final = "Desk security owner"
_DAY: Final = "2026-11-20"
_AREAS: Final = ("authentication", "authorization", "input handling", "secrets", "logging", "error disclosure")
_PLACES: Final[dict[str, tuple[str, str]]] = {
    "authorization": ("E1", "authorization record"),
    "trust": ("E2", "data-flow description"),
    "sources": ("E3", "source excerpt"),
    "inventory": ("E4", "test inventory"),
    "rubric": ("E5", "policy"),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """One weakness: the rule that names it, where one enters, the function, the state, and both sets of files."""

    rule: str
    entry: str
    at: str
    state: str
    flawed: Mapping[str, str]
    mended: Mapping[str, str]


def pairs() -> dict[str, Pair]:
    """Every pair by its name."""
    return {path.stem: _read(path.read_text(encoding="utf-8")) for path in sorted(_FOLDER.glob("*.case"))}


_FOLDER: Final = Path(__file__).parent / "pairs"


def _read(text: str) -> Pair:
    head, *parts = text.split("\n== ")
    stated = dict(line.split(": ", 1) for line in head.splitlines())
    files = {name: f"{body.rstrip()}\n" for name, _, body in (part.partition("\n") for part in parts)}
    flawed = {name: body for name, body in files.items() if not name.startswith("fixed ")}
    other = {name.removeprefix("fixed "): body for name, body in files.items() if name.startswith("fixed ")}
    assert other.keys() <= flawed.keys()
    return Pair(stated["rule"], stated["entry"], stated["at"], stated["state"], flawed, {**flawed, **other})


def reviewed(folder: Path, files: Mapping[str, str], *entries: str) -> Any:
    """The facts of a review of these files."""
    done = begin(open_bundle(written(folder, files, *entries))).finish()
    assert done.steps[-1].number >= 7, [str(why) for why in done.steps[-1].reasons]
    return done.facts


def written(folder: Path, files: Mapping[str, str], *entries: str) -> Path:
    """The files as a bundle in which nothing is missing that would keep a finding from being supported."""
    ids = {f"service/{path}": f"E{number}" for number, path in enumerate(files, 6)}
    evidence = []
    for path, body in files.items():
        evidence.append(_item(folder, ids[f"service/{path}"], "source excerpt", f"service/{path}", body))
    for name, record in _records(ids, entries).items():
        item, kind = _PLACES[name]
        evidence.append(_item(folder, item, kind, f"records/{name}.json", json.dumps(record)))
    actions = [
        {"id": "records", "technique": "static inspection", "items": ["E2", "E4"], "purpose": "what is at stake"},
        {
            "id": "code",
            "technique": "static inspection",
            "items": ["E3", *ids.values()],
            "paths": [*ids],
            "purpose": "how",
        },
    ]
    review = {
        "evreview": 1, "workflow": "w3", "title": "Desk", "as_of": _DAY, "surface": "all of it", "actions": actions,
        "implementation_revision": _AT, "recipients": [_OWNER], "evidence": evidence,
        "roles": {"security_owner": _OWNER, "release_manager": "Release", "reviewer": "Reviewer"},
    }  # fmt: skip
    (folder / "review.yaml").write_text(json.dumps(review), encoding="utf-8")
    handled = [_handling(item, _digest(files[path.removeprefix("service/")])) for path, item in ids.items()]
    (folder / "decisions.yaml").write_text(json.dumps({"decisions": handled}), encoding="utf-8")
    return folder


def _digest(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _handling(item: str, digest: str) -> dict[str, str]:
    return {"kind": "handling", "subject": item, "of": digest, "role": _OWNER, "at": f"{_DAY}T10:00:00Z",
            "instructions": "Keep place and kind only."}  # fmt: skip


def _item(folder: Path, item: str, kind: str, path: str, text: str) -> dict[str, str]:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    at = f", at commit {_AT}" if path.startswith("service/") else ""
    return {"id": item, "type": kind, "file": path, "integrity": _digest(text) + at, "establishes": "What it says."}


def _records(ids: Mapping[str, str], entries: tuple[str, ...]) -> dict[str, Any]:
    ways = [
        {"id": f"way-{number}", "route": entry, "actors": ["user"], "boundaries": ["edge"], "assets": ["cases"]}
        for number, entry in enumerate(entries)
    ]
    around = [{"path": path, "item": item, "says": "nothing further"} for path, item in ids.items()]
    controls = [
        {"id": f"C{number}", "area": area, "name": area, "routes": [*entries], "assets": ["cases"],
         "boundaries": ["edge"], "source": [], "middleware": [], "deployment": [], "positive_tests": [],
         "negative_tests": [], "surrounding": around}
        for number, area in enumerate(_AREAS)
    ]  # fmt: skip
    return {
        "authorization": {
            "kind": "authorization", "approving_role": _OWNER, "decision": "approved", "at": "2026-11-16T09:00:00Z",
            "channel": "queue", "revision": _AT, "owns": "the desk", "environment": "source only",
            "paths": ["service/**"], "techniques": ["static inspection"], "prohibited_targets": ["every host"],
            "prohibited_actions": ["any execution"], "period": {"since": "2026-11-16", "until": "2026-12-18"},
            "exclusions": ["libraries"], "active_testing": {"permitted": False}, "recipients": [_OWNER],
            "stop_conditions": ["any execution"], "cleanup": "nothing is left", "rollback": "nothing is changed",
        },
        "trust": {
            "kind": "trust-model", "revision": _AT, "entry_points": ways, "identity_transitions": [],
            "actors": [{"id": "user", "name": "who calls", "position": "any network"}],
            "assets": [{"id": "cases", "name": "cases", "classification": "confidential"}],
            "boundaries": [{"id": "edge", "name": "edge", "outside": "any network", "inside": "the desk",
                            "backed_by": "assumption", "assumption": "nothing stands before it"}],
            "attacker_positions": ["user"], "excluded_capabilities": ["access to the machine"],
        },
        "sources": {"kind": "source-map",
                    "sources": [{"item": item, "path": path, "part": "handler"} for path, item in ids.items()]},
        "inventory": {"kind": "security-inventory", "revision": _AT, "controls": controls, "not_in_scope": []},
        "rubric": {
            "kind": "severity-rubric", "policy_version": "1", "severities": ["High", "Medium", "Low"],
            "rules": [{"id": "R", "text": "Whatever is found is High.", "severity": "High", "blocks_deployment": True,
                       "when": {"areas": [*_AREAS]}}],
        },
    }  # fmt: skip
