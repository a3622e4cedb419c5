"""`evreview export`: a review in the formats of other tools, for a recipient who may have it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from evreview.app.commands.shell import clean, put, say, shown, warn
from evreview.core.errors import bad_input
from evreview.core.vocabulary import ExitStatus, WorkflowId
from evreview.redaction.detector import Clean
from evreview.report.interchange import Exchange
from evreview.workflows.session import Review

FORMATS: Final = ("sarif", "oscal", "in-toto", "markdown")


def export(bundle: Path, form: str, recipient: str | None, output: Path | None) -> int:
    """Review a bundle and write it in one format; 4 when the recipient may not have it, 7 when redaction is incomplete.

    A review that was stopped, or did not come to its findings, has no machine-readable form: an empty list of findings
    would read as a clean one. The status of an unfinished review is that of `run`.

    Raises:
        BadInput: the bundle or the output, or a security review without a recipient.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.engine.sealing import CODE, incomplete
    from evreview.workflows.exchange import has_concluded
    from evreview.workflows.session import review

    if form not in FORMATS:
        raise bad_input("not-allowed", f"`{form}` is no format", advice=f"Allowed: {', '.join(FORMATS)}")
    done = review(open_bundle(bundle))
    if done.decision.unredacted:
        for reason in incomplete(done.bundle, done.redactor):
            warn(clean(str(reason)))
        warn(f"evreview: nothing was written [{CODE}]")
        return ExitStatus.REDACTION_INCOMPLETE
    if done.bundle.workflow is WorkflowId.W3:
        if not recipient:
            advice = "Name the receiving role with --to"
            raise bad_input("recipient-missing", "a security review is given to named roles only", advice=advice)
        if kept := _kept_from(done, recipient):
            return kept
    concluded = has_concluded(done)
    if not concluded and form != "markdown":
        warn(clean(f"the review is {done.decision.headline}: it has no findings to export. Nothing was written"))
        return done.exit_status
    _deliver(done, done.redactor.clean(_WRITERS[form](done)), bundle, output, form)
    return ExitStatus.DONE if concluded else done.exit_status


def _deliver(done: Review, text: Clean, bundle: Path, output: Path | None, form: str) -> None:
    from evreview.report.writer import deliver, require_new

    if output is None:
        put(clean(text.rstrip("\n")), form)
        return
    require_new(output, bundle, text)
    deliver(output, text, redactor=done.redactor)
    say(clean(f"written: {shown(output)}"))


def _kept_from(done: Review, recipient: str) -> int:
    """The status when the recipient may not have the review, 0 when it may."""
    from evreview.workflows.exchange import may_receive

    if may_receive(done, recipient):
        return ExitStatus.DONE
    opened = getattr(done.facts, "opened", True)
    why = "the authorization does not name the role, and no disclosure to it is approved"
    why = why if opened else "the authorization did not pass, so it names nobody"
    warn(clean(f"{recipient} may not receive this review: {why}. Nothing was written"))
    return ExitStatus.BLOCKED if opened else done.exit_status


def _markdown(done: Review) -> str:
    return done.artifact


def _sarif(done: Review) -> str:
    from evreview.report.interchange import findings_log

    return _json(findings_log(_exchange(done)))


def _oscal(done: Review) -> str:
    from evreview.report.interchange import assessment_results

    return _json(assessment_results(_exchange(done)))


def _in_toto(done: Review) -> str:
    from evreview.report.interchange import statements

    exchange = _exchange(done)
    made = list(statements(exchange))
    if len(made) < len(exchange.checks):
        warn(f"{len(exchange.checks) - len(made)} checks name no immutable revision and have no statement")
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in made)


def _exchange(done: Review) -> Exchange:
    from evreview.workflows.exchange import exchanged

    return exchanged(done)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Review], str]]] = {
    "markdown": _markdown,
    "sarif": _sarif,
    "oscal": _oscal,
    "in-toto": _in_toto,
}
