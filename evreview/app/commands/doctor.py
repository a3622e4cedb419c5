"""`evreview doctor`: versions, and what is missing here for which command and how to get it."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from importlib.metadata import version as installed
from typing import Final

from evreview import __version__
from evreview.app.commands.shell import clean, say
from evreview.core.vocabulary import ExitStatus

EXTRAS: Final = {
    "run": "run, demo",
    "lab": "lab",
    "scan": "leads --with bandit",
    "parquet": "diff --format parquet",
    "batch": "batch --scheduler, batch to a URL",
}
"""The extras that users install, and the commands that need them."""
PROGRAMS: Final = {
    "git": "diff --against, new --repo",
    "semgrep": "leads --with semgrep",
}
"""Programs that are asked from the path, and the commands that ask them."""
_REQUIRED: Final = re.compile(r"^(?P<name>[A-Za-z0-9._-]+).*?(?:extra == [\"'](?P<extra>[\w-]+)[\"'])?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What some commands need: which, whether it is here, what of it is missing, how to get it."""

    what: str
    commands: str
    missing: str
    advice: str


def needs() -> Iterator[Need]:
    """Everything that a command may need besides what is always installed."""
    for extra, commands in EXTRAS.items():
        absent = [name for name in _packages(extra) if not _is_installed(name)]
        yield Need(what=f"extra `{extra}`", commands=commands, missing=", ".join(absent),
                   advice=f"pip install 'evreview[{extra}]'")  # fmt: skip
    for program, commands in PROGRAMS.items():
        absent = [] if shutil.which(program) else [program]
        yield Need(what=program, commands=commands, missing=", ".join(absent), advice=f"install {program}")
    from evreview.sandbox.host import missing

    yield Need(
        what="sandbox", commands="execute", missing=missing(), advice="install bubblewrap, strace and util-linux"
    )


def _packages(extra: str) -> tuple[str, ...]:
    """The packages of an extra, as the installed distribution states them; an extra in an extra is followed."""
    found: list[str] = []
    for line in requires("evreview") or ():
        stated = _REQUIRED.match(line)
        if stated is None or stated["extra"] != extra:
            continue
        inner = re.match(r"evreview\[(?P<extras>[\w,-]+)\]", line)
        if inner:
            found += [name for each in inner["extras"].split(",") for name in _packages(each)]
        else:
            found.append(stated["name"])
    return tuple(dict.fromkeys(found))


def _is_installed(package: str) -> bool:
    try:
        installed(package)
    except PackageNotFoundError:
        return False
    return True


def doctor() -> int:
    """Print versions and needs; 0 also where something is missing, as no command asked for it."""
    lines = [
        f"evreview   {__version__}",
        f"python     {platform.python_version()} at {sys.prefix}",
        f"system     {platform.system()} {platform.machine()}",
        "",
    ]
    for need in needs():
        state = f"missing: {need.missing}. {need.advice}" if need.missing else "ok"
        lines.append(f"{need.what:16} {need.commands:32} {state}")
    say(clean("\n".join(lines)))
    return ExitStatus.DONE
