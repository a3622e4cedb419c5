"""[I/O] Where notebooks, templates and examples are: inside the installed package, or in the checkout it runs from.

Looks files up, never reads them; everything else asks here instead of guessing from its own `__file__`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from evreview.core.errors import bad_input

PACKAGE: Final = Path(__file__).resolve().parent.parent
DEMOS: Final = {"w1": "w1-orders", "w2": "w2-orders", "w3": "w3-tickets"}
NOTEBOOKS: Final = {
    "w1": "w1_api_contract_review.ipynb",
    "w2": "w2_api_reference.ipynb",
    "w3": "w3_security_review.ipynb",
}
ARTIFACTS: Final = {"w1": "api-contract-review.md", "w2": "api-reference.md", "w3": "security-review.md"}
"""The artifact's file name per workflow; the notebook and the page that a run keeps have its stem."""


def folder(name: str) -> Path:
    """The folder `notebooks`, `templates` or `examples`.

    Raises:
        BadInput: the installation lacks it.
    """
    for root in (PACKAGE / "_assets", PACKAGE.parent):
        if (root / name).is_dir():
            return root / name
    raise bad_input(
        "incomplete-installation",
        f"the folder {name!r} is missing from this installation of evreview",
        advice="Install evreview again from a wheel or a checkout",
    )


def notebook(workflow: str) -> Path:
    """The notebook of a workflow, `w1`.

    Raises:
        BadInput: there is no notebook for that workflow.
    """
    if workflow not in NOTEBOOKS:
        raise bad_input(
            "no-notebook", f"there is no notebook for workflow {workflow}", advice=f"Use {', '.join(NOTEBOOKS)}"
        )
    return folder("notebooks") / NOTEBOOKS[workflow]


def demo_bundle(workflow: str = "w1") -> Path:
    """The bundled example review of a workflow."""
    return folder("examples") / DEMOS[workflow]
