"""Sources as the leads' tests write them: one file or several, read into leads."""

from __future__ import annotations

from collections.abc import Mapping

from evreview.codefacts.model import SourceText
from evreview.codefacts.read import read_sources
from evreview.core.vocabulary import EvidenceId
from evreview.workflows.w3.leads.catalogue import find_leads
from evreview.workflows.w3.model import Lead


def files(source: str | Mapping[str, str]) -> tuple[SourceText, ...]:
    """The texts as supplied files, `app.py` for a single one."""
    named = {"app.py": source} if isinstance(source, str) else source
    return tuple(
        SourceText(item=EvidenceId(f"E{number}"), path=path, parts=("handler",), text=text.lstrip("\n"))
        for number, (path, text) in enumerate(named.items(), 1)
    )


def leads(source: str | Mapping[str, str], rule: str = "") -> tuple[Lead, ...]:
    """The leads of one rule, or of all."""
    supplied = files(source)
    found = find_leads(supplied, read_sources(supplied))
    return tuple(lead for lead in found if not rule or lead.rule == rule)
