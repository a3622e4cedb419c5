"""`evreview diff --against REF`: every contract that the branch changed, each with its ledger.

What is compared are commits: HEAD with the last commit that it shares with REF. The work tree is not read.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from posixpath import join, normpath
from typing import TYPE_CHECKING, Final

from evreview.app.commands.configuration import ConfigurationOption, Configured, at_commit, fail_on_of
from evreview.app.commands.diff import (
    DiffForm,
    Question,
    accepted,
    compare_contracts,
    deliver_ledger,
    joined,
    meets_fail_on,
    render_ledger,
    warn_of_stale,
    width_of,
)
from evreview.app.commands.shell import clean, inert, learn, refuse, warn, working
from evreview.core.errors import BadInput, Problem, bad_input, one_line
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import ContractKind, ExitStatus, FailOn, Json
from evreview.evidence.repository import Commits
from evreview.kinds.find import EVERYTHING, FoundContract, Search, find_contracts
from evreview.kinds.load import git_place
from evreview.kinds.registry import spec_of

if TYPE_CHECKING:
    from evreview.comparison.accepted_differences import Acceptance, Entry
    from evreview.comparison.comparison import Comparison
    from evreview.redaction.detector import Clean

SCHEMA: Final = "evreview.branch/1"
HEAD: Final = "HEAD"
BRANCH_FORMS: Final = (
    *(DiffForm.TEXT, DiffForm.TABLE, DiffForm.MARKDOWN),
    *(DiffForm.JSON, DiffForm.GITHUB, DiffForm.SARIF),
)


class BranchState(StrEnum):
    """What a branch did to a contract."""

    CHANGED = "changed"
    NEW = "new"
    DELETED = "deleted"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchQuestion:
    """What was asked: against which ref, which paths, and how each ledger is made and told."""

    ref: str
    paths: tuple[str, ...] = ()
    repository: Path = Path()
    kind: ContractKind | None = None
    form: DiffForm = DiffForm.TEXT
    fail_on: FailOn | None = None
    accept: tuple[Path, ...] = ()
    witnesses: bool = True
    include: tuple[Path, ...] = ()
    config: Path | None = None
    no_config: bool = False


@dataclass(frozen=True, slots=True)
class _Policy:
    """What decides on status and acceptances: the configuration that holds, and whether HEAD changes it.

    It is that of REF: what a branch says of itself would let it accept its own breaks.
    """

    configured: Configured | None = None
    is_changed: bool = False

    @property
    def told(self) -> str:
        """One clause for the head of a text, "" where neither commit has a configuration."""
        if self.configured is None:
            return "; the configuration of HEAD counts once merged" if self.is_changed else ""
        changed = ", and what HEAD changes there counts once merged" if self.is_changed else ""
        return f"; the configuration is {self.configured.file}{changed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """One contract of the branch: what became of it, and its ledger where it has two sides."""

    contract: FoundContract
    state: BranchState
    note: str = ""
    problems: tuple[Problem, ...] = ()
    comparison: Comparison | None = None
    acceptance: Acceptance | None = None
    body: Clean | bytes = b""
    fails: bool = False

    @property
    def heading(self) -> str:
        """One line: the path, the kind, and what became of it."""
        count = "" if self.comparison is None else f": {counted(len(self.comparison.rows), 'difference')}"
        note = f" ({self.note})" if self.note else ""
        return one_line(f"{self.contract.path} [{self.contract.kind}] {self.state.value}{count}{note}")


@dataclass(frozen=True, slots=True)
class _BranchSide:
    """The contracts of one commit: those that can be read with the files that they are made of, the others with why.

    `renamed` has the path that a contract has here, by the one that it has on the other side, `moved` the submodules
    that are at another commit there, or not there: what they hold was not read.
    """

    commits: Commits
    commit: str
    name: str
    contracts: Mapping[str, FoundContract]
    renamed: Mapping[str, str] = field(default_factory=dict)
    moved: tuple[str, ...] = ()
    files: dict[str, frozenset[str]] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    problems: dict[str, tuple[Problem, ...]] = field(default_factory=dict)

    def read(self, path: str, include: Sequence[Path]) -> None:
        """Read one of them, and keep which files it is made of."""
        from evreview.kinds.load import read_at

        seen: set[str] = {path}

        def note(name: str, data: bytes) -> None:
            seen.add(name)
            learn(f"{self.name}:{name}", data)

        try:
            kind = self.contracts[path].kind
            contract, _ = read_at(self.commits, self.commit, path, kind, seen=note, include=include)
            self.digests[path] = contract.sha256
        except BadInput as error:
            self.problems[path] = error.problems
        self.files[path] = frozenset(seen)

    def own(self, path: str) -> str:
        """The path of a contract here, whatever it is called on the other side."""
        return self.renamed.get(path, path)

    def place(self, path: str) -> Path:
        """`REF:path`, as a command line names it."""
        return Path(f"{self.name}:{self.own(path)}")


def against(asked: BranchQuestion, output: Path | None) -> int:
    """Write the ledger of each contract that the branch changed; the exit status is the worst of all.

    Raises:
        BadInput: there is no clone, no such ref or no common commit; an accept file that can't be read.
    """
    if asked.form not in BRANCH_FORMS:
        return refuse(f"a branch has no format {asked.form}. Use --format {' or --format '.join(BRANCH_FORMS)}")
    output = None if output in (None, Path("-")) else output.absolute()
    elsewhere = asked.repository != Path()
    if elsewhere:
        config = asked.config if asked.config is None or git_place(asked.config) else asked.config.absolute()
        asked = replace(asked, accept=tuple(file.absolute() for file in asked.accept), config=config)
    with chdir(_existing(asked.repository)), working(f"comparing this branch with {asked.ref}"):
        policy = _policy(asked)
        known = policy.configured
        asked = replace(asked, fail_on=fail_on_of(asked.fail_on, known))
        entries = accepted(asked.accept, (known.entries or None) if known else None)
        old, new, changed = _sides(asked, known.search if known else EVERYTHING)
        told = [_compared(each, (old, new), asked, (entries, output)) for each in _changed(old, new, changed)]
        body = _whole(asked, (old, new), told, policy)
    if known is not None and not asked.paths and asked.kind is None:
        known.warn_of_unused([*old.contracts.values(), *new.contracts.values()])
    _warn_of_unused(entries, told)
    deliver_ledger(body, output, asked.form)
    for said in _told_of_submodules(new) if asked.form is DiffForm.SARIF else ():
        warn(f"warning: {said} [submodule-moved]")
    for each in told:
        for problem in each.problems:
            warn(f"{problem} [{problem.code}]")
    if any(each.state is BranchState.UNREADABLE for each in told):
        return ExitStatus.BAD_INPUT
    return ExitStatus.FAIL_ON if any(each.fails for each in told) else ExitStatus.DONE


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        advice = "Name a clone with --repo"
        raise bad_input("folder-missing", "there is no such folder", file=str(folder), advice=advice)
    return folder


def _policy(asked: BranchQuestion) -> _Policy:
    """The configuration that decides, at the tip of REF unless another one is named.

    Raises:
        BadInput: it, or the one that HEAD would bring, can't be used.
    """
    commits = Commits.of(Path())
    found = at_commit(commits, asked.ref, ConfigurationOption(asked.config, none=asked.no_config))
    if asked.config is not None or asked.no_config:
        return _Policy(found)
    proposed = at_commit(commits, HEAD, ConfigurationOption())
    return _Policy(found, (found and found.settings) != (proposed and proposed.settings))


def _sides(asked: BranchQuestion, search: Search) -> tuple[_BranchSide, _BranchSide, frozenset[str]]:
    """Both commits with their contracts, and the paths that differ."""
    commits = Commits.of(Path())
    head = commits.commit(HEAD)
    base = commits.merge_base(commits.commit(asked.ref), head)
    here = commits.prefix()
    below = [normpath(join(here, path)) for path in asked.paths]
    missing = [path for path in below if not any(commits.entry(commit, path) for commit in (base, head))]
    if missing:
        advice = "Name files and folders that one of the two commits holds"
        found = "at both commits"
        raise BadInput(
            Problem(
                code="file-missing", found=f"{commits.why_no_file(head, path, None)} {found}", file=path, advice=advice
            )
            for path in missing
        )
    changed = commits.changed(base, head)
    held = [_found((commits, commit), below, asked, search) for commit in (base, head)]
    _aligned(commits, (base, head), held)
    old = _BranchSide(commits, base, base[:12], held[0], _renamed(commits, (base, head), held))
    moved = tuple(name for name in commits.moved_submodules(base, head) if _is_asked(name, below))
    new = _BranchSide(commits, head, head[:12], held[1], moved=moved)
    include = [folder if folder.is_absolute() else Path(here, folder) for folder in asked.include]
    for side in (old, new):
        for path in side.contracts if changed else ():
            side.read(path, include)
    return old, new, changed


def _is_asked(path: str, below: Sequence[str]) -> bool:
    """True for what lies below one of the paths, or around it; for everything where there are none."""
    return not below or any(each == "." or _around(each, path) or _around(path, each) for each in below)


def _around(folder: str, path: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _found(
    place: tuple[Commits, str], below: Sequence[str], asked: BranchQuestion, search: Search
) -> dict[str, FoundContract]:
    found = find_contracts(*place, below, search)
    return {each.path: each for each in found if asked.kind is None or each.kind is asked.kind}


def _aligned(commits: Commits, sides: Sequence[str], found: Sequence[dict[str, FoundContract]]) -> None:
    """Makes the folders that are contracts the same on both sides: another import is no end of a contract.

    A folder that one side alone takes for a contract is one on the other side too, where that has such files in it.
    It goes where a folder around it is a contract of both.
    """
    for path in sorted({path for contracts in found for path in contracts if path.endswith("/")}):
        each = next(contracts[path] for contracts in found if path in contracts)
        around = (found[0].keys() & found[1].keys()) - {path}
        if all(path in contracts for contracts in found):
            continue
        if any(_holds(other, path) and found[0][other].kind is each.kind for other in around):
            for contracts in found:
                contracts.pop(path, None)
            continue
        endings = spec_of(each.kind).endings
        for commit, contracts in zip(sides, found, strict=True):
            names = commits.files(commit, path.strip("/")) if endings else ()
            if path not in contracts and any(name.lower().endswith(endings) for name in names):
                contracts[path] = each


def _renamed(commits: Commits, sides: tuple[str, str], found: Sequence[dict[str, FoundContract]]) -> dict[str, str]:
    """The old path of each contract that git takes for renamed, by the new one; of a folder most files have to be."""
    old, new = found
    gone, come = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    moves = commits.renamed(*sides) if gone and come else {}
    pairs: dict[str, str] = {}
    for path in gone:
        there = [each for each in come if each not in pairs and new[each].kind is old[path].kind]
        names = commits.files(sides[0], path.strip("/")) if path.endswith("/") else (path,)
        names = tuple(name for name in names if name.lower().endswith(spec_of(old[path].kind).endings))
        counts = {
            each: sum(moves.get(name) == each or _holds(each, moves.get(name, "")) for name in names) for each in there
        }
        best = max(counts, key=lambda each: counts[each], default="")
        if best and counts[best] * 2 > len(names):
            pairs[best] = path
    return pairs


def _holds(folder: str, path: str) -> bool:
    return folder.endswith("/") and path.startswith(folder.lstrip("/"))


def _changed(old: _BranchSide, new: _BranchSide, changed: frozenset[str]) -> Iterator[FoundContract]:
    """The contracts of which a file changed, came or went; in the order of their paths."""
    for path in _paths(old, new):
        files = old.files.get(old.own(path), frozenset()) | new.files.get(path, frozenset())
        # Of a folder that can't be read nobody knows all files.
        doubtful = path.endswith("/") and (old.own(path) in old.problems or path in new.problems)
        if files & changed or (doubtful and any(name.startswith(path.lstrip("/")) for name in changed)):
            yield new.contracts.get(path) or old.contracts[path]


def _paths(old: _BranchSide, new: _BranchSide) -> list[str]:
    """The paths of all contracts, a renamed one by its new path."""
    return sorted({*old.contracts, *new.contracts} - {*old.renamed.values()})


def _compared(
    found: FoundContract,
    sides: tuple[_BranchSide, _BranchSide],
    asked: BranchQuestion,
    given: tuple[tuple[Entry, ...] | None, Path | None],
) -> _Told:
    """What became of a contract, with its ledger."""
    old, new = sides
    path = found.path
    problems = (*old.problems.get(old.own(path), ()), *new.problems.get(path, ()))
    if problems:
        return _Told(contract=found, state=BranchState.UNREADABLE, problems=problems)
    if old.own(path) not in old.contracts or path not in new.contracts:
        return _one_sided(found, old, new, asked.fail_on)
    question = Question(
        released=old.place(path),
        candidate=new.place(path),
        kind=found.kind,
        form=asked.form,
        fail_on=asked.fail_on,
        accept=tuple(file.absolute() for file in asked.accept),
        witnesses=asked.witnesses,
        include=asked.include,
        config=asked.config,
        no_config=asked.no_config,
    )
    try:
        comparison, lines = compare_contracts(question, lambda _: None)
    except BadInput as error:
        return _Told(contract=found, state=BranchState.UNREADABLE, problems=error.problems)
    entries, output = given
    own = set(_names(comparison))
    acceptance = joined(None if entries is None else tuple(e for e in entries if _names_one(e, own)), comparison)
    warn_of_stale(acceptance)
    # A comment is made from the document: it says a row as every other format does.
    body = render_ledger(comparison, acceptance, question, (width_of(output), lines), worded=True)
    return _Told(
        contract=found,
        state=BranchState.CHANGED,
        note=f"renamed from {old.own(path)}" if path in old.renamed else "",
        comparison=comparison,
        acceptance=acceptance,
        body=body,
        fails=meets_fail_on(asked.fail_on, comparison, acceptance),
    )


def _names(comparison: Comparison) -> Iterator[str]:
    """What entries name: ids of all rows, those without effect on the wire too, and their rules at operations."""
    for row in comparison.rows:
        yield row.delta.id
        yield from (f"{row.judgement.rule} at {each}" for each in row.delta.operations)
    yield from (each.delta.id for each in comparison.noise)


def _names_one(entry: Entry, own: Container[str]) -> bool:
    return any(each in own for each in entry.names)


def _one_sided(found: FoundContract, old: _BranchSide, new: _BranchSide, fail_on: FailOn | None) -> _Told:
    """A contract that came or went; one that went breaks whoever uses it, unless the same one stands elsewhere now."""
    path = found.path
    if path in new.contracts:
        same = [each for each in _same(old, new.digests[path]) if each not in new.contracts]
        note = f"the same content as {same[0]}, which is deleted" if same else ""
        return _Told(contract=found, state=BranchState.NEW, note=note)
    same = [each for each in _same(new, old.digests[path]) if each not in old.contracts]
    note = f"the same content stands in {same[0]} now" if same else "whoever uses it has no contract any more"
    fails = fail_on not in (None, FailOn.NEVER) and not same
    return _Told(contract=found, state=BranchState.DELETED, note=note, fails=fails)


def _same(side: _BranchSide, digest: str) -> list[str]:
    return sorted(path for path, own in side.digests.items() if own == digest)


def _warn_of_unused(entries: Iterable[Entry] | None, told: Iterable[_Told]) -> None:
    """Tell the accept entries that name no row of any contract."""
    known = {name for one in told if one.comparison is not None for name in _names(one.comparison)}
    for entry in entries or ():
        if not _names_one(entry, known):
            told_of = (
                f"{entry.file} line {entry.line}: {entry.named}: no contract that this branch changed has such a row"
            )
            warn(f"warning: {told_of} [accepted-nothing]")


# All of them as one text or document. Every ledger is clean already; the rest is cleaned here.


def _whole(
    asked: BranchQuestion, sides: tuple[_BranchSide, _BranchSide], told: Sequence[_Told], policy: _Policy
) -> Clean:
    from evreview.redaction.detector import Clean

    if asked.form is DiffForm.JSON:
        return Clean(json.dumps(_document(asked, sides, told, policy), indent=2, ensure_ascii=False) + "\n")
    if asked.form is DiffForm.SARIF:
        return Clean(json.dumps(_sarif(told), indent=2, ensure_ascii=False) + "\n")
    return _texts(asked, sides, told, policy)


def _document(
    asked: BranchQuestion, sides: tuple[_BranchSide, _BranchSide], told: Sequence[_Told], policy: _Policy
) -> dict[str, Json]:
    old, new = sides
    unchanged = len(_paths(old, new)) - len(told)
    contracts: list[Json] = [
        {
            "path": clean(each.contract.path),
            "kind": each.contract.kind.value,
            "state": each.state.value,
            "note": clean(each.note),
            "fails": each.fails,
            "problems": [clean(str(problem)) for problem in each.problems],
            "ledger": json.loads(each.body) if each.body else None,
        }
        for each in told
    ]
    head: dict[str, Json] = {"schema": SCHEMA, "against": clean(asked.ref), "base": old.commit, "head": new.commit}
    known = policy.configured
    configuration = {"file": clean(known.file) if known else None, "changed_by_head": policy.is_changed}
    more: dict[str, Json] = {"configuration": configuration, "fail_on": asked.fail_on, "unchanged": unchanged}
    more["moved_submodules"] = [clean(name) for name in new.moved]
    return {**head, **more, "contracts": contracts}


def _sarif(told: Sequence[_Told]) -> dict[str, Json]:
    """One log with a run for each ledger, told apart by the contract's path."""
    from evreview.report.ledger_annotations import SCHEMA as LOG

    runs: list[Json] = [
        {**run, "automationDetails": {"id": f"evreview/{clean(each.contract.path)}/"}}
        for each in told
        for run in (json.loads(each.body)["runs"] if each.body else ())
    ]
    return {"$schema": LOG, "version": "2.1.0", "runs": runs}


def _texts(
    asked: BranchQuestion, sides: tuple[_BranchSide, _BranchSide], told: Sequence[_Told], policy: _Policy
) -> Clean:
    from evreview.redaction.detector import Clean

    old, new = sides
    rest = len(_paths(old, new)) - len(told)
    where = "" if asked.repository == Path() else f"; commands are for {asked.repository}"
    head = (
        f"{counted(len(told), 'contract')} changed, came or went since {asked.ref} ({old.commit[:12]}), "
        f"{rest} unchanged; compared is the commit HEAD ({new.commit[:12]}), not the work tree{policy.told}{where}"
    )
    parts = [] if asked.form is DiffForm.GITHUB else [clean(one_line(head))]
    parts += [_said(one_line(each), asked.form) for each in _told_of_submodules(new)]
    for each in told:
        ledger = each.body.decode() if isinstance(each.body, bytes) else each.body
        parts.append(Clean(f"{_headed(each.heading, asked.form)}\n{ledger}"))
    failed = sum(each.fails for each in told)
    if asked.form is DiffForm.TEXT and failed:
        met = f"failed: --fail-on {asked.fail_on} is met by {counted(failed, 'contract')} (exit {ExitStatus.FAIL_ON})"
        parts.append(clean(met))
    return Clean("\n\n".join(part.rstrip("\n") for part in parts) + "\n")


def _told_of_submodules(side: _BranchSide) -> Iterator[str]:
    for name in side.moved:
        yield f"submodule {name} moved, its contracts were not read"


def _said(text: str, form: str) -> Clean:
    """A line beside the ledgers in their format."""
    from evreview.redaction.detector import Clean
    from evreview.report.escape import heading
    from evreview.report.ledger_annotations import notice

    said = clean(text)
    if form == DiffForm.GITHUB:
        return Clean(notice(said))
    return Clean(heading(said)) if form == DiffForm.MARKDOWN else inert(said)


def _headed(text: str, form: str) -> Clean:
    """The heading of a ledger in its format."""
    from evreview.redaction.detector import Clean
    from evreview.report.escape import heading
    from evreview.report.ledger_annotations import notice

    said = clean(text)
    if form == "markdown":
        return Clean(f"## {heading(said)}\n")
    if form == "github":
        return Clean(notice(said))
    return inert(Clean(f"=== {said}"))
