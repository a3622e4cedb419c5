"""[I/O] The Jinja environment and the template files. A template can print only `Md` and whole numbers."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Undefined
from markupsafe import Markup

from evreview.core.assets import folder
from evreview.report.output_contract import OutputContract, parse_contract

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

CONTRACT_SUFFIX = ".contract.toml"


class UnsafePrint(TypeError):
    """A template printed a value that no escape function made."""


def only_md(value: object) -> object:
    """The value itself when it may be printed.

    Raises:
        UnsafePrint: it is a plain text or another object; the value is not part of the message.
    """
    if isinstance(value, Markup | Undefined) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise UnsafePrint(
        f"a template printed a {type(value).__name__}; print what a function of artifacts.escape returned"
    )


def environment(templates: Path | None = None) -> Environment:
    """The environment over a folder of templates, the project's own by default.

    Automatic escaping is on so that macros, joins and concatenations keep the type; nothing is HTML-escaped by it,
    because `only_md` lets no plain text through.
    """
    return Environment(
        loader=FileSystemLoader(templates or folder("templates")),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=only_md,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        newline_sequence="\n",
    )


def rendered(template: str, view: DataclassInstance) -> str:
    """The Markdown that a template makes of a view's fields, not yet redacted."""
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    return environment().get_template(template).render(values)


@lru_cache(maxsize=1)
def output_contracts() -> tuple[OutputContract, ...]:
    """The output contracts of every artifact, by file name.

    Raises:
        BadInput: the installation lacks its templates, or a contract can't be read.
    """
    files = sorted(folder("templates").glob(f"*{CONTRACT_SUFFIX}"))
    return tuple(parse_contract(file.read_text(encoding="utf-8"), file.name) for file in files)
