"""Known exceptions of oasdiff, buf and Redocly: each told with its line, the file as an item. None is an approval."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from evreview.core.document_text import line_of
from evreview.core.errors import bad_input
from evreview.core.json_pointer import place
from evreview.core.json_text import listed, mapping
from evreview.core.quoted_text import begin_of, counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.element_mentions import METHODS
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, KeptFile, Supplied, document_of, told_lines, wrong_format

_LONGEST: Final = 200
_OPERATION: Final = re.compile(rf"(?i)\b(?:{'|'.join(sorted(METHODS))})\s+/\S*|\bcomponents?\b|\bapi\b")
_BUF_PARTS: Final = ("breaking", "lint")


@dataclass(frozen=True, slots=True)
class KnownException:
    """One entry of such a file: where it stands, and what it lets pass."""

    line: int | None
    what: str


def read_oasdiff(supplied: Supplied) -> Imported:
    """The lines of a file that oasdiff takes as `--err-ignore` or `--warn-ignore`."""
    found = [
        KnownException(number, line.strip())
        for number, line in enumerate(text_of(supplied.data, supplied.name).split("\n"), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not any(_OPERATION.search(one.what) for one in found):
        advice = "Name a file with a line such as `GET /parcels/{id} removed the optional property 'weight'`"
        raise wrong_format(supplied, "ignore file of oasdiff", advice)
    return _kept(supplied, "oasdiff", ".txt", found)


def read_buf(supplied: Supplied) -> Imported:
    """What `breaking` and `lint` of a `buf.yaml` leave out, for all files and for each module."""
    data = document_of(supplied)
    if data.get("version") not in ("v1", "v1beta1", "v2"):
        raise wrong_format(supplied, "buf.yaml", "Name a buf.yaml with version v1beta1, v1 or v2")
    return _kept(supplied, "buf", ".txt", list(_of_buf(data, supplied.data)))


def read_redocly(supplied: Supplied) -> Imported:
    """The places that a `.redocly.lint-ignore.yaml` names, by file and rule."""
    data = document_of(supplied)
    is_one = all(isinstance(rules, Mapping) and all(isinstance(at, list) for at in rules.values())
                 for rules in data.values())  # fmt: skip
    if not data or not is_one:
        advice = "Name the file that `redocly lint --generate-ignore-file` writes"
        raise wrong_format(supplied, "ignore file of Redocly", advice)
    found = [
        KnownException(line_of(supplied.data, place((file, rule, at))), f"{rule} at {file}{pointer}")
        for file, rules in data.items()
        for rule, pointers in mapping(rules).items()
        for at, pointer in enumerate(listed(pointers))
    ]
    return _kept(supplied, "redocly", ".txt", found)


def _of_buf(data: Mapping[str, Json], raw: bytes) -> Iterator[KnownException]:
    scopes: list[tuple[tuple[str | int, ...], Mapping[str, Json], str]] = [((), data, "")]
    for at, module in enumerate(listed(data.get("modules"))):
        scopes.append((("modules", at), mapping(module), f" of module {mapping(module).get('path', '.')}"))
    for steps, scope, where in scopes:
        for part in _BUF_PARTS:
            rules = mapping(scope.get(part))
            for key, said in (("except", "rule"), ("ignore", "path")):
                for at, value in enumerate(listed(rules.get(key))):
                    line = line_of(raw, place((*steps, part, key, at)))
                    yield KnownException(line, f"{part}{where}: {said} {value}")
            for rule, paths in mapping(rules.get("ignore_only")).items():
                for at, path in enumerate(listed(paths)):
                    line = line_of(raw, place((*steps, part, "ignore_only", rule, at)))
                    yield KnownException(line, f"{part}{where}: rule {rule} in {path}")


def _kept(supplied: Supplied, tool: str, ending: str, found: list[KnownException]) -> Imported:
    if not found:
        raise bad_input("import-empty", "the file lets nothing pass", file=supplied.name, advice="Nothing to import")
    kept = KeptFile(
        ending=ending,
        text=text_of(supplied.data, supplied.name),
        type=EvidenceType.CONFIGURATION_EXCERPT,
        establishes=f"What {tool} was told to let pass, as the file with sha256:{supplied.digest} states it. "
        "Not why, and not that anybody approved it.",
    )
    shown = told_lines("exception", [f"{supplied.name}:{one.line}: {begin_of(one.what, _LONGEST)}" for one in found])
    last = f"{counted(len(found), 'exception')} of {tool}: each is a note and no approval; nothing is decided by it"
    return Imported(name=f"imports/{tool}-exceptions", type=kept.type, kept=kept, told=(*shown, last))
