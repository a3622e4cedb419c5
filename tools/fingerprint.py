"""One line of sha256 per artifact, register and ledger: a change that may change no answer leaves every line as it is.

`make fingerprint` writes `tools/fingerprint.txt` and prints which lines changed since the last time. Covered: the
reviews of `examples/` and of the golden variants, the ledger of every rule's example and counter-example, and of the
corpus of real contract pairs, where it stands beside the checkout; without it its lines are kept as they are.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import evreview
from evreview.kinds.rule_catalogue import CATALOGUE
from evreview.workflows.session import Review
from tests.golden import variants, w2_runs, w2_variants, w3_runs, w3_variants
from tests.golden.runs import finished as w1_finished
from tests.pipeline import shown

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
FILE = ROOT / "tools" / "fingerprint.txt"

Line = tuple[str, str]


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _of_review(name: str, done: Review) -> Iterator[Line]:
    yield f"{name} artifact", _sha(str(done.artifact))
    for register, frame in sorted(done.registers.items()):
        yield f"{name} {register}.csv", _sha(frame.to_csv(index=False))
        yield f"{name} {register}.json", _sha(frame.to_json(orient="records"))


def example(folder: str) -> list[Line]:
    """The lines of one bundle below `examples/`."""
    return list(_of_review(f"example {folder}", evreview.review(evreview.open_bundle(ROOT / "examples" / folder))))


def variant(workflow: str, name: str) -> list[Line]:
    """The lines of one golden variant."""
    finished = {"w1": w1_finished, "w2": w2_runs.finished, "w3": w3_runs.finished}[workflow]
    return list(_of_review(f"variant {workflow} {name}", finished(name)))


def rule(place: int) -> list[Line]:
    """The ledgers of one rule's two examples."""
    one = CATALOGUE[place]
    pairs = (("example", one.example), ("counter", one.counter_example))
    return [(f"rule {one.id} {which}", _sha(repr(shown(example).to_dict()))) for which, example in pairs]


def pair(folder: str) -> list[Line]:
    """The ledger of one real pair; of one that can't be read, what is told."""
    place = CORPUS / folder
    sides = [next(iter(sorted(place.glob(f"{side}*")))) for side in ("released", "candidate")]
    includes = sorted((CORPUS / "proto" / "_deps").glob("*")) if folder.startswith("proto/") else []
    try:
        text = repr(evreview.diff(*sides, include=includes).to_dict())
    except evreview.BadInput as refused:
        text = repr([(problem.code, problem.message) for problem in refused.problems])
    return [(f"pair {folder}", _sha(text.replace(str(CORPUS), "")))]


def _work() -> Iterator[Callable[[], list[Line]]]:
    yield from (partial(example, folder.name) for folder in sorted((ROOT / "examples").iterdir()))
    for workflow, module in (("w1", variants), ("w2", w2_variants), ("w3", w3_variants)):
        yield from (partial(variant, workflow, one.name) for one in module.VARIANTS)
    found = sorted(CORPUS.glob("**/released*"))
    yield from (partial(pair, str(one.parent.relative_to(CORPUS))) for one in found)
    yield from (partial(rule, place) for place in range(len(CATALOGUE)))


def _lines_of(job: Callable[[], list[Line]]) -> list[Line]:
    with contextlib.redirect_stdout(io.StringIO()):
        return job()


def main() -> int:
    """Writes the file; status 1 when a line changed."""
    text = FILE.read_text() if FILE.exists() else ""
    before = {name: sha for sha, _, name in (line.partition(" ") for line in text.splitlines())}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        now = dict(line for lines in pool.map(_lines_of, _work()) for line in lines)
    if not CORPUS.is_dir():
        now |= {name: sha for name, sha in before.items() if name.startswith("pair ")}
    FILE.write_text("".join(f"{now[name]} {name}\n" for name in sorted(now)))
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    if before:
        print("\n".join(changed[:40]))
    print(f"{len(changed)} of {len(now)} lines changed")
    return 1 if changed and before else 0


if __name__ == "__main__":
    sys.exit(main())
