"""`evreview new w3 --repo`: code and tests of one commit, with routes, guards and their tests drafted as they are read.

The authorization is its owner's and stays marked as a whole. A draft says what the code shows; whether a control
suffices, who attacks and what is worth protecting are a person's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.authoring.drafted_bundle import HELD, MARK, Draft, Held, Origin, bound, code_and_tests
from evreview.app.commands.authoring.new_reference import add_files, source_rows, texts_of, told_of_code
from evreview.app.commands.shell import labelled, shown, tell, typed
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, ExitStatus, Json, Technique, WorkflowId

if TYPE_CHECKING:
    from evreview.workflows.w3.drafted_records import DraftedRecords

_CONFIGURATION: Final = re.compile(
    r"\.(?:conf|ya?ml|json|toml|ini|cfg)$|(?:^|/)(?:Caddyfile|Dockerfile)[^/]*$", re.IGNORECASE
)
"""Files that configure what stands before or around a service; they are taken where they are named themselves."""


def new_security_review(folder: Path, origin: Origin) -> int:
    """Write a W3 bundle of one commit; everything that only a person knows stays marked.

    Raises:
        BadInput: with everything that the commit lacks; nothing was written then.
    """
    from evreview.evidence.files import write_new
    from evreview.evidence.repository import Commits
    from evreview.evidence.scaffold import DECISIONS_TEXT, REVIEW_SAMPLES, review_text

    commits = Commits.of(origin.repository)
    commit = commits.commit(origin.candidate)
    held, tests = code_and_tests(commits, origin)
    draft = Draft()
    actions, drafted = _add_evidence(draft, commit, held, tests)
    request: dict[str, Json] = {
        "title": f"{', '.join(origin.code)} at {origin.candidate}",
        "as_of": datetime.now(UTC).date().isoformat(),
        "asks": ["assess"],
        "surface": f"every route of {', '.join(origin.code)}",
        "implementation_revision": commit,
        "roles": REVIEW_SAMPLES[WorkflowId.W3]["roles"],
        "actions": list(actions),
        "recipients": [MARK],
    }
    texts = {"review.yaml": review_text(WorkflowId.W3, request, draft.evidence), "decisions.yaml": DECISIONS_TEXT}
    write_new(folder, {**texts, **draft.files})
    routes, controls, entrances = len(drafted.facts.routes), len(drafted.guards), len(drafted.entrances())
    unclear = labelled("unclear", f"what {', '.join(drafted.unclear)} check: list a control where it is one")
    lines = [
        f"revision   {origin.candidate} ({commit[:12]})",
        *told_of_code(held, tests, drafted.facts),
        f"drafted    {counted(routes, 'entry point')} and {counted(controls, 'control')}, each to be reviewed",
        *(
            [f"           {counted(entrances, 'way')} in without a known check: say who may use it"]
            if entrances
            else ()
        ),
        *(unclear if drafted.unclear else ()),
        *labelled(
            "wrote",
            f"{shown(folder)}: {counted(len(draft.evidence), 'item')}, sealed; what is yours is marked {MARK}, and "
            "records/authorization.yaml is the security owner's as a whole",
        ),
        f"next       {typed('check', folder)}",
    ]
    tell(lines)
    return ExitStatus.DONE


def _add_evidence(draft: Draft, commit: str, held: Held, tests: Held) -> tuple[list[dict[str, Json]], DraftedRecords]:
    """The planned actions over the new items, and what was read for the records among these."""
    from evreview.codefacts.read import read_sources
    from evreview.evidence.scaffold import SAMPLES, body_text
    from evreview.workflows.w3.drafted_records import DraftedRecords

    code = {name: data for name, data in held.files.items() if not _CONFIGURATION.search(name)}
    authorization = body_text("authorization", SAMPLES[WorkflowId.W3]["authorization.yaml"])
    said = "What may be reviewed, how and when, once the security owner has filled it in."
    draft.add(EvidenceType.AUTHORIZATION_RECORD, "records/authorization.yaml", authorization, said)
    items = add_files(draft, commit, code, "code")
    wiring = _add_wiring(draft, commit, {name: data for name, data in held.files.items() if name not in code})
    tested = add_files(draft, commit, tests.files, "test")
    texts = texts_of(items, code)
    drafted = DraftedRecords.of(read_sources(texts), texts, texts_of(tested, tests.files))
    sources = [*source_rows(items, texts, drafted.facts), *_rows(wiring, "deployment"), *_rows(tested, "test")]
    said = "Which files were inspected, and the part that each plays as the code was read."
    body = body_text("source-map", {"kind": "source-map", "sources": sources})
    listed = draft.add(EvidenceType.SOURCE_EXCERPT, "records/sources.yaml", body, said)
    said = "The trust model: routes and guards as they were read, the rest as described. Not that it is deployed."
    body = body_text("trust-model", drafted.trust_model(commit))
    model = draft.add(EvidenceType.DATA_FLOW, "records/trust-model.yaml", body, said)
    said = "The controls under review and their tests, as they were read. Not that they suffice."
    body = body_text("security-inventory", drafted.inventory(commit))
    inventory = draft.add(EvidenceType.TEST_INVENTORY, "records/inventory.yaml", body, said)
    inspection = Technique.STATIC_INSPECTION
    actions = [
        _action("read the code", inspection, [*items.values(), *tested.values(), listed], [*code, *tests.files]),
        _action("read the trust model and the inventory", inspection, [model, inventory]),
        *(
            [_action("read the deployment", Technique.CONFIGURATION_INSPECTION, [*wiring.values()], [*wiring])]
            if wiring
            else ()
        ),
    ]
    return actions, drafted


def _add_wiring(draft: Draft, commit: str, files: Mapping[str, bytes]) -> dict[str, str]:
    """The ids of the configuration that was named itself, by path."""
    said = "What this configuration states. Not that it is deployed."
    return {
        path: draft.add(EvidenceType.CONFIGURATION_EXCERPT, f"{HELD}{path}", data, said, bound(commit, path))
        for path, data in files.items()
    }


def _rows(items: Mapping[str, str], part: str) -> Iterator[Json]:
    for path, item in items.items():
        yield {"item": item, "path": path, "part": part}


def _action(name: str, technique: Technique, items: Sequence[str], paths: Sequence[str] = ()) -> dict[str, Json]:
    """One thing that the review does, to be compared with the authorization: it reads, and nothing else."""
    return {"id": name, "technique": technique.value, "items": list(items), "paths": list(paths)}
