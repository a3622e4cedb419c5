"""`python -m bench.batch`: one list of pairs by a plain loop, by the pool and by Dask; and kills at random moments.

The pairs are the small ones of the corpus, if it stands beside the checkout, and seeded edits of the demo's contract.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.pairs import CORPUS, weight
from evreview.app.batch.engine import LOCAL, EngineChoice, run
from evreview.app.batch.pairs import read_pairs
from evreview.app.batch.task import BatchSettings, PairTask, TaskOutcome
from evreview.app.batch.work import perform
from evreview.core.yaml_text import read_yaml
from tests.app.batch.faults import kill_client, kill_scheduler, kill_workers, settled
from tests.app.batch.lists import command, write_list

PROJECT: Final = Path(__file__).resolve().parent.parent
DEMO: Final = PROJECT / "examples" / "w1-orders" / "contracts" / "orders-1.4.yaml"
SMALL: Final = 200_000
"""Bytes of both sides up to which a pair of the corpus is in the list."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One engine over the list: seconds, processor seconds, MB of a worker in the first, middle and last tenth."""

    wall: float
    cpu: float
    done: int
    memory: tuple[int, int, int]


def edited(contract: Any, chance: random.Random) -> Any:
    """The contract with one to three seeded edits of its schemas."""
    made = json.loads(json.dumps(contract))
    schemas = [part for part in _parts(made) if part.get("properties")]
    for _ in range(chance.randint(1, 3)):
        schema = chance.choice(schemas)
        name = chance.choice(sorted(schema["properties"]))
        match chance.randrange(4):
            case 0:
                schema["required"] = [each for each in schema.get("required", []) if each != name]
            case 1:
                schema["required"] = sorted({*schema.get("required", []), name})
            case 2:
                schema["properties"][f"added{chance.randrange(100)}"] = {"type": "string", "maxLength": 40}
            case _:
                schema["properties"][name] = {"type": chance.choice(["string", "integer", "boolean"])}
    return made


def _parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _parts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _parts(each)


def pair_list(folder: Path, count: int) -> Path:
    """A list of so many pairs: the corpus' small ones, the rest edits."""
    contract = read_yaml(DEMO.read_text(encoding="utf-8"), DEMO.name)
    released, chance = folder / "released.json", random.Random(count)
    released.write_text(json.dumps(contract))
    with (folder / "pairs.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["name", "released", "candidate"])
        real = list(small_pairs())[:count]
        out.writerows([f"corpus {at}", *sides] for at, sides in enumerate(real))
        for at in range(count - len(real)):
            candidate = folder / f"{at}.json"
            candidate.write_text(json.dumps(edited(contract, chance)))
            out.writerow([f"edit {at}", released, candidate])
    return folder / "pairs.csv"


def small_pairs() -> Iterator[tuple[str, str]]:
    """The pairs of the corpus that are small, of every kind of contract."""
    for folder in sorted(path.parent for path in CORPUS.glob("*/*/meta.json")):
        sides = next(folder.glob("released*")), next(folder.glob("candidate*"))
        if weight(sides) <= SMALL:
            yield str(sides[0]), str(sides[1])


def measured(work: Callable[[BatchSettings], Iterator[tuple[PairTask, TaskOutcome]]]) -> Measured:
    """What an engine takes for the list, its output thrown away."""
    with tempfile.TemporaryDirectory() as place:
        settings = BatchSettings(output=place)
        before, started = _cpu(), time.monotonic()
        told = [outcome for _, outcome in work(settings)]
        peaks = [outcome.peak for outcome in told]
        tenth = max(1, len(peaks) // 10)
        middle = len(peaks) // 2
        memory = max(peaks[:tenth]), max(peaks[middle : middle + tenth]), max(peaks[-tenth:])
        return Measured(time.monotonic() - started, _cpu() - before, len(told), memory)


def _cpu() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in both)


def engines(tasks: tuple[PairTask, ...]) -> Iterator[tuple[str, Measured]]:
    """Each engine with what it takes."""

    def loop(settings: BatchSettings) -> Iterator[tuple[PairTask, TaskOutcome]]:
        for task in tasks:
            yield task, perform(task, settings, lambda _: None)

    yield "plain loop", measured(loop)
    for name, choice in (
        ("pool, 1 worker", EngineChoice(workers=1)),
        ("pool, 2 workers", EngineChoice(workers=2)),
        ("Dask, 2 workers", EngineChoice(workers=2, scheduler=LOCAL)),
    ):
        yield name, measured(lambda settings, choice=choice: run(tasks, settings, choice, lambda _: None))  # type: ignore[misc]


def faults(times: int, folder: Path) -> str:
    """Kill workers, the command and schedulers at random moments; how often, once each run was seen to be whole."""
    chance, count = random.Random(times), 10
    workers, clients, schedulers = 0, 0, 0
    pairs = write_list(folder / "list", count)
    for at in range(times):
        out = folder / f"out{at}"
        if at % 3 == 1:
            clients += kill_client(pairs, out, chance, count)
        elif at % 3 == 2:
            schedulers += kill_scheduler(pairs, out, chance.randrange(count))
        else:
            process = command(pairs, "-o", out)
            workers += kill_workers(process, out, chance, times=1, every=count // 2)
            process.communicate(timeout=120)
        settled(pairs, str(out), count)
        shutil.rmtree(out)
    killed = f"{workers} workers, {clients} commands and {schedulers} schedulers killed"
    return f"{times} runs of {count} pairs: {killed}; every run ended whole"


def main() -> None:
    """Print the table, and the line about kills."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=30)
    asked = parser.parse_args()
    say = sys.stdout.write
    say(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if asked.pairs:
            tasks = read_pairs(pair_list(folder, asked.pairs))
            say(
                "| engine | wall | CPU | CPU a pair | MB of a worker: first, middle, last tenth |\n"
                "| --- | --- | --- | --- | --- |\n"
            )
            for name, found in engines(tasks):
                each = found.cpu / found.done * 1000
                memory = ", ".join(map(str, found.memory))
                say(f"| {name} | {found.wall:.1f} s | {found.cpu:.1f} s | {each:.1f} ms | {memory} |\n")
                sys.stdout.flush()
        if asked.kills:
            say(f"\n{faults(asked.kills, folder)}\n")


if __name__ == "__main__":
    main()
