"""A bill of materials in SPDX 2.2 or 2.3, as JSON or tag and value: its packages and which licenses they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_text import listed, mapping, word
from evreview.core.vocabulary import Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.bill_of_materials import Component, bad_entry, imported, require_unique
from evreview.evidence.imports.model import Imported, Supplied, document_of, in_line, wrong_format

_VERSIONS: Final = ("SPDX-2.2", "SPDX-2.3")
_NONE: Final = frozenset({"", "NOASSERTION", "NONE"})
_FIRST: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n)*SPDXVersion:")
_TAG: Final = re.compile(r"([A-Za-z]+):[ \t]*(.*)")
_SECTIONS: Final = {"PackageName": "packages", "FileName": "files", "SnippetSPDXID": "snippets"}
_MEMBERS: Final = {
    "PackageName": "name",
    "SPDXID": "SPDXID",
    "SnippetSPDXID": "SPDXID",
    "PackageVersion": "versionInfo",
    "PackageLicenseConcluded": "licenseConcluded",
    "PackageLicenseDeclared": "licenseDeclared",
}


def read(supplied: Supplied) -> Imported:
    """What the document lists.

    Raises:
        BadInput: the file is no SPDX of a known version, lists no package, or an entry can't be read.
    """
    is_tagged = _FIRST.match(supplied.data) is not None
    document = _tagged(supplied) if is_tagged else document_of(supplied)
    version = document.get("spdxVersion")
    if version is None:
        advice = "Write the bill of materials as SPDX 2.3, in JSON or tag and value"
        raise wrong_format(supplied, "SPDX 2 document", advice)
    if version not in _VERSIONS:
        found = f"{in_line(str(version))}, which is not known here"
        advice = f"Write it as {' or '.join(_VERSIONS)}"
        raise bad_input("import-format", found, file=supplied.name, place="#/spdxVersion", advice=advice)
    problems: list[Problem] = []
    packages = tuple(_packages(document.get("packages"), supplied, problems))
    if problems:
        raise BadInput(problems)
    others = [
        (word(mapping(one).get("SPDXID")), f"#/{part}/{at}")
        for part in ("files", "snippets")
        for at, one in enumerate(listed(document.get(part)))
    ]
    own = (word(document.get("SPDXID")), "#/SPDXID")
    require_unique([own, *((one.ref, one.place) for one in packages), *others], supplied)
    ending = ".spdx" if is_tagged else ".json" if supplied.data.lstrip().startswith(b"{") else ".yaml"
    return imported(supplied, f"SPDX {str(version).removeprefix('SPDX-')}", ending, packages)


def _packages(value: Json, supplied: Supplied, problems: list[Problem]) -> Iterator[Component]:
    """The packages; one without a name is added to the problems."""
    if value is not None and not isinstance(value, list):
        problems.append(bad_entry(supplied, "#/packages", "packages that are no list"))
    for at, one in enumerate(listed(value)):
        part, place = mapping(one), f"#/packages/{at}"
        if not word(part.get("name")).strip():
            problems.append(bad_entry(supplied, place, "a package without a name"))
            continue
        stated = (word(part.get(key)).strip() for key in ("licenseConcluded", "licenseDeclared"))
        license_named = next((each for each in stated if each not in _NONE), "")
        version = word(part.get("versionInfo"))
        yield Component(word(part.get("SPDXID")), word(part["name"]), version, license_named, place)


def _tagged(supplied: Supplied) -> Mapping[str, Json]:
    """A document of tags and values as its JSON form has it, as far as it is read here.

    Raises:
        BadInput: a text of several lines does not end.
    """
    packages: list[Json] = []
    document: dict[str, Json] = {"packages": packages, "files": [], "snippets": []}
    section: dict[str, Json] = document
    is_open, opened = False, 0
    for number, line in enumerate(text_of(supplied.data, supplied.name).split("\n"), 1):
        found = _TAG.match(line) if not is_open else None
        if "<text>" in line and not is_open:
            is_open, opened = True, number
        if is_open and "</text>" in line:
            is_open = False
        if found is None:
            continue
        tag, value = found[1], found[2].removeprefix("<text>").removesuffix("</text>").strip()
        if tag == "SPDXVersion":
            document.setdefault("spdxVersion", value)
        if tag in _SECTIONS:
            section = {}
            entries = document[_SECTIONS[tag]]
            assert isinstance(entries, list)
            entries.append(section)
        if tag in _MEMBERS:
            section.setdefault(_MEMBERS[tag], value)
    if is_open:
        found_open = "a <text> that does not end"
        raise BadInput([bad_entry(supplied, f"line {opened}", found_open)])
    return document
