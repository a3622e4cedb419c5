"""The command line: names, options and help. Work is done in `commands`, each imported when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from evreview.app.commands.diff import DiffForm
from evreview.app.commands.shell import (
    command,
    prepare_streams,
    print_version,
    refuse,
    status_of,
    usage_error,
    warn,
)
from evreview.app.options import (
    BundleFolder,
    Configuration,
    Folder,
    Includes,
    NoConfiguration,
    Repository,
    ScannerName,
    SideName,
    WorkflowName,
)
from evreview.core.vocabulary import CompatibilityLevel, ContractKind, ExitStatus, FailOn, Verdict, WorkflowId
from evreview.evidence.imports.formats import FORMATS

app = typer.Typer(
    name="evreview",
    help="Evidence in, a review that cannot overstate out.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        raise typer.Exit(print_version())


@app.callback()
def _root(
    wanted: Annotated[bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Version.")] = False,
) -> None:
    """Evidence in, a review that cannot overstate out: API contract review as a Jupyter workbench and a command."""


@app.command()
@command
def demo(
    output: Folder = None,
    html: Annotated[bool, typer.Option("--html", help="Write the artifact as HTML too.")] = False,
) -> int:
    """Run the bundled W1 review headless; print where the artifact is and what it decided."""
    from evreview.app.commands.run import demo

    return demo(output, html=html)


@app.command()
@command
def new(  # noqa: PLR0913  a command's options are its interface
    workflow: Annotated[WorkflowName, typer.Argument(help="Which workflow.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that does not exist yet, or is empty.")],
    repository: Annotated[
        Path | None, typer.Option("--repo", metavar="DIR", help="A local clone that the evidence is read from.")
    ] = None,
    released: Annotated[str, typer.Option("--from", metavar="REF", help="w1: the commit that clients rely on.")] = "",
    candidate: Annotated[str, typer.Option("--to", metavar="REF", help="w1: the commit that is proposed.")] = "",
    revision: Annotated[str, typer.Option("--at", metavar="REF", help="w2, w3: the commit under review.")] = "",
    contract: Annotated[
        str, typer.Option("--contract", metavar="PATH", help="w1, w2: the contract's file or folder in the repository.")
    ] = "",
    code: Annotated[
        list[str] | None, typer.Option("--code", metavar="PATH", help="The code behind it; may be repeated.")
    ] = None,
    tests: Annotated[
        list[str] | None, typer.Option("--tests", metavar="PATH", help="w2, w3: its tests; may be repeated.")
    ] = None,
    kind: Annotated[
        ContractKind | None, typer.Option("--kind", help="w1: kind of contract; detected when left out.")
    ] = None,
) -> int:
    """Write a bundle to fill in, every field commented; with --repo it holds what the repository can tell."""
    from evreview.app.commands.authoring.drafted_bundle import Origin, require_options
    from evreview.app.commands.authoring.new_review import new, new_from

    given = {
        "--from": released, "--to": candidate, "--at": revision, "--contract": contract, "--code": code,
        "--tests": tests, "--kind": kind,
    }  # fmt: skip
    if repository is None and not any(given.values()):
        return new(workflow.value, folder)
    require_options(WorkflowId(workflow.value.upper()), {name: bool(said) for name, said in given.items()})
    origin = Origin(
        repository=repository or Path(),
        released=released,
        candidate=candidate or revision,
        contract=contract,
        code=tuple(code or ()),
        tests=tuple(tests or ()),
        kind=kind,
    )
    return new_from(WorkflowId(workflow.value.upper()), folder, origin)


@app.command()
@command
def check(bundle: BundleFolder, repository: Repository = None) -> int:
    """Print every problem of a bundle at once."""
    from evreview.app.commands.bundles import check

    return check(bundle, repository)


@app.command()
@command
def update(
    bundle: BundleFolder,
    candidate: Annotated[str, typer.Option("--to", metavar="REF", help="The commit that is proposed now.")],
    repository: Annotated[
        Path, typer.Option("--repo", metavar="DIR", help="The local clone; the current folder when left out.")
    ] = Path(),
) -> int:
    """Move a contract review that `new` made to another candidate; say what changed and which answers lapsed."""
    from evreview.app.commands.authoring.update import update

    return update(bundle, repository, candidate)


@app.command("map")
@command
def map_(bundle: BundleFolder) -> int:
    """Add a draft to the mapping for each changed symbol of the code that has no entry, to be reviewed."""
    from evreview.app.commands.authoring.map_code import map_code

    return map_code(bundle)


@app.command()
@command
def seal(
    bundle: BundleFolder,
    check_only: Annotated[
        bool, typer.Option("--check", help="Write nothing; status 2 where a digest is stale.")
    ] = False,
) -> int:
    """Write the digests of edited files into review.yaml; what is bound to a commit must be as it was."""
    from evreview.app.commands.bundles import seal

    return seal(bundle, check_only=check_only)


@app.command("import")
@command
def import_(  # noqa: PLR0913  a command's options are its interface
    bundle: BundleFolder,
    form: Annotated[str, typer.Argument(metavar="FORMAT", help=f"One of {', '.join(FORMATS)}.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file, or the folder of a client's code.")],
    executed: Annotated[
        str, typer.Option("--command", metavar="TEXT", help="junit, junit-run: the command that ran.")
    ] = "",
    fixture: Annotated[
        str, typer.Option("--fixture", metavar="TEXT", help="junit, junit-run: fixture or environment.")
    ] = "",
    client: Annotated[str, typer.Option("--client", metavar="ID", help="junit: the client whose parser ran.")] = "",
    isolated: Annotated[
        bool, typer.Option("--isolated", help="junit-run: the environment reached nothing outside itself.")
    ] = False,
    exit_status: Annotated[
        int | None, typer.Option("--exit-status", metavar="N", help="junit-run: of the command.")
    ] = None,
    side: Annotated[
        SideName | None, typer.Option("--side", help="har: which side answered; junit: which form was parsed.")
    ] = None,
    since: Annotated[
        datetime | None, typer.Option("--since", metavar="DAY", formats=["%Y-%m-%d"], help="First day counted.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--until", metavar="DAY", formats=["%Y-%m-%d"], help="Last day counted.")
    ] = None,
) -> int:
    """Keep what another tool's file says as a new item, with its digest and places; nothing is added to it."""
    from evreview.app.commands.authoring.import_evidence import import_evidence
    from evreview.evidence.imports.model import ImportOptions

    options = ImportOptions(
        command=executed,
        fixture=fixture,
        client=client,
        side=None if side is None else "released" if side is SideName.RELEASED else "candidate",
        since=since.date() if since else None,
        until=until.date() if until else None,
        isolated=isolated,
        exit_status=exit_status,
    )
    return import_evidence(bundle, form, file, options)


@app.command()
@command
def approve(  # noqa: PLR0913  a command's options are its interface
    bundle: BundleFolder,
    gate: Annotated[
        str,
        typer.Argument(
            metavar="GATE",
            help="The gate's id, such as ship-breaking-change; contract-approval for a reference's contract.",
        ),
    ],
    role: Annotated[str, typer.Option("--role", metavar="ROLE", help="The role that answers.")],
    client: Annotated[str, typer.Option("--client", metavar="ID", help="The client whose owner answers.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="The answer is no.")] = False,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Kept with the answer.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before the answer is recorded.")] = False,
    today: Annotated[bool, typer.Option("--today", help="Review as of today from now on.")] = False,
) -> int:
    """Record a role's answer to a gate, bound to the digest of what is shown."""
    from evreview.app.commands.approve import ApprovalRequest, approve

    asked = ApprovalRequest(
        bundle=bundle, gate=gate, role=role, client=client, reject=reject, note=note, confirmed=yes, today=today
    )
    return approve(asked)


@app.command()
@command
def run(
    bundle: BundleFolder,
    output: Folder = None,
    html: Annotated[bool, typer.Option("--html", help="Write the artifact as HTML too.")] = False,
    parameter: Annotated[
        list[str] | None, typer.Option("-p", "--parameter", metavar="NAME VALUE", help="A parameter of the notebook.")
    ] = None,
    repository: Repository = None,
) -> int:
    """Execute the workflow's notebook headless: artifact, notebook, registers and journal."""
    from evreview.app.commands.run import run

    given = [*(parameter or []), *([f"repository={repository}"] if repository else [])]
    return run(bundle, output, html=html, parameters=given)


@app.command()
@command
def diff(  # noqa: PLR0913  a command's options are its interface
    released: Annotated[
        Path | None, typer.Argument(metavar="RELEASED", help="The contract that clients rely on today; REF:path too.")
    ] = None,
    candidate: Annotated[Path | None, typer.Argument(metavar="CANDIDATE", help="The proposed contract.")] = None,
    further: Annotated[
        list[Path] | None, typer.Argument(metavar="[RELEASE]...", help="With --history: the releases after these two.")
    ] = None,
    kind: Annotated[
        ContractKind | None, typer.Option("--kind", help="Kind of contract; detected when left out.")
    ] = None,
    form: Annotated[
        DiffForm | None, typer.Option("--format", help="How the ledger is written; text, a history as table.")
    ] = None,
    show: Annotated[str, typer.Option("--show", metavar="ID", help="One row in full: forms, why, message.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Every row, the compatible ones too.")] = False,
    noise: Annotated[bool, typer.Option("--noise", help="List what never reaches the wire, too.")] = False,
    verdict: Annotated[Verdict | None, typer.Option("--verdict", help="The rows of one verdict.")] = None,
    fail_on: Annotated[
        FailOn | None,
        typer.Option("--fail-on", help="When to exit with status 5; never, or as the configuration says."),
    ] = None,
    accept: Annotated[
        list[Path] | None,
        typer.Option("--accept", metavar="FILE", help="Accepted differences; --format accept prints one to fill in."),
    ] = None,
    include: Includes = None,
    no_witnesses: Annotated[
        bool,
        typer.Option(
            "--no-witnesses",
            help="Look for messages only briefly, and only where the verdict rests on one; may say unknown.",
        ),
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Compare all releases named, oldest first, and tell each level.")
    ] = False,
    level: Annotated[
        CompatibilityLevel | None,
        typer.Option("--level", help="With --history: the level that --fail-on asks for; full else."),
    ] = None,
    against: Annotated[
        str,
        typer.Option("--against", metavar="REF", help="Each contract that HEAD changed since REF; paths limit it."),
    ] = "",
    repository: Annotated[
        Path | None, typer.Option("--repo", metavar="DIR", help="With --against: the clone; the current folder else.")
    ] = None,
    config: Configuration = None,
    no_config: NoConfiguration = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file; - is standard output.")
    ] = None,
) -> int:
    """Print the ledger of two contracts with verdicts and proofs; no bundle, no kernel."""
    from evreview.app.commands.diff import HistoryRequest, Question, diff, misused
    from evreview.app.commands.diff import history as told

    if against:
        from evreview.app.commands.branch import BranchQuestion
        from evreview.app.commands.branch import against as told_of_branch

        if history or level or show or everything or noise or verdict:
            return refuse("--against tells whole ledgers of HEAD. Leave --history, --level and the choice of rows out")
        branch = BranchQuestion(
            ref=against,
            paths=tuple(str(path) for path in (released, candidate, *(further or ())) if path is not None),
            repository=repository or Path(),
            kind=kind,
            form=form or DiffForm.TEXT,
            fail_on=fail_on,
            accept=tuple(accept or ()),
            witnesses=not no_witnesses,
            include=tuple(include or ()),
            config=config,
            no_config=no_config,
        )
        return told_of_branch(branch, output)
    if released is None or candidate is None or repository is not None:
        return refuse("two contracts are compared: evreview diff RELEASED CANDIDATE. --repo goes with --against alone")
    if history and not accept:
        series = HistoryRequest(
            releases=(released, candidate, *(further or ())),
            level=level or CompatibilityLevel.FULL,
            kind=kind,
            form=form or DiffForm.TABLE,
            fail_on=fail_on or FailOn.NEVER,
            witnesses=not no_witnesses,
            include=tuple(include or ()),
        )
        return told(series, output)
    if history or further or level:
        return misused(accept=history)

    wanted = Question(
        released=released,
        candidate=candidate,
        kind=kind,
        form=form or DiffForm.TEXT,
        fail_on=fail_on,
        accept=tuple(accept or ()),
        witnesses=not no_witnesses,
        include=tuple(include or ()),
        show=show,
        everything=everything,
        noise=noise,
        verdict=verdict,
        config=config,
        no_config=no_config,
    )
    return diff(wanted, output)


@app.command()
@command
def batch(  # noqa: PLR0913  a command's options are its interface
    output: Annotated[str, typer.Option("-o", "--output", metavar="URL", help="A folder, s3://, gs:// or abfs://.")],
    pairs: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PAIRS]",
            help="CSV, JSON or parquet (name, released, candidate, kind), or a folder of bundles.",
        ),
    ] = None,
    repository: Annotated[
        Path | None, typer.Option("--git", metavar="REPO", help="A clone, whose tags are compared instead of a list.")
    ] = None,
    contract: Annotated[
        str, typer.Option("--contract", metavar="GLOB", help="With --git: the contracts; folders end with /.")
    ] = "",
    tags: Annotated[str, typer.Option("--tags", metavar="PATTERN", help="With --git: the versions.")] = "v*",
    kind: Annotated[ContractKind | None, typer.Option("--kind", help="With --git: the kind of contract.")] = None,
    workers: Annotated[int, typer.Option("--workers", metavar="N", help="How many at once, on this machine.")] = 2,
    scheduler: Annotated[
        str, typer.Option("--scheduler", metavar="ADDRESS", help="Work on this Dask cluster; local starts one here.")
    ] = "",
    seconds: Annotated[int, typer.Option("--limit-seconds", metavar="N", help="What one of them may take.")] = 60,
    megabytes: Annotated[
        int, typer.Option("--limit-mb", metavar="N", help="The memory that one of them may take.")
    ] = 2048,
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="When to exit with status 5.")] = FailOn.NEVER,
) -> int:
    """Compare many pairs, or review many bundles, each in its limits; run again, it goes on where it ended."""
    from evreview.app.batch.pairs import TaggedContracts
    from evreview.app.commands.batch import BatchRequest, batch

    if repository is not None and not contract:
        return refuse("--git needs --contract: the path of a contract, or a glob over several")
    tagged = None
    if repository is not None:
        tagged = TaggedContracts(repository=repository, contract=contract, tags=tags, kind=kind.value if kind else "")
    asked = BatchRequest(
        pairs=pairs,
        output=output,
        tagged=tagged,
        workers=workers,
        scheduler=scheduler,
        seconds=seconds,
        megabytes=megabytes,
        fail_on=fail_on,
    )
    return batch(asked)


@app.command()
@command
def portfolio(
    results: Annotated[str, typer.Argument(metavar="URL", help="The output of `evreview batch`, finished or not.")],
    output: Folder = None,
    html: Annotated[bool, typer.Option("--html", help="Write the report as HTML too.")] = False,
) -> int:
    """Execute the notebook over everything that a batch has kept: contracts, rules and pairs by breaks."""
    from evreview.app.commands.batch import portfolio

    return portfolio(results, output or Path("portfolio"), html=html)


@app.command()
@command
def history(  # noqa: PLR0913  a command's options are its interface
    repository: Annotated[Path, typer.Argument(metavar="REPO", help="A local clone.")],
    contract: Annotated[str, typer.Option("--contract", metavar="PATH", help="The contract's file or folder in it.")],
    tags: Annotated[str, typer.Option("--tags", metavar="PATTERN", help="The tags that are releases.")] = "v*",
    kind: Annotated[
        ContractKind | None, typer.Option("--kind", help="Kind of contract; detected when left out.")
    ] = None,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="text or json.")] = "text",
    accept: Annotated[
        list[Path] | None,
        typer.Option("--accept", metavar="FILE", help="Accepted differences, beside each tag's configuration."),
    ] = None,
    no_config: NoConfiguration = False,
    no_witnesses: Annotated[
        bool, typer.Option("--no-witnesses", help="Look for messages only briefly; may say unknown.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file; - is standard output.")
    ] = None,
) -> int:
    """Tell which release broke what, until when, what is accepted, and which clients may talk to which release."""
    from evreview.app.commands.contracts import ReleasesRequest, history

    asked = ReleasesRequest(
        repository=repository,
        contract=contract,
        tags=tags,
        kind=kind,
        form=form,
        witnesses=not no_witnesses,
        accept=tuple(accept or ()),
        no_config=no_config,
    )
    return history(asked, output)


@app.command()
@command
def contracts(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="A folder of a local clone.")] = Path(),
    ref: Annotated[str, typer.Option("--at", metavar="REF", help="The commit that is looked through.")] = "HEAD",
    config: Configuration = None,
    no_config: NoConfiguration = False,
) -> int:
    """List the contracts that a commit holds, each with its kind and why it is taken for one."""
    from evreview.app.commands.contracts import contracts

    return contracts(folder, ref, config, no_config=no_config)


@app.command()
@command
def replay(  # noqa: PLR0913  a command's options are its interface
    released: Annotated[Path, typer.Argument(metavar="RELEASED", help="The contract that clients rely on today.")],
    candidate: Annotated[Path, typer.Argument(metavar="CANDIDATE", help="The proposed contract.")],
    row: Annotated[str, typer.Argument(metavar="ID", help="A row of the ledger, such as D-0123456789ab.")],
    kind: Annotated[
        ContractKind | None, typer.Option("--kind", help="Kind of contract; detected when left out.")
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option("--ledger", metavar="FILE", help="Take the witness from a ledger in JSON.")
    ] = None,
    retain: Annotated[
        Path | None, typer.Option("--retain", metavar="BUNDLE", help="Keep the result in a bundle as a new item.")
    ] = None,
    include: Includes = None,
) -> int:
    """Judge a row's witness once more, its values by a second validator, and print which contract accepts it."""
    from evreview.app.commands.replay import ReplayRequest, replay

    asked = ReplayRequest(
        released=released,
        candidate=candidate,
        row=row,
        kind=kind,
        ledger=ledger,
        bundle=retain,
        include=tuple(include or ()),
    )
    return replay(asked)


@app.command()
@command
def execute(
    bundle: BundleFolder,
    plan: Annotated[str | None, typer.Option("--plan", metavar="ID", help="Which plan.")] = None,
    runtime: Annotated[
        Path | None, typer.Option("--runtime", metavar="DIR", help="A Python environment to run with; this one else.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Write a new bundle instead of adding to this.")
    ] = None,
) -> int:
    """Run an approved plan in a sandbox without network, and keep the result as new evidence."""
    from evreview.app.commands.execute import Order, execute

    return execute(Order(bundle=bundle, plan=plan, runtime=runtime, output=output))


@app.command()
@command
def leads(
    bundle: BundleFolder,
    tool: Annotated[ScannerName, typer.Option("--with", help="The scanner: bandit (extra `scan`) or semgrep.")],
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="FILE", help="The rules that semgrep is given; none are fetched.")
    ] = None,
) -> int:
    """Scan the sources of a security review and keep what the scanner says as a new item; nothing is executed."""
    from evreview.app.commands.leads import LeadsRequest, leads

    return leads(LeadsRequest(bundle=bundle, tool=tool.value, rules=rules))


@app.command()
@command
def export(
    bundle: BundleFolder,
    form: Annotated[str, typer.Option("--format", metavar="FORM", help="sarif, oscal, in-toto or markdown.")],
    recipient: Annotated[str | None, typer.Option("--to", metavar="ROLE", help="The receiving role (W3).")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")] = None,
) -> int:
    """Review a bundle and hand over findings and executed checks in the formats of other tools."""
    from evreview.app.commands.export import export

    return export(bundle, form, recipient, output)


@app.command()
@command
def validate(
    artifact: Annotated[Path, typer.Argument(metavar="ARTIFACT", help="A Markdown artifact.")],
    bundle: Annotated[
        Path | None, typer.Option("--bundle", metavar="BUNDLE", help="Review this bundle too, and compare every line.")
    ] = None,
    repository: Repository = None,
) -> int:
    """Check an artifact against its output contract; each violation with its line."""
    from evreview.app.commands.validate import validate

    return validate(artifact, bundle, repository)


@app.command()
@command
def rules(
    rule: Annotated[str | None, typer.Argument(metavar="ID", help="One rule, in full.")] = None,
    kind: Annotated[ContractKind | None, typer.Option("--kind", help="The rules for one kind of contract.")] = None,
) -> int:
    """Print the rule catalogue, or one rule with its why, example and counter-example."""
    from evreview.app.commands.rules import rules

    return rules(rule, kind)


@app.command()
@command
def lab(  # noqa: PLR0913  a command's options are its interface
    bundle: Annotated[
        Path | None,
        typer.Argument(metavar="BUNDLE", help="The bundle, or a released contract; the demo's when left out."),
    ] = None,
    candidate: Annotated[
        Path | None, typer.Argument(metavar="CANDIDATE", help="With a released contract: the one to compare it with.")
    ] = None,
    workshop: Annotated[
        str | None,
        typer.Option("--workshop", metavar="WORKFLOW", help="Six exercises on the bundled review: w1, w2 or w3."),
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", min=1, max=65535, help="JupyterLab's port; the first free one else.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser, as on another machine.")] = False,
    no_server: Annotated[
        bool, typer.Option("--no-server", help="Only write the notebook, for a Jupyter that runs already.")
    ] = False,
) -> int:
    """Open JupyterLab on the workflow's notebook of a bundle, on the ledger of two contracts, or on a workshop."""
    from evreview.app.commands.run import LabOptions, lab, lab_diff, lab_workshop

    options = LabOptions(port=port, browser=not no_browser, server=not no_server)
    if no_server and (port is not None or no_browser):
        return refuse("--no-server starts nothing that has a port or a browser. Leave the others out")
    if workshop is not None:
        return lab_workshop(workshop, bundle, options)
    return lab(bundle, options) if candidate is None or bundle is None else lab_diff(bundle, candidate, options)


@app.command()
@command
def doctor() -> int:
    """Tell versions, and what is missing here for which command and how to get it."""
    from evreview.app.commands.doctor import doctor

    return doctor()


@app.command()
@command
def schema(name: Annotated[str | None, typer.Argument(metavar="NAME", help="One schema only.")] = None) -> int:
    """Print the JSON Schemas of the bundle's files."""
    from evreview.app.commands.bundles import schema

    return schema(name)


def join_parameters(arguments: Sequence[str]) -> list[str]:
    """The arguments with each `-p NAME VALUE` as `-p NAME=VALUE`, which is how the parser can hold a repeated pair."""
    joined: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        joined.append(word)
        if word == "--":
            return joined + rest
        if word in {"-p", "--parameter"} and len(rest) >= 2 and "=" not in rest[0]:
            name, value = rest.pop(0), rest.pop(0)
            joined.append(f"{name}={value}")
    return joined


def run_command(arguments: Sequence[str]) -> int:
    """The exit status of one command line; every failure, also one of the usage, is told through the redactor."""
    prepare_streams()
    return status_of(lambda: _invoked(join_parameters(arguments)))


def _invoked(arguments: list[str]) -> int:
    try:
        return int(app(arguments, prog_name="evreview", standalone_mode=False) or 0)
    except typer.Abort as error:
        raise error.__cause__ or KeyboardInterrupt from None
    except Exception as error:
        told = usage_error(error)
        if told is None:
            raise
        warn(told)
        return ExitStatus.BAD_INPUT


def main() -> None:
    """The `evreview` command."""
    sys.exit(run_command(sys.argv[1:]))
