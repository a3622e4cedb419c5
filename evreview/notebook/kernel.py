"""[door] The kernel that runs a notebook: this very Python, whatever kernels are installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import Dict, Instance, Unicode, default

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
