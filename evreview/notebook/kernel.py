"""The kernel that runs a notebook: this very Python, whatever kernels are installed."""

from __future__ import annotations

from typing import Any

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from traitlets import Dict, Instance, Unicode, default


class _OwnPython(KernelSpecManager):
    """Answers every kernel name with the running interpreter, so no installed kernelspec is needed or obeyed."""

    environment = Dict(Unicode())

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """The specification of the own kernel."""
        return KernelSpec(**{**get_kernel_dict(), "env": dict(self.environment)})


def kernel_manager(environment: dict[str, str]) -> type[AsyncKernelManager]:
    """A class of kernel managers that start this Python with the given additions to its environment."""

    class OwnKernelManager(AsyncKernelManager):
        kernel_spec_manager = Instance(KernelSpecManager)

        @default("kernel_spec_manager")
        def _own_spec(self) -> Any:
            return _OwnPython(parent=self, environment=environment)

    return OwnKernelManager
