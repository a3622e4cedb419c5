"""`evreview import`: what a file of another tool says, kept in a bundle as a new item. Nothing of it is executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.authoring.drafted_bundle import CANDIDATE, HELD, RELEASED, refuse_conflicts
from evreview.app.commands.shell import shown, tell, typed, working
from evreview.core.errors import BadInput, bad_input
from evreview.core.vocabulary import EvidenceType, ExitStatus, Json, Technique, WorkflowId

if TYPE_CHECKING:
    from evreview.contract.model import Contract
    from evreview.core.json_pointer import Step
    from evreview.evidence.bundle_writer import NewEvidence
    from evreview.evidence.imports.model import Imported, ImportOptions, Reviewed, Supplied
    from evreview.evidence.item import Bundle, EvidenceItem

_FOLDERS: Final = (CANDIDATE, RELEASED, HELD)
"""Where `evreview new --repo` puts files, under their paths in the repository."""


def import_evidence(folder: Path, form: str, file: Path, options: ImportOptions) -> int:
    """Read a file of a format and retain what it says as a new item; 0 when it is kept.

    Raises:
        BadInput: there is no such format, an option is missing or means nothing, the file is not of the format, or the
            bundle can't take it; nothing was written then.
    """
    from evreview.evidence.bundle_writer import retain_import
    from evreview.evidence.imports.formats import format_named, require_import_options
    from evreview.evidence.imports.model import Supplied, sanitized

    chosen = format_named(form)
    require_import_options(form, {one.name: getattr(options, one.name) != one.default for one in fields(options)})
    with working(f"reading {shown(file)}"):
        files = _files(file, chosen.folder)
        if not form.startswith("junit"):
            # A report may quote a conflict in what a test printed; one of its own is no XML.
            refuse_conflicts("", {name or file.name: data for name, data in files.items()})
        bundle = _draft(folder, form)
        supplied = Supplied(name=file.name, files=files, options=options, reviewed=_reviewed(bundle))
        imported = sanitized(chosen.read(supplied), supplied)
        items = tuple(_items(imported, supplied))
        replaced = _replaced(folder, bundle, imported, supplied)
        if replaced:
            tell((*imported.told, replaced))
            return ExitStatus.DONE
        roles = {name: role for name, role in imported.roles.items() if _is_marked(bundle, name)}
        ids, written = retain_import(folder, items, roles)
    lines = [*imported.told, *(f"filled in   review.yaml roles.{name}" for name in roles)]
    held = f"{', '.join(ids)} in {shown(folder)} " + ("holds it already" if len(ids) == 1 else "hold it already")
    lines.append(f"kept        {', '.join(ids)} in {shown(folder)}: {', '.join(written)}" if written else held)
    if bundle.workflow is WorkflowId.W3 and written and chosen.technique is Technique.RESULT_INTAKE:
        planned = f"plan an action of the technique `{chosen.technique}` for {', '.join(ids)}, then"
        lines += [f"next        {planned}", f"            {typed('seal', folder)}"]
    tell(lines)
    return ExitStatus.DONE


def _files(path: Path, folder_ending: str) -> dict[str, bytes]:
    from evreview.evidence.files import files_below, read_bytes, read_inside, require_folder

    if not folder_ending:
        return {"": read_bytes(path, shown(path))}
    require_folder(path, f"*{folder_ending}")
    names = [name for name in files_below(path, shown(path)) if name.endswith(folder_ending)]
    return {name: read_inside(path, name) for name in names}


def _draft(folder: Path, form: str) -> Bundle:
    """The bundle, with markers and stale digests as they are; a security review must be authorized first."""
    from evreview.evidence.bundle_folder import workflow_of
    from evreview.evidence.bundle_reader import examine_bundle
    from evreview.evidence.imports.formats import FORMATS

    workflow = WorkflowId(workflow_of(folder).upper())
    if workflow not in FORMATS[form].workflows:
        takes = [name for name, each in FORMATS.items() if workflow in each.workflows]
        advice = f"A review of {workflow.lower()} takes {', '.join(takes)}"
        raise bad_input("not-allowed", f"{workflow.lower()} takes no {form}", file=shown(folder), advice=advice)
    if workflow is WorkflowId.W3:
        from evreview.app.commands.leads import permitted

        return permitted(_authorized(folder), FORMATS[form].technique)
    found = examine_bundle(folder)
    if found.draft is None:
        raise BadInput(found.problems)
    return found.draft


def _authorized(folder: Path) -> Bundle:
    """A security review whose authorization passes; what it may not read stays unread.

    Raises:
        BadInput: with every problem, or everything that is not authorized.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.w3.authorization import as_authorized, authorization_problems

    bundle = open_bundle(folder)
    problems = tuple(authorization_problems(bundle))
    if problems:
        raise BadInput(problems)
    return as_authorized(bundle)


def _is_marked(bundle: Bundle, role: str) -> bool:
    from evreview.evidence.typed_reader import MARK

    roles = bundle.request.roles
    return roles is not None and roles.model_dump().get(role) == MARK


def path_at(item: EvidenceItem) -> str:
    """The path of an item's file in its repository, as far as the bundle tells it."""
    path = item.file
    for each in _FOLDERS:
        path = path.removeprefix(each)
    return path


def _reviewed(bundle: Bundle) -> Reviewed:
    """What an importer may know of the bundle."""
    from evreview.evidence.imports.model import Reviewed
    from evreview.evidence.records.compatibility import ClientInventory
    from evreview.evidence.records.security import SecurityInventory
    from evreview.evidence.typed_reader import MARK

    records = [item.record for item in bundle.items.values()]
    clients = (client.id for record in records if isinstance(record, ClientInventory) for client in record.clients)
    contracts = bundle.request.contracts
    candidate = bundle.items.get(contracts.candidate) if contracts else None
    path = path_at(candidate) if candidate else ""
    stated = bundle.request.implementation_revision or ""
    operations, lookup = _operations(bundle)
    reference = _reference(bundle)
    inventories = [record for record in records if isinstance(record, SecurityInventory)]
    return Reviewed(
        revision="" if stated == MARK else stated,
        as_of=bundle.request.as_of,
        contract=path,
        clients=frozenset(clients),
        operations=operations,
        operation=lookup,
        against=_bound(reference, bundle),
        asserted=_asserted(bundle, lookup),
        controls=tuple(control for each in inventories for control in each.controls) if inventories else None,
    )


def _reference(bundle: Bundle) -> EvidenceItem | None:
    """The one contract of a reference, None in other reviews."""
    from evreview.workflows.w2.scope import contract_item, scope_of

    return contract_item(bundle, scope_of(bundle)) if bundle.workflow is WorkflowId.W2 else None


def _bound(reference: EvidenceItem | None, bundle: Bundle) -> str:
    """What ties a run to the contract: its digest, or of a contract in several files the revision that binds all."""
    if reference is None:
        return ""
    return f"sha256:{reference.sha256}" if not reference.parts else bundle.request.implementation_revision or ""


def _asserted(bundle: Bundle, lookup: Callable[[str], str | None]) -> Callable[[str], tuple[tuple[str, int], ...]]:
    """What a test asserts of operations, as the supplied test files show it; nothing of them is run."""
    from evreview.codefacts.model import SourceText
    from evreview.codefacts.names import Modules
    from evreview.codefacts.test_functions import named_test, read_tests

    texts = [
        SourceText(item=item.id, path=path_at(item), parts=("test",), text=item.content)
        for item in bundle.of_type(EvidenceType.TEST_INVENTORY)
        if item.record is None and item.file.endswith(".py")
    ]
    functions = read_tests(Modules(texts))

    def asserted(name: str) -> tuple[tuple[str, int], ...]:
        test = named_test(functions, name)
        asked = test.asked if test else ()
        told = ((lookup(f"{one.method} {one.path}"), one.status) for one in asked)
        return tuple(dict.fromkeys((operation, status) for operation, status in told if operation and status))

    return asserted


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

    named, reference = bundle.request.contracts, _reference(bundle)
    for identity in (named.candidate, named.released) if named else (reference.id,) if reference else ():
        if identity in bundle.items:
            try:
                yield read_contract(*bundle.source(identity))
            except BadInput:
                continue


_OPTIONAL: Final = frozenset({
    "command", "revision", "contract", "fixture", "environment", "isolated", "exit_status", "client", "parses",
})  # fmt: skip
"""Fields of a run and of a check that command line and review state; the others are read from the report."""


def _replaced(folder: Path, bundle: Bundle, imported: Imported, supplied: Supplied) -> str:
    """What was done where the same report was brought in before with other options: its record is renewed.

    Raises:
        BadInput: somebody edited that record; it stays as it is.
    """
    from evreview.core.errors import bad_input
    from evreview.evidence.imports.model import body_of
    from evreview.evidence.renewed_items import renew_items, renewed_integrity

    if imported.kept is None or imported.record is None:
        return ""
    held = next((item for item in bundle.items.values() if item.content == imported.kept.text), None)
    if held is None:
        return ""
    text = body_of(imported, supplied, str(held.id))
    for index, item in enumerate(bundle.items.values()):
        if not item.file.startswith(f"{imported.name}-") or f"sha256:{supplied.digest}" not in item.content:
            continue
        if item.content == text:
            return ""
        if _as_read(item.content) != _as_read(text):
            found = f"{item.id} was made from this file, and somebody edited it since"
            advice = f"Correct it there, or take {held.id} and {item.id} out of review.yaml and import again"
            raise bad_input("import-edited", found, file=item.file, advice=advice)
        edits: dict[tuple[Step, ...], Json] = {
            ("evidence", index, "integrity"): renewed_integrity(item.integrity, text.encode())
        }
        renew_items(folder, {item.file: text.encode()}, edits)
        return f"replaced    {item.id} in {shown(folder)}: {item.file}, which the same file gave before"
    return ""


def _as_read(text: str) -> tuple[Json, tuple[str, ...]]:
    """What an importer read of a report, as a value and as places, without what was stated beside it."""
    from evreview.core.document_text import parse_text

    def bare(value: Json) -> Json:
        if isinstance(value, Mapping):
            return {name: bare(part) for name, part in value.items() if name not in _OPTIONAL}
        return [bare(part) for part in value] if isinstance(value, list) else value

    comments = (line for line in text.splitlines()[1:] if line.lstrip().startswith("#"))
    return bare(parse_text(text.encode(), "")), tuple(comments)


def _items(imported: Imported, supplied: Supplied) -> Iterator[NewEvidence]:
    """The kept file, then the record, as they go into the bundle.

    Raises:
        BadInput: the record is none that a review could take, or a text that is only kept would be taken for one.
    """
    from evreview.evidence.bundle_writer import NewEvidence
    from evreview.evidence.imports.model import body_of
    from evreview.evidence.typed_reader import read_body

    kept = imported.kept
    if kept is not None:
        if read_body(kept.type, kept.text, supplied.name) != (None, ()):
            found = "its `kind` would make the kept file a record of the review, which no other tool writes"
            raise bad_input("import-format", found, file=supplied.name, advice="Supply the file as its tool wrote it")
        yield NewEvidence(
            name=imported.name, ending=kept.ending, text=kept.text, type=kept.type, establishes=kept.establishes
        )
    if imported.record is not None:
        _, problems = read_body(imported.type, body_of(imported, supplied), supplied.name)
        if problems:
            raise BadInput(problems)
        yield NewEvidence(
            name=imported.name,
            ending=".yaml",
            text=lambda kept: body_of(imported, supplied, kept),
            type=imported.type,
            establishes=imported.establishes,
        )
