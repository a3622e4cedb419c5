"""Which views each workflow offers, by name; the workbench shows what it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evreview.core.vocabulary import WorkflowId
from evreview.workflows.w1.widgets import compatibility_matrix
from evreview.workflows.w2.widgets.discrepancies import discrepancies, examples
from evreview.workflows.w2.widgets.matrix import evidence_matrix
from evreview.workflows.w3.widgets import abuse_cases, control_grid, finding_board, trust_picture
from evreview.workflows.widgets.faces import Face, Scene

View = Callable[[Scene], Face]

VIEWS: Final[Mapping[WorkflowId, Mapping[str, View]]] = {
    WorkflowId.W1: {"matrix": compatibility_matrix},
    WorkflowId.W2: {"matrix": evidence_matrix, "discrepancies": discrepancies, "examples": examples},
    WorkflowId.W3: {
        "trust": trust_picture,
        "controls": control_grid,
        "cases": abuse_cases,
        "findings": finding_board,
    },
}
