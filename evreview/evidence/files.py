"""[I/O] Reads files of one folder and nothing outside it, replaces a file whole or not at all, and opens contracts."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_LISTED: Final = 20_000
"""Files of a folder that are listed."""


def require_folder(folder: Path, holding: str) -> None:
    """Nothing when the folder exists.

    Raises:
        BadInput: it does not, or it is no folder.
    """
    if not folder.is_dir():
        code, found = ("not-a-folder", "this is no folder") if folder.exists() else ("folder-missing", "no such folder")
        advice = f"Name a folder with a {holding}; `evreview new` makes one"
        raise bad_input(code, found, file=str(folder), advice=advice)


OWN_CONFIGURATION: Final = ".evreview.toml"
SHARED_CONFIGURATION: Final = "pyproject.toml"
_TOOL: Final = rb"""["']?tool["']?\s*"""
_HAS_TABLE: Final = re.compile(
    rb"""(?m)^\s*\[?\s*%b(?:\.\s*["']?evreview|\]|=)""" % _TOOL,
)


def may_configure(name: str, data: bytes) -> bool:
    """False for a shared file without a table of ours, which most are and need not be parsed."""
    return name != SHARED_CONFIGURATION or _HAS_TABLE.search(data) is not None


def configurations_around(here: Path) -> Iterator[tuple[Path, list[Path]]]:
    """A folder and those around it, innermost first, each with the files that may hold a configuration.

    The last is the one that has a `.git`; outside of a clone, the folder itself is the only one.
    """
    folders = (here, *here.parents)
    root = next((at for at, folder in enumerate(folders) if _is_there(folder / ".git")), 0)
    for folder in folders[: root + 1]:
        files = [folder / OWN_CONFIGURATION, folder / SHARED_CONFIGURATION]
        yield folder, [each for each in files if _is_there(each) and may_configure(each.name, _text_of(each))]


def _is_there(path: Path) -> bool:
    """False also where nobody may look."""
    return os.path.exists(path)  # noqa: PTH110


def _text_of(path: Path) -> bytes:
    try:
        return read_bytes(path, path.name)
    except BadInput:
        return b"[tool]"  # whoever reads it says why it can't be


def write_new(folder: Path, texts: Mapping[str, str | bytes]) -> tuple[Path, ...]:
    """The files with these texts or bytes, written into a new or empty folder.

    Raises:
        BadInput: the folder is a link, is not empty or can't be written.
    """
    if folder.is_symlink():
        raise bad_input("output-link", "the folder is a symbolic link", file=str(folder), advice="Name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            advice = "Name a new folder; nothing is overwritten"
            raise bad_input("folder-not-empty", "the folder is not empty", file=str(folder), advice=advice)
    except OSError as error:
        raise bad_input("not-writable", f"the folder can't be made: {error.strerror}", file=str(folder)) from None
    try:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_whole(path, text.encode() if isinstance(text, str) else text)
    except BaseException:
        # The folder was empty: what is in it now is ours.
        for name in {PurePosixPath(name).parts[0] for name in texts}:
            shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink(missing_ok=True)
        raise
    return tuple(folder / name for name in texts)


def name_problem(name: str) -> BadInput | None:
    """Why a name can't stand for a file of the folder, None when it can. Looks at the name only."""
    advice = "Write a relative POSIX path of a file inside the bundle's folder"
    if "\\" in name or (len(name) > 1 and name[1] == ":" and name[0].isalpha()):
        return bad_input("file-not-posix", "the name is no POSIX path", file=name, advice=advice)
    if name.startswith(("/", "~")) or "://" in name:
        return bad_input("file-absolute", "the name is absolute or a URL", file=name, advice=advice)
    if ".." in PurePosixPath(name).parts:
        return bad_input("file-outside", "the name leaves the folder", file=name, advice=advice)
    if not name or "\0" in name:
        return bad_input("file-not-posix", "the name is empty or has a null character", file=name, advice=advice)
    return None


def inside(root: Path, name: str) -> Path:
    """The real path of a file of the folder, symbolic links followed.

    Raises:
        BadInput: the name or a link leaves the folder, or no such regular file exists.
    """
    refused = name_problem(name)
    if refused:
        raise refused
    try:
        base, real = root.resolve(strict=True), (root / name).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        found = "the path is a loop of links" if isinstance(error, RuntimeError) else "there is no such file"
        raise bad_input("file-missing", found, file=name, advice="Put the file there, or correct the name") from None
    if not real.is_relative_to(base):
        raise bad_input(
            "file-outside", "a symbolic link leaves the folder", file=name, advice="Copy the file into the folder"
        )
    return real


def read_bytes(path: Path, name: str) -> bytes:
    """The bytes of a regular file.

    Args:
        path: where it is.
        name: what problems call it.

    Raises:
        BadInput: it is no regular file, larger than `MAX_BYTES`, or can't be read.
    """
    try:
        # A named pipe would block an ordinary open for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise bad_input("file-missing", "there is no such file", file=name) from None
    except OSError as error:
        raise _unreadable(error, name) from None
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise bad_input("file-not-regular", "this is not a regular file", file=name, advice="Name a file")
    with os.fdopen(handle, "rb") as stream:
        if status.st_size > MAX_BYTES:
            raise bad_input(
                "text-too-large",
                f"the file has {status.st_size:,} bytes, more than {MAX_BYTES:,}",
                file=name,
                advice="Supply the part that the review needs",
            )
        try:
            return stream.read(MAX_BYTES + 1)[:MAX_BYTES]
        except OSError as error:
            raise _unreadable(error, name) from None


def read_inside(root: Path, name: str) -> bytes:
    """The bytes of a file of the folder.

    Raises:
        BadInput: the name leaves the folder, or the file can't be read.
    """
    return read_bytes(inside(root, name), name)


def files_below(root: Path, name: str) -> tuple[str, ...]:
    """The regular files of a folder and its folders, by POSIX path, sorted; hidden ones and links left out.

    Args:
        root: where it is.
        name: what problems call it.

    Raises:
        BadInput: `folder-too-large`.
    """
    found: list[str] = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(each for each in folders if _is_listed(Path(folder, each)))
        found += [Path(folder, each).relative_to(root).as_posix() for each in files if _is_listed(Path(folder, each))]
        if len(found) > MAX_LISTED:
            advice = "Name the folder of the contract itself"
            raise bad_input("folder-too-large", f"more than {MAX_LISTED:,} files", file=name, advice=advice)
    return tuple(sorted(found))


def _is_listed(path: Path) -> bool:
    return not path.name.startswith(".") and path.name != "__pycache__" and not path.is_symlink()


def memoised(load: Callable[[str], bytes]) -> Callable[[str], bytes]:
    """The loader, reading each file once: what was digested is what is parsed later."""
    known: dict[str, bytes] = {}

    def remembered(name: str) -> bytes:
        if name not in known:
            known[name] = load(name)
        return known[name]

    return remembered


def read_pipe(path: Path, name: str) -> bytes:
    """Everything that a pipe gives until its writer closes it.

    Raises:
        BadInput: it gives more than `MAX_BYTES`, or can't be read.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(error, name) from None
    if len(data) > MAX_BYTES:
        raise bad_input("text-too-large", f"the pipe gives more than {MAX_BYTES:,} bytes", file=name)
    return data


def _unreadable(error: OSError, name: str) -> BadInput:
    return bad_input("file-unreadable", f"the file can't be read: {error.strerror}", file=name)


def text_of(data: bytes, name: str) -> str:
    """The bytes as text.

    Raises:
        BadInput: they are binary or not UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise bad_input("text-encoding", "the text is UTF-16 or UTF-32", file=name, advice="Save it as UTF-8")
    if b"\x00" in data:
        raise bad_input("text-binary", "the content is binary", file=name, advice="Supply it as text in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(
            "text-encoding", "the text is not UTF-8", file=name, place=f"line {line}", advice="Save it as UTF-8"
        ) from None


@contextlib.contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Holds the folder's advisory lock; a second writer waits. It ends with the process, so none stays behind.

    Raises:
        BadInput: there is no such folder, or it can't be locked.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    require_folder(folder, "review.yaml")
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise _unlocked(error, folder) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            raise _unlocked(error, folder) from None
        yield
    finally:
        os.close(handle)


def _unlocked(error: OSError, folder: Path) -> BadInput:
    return bad_input("not-writable", f"the folder can't be locked: {error.strerror}", file=str(folder))


def replace_whole(path: Path, data: bytes) -> None:
    """Put the bytes in place of the file: readers see the old or the new one, also after a crash.

    Raises:
        BadInput: the folder can't be written.
    """
    # Named before it is there, so that a signal right after it was made leaves nothing behind.
    temporary = path.with_name(f".{path.name}.{os.urandom(8).hex()}")
    try:
        try:
            temporary.touch(mode=0o600, exist_ok=False)
            with temporary.open("wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            temporary.chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o644)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise bad_input("not-writable", f"the file can't be written: {error.strerror}", file=path.name) from None


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# A contract file, folder or pipe: the name of its entry, a loader and a listing. Knows no bundle.


def contract_source(path: str | Path) -> tuple[str, Callable[[str], bytes], tuple[str, ...]]:
    """Entry name, loader and listing of a contract; the loader reads files of its folder only, a pipe once.

    Returns:
        The entry is "" for a folder, and then the listing holds its files; of a file or pipe the listing is empty.

    Raises:
        BadInput: the file is missing or unreadable.
    """
    target = Path(path)
    if target.is_fifo():
        data = read_pipe(target, str(path))
        return target.name, memoised(lambda name: data if name == target.name else read_inside(target.parent, name)), ()
    if target.is_char_device() or target.is_block_device() or target.is_socket():
        found = "this is not a regular file"
        raise BadInput([Problem(code="file-not-regular", found=found, file=str(path), advice="Name a contract file")])
    if target.is_dir():
        listing = files_below(target, str(path))
        return "", memoised(_named(target, listing)), listing
    if not target.is_file():
        found = "there is no such file"
        raise BadInput([Problem(code="file-missing", found=found, file=str(path), advice="Name a contract file")])
    if target.is_symlink():
        target = target.resolve()
    return target.name, memoised(_named(target.parent, (target.name,))), ()


def _named(root: Path, names: Sequence[str]) -> Callable[[str], bytes]:
    """A loader of files of a folder that takes names which the file system gave as they are, whatever is in them."""
    known = frozenset(names)
    return lambda name: read_bytes(root / name, name) if name in known else read_inside(root, name)


def is_there(path: Path) -> bool:
    """True when something stands at a path; what can't be a name of a file is nowhere."""
    try:
        return os.path.lexists(path)
    except ValueError:
        return False


def missing_folders(folders: Sequence[Path]) -> Iterator[Problem]:
    """The folders of imports that are none."""
    for folder in folders:
        if not folder.is_dir():
            found = "this is a file and no folder" if folder.exists() else "there is no such folder"
            advice = "Name the folder below which imported files stand"
            yield Problem(code="include-missing", found=found, file=str(folder), advice=advice)


def with_folders(load: Callable[[str], bytes], folders: Sequence[Path]) -> Callable[[str], bytes]:
    """A loader that looks into further folders for a file that the contract's own folder has not."""

    def found(name: str) -> bytes:
        try:
            return load(name)
        except (BadInput, OSError):
            for folder in folders:
                if (folder / name).is_file():
                    return read_inside(folder, name)
            raise

    return memoised(found) if folders else load
