"""`evreview leads`: a scanner over the sources of a security review, and what it says kept as evidence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from evreview.app.commands.execute import authorized
from evreview.app.commands.shell import clean, say, shown, working
from evreview.core.errors import bad_input
from evreview.core.vocabulary import ExitStatus, Technique, WorkflowId

if TYPE_CHECKING:
    from evreview.evidence.item import Bundle

_OF_BANDIT: Final = b"rules: [{languages: [python]}]"
_NAMED: Final = 5
"""Files that are named, of those at which no rule looked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadsRequest:
    """A bundle, the scanner, and the rules that it is given."""

    bundle: Path
    tool: str
    rules: Path | None = None


def leads(asked: LeadsRequest) -> int:
    """Scan a copy of the bundle's sources and retain the result as a new item; 0 when it is kept.

    Raises:
        BadInput: no review is authorized that takes in leads, the scanner is not there or failed, or the bundle has
            problems; nothing was written then.
    """
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.evidence.bundle_writer import NewFile, retain_file
    from evreview.sandbox.scanner import BANDIT, Scan, scan, texts_of_rules
    from evreview.workflows.w3.abuse_cases.sarif_import import of_bandit, of_sarif, unlooked_at
    from evreview.workflows.w3.authorization import SCANNED

    with working(f"scanning {shown(asked.bundle)}") as tell:
        bundle = permitted(authorized(open_bundle(asked.bundle), datetime.now(UTC)), Technique.LEAD_INTAKE)
        tell(f"running {asked.tool}")
        order = Scan(tool=asked.tool, files=_files(bundle), rules=asked.rules)
        said = scan(order)
        unlooked = unlooked_at([*order.files], texts_of_rules(order) if asked.tool != BANDIT else [_OF_BANDIT])
        if len(unlooked) == len(order.files):
            advice = "name rules for the languages of the sources"
            raise bad_input("scan-failed", f"the rules look at none of the {len(unlooked)} files", advice=advice)
        log = of_bandit(said, unlooked) if asked.tool == BANDIT else of_sarif(said, unlooked)
        item = NewFile(
            name=f"{SCANNED}{asked.tool}",
            ending=".sarif",
            text=log,
            establishes=f"What {asked.tool} matched in the supplied sources. No proof of anything.",
        )
        identity, written = retain_file(asked.bundle, item)
    count = log.count('"ruleId"')
    kept = f"retained as {identity} in {shown(asked.bundle)}: {written}" if written else f"{identity} holds it already"
    left = f"; no rule looked at {', '.join(unlooked[:_NAMED])}" if unlooked else ""
    left += f" and {len(unlooked) - _NAMED} more files" if len(unlooked) > _NAMED else ""
    say(clean(f"{count} results of {asked.tool}; {kept}{left}"))
    return ExitStatus.DONE


def permitted(bundle: Bundle, technique: Technique) -> Bundle:
    """The bundle, if it is a security review whose authorization names a technique.

    Raises:
        BadInput: it is not.
    """
    from evreview.evidence.cited_records import first_of
    from evreview.evidence.records.security import Authorization

    if bundle.workflow is not WorkflowId.W3:
        raise bad_input("not-a-security-review", "this belongs to a security review (w3)", advice="Name such a bundle")
    known = first_of(bundle, Authorization)
    if known is None or technique not in (known.record.techniques or ()):
        found = f"the authorization does not name the technique {technique}"
        raise bad_input("not-authorized", found, advice="Have the security owner authorize it")
    return bundle


def _files(bundle: Bundle) -> dict[str, bytes]:
    """The sources of the review by their paths in the repository."""
    from evreview.codefacts.read import sources_of

    files = {source.path: source.text.encode() for source in sources_of(bundle) if source.first_line == 1}
    if not files:
        raise bad_input("source-missing", "the bundle names no source file", advice="List them in a source map")
    return files
