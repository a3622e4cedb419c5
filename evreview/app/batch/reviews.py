"""[I/O] Whole reviews in a batch: the bundles of a folder, and what comes of one, through its workflow's notebook."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from evreview import __version__
from evreview.app.batch.storage import StorageFailed, is_url, storage_at
from evreview.app.batch.task import MOST_NAME, BatchSettings, ReviewTask, TaskOutcome, TaskStatus, digest, review_name
from evreview.app.batch.work import keep, keep_task, kept_part, outcome_of, refused_part, unwritten
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.temporary_folder import TemporaryFolder
from evreview.core.vocabulary import Json, Verdict
from evreview.evidence.bundle_folder import REVIEW
from evreview.evidence.bundle_reader import open_bundle
from evreview.evidence.item import Bundle
from evreview.redaction.redactor import Redactor

Rows = Sequence[Mapping[str, Any]]
WITHHELD: Final = "its files are not written to a store: no disclosure outside the authorized team is approved"
MATRIX: Final = "registers/compatibility-matrix.json"


def read_bundles(folder: Path) -> tuple[ReviewTask, ...]:
    """Each bundle at or below a folder, named by its path from there; below a bundle none is looked for.

    Raises:
        BadInput: there is none, a folder can't be read, or a name is too long.
    """
    tasks = tuple(
        ReviewTask(name=found.relative_to(folder).as_posix() if found != folder else folder.resolve().name,
                   bundle=str(found.absolute()))
        for found in sorted(_bundles(folder))
    )  # fmt: skip
    if not tasks:
        advice = f"A bundle is a folder with {REVIEW}; `evreview new` makes one"
        raise bad_input("bundles-missing", "no bundle is in this folder", file=str(folder), advice=advice)
    long = [task.name for task in tasks if len(task.name) > MOST_NAME]
    if long:
        found = f"a name of more than {MOST_NAME} characters"
        raise BadInput([Problem(code="pair-name", found=found, file=name[:MOST_NAME]) for name in long])
    return tasks


def _bundles(folder: Path) -> Iterator[Path]:
    """Links are not followed: one may lead anywhere, also upwards.

    Raises:
        BadInput: a folder on the way can't be read, so that a bundle in it would be passed over.
    """
    unread: list[OSError] = []
    for place, folders, files in os.walk(folder, onerror=unread.append):
        if REVIEW in files:
            yield Path(place)
            folders.clear()
        folders[:] = [name for name in folders if not name.startswith(".")]
    if unread:
        says = "the folder can't be read: "
        raise BadInput(
            Problem(code="folder-unreadable", found=f"{says}{error.strerror}", file=str(error.filename))
            for error in unread
        )


def review(task: ReviewTask, settings: BatchSettings, told: Callable[[str], None]) -> TaskOutcome:
    """What comes of a bundle, kept in the output; arguments as of `evreview.app.batch.work.perform`."""
    try:
        return _reviewed(task, settings, told)
    except StorageFailed as error:
        return unwritten(error)


def _reviewed(task: ReviewTask, settings: BatchSettings, told: Callable[[str], None]) -> TaskOutcome:
    from evreview.workflows.w3.authorization import as_authorized

    storage = storage_at(settings.output)
    refused: BadInput | None = None
    try:
        bundle = as_authorized(open_bundle(task.bundle))
        says: Json = bundle.digest
    except BadInput as error:
        refused, says = error, [task.bundle, *map(str, error.problems)]
    key = digest({"version": __version__, "review": says})
    told(key)
    known = kept_part(storage, key, settings)
    if known is not None:
        keep_task(storage, task, key)
        return outcome_of(known, known=True)
    if refused is None:
        try:
            files = _run(Path(task.bundle))
        except BadInput as error:
            refused = error
    if refused is not None:
        return keep(storage, task, key, refused_part(refused, Redactor()))
    part = _part(bundle, key, files)
    if part["internal"] and is_url(settings.output):
        # Who reads a store is not known here, and nothing of this review may leave the authorized team.
        return keep(storage, task, key, {**part, "artifact": "", "ledger": "", "found": WITHHELD})
    for name, data in files.items():
        storage.write(review_name(key, name), data)
    return keep(storage, task, key, part)


def _run(folder: Path) -> dict[str, bytes]:
    """Everything that `evreview run` writes, by name.

    Raises:
        BadInput: the bundle can't be reviewed.
    """
    from evreview.app.notebook.run import run

    with TemporaryFolder("evreview-") as place:
        out = place / "review"
        run(folder, out, {})
        found = (path for path in sorted(out.rglob("*")) if path.is_file())
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in found}


def _part(bundle: Bundle, key: str, files: Mapping[str, bytes]) -> dict[str, Json]:
    """What a review came to. All of it stands in its outputs, where it was redacted."""
    told = json.loads(files["review.json"])

    def register(name: str) -> Rows:
        data = files.get(f"registers/{name}.json")
        return json.loads(data) if data is not None else ()

    matrix, gates = register("compatibility-matrix"), register("gates")
    return {
        "status": TaskStatus.DONE.value,
        "workflow": bundle.workflow,
        "kind": str(matrix[0]["kind"]) if matrix else "",
        "decision": told["decision"],
        "internal": bool(told.get("internal")),
        "permitted": "no" if told["exit_status"] else "yes",
        "as_of": str(bundle.request.as_of or ""),
        "gates": {gate["gate"]: gate["state"] for gate in gates},
        "waiting": {gate["gate"]: gate["missing"] for gate in gates if gate["missing"]},
        "clients": dict(Counter(str(each["client"]) for each in register("impacts") if each["breaking"])),
        "findings": len(register("findings")) + len(register("discrepancies")),
        "artifact": review_name(key, told["artifact"]),
        "ledger": review_name(key, MATRIX) if MATRIX in files else "",
        **_counts(matrix),
    }


def _counts(matrix: Rows) -> dict[str, Json]:
    """Rows by verdict, and the rules of those that break; a run that ended before step 4 has no verdicts."""
    verdicts = Counter(row["verdict"] for row in matrix)
    rules = Counter(str(row["rule"] or "") for row in matrix if row["verdict"] == Verdict.BREAKING)
    counts = {verdict.value: verdicts[verdict.value] for verdict in Verdict}
    return {"rows": len(matrix), **counts, "open": counts[Verdict.UNKNOWN], "rules": dict(rules.most_common())}
