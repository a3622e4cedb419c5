"""The breakages between two folders of a package by griffe's differ, counted."""

from __future__ import annotations

import logging
import sys

import griffe


def main() -> None:
    """Print how many there are."""
    logging.getLogger("griffe").setLevel(logging.CRITICAL)
    name, *folders = sys.argv[1:]
    old, new = (griffe.load(name, search_paths=[folder], allow_inspection=False) for folder in folders)
    print(sum(1 for _ in griffe.find_breaking_changes(old, new)))


if __name__ == "__main__":
    main()
