"""[door] One output at the place that the user named: a file, what a link leads to, a pipe, or a device."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from evreview.artifacts.write import as_bytes, write_outputs
from evreview.errors import bad_input
from evreview.guard import Clean, Guard


def require_apart(output: Path, inputs: Sequence[Path]) -> None:
    """Nothing, when the output is none of the inputs, also not by another name, and no file that one of them holds.

    Raises:
        BadInput: it is one of them.
    """
    for given in inputs if output.exists() and not _is_stream(output) else ():
        held = given.is_dir() and output.resolve().is_relative_to(given.resolve())
        if held or (given.exists() and output.samefile(given)):
            advice = "Nothing was written. Choose another file with -o"
            raise bad_input(
                "output-is-input", f"the output would overwrite the input {given}", file=str(output), advice=advice
            )


def require_new(output: Path, bundle: Path, body: Clean | bytes) -> None:
    """Nothing, when the output is no evidence and replaces no file with other content.

    Raises:
        BadInput: it stands in the bundle's folder, or such a file is there.
    """
    if output.resolve().is_relative_to(bundle.resolve()):
        advice = "Nothing was written. Choose a place outside of the bundle with -o"
        raise bad_input(
            "output-in-bundle", "the output would stand among the evidence", file=str(output), advice=advice
        )
    if _is_stream(output) or not output.is_file() or output.read_bytes() == as_bytes(body):
        return
    advice = "Nothing was written. Remove it, or choose another with -o"
    raise bad_input("output-exists", "a file with other content is there", file=str(output), advice=advice)


def deliver(output: Path, body: Clean | bytes, *, guard: Guard | None = None) -> None:
    """Write the body: into a pipe or character device as it is, otherwise whole or not at all.

    A symbolic link stays; what it leads to is written.

    Args:
        output: where.
        body: what.
        guard: what has been learnt to redact; the detectors alone when it is not given.

    Raises:
        BadInput: it can't be written, or still leaks; a file that was there is as it was.
    """
    try:
        if _is_stream(output):
            with output.open("wb") as stream:
                stream.write(as_bytes(body))
            return
        target = output.resolve() if output.is_symlink() else output
        odd = target.exists() and not target.is_file() and not target.is_dir()
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as fault:
        why = (fault.strerror if isinstance(fault, OSError) else None) or "the path is a loop of links"
        raise bad_input(
            "not-writable", f"the output can't be written: {why}", file=str(output), advice="Choose another with -o"
        ) from None
    if odd:
        advice = "Name a file, a pipe or a character device"
        raise bad_input(
            "not-writable", "the output can't be written: this is a special file", file=str(output), advice=advice
        )
    write_outputs(target.parent, {target.name: body}, guard=guard)


def _is_stream(path: Path) -> bool:
    """True for a named pipe or a character device, also behind links."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
