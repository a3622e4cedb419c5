"""The flow of a workflow, loaded when it is asked for."""

from __future__ import annotations

from typing import Any

from evreview.core.errors import bad_input
from evreview.core.vocabulary import WorkflowId
from evreview.workflows.engine.step import Flow


def flow_of(workflow: WorkflowId, file: str = "") -> Flow[Any]:
    """The flow of a workflow.

    Args:
        workflow: which.
        file: the bundle, as the user named it; for the problem.

    Raises:
        BadInput: this release can't run it.
    """
    if workflow is WorkflowId.W1:
        from evreview.workflows.w1.workflow import FLOW as W1

        return W1
    if workflow is WorkflowId.W2:
        from evreview.workflows.w2.workflow import FLOW as W2

        return W2
    if workflow is WorkflowId.W3:
        from evreview.workflows.w3.workflow import FLOW as W3

        return W3
    found = f"{workflow} reviews can't be run by this release"
    raise bad_input("workflow-not-built", found, file=file, advice="Use `workflow: w1`, `w2` or `w3`")
