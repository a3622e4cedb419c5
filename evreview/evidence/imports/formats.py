"""The formats that `evreview import` takes: one table, from which help and documentation are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.vocabulary import Technique, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.imports.model import Imported, Supplied


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFormat:
    """One format.

    Attributes:
        module: of this package; its function `read` makes the record, or the one behind a colon.
        takes: what is named on the command line.
        gives: what becomes of it.
        never: what it does not say, whatever the file holds.
        needs, allows: options that it must and may be given.
        workflows: whose reviews take it.
        folder: the ending of the files that are read of a folder, "" where one file is read.
        technique: what the authorization of a security review must allow for it.
    """

    module: str
    takes: str
    gives: str
    never: str
    needs: tuple[str, ...] = ()
    allows: tuple[str, ...] = ()
    folder: str = ""
    workflows: tuple[WorkflowId, ...] = (WorkflowId.W1,)
    technique: Technique = Technique.RESULT_INTAKE

    def read(self, supplied: Supplied) -> Imported:
        """What the format's importer makes of a file."""
        name, _, function = self.module.partition(":")
        made: Imported = getattr(import_module(f"evreview.evidence.imports.{name}"), function or "read")(supplied)
        return made


_NOTED: Final = "each known exception as a line with its place; the file as an item"
_NO_APPROVAL: Final = "an approval or an accepted difference: nothing is decided by it"
_NO_REACH: Final = "that the list is complete, that a component is reached"

FORMATS: Final[Mapping[str, ImportFormat]] = {
    "codeowners": ImportFormat(
        module="codeowners",
        takes="`CODEOWNERS`",
        gives="the team that owns the contract, filled in as `roles.api_owner` where that is still marked, and the "
        "team of each client's folder as a line to act on; the file as an item",
        never="a person as a role; one of several teams; that anybody approved anything",
    ),
    "junit": ImportFormat(
        module="junit",
        takes="`results.xml`",
        gives="a check for each test case and operation, with result and output, at the implementation under review; "
        "client, operation, field and the like from the properties `evreview.client`, `evreview.operation`, "
        "`evreview.field`, `evreview.aspect`, `evreview.parses`; else the operation that its name tells; the report as "
        "an item of its own",
        never="the revision, command or fixture: those are what review and command line state; a pass of a case that "
        "was skipped",
        needs=("command",),
        allows=("fixture", "client", "side"),
    ),
    "junit-run": ImportFormat(
        module="junit_run",
        takes="`results.xml`",
        gives="of a reference (w2) or a security review (w3): the report as the retained output, and the record of the "
        "run; with it what each test asserts of which operation, as far as its supplied source shows it",
        never="what the command line does not state; a run that reached something outside, or of which nothing is "
        "asserted; an assertion whose source is not supplied or not read",
        needs=("command", "fixture", "isolated", "exit_status"),
        workflows=(WorkflowId.W2, WorkflowId.W3),
    ),
    "sarif": ImportFormat(
        module="sarif",
        takes="`scan.sarif`",
        gives="of a security review (w3) whose authorization allows the intake of scanner leads: the log as leads",
        never="that a match is a weakness, or that what no rule matched is sound",
        workflows=(WorkflowId.W3,),
        technique=Technique.LEAD_INTAKE,
    ),
    "openapi-security": ImportFormat(
        module="openapi_security",
        takes="`openapi.yaml`",
        gives="of a security review (w3): the document (OpenAPI 3.0, 3.1, Swagger 2.0) as an item; as lines to act on "
        "each operation that it and the inventory of controls tell differently; schemes that nothing demands or "
        "declares, and scopes",
        never="that a guard stands in the code, or that there is none: nothing is written into the inventory",
        workflows=(WorkflowId.W3,),
    ),
    "cyclonedx": ImportFormat(
        module="cyclonedx",
        takes="`bom.json`",
        gives="of a security review (w3): the bill of materials (JSON, versions 1.4 to 1.6) as an item; as lines how "
        "many components it lists, those without version or license; each of its `vulnerabilities` "
        "with severity, component and analysis as stated",
        never=f"{_NO_REACH}, or that one of the `vulnerabilities` applies or does not",
        workflows=(WorkflowId.W3,),
    ),
    "spdx": ImportFormat(
        module="spdx",
        takes="`bom.spdx.json`",
        gives="of a security review (w3): the bill of materials (2.2 and 2.3, JSON or tag and value) as an item; as "
        "lines how many packages it lists, and those without version or license",
        never=f"{_NO_REACH}, or that a package has no known weakness",
        workflows=(WorkflowId.W3,),
    ),
    "pact": ImportFormat(
        module="pact",
        takes="`consumer-provider.json`",
        gives="a client of a client inventory: its operations, the statuses that it handles, and the fields and query "
        "parameters that bodies and matching rules name (versions 2, 3 and 4)",
        never="who owns the client, which versions of it are in use, what its parser does with null, with fields or "
        "with enum values that it does not know; messages are counted and not read",
    ),
    "har": ImportFormat(
        module="har",
        takes="`traffic.har`",
        gives="observed responses of operations that one of the contracts has: status, content type, headers and body",
        never="of a request its cookies, credentials, query string, host and body; a response's header that holds an "
        "address; a body that holds a secret or personal data is left out whole, any other stands as it was; entries "
        "of no operation are counted and left out",
        needs=("side",),
    ),
    "gateway-log": ImportFormat(
        module="gateway_log",
        takes="`access.jsonl`",
        gives="how often each operation was used in a period, for logs of one JSON object a line",
        never="addresses, tokens or paths; zero uses: an operation without a line has no count; that every consumer is "
        "counted, or that it was production; lines of no operation, no time or another day are counted and left out",
        needs=("since", "until"),
    ),
    "openapi-client": ImportFormat(
        module="openapi_client",
        takes="`DIR`",
        gives="a client of a client inventory: the operations that a generated Python client calls, the statuses that "
        "it tells apart, and the fields that it reads (openapi-generator, openapi-python-client)",
        never="which of it anybody calls; fields of an operation whose body or answers can't be told for certain: "
        "they are not known then",
        needs=("client",),
        folder=".py",
    ),
    "oasdiff-ignore": ImportFormat(
        module="ignore_files:read_oasdiff",
        takes="`.oasdiff-ignore`",
        gives=_NOTED,
        never=_NO_APPROVAL,
    ),
    "buf-yaml": ImportFormat(
        module="ignore_files:read_buf",
        takes="`buf.yaml`",
        gives=_NOTED,
        never=_NO_APPROVAL,
    ),
    "redocly-ignore": ImportFormat(
        module="ignore_files:read_redocly",
        takes="`.redocly.lint-ignore.yaml`",
        gives=_NOTED,
        never=_NO_APPROVAL,
    ),
}


def format_named(name: str) -> ImportFormat:
    """The format of a name.

    Raises:
        BadInput: there is none.
    """
    if name not in FORMATS:
        raise bad_input("not-allowed", f"`{name}` is no format", advice=f"Allowed: {', '.join(FORMATS)}")
    return FORMATS[name]


_SAYS: Final[Mapping[str, str]] = {
    "command": "Give the command that ran",
    "fixture": "Name the environment in which it ran",
    "isolated": "State by it that the run reached nothing outside its environment; no other one counts",
    "exit_status": "Give the command's exit status, a number",
}
"""What a person states by an option of a run."""


def option(name: str) -> str:
    """An option as the command line has it, without its dashes."""
    return name.replace("_", "-")


def require_import_options(name: str, given: Mapping[str, bool]) -> None:
    """Nothing when a format has all options that it needs, and no other ones.

    Args:
        name: of the format.
        given: for each option whether it was given.

    Raises:
        BadInput: with every option that is missing or means nothing here.
    """
    known = format_named(name)
    problems = [
        Problem(
            code="option-missing",
            found=f"--{option(each)} is not given",
            advice=_SAYS.get(each, "") or f"{name} needs it",
        )
        for each in known.needs
        if not given[each]
    ]
    problems += [
        Problem(code="not-allowed", found=f"--{option(each)} means nothing for {name}", advice="Leave it out")
        for each, is_given in given.items()
        if is_given and each not in (*known.needs, *known.allows)
    ]
    if problems:
        raise BadInput(problems)
