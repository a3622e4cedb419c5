"""A Python library as a contract: a folder, a module, a wheel or a source distribution. Nothing is imported or run."""

from __future__ import annotations

import hashlib
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from evreview.contract.model import Contract, Element, ElementKind, Facet, Place, UnsupportedConstruct
from evreview.contract.source import MAX_FILES, Files
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Aspect, ContractKind, Json, Role
from evreview.kinds.python import is_archive
from evreview.kinds.python import signatures as sig
from evreview.kinds.python.metadata import MAX_FILE, NAMES, Metadata, inline_requires, metadata_of, unpacked
from evreview.kinds.python.names import is_test

if TYPE_CHECKING:
    from evreview.kinds.python.elements import PublicSurface
    from evreview.kinds.python.names import Names
    from evreview.kinds.python.parsed import Module


# Which files make up a library, what their modules are called, and what its metadata say.

_LOOSE: Final = frozenset(
    {"setup", "conftest", "noxfile", "fabfile", "tasks", "versioneer", "manage", "conf", "build", "_custom_build"}
)
_ASIDE: Final = frozenset(
    {
        "tests",
        "test",
        "docs",
        "doc",
        "examples",
        "example",
        "benchmarks",
        "benchmark",
        "scripts",
        "tools",
        "ci",
        "build",
    }
)
_PROJECTS: Final = frozenset({"src", "lib", "python"})
_DESCRIBING: Final = frozenset({"pyproject.toml", "setup.cfg", "setup.py", "PKG-INFO"})
_IMPORTED: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)\.(\w+)", re.M)
_INIT: Final = ("__init__.py", "__init__.pyi")


@frozen(kw_only=True)
class Sources:
    """The files of one library.

    Attributes:
        modules: file by dotted module path.
        stubs: stub file by dotted module path, where a module has both.
        texts: bytes by file.
        prefix: the import name that the paths leave out, "" when they hold it.
        metadata: what the metadata say.
        runs: dotted paths of the packages that hold a `__main__`.
        left_out: one file of each folder without `__init__` that was left out.
        typed: whether a package at the top is marked as typed; None for a single file.
        sha256: of the archive or the single file; of the sorted digests of several.
    """

    modules: Mapping[str, str]
    stubs: Mapping[str, str]
    texts: Mapping[str, bytes]
    prefix: str
    metadata: Metadata
    typed: bool | None
    sha256: str
    left_out: tuple[str, ...] = ()
    runs: frozenset[str] = frozenset()


def sources_of(files: Files) -> Sources:
    """The files of a library in an archive, a folder, or a single file with the parts listed beside it.

    Raises:
        BadInput: no Python file, too many of them, or an archive that can't be read.
    """
    if files.entry.endswith(".whl") and not is_archive(files.data):
        found = f"the wheel is no zip archive ({len(files.data):,} bytes)"
        raise bad_input("archive-broken", found, file=files.entry, advice="Get the wheel anew")
    if files.entry and is_archive(files.data):
        return _made(unpacked(files.data, files.entry), files.entry, hashlib.sha256(files.data).hexdigest())
    if files.entry and not files.names:
        return _single(files)
    names = {name for name in (files.entry, *files.names) if name}
    wanted = sorted(name for name in names if _is_read(name))
    if len(wanted) > 10 * MAX_FILES:
        raise bad_input("contract-too-many-files", f"more than {10 * MAX_FILES:,} files", file=files.entry)
    texts = {name: files.load(name) for name in wanted}
    digests = sorted(hashlib.sha256(data).hexdigest() for data in texts.values())
    return _made(texts, files.entry, hashlib.sha256("\n".join(digests).encode()).hexdigest())


def _is_read(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix in (".py", ".pyi") or path.name in NAMES


def _single(files: Files) -> Sources:
    """One file: nobody knows what it is imported as, so its names stand alone."""
    digest = hashlib.sha256(files.data).hexdigest()
    texts = {files.entry: files.data}
    prefix = PurePosixPath(files.entry).stem.replace("-", "_").replace(".", "_")
    prefix = prefix if prefix.isidentifier() and prefix != "__init__" else "module"
    return Sources(
        modules={"": files.entry},
        stubs={},
        texts=texts,
        prefix=prefix,
        metadata=Metadata(requires=inline_requires(files.data)),
        typed=None,
        sha256=digest,
    )


def _made(texts: Mapping[str, bytes], entry: str, digest: str) -> Sources:
    for name, data in texts.items():
        if len(data) > MAX_FILE:
            raise bad_input("text-too-large", f"more than {MAX_FILE:,} bytes", file=name)
    python = [name for name in texts if name.endswith((".py", ".pyi"))]
    described = {PurePosixPath(name).parent.as_posix() for name in texts if PurePosixPath(name).name in _DESCRIBING}
    root = _root(python, entry, described)
    is_wheel = any(name.endswith(".dist-info/METADATA") for name in texts)
    inside = {name[len(root) :]: name for name in python if name.startswith(root)}
    whole = next((True for name in inside if name in _INIT), False)
    modules, stubs = _modules(inside, whole=whole, loose=is_wheel)
    left = () if is_wheel or whole else _left_aside(inside)
    if not modules and not whole:
        # Nothing but modules in folders without `__init__`: namespace packages (PEP 420).
        (modules, stubs), left = _modules(inside, whole=whole, loose=True), ()
    if not modules:
        advice = "Name a package's folder, a module, a wheel or a source distribution"
        raise bad_input("python-no-modules", "no Python module was found", file=entry, advice=advice)
    return Sources(
        modules=modules,
        stubs=stubs,
        texts=texts,
        prefix=_prefix(inside, texts) if whole else "",
        metadata=metadata_of(texts, root),
        typed=any(name.startswith(root) and _is_marker(name.removeprefix(root)) for name in texts),
        sha256=digest,
        left_out=left,
        runs=_runs(inside, whole=whole),
    )


def _modules(inside: Mapping[str, str], *, whole: bool, loose: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Files by dotted module path, and the stub files beside modules."""
    modules: dict[str, str] = {}
    stubs: dict[str, str] = {}
    for short, name in sorted(inside.items()):
        path = _module_path(short, inside, whole=whole, loose=loose)
        if path is not None:
            kept = stubs if name.endswith(".pyi") and inside.get(short[:-1]) else modules
            kept.setdefault(path, name)
    return modules, stubs


def _runs(inside: Mapping[str, str], *, whole: bool) -> frozenset[str]:
    around = (PurePosixPath(short).parent.parts for short in inside if PurePosixPath(short).name == "__main__.py")
    return frozenset(".".join(parts) for parts in around if parts or whole)


def _left_aside(inside: Mapping[str, str]) -> tuple[str, ...]:
    """One file of each folder without `__init__` whose modules may be part of the library all the same."""
    found: dict[str, str] = {}
    for short, name in sorted(inside.items()):
        parts = PurePosixPath(short).parts
        top = parts[0]
        packaged = any(f"{top}/{init}" in inside for init in _INIT) or _is_namespace(top, inside)
        if len(parts) > 1 and top not in _ASIDE and top.isidentifier() and not packaged and not is_test(top):
            found.setdefault(top, name)
    return tuple(found.values())


def _is_marker(short: str) -> bool:
    """True for the marker of a package at the top (PEP 561)."""
    return short.rpartition("/")[2] == "py.typed" and short.count("/") <= 1


def _root(python: list[str], entry: str, described: set[str]) -> str:
    """The folder that imports start at: around the package named, or below the only folder, and below `src`.

    A folder without `__init__` is a project where its name is none of a package, or metadata stand in it (`described`);
    otherwise it is a namespace package (PEP 420).
    """
    path = PurePosixPath(entry)
    if path.name in _INIT and len(path.parts) > 1:
        around = path.parent.parent.as_posix()
        return "" if around == "." else f"{around}/"
    root = ""
    tops = {name.split("/")[0] for name in python}
    if len(tops) == 1 and not any(f"{top}/{init}" in python for top in tops for init in _INIT):
        top = next(iter(tops))
        holds = top in _PROJECTS or not top.isidentifier() or f"{top}/setup.py" in python or top in described
        root = f"{top}/" if "/" in python[0] and holds else ""
    while any(name.startswith(f"{root}src/") for name in python) and f"{root}__init__.py" not in python:
        root = f"{root}src/"
    return root


def _module_path(short: str, inside: Mapping[str, str], *, whole: bool, loose: bool) -> str | None:
    """The dotted path of a file, None for one that is no part of the library."""
    path = PurePosixPath(short)
    parts = [*path.parent.parts, path.stem]
    if not all(part.isidentifier() for part in parts):
        return None
    if not whole:
        top = parts[0]
        packaged = any(f"{top}/{init}" in inside for init in _INIT)
        if len(parts) == 1 and (top in _LOOSE or top.startswith("test_")):
            return None
        if len(parts) > 1 and not loose and (top in _ASIDE or not (packaged or _is_namespace(top, inside))):
            return None
    made = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return None if is_test(made) else made


def _is_namespace(top: str, inside: Mapping[str, str]) -> bool:
    """True for a folder without `__init__` that holds packages."""
    return any(name.startswith(f"{top}/") and name.endswith("/__init__.py") for name in inside)


def _prefix(inside: Mapping[str, str], texts: Mapping[str, bytes]) -> str:
    """What the package imports itself as, where its own folder was named; "package" when it never does."""
    own = {PurePosixPath(name).parts[0].removesuffix(".py") for name in inside}
    counted: Counter[str] = Counter()
    for name in inside.values():
        counted.update(first.decode() for first, second in _IMPORTED.findall(texts[name]) if second.decode() in own)
    return counted.most_common(1)[0][0] if counted else "package"


def decoded(data: bytes) -> str:
    """A file's text, by its coding line.

    Raises:
        SyntaxError: the coding is unknown, or the bytes are not of it.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise SyntaxError(f"the bytes are not {encoding}: {error.reason}") from None
    if "\0" in text:
        raise SyntaxError("the text holds null characters")
    return text.replace("\r\n", "\n").replace("\r", "\n")


_SHOWN: Final = 200
_ROOT: Final = "library"


def read(files: Files) -> Contract:
    """The library's public names as a contract.

    Raises:
        BadInput: no module, an archive that can't be read, or a single file that is no Python.
    """
    from evreview.kinds.python.elements import PublicSurface, untold
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
