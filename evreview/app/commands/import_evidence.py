"""`evreview import`: what a file of another tool says, kept in a bundle as a new item. Nothing of it is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, say, shown, working
from evreview.core.errors import BadInput, bad_input
from evreview.core.vocabulary import ExitStatus, WorkflowId

if TYPE_CHECKING:
    from evreview.contract.model import Contract
    from evreview.evidence.bundle_writer import NewEvidence
    from evreview.evidence.imports.model import Imported, ImportOptions, Reviewed, Supplied
    from evreview.evidence.item import Bundle

_FOLDERS: Final = ("contracts/candidate/", "contracts/released/")
"""Where `evreview new --repo` puts a contract, under its path in the repository."""


def import_evidence(folder: Path, form: str, file: Path, options: ImportOptions) -> int:
    """Read a file of a format and retain what it says as a new item; 0 when it is kept.

    Raises:
        BadInput: there is no such format, an option is missing or means nothing, the file is not of the format, or the
            bundle can't take it; nothing was written then.
    """
    from evreview.evidence.bundle_writer import retain_import
    from evreview.evidence.imports.formats import format_named, require_import_options
    from evreview.evidence.imports.model import Supplied

    chosen = format_named(form)
    require_import_options(form, {one.name: bool(getattr(options, one.name)) for one in fields(options)})
    with working(f"reading {shown(file)}"):
        files = _files(file, chosen.folder)
        bundle = _draft(folder)
        supplied = Supplied(name=file.name, files=files, options=options, reviewed=_reviewed(bundle))
        imported = chosen.read(supplied)
        items = tuple(_items(imported, supplied))
        roles = {name: role for name, role in imported.roles.items() if _is_marked(bundle, name)}
        ids, written = retain_import(folder, items, roles)
    lines = [*imported.told, *(f"filled in   review.yaml roles.{name}" for name in roles)]
    held = f"{', '.join(ids)} in {shown(folder)} " + ("holds it already" if len(ids) == 1 else "hold it already")
    lines.append(f"kept        {', '.join(ids)} in {shown(folder)}: {', '.join(written)}" if written else held)
    say(clean("\n".join(lines)))
    return ExitStatus.DONE


def _files(path: Path, folder_ending: str) -> dict[str, bytes]:
    from evreview.evidence.files import files_below, read_bytes, read_inside, require_folder

    if not folder_ending:
        return {"": read_bytes(path, shown(path))}
    require_folder(path, f"*{folder_ending}")
    names = [name for name in files_below(path, shown(path)) if name.endswith(folder_ending)]
    return {name: read_inside(path, name) for name in names}


def _draft(folder: Path) -> Bundle:
    """The bundle, with markers and stale digests as they are; a security review takes no imports of these formats."""
    from evreview.evidence.bundle_folder import workflow_of
    from evreview.evidence.bundle_reader import examine_bundle

    if workflow_of(folder) != WorkflowId.W1.lower():
        advice = "Name the bundle of a contract review (w1)"
        raise bad_input("not-allowed", "only a contract review takes imports", file=shown(folder), advice=advice)
    found = examine_bundle(folder)
    if found.draft is None:
        raise BadInput(found.problems)
    return found.draft


def _is_marked(bundle: Bundle, role: str) -> bool:
    from evreview.evidence.typed_reader import MARK

    roles = bundle.request.roles
    return roles is not None and roles.model_dump().get(role) == MARK


def _reviewed(bundle: Bundle) -> Reviewed:
    """What an importer may know of the bundle."""
    from evreview.evidence.imports.model import Reviewed
    from evreview.evidence.records.compatibility import ClientInventory
    from evreview.evidence.typed_reader import MARK

    records = [item.record for item in bundle.items.values()]
    clients = (client.id for record in records if isinstance(record, ClientInventory) for client in record.clients)
    contracts = bundle.request.contracts
    candidate = bundle.items.get(contracts.candidate) if contracts else None
    path = candidate.file if candidate else ""
    for each in _FOLDERS:
        path = path.removeprefix(each)
    stated = bundle.request.implementation_revision or ""
    operations, lookup = _operations(bundle)
    return Reviewed(
        revision="" if stated == MARK else stated,
        contract=path,
        clients=frozenset(clients),
        operations=operations,
        operation=lookup,
    )


def _operations(bundle: Bundle) -> tuple[tuple[str, ...], Callable[[str], str | None]]:
    """The operations of both contracts, and a lookup by method and path; none where the contracts can't be read."""
    from evreview.workflows.w1.element_lookup import find_operation

    sides = tuple(_contracts(bundle))

    def lookup(text: str) -> str | None:
        found = (find_operation(side, text) for side in sides)
        return next((one.key for one in found if one is not None), None)

    return tuple(dict.fromkeys(one.key for side in sides for one in side.operations)), lookup


def _contracts(bundle: Bundle) -> Iterator[Contract]:
    from evreview.kinds.load import read_contract

    named = bundle.request.contracts
    for identity in (named.candidate, named.released) if named else ():
        if identity in bundle.items:
            try:
                yield read_contract(*bundle.source(identity))
            except BadInput:
                continue


def _items(imported: Imported, supplied: Supplied) -> Iterator[NewEvidence]:
    """The kept file, then the record, as they go into the bundle.

    Raises:
        BadInput: the record is none that a review could take.
    """
    from evreview.evidence.bundle_writer import NewEvidence
    from evreview.evidence.imports.model import body_of
    from evreview.evidence.typed_reader import read_body

    kept = imported.kept
    if kept is not None:
        yield NewEvidence(
            name=imported.name, ending=kept.ending, text=kept.text, type=kept.type, establishes=kept.establishes
        )
    if imported.record is not None:
        text = body_of(imported, supplied)
        _, problems = read_body(imported.type, text, supplied.name)
        if problems:
            raise BadInput(problems)
        yield NewEvidence(
            name=imported.name, ending=".yaml", text=text, type=imported.type, establishes=imported.establishes
        )
