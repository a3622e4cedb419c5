"""`evreview new`, `evreview check` and `evreview schema`: everything about a bundle before it is reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.bundles import examine
from evreview.app.commands.shell import clean, refuse, say, shown, warn
from evreview.core.vocabulary import ExitStatus

if TYPE_CHECKING:
    from evreview.core.errors import Problem
    from evreview.evidence.bundle_reader import Examination

UNREAD: Final = "only review.yaml and the authorization were read, the rest not before the authorization passes"


def new(workflow: str, folder: Path) -> int:
    """Write a commented bundle for `workflow` into `folder`."""
    from evreview.evidence.scaffold import new_bundle

    new_bundle(workflow, folder)
    say(clean(f"wrote {shown(folder)}: fill in what is marked, then: evreview check {shown(folder)}"))
    return ExitStatus.DONE


def check(folder: Path, repository: Path | None = None) -> int:
    """Print every problem of a bundle and of its contracts; 0 when there is none.

    Commits are verified against `repository`. What is only worth a warning does not change the status.
    """
    found, problems = _examined(folder, repository)
    warnings = found.warnings
    if found.bundle is not None and not found.sealed:
        stops, worth_saying = examine(found.bundle)
        problems, warnings = (*problems, *stops), (*warnings, *worth_saying)
    for problem in problems:
        warn(f"{problem} [{problem.code}]")
    for warning in warnings:
        warn(f"warning: {warning} [{warning.code}]")
    if found.bundle is None or problems:
        count = len(problems)
        if found.sealed:
            warn(f"evreview: {UNREAD}")
        return refuse(f"{count} problem{'' if count == 1 else 's'} in {shown(folder)}")
    digest = found.bundle.digest
    say(clean(f"{shown(folder)}: {len(found.bundle.items)} evidence items, no problem; digest sha256:{digest}"))
    return ExitStatus.DONE


def _examined(folder: Path, repository: Path | None) -> tuple[Examination, tuple[Problem, ...]]:
    """The bundle as far as it may be read, and its problems; that a review is not authorized is one."""
    from evreview.evidence.bundle_reader import examine_bundle

    found = examine_bundle(folder, repository=repository)
    if found.bundle is None or not found.sealed:
        return found, found.problems
    from evreview.workflows.w3.authorization import authorization_problems

    problems = tuple(authorization_problems(found.bundle))
    if problems:
        return found, problems
    found = examine_bundle(folder, repository=repository, whole=True)
    return found, found.problems


def schema(name: str | None) -> int:
    """Print the JSON Schemas of the bundle's files and of an accept file, or one of them."""
    import json

    from evreview.evidence.json_schemas import schemas
    from evreview.evidence.records.accept_file import SCHEMA_NAME, accept_schema

    known = {**schemas(), SCHEMA_NAME: accept_schema()}
    if name is not None and name not in known:
        return refuse(f"there is no schema {name!r}. There are: {', '.join(known)}")
    wanted = known if name is None else known[name]
    say(clean(json.dumps(wanted, indent=2, ensure_ascii=False)))
    return ExitStatus.DONE
