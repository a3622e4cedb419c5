"""What an importer is given and what it makes: a typed body, the place of each entry, and what is to be told."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final, Literal

from evreview.core.control_characters import visible
from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput, bad_input
from evreview.core.json_text import mapping
from evreview.core.quoted_text import begin_of
from evreview.core.vocabulary import EvidenceType, Json
from evreview.core.yaml_text import as_yaml, indented
from evreview.evidence.records.security import Control
from evreview.redaction.detector import RedactionFinding
from evreview.redaction.redactor import Redactor

KEPT: Final = "E1"
"""In a record stands for the id that the kept file gets."""
MOST_PLACES: Final = 20
"""Lines with something to be redacted that are told one by one."""
MOST_NAMED: Final = 5
"""Names that one line lists; of the others the number is told."""
MOST_TOLD: Final = 50
"""Lines of one kind that are told; of the others the number is."""
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What the command line says beside the file; "" and None where it says nothing."""

    command: str = ""
    fixture: str = ""
    client: str = ""
    side: Literal["released", "candidate"] | None = None
    since: date | None = None
    until: date | None = None
    isolated: bool = False
    exit_status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What an importer may know of the bundle.

    Attributes:
        revision: the implementation under review, "" where none is stated.
        as_of: the review's date, "" where it is still marked.
        contract: the candidate's path in its repository, as far as the bundle tells it.
        clients: ids of the clients that are listed.
        operations: the operations of both contracts, as the ledger names them.
        operation: the operation of a method with a path, as the ledger names it; None for none.
        against: digest or revision of the one contract of a reference; "" in other reviews.
        asserted: operations and statuses that the supplied source of a test, named by its id, asserts.
        controls: of the inventories of controls; None where none is filled in.
    """

    revision: str = ""
    as_of: str = ""
    contract: str = ""
    clients: frozenset[str] = frozenset()
    operations: tuple[str, ...] = ()
    operation: Callable[[str], str | None] = field(default=lambda _: None)
    against: str = ""
    asserted: Callable[[str], Sequence[tuple[str, int]]] = field(default=lambda _: ())
    controls: tuple[Control, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """A file, or the files of a folder, to be imported: bytes by path; a file alone has the path ""."""

    name: str
    files: Mapping[str, bytes]
    options: ImportOptions = ImportOptions()
    reviewed: Reviewed = Reviewed()

    @property
    def data(self) -> bytes:
        """The bytes of a file alone."""
        return self.files[""]

    @property
    def digest(self) -> str:
        """sha256 of a file; of a folder over one line `<sha256>  <path>` each."""
        if "" in self.files:
            return hashlib.sha256(self.data).hexdigest()
        lines = (f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(self.files.items()))
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFile:
    """A supplied text that is retained as it is: ending, text, type and what it establishes."""

    ending: str
    text: str
    type: EvidenceType
    establishes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was read.

    Attributes:
        name: of the new files inside the bundle, without number and ending.
        type: of the record's item.
        record: the typed body, None where the kept text is all; its last member is the list of entries.
        places: for each entry where it stands in the supplied file.
        establishes: what the record proves, and what it does not.
        kept: the supplied text, where it is retained.
        roles: of the request, to be filled in where the marker stands.
        told: lines for people.
    """

    name: str
    type: EvidenceType
    record: Mapping[str, Json] | None = None
    places: Sequence[Sequence[str]] = ()
    establishes: str = ""
    kept: KeptFile | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()


def body_of(imported: Imported, supplied: Supplied, kept: str = KEPT) -> str:
    """The typed body as YAML: which file it was read from, and before each entry its places there.

    Args:
        imported: with a record, whose `output` names the kept file.
        supplied: what was read.
        kept: the kept file's id.
    """
    record = dict(imported.record or {})
    wanted = record | ({"output": kept} if "output" in record else {})
    record = dict(wanted)
    key, entries = record.popitem()
    assert isinstance(entries, list)
    # A name may hold any sign; as ASCII in quotes it stays on its line.
    lines = [f"# Read by `evreview import` from {json.dumps(supplied.name)}, sha256:{supplied.digest}"]
    lines += as_yaml(record).splitlines()
    lines.append(f"{key}:" if entries else f"{key}: []")
    for entry, places in zip(entries, imported.places, strict=True):
        assert isinstance(entry, Mapping)
        lines += [f"  # {json.dumps(place)}" for place in places]
        lines.append(indented(as_yaml(entry), 2, b"\n").decode().rstrip("\n"))
    text = "\n".join(lines) + "\n"
    if parse_text(text.encode(), supplied.name) != wanted:
        raise bad_input("import-unwritable", "it holds a value that no record can hold", file=supplied.name)
    return text


def document_of(supplied: Supplied) -> Mapping[str, Json]:
    """The members of a JSON or YAML file; none of an empty one, of XML, and of one that holds something else."""
    data = supplied.data
    return mapping(parse_text(data, supplied.name)) if data.strip() and not _ROOT.match(data) else {}


_TEXTS: Final = frozenset({"what", "command", "fixture", "environment", "output"})
"""Members of a record that hold what somebody wrote or a tool printed; by the others records are joined."""


def sanitized(imported: Imported, supplied: Supplied) -> Imported:
    """The same with everything redacted in the texts of the record, and told; so is each such line of the kept file.

    The kept file stays as the tool wrote it: another one would not be what its digest says.
    """
    kept, stated = imported.kept, supplied.options
    said = [(f"--{name}", getattr(stated, name)) for name in ("command", "fixture") if getattr(stated, name)]
    redactor = Redactor.over([*([(supplied.name, kept.text)] if kept else []), *said])
    if not redactor.findings:
        return imported
    record: Json = _redacted(dict(imported.record), redactor) if imported.record is not None else None
    told = [f"holds       {place}" for place in _places(redactor.findings)]
    if kept:
        told.append(
            "            the kept file still has what stands in the file, and so has every reader of the bundle"
        )
    changed = " Texts in which something had to be redacted are not as the tool wrote them."
    said_of = imported.establishes + (changed if record != imported.record else "")
    return replace(
        imported, record=mapping(record) if record else None, establishes=said_of, told=(*imported.told, *told)
    )


def _redacted(value: Json, redactor: Redactor, key: str = "") -> Json:
    if isinstance(value, Mapping):
        return {name: _redacted(part, redactor, name) for name, part in value.items()}
    if isinstance(value, list):
        return [_redacted(part, redactor, key) for part in value]
    return str(redactor.clean(value)) if isinstance(value, str) and key in _TEXTS else value


def _places(findings: Iterable[RedactionFinding]) -> Iterator[str]:
    """Each line that holds something, with its kinds; of many lines the first ones."""
    kinds: dict[tuple[str, int], dict[str, None]] = {}
    for finding in findings:
        for line in finding.lines:
            kinds.setdefault((finding.location, line), {})[str(finding.kind)] = None
    shown = sorted(kinds.items())
    for (name, line), found in shown[:MOST_PLACES]:
        yield f"{', '.join(found)} at {name}{'' if name.startswith('--') else f' line {line}'}"
    if len(shown) > MOST_PLACES:
        yield f"as much at {len(shown) - MOST_PLACES} more lines"


def wrong_format(supplied: Supplied, wanted: str, advice: str = "") -> BadInput:
    """The problem of a file that is not what it was called, with what was found instead."""
    found = f"this is no {wanted}: {seen(supplied.data)}"
    return bad_input("import-format", found, file=supplied.name, advice=advice or f"Name a {wanted}")


_ROOT: Final = re.compile(rb"\s*(?:<\?[^>]{0,200}\?>\s*|<!--.{0,2000}?-->\s*)*<([A-Za-z][\w:.-]{0,80})", re.DOTALL)


def seen(data: bytes) -> str:
    """What a file seems to hold, in words."""
    if not data.strip():
        return "the file is empty"
    root = _ROOT.match(data)
    if root is not None:
        return f"it is XML or HTML with the root element {root[1].decode()}"
    try:
        value = parse_text(data, "")
    except BadInput as error:
        return error.problems[0].found
    if isinstance(value, Mapping):
        return f"it is a document with the members {some(value) or '(none)'}"
    return "it is a list" if isinstance(value, list) else "it is plain text"


def told_lines(label: str, lines: Sequence[str]) -> Iterator[str]:
    """The first lines of one kind behind their label, and how many more there are."""
    yield from (f"{label:<12}{line}" for line in lines[:MOST_TOLD])
    if len(lines) > MOST_TOLD:
        yield f"{'':<12}and {len(lines) - MOST_TOLD} more"


def some(names: Iterable[str]) -> str:
    """The first names of several, and how many more there are."""
    each = list(names)
    more = f" and {len(each) - MOST_NAMED} more" if len(each) > MOST_NAMED else ""
    return ", ".join(map(in_line, each[:MOST_NAMED])) + more


def in_line(text: str) -> str:
    """A text of the file on one line, where no part of it passes for a line of ours; a long one up to a whole word."""
    one = " ".join(visible(text).split())
    return one if len(one) <= _LONGEST else f"{begin_of(one, _LONGEST) or f'({len(one)} characters)'}…"
