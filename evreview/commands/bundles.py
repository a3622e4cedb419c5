"""`evreview new`, `evreview check` and `evreview schema`: everything about a bundle before it is reviewed."""

from __future__ import annotations

from pathlib import Path

from evreview.commands.shell import clean, refuse, say, warn
from evreview.vocab import ExitStatus


def new(workflow: str, folder: Path) -> int:
    """Write a commented bundle for `workflow` into `folder`."""
    from evreview.evidence.scaffold import new_bundle

    new_bundle(workflow, folder)
    say(clean(f"wrote {folder}: fill in what is marked, then run: evreview check {folder}"))
    return ExitStatus.DONE


def check(folder: Path) -> int:
    """Print every problem of a bundle; 0 when there is none."""
    from evreview.evidence.intake import check_bundle, open_bundle

    problems = check_bundle(folder)
    for problem in problems:
        warn(f"{problem} [{problem.code}]")
    if problems:
        return refuse(f"{len(problems)} problem{'s' if len(problems) > 1 else ''} in {folder}")
    bundle = open_bundle(folder)
    for warning in bundle.warnings:
        warn(f"{folder}: warning: {warning}")
    say(clean(f"{folder}: {len(bundle.items)} evidence items, no problem. Bundle digest sha256:{bundle.digest}"))
    return ExitStatus.DONE


def schema(name: str | None) -> int:
    """Print the JSON Schemas of the bundle's files, or one of them."""
    import json

    from evreview.evidence.schema import json_schemas

    schemas = json_schemas()
    if name is not None and name not in schemas:
        return refuse(f"there is no schema {name!r}. There are: {', '.join(schemas)}")
    wanted = schemas if name is None else schemas[name]
    say(clean(json.dumps(wanted, indent=2, ensure_ascii=False)))
    return ExitStatus.DONE
