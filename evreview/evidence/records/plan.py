"""What may be executed: the local fixture, the examples or tests, the cleanup. Nothing runs without its gate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from evreview.evidence.records.base import EvidenceIdText, Record, Text


class WorkFile(Record):
    """A file of the bundle that is copied into the work folder."""

    item: EvidenceIdText
    """The item whose content it is."""
    path: Text
    """Its path in the work folder, relative."""
    sha256: Text | None = None
    """The digest of that content: who approves the plan approves this file. Without it nothing is executed."""


class Fixture(Record):
    """The local process that answers on loopback."""

    start: tuple[Text, ...]
    """The command, one word each; `{port}` stands for the port."""
    ready_path: Text = "/"
    """A path that answers with any status once the fixture is up."""
    environment: dict[str, str] = {}
    """Environment variables; synthetic values only."""
    describes: Text
    """The environment in words, for the report."""


class RoutesAsked(Record):
    """The application that is asked for its own route table: it is imported in the sandbox, and serves nothing."""

    framework: Literal["fastapi", "starlette", "flask", "django", "aiohttp"]
    """Whose table it is."""
    application: Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.\w+)*(:[A-Za-z_]\w*(\.\w+)*(\(\))?)?$")]
    """`package.module:application`, `package.module:make_application()`; of Django the module of its settings."""
    environment: dict[str, str] = {}
    """Environment variables; synthetic values only."""


class ExecutionPlan(Record):
    """Content of an evidence item of type `execution and approval record`: what `evreview execute` may run."""

    kind: Literal["execution-plan"] = "execution-plan"
    id: Text
    """Usable as a locator."""
    revision: Text
    """The revision of the code that is started."""
    files: tuple[WorkFile, ...]
    """What the work folder holds."""
    fixture: Fixture | None = None
    """The process that answers the examples; None when only `tests` run."""
    tests: tuple[Text, ...] = ()
    """A test command, one word each, run beside the fixture."""
    examples: tuple[Text, ...] = ()
    """Operations whose request examples are sent; `*` for every read-only one."""
    routes: RoutesAsked | None = None
    """The application that is asked for its routes, with what stands before each."""
    mutating: tuple[Text, ...] = ()
    """Operations that change state and whose examples are sent too; each needs the sandbox owner's gate."""
    cleanup: tuple[Text, ...] = ()
    """The command that undoes the changes; required for mutating operations."""
    cleanup_describes: Text | None = None
    """The cleanup procedure in words."""
    seconds: Annotated[int, Field(ge=1, le=600)] = 60
    """Wall-clock limit of the whole run."""
