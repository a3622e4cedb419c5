"""The W3 artifact's text: the frozen view through its template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from evreview.evidence.item import Bundle
from evreview.report.template_environment import environment
from evreview.workflow.w3.view import build_view
from evreview.workflows.engine.conclusions import Decision
from evreview.workflows.engine.step import StepResult
from evreview.workflows.w3.facts import W3Facts

TEMPLATE = "security-review.md.j2"


def render_w3(bundle: Bundle, steps: Sequence[StepResult], facts: W3Facts, decision: Decision) -> str:
    """The Markdown of `security-review.md`, not yet redacted."""
    view = build_view(bundle, steps, facts, decision)
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    return environment().get_template(TEMPLATE).render(values)
