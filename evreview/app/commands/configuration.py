"""The project's configuration: `.evreview.toml`, or `[tool.evreview]` in `pyproject.toml`.

It says which contracts there are, which differences are accepted, and when a build fails: policy, never a verdict.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from posixpath import normpath
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from evreview.app.commands.shell import warn
from evreview.comparison.accepted_differences import Entry, entry_of, entry_problems, named_in, named_twice
from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.json_pointer import follow
from evreview.core.path_patterns import PathPatterns, pattern_problem
from evreview.core.toml_text import parse_toml, toml_line
from evreview.core.vocabulary import ABSENT, Absent, ContractKind, FailOn, Json
from evreview.evidence.files import (
    OWN_CONFIGURATION,
    SHARED_CONFIGURATION,
    configurations_around,
    may_configure,
    read_bytes,
)
from evreview.evidence.records.compatibility import DIALECT, AcceptedDelta
from evreview.evidence.records.review import Record, Text
from evreview.evidence.typed_reader import read_model
from evreview.kinds.find import FoundContract, NamedContracts, Search, is_folder
from evreview.kinds.load import git_place
from evreview.kinds.rule_catalogue import BY_ID

if TYPE_CHECKING:
    from evreview.evidence.repository import Commits

TABLE: Final = ("tool", "evreview")


class ContractPaths(Record):
    """Contracts of one kind, by their paths."""

    kind: ContractKind
    """Their kind. It is looked for at these paths alone."""
    paths: Annotated[tuple[Text, ...], Field(min_length=1)]
    """Patterns as in `.gitignore`. Each file that one means is a contract; with `/` at its end one means folders, each
    of which is a contract, such as a Python library."""


class Configuration(Record):
    """What the project says about its contracts. Every path is one from the folder of this file."""

    fail_on: Annotated[FailOn | None, Field(alias="fail-on")] = None
    """When `evreview diff` ends with status 5, where the command line does not say it."""
    kinds: tuple[ContractKind, ...] = ()
    """The kinds that are looked for; all when left out."""
    ignore: tuple[Text, ...] = ()
    """Patterns as in `.gitignore`: paths at which no contract is looked for."""
    contracts: tuple[ContractPaths, ...] = ()
    """Contracts whose paths and kinds are known. Other kinds are found by what their files say."""
    accept: tuple[AcceptedDelta, ...] = ()
    """Differences that are accepted until a day. They stay in every output, with their verdicts."""


def configuration_schema() -> dict[str, Json]:
    """The JSON Schema of a configuration."""
    return {"$schema": DIALECT, **Configuration.model_json_schema()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """A configuration that was found.

    Attributes:
        file: its name for messages.
        folder: where its paths begin, ending with `/`: of the disk, or from the root of the repository.
        settings: what it says.
        entries: the differences that it accepts, with their lines.
    """

    file: str
    folder: str
    settings: Configuration
    entries: tuple[Entry, ...]

    @property
    def search(self) -> Search:
        """What is looked for in a commit."""
        settings = self.settings
        return Search(
            kinds=frozenset(settings.kinds),
            ignored=PathPatterns(settings.ignore, self.folder) if settings.ignore else None,
            named=tuple(
                NamedContracts(each.kind, PathPatterns(each.paths, self.folder), self._source(at))
                for at, each in enumerate(settings.contracts)
            ),
        )

    def _source(self, at: int) -> str:
        return f"{self.file} contracts {at + 1}"

    def kind_of(self, path: str) -> ContractKind | None:
        """The kind of a contract at a path, where it is said here; None where its files say it."""
        for each in self.settings.contracts:
            lines = tuple(line for line in each.paths if not is_folder(line))
            folders = {normpath(line) for line in each.paths if is_folder(line)}
            below = path.removeprefix(self.folder)
            if PathPatterns(lines, self.folder).match(path) or (below != path and normpath(below) in folders):
                return each.kind
        return None

    def warn_of_unused(self, found: Iterable[FoundContract]) -> None:
        """Tell the entries of `contracts` that name none of these."""
        used = {each.named_by for each in found}
        for at in range(len(self.settings.contracts)):
            if at not in used:
                warn(f"warning: {self._source(at)}: no file or folder has such a path [contracts-nothing]")


def fail_on_of(asked: FailOn | None, configured: Configured | None) -> FailOn:
    """When a command fails: as its line says, else as the configuration does."""
    return asked or (configured.settings.fail_on if configured else None) or FailOn.NEVER


# Bytes in, a configuration out, or every problem at once.


def read_configuration(data: bytes, file: str, folder: str) -> Configured | None:
    """The configuration that a file holds, None for a `pyproject.toml` that has none.

    Args:
        data: its bytes.
        file: its name for messages.
        folder: where its paths begin, ending with `/`; "" for the root of a repository.

    Raises:
        BadInput: it is no TOML; or every key and value that is not as it must be, with its line.
    """
    value, at = table_of(data, file)
    if value is None:
        return None
    line = partial(toml_line, data.decode())
    told = partial(_placed, at=at, line=line)
    found, wrong = read_model(Configuration, value, file=file)
    problems = [
        told(each) for each in (*wrong, *entry_problems(value, file, BY_ID.keys), *_contradictions(value, file))
    ]
    below = "".join(f"/{step}" for step in at)

    def here(place: str) -> int | None:
        return line(f"{below}{place}")

    problems += named_twice(named_in(value, file, here))
    if found is None or problems:
        raise BadInput(sorted(problems, key=lambda each: each.line or 0))
    entries = tuple(entry_of(each, file, here(f"/accept/{at}")) for at, each in enumerate(found.accept))
    return Configured(file=file, folder=folder, settings=found, entries=entries)


def table_of(data: bytes, file: str) -> tuple[Json, tuple[str, ...]]:
    """The table of the configuration and the steps to it; None for a `pyproject.toml` that has none.

    Raises:
        BadInput: it is no TOML.
    """
    name = re.split("[/:]", file)[-1]
    if name != SHARED_CONFIGURATION:
        return parse_toml(data, file), ()
    found = follow(parse_toml(data, file), "/tool/evreview") if may_configure(name, data) else ABSENT
    return (None if isinstance(found, Absent) else found), TABLE


def _placed(problem: Problem, *, at: tuple[str, ...], line: Callable[[str], int | None]) -> Problem:
    """The problem with its place in the whole file, and the line of that."""
    place = "#" + "".join(f"/{step}" for step in at) + problem.place.removeprefix("#")
    return replace(problem, place=place, line=line(place))


def _contradictions(value: Json, file: str) -> Iterator[Problem]:
    """Patterns that can't be, and contracts of a kind that is not looked for."""
    if not isinstance(value, Mapping):
        return
    for place, line in _patterns(value):
        if found := pattern_problem(line):
            advice = "Write a path, `*` for a part of a name, `**/` for any folders"
            yield Problem(code="bad-pattern", found=f"`{line}`: {found}", file=file, place=place, advice=advice)
    kinds, contracts = value.get("kinds"), value.get("contracts")
    for at, each in enumerate(contracts if isinstance(contracts, list) else ()):
        kind = each.get("kind") if isinstance(each, Mapping) else None
        if isinstance(kinds, list) and kinds and kind in frozenset(ContractKind) and kind not in kinds:
            found, advice = f"`{kind}` is none of the `kinds` that are looked for", "Add it to `kinds`"
            place = f"#/contracts/{at}/kind"
            yield Problem(code="kind-not-asked", found=found, file=file, place=place, advice=advice)


def _patterns(value: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Each pattern with its place."""
    ignored, contracts = value.get("ignore"), value.get("contracts")
    lists = [("#/ignore", ignored)]
    for at, each in enumerate(contracts if isinstance(contracts, list) else ()):
        lists += [(f"#/contracts/{at}/paths", each.get("paths"))] if isinstance(each, Mapping) else []
    for place, lines in lists:
        for at, line in enumerate(lines if isinstance(lines, list) else ()):
            if isinstance(line, str):
                yield f"{place}/{at}", line


# Where it is: in the folder that the user stands in or around it, of the disk or of a commit.


@dataclass(frozen=True, slots=True)
class ConfigurationOption:
    """What the command line says of the configuration: a file or `REF:path`, or that there is to be none."""

    file: Path | None = None
    none: bool = False

    def __post_init__(self) -> None:
        if self.none and self.file is not None:
            found = "a configuration is named, and there is to be none"
            raise bad_input("config-and-none", found, file=str(self.file), advice="Leave --config or --no-config out")


def on_disk(given: ConfigurationOption) -> Configured | None:
    """The configuration that holds where the user stands, None where there is none.

    Looked for is up to the folder that has a `.git`, outside of a clone in the current folder alone.

    Raises:
        BadInput: see `read_configuration`; two files of one folder; a named one that is missing.
    """
    here = Path.cwd()
    if given.none:
        return None
    if given.file is not None:
        return _given(given.file, f"{here.as_posix()}/")
    for folder, files in configurations_around(here):
        names = {Path(os.path.relpath(each, here)).as_posix(): each for each in files}
        read = {name: read_bytes(path, name) for name, path in names.items()}
        if found := _only(read, f"{folder.as_posix().rstrip('/')}/"):
            return found
    return None


def on_the_disk(contract: Path) -> str:
    """The absolute path of a contract, for `REF:path` that of its file in the work tree."""
    place = git_place(contract)
    here = Path.cwd()
    if place is not None:
        root = here if place[1].startswith(("./", "../")) else [folder for folder, _ in configurations_around(here)][-1]
        contract = root / place[1].lstrip("/")
    return normpath((here / contract).as_posix())


def at_commit(commits: Commits, ref: str, given: ConfigurationOption) -> Configured | None:
    """The configuration that a commit holds for the folder that the user stands in, None where it holds none.

    Raises:
        BadInput: see `read_configuration`; two files of one folder; a named one that is missing.
    """
    prefix = commits.prefix()
    if given.none:
        return None
    if given.file is not None:
        return _given(given.file, prefix)
    commit, folder = commits.commit(ref), prefix
    while True:
        names = (f"{folder}{name}" for name in (OWN_CONFIGURATION, SHARED_CONFIGURATION))
        read = {f"{ref}:{name}": commits.read(commit, name) for name in names if commits.entry(commit, name)}
        if found := _only(read, folder):
            return found
        if not folder:
            return None
        folder = folder.rstrip("/").rpartition("/")[0]
        folder = f"{folder}/" if folder else ""


def _only(read: Mapping[str, bytes], folder: str) -> Configured | None:
    found = [each for name, data in read.items() if (each := read_configuration(data, name, folder))]
    if len(found) > 1:
        told = f"the folder has a configuration in {found[1].file} too"
        raise bad_input("two-configurations", told, file=found[0].file, advice="Keep one of the two")
    return found[0] if found else None


def _given(file: Path, folder: str) -> Configured:
    place = git_place(file)
    if place is None:
        data = read_bytes(file, file.as_posix())
    else:
        from evreview.evidence.repository import Commits

        commits = Commits.of(Path())
        data = commits.read(commits.commit(place[0]), place[1].lstrip("/"))
    found = read_configuration(data, file.as_posix(), folder)
    if found is None:
        advice = "Add the table [tool.evreview], or name another file"
        raise bad_input("no-configuration", "it says nothing about evreview", file=file.as_posix(), advice=advice)
    return found
