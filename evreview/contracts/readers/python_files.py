"""Which files make up a library, what their modules are called, and what its metadata say."""

from __future__ import annotations

import configparser
import email.parser
import hashlib
import io
import re
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from evreview.contracts.readers.python_archive import MAX_FILE, is_archive, unpacked
from evreview.contracts.readers.python_names import is_test
from evreview.contracts.source import MAX_FILES, Files
from evreview.errors import bad_input

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
_IMPORTED: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)\.(\w+)", re.M)
_SCRIPT: Final = re.compile(rb"^# /// script$\n((?:^#(?: .*)?$\n)+)^# ///$", re.M)
_INIT: Final = ("__init__.py", "__init__.pyi")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The files of one library.

    Attributes:
        modules: file by dotted module path.
        stubs: stub file by dotted module path, where a module has both.
        texts: bytes by file.
        prefix: the import name that the paths leave out, "" when they hold it.
        name, version, requires: what the metadata say, "" where they are silent.
        sha256: of the archive or the single file; of the sorted digests of several.
    """

    modules: Mapping[str, str]
    stubs: Mapping[str, str]
    texts: Mapping[str, bytes]
    prefix: str
    name: str
    version: str
    requires: str
    sha256: str


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
    return path.suffix in (".py", ".pyi") or path.name in ("METADATA", "PKG-INFO", "pyproject.toml", "setup.cfg")


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
        name="",
        version="",
        requires=_inline(files.data),
        sha256=digest,
    )


def _inline(data: bytes) -> str:
    """What a script asks for in its comments (PEP 723)."""
    block = _SCRIPT.search(data)
    if block is None:
        return ""
    text = b"\n".join(line[2:] for line in block[1].splitlines()).decode("utf-8", "replace")
    try:
        return _specifier(str(tomllib.loads(text).get("requires-python", "")))
    except tomllib.TOMLDecodeError:
        return ""


def _made(texts: Mapping[str, bytes], entry: str, digest: str) -> Sources:
    for name, data in texts.items():
        if len(data) > MAX_FILE:
            raise bad_input("text-too-large", f"more than {MAX_FILE:,} bytes", file=name)
    python = [name for name in texts if name.endswith((".py", ".pyi"))]
    root = _root(python, entry)
    is_wheel = any(name.endswith(".dist-info/METADATA") for name in texts)
    inside = {name[len(root) :]: name for name in python if name.startswith(root)}
    whole = next((True for name in inside if name in _INIT), False)
    modules: dict[str, str] = {}
    stubs: dict[str, str] = {}
    for short, name in sorted(inside.items()):
        path = _module_path(short, inside, whole=whole, loose=is_wheel)
        if path is not None:
            kept = stubs if name.endswith(".pyi") and inside.get(short[:-1]) else modules
            kept.setdefault(path, name)
    if not modules:
        advice = "Name a package's folder, a module, a wheel or a source distribution"
        raise bad_input("python-no-modules", "no Python module was found", file=entry, advice=advice)
    name, version, requires = _metadata(texts)
    return Sources(
        modules=modules,
        stubs=stubs,
        texts=texts,
        prefix=_prefix(inside, texts) if whole else "",
        name=name,
        version=version,
        requires=requires,
        sha256=digest,
    )


def _root(python: list[str], entry: str) -> str:
    """The folder that imports start at: around the package named, or below the only folder, and below `src`."""
    path = PurePosixPath(entry)
    if path.name in _INIT and len(path.parts) > 1:
        around = path.parent.parent.as_posix()
        return "" if around == "." else f"{around}/"
    root = ""
    tops = {name.split("/")[0] for name in python}
    if len(tops) == 1 and not any(f"{top}/{init}" in python for top in tops for init in _INIT):
        top = next(iter(tops))
        root = f"{top}/" if "/" in python[0] else ""
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


def _metadata(texts: Mapping[str, bytes]) -> tuple[str, str, str]:
    """Name, version and requires-python by the metadata nearest to the root; built ones before written ones."""
    for ending in (".dist-info/METADATA", "PKG-INFO", "pyproject.toml", "setup.cfg"):
        for name in sorted((name for name in texts if name.endswith(ending)), key=lambda each: each.count("/")):
            found = tuple(_read(name, texts[name].decode("utf-8", "replace")))
            if any(found):
                return found[0], found[1], _specifier(found[2])
    return "", "", ""


def _read(name: str, text: str) -> Iterator[str]:
    if name.endswith("pyproject.toml"):
        try:
            table = tomllib.loads(text).get("project")
        except tomllib.TOMLDecodeError:
            table = None
        table = table if isinstance(table, dict) else {}
        yield from (str(table.get(key, "")) for key in ("name", "version", "requires-python"))
    elif name.endswith("setup.cfg"):
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(text)
        except configparser.Error:
            return
        get = parser.get
        yield from (get("metadata", "name", fallback=""), get("metadata", "version", fallback=""))
        yield get("options", "python_requires", fallback="")
    else:
        message = email.parser.HeaderParser().parsestr(text)
        yield from (str(message.get(key, "")) for key in ("Name", "Version", "Requires-Python"))


def _specifier(text: str) -> str:
    """A version specifier in one spelling: its parts sorted, without blanks."""
    return ",".join(sorted("".join(part.split()) for part in text.split(",") if part.strip()))
