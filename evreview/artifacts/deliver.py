"""[door] One output at the place that the user named: a file, a pipe, or a device."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path

from evreview.core.errors import bad_input
from evreview.redaction.detector import Clean
from evreview.redaction.redactor import Guard
from evreview.report.writer import as_bytes, require_no_link, settled, write_outputs


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
    if _is_stream(output) or output.is_symlink() or not output.is_file() or output.read_bytes() == as_bytes(body):
        return
    advice = "Nothing was written. Remove it, or choose another with -o"
    raise bad_input("output-exists", "a file with other content is there", file=str(output), advice=advice)


def deliver(output: Path, body: Clean | bytes, *, guard: Guard | None = None) -> None:
    """Write the body: into a pipe or character device as it is, otherwise whole or not at all.

    A symbolic link is not followed, but to a pipe or device.

    Args:
        output: where.
        body: what.
        guard: what has been learnt to redact; the detectors alone when it is not given.

    Raises:
        BadInput: it can't be written, is a link, or still leaks; a file that was there is as it was.
    """
    try:
        if _is_stream(output):
            with output.open("wb") as stream:
                stream.write(as_bytes(body))
            return
        require_no_link(output)
        odd = output.exists() and not output.is_file() and not output.is_dir()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise bad_input(
            "not-writable",
            f"the output can't be written: {fault.strerror}",
            file=str(output),
            advice="Choose another with -o",
        ) from None
    if odd:
        advice = "Name a file, a pipe or a character device"
        raise bad_input(
            "not-writable", "the output can't be written: this is a special file", file=str(output), advice=advice
        )
    keeper = guard or Guard()
    write_outputs(output.parent, {output.name: settled(output.name, body, keeper)}, guard=keeper)


def _is_stream(path: Path) -> bool:
    """True for a named pipe or a character device, also behind links."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
