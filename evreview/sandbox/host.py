"""[I/O] What this host offers for a sandbox, and why it offers none."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Final

from evreview.core.errors import bad_input
from evreview.sandbox.command import MACHINES, TOOLS, Host, Machine

_ROOT_FOLDERS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SYSTEM: Final = ("/usr", "/etc/ld.so.cache")
_NEVER: Final = (
    "/",
    "/etc",
    "/home",
    "/root",
    "/var",
    "/run",
    "/proc",
    "/sys",
    "/dev",
    "/tmp",
    "/boot",
    "/srv",
    "/mnt",
)
_PLACES: Final = os.pathsep.join(("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"))


def missing() -> str:
    """What this host lacks for a sandbox, "" when it has everything. Whether it works, a trial has to show."""
    if sys.platform != "linux":
        return f"commands are isolated on Linux only, this is {platform.system()}"
    if platform.machine() not in MACHINES:
        return f"the system-call filter is not written for {platform.machine()}"
    absent = [name for name in TOOLS if shutil.which(name, path=_PLACES) is None]
    if absent:
        return f"not installed: {', '.join(absent)} (Debian: bubblewrap, strace, util-linux)"
    if not Path(f"/proc/self/task/{threading.get_native_id()}/children").exists():
        return "the kernel does not list a process's children, so memory can't be watched"
    return ""


def machine() -> Machine:
    """The numbers of this host's architecture."""
    return MACHINES[platform.machine()]


@lru_cache(maxsize=1)
def host() -> Host:
    """What of this host a sandbox shows: the system's programs and libraries, and nothing of `/etc` or of anybody."""
    folders = [Path(name) for name in _ROOT_FOLDERS if Path(name).exists() or Path(name).is_symlink()]
    plain = [str(folder) for folder in folders if not folder.is_symlink()]
    links = [(str(folder.readlink()).removeprefix("/"), str(folder)) for folder in folders if folder.is_symlink()]
    tools = {name: shutil.which(name, path=_PLACES) or name for name in TOOLS}
    shown = tuple(name for name in _SYSTEM if Path(name).exists())
    return Host(tools=tools, shown=(*shown, *plain), links=tuple(links))


@lru_cache(maxsize=1)
def versions() -> str:
    """Names and versions of the programs that isolate and watch."""
    found = [_first_line(host().tools[name]) for name in ("bwrap", "strace")]
    return ", ".join(line.replace(" -- version ", " ") for line in found)


def _first_line(program: str) -> str:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    return done.stdout.partition("\n")[0]


def python_runtime(folder: Path | None = None) -> tuple[str, tuple[str, ...]]:
    """A Python interpreter and the folders that it needs, to be shown read-only.

    Args:
        folder: a Python environment; None is the one that runs this.

    Raises:
        BadInput: there is no Python environment, or showing it would show much more than Python.
    """
    root = Path(folder or sys.prefix).absolute()
    program = next((root / "bin" / name for name in ("python", "python3") if (root / "bin" / name).exists()), None)
    if program is None:
        advice = "Name the folder of a Python environment, the one that holds bin/python"
        raise bad_input("runtime-missing", "there is no Python in it", file=str(root), advice=advice)
    needed = dict.fromkeys([root, root.resolve(), *_base(root), program.resolve().parent.parent])
    for one in needed:
        if str(one) in _NEVER or one == Path.home() or one == one.parent:
            found = f"the environment would show {one}, and with it much more than Python"
            raise bad_input("runtime-too-wide", found, file=str(root), advice="Use an environment of its own")
    shown = [str(one) for one in needed if one != Path("/usr") and not one.is_relative_to("/usr")]
    return str(program), tuple(shown)


def _base(root: Path) -> list[Path]:
    """The installation that a virtual environment was made from, by its settings file."""
    settings = root / "pyvenv.cfg"
    if not settings.is_file():
        return []
    pairs = (line.partition("=") for line in settings.read_text(encoding="utf-8", errors="replace").splitlines())
    homes = [value.strip() for key, _, value in pairs if key.strip() == "home"]
    return [place for name in homes for place in (Path(name).parent, Path(name).resolve().parent)]
