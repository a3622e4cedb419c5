"""Whole reviews of real contract pairs: they run to their ninth step, and the artifact keeps its contract."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evreview.evidence.bundle_reader import open_bundle
from evreview.report.validate import validate_artifact
from evreview.workflows.session import Review, review
from evreview.workflows.w1.matrix import FOLDED
from tests.report.problem_codes import codes

BEFORE, AFTER = "a" * 40, "b" * 40
PAIRS = {
    "openapi3.0/box-2025-11_2026-06": 75,
    "openapi3.0/asana-2026-02_2026-06": 81,
    "openapi3.1/discord-2026-02-invites": 240,
}
"""Pairs of many operations, and how many differences they have; the last has more compatible ones than are printed."""


OPEN = {
    "asyncapi/adeo-kafka-3.0_3.1": 2,
    "openapi3.0/pagerduty-2025-12_2026-08": 2,
    "openapi2/etcd-3.5_3.6": 8,
    "jsonschema/compose-2023_2025": 9,
}
"""Pairs of several kinds, and the step that a review comes to: a part that is not understood, no signal, none."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def bundle_of(folder: Path, pair: Path, addresses: Sequence[str]) -> Path:
    """A bundle over the pair: each difference has its line of the implementation, five clients declare nothing."""
    folder.mkdir()
    files = {side: next(pair.glob(f"{side}.*")) for side in ("released", "candidate")}
    lines = [f"{address} ({number})" for number, address in enumerate(addresses)] or ["nothing"]
    head = f"--- a/service.txt\n+++ b/service.txt\n@@ -0,0 +1,{len(lines)} @@\n"
    texts: Mapping[str, Any] = {
        "service.diff": "diff --git a/service.txt b/service.txt\n" + head + "".join(f"+{line}\n" for line in lines),
        "mapping.json": {"kind": "implementation-mapping", "diff": "E3", "mappings": [
            {"path": "service.txt", "lines": f"{at}-{at}", "quote": line, "element": address}
            for at, (line, address) in enumerate(zip(lines, addresses, strict=False), start=1)]},
        "policy.json": {"kind": "policy", "policy_version": "1", "surface": "all", "severities": ["Medium"], "rules": [
            {"id": "breaks", "text": "A break is Medium.", "when": {"verdicts": ["breaking"]}, "severity": "Medium"}]},
        "clients.json": {"kind": "client-inventory", "complete": False, "clients": [
            {"id": f"app-{at}", "name": f"App {at}", "versions": ["1.0"], "owner_role": f"Owner {at}"}
            for at in range(5)]},
        "rollout.json": {"kind": "rollout-record"},
    }  # fmt: skip
    for side, file in files.items():
        (folder / f"{side}{file.suffix}").write_bytes(file.read_bytes())
    for name, text in texts.items():
        (folder / name).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    kinds = {f"{side}{file.suffix}": "contract artifact" for side, file in files.items()} | {
        "service.diff": "implementation diff", "mapping.json": "implementation diff", "policy.json": "policy",
        "clients.json": "client inventory", "rollout.json": "rollout record"}  # fmt: skip
    spans = {"released": f", at commit {BEFORE}", "service": f", from commit {BEFORE} to commit {AFTER}"}
    evidence = [
        {"id": f"E{at}", "type": kind, "file": name, "establishes": "What it says.",
         "integrity": f"sha256:{digest(folder / name)}{spans.get(Path(name).stem, f', at commit {AFTER}')}"}
        for at, (name, kind) in enumerate(kinds.items(), start=1)
    ]  # fmt: skip
    request = {"evreview": 1, "workflow": "w1", "title": pair.name, "as_of": "2026-11-23", "asks": ["assess"],
               "contracts": {"released": "E1", "candidate": "E2"}, "protocol": "HTTP/1.1", "surface": "all",
               "implementation_revision": AFTER, "surface_complete": True, "evidence": evidence,
               "roles": {"api_owner": "Owner", "release_manager": "Manager", "reviewer": "Reviewer"}}  # fmt: skip
    (folder / "review.yaml").write_text(json.dumps(request), encoding="utf-8")
    return folder


def reviewed(pair: Path, folder: Path) -> Review:
    """The review that knows where each difference is implemented."""
    first = review(open_bundle(bundle_of(folder / "first", pair, ())))
    assert first.ledger is not None
    places = [str(row.delta.address) for row in first.ledger.rows]
    return review(open_bundle(bundle_of(folder / "second", pair, places)))


@pytest.mark.parametrize("pair", PAIRS)
def test_a_review_of_a_real_pair_ends_and_keeps_its_contract(corpus: Path, tmp_path: Path, pair: str) -> None:
    done = reviewed(corpus / pair, tmp_path)
    assert done.ledger is not None
    assert (done.steps[-1].number, len(done.ledger.rows)) == (9, PAIRS[pair])
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
    assert ("### Compatible differences by operation" in done.artifact) == (PAIRS[pair] > FOLDED)
    broken = [row for row in done.ledger.rows if row.judgement.verdict == "breaking"]
    assert f"{len(done.ledger.rows)} wire-level differences: {len(broken)} breaking" in done.artifact
    assert all(re.search(rf"^#### {row.delta.id.lower()}$", done.artifact, re.MULTILINE) for row in broken)


SUMMED = [
    (r"(?m)^(\| \d+ more \| )\d+", r"\g<1>99"),
    (r"(?m)^(\| \d+ more \| .*\| )\d+( \| [^|]*\| [^|]*\| [^|]*\|)$", r"\g<1>99\2"),
    (r"(?m)^\| \d+ more ", "| 1 more "),
    (r"(?m)^\| \d+ more .*\n", ""),
    (r"(?m)^(\| \d+ more .*\| )\d unknown", r"\g<1>no conflict declared"),
    (r"(?m)^(\| `[^`]+` \| .*\| )5 unknown", r"\g<1>4 unknown"),
    (r"(?m)^(\| \d+ more .*\| )unknown( \| [^|]*\|)$", r"\g<1>closed by usage\2"),
]
"""Lies about the row that sums up the operations left out, and about the column that many clients share."""


def test_a_lie_about_the_operations_left_out_is_seen(corpus: Path, tmp_path: Path) -> None:
    told = reviewed(corpus / "openapi3.0/asana-2026-02_2026-06", tmp_path).artifact
    for find, put in SUMMED:
        text, changed = re.subn(find, put, told, count=1)
        assert changed, find
        assert codes(validate_artifact(text)) & {"count-differs", "said-differently"}, find


@pytest.mark.parametrize("pair", OPEN)
def test_a_review_that_ends_earlier_keeps_its_contract_too(corpus: Path, tmp_path: Path, pair: str) -> None:
    done = reviewed(corpus / pair, tmp_path)
    assert done.steps[-1].number == OPEN[pair]
    assert validate_artifact(done.artifact, bundle=done.bundle) == ()
