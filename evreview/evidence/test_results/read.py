"""One retained test output in, its cases and exchanges out. The content decides the format, never a file name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import bad_input
from evreview.core.json_text import mapping
from evreview.core.limits import MAX_BYTES
from evreview.core.vocabulary import Json
from evreview.evidence.test_results.http_archive import har_entries, read_har
from evreview.evidence.test_results.junit import read_junit, read_pytest_json
from evreview.evidence.test_results.model import Format, Results
from evreview.evidence.test_results.newman import read_newman
from evreview.evidence.test_results.plain_text import read_plain
from evreview.evidence.test_results.schemathesis import FIRST_EVENTS, LISTS, read_ndjson, read_vcr

_EVENT: Final = re.compile(rf'\s*\{{\s*"(?:{"|".join(FIRST_EVENTS)})"\s*:')
_TAPE: Final = re.compile(rf"(?m)^(?:{'|'.join(LISTS)}):")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_ADVICE: Final = (
    "supply JUnit XML, pytest JSON, newman JSON, schemathesis NDJSON, VCR, HAR, or the runner's plain lines"
)
_DOCUMENTS: Final[Mapping[Format, Callable[[Json], Results]]] = {
    "har": read_har,
    "newman": read_newman,
    "pytest-json": read_pytest_json,
    "vcr": read_vcr,
}


def read_results(data: bytes, format: Format | None = None, file: str = "") -> Results:
    """What the output says; parts that can't be read are named in `unread`.

    Args:
        data: the retained output.
        format: its format; None lets the content decide.
        file: its name for messages.

    Raises:
        BadInput: nothing of it can be read: `results-format-unknown`, `results-format-mismatch`, `results-xml`,
            `results-entities`, `results-ndjson`, `results-too-many`, or one of `documents.text`.
    """
    text = _decoded(data, file)
    if format == "route-table":
        return Results(format=format, cases=())
    seen = _seen(text)
    if format == "plain" or (format is None and seen == "plain"):
        return read_plain(text)
    if format == "junit" or (format is None and seen == "junit"):
        return read_junit(text, file)
    if format == "schemathesis-ndjson" or (format is None and seen == "schemathesis-ndjson"):
        return read_ndjson(text, file)
    value = parse_text(text.encode(), file)
    found = _document(value)
    if found is None:
        raise bad_input("results-format-unknown", "no known test output", file=file, advice=_ADVICE)
    if format is not None and format != found:
        advice = "correct the format, or leave it out"
        raise bad_input("results-format-mismatch", f"the content is {found}, not {format}", file=file, advice=advice)
    return _DOCUMENTS[found](value)


def _decoded(data: bytes, file: str) -> str:
    if len(data) > MAX_BYTES:
        raise bad_input("text-too-large", f"more than {MAX_BYTES} bytes", file=file, advice="retain one run per file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise bad_input(
            "text-encoding", "not UTF-8", file=file, place=f"line {line}", advice="save the file as UTF-8"
        ) from None
    if not text.strip():
        raise bad_input("text-empty", "the file is empty", file=file, advice="check that it was written completely")
    control = _CONTROLS.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise bad_input("text-binary", "not a text", file=file, place=f"line {line}", advice="retain it as text")
    return text


def _seen(text: str) -> Format | None:
    """The format that the beginning of the text tells; None for JSON and YAML, whose members decide."""
    start = text.lstrip()[:1]
    if start == "<":
        return "junit"
    if _EVENT.match(text):
        return "schemathesis-ndjson"
    return None if (start in ("{", "[") and not text.lstrip().startswith("[ ")) or _TAPE.search(text) else "plain"


def _document(value: Json) -> Format | None:
    """The format that a document's members tell."""
    members = mapping(value)
    if isinstance(har_entries(value), list):
        return "har"
    if isinstance(mapping(members.get("run")).get("executions"), list):
        return "newman"
    if isinstance(members.get("tests"), list) and ("exitcode" in members or "summary" in members):
        return "pytest-json"
    if any(isinstance(members.get(name), list) for name in LISTS):
        return "vcr"
    return None
