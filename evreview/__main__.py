"""The `evreview` command, also `python -m evreview`."""

from __future__ import annotations

import gc
import sys

from evreview.commands.stop import end_at_once


def main() -> None:
    """Run the command; its exit status is the process's."""
    end_at_once()
    sys.exit(_status(sys.argv[1:]))


def _status(words: list[str]) -> int:
    from evreview.commands.plain import plain_question, run_plainly

    asked = plain_question(words)
    if asked is not None:
        status = run_plainly(*asked)
        # The process ends; searching what is left for cycles would be a tenth of a large comparison.
        gc.freeze()
        return status
    from evreview.cli import run_command

    return run_command(words)


if __name__ == "__main__":
    main()
