"""The page of all commands with their arguments and options, made from the command line itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from typer.main import get_command

from evreview.app.cli import app

_HEAD: Final = """# Commands

`--help` after a command prints the same. How a command ends: [exit statuses](exit-statuses.md).
"""


def commands_page() -> str:
    """The page."""
    found = get_command(app).commands  # type: ignore[attr-defined]
    return "\n".join([_HEAD.rstrip(), *(line for name in found for line in _command(name, found[name]))]) + "\n"


def _command(name: str, command: Any) -> Iterator[str]:
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join(command.collect_usage_pieces(context))
    yield from ("", f"## {name}", "", _text(command.help), "", f"`evreview {name} {usage}`", "")
    given = [each for each in command.params if each.name != "help" and not getattr(each, "hidden", False)]
    if given:
        yield "| Argument or option | Meaning |"
        yield "| --- | --- |"
        yield from (_row(each, context) for each in given)


def _row(given: Any, context: Any) -> str:
    name, said = given.get_help_record(context)
    name = re.sub(r"\s+", " ", name).replace("|", "\\|")
    return f"| `{name}` | {_text(said)} |"


def _text(said: str | None) -> str:
    """Help on one line, as Markdown shows it: what stands between blanks as `<…>` or `[…]` is text."""
    line = re.sub(r"\s+", " ", said or "").strip()
    return line.replace("|", "\\|").replace("<", "&lt;").replace("[", "\\[").replace("*", "\\*")
