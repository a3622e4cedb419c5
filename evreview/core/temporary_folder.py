"""[I/O] A temporary folder that no signal leaves behind, whenever it comes."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from threading import Thread


class TemporaryFolder:
    """A new folder for its owner alone, which goes with all that it holds when the block ends.

    A signal may raise between any two steps. So the name is known before the folder is there, and what removes it is in
    place from then until it is gone: at the latest when this value or the process ends. Removing is the work of a
    thread, since signals are handled in the main one alone: begun, it is done.

    Args:
        prefix: what the folder's name begins with.
        parent: where it is made; where the system keeps such folders when it is not given.
    """

    def __init__(self, prefix: str, parent: Path | None = None) -> None:
        self.path = Path(parent or tempfile.gettempdir(), f"{prefix}{os.urandom(8).hex()}")
        self._left = weakref.finalize(self, _remove, self.path)

    def __enter__(self) -> Path:
        try:
            self.path.mkdir(mode=0o700)
        except FileExistsError:
            self._left.detach()  # it is somebody else's
            raise
        except BaseException:
            self.remove()
            raise
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """The folder gone; more than once is as good as once. What can't go now is tried once more at the end."""
        worker = Thread(target=_remove, args=(self.path,))
        worker.start()
        worker.join()
        if not self.path.exists():
            self._left.detach()


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
