"""The `evreview` command, also `python -m evreview`."""

from __future__ import annotations

import gc
import sys

from evreview.commands.stop import end_at_once


def main() -> None:
    """Run the command; its exit status is the process's."""
    end_at_once()
    status = _status(sys.argv[1:])
    # The process ends; searching what is left for cycles would be a tenth of a large comparison.
    gc.freeze()
    sys.exit(status)


def _status(words: list[str]) -> int:
    from evreview.commands.plain import plain_question, run_plainly

    asked = plain_question(words)
    if asked is not None:
        return run_plainly(*asked)
    from evreview.cli import run_command

    return run_command(words)


if __name__ == "__main__":
    main()
