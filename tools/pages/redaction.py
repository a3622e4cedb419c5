"""The page about redaction, made from the detectors. Nothing on it is a text that a secret scanner reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from evreview.redaction.detector import Detector, Kind
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.detectors.personal_data import DIGITS, LETTERS
from evreview.redaction.detectors.vendor_tokens import ISSUERS, VENDORS

_JOINT: Final = "·"
_CUT: Final = 24
_HARMLESS: Final = frozenset({Kind.STACK_DETAIL, Kind.FILE_PATH, Kind.PRIVATE_ENDPOINT})
"""Kinds whose examples no secret scanner minds."""
_HEAD: Final = """# Redaction

Made from `evreview/redaction` by `make docs`; a test keeps it current.

Everything that evreview writes or shows passes one guard: Markdown, HTML, JSON, CSV, SARIF, notebook outputs and
widgets, the journal, messages, logs and tracebacks. The guard reads the whole evidence first. What a detector finds
there is learnt, and is removed from every text that leaves, wherever it stands: as it is, in other letter case or
double width, in base64 at any alignment and twice, in base32, in hexadecimal, as codes of characters, letter by letter,
URL-encoded (twice too), quoted-printable, in HTML entities, in JSON's, Markdown's and octal escapes, split over lines
(also where `⏎` shows the line end), over parts of a string or by markup, or with invisible characters between. A value
that stands in such a run alone is found there too. Secrets, credentials and tokens that were learnt go reversed, with
their letters moved by thirteen, and in base85 too. `[redacted: token]` stands in its place; what kind of value was
found in which item and line stands in the artifact, never the value.

In Python, what is shown by merely being named has passed a guard that learnt the opened bundles and contracts: the
representations of all objects, `registers`, `steps[n].tables`, `diff(...).frame`, messages of exceptions. Raw are texts
that are asked for by name, such as `items["E7"].content`, and `raw_frame`, `raw_frames` and `to_dict()`.

`evreview diff` and `evreview replay` learn from the whole contracts; beyond 4 MB in all, lines that stood there before
are read once. A word that only its shape gives away (`http://builds/`) goes where it stands and is looked for nowhere
else, and so do the words of rules and headings: ids and titles of evreview are no evidence.

A name that says secret decides: `password`, `secret`, `token`, `api_key` and their like in front of a value, over a
column of CSV, a table or an `INSERT`, as an option, an element or an attribute. A password may be letters alone there;
words of sentences, titles, types and labels (`Password: reset`, `token: string`) are none. Strings that are put
together (`"a" + "b"`, `'a' 'b'`, `join`, `CONCAT`, `+=`) are read as one.

Every artifact of a security review says under `### Redaction` whether redaction is complete, and which kinds stand
where in the evidence. Taking a value out can show the next one; after eight passes what is still there goes with its
whole lines, `[withheld: redaction incomplete]`. Then redaction is incomplete: the artifact is written and says so, by
kind and place, the run ends with the code `redaction-incomplete` and exit status 7, the gate of disclosure stays closed
and `evreview export` gives nothing out. A text that would change even then is not written at all (`output-leaks`).

Values that say of themselves that they are invented pass: hosts under `example.com`, `.test`, `.invalid` and
`.example`, addresses reserved for documentation, `SYNTHETIC-…`, `<token>`, `${TOKEN}`, `changeme`, `xxxx`, the test
numbers of card schemes and banks. So do digests, commits, UUIDs, versions, dates, ids of evidence, and the words of
schemas. Names that contracts of code declare are no private endpoints, however they read: `shop.db.local`, a module of
a Python library, the package `shop.pay.internal` of Protobuf, a namespace of Avro.

How much is found, and how often by mistake: `python -m tests.redaction.recall`, with figures in
[benchmarks.md](benchmarks.md). Examples are shown in parts (·), cut (…), and with ⏎ for a line end.
"""
_NOT_FOUND: Final = """## What is not found

Names and postal addresses of people, values without a name or a form of their own (a password in a sentence that does
not call it one), ranges of private addresses (`10.83.4.0/24`),
values that are encrypted or compressed, and reversed or in base85 those that were not learnt. Short values, under six
characters, are removed where they are found, but not looked for elsewhere. Hold such evidence back, or write its
placeholder into it before.
"""


def page() -> str:
    """The whole page, as Markdown."""
    issued = {detector.id for detector in (*VENDORS, *ISSUERS)}
    lines = [_HEAD]
    for kind in Kind:
        found = [detector for detector in DETECTORS if detector.kind is kind and detector.id not in issued]
        if found:
            lines += [f"## {str(kind).capitalize()}", "", *_table(found)]
    lines += ["## Tokens of vendors", "", *_vendors(detector for detector in DETECTORS if detector.id in issued)]
    lines += ["## National numbers", "", *_national(), _NOT_FOUND]
    return "\n".join(lines)


def _table(detectors: Iterable[Detector]) -> Iterator[str]:
    yield "| Detector | Why | Found | Left alone |"
    yield "| --- | --- | --- | --- |"
    for detector in detectors:
        yield f"| `{detector.id}` | {detector.why} | {_shown(detector)} | {_plain(detector.look_alike)} |"
    yield ""


def _vendors(detectors: Iterable[Detector]) -> Iterator[str]:
    yield "A token in the form that a vendor issues gives its holder access. One that is filled with `x` passes."
    yield ""
    yield "| Detector | Found |"
    yield "| --- | --- |"
    for detector in detectors:
        yield f"| `{detector.id}` | {_code(detector.example)} |"
    yield ""


def _national() -> Iterator[str]:
    names = ", ".join(number.name for number in (*DIGITS, *LETTERS))
    yield f"By their form and check digits, wherever they stand: {names}. All others only behind their name, such as"
    yield "`bsn`, `pesel`, `ssn`, `steuer_id`, `cpr`, `nif`, `sin`, `tfn`, `aadhaar`, `national_id`, `tax_number`,"
    yield "`passport_number`."
    yield ""


def _shown(detector: Detector) -> str:
    return _code(detector.example) if detector.kind not in _HARMLESS else _span(detector.sample)


def _code(parts: Iterable[str]) -> str:
    """The text as a code span in a cell: in parts, each cut, so that it is no value any more."""
    return _span(_JOINT.join(part if len(part) <= _CUT else f"{part[: _CUT // 2]}…" for part in _split(parts) if part))


def _plain(text: str) -> str:
    """A harmless text as a code span in a cell."""
    return _span(text if len(text) <= 2 * _CUT else f"{text[: 2 * _CUT]}…")


def _span(shown: str) -> str:
    ticks, gap = ("``", " ") if "`" in shown else ("`", "")
    return ticks + gap + shown.replace("\n", "⏎").replace("|", "\\|") + gap + ticks


def _split(parts: Iterable[str]) -> Iterator[str]:
    """The parts; a lone one, which holds its value whole, at its blanks."""
    given = tuple(parts)
    return iter(given if len(given) > 1 else (word for part in given for word in part.replace(" ", " \0").split("\0")))
