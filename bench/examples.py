"""Examples against the peers' samplers: how many are valid, what they give away, and how long they take.

Every request and response body of every candidate contract under `openapi3.*` is asked for. Who made a value does not
matter to who judges it: both validators, the marks for what is kept back, and the redactor.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.peers import Absent
from bench.report import table
from evreview.contract.model import Contract, Element, ElementKind, ValueSet
from evreview.core.vocabulary import Json
from evreview.kinds.load import read_named
from evreview.redaction.redactor import Redactor
from evreview.workflows.w2.examples.examples import Examples
from evreview.workflows.w2.examples.valid_values import Cases, printed
from evreview.workflows.w2.facts import Example, Omitted, Why

SAMPLERS = {"openapi-sampler 1.7.9": "redocly", "@scalar/workspace-store 0.67.0": "scalar"}
PACKAGES = {"openapi-sampler": "1.7.9", "@scalar/workspace-store": "0.67.0"}
OURS = "evreview"
_SCRIPT = Path(__file__).with_name("samplers.mjs")
_TIMEOUT = 600


@dataclass(slots=True)
class Tally:
    """What came of one sampler's values.

    Attributes:
        asked: distinct schemas in one direction, those proved to hold no value left out.
        valid: accepted by both validators.
        sendable: valid, and without a member that is kept back in this direction.
        clean: of the valid ones, those in which the redactor reports nothing.
        operations, seconds: how many operations, and the processor time for all of their bodies.
    """

    asked: int = 0
    valid: int = 0
    sendable: int = 0
    clean: int = 0
    operations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Body:
    """One request or response body with a schema."""

    media: Element
    value: ValueSet


@dataclass(slots=True)
class Messages:
    """What came of whole messages."""

    made: int = 0
    omitted: Counter[Why] = field(default_factory=Counter)


class Bodies:
    """The bodies of one contract, and who is right about them."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.cases = Cases(contract, Redactor())
        self.all = [Body(media, media.value) for media in _media(contract) if media.value is not None]
        self.distinct: dict[tuple[str, ...], Body] = {}
        for body in self.all:
            end = self.cases.first.judge.end(body.value)
            self.distinct.setdefault((end.place.file, end.place.pointer, str(body.media.direction)), body)
        self.satisfiable = [body for body in self.distinct.values() if not self._is_empty(body)]

    def _is_empty(self, body: Body) -> bool:
        case = self.cases.of(body.media, body.value)
        return next(case.values(), None) is None and case.why is Why.UNSATISFIABLE

    def judge(self, body: Body, value: Json, tally: Tally) -> None:
        """Counts one value of a schema that can be met."""
        direction = body.media.direction
        judges = (self.cases.first.judge, self.cases.second.judge)
        if any(judge.errors(body.value, direction, value) != () for judge in judges):
            return
        tally.valid += 1
        tally.sendable += self.cases.accepted(body.value, direction, value)
        text = printed(value)
        tally.clean += self.cases.redactor.clean(text) == text


def _media(contract: Contract) -> Iterator[Element]:
    for operation in contract.operations:
        for owner in operation.children:
            if owner.kind in (ElementKind.BODY, ElementKind.RESPONSE):
                yield from (child for child in owner.children if child.kind is ElementKind.MEDIA_TYPE)


def candidates(corpus: Path) -> list[Path]:
    """The candidate contracts of the corpus that are OpenAPI 3."""
    return sorted(path for kind in ("3.0", "3.1") for path in corpus.glob(f"openapi{kind}/*/candidate.*"))


def own(bodies: Bodies, tally: Tally, messages: Messages) -> None:
    """Counts our own values, and times whole messages: composed, judged twice, passed by the redactor."""
    for body in bodies.satisfiable:
        tally.asked += 1
        found = next(bodies.cases.of(body.media, body.value).values(), None)
        if found is not None:
            bodies.judge(body, found.value, tally)
    began = time.process_time()
    examples = Examples(bodies.contract)
    made = [
        each
        for operation in bodies.contract.operations
        for each in (*examples.requests(operation), *examples.responses(operation))
    ]
    tally.seconds += time.process_time() - began
    tally.operations += len(bodies.contract.operations)
    messages.made += sum(isinstance(each, Example) for each in made)
    messages.omitted.update(each.why for each in made if isinstance(each, Omitted))


def theirs(bodies: Bodies, sampler: str, folder: Path, tally: Tally) -> None:
    """Counts a peer's values.

    Raises:
        Absent: it does not run.
    """
    values, seconds = sampled(bodies.contract, [body.media for body in bodies.satisfiable], sampler, folder)
    for body, found in zip(bodies.satisfiable, values, strict=True):
        tally.asked += 1
        if "value" in found:
            bodies.judge(body, found["value"], tally)
    _, seconds = sampled(bodies.contract, [body.media for body in bodies.all], sampler, folder)
    tally.seconds += seconds
    tally.operations += len(bodies.contract.operations)


def sampled(
    contract: Contract, media: Sequence[Element], sampler: str, folder: Path
) -> tuple[list[dict[str, Json]], float]:
    """What a peer's sampler gives for the schemas of media types, and the processor time without start-up.

    Raises:
        Absent: it does not run.
    """
    (document,) = contract.documents.values()
    places = [
        {"pointer": each.value.place.pointer, "direction": each.direction.name if each.direction else "READ"}
        for each in media
        if each.value is not None
    ]
    files = {"contract.json": document, "places.json": places}
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    script = shutil.copy(_SCRIPT, folder / _SCRIPT.name)
    command = ["node", str(script), sampler, *(str(folder / name) for name in files)]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_TIMEOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Absent(f"{sampler} does not run: {type(error).__name__}") from None
    if done.returncode:
        raise Absent(f"{sampler} failed: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")
    answer = json.loads(done.stdout)
    return answer["values"], answer["seconds"]


def installed(cache: Path) -> Path:
    """A folder in which node finds the peers' packages at their pinned versions; no script of a package runs.

    Raises:
        Absent: npm is missing or fails.
    """
    folder = cache / "samplers"
    if (folder / "node_modules").is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        raise Absent("node and npm are not installed, so the samplers can't be fetched")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module", "dependencies": PACKAGES}))
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Absent(f"npm could not install the samplers: {(done.stderr.strip().splitlines() or ['no reason'])[-1]}")
    return folder


def measured(paths: Sequence[Path], folder: Path | None) -> tuple[dict[str, Tally], Messages, list[str]]:
    """The tally of every sampler over the contracts, what came of whole messages, and what could not be had."""
    tallies, messages, lacking = {OURS: Tally()}, Messages(), []
    for path in paths:
        bodies = Bodies(read_named(path)[0])
        own(bodies, tallies[OURS], messages)
        for name, sampler in SAMPLERS.items() if folder is not None else ():
            try:
                theirs(bodies, sampler, folder, tallies.setdefault(name, Tally()))
            except Absent as reason:
                lacking.append(f"{path.parent.name}: {reason}")
    return tallies, messages, lacking


def examples_table(tallies: dict[str, Tally]) -> list[str]:
    """A line per sampler."""
    head = ("sampler", "schemas that can be met", "valid", "valid and sendable", "valid and clean", "per operation")
    return table(head, [(name, str(one.asked), *_shares(one), _each(one)) for name, one in tallies.items()])


def messages_line(messages: Messages) -> str:
    """How many whole messages came about, and why others did not."""
    total = messages.made + messages.omitted.total()
    why = ", ".join(f"{count} {name}" for name, count in sorted(messages.omitted.items()))
    return f"Whole messages: {messages.made} of {total}; omitted with the reason: {why or 'none'}."


def _shares(tally: Tally) -> tuple[str, ...]:
    return tuple(
        f"{count} ({100 * count / tally.asked:.1f} %)" if tally.asked else "n/a"
        for count in (tally.valid, tally.sendable, tally.clean)
    )


def _each(tally: Tally) -> str:
    return f"{1000 * tally.seconds / tally.operations:.2f} ms" if tally.operations else "n/a"
