"""`evreview new w2 --repo`: contract, code and tests of one commit, with what they say of scope and sources drafted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.authoring.drafted_bundle import (
    HELD,
    MARK,
    Draft,
    Held,
    Origin,
    Side,
    bound,
    code_and_tests,
    collecting,
    side_of,
)
from evreview.app.commands.shell import labelled, shown, tell, typed
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceId, EvidenceType, ExitStatus, Json, WorkflowId

if TYPE_CHECKING:
    from evreview.codefacts.model import CodeFacts, Part, SourceText, Spot

ITEM_OF: Final = {
    "test": (EvidenceType.TEST_INVENTORY, "What the tests of this file assert. Not that they were executed."),
    "code": (EvidenceType.SOURCE_EXCERPT, "The code of this file as inspected. Not that it was executed."),
}


def new_reference(folder: Path, origin: Origin) -> int:
    """Write a W2 bundle of one commit; what only a person knows stays marked, and no test run is claimed.

    Raises:
        BadInput: with everything that the commit lacks; nothing was written then.
    """
    from evreview.codefacts.read import read_sources
    from evreview.evidence.files import write_new
    from evreview.evidence.repository import Commits
    from evreview.evidence.scaffold import DECISIONS_TEXT, body_text, review_text
    from evreview.kinds.registry import spec_of

    commits = Commits.of(origin.repository)
    problems: list[Problem] = []
    with collecting(problems):
        side = side_of(commits, origin.candidate, origin.contract, None)
    with collecting(problems):
        code, tests = code_and_tests(commits, origin)
    if problems:
        raise BadInput(problems)
    if not spec_of(side.contract.kind).over_http:
        found = f"the contract is of the kind {side.contract.kind}, and a reference is written from an OpenAPI document"
        at = f"{side.ref}:{origin.contract}"
        raise bad_input("not-allowed", found, file=at, advice="Review other kinds as w1")
    draft = Draft()
    draft.add_contract(side, HELD, "The wire contract at this commit. Does not establish runtime behaviour.")
    items = add_files(draft, side.commit, code.files, "code")
    add_files(draft, side.commit, tests.files, "test")
    texts = texts_of(items, code.files)
    facts = read_sources(texts)
    sources = source_rows(items, texts, facts)
    for file, record, kind, establishes in _records(side, draft.digests["E1"], sources):
        draft.add(kind, file, body_text(str(record["kind"]), record), establishes)
    request: dict[str, Json] = {
        "title": f"{origin.contract} at {side.ref}",
        "as_of": datetime.now(UTC).date().isoformat(),
        "asks": ["assess"],
        "surface": f"every operation of {origin.contract}",
        "implementation_revision": side.commit,
        "roles": {"api_owner": MARK},
    }
    index = {"review.yaml": review_text(WorkflowId.W2, request, draft.evidence), "decisions.yaml": DECISIONS_TEXT}
    write_new(folder, {**index, **draft.files})
    lines = [
        *labelled("contract", f"{', '.join(side.files)} at {side.ref} ({side.commit[:12]})"),
        *told_of_code(code, tests, facts),
        *labelled(
            "wrote", f"{shown(folder)}: {counted(len(draft.evidence), 'item')}, sealed; what is yours is marked {MARK}"
        ),
        f"next       {typed('import', folder, 'junit-run', 'results.xml')} --command '…' --fixture '…' --isolated "
        "--exit-status N",
        *labelled(
            "", "you state what the report does not: command, environment, that it reached nothing outside, its end"
        ),
        f"           {typed('check', folder)}",
    ]
    tell(lines)
    return ExitStatus.DONE


def add_files(draft: Draft, commit: str, files: Mapping[str, bytes], what: str) -> dict[str, str]:
    """The ids of new items, one a file, by path."""
    kind, establishes = ITEM_OF[what]
    return {
        path: draft.add(kind, f"{HELD}{path}", data, establishes, bound(commit, path)) for path, data in files.items()
    }


def texts_of(items: Mapping[str, str], files: Mapping[str, bytes]) -> list[SourceText]:
    """The Python files as the readers of code take them."""
    from evreview.codefacts.model import SourceText

    return [
        SourceText(item=EvidenceId(items[path]), path=path, parts=("shared",), text=data.decode("utf-8-sig"))
        for path, data in files.items()
        if path.endswith(".py")
    ]


def source_rows(items: Mapping[str, str], texts: Sequence[SourceText], facts: CodeFacts) -> list[Json]:
    """The source map: each file with the parts that the code shows it to play, `shared` where it shows none."""
    from evreview.codefacts.read import definitions

    parts = _parts(facts, definitions(texts))
    return [
        {"item": item, "path": path, "part": part}
        for path, item in items.items()
        for part in parts.get(item, ("shared",))
    ]


def _parts(facts: CodeFacts, defined: Mapping[str, Spot]) -> dict[str, list[Part]]:
    """By item: where handlers stand, where values are checked (models, else what reads them), where callers are."""
    routes = facts.routes
    handlers = _items(route.spot for route in routes)
    inputs = [spot for route in routes for spot in (*(one.spot for one in route.parameters), *_body(route.body))]
    models = [spot for route in routes if route.body for spot in route.body.models]
    asked = {each.name.rpartition(".")[2]: each.spot for route in routes for each in route.guards}
    around = _items(defined.get(name, spot) for name, spot in asked.items()) - handlers
    found: dict[str, list[Part]] = {}
    for part, named in (("handler", handlers), ("validator", _items(models or inputs)), ("middleware", around)):
        for item in named:
            found.setdefault(item, []).append(part)  # type: ignore[arg-type]
    return found


def _body(body: object) -> Iterator[Spot]:
    spot = getattr(body, "spot", None)
    if spot is not None:
        yield spot


def _items(spots: Iterable[Spot]) -> set[str]:
    return {str(spot.item) for spot in spots}


Described = tuple[str, dict[str, Json], EvidenceType, str]


def _records(side: Side, digest: str, sources: list[Json]) -> Iterator[Described]:
    """The typed records: the source map as the code shows it, the scope as the contract says it, the owner's word."""
    said = "Which files were inspected, and the part that each plays as the code was read."
    yield "records/sources.yaml", {"kind": "source-map", "sources": sources}, EvidenceType.SOURCE_EXCERPT, said
    scope: dict[str, Json] = {
        "kind": "publication-scope",
        "contract": "E1",
        "revision": side.commit,
        "api_version": side.contract.release or MARK,
        "base_url": _base_url(side),
        "audience": MARK,
        "operations": _operations(side),
        "exclusions": [],
    }
    said = "What is published, and for whom."
    yield "records/scope.yaml", scope, EvidenceType.EXECUTION_AND_APPROVAL, said
    approval: dict[str, Json] = {
        "kind": "contract-approval",
        "contract": "E1",
        # Of a contract in several files the revision alone binds them all.
        **({"sha256": digest} if len(side.files) == 1 else {}),
        "revision": side.commit,
        "role": MARK,
        "decision": MARK,
        "at": MARK,
    }
    said = "The API owner's word on E1, once it is filled in."
    yield "records/approval.yaml", approval, EvidenceType.EXECUTION_AND_APPROVAL, said


def _operations(side: Side) -> list[Json]:
    from evreview.workflows.w2.scope import operations_of

    return [each.id for each in operations_of(side.contract)]


def _base_url(side: Side) -> str:
    """The one server that the contract writes, the marker where it writes none or several."""
    from evreview.contract.model import ElementKind

    root = side.contract.root
    servers = [child for child in root.children if child.kind is ElementKind.SERVER]
    written = [each.name for each in servers if each.place != root.place or each.name != "/"]
    return written[0] if len(written) == 1 else MARK


def told_of_code(code: Held, tests: Held, facts: CodeFacts) -> Iterator[str]:
    """Lines about what was taken and read, and what was not."""
    unread = f", {counted(len(facts.unread), 'part')} not read" if facts.unread else ""
    yield f"code       {counted(len(code.files), 'file')}: {counted(len(facts.routes), 'route')} read{unread}"
    if tests.files:
        yield f"tests      {counted(len(tests.files), 'file')}; nothing was run"
    if code.left_out + tests.left_out:
        left_out = counted(code.left_out + tests.left_out, "file")
        yield from labelled("left out", f"{left_out} that are no Python; name one to take it")
