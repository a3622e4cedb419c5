"""A comparison in the formats of `evreview diff`. Every text in them passed the redactor, value by value."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from evreview.comparison.comparison import Comparison, JudgedRow
from evreview.contract.model import Place
from evreview.core.control_characters import escaped, marked
from evreview.core.errors import bad_input
from evreview.core.vocabulary import Absent, Json, Realism, Verdict
from evreview.kinds.code_names import code_names
from evreview.kinds.load import entry_of, folder_of
from evreview.kinds.registry import KINDS
from evreview.redaction.detector import Clean, Kind, placeholder
from evreview.redaction.learned_values import Distinct
from evreview.redaction.redactor import Redactor
from evreview.report.escape import csv_cell, shorten

if TYPE_CHECKING:
    import pandas as pd

    from evreview.comparison.delta import Noise
    from evreview.comparison.ledger import Ledger


SIDES: Final = ("released", "candidate")
IN_WORDS: Final = ("markdown", "sarif", "github")
"""Formats that print what a row says."""
FORMATS: Final = ("table", "json", "csv", "parquet", "markdown", "sarif", "github")


Lines = Callable[[str, str], int | None]
"""The line, from 1, of a side (`released`, `candidate`) and a location in it (`file#/pointer`); None when unknown."""


class Compared(Protocol):
    """What a format needs of a comparison."""

    def to_dict(self) -> Document:
        """The object that `evreview diff --format json` prints."""

    @property
    def ledger(self) -> Ledger:
        """The facts."""

    @property
    def rows(self) -> Sequence[JudgedRow]:
        """The rows of `to_dict`."""

    @property
    def noise(self) -> Sequence[Noise]:
        """The noise of `to_dict`."""

    @property
    def frame(self) -> pd.DataFrame:
        """One row per difference."""


def render(
    comparison: Compared,
    fmt: str,
    *,
    width: int | None = None,
    redactor: Redactor | None = None,
    lines: Lines | None = None,
) -> Clean | bytes:
    """The comparison in one format, ending with a line end; parquet as bytes.

    Args:
        comparison: the ledger with verdicts and proofs.
        fmt: one of `FORMATS`.
        width: the terminal's width, for a coloured `table`; without it the table is plain text.
        redactor: what has been learnt to redact; the detectors alone when it is not given.
        lines: tells the lines that `sarif` and `github` name.

    Raises:
        BadInput: there is no such format, or `parquet` is asked and its library is not installed.
    """
    if fmt not in FORMATS:
        raise bad_input("unknown-format", f"there is no format {fmt!r}", advice=f"Use one of {', '.join(FORMATS)}")
    plain = _worded(comparison) if fmt in IN_WORDS else comparison.to_dict()
    keeper = learnt(plain, redactor or Redactor())
    if fmt in ("csv", "parquet"):
        rows: Any = placed(plain, marked)["rows"]
        return (csv_text if fmt == "csv" else parquet_bytes)(comparison.frame, rows, keeper)
    if fmt == "json":
        return _json(plain, keeper)
    shown = placed(plain, marked, lines if fmt in ("sarif", "github") else None)
    document = keeper.clean_json(shown, signs=marked)
    assert isinstance(document, Mapping)
    return Clean(_written(document, fmt, width))


def worded_json(comparison: Compared, redactor: Redactor) -> Clean:
    """The comparison as `json` with all that the words of its rows are made from, for who says them later."""
    document = _worded(comparison)
    return _json(document, learnt(document, redactor))


def _json(document: Document, keeper: Redactor) -> Clean:
    return exact_json(_shortened(placed(document, exactly(keeper))), keeper)


def _shortened(document: dict[str, Json]) -> dict[str, Json]:
    """The document; what a compatible row of a library reaches beside its own name is counted, and not listed.

    A member of a base class reaches every class that inherits it: these names were the half of large ledgers.
    """
    rows = document["rows"]
    assert isinstance(rows, list)
    return {**document, "rows": [_counted(row) for row in rows]}


def _counted(row: Document) -> dict[str, Json]:
    told = dict(row)
    heirs = any(spec.reaches_heirs and spec.kind == row.get("kind") for spec in KINDS)
    if not heirs or row.get("verdict") != Verdict.COMPATIBLE:
        return told
    reached = row.get("operations") or []
    kept = [name for name in reached if name == row.get("operation")]
    if len(kept) < len(reached):
        told |= {"operations": kept, "operations_left_out": len(reached) - len(kept)}
    return told


def _written(document: Document, fmt: str, width: int | None) -> str:
    """The document in a format that is made from its rows; a format's libraries are loaded only for it."""
    if fmt == "table":
        return table(document, width)
    if fmt == "markdown":
        from evreview.report.ledger_markdown import markdown

        return markdown(document)
    if fmt == "github":
        from evreview.report.ledger_annotations import github_log

        return github_log(document)
    from evreview.report.ledger_annotations import sarif_log

    return indented(sarif_log(document))


def _worded(comparison: Compared) -> dict[str, Json]:
    """The comparison's object with all that the words of its rows are made from."""
    from evreview.report.difference_text import beside, sketched, written_names

    document: dict[str, Any] = dict(comparison.to_dict())
    known = {row.delta.id: beside(row.delta, comparison.ledger.released) for row in comparison.rows}
    quiet = {each.delta.id: sketched(each.delta, comparison.ledger.released) for each in comparison.noise}
    document["rows"] = [{**row, **known.get(row["id"], {})} for row in document["rows"]]
    document["noise"] = [{**quiet.get(each["id"], {}), **each} for each in document["noise"]]
    return {**document, NAMES: written_names(comparison.ledger)}


def placed(document: Document, signs: Signs, lines: Lines | None = None) -> dict[str, Json]:
    """The document with every place's file below the folder that the user named; rows with lines when asked."""
    folders = {side: folder_of(str(document[side].get("path") or "")) for side in SIDES}
    told = cache(lines) if lines is not None else None

    def located(row: Document) -> dict[str, Json]:
        named: dict[str, Json] = dict(row)
        if "locations" in row:
            named["locations"] = _each(row["locations"], folders)
        witness = row["proof"].get("witness") if isinstance(row.get("proof"), Mapping) else None
        if isinstance(witness, Mapping):
            named["proof"] = {**row["proof"], "witness": _witness(witness, folders, signs)}
        return named

    def lined(row: Document) -> dict[str, Json]:
        if told is None or "locations" not in row:
            return located(row)
        said = {side: str(row["locations"].get(side) or "") for side in SIDES}
        return {**located(row), "lines": {side: told(side, place) if place else None for side, place in said.items()}}

    rows, noise = map(lined, document["rows"]), map(located, document["noise"])
    unread = [{**each, "place": _unread_place(each, document, folders)} for each in document["unread"]]
    return {**document, "rows": list(rows), "noise": list(noise), "unread": unread}


def _unread_place(part: Document, document: Document, folders: Mapping[str, PurePosixPath]) -> str:
    """The place of what nobody could read, below the folder that it is in, as far as its file tells whose it is."""
    place = str(part.get("place") or "")
    named = {side: entry_of(str(document[side].get("path") or "")) for side in SIDES}
    own = [side for side in SIDES if named[side] == Place.read(place).file]
    around = {folders[side] for side in own or SIDES}
    return str(around.pop() / place) if place and len(around) == 1 else place


def _each(places: Document, folders: Mapping[str, PurePosixPath]) -> dict[str, Json]:
    """The place of each side below the side's folder."""
    said = {side: str(places.get(side) or "") for side in SIDES}
    return {side: str(folders[side] / place) if place else "" for side, place in said.items()}


def _witness(witness: Document, folders: Mapping[str, PurePosixPath], signs: Signs) -> dict[str, Json]:
    """The witness with its places below their sides' folders; the refusing side demands what is violated."""
    named: dict[str, Json] = {key: _kept(part, signs, key) for key, part in witness.items()}
    if isinstance(witness.get("at"), Mapping):
        named["at"] = {side: place for side, place in _each(witness["at"], folders).items() if place}
    broken, side = witness.get("violation"), str(witness.get("refused_by"))
    if isinstance(broken, Mapping) and side in folders and broken.get("place"):
        named["violation"] = {**broken, "place": str(folders[side] / str(broken["place"]))}
    return named


def _kept(part: Json, signs: Signs, *at: str) -> Json:
    """A part of a witness; a text that the format alters goes, because what is left of it is another value.

    The lines of a body that is written as text may end as they do in a form of several parts.
    """
    if isinstance(part, str):
        lines = part.replace("\r\n", "\n") if at == ("message", "body", "text") else part
        return next((told for told in (part, lines) if signs(told) == told), placeholder(Kind.CONTROL))
    if isinstance(part, Mapping):
        return {str(_kept(key, signs)): _kept(value, signs, *at, key) for key, value in part.items()}
    return [_kept(each, signs, *at, "") for each in part] if isinstance(part, (list, tuple)) else part


# A row in a few words: the same cells, forms and summary in every format that people read.


Document = Mapping[str, Any]
_DECLARED: Final = "for messages of declared members"
PLANES: Final = "planes"
NAMES: Final = "names"
"""The member with the names of operations as the contracts write them."""
MOST_PLACES: Final = 20
"""Places that nobody could read, as far as people are shown them."""
COLUMNS: Final = ("id", "verdict", "proof", "rule", "address", "aspect", "change", "released", "candidate")


def shown_form(value: Json, limit: int = 120) -> str:
    """A form as short text: a text as it is, anything else as compact JSON."""
    return shorten(value if isinstance(value, str) else compact(value), limit)


def compact(value: Json) -> str:
    """The value as JSON on one line, keys sorted."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def indented(value: Document) -> str:
    """The value as JSON on many lines, ending with a line end."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def one_a_line(document: Document) -> str:
    """A ledger as JSON with one row a line: for large ones, of which indentation would be a quarter."""
    parts = (f"{_on_one_line(name)}: {_listed(value)}" for name, value in document.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _listed(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return _on_one_line(value)
    return "[\n" + ",\n".join(map(_on_one_line, value)) + "\n]"


def _on_one_line(value: Json) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def columns_of(document: Document) -> tuple[str, ...]:
    """The columns of a table for people; one more where planes differ, and one when an accept file was given."""
    planes = (PLANES,) if any(row.get(PLANES) for row in document["rows"]) else ()
    return (*COLUMNS, *planes, *((COLUMN,) if is_asked(document) else ()))


def cells(row: Document, columns: Sequence[str]) -> tuple[str, ...]:
    """The row's cells in those columns, as short texts."""
    values = {**row, "proof": proof_of(row), "rule": row.get("rule") or "(no rule)", COLUMN: told(row)}
    values[PLANES] = by_plane(row)
    return tuple(shown_form(values[name]) for name in columns)


def proof_of(row: Document) -> str:
    """The status of the row's proof, and of a witness that nobody is known to send what it rests on."""
    proof = row["proof"]
    realism = proof.get("witness_realism") or ""
    return f"{proof['status']}, {realism}" if realism not in ("", Realism.DECLARED) else str(proof["status"])


def by_plane(row: Document) -> str:
    """The verdict in each plane, "" for a kind without planes."""
    return ", ".join(f"{plane}: {verdict}" for plane, verdict in (row.get(PLANES) or {}).items())


def evidence(proof: Document) -> tuple[Json, ...]:
    """What a witness shows: the whole message when there is one, else the value; () without a witness."""
    witness: Any = proof.get("witness") or {}
    for name in ("message", "value"):
        if name in witness:
            return (witness[name],)
    return (witness,) if witness else ()


def not_understood(document: Document) -> list[str]:
    """A line for each place that nobody could read; of many the first."""
    found = document["unread"]
    lines = [f"not understood: {each['place']}: {each['found']}" for each in found[:MOST_PLACES]]
    more = len(found) - len(lines)
    return [*lines, *([f"not understood: {more} more, which --format json names"] if more else [])]


def verdict_of(document: Document) -> str:
    """What the whole says, in the words of the text form."""
    from evreview.report.difference_text import headline

    accepted = sum(row["verdict"] == Verdict.BREAKING and is_accepted(row) for row in document["rows"])
    return headline(document["summary"], accepted)[1]


def summary(document: Document) -> str:
    """The counts of rows by verdict, proof, acceptance and what proofs rest on, in one sentence."""
    parts = []
    for name, value in document["summary"].items():
        inner = (
            ", ".join(f"{n} {word}" for word, n in value.items()) if isinstance(value, Mapping) else shown_form(value)
        )
        parts.append(f"{name}: {inner or 'none'}")
    counts = f"{len(document['rows'])} differences, {len(document['noise'])} without effect, "
    resting = sum(_DECLARED in (row["proof"].get("reason") or "") for row in document["rows"])
    parts += [f"{resting} proved {_DECLARED}"] if resting else []
    return f"{counts}{len(document['unread'])} not understood; {'; '.join(parts)}"


# What an accept file says about a row, in words and as a SARIF suppression. Without one, nothing is said anywhere.


COLUMN: Final = "acceptance"


def is_asked(document: Document) -> bool:
    """True when the comparison was held against an accept file."""
    return COLUMN in document


def is_accepted(row: Document) -> bool:
    """True when the row is accepted today."""
    found = row.get(COLUMN)
    return found is not None and found["state"] == "accepted"


def told(row: Document) -> str:
    """Until when and by whom the row is accepted and why, or since when no longer; "" when no entry names it."""
    found = row.get(COLUMN)
    if found is None:
        return ""
    if is_accepted(row):
        return f"accepted until {found['expires']} by {found['owner']}: {found['reason']}"
    return f"acceptance by {found['owner']} expired on {found['expires']}: {found['reason']}"


def stale(document: Document) -> list[tuple[Document, str]]:
    """The entries that accept nothing any more, each with what to tell."""
    entries = document[COLUMN]["stale"] if is_asked(document) else []
    return [
        (entry, f"{entry['id'] or entry['rule']}, accepted by {entry['owner']}: {entry['found']}") for entry in entries
    ]


def suppressions(row: Document) -> list[dict[str, Any]]:
    """The SARIF suppressions of a row: one while it is accepted. With an accept file every result has the list."""
    if not is_accepted(row):
        return []
    found = row[COLUMN]
    kept = {name: found[name] for name in ("owner", "expires", "source")}
    return [{"kind": "external", "status": "accepted", "justification": found["reason"], "properties": kept}]


# JSON that people and programs read alike: what acts stands as an escape, so that every value is read as it was.


Signs = Callable[[str], str]
"""What a format makes of a text in which something acts."""
_MANY: Final = 2_000
"""Rows, beyond which each stands on a line of its own."""


def exact_json(document: Mapping[str, Json], redactor: Redactor) -> Clean:
    """The document as JSON on many lines, cleaned; a ledger of many rows with one row a line."""
    acting: list[str] = []

    def kept(text: str) -> str:
        acting.append(text)
        return written(redactor, text)

    cleaned = redactor.clean_json(document, signs=kept)
    assert isinstance(cleaned, Mapping)
    rows = cleaned.get("rows")
    text = one_a_line(cleaned) if isinstance(rows, list) and len(rows) > _MANY else indented(cleaned)
    return Clean(escaped(text) if acting else text)


def exactly(redactor: Redactor) -> Signs:
    """What `exact_json` makes of a text in which something acts."""
    return partial(written, redactor)


def written(redactor: Redactor, text: str) -> str:
    """The text as it is; with U+FFFD where its escapes would be redacted, or are half a character, which few read."""
    spelled = escaped(text)
    half = any("\ud800" <= sign <= "\udfff" for sign in text)
    return text if not half and redactor.clean(spelled) == spelled else marked(text)


# Values that are secret because of the name that they stand under, though the form shows them without it.


_TRANSPARENT: Final = frozenset(
    {"const", "enum", "default", "example", "examples", "value", "schema", "items", "prefixItems", "contains"}
    | {"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "additionalProperties", "unevaluatedProperties"}
)
"""Below these keywords a value still belongs to the member that the schema describes."""
Pair = tuple[str, str]
"""A name and a value that stands under it."""
_GLUED: Final = re.compile(r"(?:\[[^\]]*\]|\{[^}]*\})+$")
_BRANCH: Final = re.compile(r"\w+\(.*\)$")


def learnt(document: Document, redactor: Redactor) -> Redactor:
    """The redactor, which also knows the values that the rows' own names make secret: it takes them out everywhere."""
    pairs: dict[Pair, None] = {}
    for row in (*document["rows"], *document["noise"]):
        name = _member_name(str(row.get("address") or ""))
        for side in ("released", "candidate"):
            _note(pairs, row.get(side), name)
    return redactor.knowing(pairs)


def learning(comparisons: Iterable[Comparison], files: Sequence[tuple[str, bytes]]) -> Callable[[], Redactor]:
    """What makes the redactor of comparisons: it has learnt the files, and what the rows' own names make secret.

    Args:
        comparisons: their differences.
        files: name and bytes of every file read.
    """
    ledgers = [comparison.ledger for comparison in comparisons]
    deltas = [delta for each in ledgers for delta in (*each.deltas, *(noise.delta for noise in each.noise))]

    def made() -> Redactor:
        lines = Distinct()
        told = [(name, lines.of(data.decode("utf-8", "replace"))) for name, data in files]
        pairs: dict[Pair, None] = {}
        for delta in deltas:
            for form in (delta.released, delta.candidate):
                if not isinstance(form, Absent):
                    _note(pairs, form, _member_name(delta.address))
        sides = (side for each in ledgers for side in (each.released, each.candidate))
        return Redactor.over(told).knowing(pairs).sparing(code_names(sides))

    return cache(made)


def _member_name(address: str) -> str:
    """The member or parameter that an address ends at: items, maps and branches belong to the one before them."""
    for step in reversed(address.split(" > ")):
        name = _GLUED.sub("", step)
        if name and not _BRANCH.fullmatch(name):
            return name
    return ""


def _note(pairs: dict[Pair, None], form: Any, name: str) -> None:
    """Notes every text and number of a form with the name that it stands under."""
    if isinstance(form, str):
        pairs[name, form] = None
    elif isinstance(form, (dict, Mapping)):
        for key, part in form.items():
            _note(pairs, part, name if key in _TRANSPARENT else str(key))
    elif isinstance(form, list | tuple):
        for part in form:
            _note(pairs, part, name)
    elif isinstance(form, int) and not isinstance(form, bool):
        pairs[name, str(form)] = None


# As a table on a terminal.


WORST_FIRST: Final = {Verdict.BREAKING: 0, Verdict.UNKNOWN: 1, Verdict.COMPATIBLE: 2}
"""The order in which people read rows."""
_COLOURS: Final = {"breaking": "red", "unknown": "yellow", "compatible": "green"}


def table(document: Document, width: int | None) -> str:
    """One line per row, the worst first, and the summary; coloured and wrapped when a terminal's width is given."""
    columns = columns_of(document)
    rows = [cells(row, columns) for row in sorted(document["rows"], key=lambda row: WORST_FIRST[row["verdict"]])]
    said = "\n".join([*(text for _, text in stale(document)), *not_understood(document), summary(document)])
    return _plain_table(columns, rows, said) if width is None else _coloured(columns, rows, said, width)


def _plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], said: str) -> str:
    lines = [[value.replace("\n", "⏎") for value in row] for row in (columns, *rows)]
    widths = [max(len(row[index]) for row in lines) for index in range(len(columns))]
    text = "\n".join("  ".join(value.ljust(w) for value, w in zip(row, widths, strict=True)).rstrip() for row in lines)
    return f"{text}\n\n{said}\n"


def _coloured(columns: Sequence[str], rows: Sequence[Sequence[str]], said: str, width: int) -> str:
    from rich.color import ColorSystem
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(*columns, expand=False)
    for row in rows:
        shown.add_row(*(Text(value, style=_COLOURS.get(value, "")) for value in row))
    console = Console(file=io.StringIO(), width=width)
    parts = [*console.render(shown), *console.render(Text(said))]
    return "".join(
        part.style.render(part.text, color_system=ColorSystem.STANDARD) if part.style else part.text for part in parts
    )


# As columns: CSV and Parquet, one line per row, every cell a text.


PROOF_COLUMNS: Final = ("proof_reason", "witness", "witness_realism", "accepted_by", "refused_by", "command")
"""The proof in full, taken from the rows so that it is cleaned part by part. Those of an accept file come last."""
PLACES: Final = {"released_place": "released", "candidate_place": "candidate"}
"""The columns that name a file as the user did; the frame names it as the contract does."""


def csv_text(frame: pd.DataFrame, rows: Sequence[Document], redactor: Redactor) -> Clean:
    """The rows as CSV; no cell starts a formula."""
    columns = _columns(frame, rows, redactor)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_cell(name) for name in columns])
    writer.writerows([csv_cell(value) for value in row] for row in zip(*columns.values(), strict=True))
    return Clean(out.getvalue())


def parquet_bytes(frame: pd.DataFrame, rows: Sequence[Document], redactor: Redactor) -> bytes:
    """The rows as Parquet.

    Raises:
        BadInput: its library is not installed.
    """
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        advice = "Install it with: pip install 'evreview[parquet]'"
        raise bad_input("parquet-not-installed", "the parquet format needs pyarrow", advice=advice) from None
    import pandas as pd

    out = io.BytesIO()
    columns = pd.DataFrame(_columns(frame, rows, redactor), dtype="object")
    columns.astype("string").to_parquet(out, engine="pyarrow", index=False)
    return out.getvalue()


def _columns(frame: pd.DataFrame, rows: Sequence[Document], redactor: Redactor) -> dict[str, list[str]]:
    """The columns as text; nested values are compact JSON, cleaned before they are written."""
    own = [str(name) for name in frame.columns if name not in PROOF_COLUMNS]
    raw = {name: [_plain_value(value) for value in frame[name]] for name in own}
    places = {name: [row["locations"][side] for row in rows] for name, side in PLACES.items() if name in raw}
    proved = [_proof(row["proof"]) for row in rows]
    cleaned = redactor.clean_json({"columns": {**raw, **places}, "proofs": proved}, signs=marked)
    assert isinstance(cleaned, Mapping)
    columns: Any = cleaned["columns"]
    proofs: Any = cleaned["proofs"]
    found = {name: [_text(value) for value in values] for name, values in columns.items()}
    for name in SIDES:
        found[name] = [_exact(row[name], redactor) or text for row, text in zip(rows, found[name], strict=True)]
    last = {name: found.pop(name) for name in list(found) if name.startswith(COLUMN)}
    return {**found, **{name: [_shown(proof[name]) for proof in proofs] for name in PROOF_COLUMNS}, **last}


def _proof(proof: Document) -> dict[str, Json]:
    witness = proof["witness"] if isinstance(proof.get("witness"), Mapping) else {}
    return {
        "proof_reason": proof.get("reason") or "",
        "witness": evidence(proof),
        "witness_realism": proof.get("witness_realism") or "",
        "accepted_by": witness.get("accepted_by") or "",
        "refused_by": witness.get("refused_by") or "",
        "command": proof.get("command") or "",
    }


def _shown(value: Any) -> str:
    """A text as it is; a witness, in a list of one, as JSON."""
    return value if isinstance(value, str) else "".join(map(compact, value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else compact(value)


def _exact(form: Json, redactor: Redactor) -> str:
    """A form in which something acts as JSON text with escapes, "" for any other one."""
    if escaped(text := compact(form)) == text:
        return ""
    cleaned = redactor.clean_json([form], signs=exactly(redactor))
    assert isinstance(cleaned, list)
    return escaped(compact(cleaned[0]))


def _plain_value(value: Any) -> Any:
    import pandas as pd

    if value is None or value is pd.NA or (isinstance(value, float) and pd.isna(value)):
        return ""
    return value if isinstance(value, str | Mapping | list | tuple) else str(value)
