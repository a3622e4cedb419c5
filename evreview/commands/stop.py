"""How a command ends when it is told to: Ctrl-C, SIGTERM and SIGHUP alike. Loads nothing heavy."""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Final

INTERRUPTED: Final = "evreview: interrupted; nothing was written"
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(KeyboardInterrupt):
    """The command was told to stop; what is open is closed on the way out."""

    def __init__(self, number: int) -> None:
        self.exit_status = 128 + number
        self.is_ctrl_c = number == signal.SIGINT
        super().__init__(number)


def end_at_once() -> None:
    """From now on a signal ends the process with one line; for as long as there is nothing to close."""
    for number in _numbers():
        # What was set to be ignored, by nohup or in the background, stays so.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _ended)


def stop_in_order() -> None:
    """From now on a signal that would end the process raises `Stopped`; elsewhere than in the command, nothing."""
    for number in _numbers():
        if signal.getsignal(number) is _ended:
            signal.signal(number, _stopped)


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]


def _ended(number: int, _: FrameType | None) -> None:
    os.write(2, f"{INTERRUPTED}\n".encode())
    os._exit(128 + number)


def _stopped(number: int, _: FrameType | None) -> None:
    # A second signal must not break off the clearing up; Ctrl-C still may.
    for other in _numbers():
        if other != signal.SIGINT:
            signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)
