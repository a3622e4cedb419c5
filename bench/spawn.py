"""One run of a command, started from a process that is small: a child's peak memory is never below its parent's.

`python -I -S spawn.py SECONDS COMMAND…` prints wall time, processor time, peak in MB and exit status.
"""

import os
import signal
import sys
import time


def main() -> None:
    """Run the command with its output thrown away, for so many seconds at most."""
    limit, words = float(sys.argv[1]), sys.argv[2:]
    quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
    started = time.perf_counter()
    child = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, limit)
    _, state, usage = os.wait4(child, 0)
    wall = time.perf_counter() - started
    peak = usage.ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    print(wall, usage.ru_utime + usage.ru_stime, peak, os.waitstatus_to_exitcode(state))


if __name__ == "__main__":
    main()
