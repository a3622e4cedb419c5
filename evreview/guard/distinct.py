"""What of many large texts has to be read to learn from them: lines that were read before, once."""

from __future__ import annotations

from typing import Final

from evreview.redaction.detector import compiled

WHOLE: Final = 4_000_000
"""Characters that are read as they are; beyond, only lines that are new, with those around them."""
_AROUND: Final = 3
_HEAD: Final = r"(?i)\s*kind:\s*[\"']?secret|.*insert (?:ignore )?into|.*begin[^-]{0,40}private key|.*traceback \("
"""Lines that tell what lines far below them are."""


class Distinct:
    """The lines that were read so far."""

    def __init__(self) -> None:
        self._read: set[str] = set()
        self._size = 0

    def of(self, text: str) -> str:
        """The text; of one that comes after `WHOLE` characters the lines that are new, their surroundings and heads.

        What is left out between two lines stands as a line with NUL, which no value reaches over.
        """
        lines = text.split("\n")
        whole = self._size + len(text) <= WHOLE
        self._size += len(text)
        shown = text if whole else "\n".join(self._new(lines))
        self._read.update(lines)
        return shown

    def _new(self, lines: list[str]) -> list[str]:
        keep = bytearray(len(lines))
        seen = set(self._read)
        head = compiled(_HEAD).match
        for number, line in enumerate(lines):
            if line not in seen:
                seen.add(line)
                keep[max(0, number - _AROUND) : number + _AROUND + 1] = b"\1" * (
                    min(len(lines), number + _AROUND + 1) - max(0, number - _AROUND)
                )
            elif head(line):
                keep[number] = 1
        found: list[str] = []
        for number, line in enumerate(lines):
            if keep[number]:
                found.append(line)
            elif not found or found[-1] != "\0":
                found.append("\0")
        return found
