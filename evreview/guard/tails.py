"""The end of a value that has none of its own: where the text around it goes on."""

from __future__ import annotations

from typing import Final

STOP: Final = r" (?!\| |\[E\d)|`(?![.,;:)\]]{0,3}(?:\s|\Z))"
"""A blank that ends no cell of a table and stands before no citation; a backtick that closes no code span."""


def rest(most: int) -> str:
    """A pattern for up to so many characters of a line, up to the quote, cell, code span or statement's end."""
    return rf"(?:[^\n\" `]|{STOP}){{0,{most}}}"


REST: Final = rest(400)
