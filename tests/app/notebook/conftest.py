"""JupyterLab and a browser for the notebook's tests: offline, with folders of their own."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import evreview as ev
from evreview.core.assets import demo_bundle as bundled
from evreview.workflows.session import Review
from tests.browser import chromium, need_browser

RAN = """(() => { const cells = [...window.jupyterapp.shell.currentWidget.content.model.cells]
  .filter(c => c.type === 'code' && c.sharedModel.source.trim());
  return cells.every(c => c.executionCount !== null); })()"""
ERRORS = """[...window.jupyterapp.shell.currentWidget.content.model.cells]
  .flatMap(c => c.type === 'code' ? c.outputs.toJSON() : [])
  .filter(o => o.output_type === 'error').map(o => o.ename + ': ' + o.evalue)"""
IDLE = "window.jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
SHOW = """name => { const content = window.jupyterapp.shell.currentWidget.content;
  const at = [...content.model.cells].findIndex(c => c.id === name); content.activeCellIndex = at;
  return content.scrollToItem(at, 'start'); }"""
LONG = 120_000


def notebook_of(*sources: str) -> dict[str, Any]:
    """A notebook with one code cell per source."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{place}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for place, source in enumerate(sources)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def with_parameters(source: str, *rest: str) -> dict[str, Any]:
    """A notebook whose first cell is the parameters cell."""
    made = notebook_of(source, *rest)
    made["cells"][0]["metadata"]["tags"] = ["parameters"]
    return made


@pytest.fixture
def notebook(tmp_path: Path) -> Callable[..., Path]:
    """Writes a small notebook and gives its path."""

    def make(*sources: str, parameters: str = "x: int = 1", name: str = "small.ipynb") -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(with_parameters(parameters, *sources)))
        return path

    return make


@pytest.fixture
def written() -> Callable[..., Path]:
    """Writes a notebook of the given code cells at a path."""

    def write(path: Path, *sources: str) -> Path:
        path.write_text(json.dumps(notebook_of(*sources)))
        return path

    return write


@dataclass
class Lab:
    """A JupyterLab page.

    Attributes:
        page: the browser's page.
        outside: every address outside this machine that was asked for.
    """

    base: str
    page: Any
    outside: list[str] = field(default_factory=list)

    def show(self, cell: str) -> None:
        """Bring a cell on the screen; the notebook does not draw the others."""
        self.page.evaluate(SHOW, cell)
        self.page.wait_for_timeout(400)

    def run_all(self, name: str) -> list[str]:
        """Open the notebook, run every cell, and give the errors."""
        page = self.page
        page.goto(f"{self.base}/lab/tree/{name}?reset", wait_until="domcontentloaded", timeout=LONG)
        page.wait_for_function("window.jupyterapp !== undefined", timeout=LONG)
        page.evaluate("window.jupyterapp.restored.then(() => true)")
        page.wait_for_function(IDLE, timeout=LONG)
        page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
        page.wait_for_function(RAN, timeout=LONG)
        errors: list[str] = page.evaluate(ERRORS)
        return errors


def free_port() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_until_up(base: str, server: subprocess.Popen[bytes]) -> None:
    """Return when the server answers."""
    for _ in range(600):
        assert server.poll() is None, "JupyterLab ended by itself"
        try:
            urllib.request.urlopen(f"{base}/api/status", timeout=5).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError("JupyterLab did not come up in two minutes")


def environment(place: Path) -> dict[str, str]:
    """The server's environment: every folder of Jupyter's inside `place`, no news pop-up."""
    names = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    dirs = {f"JUPYTER_{name}": str(place / name.lower()) for name in names}
    dirs |= {f"JUPYTERLAB_{name}": str(place / name.lower()) for name in ("SETTINGS_DIR", "WORKSPACES_DIR")}
    news = place / "settings_dir" / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    (news / "notification.jupyterlab-settings").write_text('{"fetchNews":"false","checkForUpdates":false}')
    return {**os.environ, **dirs, "IPYTHONDIR": str(place / "ipython"), "EVREVIEW_HEADLESS": ""}


@contextmanager
def jupyterlab(work: Path, place: Path) -> Iterator[str]:
    """A server over the folder `work` that only this machine can reach; ended with its kernels."""
    port = free_port()
    command = [
        sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
        "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.disable_check_xsrf=True",
        "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={work}",
    ]  # fmt: skip
    log = (place / "server.log").open("wb")
    server = subprocess.Popen(command, env=environment(place), stdout=log, stderr=log)
    try:
        base = f"http://127.0.0.1:{port}"
        wait_until_up(base, server)
        yield base
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()


@contextmanager
def browser_page(size: Sequence[int]) -> Iterator[tuple[Any, list[str]]]:
    """A page of a browser that reaches nothing but this machine, and the list of what it tried to reach."""
    outside: list[str] = []
    with chromium() as browser:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        context.route(
            re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: (outside.append(route.request.url), route.abort())
        )
        yield context.new_page(), outside


@pytest.fixture(scope="session")
def reference() -> Review:
    """The bundled reference, reviewed by the library."""
    return ev.review(ev.open_bundle(bundled("w2")))


@pytest.fixture
def lab(tmp_path: Path) -> Callable[[Path], Any]:
    """Starts JupyterLab over a folder and gives a `Lab`; skips with the reason where there is no browser."""
    need_browser()
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    place = tmp_path / "jupyter"
    place.mkdir()

    @contextmanager
    def start(work: Path) -> Iterator[Lab]:
        with jupyterlab(work, place) as base, browser_page((1500, 1000)) as (page, outside):
            yield Lab(base=base, page=page, outside=outside)

    return start
