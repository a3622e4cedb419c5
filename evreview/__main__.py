"""The `evreview` command, also `python -m evreview`."""

from __future__ import annotations

import gc
import sys

from evreview.app.commands.shell import end_at_once


def main() -> None:
    """Run the command; its exit status is the process's."""
    end_at_once()
    sys.exit(_status(sys.argv[1:]))


def _status(words: list[str]) -> int:
    # Next to nothing that a comparison makes goes before the process ends: one search for cycles, while it works or
    # when it ends, would be a tenth of a large comparison.
    gc.disable()
    if words == ["--version"]:
        from evreview.app.commands.shell import print_version

        return print_version()
    from evreview.app.commands.diff import plain_question, run_plainly

    asked = plain_question(words)
    if asked is not None:
        status = run_plainly(*asked)
        gc.freeze()
        return status
    gc.enable()
    from evreview.app.cli import run_command

    return run_command(words)


if __name__ == "__main__":
    main()
