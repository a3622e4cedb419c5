"""[I/O] A thin runner over papermill: parameters checked, a whole run or a failure, nothing of the machine kept.

Each run has a kernel and a temporary folder of its own, so runs side by side do not meet.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import Dict, Instance, Unicode, default

from evreview.app.notebook.exported import export_markdown, skip_slow_import
from evreview.app.notebook.notebook_content import (
    OF_THE_RUN,
    Notebook,
    NotebookFailed,
    checked,
    failure,
    scrubbed,
    unfinished,
    written,
)
from evreview.core.assets import ARTIFACTS
from evreview.core.assets import notebook as notebook_of
from evreview.core.errors import EvreviewError, bad_input
from evreview.core.temporary_folder import TemporaryFolder
from evreview.core.vocabulary import ExitStatus, Json
from evreview.evidence.bundle_folder import workflow_of
from evreview.evidence.bundle_reader import open_bundle
from evreview.redaction.redactor import Redactor
from evreview.report.pages.artifact_page import cited_in, page
from evreview.report.pages.evidence_list import excerpts
from evreview.report.writer import replace_outputs
from evreview.workflows.engine.conclusions import DecisionState

if TYPE_CHECKING:
    from evreview.workflows.session import Progress

SUMMARY: Final = "review.json"
JOURNAL: Final = "journal.json"
TOLD: Final = ("compatibility-matrix", "policy-judgements", "findings", "impacts", "gates")
"""The registers that the terminal tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """A notebook that ran whole.

    Attributes:
        notebook: as plain JSON, without what differs from run to run.
        files: what its cells wrote into the output folder, by name.
    """

    notebook: Notebook = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """A review that was run and written.

    Attributes:
        exit_status: what the command line returns.
        headline: the decision in one line.
        reasons: why a step ended it, each in one line; none of a run that came to its end.
        actions: what people do next, in order, as the summary has them.
        folder: where the outputs are.
        artifact: the artifact's file name.
        files: their names, sorted.
        kept: files of others that had such a name, by the name that they have now.
        withheld: files that were asked for and are not written, since nothing of the review may leave the team.
        title: of the review, as the artifact has it.
        registers: the rows of `TOLD`, as far as the steps reached them.
    """

    exit_status: int
    headline: str
    reasons: tuple[str, ...]
    actions: tuple[Mapping[str, Any], ...]
    folder: Path
    artifact: str
    files: tuple[str, ...]
    kept: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    title: str = ""
    registers: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict, repr=False)


def run(
    bundle: Path,
    out_dir: Path,
    parameters: Mapping[str, Json] | None = None,
    *,
    html: bool = False,
    progress: Progress | None = None,
) -> RunOutcome:
    """The bundle's review, run through its notebook and written whole into `out_dir`.

    Raises:
        BadInput: a parameter or the bundle.
        NotebookFailed: the notebook did not run to its end; nothing is written.
    """
    workflow = workflow_of(bundle)
    done = execute(notebook_of(workflow), bundle, out_dir, parameters or {}, progress=progress)
    artifact = ARTIFACTS[workflow]
    exported = export_markdown(done.notebook)
    if exported != done.files.get(artifact, b"").decode():
        raise NotebookFailed(0, "the exported notebook is not the rendered artifact")
    stem = artifact.removesuffix(".md")
    files: dict[str, bytes] = {**done.files, f"{stem}.ipynb": written(done.notebook).encode()}
    summary = json.loads(done.files.get(SUMMARY, b"{}"))
    internal = bool(summary.get("internal"))
    if html and not internal:
        files[f"{stem}.html"] = _page(exported, bundle, (parameters or {}).get("repository")).encode()
    replaced = replace_outputs(out_dir, files)
    return RunOutcome(
        exit_status=int(summary.get("exit_status", ExitStatus.FAULT)),
        headline=str(summary.get("decision", "")),
        reasons=tuple(map(str, summary.get("reasons", ()))) if _is_halted(summary) else (),
        actions=tuple(summary.get("next_actions", ())),
        folder=out_dir,
        artifact=artifact,
        files=replaced.names,
        kept=replaced.kept,
        withheld=(f"{stem}.html",) if html and internal else (),
        title=_title(done.files.get(artifact, b"").decode()),
        registers=_registers(done.files),
    )


def _is_halted(summary: Mapping[str, Any]) -> bool:
    return str(summary.get("state")) in [state for state in DecisionState if state.is_halted]


def _page(artifact: str, bundle: Path, repository: Json) -> str:
    """The artifact as a page, with the lines that it cites.

    Only a contract review shows them: a reference withholds what discrepancies touch, and of a security review the
    recipients were approved for the report, not for the source that it cites.
    """
    if workflow_of(bundle) != "w1":
        return page(artifact)
    opened = open_bundle(bundle, repository=Path(str(repository)) if repository else None)
    redactor = Redactor.over((str(item.id), item.content) for item in opened.items.values())
    return page(artifact, excerpts(opened, cited_in(artifact), redactor))


def _registers(files: Mapping[str, bytes]) -> dict[str, list[Mapping[str, Any]]]:
    found = {name: files.get(f"registers/{name}.json") for name in TOLD}
    return {name: json.loads(data) for name, data in found.items() if data is not None}


def _title(artifact: str) -> str:
    """The text of the first heading, redacted as the artifact is."""
    line = artifact.partition("\n")[0].removeprefix("# ")
    return unescape(re.sub(r"\\([^\w\s])", r"\1", line))


def execute(
    notebook: Path,
    bundle: Path,
    out_dir: Path,
    parameters: Mapping[str, Json],
    *,
    progress: Progress | None = None,
) -> Execution:
    """The notebook, run from top to bottom on the bundle in a kernel of its own. Nothing is written to `out_dir`.

    Args:
        notebook: the notebook file.
        bundle: the evidence folder; the notebook's parameter `bundle`.
        out_dir: where an earlier run's journal is looked for; the notebook's parameter `out_dir` names a
            temporary folder meanwhile.
        parameters: further parameters, as plain JSON values.
        progress: called after each cell with cells done, cells in all, and which it was.

    Raises:
        BadInput: a parameter's name or value, or what a cell reports as bad input.
        NotebookFailed: a cell raised or called `sys.exit`, the kernel died or could not start, a cell did not run.
    """
    with TemporaryFolder("evreview-") as place:
        work = place.resolve()
        copy = work / "notebook.ipynb"
        copy.write_bytes(_bytes_of(notebook))
        known = _known_parameters(copy)
        given = dict(checked(parameters, known - {"bundle", "out_dir"}, file=notebook.name))
        stage = _stage(work, out_dir)
        paths = {"bundle": str(bundle.resolve()), "out_dir": str(stage)}
        if given.get("repository"):
            paths["repository"] = str(Path(str(given.pop("repository"))).resolve())
        own = {name: path for name, path in paths.items() if name in known}
        ran = _papermill(copy, work, {**own, **given}, progress)
        shown: dict[str, Json] = {name: Path(path).name for name, path in paths.items()}
        shown["out_dir"] = out_dir.resolve().name
        stated = {**{name: shown[name] for name in own}, **given}
        clean = scrubbed(ran, stated, _stand_ins(out_dir, work))
        return Execution(notebook=clean, files=_files_of(stage))


def run_in_place(notebook: Path, progress: Progress | None = None) -> None:
    """Run a notebook as it is, and keep its outputs in it: whoever opens it sees the answer before anything is run.

    It is signed, as JupyterLab signs what is run in it: only then it shows the look of the outputs.

    Raises:
        BadInput: what a cell reports as bad input.
        NotebookFailed: it did not run whole; it stays as it was.
    """
    with TemporaryFolder("evreview-") as place:
        ran = _papermill(notebook, place.resolve(), {}, progress)
    for part in (ran, *ran["cells"]):
        for name in OF_THE_RUN:
            part["metadata"].pop(name, None)
    text = written(ran)
    notebook.write_text(text, encoding="utf-8")
    _sign(text)


def _sign(text: str) -> None:
    """Tell this user's Jupyter that the outputs were made here; what they show was escaped."""
    nbformat: Any = import_module("nbformat")
    signing: Any = import_module("nbformat.sign")
    signing.NotebookNotary().sign(nbformat.reads(text, as_version=4))


def _bytes_of(notebook: Path) -> bytes:
    try:
        return notebook.read_bytes()
    except OSError as error:
        raise bad_input("notebook-missing", "the notebook can't be read", file=str(notebook)) from error


def _known_parameters(notebook: Path) -> set[str]:
    skip_slow_import()
    from papermill import inspect_notebook

    try:
        return set(inspect_notebook(str(notebook)))
    except Exception as error:
        # papermill raises whatever its parts raise; all of it means that this is no notebook it can run.
        message = f"{type(error).__name__} while its parameters were read"
        raise bad_input("notebook-unreadable", message, file=notebook.name) from error


def _stage(work: Path, out_dir: Path) -> Path:
    """The folder that the cells write into, with the journal of an earlier run in it."""
    stage = work / "out"
    stage.mkdir()
    earlier = out_dir / JOURNAL
    if earlier.is_file() and not earlier.is_symlink():
        (stage / JOURNAL).write_bytes(earlier.read_bytes())
    return stage


def _files_of(stage: Path) -> dict[str, bytes]:
    found = sorted(path for path in stage.rglob("*") if path.is_file())
    return {path.relative_to(stage).as_posix(): path.read_bytes() for path in found}


def _papermill(notebook: Path, work: Path, parameters: Mapping[str, Json], progress: Progress | None) -> Notebook:
    """The executed notebook as plain JSON.

    Raises:
        NotebookFailed: it did not run whole.
    """
    from papermill import PapermillExecutionError, execute_notebook

    kernels = OwnKernels(_environment(work), work)
    # The kernel needs half a second to start; the exporter is loaded meanwhile.
    threading.Thread(target=import_module, args=("nbconvert",), daemon=True).start()
    try:
        ran = execute_notebook(str(notebook), None, dict(parameters), **_settings(notebook, kernels, progress))
    except PapermillExecutionError as error:
        raise failure(int(error.cell_index) + 1, str(error.ename), str(error.evalue)) from None
    except EvreviewError:
        raise
    except Exception as error:
        # A dead kernel, a kernel that can't start, a cell that takes too long: the type says which.
        told = " ".join(f"{type(error).__name__}: {str(error)[:300]} {kernels.last_words()[:300]}".split())
        raise NotebookFailed(0, Redactor().clean(told)) from None
    finally:
        kernels.end()
    plain: Notebook = json.loads(json.dumps(ran))
    if left := unfinished(plain):
        raise NotebookFailed(left[0], "it stopped before its end, or its last cells never ran")
    return plain


def _environment(work: Path) -> dict[str, str]:
    """What a kernel's environment has in addition."""
    home = work / "ipython"
    home.mkdir()
    # The user's IPython start-up files are no part of the review, and a history file would be shared between runs.
    return {"EVREVIEW_HEADLESS": "1", "IPYTHONDIR": str(home), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def _settings(notebook: Path, kernels: OwnKernels, progress: Progress | None) -> dict[str, Any]:
    """What papermill and, through it, nbclient are told."""
    from traitlets.config import Config

    settings: dict[str, Any] = {
        "kernel_name": "python3",
        "language": "python",
        "kernel_manager_class": kernels.manager(),
        "progress_bar": False,
        "request_save_on_cell_execute": False,
        "autosave_cell_every": 0,
        "resources": {"metadata": {"path": str(notebook.parent)}},
        "shutdown_kernel": "immediate",
        "store_widget_state": False,
        "coalesce_streams": True,
        "record_timing": False,
        "config": Config({"KernelManager": {"transport_encryption": "auto"}}),
    }
    if progress is not None:
        cells = len(json.loads(notebook.read_bytes())["cells"]) + 1
        settings["on_cell_executed"] = lambda cell_index, **_: progress(cell_index + 1, cells, f"cell {cell_index + 1}")
    return settings


def _stand_ins(out_dir: Path, work: Path) -> dict[str, str]:
    """Paths of this run alone, with what stands for them.

    Only the temporary ones: a bundle may lie in `/orders`, and `GET /orders` must stay what it is.
    """
    return {str(work / "out"): out_dir.resolve().name, str(work): "(run)"}


# The kernel that runs a notebook: this very Python, whatever kernels are installed.


LOG = "kernel.log"


class _OwnPython(KernelSpecManager):
    """Answers every kernel name with the running interpreter, so no installed kernelspec is needed or obeyed."""

    environment = Dict(Unicode())

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """The specification of the own kernel."""
        return KernelSpec(**{**get_kernel_dict(), "env": dict(self.environment)})


class OwnKernels:
    """The kernels of one run.

    Args:
        environment: additions to a kernel's environment.
        folder: where a kernel keeps its connection file, which holds keys, and its log; they go with the folder.
    """

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self._environment = environment
        self._folder = folder
        self._started: list[AsyncKernelManager] = []

    def manager(self) -> type[AsyncKernelManager]:
        """A class of kernel managers that start this Python and tell the run about it."""
        own = self

        class OwnKernelManager(AsyncKernelManager):
            kernel_spec_manager = Instance(KernelSpecManager)

            @default("connection_file")
            def _own_file(self) -> str:
                return str(own._folder / "kernel.json")

            @default("kernel_spec_manager")
            def _own_spec(self) -> Any:
                return _OwnPython(parent=self, environment=own._environment)

            async def start_kernel(self, **options: Any) -> None:  # type: ignore[override]
                own._started.append(self)
                with (own._folder / LOG).open("ab") as log:
                    await super().start_kernel(**{**options, "stdout": log, "stderr": log})

        return OwnKernelManager

    def end(self) -> None:
        """End every kernel that still runs, also one whose start was broken off."""
        for manager in self._started:
            process = getattr(manager.provisioner, "process", None)
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()

    def last_words(self) -> str:
        """The last line that a kernel logged."""
        try:
            lines = (self._folder / LOG).read_text(encoding="utf-8", errors="replace").split(os.linesep)
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
