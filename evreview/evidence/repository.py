"""[I/O] Asks git for commits, files and diffs. Never fetches, never runs hooks, filters or drivers of the repository.

What is read is what a commit holds: never the work tree or the index.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from posixpath import normpath
from typing import Final

from evreview.core.errors import Problem, bad_input
from evreview.core.vocabulary import Integrity
from evreview.evidence.files import MAX_BYTES
from evreview.evidence.item import Reference

_SECONDS: Final = 60
_AT_ONCE: Final = 200
_MAX_SCANNED: Final = 8 * 1024 * 1024
_LINK, _SUBMODULE = "120000", "160000"
_REF: Final = re.compile(r"[^\s\x00-\x1f\x7f:?*\[\\-][^\s\x00-\x1f\x7f:?*\[\\]*")
_SAFE: Final = (
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "protocol.allow=never",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "diff.noprefix=false",
    "-c",
    "diff.mnemonicPrefix=false",
    "-c",
    "diff.ignoreSubmodules=all",
)


def verify_at_commit(repository: Path, reference: Reference, path: str, data: bytes) -> Integrity | Problem:
    """VERIFIED when the file at the named commit has these bytes, DECLARED when git can't tell, else the problem.

    Args:
        repository: a local clone.
        reference: names the commit, and possibly the path.
        path: the item's file, used when the reference names no path.
        data: the content's bytes.
    """
    name = reference.path or path
    if not name or "\n" in name or name.startswith("/") or ".." in name.split("/"):
        return Integrity.DECLARED
    listed = _git(repository, ["cat-file", "--batch-check"], f"{reference.commit}^{{commit}}:{name}\n".encode())
    words = listed.split() if listed else []
    if len(words) != 3 or words[1] != b"blob":
        return Integrity.DECLARED
    same = int(words[2]) == len(data) and _git(repository, ["cat-file", "blob", words[0].decode()], b"") == data
    if same:
        return Integrity.VERIFIED
    return Problem(
        code="commit-mismatch",
        found=f"the content differs from `{name}` at commit {reference.commit}",
        advice="Supply the file as it is at that commit, or name the commit it comes from",
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A path at a commit: its mode, its type (`blob`, `tree`, `commit`), its object."""

    mode: str
    type: str
    object: str
    path: str

    @property
    def is_file(self) -> bool:
        """True for a regular file: no link, no folder, no submodule."""
        return self.type == "blob" and self.mode != _LINK


@dataclass(frozen=True, slots=True)
class Commits:
    """The commits of a local clone."""

    root: Path

    @classmethod
    def of(cls, folder: Path) -> Commits:
        """Those of the clone that holds a folder.

        Raises:
            BadInput: there is no git, or no repository that git may read.
        """
        found = _git(folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"], b"")
        if found is None:
            advice = "Name a local clone of yours with --repo, and install git"
            raise bad_input("no-repository", "git finds no repository here", file=str(folder), advice=advice)
        return cls(folder)

    def prefix(self) -> str:
        """The path of the folder in the repository, ending with `/`; "" for its root and in a bare repository."""
        found = _git(self.root, ["rev-parse", "--show-prefix"], b"") or b""
        return found.decode("utf-8", "surrogateescape").removesuffix("\n")

    def commit(self, ref: str) -> str:
        """The full commit that a branch, tag or abbreviated commit names.

        Raises:
            BadInput: it names none here, as in a shallow clone.
        """
        asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"]
        found = _git(self.root, asked, b"") if _REF.fullmatch(ref) else None
        if found is None:
            shallow = _git(self.root, ["rev-parse", "--is-shallow-repository"], b"") == b"true\n"
            advice = (
                "The clone is shallow: fetch its history and tags first" if shallow else "`git log` shows what is there"
            )
            raise bad_input("ref-unknown", f"`{ref}` names no commit of this clone", file=str(self.root), advice=advice)
        return found.decode().strip()

    def tags(self, pattern: str) -> tuple[str, ...]:
        """The tags that a pattern of git names, in the order of their versions: v1.9, v1.10-rc1, v1.10."""
        # What follows `-` is a version before the one without it.
        ordered = [
            "-c",
            "versionsort.suffix=-",
            "for-each-ref",
            "--sort=version:refname",
            "--format=%(refname:strip=2)",
        ]
        found = _git(self.root, [*ordered, f"refs/tags/{pattern}"], b"") or b""
        return tuple(name for name in found.decode("utf-8", "surrogateescape").splitlines() if _REF.fullmatch(name))

    def entry(self, commit: str, path: str) -> Entry | None:
        """What stands at a path, None where nothing does."""
        name = normpath(path)
        if name == ".":
            return Entry("040000", "tree", commit, "")
        if name.startswith(("/", "../")) or name == "..":
            return None
        return next(self._entries(["ls-tree", "-z", "--full-tree", commit, "--", name]), None)

    def files(self, commit: str, folder: str = "") -> tuple[str, ...]:
        """The paths of all regular files below a folder, sorted; links and submodules left out."""
        below = [] if folder in ("", ".") else [normpath(folder)]
        entries = self._entries(["ls-tree", "-r", "-z", "--full-tree", commit, "--", *below])
        return tuple(sorted(each.path for each in entries if each.is_file))

    def below(self, commit: str, path: str) -> tuple[Entry, ...]:
        """What stands at a path: the file itself, or everything below the folder, links and submodules included.

        Raises:
            BadInput: nothing, a link or a submodule stands there.
        """
        found = self.entry(commit, path)
        if found is not None and found.type == "tree":
            below = [found.path] if found.path else []
            return tuple(self._entries(["ls-tree", "-r", "-z", "--full-tree", commit, "--", *below]))
        why = self.why_no_file(commit, path, found)
        if found is None or why:
            advice = "Name a file or folder that the commit holds, from the repository's root"
            raise bad_input("file-missing", f"{why} at commit {commit[:12]}", file=path, advice=advice)
        return (found,)

    def read(self, commit: str, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            BadInput: nothing, a link, a folder or a submodule stands there, or more than `MAX_BYTES`.
        """
        found = self.entry(commit, path)
        why = self.why_no_file(commit, path, found)
        if found is None or why:
            advice = "Name a file that the commit holds"
            raise bad_input("file-missing", f"{why} at commit {commit[:12]}", file=path, advice=advice)
        size = _git(self.root, ["cat-file", "-s", found.object], b"")
        if size is None or int(size) > MAX_BYTES:
            told = (
                f"the file has more than {MAX_BYTES:,} bytes" if size else "this clone does not hold the file's content"
            )
            raise bad_input("text-too-large" if size else "file-missing", told, file=path)
        return _git(self.root, ["cat-file", "blob", found.object], b"") or b""

    def why_no_file(self, commit: str, path: str, found: Entry | None) -> str:
        """Why what stands at a path is no file that can be read, as a clause; "" where it is one."""
        steps = normpath(path).split("/") if found is None else []
        for at in range(1, len(steps)):
            around = self.entry(commit, "/".join(steps[:at]))
            if around is None:
                break
            if around.mode == _SUBMODULE:
                return f"it lies in the submodule `{around.path}`, which is another repository,"
            if around.mode == _LINK:
                return f"it lies behind the symbolic link `{around.path}`, which is not followed,"
        return _no_file(found)

    def diff(self, old: str, new: str, paths: Sequence[str], without: Sequence[str] = ()) -> str:
        """The unified diff of two commits below some paths, as any git writes it.

        Raises:
            BadInput: git can't tell it, or it is no text.
        """
        drawn = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/"]
        named = [f":(top,literal){path}" if path != "." else ":(top)" for path in map(normpath, paths)]
        specs = [*named, *(f":(top,exclude,literal){path}" for path in without)]
        found = _git(self.root, [*drawn, "--dst-prefix=b/", "--unified=3", old, new, "--", *specs], b"")
        if found is None or len(found) > MAX_BYTES:
            advice = "Name fewer folders with --code"
            raise bad_input("diff-unreadable", "git does not tell this diff", file=", ".join(paths), advice=advice)
        return found.decode("utf-8", "replace")

    def merge_base(self, one: str, other: str) -> str:
        """The last commit that the histories of two commits share.

        Raises:
            BadInput: they share none, as far as this clone holds them.
        """
        found = _git(self.root, ["merge-base", one, other], b"")
        if not found:
            shallow = _git(self.root, ["rev-parse", "--is-shallow-repository"], b"") == b"true\n"
            advice = "The clone is shallow: fetch the history first" if shallow else "Name a branch of one origin"
            told = f"{one[:12]} and {other[:12]} have no common commit here"
            raise bad_input("no-merge-base", told, file=str(self.root), advice=advice)
        return found.decode().split()[0]

    def changed(self, old: str, new: str) -> frozenset[str]:
        """The paths of everything that differs between two commits; a rename is two of them.

        Raises:
            BadInput: git can't tell it.
        """
        return frozenset(name for name in self._changes(old, new, "--name-only", "--no-renames") if name)

    def moved_submodules(self, old: str, new: str) -> tuple[str, ...]:
        """The paths of submodules of which another commit, or none, is named at the other one of two commits; sorted.

        Raises:
            BadInput: git can't tell it.
        """
        words = self._changes(old, new, "--raw", "--no-renames")
        # `:old-mode new-mode old-object new-object status`, then the path.
        pairs = zip(words[::2], words[1::2], strict=False)
        return tuple(sorted(name for head, name in pairs if _SUBMODULE in head.lstrip(":").split()[:2]))

    def renamed(self, old: str, new: str) -> Mapping[str, str]:
        """The new path of each file that git takes for renamed between two commits, by its old path.

        Raises:
            BadInput: git can't tell it.
        """
        words = self._changes(old, new, "-M", "--diff-filter=R", "--name-status")
        return dict(zip(words[1::3], words[2::3], strict=False))

    def _changes(self, old: str, new: str, *options: str) -> list[str]:
        """The fields that git prints of what differs between two commits."""
        found = _git(self.root, ["diff-tree", "-r", "-z", "--no-ext-diff", *options, old, new], b"")
        if found is None:
            raise bad_input("diff-unreadable", "git does not tell what changed", file=str(self.root))
        return found.decode("utf-8", "surrogateescape").split("\0")

    def contents(self, commit: str, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Each of these files of a commit with its bytes, those of more than `_MAX_SCANNED` left out."""
        wanted = frozenset(names)
        entries = self._entries(["ls-tree", "-r", "-z", "--full-tree", commit])
        listed = [each for each in entries if each.is_file and each.path in wanted]
        for at in range(0, len(listed), _AT_ONCE):
            part = listed[at : at + _AT_ONCE]
            asked = "".join(f"{each.object}\n" for each in part).encode()
            sizes = (_git(self.root, ["cat-file", "--batch-check=%(objectsize)"], asked) or b"").splitlines()
            small = [
                each for each, size in zip(part, sizes, strict=False) if size.isdigit() and int(size) <= _MAX_SCANNED
            ]
            asked = "".join(f"{each.object}\n" for each in small).encode()
            data = _git(self.root, ["cat-file", "--batch"], asked) or b""
            start = 0
            for each in small:
                head = data.index(b"\n", start)
                size = int(data[start:head].split()[2])
                yield each.path, data[head + 1 : head + 1 + size]
                start = head + size + 2

    def _entries(self, asked: list[str]) -> Iterator[Entry]:
        for line in (_git(self.root, asked, b"") or b"").split(b"\0"):
            head, _, name = line.decode("utf-8", "surrogateescape").partition("\t")
            if head.count(" ") == 2:
                mode, kind, named = head.split()
                yield Entry(mode, kind, named, name)


def _no_file(found: Entry | None) -> str:
    """Why an entry is no file that can be read, "" where it is one."""
    if found is None:
        return "there is no such file"
    if found.mode == _LINK:
        return "there is a symbolic link, and no file,"
    if found.mode == _SUBMODULE:
        return "there is a submodule, and no file,"
    return "" if found.type == "blob" else "there is a folder, and no file,"


def _git(repository: Path, arguments: list[str], given: bytes) -> bytes | None:
    """Standard output of one git command, None when it fails."""
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *_SAFE, *arguments],
            input=given,
            capture_output=True,
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
