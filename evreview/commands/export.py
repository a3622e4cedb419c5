"""`evreview export`: a review in the formats of other tools, for a recipient who may have it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from evreview.artifacts.interchange.model import Exchange
from evreview.commands.shell import clean, say, shown, warn
from evreview.errors import bad_input
from evreview.vocab import ExitStatus, WorkflowId
from evreview.workflow.review import Review

FORMATS: Final = ("sarif", "oscal", "in-toto", "markdown")


def export(bundle: Path, form: str, recipient: str | None, output: Path | None) -> int:
    """Review a bundle and write it in one format; 4 when the recipient may not have it.

    Raises:
        BadInput: the bundle or the output, or a security review without a recipient.
    """
    from evreview.artifacts.write import write_outputs
    from evreview.evidence.intake import open_bundle
    from evreview.workflow.exchange import may_receive
    from evreview.workflow.review import review

    if form not in FORMATS:
        raise bad_input("not-allowed", f"`{form}` is no format", advice=f"Allowed: {', '.join(FORMATS)}")
    done = review(open_bundle(bundle))
    if done.bundle.workflow is WorkflowId.W3:
        if not recipient:
            advice = "Name the receiving role with --to"
            raise bad_input("recipient-missing", "a security review is given to named roles only", advice=advice)
        if not may_receive(done, recipient):
            why = "the authorization does not name the role, and no disclosure to it is approved"
            warn(clean(f"{recipient} may not receive this review: {why}. Nothing was written"))
            return ExitStatus.BLOCKED
    text = done.guard.clean(_WRITERS[form](done))
    if output is None:
        say(clean(text.rstrip("\n")))
        return ExitStatus.DONE
    write_outputs(output.resolve().parent, {output.name: text}, guard=done.guard)
    say(clean(f"written: {shown(output)}"))
    return ExitStatus.DONE


def _markdown(done: Review) -> str:
    return done.artifact


def _sarif(done: Review) -> str:
    from evreview.artifacts.interchange.findings import findings_log

    return _json(findings_log(_exchange(done)))


def _oscal(done: Review) -> str:
    from evreview.artifacts.interchange.oscal import assessment_results

    return _json(assessment_results(_exchange(done)))


def _in_toto(done: Review) -> str:
    from evreview.artifacts.interchange.intoto import statements

    exchange = _exchange(done)
    made = list(statements(exchange))
    if len(made) < len(exchange.checks):
        warn(f"{len(exchange.checks) - len(made)} checks name no immutable revision and have no statement")
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in made)


def _exchange(done: Review) -> Exchange:
    from evreview.workflow.exchange import exchanged

    return exchanged(done)


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


_WRITERS: Final[Mapping[str, Callable[[Review], str]]] = {
    "markdown": _markdown,
    "sarif": _sarif,
    "oscal": _oscal,
    "in-toto": _in_toto,
}
