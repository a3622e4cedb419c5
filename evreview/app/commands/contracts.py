"""What a clone holds: `evreview contracts` lists those of a commit, `evreview history` compares one at all its tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.shell import clean, detecting, learn, learnt, put, refuse, say, shown, spare, warn, working
from evreview.core.errors import BadInput, Problem, bad_input, one_line
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import ContractKind, ExitStatus, Json, Tristate

if TYPE_CHECKING:
    from evreview.comparison.accepted_differences import Accepted, Entry, State
    from evreview.comparison.history import History
    from evreview.comparison.release_breaks import ReleaseBreak
    from evreview.contract.model import Contract
    from evreview.evidence.repository import Commits
    from evreview.redaction.detector import Clean


def contracts(folder: Path, ref: str, config: Path | None = None, *, no_config: bool = False) -> int:
    """Print the contracts below a folder of a clone at a commit; the work tree is not read.

    Args:
        folder: of the clone.
        ref: names the commit, whose configuration holds.
        config: another one, a file or `REF:path`.
        no_config: True when none is to hold.

    Raises:
        BadInput: there is no such folder, no clone or no such commit.
    """
    from evreview.app.commands.configuration import ConfigurationOption, at_commit
    from evreview.evidence.repository import Commits
    from evreview.kinds.find import EVERYTHING, find_contracts

    if not folder.is_dir():
        return refuse(f"{one_line(str(folder))}: there is no such folder. Name one of a clone")
    commits = Commits.of(folder)
    commit, here = commits.commit(ref), commits.prefix()
    if here and commits.entry(commit, here) is None:
        raise bad_input("file-missing", f"commit {commit[:12]} has no such folder", file=f"{ref}:{here}")
    known = at_commit(commits, ref, ConfigurationOption(config, none=no_config))
    found = find_contracts(commits, commit, (here,) if here else (), known.search if known else EVERYTHING)
    if known and not here:
        known.warn_of_unused(found)
    wide = max((len(each.path) for each in found), default=0)
    kinds = max((len(each.kind) for each in found), default=0)
    lines = [one_line(f"{each.path:<{wide}}  {each.kind:<{kinds}}  {each.why}") for each in found]
    say(clean("\n".join([f"{counted(len(found), 'contract')} at {ref} ({commit[:12]})", *lines])))
    return ExitStatus.DONE


# One contract at every tag: what each release broke, how long it stands, and who may talk to whom.


SCHEMA: Final = "evreview.releases/1"
FORMS: Final = ("text", "json")
MARKS: Final = {Tristate.YES: ".", Tristate.NO: "x", Tristate.UNKNOWN: "?"}
WIDTH: Final = 118


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasesRequest:
    """What was asked: which contract of which clone, at which tags, what is accepted besides, and how it is told."""

    repository: Path
    contract: str
    tags: str
    kind: ContractKind | None = None
    form: str = "text"
    witnesses: bool = True
    accept: tuple[Path, ...] = ()
    no_config: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Releases:
    """The releases by name, and what came of comparing them.

    Attributes:
        names, without: the tags that hold the contract, and those that do not.
        history, breaks, matrix: of those that do.
        accepted: for each of `breaks` what is said of it today, None where nobody accepts it.
    """

    names: tuple[str, ...]
    without: tuple[str, ...]
    history: History
    breaks: tuple[ReleaseBreak, ...]
    matrix: tuple[tuple[Tristate, ...], ...]
    accepted: tuple[Accepted | None, ...]

    def count(self, state: State) -> int:
        """How many of the breaks have this state."""
        return sum(each is not None and each.state is state for each in self.accepted)


def history(asked: ReleasesRequest, output: Path | None) -> int:
    """Write what each release broke, since when and until when, and the matrix of clients and releases.

    Raises:
        BadInput: there is no clone, fewer than two tags hold the contract, or it or an accept file can't be read.
    """
    if asked.form not in FORMS:
        return refuse(f"a history of tags has no format {asked.form}. Use --format {' or --format '.join(FORMS)}")
    output = None if output == Path("-") else output
    with working(f"comparing the releases of {asked.contract}") as tell:
        told = _compared(asked, tell)
        body = _document(asked, told) if asked.form == "json" else _text(asked, told)
    if output is None:
        put(body, asked.form)
    else:
        from evreview.report.writer import deliver

        deliver(output, body, redactor=detecting())
        say(clean(f"wrote {shown(output)}"))
    return ExitStatus.DONE


def _compared(asked: ReleasesRequest, tell: Callable[[str], None]) -> _Releases:
    from evreview.app.commands.diff import accepted
    from evreview.comparison.release_breaks import client_matrix, release_breaks
    from evreview.evidence.repository import Commits
    from evreview.kinds.compare import compare_history
    from evreview.kinds.registry import spec_of

    more = accepted(asked.accept) or ()
    names, without, releases = _read(asked)
    spare(releases)
    tell(f"{counted(len(names), 'release')}")
    found = compare_history(releases, witnesses=asked.witnesses)
    matrix = client_matrix(found, spec_of, witnesses=asked.witnesses, tell=tell)
    breaks = release_breaks(found)
    own = {} if asked.no_config else {name: _configured(Commits.of(asked.repository), name) for name in names}
    said = _accepted(found, breaks, [(*own.get(name, ()), *more) for name in names])
    _warn_of_unused(more, said)
    return _Releases(names=names, without=without, history=found, breaks=breaks, matrix=matrix, accepted=said)


def _configured(commits: Commits, tag: str) -> tuple[Entry, ...]:
    """What the configuration of a tag accepts. One that can't be read is told: nobody can mend it any more."""
    from evreview.app.commands.configuration import ConfigurationOption, at_commit

    try:
        found = at_commit(commits, tag, ConfigurationOption())
    except BadInput as error:
        for problem in error.problems:
            warn(f"warning: {learnt().clean_problem(problem)} [{problem.code}]")
        return ()
    return found.entries if found else ()


def _accepted(
    history: History, breaks: Sequence[ReleaseBreak], entries: Sequence[tuple[Entry, ...]]
) -> tuple[Accepted | None, ...]:
    """For each break what the entries of its release say of it, judged on this day."""
    from evreview.app.commands.diff import joined

    steps = {pair.later: joined(entries[pair.later], pair.comparison) for pair in history.pairs if pair.adjacent}
    found = (steps[each.since] for each in breaks)
    return tuple(told.by_id.get(each.row.delta.id) if told else None for each, told in zip(breaks, found, strict=True))


def _warn_of_unused(entries: Sequence[Entry], said: Sequence[Accepted | None]) -> None:
    """Tell the entries of accept files that no break of any release needs."""
    used = [each.entry for each in said if each is not None]
    for entry in entries:
        if entry not in used:
            where = f"{entry.file} line {entry.line}: {entry.named}"
            warn(f"warning: {where}: no breaking row of a release is accepted by it [accepted-nothing]")


def _read(asked: ReleasesRequest) -> tuple[tuple[str, ...], tuple[str, ...], list[Contract]]:
    """The tags that hold the contract, those that do not, and the contract at each of the first.

    Raises:
        BadInput: see `history`.
    """
    from evreview.evidence.repository import Commits
    from evreview.kinds.load import read_at

    commits = Commits.of(asked.repository)
    tags = commits.tags(asked.tags)
    held = {tag: commits.entry(commits.commit(tag), asked.contract) is not None for tag in tags}
    names = tuple(tag for tag in tags if held[tag])
    if len(names) < 2:
        found = f"{counted(len(names), 'tag')} of {len(tags)} that are called {asked.tags} hold this path"
        if tags and not names:
            last = commits.commit(tags[-1])
            found = f"{found}: {commits.why_no_file(last, asked.contract, None)} at {tags[-1]}"
        advice = "`evreview contracts --at TAG` lists what a tag holds"
        raise bad_input("history-too-short", found, file=asked.contract, advice=advice)
    problems: list[Problem] = []
    releases: list[Contract] = []
    for tag in names:
        try:
            releases.append(read_at(commits, tag, asked.contract, asked.kind, seen=learn)[0])
        except BadInput as error:
            problems += error.problems
    if problems:
        raise BadInput(problems)
    return names, tuple(tag for tag in tags if not held[tag]), releases


def _document(asked: ReleasesRequest, told: _Releases) -> Clean:
    from evreview.report.ledger_formats import exact_json

    document: dict[str, Json] = {
        "schema": SCHEMA,
        "contract": asked.contract,
        "releases": list(told.names),
        "without": list(told.without),
        "breaks": [
            {**each.to_dict(told.names.__getitem__), "acceptance": said.to_dict() if said else None}
            for each, said in zip(told.breaks, told.accepted, strict=True)
        ],
        "clients": {
            name: {server: answer.value for server, answer in zip(told.names, answers, strict=True)}
            for name, answers in zip(told.names, told.matrix, strict=True)
        },
    }
    return exact_json(document, learnt())


def _text(asked: ReleasesRequest, told: _Releases) -> Clean:
    """The history as lines of at most `WIDTH` columns."""
    standing = sum(each.until is None for each in told.breaks)
    head = (
        f"{asked.contract}: {counted(len(told.names), 'release')}, {told.names[0]} to {told.names[-1]}; "
        f"{counted(len(told.breaks), 'breaking row')}, {standing} of them stand at {told.names[-1]}"
    )
    left = [f"not there: {', '.join(told.without)}"] if told.without else []
    if any(told.accepted):
        from evreview.comparison.accepted_differences import State

        today, gone = told.count(State.ACCEPTED), told.count(State.EXPIRED)
        left.append(f"accepted: {counted(today, 'row')} today; of {counted(gone, 'row')} the acceptance has expired")
    lines = [head, *left, "", *_breaks(told), "", *_matrix(told)]
    return clean("\n".join(one_line(line)[:WIDTH].rstrip() for line in lines))


def _breaks(told: _Releases) -> Iterator[str]:
    wide = max(len("since"), len("stands"), *map(len, told.names))
    days = max((len(_until(said)) for said in told.accepted), default=0)
    days = max(days, len("accepted")) if days else 0
    head = f"{'accepted':<{days}}  " if days else ""
    yield f"{'since':<{wide}}  {'until':<{wide}}  {head}row"
    for each, said in zip(told.breaks, told.accepted, strict=True):
        until = "stands" if each.until is None else told.names[each.until]
        delta = each.row.delta
        where = f"{delta.operation} {delta.address}".strip()
        day = f"{_until(said):<{days}}  " if days else ""
        row = f"{delta.id}  {each.row.judgement.title}  {where}"
        yield f"{told.names[each.since]:<{wide}}  {until:<{wide}}  {day}{row}"


def _until(said: Accepted | None) -> str:
    """Until when a row is accepted, or when that ended; "" for one that nobody accepts."""
    if said is None:
        return ""
    from evreview.comparison.accepted_differences import State

    day = said.entry.expires
    return f"until {day}" if said.state is State.ACCEPTED else f"expired {day}"


def _matrix(told: _Releases) -> Iterator[str]:
    """A line for the clients of each release, a column for each release, both numbered."""
    wide = max(map(len, told.names))
    count = len(told.names)
    yield "may a client of the line's release talk to the column's? . yes  x no  ? unknown"
    numbers = [f"{number:>3}" for number in range(1, count + 1)]
    yield f"{'':>3} {'':<{wide}} {''.join(numbers)}"
    for number, name, answers in zip(numbers, told.names, told.matrix, strict=True):
        yield f"{number} {name:<{wide}} {_marks(answers)}"


def _marks(answers: Sequence[Tristate]) -> str:
    return "".join(f"{MARKS[answer]:>3}" for answer in answers)
