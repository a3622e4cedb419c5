"""[I/O] Adds evidence items to a bundle: new files, and entries at the end of the list in `review.yaml`.

Nothing that stands in the bundle is rewritten, except that the list gets longer. All of it is written or nothing; what
the bundle already holds, word for word, is not written again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evreview.core.document_text import line_of, parse_text
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import EvidenceId, EvidenceType, Json
from evreview.core.yaml_text import as_yaml, indented
from evreview.evidence.bundle_folder import DASH, REVIEW, folder_of, read_yaml, stated_ids
from evreview.evidence.bundle_reader import examine_bundle
from evreview.evidence.files import only_writer, read_inside, replace_whole
from evreview.evidence.typed_reader import MARK

_LIST: Final = re.compile(rb"^evidence:[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_JSON_LIST: Final = re.compile(r'"evidence"\s*:\s*(?=\[)')
_NEXT_KEY: Final = re.compile(rb"^(?![\s#-])[^\n]", re.MULTILINE)
_TRAILING: Final = re.compile(rb"(?:^(?:#[^\n]*|[ \t]*)\r?\n)+\Z", re.MULTILINE)
_ADVICE: Final = "Write `evidence:` and a list with one `- ` per item"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewItem:
    """What is to be retained.

    Attributes:
        name: of the item's file inside the bundle, without its number and ending, such as `replays/D-0123`.
        body: the item's text, given the name under which the attachment is kept.
        attachment: the text of the file that the body names.
        establishes: what the item proves, and what it does not.
    """

    name: str
    body: Callable[[str], str]
    attachment: str
    establishes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """A retained output and the record of the run behind it: two items, of which the second names the first.

    Attributes:
        name: of both files inside the bundle, without number and ending, such as `runs/read-examples`.
        ending: of the output's file, such as `.har.json`.
        output: the output's text.
        output_establishes: what the output proves, and what it does not.
        record: the record's text, given the id of the output's item.
        record_establishes: what the record proves, and what it does not.
    """

    name: str
    ending: str
    output: str
    output_establishes: str
    record: Callable[[EvidenceId], str]
    record_establishes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFile:
    """One text that is retained as it is: its name without number and ending, ending, text, and what it establishes."""

    name: str
    ending: str
    text: str
    establishes: str


def retain_file(path: str | Path, new: NewFile) -> tuple[EvidenceId, str]:
    """The id of the item and the file that was written; "" when the bundle holds the same text under such a name.

    Raises:
        BadInput: the bundle has problems already, its list can't be appended to, or the folder can't be written;
            nothing was written then.
    """
    with _index(path) as (root, before, raw):
        data = new.text.encode()
        for known in sorted(stated_ids(raw)):
            with suppress(BadInput):
                if read_inside(root, f"{new.name}-{known}{new.ending}") == data:
                    return EvidenceId(known), ""
        identity = _next_id(stated_ids(raw))
        name = f"{new.name}-{identity}{new.ending}"
        entry = _entry(identity, name, data, new.establishes)
        after = _appended(before, entry)
        if not _holds(after, raw, entry):
            raise bad_input("not-appendable", "the list's form allows no appending", file=REVIEW, advice=_ADVICE)
        _write(root, {name: data}, (before, after))
    return identity, name


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvidence:
    """One text with the type of its item: its name without number and ending, ending, text, and what it establishes.

    A text that names the item before it is made from that item's id; of a first one the id is "".
    """

    name: str
    ending: str
    text: str | Callable[[EvidenceId], str]
    type: EvidenceType
    establishes: str


def retain_import(
    path: str | Path, items: Sequence[NewEvidence], roles: Mapping[str, str]
) -> tuple[tuple[EvidenceId, ...], tuple[str, ...]]:
    """The ids of the items and the files that were written, none when the bundle holds the same texts already.

    Unlike what a run leaves, it may go into a bundle that is still a draft: markers and digests stay as wrong as they
    were, and nothing else becomes wrong.

    Args:
        path: the bundle's folder.
        items: what is retained, in this order.
        roles: of the request; each takes the place of a marker.

    Raises:
        BadInput: as `retain_runs` has it.
    """
    with _index(path, drafts=True) as (root, before, raw):
        known = _holders(root, raw, items)
        new = () if len(known) == len(items) else items
        number = int(_next_id(stated_ids(raw))[1:])
        named = [(EvidenceId(f"E{number + at}"), item) for at, item in enumerate(new)]
        before_it = (EvidenceId(""), *(identity for identity, _ in named))
        files = {
            f"{item.name}-{identity}{item.ending}": _text(item, last).encode()
            for (identity, item), last in zip(named, before_it, strict=False)
        }
        entries = [
            _entry(identity, name, files[name], item.establishes, item.type)
            for name, (identity, item) in zip(files, named, strict=True)
        ]
        after = with_answers(before, {f"/roles/{name}": role for name, role in roles.items()})
        for entry in entries:
            after = _appended(after, entry)
        stated = raw.get("roles")
        wanted = {**raw, "roles": {**stated, **roles}} if roles and isinstance(stated, Mapping) else raw
        if not _holds(after, wanted, *entries):
            raise bad_input("not-appendable", "the list's form allows no appending", file=REVIEW, advice=_ADVICE)
        if after != before:
            problems = examine_bundle(root, whole=True).problems
            _write(root, files, (before, after), {_where(problem) for problem in problems})
    return tuple(identity for identity, _ in named) or known, tuple(files)


def _text(item: NewEvidence, last: EvidenceId) -> str:
    return item.text if isinstance(item.text, str) else item.text(last)


def _holders(root: Path, raw: Mapping[str, Json], items: Sequence[NewEvidence]) -> tuple[EvidenceId, ...]:
    """The ids under which the bundle holds these texts, those that it doesn't left out."""
    found: list[EvidenceId] = []
    for item in items:
        data = _text(item, found[-1] if found else EvidenceId("")).encode()
        for known in sorted(stated_ids(raw)):
            with suppress(BadInput):
                if read_inside(root, f"{item.name}-{known}{item.ending}") == data:
                    found.append(EvidenceId(known))
                    break
    return tuple(found)


def with_answers(before: bytes, answers: Mapping[str, str]) -> bytes:
    """The file with texts in the place of their markers, by pointer; what has no marker stays."""
    lines = before.split(b"\n")
    for pointer, answer in answers.items():
        at = (line_of(before, pointer) or 0) - 1
        if at >= 0:
            marked, quoted = re.search(rb"([\"']?)%b\1" % MARK.encode(), lines[at]), json.dumps(answer).encode()
            lines[at] = lines[at].replace(marked[0], quoted, 1) if marked else lines[at]
    return b"\n".join(lines)


def retain_runs(path: str | Path, runs: Sequence[NewRun]) -> tuple[tuple[EvidenceId, ...], tuple[str, ...]]:
    """The ids of the new items and the files that were written: all runs, or none.

    Args:
        path: the bundle's folder.
        runs: what is retained, in this order.

    Raises:
        BadInput: the bundle has problems already, its list can't be appended to, or the folder can't be written;
            nothing was written then.
    """
    with _index(path) as (root, before, raw):
        number = int(_next_id(stated_ids(raw))[1:])
        files: dict[str, bytes] = {}
        entries: list[dict[str, Json]] = []
        for run in runs:
            output, record = EvidenceId(f"E{number}"), EvidenceId(f"E{number + 1}")
            number += 2
            parts = (
                (output, f"{run.name}-{output}{run.ending}", run.output, run.output_establishes),
                (record, f"{run.name}-{record}.yaml", run.record(output), run.record_establishes),
            )
            for identity, name, text, establishes in parts:
                files[name] = text.encode()
                entries.append(_entry(identity, name, files[name], establishes))
        after = before
        for entry in entries:
            after = _appended(after, entry)
        if not _holds(after, raw, *entries):
            raise bad_input("not-appendable", "the list's form allows no appending", file=REVIEW, advice=_ADVICE)
        _write(root, files, (before, after))
    return tuple(EvidenceId(str(entry["id"])) for entry in entries), tuple(files)


def _entry(
    identity: EvidenceId,
    name: str,
    data: bytes,
    establishes: str,
    kind: EvidenceType = EvidenceType.TEST_RECORD,
) -> dict[str, Json]:
    return {
        "id": identity,
        "type": kind.value,
        "file": name,
        "integrity": f"sha256:{hashlib.sha256(data).hexdigest()}",
        "establishes": establishes,
    }


def retain(path: str | Path, item: NewItem) -> tuple[EvidenceId, tuple[str, ...]]:
    """The id of the test record and the files that were written; none when the bundle holds just this record already.

    Args:
        path: the bundle's folder.
        item: what is retained.

    Raises:
        BadInput: the bundle has problems already, its list can't be appended to, or the folder can't be written;
            nothing was written then.
    """
    with _index(path) as (root, before, raw):
        kept = _kept(root, raw, item)
        if kept is not None:
            return kept, ()
        identity = _next_id(stated_ids(raw))
        record, attachment = _names(item, identity)
        body = item.body(attachment).encode()
        entry = _entry(identity, record, body, item.establishes)
        after = _appended(before, entry)
        if not _holds(after, raw, entry):
            raise bad_input("not-appendable", "the list's form allows no appending", file=REVIEW, advice=_ADVICE)
        _write(root, {attachment: item.attachment.encode(), record: body}, (before, after))
    return identity, (attachment, record)


@contextmanager
def _index(path: str | Path, *, drafts: bool = False) -> Iterator[tuple[Path, bytes, Mapping[str, Json]]]:
    """The folder, locked for one writer, with the bytes and the content of its `review.yaml`."""
    root = folder_of(path)
    with only_writer(root):
        found = examine_bundle(root, whole=True)
        if found.problems and not (drafts and found.draft is not None):
            raise BadInput(found.problems)
        yield (root, *read_yaml(root, REVIEW))


def _names(item: NewItem, identity: str) -> tuple[str, str]:
    return f"{item.name}-{identity}.yaml", f"{item.name}-{identity}.message.json"


def _kept(root: Path, raw: Mapping[str, Json], item: NewItem) -> EvidenceId | None:
    """The id under which the bundle holds the same text and the same attachment, None when it doesn't."""
    listed = raw.get("evidence")
    for entry in listed if isinstance(listed, list) else []:
        if not isinstance(entry, Mapping):
            continue
        identity = str(entry.get("id"))
        record, attachment = _names(item, identity)
        if entry.get("file") != record:
            continue
        texts = {record: item.body(attachment), attachment: item.attachment}
        with suppress(BadInput):
            if all(read_inside(root, name) == text.encode() for name, text in texts.items()):
                return EvidenceId(identity)
    return None


def _next_id(known: frozenset[str]) -> EvidenceId:
    numbers = [int(name[1:]) for name in known if re.fullmatch(r"E[1-9][0-9]*", name)]
    return EvidenceId(f"E{max(numbers, default=0) + 1}")


def _where(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.file, problem.place


def _write(
    root: Path,
    files: Mapping[str, bytes],
    review: tuple[bytes, bytes],
    known: Collection[tuple[str, str, str]] = (),
) -> None:
    """The new files, then the list that names them; when anything fails, everything as it was.

    Args:
        root: the bundle's folder.
        files: what is new, by name.
        review: the bytes of `review.yaml` before and after.
        known: problems that the bundle had before, by code, file and place.
    """
    made: list[Path] = []
    index = (root / REVIEW).resolve()
    listed = False
    try:
        for name, data in files.items():
            made.extend(_new_file(root, name))
            replace_whole(made[-1], data)
        listed = True
        replace_whole(index, review[1])
        found = examine_bundle(root, whole=True).problems
        problems = [one for one in found if _where(one) not in known]
        if problems:
            raise BadInput(problems)
    except BaseException:
        if listed:
            with suppress(BadInput):
                replace_whole(index, review[0])
        for path in reversed(made):
            with suppress(OSError):
                path.unlink(missing_ok=True) if not path.is_dir() else path.rmdir()
        raise


def _new_file(root: Path, name: str) -> list[Path]:
    """The place of a new file inside the folder, after the folder around it where that had to be made."""
    target = root / name
    made: list[Path] = []
    try:
        if target.exists() or target.is_symlink():
            raise bad_input("file-exists", "there is such a file already", file=name, advice="Move it away")
        if not target.parent.exists():
            target.parent.mkdir(parents=True)
            made.append(target.parent)
    except OSError as error:
        raise bad_input("not-writable", f"it can't be written: {error.strerror}", file=name) from None
    if not target.parent.is_dir():
        folder = target.parent.relative_to(root).as_posix()
        found, advice = "a file has the name of a folder that is needed", f"Move {folder} away"
        raise bad_input("not-a-folder", found, file=folder, advice=advice)
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise bad_input("file-outside", "a symbolic link leads out of the folder", file=name)
    return [*made, target]


def _holds(data: bytes, before: Mapping[str, Json], *entries: Mapping[str, Json]) -> bool:
    """True when the file would say what it said, and the entries."""
    listed = before.get("evidence")
    wanted = {**before, "evidence": [*listed, *map(dict, entries)]} if isinstance(listed, list) else None
    try:
        return parse_text(data, REVIEW) == wanted
    except BadInput:
        return False


def with_entries(before: bytes, key: str, entries: Sequence[Mapping[str, Json]], name: str) -> bytes:
    """A YAML file with entries at the end of the list that is its last member; what stood there stays byte for byte.

    Args:
        before: its bytes.
        key: the list's name.
        entries: what is added.
        name: what problems call the file.

    Raises:
        BadInput: the file is of another form.
    """
    old = parse_text(before, name)
    listed = old.get(key) if isinstance(old, Mapping) else None
    end = b"\r\n" if b"\r\n" in before else b"\n"
    head = re.search(rb"^%s:[ \t]*(\[[ \t]*\])?[ \t]*(?:#[^\n]*)?\r?$" % key.encode(), before, re.MULTILINE)
    if head is not None:
        text = before if before.endswith(b"\n") else before + end
        text = text if head[1] is None else text[: head.start(1)] + text[head.end(1) :]
        dash = DASH.search(before, head.end()) if head[1] is None else None
        width = len(dash[1]) if dash else 2
        after = text + b"".join(indented(as_yaml(dict(entry)), width, end) for entry in entries)
        wanted = (
            {**old, key: [*(listed if isinstance(listed, list) else ()), *map(dict, entries)]}
            if isinstance(old, Mapping)
            else None
        )
        with suppress(BadInput):
            if parse_text(after, name) == wanted:
                return after
    advice = f"Write `{key}:` and a list with one `- ` per entry, at the end of the file"
    raise bad_input("not-appendable", "the file's form allows no appending", file=name, advice=advice)


def _appended(before: bytes, entry: Mapping[str, Json]) -> bytes:
    """The file with the entry at the end of its list, in the indentation that the list has."""
    if before.lstrip()[:1] == b"{":
        return _appended_json(before, entry)
    end = b"\r\n" if b"\r\n" in before else b"\n"
    if not before.endswith(b"\n"):
        before += end
    head = _LIST.search(before)
    if head is None:
        return before
    following = _NEXT_KEY.search(before, head.end() + 1)
    block_end = following.start() if following else len(before)
    block = before[head.end() : block_end]
    trailing = _TRAILING.search(block)
    at = block_end - (len(trailing[0]) if trailing else 0)
    dash = DASH.search(before, head.end())
    width = len(dash[1]) if dash and dash.start() < at else 2
    return before[:at] + indented(as_yaml(entry), width, end) + before[at:]


def _appended_json(before: bytes, entry: Mapping[str, Json]) -> bytes:
    """A list in JSON, which is YAML too, with the entry at its end; what can't be told stays as it is."""
    text = before.decode("utf-8", "surrogateescape")
    head = _JSON_LIST.search(text)
    if head is None:
        return before
    try:
        listed, end = json.JSONDecoder().raw_decode(text, head.end())
    except ValueError:
        return before
    kept = text[: end - 1].rstrip()
    added = json.dumps(entry, ensure_ascii=False, indent=1)
    return f"{kept}{',' if listed else ''}\n{added}\n{text[end - 1 :]}".encode("utf-8", "surrogateescape")
