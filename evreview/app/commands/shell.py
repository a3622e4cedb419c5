"""The shell around every command: what reaches the terminal, and which exit status a failure or a signal has.

Everything printed passes the redactor here. Nothing is decided here.
"""

from __future__ import annotations

import errno
import functools
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, ClassVar, Final, ParamSpec, TextIO

from evreview import __version__
from evreview.core.control_characters import without_commands
from evreview.core.errors import BadInput, ContractBroken, EvreviewError, one_line
from evreview.core.quoted_text import command_line
from evreview.core.vocabulary import ExitStatus
from evreview.redaction.detector import Clean
from evreview.redaction.learned_values import Distinct
from evreview.redaction.redactor import Redactor

if TYPE_CHECKING:
    from evreview.contract.model import Contract


P = ParamSpec("P")
AFTER_CTRL_C: Final = 130
BROKEN_PIPE: Final = 141
_NO_NAME: Final = frozenset({errno.ENAMETOOLONG, errno.ELOOP})
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EBADF})
_FOR_PEOPLE: Final = frozenset({"text", "table", "markdown"})
_ESCAPING: Final = frozenset({"csv", "github", "html"})
"""Formats whose writers leave no command in a value."""
PATIENCE_SECONDS: Final = 1.0
"""Shorter work than this says nothing when nobody watches."""
SECONDS_BETWEEN_LINES: Final = 5.0
SECONDS_TO_LEAVE: Final = 0.01
"""A destructor has ended by then."""


class _Known:
    """What the running command has learnt from the files that it read."""

    redactor: ClassVar[Redactor] = Redactor()
    lines: ClassVar[Distinct] = Distinct()

    @classmethod
    def forget(cls) -> None:
        cls.redactor, cls.lines = Redactor(), Distinct()


def learn(name: str, data: bytes) -> None:
    """Learn what a file tells about values, so that they go wherever they stand."""
    _Known.redactor = _Known.redactor.also([(name, _Known.lines.of(data.decode("utf-8", "replace")))])


def spare(contracts: Iterable[Contract]) -> None:
    """Let the names of code pass that these contracts declare, though they read like private endpoints."""
    from evreview.kinds.code_names import code_names

    _Known.redactor = _Known.redactor.sparing(code_names(contracts))


def learnt() -> Redactor:
    """What the running command knows to remove."""
    return _Known.redactor


def detecting() -> Redactor:
    """A redactor with the detectors alone, which lets the same names of code pass."""
    return Redactor().sparing(_Known.redactor.names)


def clean(text: str) -> Clean:
    """`text` as it may stand on the user's own terminal."""
    return _Known.redactor.clean_message(text)


def say(text: Clean) -> None:
    """Print to standard output, for people."""
    _write(sys.stdout, inert(text))


def tell(lines: Iterable[str]) -> None:
    """Print lines for people; a line break that stands in a text of the evidence is spelled out."""
    say(clean("\n".join(map(one_line, lines))))


_LABEL: Final = 11
"""Columns of the label before what is told."""


def labelled(label: str, words: str) -> Iterator[str]:
    """Lines of words under a label, within the columns of the terminal; no command stands in them."""
    from shutil import get_terminal_size

    from evreview.report.terminal_text import USUAL, Screen, wrapped

    screen = Screen(get_terminal_size().columns if sys.stdout.isatty() else USUAL)
    for number, part in enumerate(wrapped(one_line(words), screen.width - _LABEL)):
        yield f"{'' if number else label:<{_LABEL}}{part}"


def put(text: Clean, form: str) -> None:
    """Print a document to standard output, in which no text of the evidence is a command to a build."""
    if form in _FOR_PEOPLE:
        text = inert(text)
    elif form not in _ESCAPING:
        # In JSON, and in YAML as it is written here, it stands inside of a string: the same value.
        text = Clean(text.replace("##[", "#\\u0023["))
    _write(sys.stdout, text)


def inert(text: Clean) -> Clean:
    """The text for people without a command to a build."""
    return Clean(without_commands(text))


def shown(path: Path) -> str:
    """A path as the user would type it, on one line: relative when it lies in the current folder."""
    try:
        return one_line(path.resolve().relative_to(Path.cwd()).as_posix())
    except ValueError:
        return one_line(str(path))


def typed(*words: str | Path) -> str:
    """The command of ours with these words, which runs as printed where the user stands. A path is never an option."""
    return command_line(["evreview", *(word_of(word) if isinstance(word, Path) else word for word in words)])


def word_of(path: Path) -> str:
    """A path as a word of a command, relative when it lies in the current folder."""
    near = path.resolve()
    text = (near.relative_to(Path.cwd()) if near.is_relative_to(Path.cwd()) else path).as_posix()
    return f"./{text}" if text.startswith("-") else text


def warn(text: str) -> None:
    """Print to standard error."""
    _write(sys.stderr, inert(clean(text)))


def _write(stream: TextIO, text: Clean) -> None:
    stream.write(text if text.endswith("\n") else text + "\n")


def command(run: Callable[P, int | None]) -> Callable[P, None]:
    """`run` as a command: its number is the exit status, and every failure is explained instead of traced."""

    @functools.wraps(run)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        import typer

        stop_in_order()
        _Known.forget()
        status = status_of(functools.partial(run, *args, **kwargs))
        raise typer.Exit(status)

    return guarded


def status_of(run: Callable[[], int | None]) -> int:
    """The exit status of one command, after its failure, if any, was explained on standard error."""
    try:
        status = run()
        sys.stdout.flush()
    except (BadInput, ContractBroken) as error:
        return _explain(error)
    except EvreviewError as error:
        warn(f"evreview: {error}")
        return error.exit_status
    except KeyboardInterrupt as error:
        warn(INTERRUPTED)
        return error.exit_status if isinstance(error, Stopped) else AFTER_CTRL_C
    except BrokenPipeError:
        _give_up_output()
        return BROKEN_PIPE
    except PermissionError as error:
        warn(f"{one_line(str(error.filename))}: permission denied. Make it readable, or choose another place with -o")
        return ExitStatus.BAD_INPUT
    except OSError as error:
        if error.errno in _NO_NAME:
            return refuse(f"{one_line(str(error.filename or 'a path'))}: no file can have this name: {error.strerror}")
        if error.errno not in _NO_ROOM:
            warn(fault_report(error))
            return ExitStatus.FAULT
        _give_up_output()
        where = one_line(str(error.filename or "the output"))
        return refuse(f"{where} can't be written: {error.strerror}")
    except Exception as error:
        warn(fault_report(error))
        return ExitStatus.FAULT
    return status or ExitStatus.DONE


def prepare_streams() -> None:
    """Make the standard streams such that printing never is a fault.

    Raises:
        SystemExit: there is no standard output at all.
    """
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  stays open to the end
    if sys.stdout is None:
        warn("evreview: standard output is closed; there is nowhere to write to")
        raise SystemExit(ExitStatus.BAD_INPUT)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character gets its escape, not a fault.
            stream.reconfigure(errors="backslashreplace")


def print_version() -> int:
    """Print the version; the exit status."""
    prepare_streams()
    return status_of(lambda: say(clean(f"evreview {__version__}")))


def usage_error(error: Exception) -> str | None:
    """What to tell about a wrong command line, None when the error is no such thing."""
    show = getattr(error, "show", None)
    if show is None:
        return None
    told = io.StringIO()
    show(file=told)
    return told.getvalue().replace(": Value error, ", ": ")


def _give_up_output() -> None:
    """Nobody takes the output any more; the interpreter must not try to flush to it once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: BadInput | ContractBroken) -> int:
    for problem in error.problems:
        warn(f"{problem} [{problem.code}]")
    return error.exit_status


def fault_report(error: BaseException) -> str:
    """What to report about a fault of evreview itself: kind and place, and no value of anybody's evidence."""
    import platform
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "evreview" in Path(frame.filename).parts]
    places = [f"  {_inside(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames[-4:]]
    return "\n".join(
        [
            f"evreview: this is a fault of evreview, not of your input: {type(error).__name__}",
            *places,
            f"  evreview {__version__}, Python {platform.python_version()}, {platform.system()} {platform.machine()}",
            "Please report these lines and what you ran. They hold no text of your evidence.",
        ]
    )


def _inside(filename: str) -> str:
    parts = Path(filename).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index("evreview") :])


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Show on standard error that work goes on, on one line; the value takes the name of each further part of it."""
    named = one_line(what)
    if sys.stderr.isatty():
        with _spinner(named) as tell:
            yield tell
    else:
        yield _patient_teller(named)


@contextmanager
def _spinner(what: str) -> Iterator[Callable[[str], None]]:
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(clean(what))) as status:
        yield lambda part: status.update(escape(clean(one_line(part))))


def _patient_teller(what: str) -> Callable[[str], None]:
    """Plain lines for a log: none for short work, then one every few seconds."""
    started = time.monotonic()
    spoken = started - SECONDS_BETWEEN_LINES

    def tell(part: str) -> None:
        nonlocal spoken
        now = time.monotonic()
        if now - started >= PATIENCE_SECONDS and now - spoken >= SECONDS_BETWEEN_LINES:
            spoken = now
            warn(_progress(what, one_line(part)))

    return tell


def _progress(what: str, part: str) -> str:
    """One line of work that goes on, in the columns of a terminal; what is long is cut in its middle."""
    from evreview.report.terminal_text import Screen, begin, columns, middle

    known = begin(clean(part), Screen().width // 3)
    return f"evreview: {middle(clean(what), Screen().width - columns(f'evreview: : {known}'))}: {known}"


def refuse(message: str) -> int:
    """Say why a command cannot be carried out, with exit status 2."""
    warn(f"evreview: {message}")
    return ExitStatus.BAD_INPUT


# How a command ends when it is told to: Ctrl-C, SIGTERM and SIGHUP alike. Loads nothing heavy.


INTERRUPTED: Final = "evreview: interrupted; nothing was written"
_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(KeyboardInterrupt):
    """The command was told to stop; what is open is closed on the way out."""

    def __init__(self, number: int) -> None:
        self.number = number
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
            sys.unraisablehook = _dropped


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


def _dropped(dropped: sys.UnraisableHookArgs) -> None:
    """Send a signal again that came where Python drops what is raised: in a destructor, or between two imports."""
    error = dropped.exc_value
    if not isinstance(error, Stopped):
        sys.__unraisablehook__(dropped)
        return
    signal.signal(error.number, _stopped)
    again = threading.Timer(SECONDS_TO_LEAVE, _sent, (error.number,))
    again.daemon = True
    again.start()


def _sent(number: int) -> None:
    if sys.platform == "win32":
        signal.raise_signal(number)
    else:
        # To the main thread alone: there it also ends a wait.
        signal.pthread_kill(threading.main_thread().ident or 0, number)
