"""Whether the evidence ties the reviewed revision to what runs. Without it nothing is said about deployed behaviour."""

from __future__ import annotations

from evreview.core.quoted_text import Subject, Text
from evreview.evidence.cited_records import Cited, records_of
from evreview.evidence.item import Bundle
from evreview.evidence.records.review import same_revision
from evreview.evidence.records.security import DeploymentRecord
from evreview.security.mapped import DeploymentTie
from evreview.security.revisions import reviewed
from evreview.workflows.w3.excerpts import cited


def deployment_tie(bundle: Bundle) -> DeploymentTie:
    """The answer of all deployment records together: one that names another revision unties."""
    records = records_of(bundle, DeploymentRecord)
    wanted = reviewed(bundle)
    differing = [one for one in records if one.record.revision and not same_revision(one.record.revision, wanted)]
    naming = [one for one in records if same_revision(one.record.revision, wanted)]
    tied = bool(naming) and not differing
    return DeploymentTie(
        tied=tied,
        needed=bundle.request.runtime_conclusion,
        why=_why(records, naming, differing, wanted),
        citations=cited(*((one.citation,) for one in differing or naming or records)),
        other=bool(wanted and differing),
    )


def _why(
    records: tuple[Cited[DeploymentRecord], ...],
    naming: list[Cited[DeploymentRecord]],
    differing: list[Cited[DeploymentRecord]],
    wanted: str,
) -> Text:
    if not records:
        return ("no deployment record was supplied; supply one that names the revision that runs",)
    if not wanted:
        return ("no reviewed revision is known, so no deployment record can be compared with it",)
    if differing:
        other = differing[0].record
        return (Subject(other.environment), " runs ", Subject(other.revision or ""), ", not the reviewed revision")
    if naming:
        return (Subject(naming[0].record.environment), " runs the reviewed revision, as its record states")
    return ("no deployment record names the revision that runs; supply one that does",)
