"""`evreview replay`: a row's witness judged once more, from both contracts read anew."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version as installed
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from evreview import __version__
from evreview.app.commands.shell import clean, learn, learnt, say, shown, spare, working
from evreview.core.control_characters import escaped, visible
from evreview.core.errors import BadInput, Problem, bad_input, one_line
from evreview.core.vocabulary import ContractKind, ExitStatus, Json, Role, Tristate
from evreview.redaction.detector import fits
from evreview.redaction.scanner import PLACEHOLDER

if TYPE_CHECKING:
    from evreview.comparison.kind_spec import Payload, WitnessJudgement, WitnessReplay
    from evreview.contract.model import Contract
    from evreview.evidence.bundle_writer import NewItem
    from evreview.kinds.replay import Replayed
    from evreview.messages.admission import AdmissionResult


_ID: Final = re.compile(r"D-[0-9a-f]{12}")
NOT_THE_SERVICE: Final = "This is a fact about the two contracts; what a service does with the message is not shown."
HIDDEN: Final = "What is redacted here is not shown; it was judged as it is."
FOUND_AGAIN: Final = (
    "The ledger's witness is redacted. Both contracts give it again, alike in all that the ledger shows."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """What was asked: which row of which comparison, and where its witness and the result are kept."""

    released: Path
    candidate: Path
    row: str
    kind: ContractKind | None = None
    ledger: Path | None = None
    bundle: Path | None = None
    include: tuple[Path, ...] = ()

    @property
    def command(self) -> str:
        """The command line, as it can be repeated."""
        from evreview.comparison.proof.outcome import replay_command
        from evreview.kinds.load import options as read_with

        options = read_with(self.kind, self.include)
        options += ["--ledger", self.ledger.as_posix()] if self.ledger else []
        return replay_command([self.released.as_posix(), self.candidate.as_posix()], self.row, options)


@dataclass(frozen=True, slots=True)
class _Row:
    """A ledger row as far as a replay needs it."""

    address: str
    verdict: str
    proof: Mapping[str, Json]


def replay(asked: ReplayRequest) -> int:
    """Print the message of a row's witness and what both contracts say of it; 0 when they say what the row claims."""
    with working(f"replaying {asked.row}") as tell:
        released, candidate = _contracts(asked)
        tell("finding the row")
        row = _row_of(asked, released, candidate)
        witness = row.proof.get("witness")
        if not isinstance(witness, Mapping) or not ("message" in witness or "at" in witness):
            say(clean(_without_message(asked, row)))
            return ExitStatus.BLOCKED
        again = asked.ledger is not None and is_redacted(witness)
        if again:
            tell("finding what the ledger's witness does not show")
            witness = _found_again(asked, witness, (released, candidate))
        tell("asking the second validator")
        found = replayed(released, candidate, witness, _folders(released, candidate))
    say(clean(_told(asked, row, found, (FOUND_AGAIN,) if again else ())))
    if asked.bundle is not None:
        from evreview.evidence.bundle_writer import retain

        identity, files = retain(asked.bundle, _item(asked, row, found, (released, candidate)))
        done, names = ("retained", f": {', '.join(files)}") if files else ("already retained", "")
        say(clean(f"{done} as {identity} in {shown(asked.bundle)}{names}"))
    return ExitStatus.DONE if found.confirmed else ExitStatus.BLOCKED


def _contracts(asked: ReplayRequest) -> tuple[Contract, Contract]:
    """Both contracts, read anew.

    Raises:
        BadInput: every problem of the command line, the contracts, the ledger file and the bundle.
    """
    problems: list[Problem] = []
    if not _ID.fullmatch(asked.row):
        advice = "`evreview diff` lists the ids of the rows: D- and 12 hexadecimal digits"
        problems.append(Problem(code="row-id", found=f"{asked.row} is no id of a row", advice=advice))
    sides: list[Contract] = []
    with _collecting(problems):
        sides = _read(asked)
    if asked.ledger is not None:
        with _collecting(problems):
            _ledger(asked.ledger, asked.row, sides)
    if asked.bundle is not None:
        with _collecting(problems):
            _fitting(asked.bundle, sides)
    if problems:
        raise BadInput(problems)
    return sides[0], sides[1]


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    """Adds what is wrong to the problems, and goes on."""
    try:
        yield
    except BadInput as error:
        problems.extend(error.problems)


def _read(asked: ReplayRequest) -> list[Contract]:
    from evreview.kinds.load import read_all

    read = read_all((asked.released, asked.candidate), asked.kind, seen=learn, include=asked.include)
    spare(contract for contract, _ in read)
    return [contract for contract, _ in read]


def _fitting(bundle: Path, sides: list[Contract]) -> None:
    """Nothing when the bundle is without problems and holds these two contracts.

    Raises:
        BadInput: otherwise.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.kinds.load import read_contract

    opened = open_bundle(bundle)
    named = opened.request.contracts
    items = [named.released, named.candidate] if named is not None else []
    own = [] if opened.sealed else [read_contract(*opened.source(item)).sha256 for item in items]
    if opened.sealed or (len(sides) == 2 and own != [side.sha256 for side in sides]):
        advice = "Name the contracts that the bundle holds"
        found = "the bundle is about other contracts than the two that are named"
        raise BadInput([Problem(code="retain-other-contracts", found=found, file=str(bundle), advice=advice)])


def _row_of(asked: ReplayRequest, released: Contract, candidate: Contract) -> _Row:
    """The row, found by comparing both contracts again, or in the ledger file."""
    if asked.ledger is not None:
        return _ledger(asked.ledger, asked.row, [released, candidate])
    return _compared(asked.row, released, candidate)


def _compared(row: str, released: Contract, candidate: Contract) -> _Row:
    """The row, found by comparing both contracts again."""
    from evreview.kinds.compare import compare

    found = compare(released, candidate)
    noise = next((each for each in found.noise if each.delta.id == row), None)
    if noise is not None:
        return _Row(noise.delta.address, "noise", {"reason": noise.reason})
    return _row(found.row(row).to_dict())


def _found_again(
    asked: ReplayRequest, stated: Mapping[str, Json], sides: tuple[Contract, Contract]
) -> Mapping[str, Json]:
    """The whole witness of which the ledger shows a part, found by comparing both contracts again.

    Raises:
        BadInput: the row's witness is another one, so nothing can judge the ledger's.
    """
    witness = _compared(asked.row, *sides).proof.get("witness")
    if isinstance(witness, Mapping) and agree(stated, witness):
        return witness
    said = "the ledger's witness is redacted, and the one that both contracts give is another one"
    advice = "Leave --ledger out"
    raise BadInput([Problem(code="witness-redacted", found=said, file=str(asked.ledger), advice=advice)])


def _row(stated: Mapping[str, Json]) -> _Row:
    proof = stated.get("proof")
    return _Row(str(stated.get("address")), str(stated.get("verdict")), proof if isinstance(proof, Mapping) else {})


def _ledger(path: Path, row: str, sides: list[Contract]) -> _Row:
    """The row as a ledger file states it.

    Raises:
        BadInput: it is no ledger of these contracts, or has no such row.
    """
    from evreview.core.document_text import parse_text
    from evreview.evidence.files import read_bytes

    data = read_bytes(path, str(path))
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        found, advice = "this is no JSON", "Write the ledger with `evreview diff --format json -o FILE`"
        raise BadInput([Problem(code="ledger-not-json", found=found, file=str(path), advice=advice)]) from None
    stated = parse_text(data, str(path))
    rows = stated.get("rows") if isinstance(stated, Mapping) else None
    if not isinstance(stated, Mapping) or not isinstance(rows, list):
        found, advice = "this is no ledger", "Write one with `evreview diff --format json -o FILE`"
        raise BadInput([Problem(code="ledger-form", found=found, file=str(path), advice=advice)])
    digests = [part.get("sha256") if isinstance(part, Mapping) else None for part in _both(stated)]
    if len(sides) == 2 and digests != [side.sha256 for side in sides]:
        found, advice = "the ledger is about other contracts", "Name the two contracts that it was made from"
        raise BadInput([Problem(code="ledger-other-contracts", found=found, file=str(path), advice=advice)])
    own = next((each for each in rows if isinstance(each, Mapping) and each.get("id") == row), None)
    if own is None:
        raise BadInput([Problem(code="row-unknown", found=f"no row has the id {row}", file=str(path))])
    return _row(own)


def _both(stated: Mapping[str, Json]) -> tuple[Json, Json]:
    return stated.get("released"), stated.get("candidate")


def _without_message(asked: ReplayRequest, row: _Row) -> str:
    reason = str(row.proof.get("reason", ""))
    status = str(row.proof.get("status", row.verdict))
    return f"{asked.row} {one_line(row.address)}\nno witness to replay ({status}): {one_line(reason)}"


def _told(asked: ReplayRequest, row: _Row, found: ReplayOutcome, notes: tuple[str, ...]) -> str:
    claim = found.claim if found.confirmed else f"the claim that {found.claim}"
    hidden = clean(found.shown) != found.shown
    lines = [
        f"{asked.row} {one_line(row.address)}: {row.verdict}",
        *(() if found.whole else ("no whole message; a value of the body or parameter:",)),
        # The same JSON, in which no text is the older kind of a build's command.
        found.shown.replace("##[", "#\\u0023["),
        *((HIDDEN,) if hidden else ()),
        *notes,
        *(f"{name} contract: {one_line(said)}" for name, said in found.said.items()),
        *map(one_line, found.beside),
        f"{'confirmed' if found.confirmed else 'not confirmed'} by {found.validator}: {one_line(claim)}",
        NOT_THE_SERVICE,
    ]
    return "\n".join(lines)


def _redacted(found: ReplayOutcome) -> bool:
    """True when the redactor would change the message, other than by writing what acts as an escape."""
    from evreview.report.ledger_formats import exactly

    redactor = learnt()
    cleaned = redactor.clean_json(found.message, signs=exactly(redactor))
    return cleaned != found.message or bool(redactor.leaks(found.shown))


def _folders(released: Contract, candidate: Contract) -> dict[str, PurePosixPath]:
    """For each side the folder that its places are below, as the user named it."""
    from evreview.kinds.load import folder_of

    return {"released": folder_of(released.path), "candidate": folder_of(candidate.path)}


def _item(asked: ReplayRequest, row: _Row, found: ReplayOutcome, sides: tuple[Contract, Contract]) -> NewItem:
    """What is kept of the replay.

    Raises:
        BadInput: the message holds what may not be written; redacted it would be another message.
    """
    from evreview.evidence.bundle_writer import NewItem

    message = found.shown + "\n"
    if _redacted(found):
        what = "the message holds what evreview redacts, so it can't be kept as it is"
        advice = "Leave --retain out, or take the secret, personal or private text out of the contract"
        raise BadInput([Problem(code="retain-redacted", found=what, place=asked.row, advice=advice)])
    digest = hashlib.sha256(message.encode()).hexdigest()
    output = "\n".join(f"{name} contract: {said}" for name, said in found.said.items())

    def body(attachment: str) -> str:
        check: dict[str, Json] = {
            "id": f"replay-{asked.row}",
            "what": clean(f"{asked.row} at {row.address}: {found.claim}. {NOT_THE_SERVICE}"),
            "command": asked.command,
            "revision": f"released sha256:{sides[0].sha256}, candidate sha256:{sides[1].sha256}",
            "fixture": f"{attachment} (sha256:{digest}), judged by {found.validator} in evreview {__version__}",
            "result": "passed" if found.confirmed else "failed",
            "output": clean(output),
            "direction": "contract",
            "deltas": [asked.row],
        }
        record: dict[str, Json] = {"kind": "test-record", "checks": [check]}
        return json.dumps(record, indent=2, ensure_ascii=False) + "\n"

    establishes = (
        f"What both contracts say of the retained message, judged by {found.validator}. "
        "Not what any service does with it."
    )
    return NewItem(name=f"replays/{asked.row}", body=body, attachment=message, establishes=establishes)


# What both contracts say of a witness, in words that are the same for every kind of contract.


Folders = Mapping[str, PurePosixPath]
"""For each side the folder that its places are below, as the user named it."""

_TOLD: Final = {Tristate.YES: "accepts", Tristate.NO: "refuses", Tristate.UNKNOWN: "can't say"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOutcome:
    """What both contracts say of a witness.

    Attributes:
        message: the message, or the value where there is no whole message.
        whole: whether it is a whole message.
        said: for each side what its contract says.
        beside: further lines to print.
        claim: what the witness claims.
        confirmed: whether the contracts say what it claims.
        validator: who judged what decides, with the version, and who read the message where that is somebody else.
    """

    message: Json
    whole: bool
    said: Mapping[str, str]
    beside: tuple[str, ...]
    claim: str
    confirmed: bool
    validator: str

    @property
    def shown(self) -> str:
        """The message as JSON, in which nothing acts."""
        return escaped(json.dumps(self.message, indent=2, ensure_ascii=False))


def replayed(released: Contract, candidate: Contract, witness: Mapping[str, Json], folders: Folders) -> ReplayOutcome:
    """What both contracts say of a witness.

    Raises:
        BadInput: `witness-form`.
    """
    from evreview.kinds.registry import spec_of

    spec = spec_of(released.kind)
    judge = spec.replaying()
    try:
        payload = spec.payload((released, candidate), witness, spec_of)
        if payload is not None:
            return _as_payload(payload, witness)
        if judge is not None:
            return _by_kind(judge, released, candidate, witness)
        return _as_json(released, candidate, witness, folders)
    except ValueError as error:
        raise bad_input("witness-form", str(error), advice="Leave --ledger out") from None


def _by_kind(
    judge: WitnessReplay, released: Contract, candidate: Contract, witness: Mapping[str, Json]
) -> ReplayOutcome:
    sides = dict(zip(("released", "candidate"), judge(released, candidate, witness), strict=True))
    accepting, refusing = str(witness.get("accepted_by")), str(witness.get("refused_by"))
    if {accepting, refusing} != set(sides):
        raise ValueError("the witness does not say which side accepts and which refuses")
    confirmed = sides[accepting].accepted is Tristate.YES and sides[refusing].accepted is Tristate.NO
    return ReplayOutcome(
        message=witness.get("message", witness.get("value")),
        whole=True,
        said={name: _line(told) for name, told in sides.items()},
        beside=(),
        claim=f"the {accepting} contract takes the message as it is meant, the {refusing} contract does not",
        confirmed=confirmed,
        validator=_judge_of(released.kind, witness),
    )


def _as_payload(payload: Payload, witness: Mapping[str, Json]) -> ReplayOutcome:
    """A part of a message judged by its own kind."""
    from evreview.kinds.registry import spec_of

    judge = spec_of(payload.contracts[0].kind).replaying()
    if judge is None:
        raise ValueError("nothing judges payloads of this language again")
    found = _by_kind(judge, *payload.contracts, {**witness, "message": payload.message})
    return replace(found, message=witness["message"])


def _line(told: WitnessJudgement) -> str:
    return f"{_TOLD[told.accepted]}{f': {told.says}' if told.says else ''}"


def _judge_of(kind: ContractKind, witness: Mapping[str, Json]) -> str:
    from evreview.kinds.registry import spec_of

    name = spec_of(kind).judge(witness)
    return f"{name} {installed(name)}" if name else "evreview's own rules of the language"


def _validator(found: Replayed) -> str:
    """Who judged: only values are put to the second validator; the rest of a message is read by the first rules."""
    second = f"jsonschema {installed('jsonschema')}"
    if found.message is None:
        return second
    if found.by_validator:
        return f"{second}, on the values that evreview's own rules read from the message"
    return f"evreview's own rules of messages ({second} judges only values, and none of them decides)"


def _as_json(released: Contract, candidate: Contract, witness: Mapping[str, Json], folders: Folders) -> ReplayOutcome:
    from evreview.kinds.replay import replay
    from evreview.schema.cross_check_validator import CrossCheckValidator

    found = replay(released, candidate, witness, CrossCheckValidator())
    return ReplayOutcome(
        message=found.message.to_json() if found.message else found.value,
        # Of an event the value is all that travels.
        whole=found.message is not None or any(child.role is Role.MESSAGE for child in released.operations),
        said={name: _said(found.side(name), folder) for name, folder in folders.items()},
        beside=tuple(_read_twice(found)),
        claim=_claim(found),
        confirmed=found.confirmed,
        validator=_validator(found),
    )


def _claim(found: Replayed) -> str:
    if found.part:
        return f"both contracts admit the message, and read {found.part} as two different values"
    what = "message" if found.message else "value"
    return f"the {found.accepted_by} contract accepts the {what}, the {found.refused_by} contract refuses it"


def _read_twice(found: Replayed) -> list[str]:
    if not found.part:
        return []
    sides = [("released", found.released), ("candidate", found.candidate)]
    return [
        f"{name} contract reads {found.part} as {escaped(json.dumps(side.read[found.part], ensure_ascii=False))}"
        if found.part in side.read
        else f"{name} contract reads nothing of {found.part}"
        for name, side in sides
    ]


def _said(acceptance: AdmissionResult, folder: PurePosixPath) -> str:
    """What one contract says, each broken demand with its place."""
    broken = [
        f"{each.part}{f' at {each.at}' if each.at else ''} breaks {each.keyword} at {folder / str(each.place)}"
        for each in acceptance.violations
    ]
    why = [*broken, *acceptance.open]
    return f"{_TOLD[acceptance.accepted]}{': ' if why else ''}{'; '.join(why)}"


# Witnesses of which a ledger shows only a part: found again in both contracts, and compared with what is shown.


_PLACED: Final = frozenset({"at", "violation"})
"""Members that name files as they were named on the command line that wrote the ledger."""


def is_redacted(witness: Mapping[str, Json]) -> bool:
    """True when a part of the witness stands in the ledger as a placeholder."""
    return PLACEHOLDER.search(json.dumps(witness, ensure_ascii=False)) is not None


def agree(stated: Mapping[str, Json], found: Mapping[str, Json]) -> bool:
    """True when a witness that was found is, as far as the ledger shows it, the one that the ledger states."""
    return _alike(*({key: part for key, part in each.items() if key not in _PLACED} for each in (stated, found)))


def _alike(stated: Json, found: Json) -> bool:
    if isinstance(stated, str) and PLACEHOLDER.search(stated):
        return not isinstance(found, (Mapping, list, tuple)) and fits(PLACEHOLDER.split(stated), visible(str(found)))
    if isinstance(stated, Mapping) and isinstance(found, Mapping):
        pairs = zip(stated.items(), found.items(), strict=False)
        return len(stated) == len(found) and all(_alike(one, other) for one, other in pairs)
    if isinstance(stated, (list, tuple)) and isinstance(found, (list, tuple)):
        return len(stated) == len(found) and all(map(_alike, stated, found))
    return stated == found
