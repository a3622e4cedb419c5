"""A bill of materials in CycloneDX JSON: components at any depth, and each vulnerability as the document states it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_text import listed, mapping, word
from evreview.core.vocabulary import Json
from evreview.evidence.imports.bill_of_materials import Component, bad_entry, imported, require_unique
from evreview.evidence.imports.model import Imported, Supplied, document_of, in_line, some, wrong_format

_VERSIONS: Final = ("1.4", "1.5", "1.6")
_AFFECTED: Final = "affected"


def read(supplied: Supplied) -> Imported:
    """What the document lists.

    Raises:
        BadInput: the file is no CycloneDX JSON of a known version, lists nothing, or an entry can't be read.
    """
    bom = document_of(supplied)
    if bom.get("bomFormat") != "CycloneDX":
        raise wrong_format(supplied, "CycloneDX document", "Write the bill of materials as CycloneDX JSON")
    version = bom.get("specVersion")
    if version not in _VERSIONS:
        found = f"CycloneDX {in_line(str(version))}, which is not known here"
        advice = f"Write it in version {', '.join(_VERSIONS[:-1])} or {_VERSIONS[-1]}"
        raise bad_input("import-format", found, file=supplied.name, place="#/specVersion", advice=advice)
    problems: list[Problem] = []
    metadata = mapping(bom.get("metadata"))
    components = tuple(_components(_entries(bom, "components", "#", supplied, problems), supplied, problems))
    subject = [(metadata["component"], "#/metadata/component")] if "component" in metadata else []
    services = [(mapping(one), place) for one, place in _entries(bom, "services", "#", supplied, problems)]
    entries = [mapping(one) for one, _ in _entries(bom, "vulnerabilities", "#", supplied, problems)]
    named = (
        *components,
        *_components(subject, supplied, problems),
        *(Component(word(one.get("bom-ref")), word(one.get("name")), "", "", place) for one, place in services),
    )
    if problems:
        raise BadInput(problems)
    require_unique(((one.ref, one.place) for one in named), supplied)
    known = {one.ref: one.shown for one in named if one.ref}
    link = _link(bom)
    stated = [_stated(one, known, link) for one in entries]
    return imported(supplied, f"CycloneDX {version}", ".json", components, stated)


def _entries(
    owner: Mapping[str, Json], key: str, at: str, supplied: Supplied, problems: list[Problem]
) -> list[tuple[Json, str]]:
    """The entries of a list with their places; a list or an entry of another form is added to the problems."""
    value, place = owner.get(key, []), f"{at}/{key}"
    if not isinstance(value, list):
        problems.append(bad_entry(supplied, place, f"{key} that are no list"))
    found = [(one, f"{place}/{number}") for number, one in enumerate(listed(value))]
    problems += [bad_entry(supplied, place, "no object") for one, place in found if not isinstance(one, Mapping)]
    return [(one, place) for one, place in found if isinstance(one, Mapping)]


def _components(
    listed_ones: Iterable[tuple[Json, str]], supplied: Supplied, problems: list[Problem]
) -> Iterator[Component]:
    """Components and those inside them; one without a name is added to the problems."""
    waiting = deque(listed_ones)
    while waiting:
        one, at = waiting.popleft()
        part = mapping(one)
        if not word(part.get("name")).strip():
            problems.append(bad_entry(supplied, at, "a component without a name"))
            continue
        licenses = next(filter(None, map(_license, listed(part.get("licenses")))), "")
        name = "/".join(filter(None, (word(part.get("group")), word(part["name"]))))
        yield Component(word(part.get("bom-ref")), name, word(part.get("version")), licenses, at)
        waiting += _entries(part, "components", at, supplied, problems)


def _license(choice: Json) -> str:
    """What an entry of `licenses` names: an expression, an id of SPDX or a name."""
    told, one = mapping(choice), mapping(mapping(choice).get("license"))
    return word(told.get("expression")) or word(one.get("id")) or word(one.get("name"))


def _link(bom: Mapping[str, Json]) -> str:
    """How another document would link to a component of this one, "" where it has no serial number."""
    serial = word(bom.get("serialNumber")).removeprefix("urn:uuid:")
    return f"urn:cdx:{serial}/{bom.get('version', 1)}#" if serial else ""


def _stated(entry: Mapping[str, Json], known: Mapping[str, str], link: str) -> str:
    """Id, severities, components and analysis of a vulnerability, each as it stands there."""
    ratings = [mapping(one) for one in listed(entry.get("ratings"))]
    severities = list(dict.fromkeys(filter(None, (word(one.get("severity")) for one in ratings))))
    targets = [_target(mapping(one), known, link) for one in listed(entry.get("affects"))]
    analysis = mapping(entry.get("analysis"))
    state, why = word(analysis.get("state")), word(analysis.get("justification"))
    return "; ".join(
        (
            in_line(word(entry.get("id"))) or "a vulnerability without an id",
            f"severity {some(severities) or 'not stated'}",
            f"for {some(targets) or 'no component'}",
            f"analysis {in_line(state) or 'not stated'}" + (f" ({in_line(why)})" if why else ""),
        )
    )


def _target(target: Mapping[str, Json], known: Mapping[str, str], link: str) -> str:
    """The component that an entry of `affects` names, and what is stated of its versions beside affected."""
    ref = word(target.get("ref"))
    name = known.get(ref) or known.get(ref.removeprefix(link) if link else ref)
    states = [word(mapping(one).get("status")) or _AFFECTED for one in listed(target.get("versions"))]
    others = dict.fromkeys(one for one in states if one != _AFFECTED)
    shown = in_line(name) if name else f"{in_line(ref) or '(nothing)'}, which is no component of this file"
    return f"{shown} (versions stated {some(dict.fromkeys(states))})" if others else shown
