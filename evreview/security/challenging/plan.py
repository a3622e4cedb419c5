"""A bounded local plan for a suspicion that could not be decided: nothing runs without the security owner's gate."""

from __future__ import annotations

from evreview.core.quoted_text import Subject, Text, text
from evreview.workflows.w3.model import Candidate


def local_plan(candidate: Candidate) -> tuple[Text, ...]:
    """The steps of a local check, in order; each is a proposal."""
    aim: Text = candidate.safe_verification or (
        "agree with the security owner on a check without harm; until then no check is proposed",
    )
    where = Subject(candidate.route or candidate.control or candidate.kind)
    return (
        text("Get the security owner's approval for a local check of ", where, "."),
        ("Start the reviewed revision alone in an isolated environment: loopback only, no credentials of real systems, "
         "synthetic data.",),
        aim,
        ("Stop at the first sign of network access outside the fixture, or of a write outside its folder.",),
        ("Keep command, revision, environment, exit status and output as a test record; throw the fixture away.",),
        ("Continue at step 6 with the retained result, or stop without a claim.",),
    )  # fmt: skip
