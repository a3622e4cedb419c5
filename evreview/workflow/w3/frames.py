"""The registers of W3 that no room of the review makes itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd

from evreview.core.quoted_text import Text, plain
from evreview.workflows.w3.facts import ProposedCheck
from evreview.workflows.w3.model import AbuseCase, Candidate, Lead

if TYPE_CHECKING:
    from evreview.workflows.w3.step6_validation import LocalResult


def leads_frame(leads: Iterable[Lead]) -> pd.DataFrame:
    """Leads. Key: `lead`. Columns: lead, rule, tool, area, says, path, symbol, route, evidence; none is proof."""
    rows = [
        (
            *(each.id, each.rule, each.tool, str(each.area), plain(each.says), each.path, each.symbol, each.route),
            ", ".join(map(str, each.citations)),
        )
        for each in leads
    ]
    return pd.DataFrame(rows, columns=["lead", "rule", "tool", "area", "says", "path", "symbol", "route", "evidence"])


def cases_frame(cases: Iterable[AbuseCase]) -> pd.DataFrame:
    """Abuse cases. Key: `case`. Columns: case, boundary, attacker, route, controlled_input, preconditions, bypass,
    consequence, state, candidates, evidence."""
    columns = ["case", "boundary", "attacker", "route", "controlled_input", "preconditions", "bypass", "consequence"]
    rows = [
        (
            *(each.id, each.boundary, each.attacker, each.route, plain(each.controlled_input)),
            *(_joined(each.preconditions), plain(each.bypass), plain(each.consequence), str(each.state)),
            *(", ".join(each.candidates), ", ".join(map(str, each.citations))),
        )
        for each in cases
    ]
    return pd.DataFrame(rows, columns=[*columns, "state", "candidates", "evidence"])


def candidates_frame(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """Challenged candidates, refuted ones included. Key: `candidate`. Columns: candidate, kind, area, title, route,
    control, asset, attacker, reach, state, challenges, missing, evidence."""
    columns = ["candidate", "kind", "area", "title", "route", "control", "asset", "attacker", "reach", "state"]
    rows = [
        (
            *(each.id, each.kind, str(each.area), plain(each.title), ", ".join(each.routes), each.control, each.asset),
            *(each.attacker, str(each.reach), str(each.state)),
            "\n".join(f"{plain(one.place)}: {one.standing}, {plain(one.why)}" for one in each.challenges),
            *(_joined(each.missing), ", ".join(map(str, each.citations))),
        )
        for each in candidates
    ]
    return pd.DataFrame(rows, columns=[*columns, "challenges", "missing", "evidence"])


def results_frame(results: Iterable[LocalResult]) -> pd.DataFrame:
    """Executed checks. Columns: check, what, command, revision, environment, result, operations, evidence."""
    rows = [
        (
            *(each.id, plain(each.what), each.command, each.revision, each.environment, each.result),
            *(", ".join(each.operations), ", ".join(map(str, each.citations))),
        )
        for each in results
    ]
    names = ["check", "what", "command", "revision", "environment", "result", "operations", "evidence"]
    return pd.DataFrame(rows, columns=names)


def proposed_frame(checks: Iterable[ProposedCheck]) -> pd.DataFrame:
    """Proposed checks. Columns: check, verifies, missing, leaves, evidence."""
    rows = [
        (*map(plain, (each.check, each.verifies, each.missing, each.leaves)), ", ".join(map(str, each.citations)))
        for each in checks
    ]
    return pd.DataFrame(rows, columns=["check", "verifies", "missing", "leaves", "evidence"])


def _joined(texts: Iterable[Text]) -> str:
    return "; ".join(map(plain, texts))
