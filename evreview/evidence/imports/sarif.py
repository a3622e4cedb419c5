"""SARIF logs as leads of a security review: kept as the scanner wrote them, where `evreview leads` keeps its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import EvidenceType, Json
from evreview.evidence.files import text_of
from evreview.evidence.imports.model import Imported, KeptFile, Supplied, wrong_format
from evreview.evidence.typed_reader import is_recording


def read(supplied: Supplied) -> Imported:
    """The log as it is.

    Raises:
        BadInput: the file is no SARIF log.
    """
    text = text_of(supplied.data, supplied.name)
    try:
        value = parse_text(supplied.data, supplied.name) if text.lstrip().startswith("{") else None
    except BadInput:
        value = None
    runs = value.get("runs") if isinstance(value, Mapping) and "version" in value else None
    if not isinstance(runs, list) or not is_recording(text):
        raise wrong_format(supplied, "SARIF log")
    kept = KeptFile(
        ending=".sarif",
        text=text,
        type=EvidenceType.TEST_RECORD,
        establishes="What a scanner matched, as it wrote it. No proof of anything.",
    )
    return Imported(name="leads/sarif", type=EvidenceType.TEST_RECORD, kept=kept, told=tuple(_told(runs)))


def _told(runs: list[Json]) -> Iterator[str]:
    for run in runs:
        tool = run.get("tool") if isinstance(run, Mapping) else None
        driver = tool.get("driver") if isinstance(tool, Mapping) else None
        name = driver.get("name") if isinstance(driver, Mapping) else None
        results = run.get("results") if isinstance(run, Mapping) else None
        number = len(results) if isinstance(results, list) else 0
        yield f"leads       {counted(number, 'result')} of {name or 'a scanner without a name'}"
