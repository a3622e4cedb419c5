"""What reading leads of others gives: the leads, and what could not be taken in."""

from __future__ import annotations

from dataclasses import dataclass

from evreview.core.errors import Problem
from evreview.workflows.w3.model import Lead


@dataclass(frozen=True, slots=True)
class LeadIntake:
    """Leads and problems, both in the order supplied."""

    leads: tuple[Lead, ...]
    problems: tuple[Problem, ...]
