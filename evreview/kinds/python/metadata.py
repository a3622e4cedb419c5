"""What a library's metadata say: name, version, Python, commands and entry points, extras; and archives, unpacked.

Sources: Core metadata specifications; Entry points specification; pyproject.toml specification; Poetry, "pyproject";
setuptools, "Keywords". A `setup.py` is read, never run.
"""

from __future__ import annotations

import ast
import configparser
import email.parser
import io
import re
import tarfile
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from evreview.core.errors import BadInput, bad_input
from evreview.core.frozen import frozen
from evreview.kinds.python import ZIP

_SCRIPT: Final = re.compile(rb"^# /// script$\n((?:^#(?: .*)?$\n)+)^# ///$", re.M)
_CARET: Final = re.compile(r"\^\s*(\d+)((?:\.\d+)*)")
_TILDE: Final = re.compile(r"~\s*(\d+)(?:\.(\d+))?((?:\.\d+)*)")
_GROUPS: Final = {"scripts": "console_scripts", "gui-scripts": "gui_scripts"}
NAMES: Final = ("METADATA", "PKG-INFO", "pyproject.toml", "setup.cfg", "setup.py", "entry_points.txt", "py.typed")
"""The files that are read besides the modules."""


@frozen(kw_only=True)
class Metadata:
    """What was found, "" and None where nothing says it.

    Attributes:
        name, version, requires: as the metadata say.
        points: entry points as `group: name`, None without any metadata.
        extras: names of the extras, None without any metadata.
        computed: keywords of `setup()` that only running tells.
    """

    name: str = ""
    version: str = ""
    requires: str = ""
    points: tuple[str, ...] | None = None
    extras: tuple[str, ...] | None = None
    computed: tuple[str, ...] = ()


def metadata_of(texts: Mapping[str, bytes], root: str) -> Metadata:
    """The metadata of a library by those of its files nearest to the root; built ones before written ones.

    Args:
        texts: bytes by file.
        root: the folder that imports start at.
    """
    found = Metadata()
    for ending, read in _READERS:
        for name in sorted(
            (each for each in texts if _is_own(each, ending, root)), key=lambda each: (each.count("/"), each)
        )[:1]:
            found = _joined(found, read(texts[name].decode("utf-8", "replace")))
            if name.endswith((".dist-info/METADATA", "PKG-INFO")):
                return _joined(found, _beside(texts, name))
    return found


def _is_own(name: str, ending: str, root: str) -> bool:
    if not f"/{name}".endswith(ending):
        return False
    around = PurePosixPath(name).parent.as_posix()
    return ending != "/setup.py" or around == "." or root.startswith(f"{around}/")


def _joined(first: Metadata, second: Metadata) -> Metadata:
    """Both, the first one's word where both speak."""
    return Metadata(
        name=first.name or second.name,
        version=first.version or second.version,
        requires=first.requires or second.requires,
        points=first.points or (second.points if second.points is not None else first.points),
        extras=first.extras or (second.extras if second.extras is not None else first.extras),
        computed=tuple(dict.fromkeys((*first.computed, *second.computed))),
    )


def _beside(texts: Mapping[str, bytes], name: str) -> Metadata:
    """The entry points that an installer finds beside built metadata."""
    around = PurePosixPath(name).parent
    places = [each for each in texts if each.endswith("entry_points.txt")]
    near = [each for each in places if PurePosixPath(each).parent == around or ".egg-info/" in each]
    return Metadata(points=_sections(texts[near[0]].decode("utf-8", "replace")) if near else ())


def _built(text: str) -> Metadata:
    message = email.parser.HeaderParser().parsestr(text)
    name, version, requires = (str(message.get(key, "")) for key in ("Name", "Version", "Requires-Python"))
    extras = tuple(sorted({_normal(str(each)) for each in message.get_all("Provides-Extra", [])}))
    return Metadata(name=name, version=version, requires=specifier(requires), extras=extras)


def _sections(text: str) -> tuple[str, ...]:
    """Entry points as an INI text has them."""
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[method-assign,assignment]
    try:
        parser.read_string(text)
    except configparser.Error:
        return ()
    return _points({group: parser.options(group) for group in parser.sections()})


def _points(groups: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    return tuple(sorted(f"{group}: {name}" for group, names in groups.items() for name in names))


def _normal(extra: str) -> str:
    return re.sub(r"[-_.]+", "-", extra).lower()


def _project(text: str) -> Metadata:
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return Metadata()
    table, poetry = _table(whole, "project"), _table(whole, "tool", "poetry")
    own = _plain_table(table) if table else Metadata()
    return _joined(own, _poetry_table(poetry)) if poetry else own


def _plain_table(table: Mapping[str, Any]) -> Metadata:
    groups = {_GROUPS[key]: [*_table(table, key)] for key in _GROUPS}
    groups |= {group: [*names] for group, names in _table(table, "entry-points").items() if isinstance(names, dict)}
    dynamic = table.get("dynamic")
    open_ones = {str(each) for each in dynamic} if isinstance(dynamic, list) else set()
    return Metadata(
        name=str(table.get("name", "")),
        version=str(table.get("version", "")),
        requires=specifier(str(table.get("requires-python", ""))),
        points=None if open_ones & {"scripts", "gui-scripts", "entry-points"} else _points(groups),
        extras=None
        if "optional-dependencies" in open_ones
        else tuple(sorted(map(_normal, _table(table, "optional-dependencies")))),
    )


def _poetry_table(table: Mapping[str, Any]) -> Metadata:
    python = _table(table, "dependencies").get("python", "")
    groups = {"console_scripts": [*_table(table, "scripts")]}
    groups |= {group: [*names] for group, names in _table(table, "plugins").items() if isinstance(names, dict)}
    return Metadata(
        name=str(table.get("name", "")),
        version=str(table.get("version", "")),
        requires=specifier(_as_specifier(python if isinstance(python, str) else "")),
        points=_points(groups),
        extras=tuple(sorted(map(_normal, _table(table, "extras")))),
    )


def _table(around: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    for key in keys:
        found = around.get(key)
        around = found if isinstance(found, dict) else {}
    return around


def _as_specifier(text: str) -> str:
    """Poetry's `^3.8` and `~3.8` as the specifiers that they stand for."""
    parts = []
    for part in text.split(","):
        caret, tilde = _CARET.fullmatch(part.strip()), _TILDE.fullmatch(part.strip())
        if caret and int(caret[1]):
            parts.append(f">={caret[1]}{caret[2]},<{int(caret[1]) + 1}.0")
        elif tilde:
            above = f"{tilde[1]}.{int(tilde[2]) + 1}" if tilde[2] else f"{int(tilde[1]) + 1}"
            parts.append(f">={part.strip()[1:].strip()},<{above}")
        elif part.strip() != "*":
            parts.append(part)
    return ",".join(parts)


def _configured(text: str) -> Metadata:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[method-assign,assignment]
    try:
        parser.read_string(text)
    except configparser.Error:
        return Metadata()
    get = parser.get
    groups: dict[str, list[str]] = {}
    if parser.has_section("options.entry_points"):
        groups = {group: _keys(names) for group, names in parser.items("options.entry_points")}
    extras = parser.options("options.extras_require") if parser.has_section("options.extras_require") else []
    is_told = parser.has_section("metadata") or parser.has_section("options")
    return Metadata(
        name=get("metadata", "name", fallback=""),
        version=get("metadata", "version", fallback=""),
        requires=specifier(get("options", "python_requires", fallback="")),
        points=_points(groups) if is_told else None,
        extras=tuple(sorted(map(_normal, extras))) if is_told else None,
    )


def _keys(text: str) -> list[str]:
    return [line.split("=")[0].strip() for line in text.splitlines() if "=" in line]


def _set_up(text: str) -> Metadata:
    """What a `setup.py` passes to `setup()` as literals, its own constants filled in."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Metadata()
    known = {
        each.targets[0].id: each.value
        for each in tree.body
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name)
    }
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call) and _is_setup(each.func)]
    if not calls:
        return Metadata()
    given = {each.arg: each.value for each in calls[0].keywords if each.arg is not None}
    computed: list[str] = [] if len(given) == len(calls[0].keywords) else ["**"]

    def told(key: str) -> Any:
        node = given.get(key)
        node = known.get(node.id, node) if isinstance(node, ast.Name) else node
        try:
            return ast.literal_eval(node) if node is not None else None
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            computed.append(key)
            return None

    name, version, requires = (told(key) for key in ("name", "version", "python_requires"))
    points, extras = told("entry_points"), told("extras_require")
    kept = tuple(key for key in computed if key not in ("name", "version"))
    return Metadata(
        name=name if isinstance(name, str) else "",
        version=version if isinstance(version, str) else "",
        requires=specifier(requires) if isinstance(requires, str) else "",
        points=None if {"entry_points", "**"} & set(computed) else _given_points(points),
        extras=None if {"extras_require", "**"} & set(computed) else tuple(sorted(map(_normal, extras or {}))),
        computed=kept,
    )


def _given_points(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        return _sections(given)
    groups = given if isinstance(given, dict) else {}
    made = {
        str(group): _keys(names) if isinstance(names, str) else [str(each).split("=")[0].strip() for each in names]
        for group, names in groups.items()
        if isinstance(names, str | list | tuple)
    }
    return _points(made)


def _is_setup(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id == "setup") or (
        isinstance(node, ast.Attribute) and node.attr == "setup"
    )


def inline_requires(data: bytes) -> str:
    """What a script asks for in its comments (PEP 723)."""
    block = _SCRIPT.search(data)
    if block is None:
        return ""
    text = b"\n".join(line[2:] for line in block[1].splitlines()).decode("utf-8", "replace")
    try:
        return specifier(str(tomllib.loads(text).get("requires-python", "")))
    except tomllib.TOMLDecodeError:
        return ""


def specifier(text: str) -> str:
    """A version specifier in one spelling: its parts sorted, without blanks."""
    return ",".join(sorted("".join(part.split()) for part in text.split(",") if part.strip()))


_READERS: Final[tuple[tuple[str, Callable[[str], Metadata]], ...]] = (
    (".dist-info/METADATA", _built),
    ("/PKG-INFO", _built),
    ("/pyproject.toml", _project),
    ("/setup.cfg", _configured),
    ("/setup.py", _set_up),
)


# A wheel or source distribution in memory: its Python files and metadata, within limits, nothing unpacked.


MAX_ENTRIES: Final = 50_000
MAX_UNPACKED: Final = 512 * 1024 * 1024
MAX_FILE: Final = 16 * 1024 * 1024
_WANTED: Final = (".py", ".pyi", *(f"/{name}" for name in NAMES))


def unpacked(data: bytes, file: str) -> Mapping[str, bytes]:
    """The Python files and metadata of an archive, by path; links and paths that lead out of it are refused or skipped.

    Raises:
        BadInput: `archive-broken`, `archive-too-large`, `archive-path`.
    """
    try:
        return _zip(data, file) if data.startswith(ZIP) else _tar(data, file)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError) as error:
        advice = "Name a wheel, a source distribution, or a folder"
        raise bad_input("archive-broken", f"the archive can't be read: {error}", file=file, advice=advice) from None


def _zip(data: bytes, file: str) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        _bounded(len(entries), sum(entry.file_size for entry in entries if _is_wanted(entry.filename)), file)
        for entry in entries:
            is_link = (entry.external_attr >> 16) & 0o170000 == 0o120000
            if _is_wanted(entry.filename) and not is_link:
                found[_inside(entry.filename, file)] = archive.read(entry)
    return found


def _tar(data: bytes, file: str) -> Mapping[str, bytes]:
    unzip = zlib.decompressobj(wbits=31)
    raw = unzip.decompress(data, MAX_UNPACKED + 1)
    _bounded(0, len(raw), file)
    found: dict[str, bytes] = {}
    with tarfile.TarFile(fileobj=io.BytesIO(raw)) as archive:
        for count, entry in enumerate(archive):
            _bounded(count, 0, file)
            if not entry.isfile() or not _is_wanted(entry.name):
                continue
            _bounded(0, entry.size, file)
            stream = archive.extractfile(entry)
            found[_inside(entry.name, file)] = stream.read() if stream is not None else b""
    return found


def _is_wanted(name: str) -> bool:
    return f"/{name}".endswith(_WANTED)


def _bounded(entries: int, size: int, file: str) -> None:
    if entries > MAX_ENTRIES or size > MAX_UNPACKED:
        found = f"the archive holds more than {MAX_ENTRIES:,} entries or {MAX_UNPACKED:,} bytes"
        raise bad_input("archive-too-large", found, file=file, advice="Name a folder with the part under review")


def _inside(name: str, file: str) -> str:
    """The entry's path, without what would lead out of the archive.

    Raises:
        BadInput: it leads out.
    """
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        raise _leaving(name, file)
    return path.as_posix()


def _leaving(name: str, file: str) -> BadInput:
    found = f"the entry {name!r} leads out of the archive"
    return bad_input("archive-path", found, file=file, advice="No packaging tool writes such an archive: get it anew")
