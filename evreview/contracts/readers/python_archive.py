"""A wheel or source distribution in memory: its Python files and metadata, within limits, nothing unpacked."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final

from evreview.core.errors import BadInput, bad_input
from evreview.kinds.python.metadata import NAMES

MAX_ENTRIES: Final = 50_000
MAX_UNPACKED: Final = 512 * 1024 * 1024
MAX_FILE: Final = 16 * 1024 * 1024
_WANTED: Final = (".py", ".pyi", *(f"/{name}" for name in NAMES))
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"


def is_archive(data: bytes) -> bool:
    """True for the first bytes of a zip or gzip file."""
    return data.startswith((_ZIP, _GZIP))


def unpacked(data: bytes, file: str) -> Mapping[str, bytes]:
    """The Python files and metadata of an archive, by path; links and paths that lead out of it are refused or skipped.

    Raises:
        BadInput: `archive-broken`, `archive-too-large`, `archive-path`.
    """
    try:
        return _zip(data, file) if data.startswith(_ZIP) else _tar(data, file)
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
