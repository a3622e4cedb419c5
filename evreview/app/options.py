"""The options and their values that several commands share, as the command-line library takes them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class WorkflowName(StrEnum):
    W1 = "w1"
    W2 = "w2"
    W3 = "w3"


class ScannerName(StrEnum):
    BANDIT = "bandit"
    SEMGREP = "semgrep"


class SideName(StrEnum):
    RELEASED = "released"
    CANDIDATE = "candidate"


Folder = Annotated[Path | None, typer.Option("-o", "--output", metavar="DIR", help="Where the results go.")]
Repository = Annotated[
    Path | None, typer.Option("--repository", metavar="DIR", help="A git checkout to verify stated commits against.")
]
Includes = Annotated[
    list[Path] | None,
    typer.Option("--include", metavar="FOLDER", help="Where imported files are that the contract's folder has not."),
]
Configuration = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The configuration, REF:path too; .evreview.toml else.")
]
NoConfiguration = Annotated[bool, typer.Option("--no-config", help="Read no configuration.")]
BundleFolder = Annotated[Path, typer.Argument(metavar="BUNDLE", help="A folder with review.yaml and its evidence.")]
