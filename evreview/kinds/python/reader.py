"""A Python library as a contract: a folder, a module, a wheel or a source distribution. Nothing is imported or run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, UnsupportedConstruct
from evreview.contract.source import Files
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import Aspect, ContractKind, Json, Role
from evreview.kinds.python import signatures as sig

if TYPE_CHECKING:
    from evreview.kinds.python.elements import PublicSurface
    from evreview.kinds.python.files import Sources
    from evreview.kinds.python.names import Names
    from evreview.kinds.python.parsed import Module

_SHOWN: Final = 200
_ROOT: Final = "library"


def read(files: Files) -> Contract:
    """The library's public names as a contract.

    Raises:
        BadInput: no module, an archive that can't be read, or a single file that is no Python.
    """
    from evreview.kinds.python.elements import PublicSurface, untold
    from evreview.kinds.python.files import sources_of
    from evreview.kinds.python.names import Names

    sources = sources_of(files)
    parsing = _Parsing()
    modules = {path: module for path in sources.modules if (module := parsing.module(path, sources)) is not None}
    if not modules:
        raise BadInput(parsing.problems)
    names = Names(modules, sources.prefix)
    surface = PublicSurface.of(names, sources.runs)
    entry = files.entry or min(sources.modules.values(), key=lambda name: (name.count("/"), name))
    root = Element(
        kind=ElementKind.DOCUMENT,
        key=_ROOT,
        name=sources.metadata.name or _ROOT,
        aspect=Aspect.ANNOTATIONS,
        place=Place(entry, ""),
        role=Role.DOCUMENT,
        facets=(*_installed(sources), *untold(names, ""), *_of_package(surface, modules)),
        children=tuple(surface.elements()),
    )
    return Contract(
        kind=ContractKind.PYTHON,
        version="3",
        title=sources.metadata.name,
        release=sources.metadata.version,
        path=files.entry,
        sha256=sources.sha256,
        root=root,
        documents={},
        unread=(*parsing.unread, *_untold(names), *_computed(sources), *_left_out(sources)),
    )


def _of_package(surface: PublicSurface, modules: Mapping[str, Module]) -> Iterator[Facet]:
    """What the package itself answers and runs."""
    if "" in modules:
        yield from surface.answered(modules[""])
        yield from surface.running(modules[""])


def _installed(sources: Sources) -> Iterator[Facet]:
    """What the library is installed with."""
    metadata = sources.metadata
    if metadata.requires:
        yield Facet(sig.REQUIRES_PYTHON, Aspect.VERSION_SELECTORS, metadata.requires)
    if metadata.points is not None:
        yield Facet(sig.ENTRY_POINTS, Aspect.NAMES, list[Json](metadata.points))
    if metadata.extras is not None:
        yield Facet(sig.EXTRAS, Aspect.NAMES, list[Json](metadata.extras))
    if sources.typed is not None:
        yield Facet(sig.TYPED, Aspect.TYPES, sources.typed)


class _Parsing:
    """Parses files and keeps what could not be parsed."""

    def __init__(self) -> None:
        self.unread: list[UnsupportedConstruct] = []
        self.problems: list[Problem] = []

    def module(self, path: str, sources: Sources) -> Module | None:
        """The module of a path; None, and a row of its own, for a file that is no Python."""
        from evreview.kinds.python.files import decoded
        from evreview.kinds.python.source_griffe import parse

        file = sources.modules[path]
        called = ".".join(part for part in (sources.prefix, path) if part)
        stub = sources.stubs.get(path)
        try:
            stub_text = decoded(sources.texts[stub]) if stub is not None else None
            made = parse(called, file, decoded(sources.texts[file]), stub_text)
            return replace(made, path=path)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            found = f"the file can't be parsed as Python: {getattr(error, 'msg', None) or type(error).__name__}"
            running = ".".join(map(str, sys.version_info[:2]))
            advice = (
                f"Correct the file, or run evreview on a newer Python, if it is written for one (this is {running})"
            )
            self.unread.append(UnsupportedConstruct(Place.at_line(file, line), found, advice))
            self.problems += bad_input("python-syntax", found, file=file, place=f"line {line}", advice=advice).problems
            return None


def _untold(names: Names) -> Iterator[UnsupportedConstruct]:
    for module in names.public_modules:
        for star in names.open_stars(module):
            found = f"every name is taken from {star}, which is not part of the library"
            yield UnsupportedConstruct(
                Place.at_line(module.file, 1), found, "Supply that module as well, or note what it gives"
            )
        for name in names.missing(module):
            found = f"`__all__` lists {name}, which nothing in the module binds"
            yield UnsupportedConstruct(
                Place.at_line(module.file, 1), found, "`import *` fails where nothing makes the name"
            )
        for line, text in module.unread:
            found = f"`__all__` is changed by what only running tells: {text[:_SHOWN]}"
            yield UnsupportedConstruct(Place.at_line(module.file, line), found, "List the names, or note what they are")


def _computed(sources: Sources) -> Iterator[UnsupportedConstruct]:
    for key in sources.metadata.computed:
        file = min((name for name in sources.texts if f"/{name}".endswith("/setup.py")), key=lambda one: one.count("/"))
        found = f"`setup()` is given {key} by what only running tells"
        yield UnsupportedConstruct(
            Place.at_line(file, 1), found, "Supply the built metadata (a wheel), or note what it says"
        )


def _left_out(sources: Sources) -> Iterator[UnsupportedConstruct]:
    for file in sources.left_out:
        found = "the folder has no `__init__`, so that its modules are left out"
        yield UnsupportedConstruct(
            Place.at_line(file, 1), found, "If they are a namespace package, name that folder or the wheel"
        )
