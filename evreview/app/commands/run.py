"""`evreview demo`, `evreview run` and `evreview lab`: a bundle through its workflow's notebook."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree, get_terminal_size
from typing import TYPE_CHECKING, Final

from evreview.app.commands.approve import answer_time, answer_words, is_late
from evreview.app.commands.run_summary import Summary, summary_lines
from evreview.app.commands.shell import Stopped, clean, learnt, refuse, say, shown, warn, word_of, working
from evreview.app.commands.validate import require_valid
from evreview.core.assets import demo_bundle
from evreview.core.assets import notebook as notebook_of
from evreview.core.errors import bad_input
from evreview.core.frozen import frozen
from evreview.core.vocabulary import ExitStatus, Json
from evreview.report.difference_text import NextStep
from evreview.report.terminal_text import USUAL, Screen

if TYPE_CHECKING:
    from evreview.app.notebook.run import RunOutcome
    from evreview.evidence.item import Bundle


REGISTERS: Final = "registers/"
DEMO_OUTPUT: Final = Path("evreview-demo")
OUTPUT: Final = Path("evreview-out")
LAB: Final = Path("evreview-lab")
NEEDS: Final = {
    "run": ("papermill", "ipykernel", "nbconvert", "nbformat"),
    "lab": ("jupyterlab", "ipywidgets", "anywidget"),
}
SERVER: Final = "jupyterlab"
"""What a notebook needs that evreview opens, and none that a Jupyter opens which runs already."""


@frozen(kw_only=True)
class LabOptions:
    """How a notebook is opened.

    Attributes:
        port: the one that JupyterLab takes; the first free one from 8888 on when None.
        browser: False where no browser is to be opened, as on another machine.
        server: False where the notebook is only written, to be opened in a Jupyter that runs already.
    """

    port: int | None = None
    browser: bool = True
    server: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The same as words of JupyterLab's command line; it must not take another port than the one that was asked."""
        port = () if self.port is None else ("--port", str(self.port), "--ServerApp.port_retries=0")
        return (*port, *(() if self.browser else ("--no-browser",)))

    @property
    def lacking(self) -> str:
        """Which extra has to be installed, as a sentence; "" when it is there."""
        return lacks("lab", without=() if self.server else (SERVER,))


USUALLY: Final = LabOptions()


def demo(output: Path | None, *, html: bool = False) -> int:
    """Run the bundled review, and say where the artifact is and what it decided; 0 once the artifact is valid."""
    if lacking := lacks("run"):
        return refuse(lacking)
    folder = output or DEMO_OUTPUT
    done, opened = _execute(demo_bundle(), folder, html=html)
    require_valid(folder / done.artifact, opened)
    _report(done, None, opened)
    say(clean("The bundled review keeps its output contract, and every citation resolves."))
    return ExitStatus.DONE


def run(bundle: Path, output: Path | None, *, html: bool, parameters: Sequence[str]) -> int:
    """Run the bundle's review and write its outputs whole; the exit status is the decision's."""
    if lacking := lacks("run"):
        return refuse(lacking)
    if output is not None:
        _require_plain(output)
    done, opened = _execute(bundle, output or OUTPUT, html=html, parameters=dict(parameter(one) for one in parameters))
    _report(done, bundle, opened)
    if done.withheld:
        told = "nothing leaves the authorized team before the gate disclose-outside-team is approved"
        warn(f"evreview: not written: {', '.join(done.withheld)}; {told}")
    return done.exit_status


def _require_plain(output: Path) -> None:
    """Nothing, when the folder's name may stand in the outputs.

    Raises:
        BadInput: it looks like something that evreview redacts.
    """
    if learnt().leaks(output.name):
        found = "the name of the output folder looks like a value that is redacted"
        raise bad_input("output-name", found, advice="Choose another with -o")


def lab(bundle: Path | None, options: LabOptions = USUALLY) -> int:
    """Open JupyterLab on a copy of the notebook, the bundle set and the review run; the copy stays for next time."""
    if lacking := options.lacking:
        return refuse(lacking)
    subject = _own_demo() if bundle is None else bundle
    is_new = not copy_of(subject, LAB).exists()
    copy = notebook_copy(subject, LAB)
    if is_new:
        _fill(copy, subject)
    return _open(copy, shown(subject), options)


def lab_diff(released: Path, candidate: Path, options: LabOptions = USUALLY) -> int:
    """Open JupyterLab on the ledger of two contracts, without a bundle: the differences, what breaks, what comes next.

    Raises:
        BadInput: a contract can't be read.
    """
    import evreview as ev
    from evreview.kinds.load import git_place

    if lacking := options.lacking:
        return refuse(lacking)
    if any(map(git_place, (released, candidate))):
        found = "a notebook opens contracts in files, and not at a commit"
        advice = "Check the commit out with `git worktree add`, or compare with `evreview diff`"
        raise bad_input("lab-at-commit", found, advice=advice)
    ev.diff(released, candidate)  # read first, so that a bad file is told here and not in a cell
    copy = LAB / f"{released.stem}-{candidate.stem}.ipynb"
    if not copy.exists():
        LAB.mkdir(parents=True, exist_ok=True)
        copy.write_text(json.dumps(_diff_notebook(released, candidate), indent=1, ensure_ascii=False), encoding="utf-8")
        _fill(copy, released)
    return _open(copy, f"{shown(released)} and {shown(candidate)}", options)


def lab_workshop(workflow: str, bundle: Path | None = None, options: LabOptions = USUALLY) -> int:
    """Open JupyterLab on the exercises of a workflow, in a folder of their own; what was solved there stays solved.

    Raises:
        BadInput: there is no such workshop, its folder is something else, or a bundle is named.
    """
    from evreview.app.workshop.folder import NOTEBOOK, evidence, lay_out
    from evreview.app.workshop.workshop import notebook_of as exercises

    if lacking := options.lacking:
        return refuse(lacking)
    if bundle is not None:
        found, advice = "a workshop brings its own bundle", "Leave BUNDLE or --workshop out"
        raise bad_input("workshop-bundle", found, file=shown(bundle), advice=advice)
    notebook = exercises(workflow)
    folder = LAB / f"workshop-{workflow}"
    copy = folder / NOTEBOOK
    if not copy.is_file():
        lay_out(folder, workflow, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        _fill(copy, evidence(folder, workflow))
    return _open(copy, shown(evidence(folder, workflow)), options)


def _open(copy: Path, subject: str, options: LabOptions) -> int:
    if not options.server:
        say(clean(f"{shown(copy)} is ready, on {subject}; open it in a Jupyter whose kernel is {sys.executable}"))
        return ExitStatus.DONE
    say(clean(f"opening {shown(copy)} on {subject}; stop JupyterLab with Ctrl-C"))
    sys.stdout.flush()
    failed = open_lab(copy, *options.words)
    return ExitStatus.DONE if failed is None else refuse(f"JupyterLab could not run: {failed}")


def _diff_notebook(released: Path, candidate: Path) -> dict[str, Json]:
    """Three screens: the ledger, what breaks, and how a review of it is begun."""
    from evreview.app.notebook.notebook_content import of_cells

    sides = ", ".join(json.dumps(str(path.resolve())) for path in (released, candidate))
    return of_cells(
        [
            ("markdown", "title", f"# {released.name} to {candidate.name}"),
            ("code", "diff", f"import evreview as ev\n\nledger = ev.diff({sides})\nledger"),
            ("code", "breaking", "ledger.breaking  # also: ledger.where(operation=..., verdict=...), ledger.row(id)"),
            ("markdown", "review", _MAKE_A_REVIEW),
        ]
    )


_MAKE_A_REVIEW: Final = (
    "## Make a review of it\n\n`evreview new w1 my-review --repo . --from REF --to REF --contract PATH` makes a bundle "
    "from two commits: both contracts and the code behind them, and the clients and the policy to fill in."
)


def _fill(copy: Path, bundle: Path) -> None:
    """Run the review in the copy, so that it opens with its answer; one that fails opens as it is, and says why."""
    from evreview.app.notebook.notebook_content import NotebookFailed
    from evreview.app.notebook.run import run_in_place

    try:
        with working(f"running the review of {shown(bundle)}") as tell:
            run_in_place(copy, lambda done, every, _: tell(f"cell {done} of {every}"))
    except NotebookFailed as error:
        warn(f"evreview: the notebook opens without its results: {clean(str(error))}")


def lacks(extra: str, without: Sequence[str] = ()) -> str:
    """Which extra has to be installed for a command and what of it is missing, as a sentence; "" when it is there."""
    needed = NEEDS["run"] if extra == "run" else (*NEEDS["run"], *NEEDS["lab"])
    missing = [name for name in needed if name not in without and not importlib.util.find_spec(name)]
    if not missing:
        return ""
    told = f'this command needs the extra "{extra}", of which {", ".join(missing)} is missing'
    return f'{told}. Install it: pip install "evreview[{extra}]"'


def parameter(word: str) -> tuple[str, Json]:
    """Name and value of one `-p`; a value that is JSON is taken as JSON, any other as text.

    Raises:
        BadInput: there is no value.
    """
    name, equals, value = word.partition("=")
    if not equals:
        raise bad_input("parameter-without-value", f"-p {name} has no value", advice="Write -p NAME VALUE")
    try:
        return name, json.loads(value, parse_constant=_no_constant)
    except ValueError:
        return name, value


def copy_of(bundle: Path, folder: Path) -> Path:
    """Where a bundle's copy of the notebook stands."""
    return folder / f"{bundle.resolve().name}.ipynb"


def notebook_copy(bundle: Path, folder: Path) -> Path:
    """A copy of the workflow's notebook in `folder` that starts with `bundle` set; an earlier copy is kept as it is.

    Raises:
        BadInput: the bundle cannot be opened.
    """
    from evreview.evidence.bundle_reader import open_bundle

    workflow = open_bundle(bundle).workflow.lower()
    target = copy_of(bundle, folder)
    if not target.exists():
        source = json.loads(notebook_of(workflow).read_text(encoding="utf-8"))
        folder.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(_with_bundle(source, bundle), indent=1, ensure_ascii=False), encoding="utf-8")
    return target


def _with_bundle(notebook: dict[str, Json], bundle: Path) -> dict[str, Json]:
    cells = notebook["cells"]
    assert isinstance(cells, list)
    place = next(at for at, cell in enumerate(cells) if "parameters" in cell["metadata"].get("tags", []))
    setting: dict[str, Json] = {
        "cell_type": "code",
        "id": "the-bundle",
        "metadata": {"tags": ["injected-parameters"]},
        "execution_count": None,
        "outputs": [],
        "source": f"bundle = {json.dumps(str(bundle.resolve()))}\n",
    }
    return notebook | {"cells": [*cells[: place + 1], setting, *cells[place + 1 :]]}


def _own_demo() -> Path:
    """A copy of the demo's bundle, since gates answered in the notebook are appended to it."""
    target = LAB / demo_bundle().name
    if not target.exists():
        copytree(demo_bundle(), target)
    return target


def _execute(
    bundle: Path, folder: Path, *, html: bool = False, parameters: dict[str, Json] | None = None
) -> tuple[RunOutcome, Bundle]:
    """The outcome of the review, and its bundle.

    Raises:
        BadInput: of the bundle or the folder.
    """
    from evreview.app.notebook import run as run_notebook
    from evreview.report.writer import require_writable

    # Bad input is said before a kernel is started for it.
    repository = (parameters or {}).get("repository")
    opened = _opened(bundle, folder, Path(str(repository)) if repository else None)
    require_writable(folder)
    files = (bundle / item.file for item in opened.items.values() if item.file)
    if folder.resolve() in {bundle.resolve(), *(file.resolve().parent for file in files)}:
        found = "the outputs would stand among the evidence"
        advice = "Nothing was run. Choose another folder with -o"
        raise bad_input("output-is-bundle", found, file=shown(folder), advice=advice)
    try:
        with working(f"running the review of {shown(bundle)}") as tell:
            done = run_notebook(
                bundle,
                folder,
                parameters or {},
                html=html,
                progress=lambda done, total, _: tell(f"cell {done} of {total}"),
            )
            return done, opened
    except Exception:
        _withdraw(folder)
        raise


def _opened(bundle: Path, folder: Path, repository: Path | None) -> Bundle:
    """The bundle; where it is one and can't be read, the outputs of an earlier run are withdrawn."""
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.w3.authorization import as_authorized

    try:
        return as_authorized(open_bundle(bundle, repository=repository))
    except Exception:
        if (bundle / "review.yaml").is_file():
            _withdraw(folder)
        raise


def _withdraw(folder: Path) -> None:
    """No artifact of an earlier run stands where this one's would: nobody takes it for the result."""
    from evreview.report.writer import withdraw_outputs

    if withdraw_outputs(folder):
        warn(clean(f"evreview: the outputs of an earlier run are removed from {shown(folder)}: this run has none"))


def _report(done: RunOutcome, bundle: Path | None, opened: Bundle) -> None:
    """Print what the run ended with; `bundle` is None for the bundled demo."""
    beside = [name for name in done.files if name != done.artifact and not name.startswith(REGISTERS)]
    registers = sum(name.startswith(REGISTERS) for name in done.files)
    artifact = done.folder / done.artifact
    day = opened.request.as_of
    told = Summary(
        headline=done.headline,
        about=f"{done.title}, as of {day}" if day else done.title,
        reasons=done.reasons,
        actions=done.actions,
        registers=done.registers,
        artifact=shown(artifact),
        wrote=(*beside, f"{registers} files in {REGISTERS}"),
        next_steps=tuple(_next_steps(done, artifact, bundle, opened)),
    )
    for line in summary_lines(told, Screen(get_terminal_size().columns if sys.stdout.isatty() else USUAL)):
        say(clean(line))
    for name in done.kept:
        warn(clean(f"a file that evreview did not write as it stood is kept as {shown(done.folder / name)}"))


def _next_steps(done: RunOutcome, artifact: Path, bundle: Path | None, opened: Bundle) -> Iterator[NextStep]:
    from evreview.workflows.engine.next_actions import ActionKind

    named = [word_of(bundle)] if bundle is not None else []
    at = next((at for at, each in enumerate(done.actions, 1) if each["kind"] == ActionKind.ANSWER), 0)
    if at:
        why = "to answer a gate" if at == 1 else f"to answer a gate: {at} above"
        if LabOptions().lacking:
            yield from _answering(bundle, opened, why)
        else:
            yield NextStep(("evreview", "lab", *named), why)
    against = ["--bundle", *named] if named else []
    yield NextStep(("evreview", "validate", word_of(artifact), *against), "checks the artifact, line by line")


def _answering(bundle: Path | None, opened: Bundle, why: str) -> Iterator[NextStep]:
    """The commands that answer the first gate that waits, where no notebook can; of the bundled review in a copy."""
    from evreview.core.assets import demo_bundle
    from evreview.workflows.session import Run

    seats = ((gate, seat) for gate in Run(opened).survey()[1] for seat in gate.waiting if seat.is_named)
    found = next(seats, None)
    if found is None:
        return
    if bundle is None:
        bundle = Path("my-review")
        yield NextStep(("cp", "-r", word_of(demo_bundle()), word_of(bundle)), "a copy of the bundled review")
    gate, seat = found
    words = answer_words(bundle, gate.spec.id, seat, late=is_late(opened, answer_time(opened)))
    yield NextStep(("evreview", *(word_of(word) if isinstance(word, Path) else word for word in words)), why)


def _no_constant(name: str) -> Json:
    raise ValueError(name)


# JupyterLab as a process of its own: its log stays off the terminal, its failure is told by its last line.


_OPENS: Final = re.compile(r"file://\S+-open\.html")
_LOG_HEAD: Final = re.compile(r"^\[[A-Z] [^\]]*\]\s*")
_PATIENCE_SECONDS: Final = 15


def open_lab(notebook: Path, *options: str) -> str | None:
    """None once JupyterLab ended in order, also by Ctrl-C; else the last line that it logged."""
    words = [sys.executable, "-m", "jupyter", "lab", str(notebook), *options]
    if _is_root():
        warn("evreview: you are root, so JupyterLab is started with --allow-root")
        words.append("--allow-root")
    # In a session of its own, Ctrl-C reaches evreview alone, which then ends JupyterLab without its question.
    child = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True,
    )  # fmt: skip
    try:
        last = _followed(child)
        return None if child.wait() == 0 else last
    except KeyboardInterrupt as error:
        if isinstance(error, Stopped) and not error.is_ctrl_c:
            raise
        return None
    finally:
        _end(child)


def _followed(child: subprocess.Popen[str]) -> str:
    """The last line of the log; the page that opens the laboratory is told when its line comes by."""
    assert child.stdout is not None
    lines: deque[str] = deque(maxlen=1)
    for line in child.stdout:
        page = _OPENS.search(line)
        if page:
            warn(f"evreview: if no browser opens, open {page[0]}; `jupyter server list` shows the address")
        if line.strip():
            lines.append(_LOG_HEAD.sub("", line.strip()))
    return lines[-1] if lines else "it said nothing"


def _end(child: subprocess.Popen[str]) -> None:
    if child.poll() is None:
        child.terminate()
        try:
            child.wait(_PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0
