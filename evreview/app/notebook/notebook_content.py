"""An executed notebook without what differs from run to run and machine to machine. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

Notebook = dict[str, Any]

_OF_THE_RUN: Final = ("papermill", "execution", "collapsed", "widgets")


def scrubbed(notebook: Mapping[str, Any], parameters: Mapping[str, Any], places: Mapping[str, str]) -> Notebook:
    """The notebook without timestamps, durations, widget state and absolute paths.

    Args:
        notebook: as executed, plain JSON.
        parameters: what the injected cell says from now on.
        places: absolute path -> what stands for it; longer paths are replaced first.
    """
    plain: Notebook = _replaced(json.loads(json.dumps(notebook)), sorted(places.items(), key=_longest_first))
    for name in _OF_THE_RUN:
        plain["metadata"].pop(name, None)
    # The interpreter's patch release is the machine's, not the review's.
    plain["metadata"].get("language_info", {}).pop("version", None)
    for cell in plain["cells"]:
        for name in _OF_THE_RUN:
            cell["metadata"].pop(name, None)
        if "injected-parameters" in cell["metadata"].get("tags", ()):
            cell["id"] = "injected-parameters"
            cell["source"] = injected(parameters)
    return plain


def injected(parameters: Mapping[str, Any]) -> str:
    """The source of the injected cell."""
    return "\n".join(["# Parameters", *(f"{name} = {value!r}" for name, value in parameters.items())])


def unfinished(notebook: Mapping[str, Any]) -> list[int]:
    """The numbers, from 1, of code cells that did not run to their end; empty for a notebook that ran whole.

    papermill calls a run with `sys.exit(0)` a success and leaves the rest pending; a dead kernel marks every cell as
    completed. The execution count and the absence of an error output say what happened.
    """
    return [place for place, cell in enumerate(notebook["cells"], start=1) if not _finished(cell)]


def _finished(cell: Mapping[str, Any]) -> bool:
    if cell["cell_type"] != "code" or not "".join(cell["source"]).strip():
        return True
    status = cell["metadata"].get("papermill", {}).get("status", "completed")
    failed = any(output["output_type"] == "error" for output in cell["outputs"])
    return status == "completed" and cell["execution_count"] is not None and not failed


def written(notebook: Mapping[str, Any]) -> str:
    """The notebook as the text of an .ipynb file, the same text for the same notebook."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _longest_first(pair: tuple[str, str]) -> int:
    return -len(pair[0])


def _replaced(value: Any, places: Sequence[tuple[str, str]]) -> Any:
    if isinstance(value, str):
        for path, stand_in in places:
            value = value.replace(path, stand_in)
        return value
    if isinstance(value, list):
        return [_replaced(part, places) for part in value]
    if isinstance(value, dict):
        return {key: _replaced(part, places) for key, part in value.items()}
    return value
