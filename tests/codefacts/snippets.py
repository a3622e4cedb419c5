"""Source texts for the tests of this package."""

from __future__ import annotations

from textwrap import dedent

from evreview.codefacts.model import SourceText
from evreview.codefacts.names import Modules
from evreview.core.vocabulary import EvidenceId


def source(text: str, path: str = "app.py", item: str = "EV-1") -> SourceText:
    return SourceText(item=EvidenceId(item), path=path, parts=("handler",), text=dedent(text))


def sources(files: dict[str, str]) -> list[SourceText]:
    return [source(text, path, f"EV-{number}") for number, (path, text) in enumerate(files.items(), 1)]


def modules(files: dict[str, str] | str) -> Modules:
    return Modules(sources({"app.py": files} if isinstance(files, str) else files))
