"""Writes the digests of example bundles anew: `python -m tests.sealing [FOLDER ...]`, every example without names.

An item's integrity gets the digest of its file, an answer's `of` what its gate is about now. For authors of examples
and for tests: whoever changes evidence after real answers asks the people again.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from evreview.app.api import open_bundle
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import WorkflowId
from evreview.evidence.item import Bundle
from evreview.workflows.w1.facts import removal_digest, ship_digest
from evreview.workflows.w2.facts import GATES
from evreview.workflows.w2.facts import about as about_w2

EXAMPLES = Path(__file__).parents[1] / "examples"
ASKED = "sha256:asked"
"""What a test writes for `of` where an honest answer names what it saw."""
_ITEM = re.compile(
    r"    file: (?P<file>\S+)\n(?P<between>(?:    (?!integrity|parts).*\n)*)    integrity: sha256:(?P<old>[0-9a-f]{64})"
)
_GATE = re.compile(r"(?P<head>    gate: (?P<gate>[a-z-]+)\n(?:    .*\n)*?)    of: (?P<old>\S+)\n")


def seal(folder: Path) -> None:
    """Rewrites `review.yaml`, every file that names a changed digest, and `decisions.yaml`, until all of them agree."""
    while _integrity(folder):
        pass
    path = folder / "decisions.yaml"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if "\n    of: " in text and "gate: " in text:
        known = about(open_bundle(folder))
        path.write_text(_GATE.sub(lambda m: f"{m['head']}    of: {known.get(m['gate'], m['old'])}\n", text), "utf-8")


def about(bundle: Bundle) -> Mapping[str, str]:
    """What an answer to each gate is about, by the gate's name."""
    if bundle.workflow is WorkflowId.W1:
        return {"ship-breaking-change": ship_digest(bundle), "remove-deprecated": removal_digest(bundle)}
    return {spec.id: about_w2(spec, bundle) for spec in GATES} if bundle.workflow is WorkflowId.W2 else {}


def answer(folder: Path, source: Path) -> None:
    """Gives every answer of an edited copy the digest of what its gate is about now.

    Left alone are answers that name something else than the source's own do, and bundles that can't be read.

    Args:
        folder: the copy.
        source: the example that it was made from.
    """
    path = folder / "decisions.yaml"
    if not path.exists():
        return
    own = {entry.get("of") for entry in _entries(source / "decisions.yaml")} | {None, ASKED}
    try:
        entries, known = _entries(path), about(open_bundle(folder))
    except BadInput:
        return
    named = [dict(entry) for entry in entries]
    for entry in named:
        if entry.get("gate") in known and entry.get("of") in own:
            entry["of"] = known[entry["gate"]]
    if named != entries:
        path.write_text(json.dumps({"decisions": named}, indent=1, ensure_ascii=False), "utf-8")


def _entries(path: Path) -> list[Mapping[str, str]]:
    document = json.loads(json.dumps(parse_text(path.read_bytes(), path.name))) if path.exists() else {}
    return document.get("decisions") or []


def _integrity(folder: Path) -> bool:
    review = (folder / "review.yaml").read_text(encoding="utf-8")
    for found in _ITEM.finditer(review):
        new = hashlib.sha256((folder / found["file"]).read_bytes()).hexdigest()
        if new != found["old"]:
            for path in sorted(each for each in folder.rglob("*") if each.suffix in (".yaml", ".md", ".json")):
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace(found["old"], new), "utf-8")
            return True
    return False


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(str(path) for path in EXAMPLES.iterdir() if path.is_dir()):
        seal(Path(name))
