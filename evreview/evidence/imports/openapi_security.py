"""What an OpenAPI document declares of security, operation by operation, beside the inventory of controls.

A declaration says what callers shall send. That a guard asks for it only code shows, so nothing becomes a control here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from evreview.core.document_text import line_of
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import follow, place
from evreview.core.json_text import listed, mapping, texts_of, word
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import Area, EvidenceType, Json
from evreview.evidence.element_mentions import METHODS, operation_key
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import (
    Imported,
    KeptFile,
    Supplied,
    document_of,
    in_line,
    some,
    told_lines,
    wrong_format,
)

_VERSION: Final = re.compile(r"3\.[01](\.\d+)?(-\S+)?|2\.0")
_MOST_REFERENCES: Final = 20
_ACCESS: Final = (Area.AUTHENTICATION, Area.AUTHORIZATION)
_EVERY: Final = "*"
Scopes = Mapping[str, tuple[str, ...]]
"""Scopes by the name of their scheme."""


@dataclass(frozen=True, slots=True)
class _Operation:
    """One operation: its name, its pointer, how routes may name it, and each combination of schemes that lets in."""

    name: str
    at: str
    keys: frozenset[str]
    ways: tuple[Scopes, ...]

    @property
    def is_open(self) -> bool:
        """True where what is declared lets a caller in without credentials."""
        return not self.ways or not all(self.ways)


@dataclass(slots=True)
class _Document:
    """The document while it is read; what can't be read, and what stands in another file, is noted."""

    root: Mapping[str, Json]
    file: str
    problems: list[Problem] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def resolved(self, value: Json, at: str) -> Mapping[str, Json]:
        """An object with what its reference leads to; empty where that is another file or nothing."""
        node = mapping(value)
        for _ in range(_MOST_REFERENCES):
            reference = node.get("$ref")
            if reference is None:
                return node
            target = follow(self.root, unquote(word(reference)[1:])) if word(reference).startswith("#") else None
            own = {key: each for key, each in node.items() if key != "$ref"}
            if not isinstance(target, Mapping):
                break
            node = {**target, **own}
        self.elsewhere.append(at)
        return {}

    def operations(self) -> Iterator[_Operation]:
        """The operations below `paths`."""
        for path, value in mapping(self.root.get("paths")).items():
            item = self.resolved(value, path) if path.startswith("/") else {}
            for method in (each for each in item if each.upper() in METHODS):
                name, at, operation = f"{method.upper()} {path}", place(("paths", path, method)), item[method]
                if not isinstance(operation, Mapping):
                    self._refuse("an operation that is no object", at)
                    continue
                prefixes = ("", *self._prefixes(operation, item))
                keys = frozenset(operation_key(f"{method} {prefix}{path}") for prefix in prefixes)
                yield _Operation(name, at, keys, tuple(self._ways(operation, at)))

    def _ways(self, operation: Mapping[str, Json], at: str) -> Iterator[Scopes]:
        """The operation's own demand, else that of the document."""
        owner = operation if "security" in operation else self.root
        found = owner.get("security", [])
        ways = found if isinstance(found, list) else [None]
        for way in ways:
            if not isinstance(way, Mapping) or not all(isinstance(scopes, list) for scopes in way.values()):
                self._refuse("a demand that can't be read", f"{at}/security" if owner is operation else "#/security")
                return
            yield {name: tuple(texts_of(scopes)) for name, scopes in way.items()}

    def _refuse(self, found: str, at: str) -> None:
        advice = "Write it as OpenAPI has it: `security` is a list of objects, each with schemes and their scopes"
        self.problems.append(Problem(code="bad-openapi", found=found, file=self.file, place=at, advice=advice))

    def _prefixes(self, operation: Mapping[str, Json], item: Mapping[str, Json]) -> Iterator[str]:
        """The paths of the servers, in front of which a route may be registered."""
        yield word(self.root.get("basePath")).rstrip("/")
        servers = next((found for owner in (operation, item, self.root) if (found := listed(owner.get("servers")))), ())
        for server in map(mapping, servers):
            url = word(server.get("url"))
            for name, variable in mapping(server.get("variables")).items():
                url = url.replace(f"{{{name}}}", word(mapping(variable).get("default")))
            try:
                yield urlsplit(url).path.rstrip("/")
            except ValueError:
                continue

    def schemes(self) -> dict[str, tuple[str, frozenset[str] | None]]:
        """By name the pointer of each scheme and the scopes that it declares, None for one that declares none."""
        steps = ("components", "securitySchemes") if "openapi" in self.root else ("securityDefinitions",)
        found: dict[str, tuple[str, frozenset[str] | None]] = {}
        for name, value in mapping(follow(self.root, place(steps)[1:])).items():
            at = place((*steps, name))
            scheme = self.resolved(value, name)
            flows = [scheme, *map(mapping, mapping(scheme.get("flows")).values())]
            scopes = frozenset(scope for flow in flows for scope in mapping(flow.get("scopes")))
            found[name] = at, scopes if scheme.get("type") == "oauth2" else None
        return found

    def named_elsewhere(self) -> set[str]:
        """Schemes that any demand of the document names, that of the document itself left out."""
        found: set[str] = set()
        waiting: list[Json] = [*self.root.values()]
        while waiting:
            node = waiting.pop()
            waiting += node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
            found.update(name for way in listed(mapping(node).get("security")) for name in mapping(way))
        return found


def read(supplied: Supplied) -> Imported:
    """The document as an item, and what it declares beside the controls.

    Raises:
        BadInput: the file is no OpenAPI document, has no operation, or a demand of it can't be read.
    """
    root = document_of(supplied)
    if not _VERSION.fullmatch(str(root.get("openapi", root.get("swagger")))):
        raise wrong_format(supplied, "OpenAPI document", "Name one of OpenAPI 3.0, OpenAPI 3.1 or Swagger 2.0")
    document = _Document(root, supplied.name)
    operations, schemes = tuple(document.operations()), document.schemes()
    if document.problems:
        raise BadInput(tuple(dict.fromkeys(document.problems)))
    if not operations:
        found = "no operation of the document can be read" if document.elsewhere else "the document has no operation"
        raise bad_input(
            "import-empty", found, file=supplied.name, advice="Name a document with operations in its paths"
        )
    kept = KeptFile(
        ending=".json" if supplied.data.lstrip().startswith(b"{") else ".yaml",
        text=text_of(supplied.data, supplied.name),
        type=EvidenceType.CONTRACT,
        establishes=f"What the document with sha256:{supplied.digest} declares. Not that a guard stands in the code.",
    )
    said = (
        *_declared(operations),
        *_compared(operations, supplied),
        *_schemes(operations, schemes, document, supplied),
        "no control  a declaration shows no guard in the code: the inventory stays as it is",
    )
    return Imported(name="imports/openapi", type=kept.type, kept=kept, told=said)


def _declared(operations: tuple[_Operation, ...]) -> Iterator[str]:
    free = [one.name for one in operations if one.is_open]
    yield f"declares    {counted(len(operations), 'operation')}: {len(operations) - len(free)} with a demand"
    if free:
        yield f"            {len(free)} without, or with an optional one: {some(free)}"


def _compared(operations: tuple[_Operation, ...], supplied: Supplied) -> Iterator[str]:
    """A line for each operation that the document and the controls tell differently."""
    controls = supplied.reviewed.controls
    if controls is None:
        yield "compared    with nothing: no inventory of controls is filled in"
        return
    lines: list[tuple[str, str, str]] = []
    for one in operations:
        naming = [
            each
            for each in controls
            if _EVERY in each.routes or not one.keys.isdisjoint(map(operation_key, each.routes))
        ]
        access = [each.id for each in naming if each.area in _ACCESS]
        if one.is_open and access:
            lines.append((one.name, one.at, f"lets callers in without credentials; controls name it: {some(access)}"))
        elif not one.is_open and not any(each.area is Area.AUTHENTICATION for each in naming):
            names = dict.fromkeys(name for way in one.ways for name in way)
            lines.append((one.name, one.at, f"demands {some(names)}; no control of authentication names it"))
    yield f"compared    with {counted(len(controls), 'control')}: {counted(len(lines), 'operation')} to act on"
    yield from told_lines("act on", [f"{_spot(supplied, at)}: {in_line(name)} {what}" for name, at, what in lines])


def _schemes(
    operations: tuple[_Operation, ...],
    schemes: Mapping[str, tuple[str, frozenset[str] | None]],
    document: _Document,
    supplied: Supplied,
) -> Iterator[str]:
    """What is told of the schemes: their scopes, and those that nothing demands or declares."""
    demanded: dict[str, dict[str, None]] = {}
    for way in (way for one in operations for way in one.ways):
        for name, each in way.items():
            demanded.setdefault(name, {}).update(dict.fromkeys(each))
    for name, scopes in demanded.items():
        known = schemes.get(name, ("", None))[1]
        parts = {"demanded": list(scopes)}
        if known is not None:
            parts["not declared"] = [each for each in scopes if each not in known]
            parts["never demanded"] = sorted(known - scopes.keys())
        said = [f"{what} {some(each)}" for what, each in parts.items() if each]
        if said:
            yield f"scopes      {in_line(name)}: {'; '.join(said)}"
    unknown = [name for name in demanded if name not in schemes]
    if unknown:
        yield f"undeclared  {some(unknown)}: demanded, and no scheme of the document has the name"
    if document.elsewhere:
        yield f"not read    {some(document.elsewhere)}: not in this file, so that no scheme is called unused"
        return
    used = demanded.keys() | document.named_elsewhere()
    unused = [name for name in schemes if name not in used]
    if unused:
        yield f"unused      {some(f'{name} ({_spot(supplied, schemes[name][0])})' for name in unused)}"


def _spot(supplied: Supplied, at: str) -> str:
    """File and line of a pointer."""
    return f"{supplied.name}:{line_of(supplied.data, at)}"
