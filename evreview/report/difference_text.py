"""What a row of the ledger says to people: THE one wording, which Markdown, HTML, widgets and the terminal print.

The functions are pure. They take a row as JSON (`stated`), so that whoever prints redacts the row first and then has
it said; a text that was composed of a secret's parts could not be redacted any more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from evreview.comparison.comparison import JudgedRow
from evreview.comparison.delta import ADDED_VALUES, REMOVED_VALUES, REQUIRED, TYPE, Delta
from evreview.comparison.kind_spec import Listing
from evreview.comparison.ledger import Ledger
from evreview.contract.model import Contract, ElementKind
from evreview.core.frozen import frozen
from evreview.core.json_pointer import follow
from evreview.core.quoted_text import Text, UserText, command_line, counted, joined, plain, text
from evreview.core.vocabulary import Absent, ProofStatus
from evreview.kinds.registry import spec_of
from evreview.report.change_in_words import Detail, LedgerRow, Phrase, phrase, words_of
from evreview.report.escape import shorten
from evreview.report.forms_in_words import (
    FRAGMENT,
    LIMITS,
    SOURCE,
    listed,
    of_element,
    of_facet,
    shared_begin,
    shortened,
    value,
    without_begin,
)
from evreview.schema.view import read_step

TITLE: Final = 60
"""The most characters of a title."""
PLACE: Final = 60
"""The most characters of a place beside a title."""
SHOWN_BY: Final[Mapping[str, str]] = {
    ProofStatus.WITNESSED: "witnessed",
    ProofStatus.PROVED: "proved",
    ProofStatus.UNPROVEN: "unproven",
    ProofStatus.NOT_APPLICABLE: "by rule",
}


@frozen
class NextStep:
    """The words of a command that runs as printed, and what it shows."""

    words: tuple[str, ...]
    shows: str

    @property
    def command(self) -> str:
        """The command, quoted for a shell."""
        return command_line(self.words)


@frozen(kw_only=True)
class RowText:
    """What one row says.

    Attributes:
        id, verdict: of the row; the verdict is its word.
        operations: every operation that the difference reaches, as the contract writes them.
        under: the operations, or the element, that it is listed under; () for the whole contract.
        place: where inside of the first operation: status, header or body, and the path of the field; () for itself.
        title: what changed, with the name of what changed; at most `TITLE` characters.
        change: the same without the name.
        details: the forms that a line adds: none, the one that tells, or both.
        released, candidate: both forms in words, at most `FRAGMENT` characters.
        shown_by: how the verdict is known.
        clients: the clients that it concerns, as the caller told.
        next_step: what to do with the row; None where nothing is.
    """

    id: str
    verdict: str
    operations: tuple[str, ...]
    under: tuple[str, ...]
    place: Text
    title: Text
    change: Text
    details: tuple[Text, ...]
    released: Text
    candidate: Text
    shown_by: str
    clients: tuple[str, ...] = ()
    next_step: NextStep | None = None

    @property
    def line(self) -> Text:
        """What stands behind the place in a list: the change and its details."""
        first, *more = self.details or ((),)
        return text(
            *self.change, *((": ",) if first else ()), *first, *(part for each in more for part in (" -> ", *each))
        )

    def within(self, room: int) -> Text:
        """The line in at most so many characters; of two forms both keep where they begin to differ."""
        change = shortened(self.change, room // 2)
        left = room - len(plain(change)) - len(": ") - len(" -> ") * (len(self.details) - 1)
        forms = self.details
        if len(forms) == 2 and sum(len(plain(each)) for each in forms) > left:
            alike = shared_begin(*map(plain, forms))
            forms = tuple(without_begin(each, alike) for each in forms)
        long = [len(plain(each)) for each in forms]
        rooms = [max(left - (sum(long) - own), left // len(long)) for own in long]
        details = tuple(shortened(each, most) for each, most in zip(forms, rooms, strict=True))
        return replace(self, change=change, details=details).line

    def where(self, noun: str) -> Text:
        """The operation, or how many it reaches in that `noun`, and the place inside of it; () for the document."""
        reached = (counted(len(self.operations), noun),) if len(self.operations) > 1 else ()
        own = reached or tuple(UserText(name) for name in self.operations)
        inside = tuple(UserText(shorten(part.value, PLACE)) for part in self.place if isinstance(part, UserText))
        return joined(((part,) for part in (*own, *inside)), ", ")


@frozen
class RowContext:
    """What a caller knows beside the row.

    Attributes:
        names: operations as the contract writes them, by key.
        clients: whom the row concerns.
        contracts: both contracts and the options that they are read with, as on the command line.
        number: `2 of 3` for rows whose place and title are the same, see `numbers`.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    clients: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    number: str = ""


NOTHING: Final = RowContext()


def stated(row: JudgedRow, released: Contract | None = None) -> dict[str, Any]:
    """The row as JSON, with all that its words are made from; not redacted.

    Args:
        row: the row.
        released: the released contract, which tells the types of a value that may or may not be null.
    """
    return {**row.to_dict(), **beside(row.delta, released)}


def beside(delta: Delta, released: Contract | None = None) -> dict[str, Any]:
    """What the words of a row are made from beside its JSON."""
    types = _types_at(released, delta) if delta.facet == "nullable" and released is not None else []
    return {"element": delta.element.value, "facts": {**delta.facts, TYPE: types} if types else delta.facts}


def _types_at(released: Contract, delta: Delta) -> list[str]:
    """The types that the released contract writes at the row's place; none where they stand elsewhere."""
    place = delta.released_place
    node = follow(released.documents.get(place.file), place.pointer) if place is not None else None
    types = node.get("type") if isinstance(node, Mapping) else None
    return [types] if isinstance(types, str) else [str(each) for each in types] if isinstance(types, list) else []


def sketched(delta: Delta, released: Contract | None, *, rule: str = "", verdict: str = "") -> dict[str, Any]:
    """The row as far as place, title and forms need it, for an overview of many; nothing is proved for it.

    Args:
        delta: the row's difference.
        released: the released contract, see `stated`.
        rule, verdict: of the row; "" for noise.
    """
    return {
        "id": delta.id,
        "kind": delta.kind.value,
        "operation": delta.operation,
        "operations": delta.operations,
        "address": delta.address,
        "aspect": delta.aspect.value,
        "change": delta.change.value,
        "facet": delta.facet,
        "released": _form(delta.released),
        "candidate": _form(delta.candidate),
        "rule": rule,
        "verdict": verdict,
        **beside(delta, released),
    }


def written_names(ledger: Ledger) -> list[tuple[str, str]]:
    """Keys of operations, each with the name that the contracts write where it is another."""
    return [(key, name) for key, name in names_of(ledger.released, ledger.candidate).items() if name != key]


def names_of(*contracts: Contract) -> dict[str, str]:
    """Operations as people write them, by key; a public name is that itself, wherever its definition stands."""
    return {
        each.key: each.key if spec_of(contract.kind).words.listing is Listing.OWNER else each.name
        for contract in contracts
        for each in contract.operations
    }


def _form(form: Any) -> Any:
    return form.value if isinstance(form, Absent) else form


def said(row: LedgerRow, told: RowContext = NOTHING) -> RowText:
    """What the row says, already redacted as far as it has to be."""
    released, candidate = forms(row)
    spoken = phrase(row)
    return RowText(
        id=str(row["id"]),
        verdict=str(row["verdict"]),
        operations=tuple(told.names.get(name, name) for name in row["operations"]),
        under=tuple(told.names.get(name, name) for name in listed_under(row) if name),
        place=place_of(row),
        title=title_of(row, told, spoken),
        change=_change(spoken, told.number),
        details=_details(row, spoken, (released, candidate)),
        released=shortened(released, FRAGMENT),
        candidate=shortened(candidate, FRAGMENT),
        shown_by=shown_by(row),
        clients=told.clients,
        next_step=next(iter(next_steps(row, told)), None),
    )


def shown_by(row: LedgerRow) -> str:
    """How the verdict is known, in a word; "" for a sketch."""
    proof = row.get("proof")
    return SHOWN_BY.get(proof["status"], str(proof["status"])) if isinstance(proof, Mapping) else ""


def next_steps(row: LedgerRow, told: RowContext) -> tuple[NextStep, ...]:
    """What to do with the row, the most telling first."""
    proof: Any = row.get("proof") or {}
    steps = []
    if told.contracts and proof.get("status") == ProofStatus.WITNESSED and proof.get("command"):
        released, candidate, *options = told.contracts
        words = ("evreview", "replay", released, candidate, str(row["id"]), *options)
        steps.append(NextStep(words, "judges the message again"))
    if row.get("rule"):
        words = ("evreview", "rules", str(row["rule"]))
        steps.append(NextStep(words, "the rule, an example, a counter-example"))
    return tuple(steps)


def numbers(rows: Sequence[LedgerRow]) -> dict[str, str]:
    """`2 of 3` by id, for rows whose operations, place and title are those of other rows of the ledger."""
    same: dict[tuple[Any, ...], list[str]] = {}
    for row in rows:
        key = (*listed_under(row), plain(place_of(row)), plain(title_of(row)))
        same.setdefault(key, []).append(str(row["id"]))
    return {
        name: f"{at} of {len(ids)}" for ids in same.values() if len(ids) > 1 for at, name in enumerate(ids, start=1)
    }


def contexts(rows: Sequence[LedgerRow], names: Sequence[tuple[str, str]]) -> dict[str, RowContext]:
    """What is known beside each row of a ledger, by id; `names` are those of `written_names`, redacted as the rows."""
    known, number = dict(names), numbers(rows)
    return {str(row["id"]): RowContext(names=known, number=number.get(str(row["id"]), "")) for row in rows}


# What the whole says.


def headline(summary: Mapping[str, Any], accepted: int = 0) -> tuple[str, str]:
    """The tone of a comparison, and its verdict in words.

    Args:
        summary: that of the comparison.
        accepted: how many of its breaking rows are accepted today.
    """
    verdicts, rows = summary["verdicts"], counted(summary["rows"], "difference")
    if breaking := verdicts["breaking"]:
        more = f", {accepted} accepted" if accepted else ""
        return "bad", f"BREAKING: {breaking} of {rows} {'breaks' if breaking == 1 else 'break'} an old client{more}"
    if verdicts["unknown"]:
        return "unsure", f"UNKNOWN: {verdicts['unknown']} of {rows} not decided"
    if summary["breaking"] == "unknown":
        return "unsure", f"UNKNOWN: {counted(summary['unread'], 'part')} could not be understood"
    if not summary["rows"]:
        return "good", "no difference on the wire"
    return "good", f"COMPATIBLE: {rows}, none breaks an old client"


# Forms and lines.


def forms(row: LedgerRow) -> tuple[Text, Text]:
    """Both forms of the row in words, whole."""
    facet, facts = str(row["facet"]), row["facts"]
    if not facet:
        required = facts.get(REQUIRED)
        return (of_element(row["released"], row["element"], required),
                of_element(row["candidate"], row["element"], required))  # fmt: skip
    if facet == "default" and facet in words_of(row).in_source:
        facet = SOURCE
    types = facts.get(TYPE)
    known = [str(each) for each in types] if isinstance(types, list | tuple) else []
    released = of_facet(row["released"], facet, known)
    if facet == "media-type":
        return released, _of_one_family(row)
    return released, _extended(row, released) or of_facet(row["candidate"], facet, known)


def _of_one_family(row: LedgerRow) -> Text:
    """The candidate's content type, `…/problem+json` beside one of the same family."""
    released, candidate = str(row["released"]), str(row["candidate"])
    family, _, own = candidate.partition("/")
    return (UserText(f"…/{own}" if own and released.startswith(f"{family}/") else candidate),)


def _extended(row: LedgerRow, released: Text) -> Text:
    """A longer enumeration by its difference: `the 5 and x`, `the 5 without x`; () where that is no shorter."""
    before, after = row["released"], row["candidate"]
    if row["facet"] not in ("enum", "x-extensible-enum") or isinstance(before, str) or isinstance(after, str):
        return ()
    if "value" not in plain(released):
        return ()
    added = [each for each in after if each not in before]
    gone = [each for each in before if each not in after]
    if not added and not gone:
        return ()
    with_new = (" and ", *listed(added)) if added else ()
    without = (" without ", *listed(gone)) if gone else ()
    return (f"the {len(before)}", *without, *with_new)


def _change(spoken: Phrase, number: str) -> Text:
    return (f"{spoken.unnamed} ({number})" if number else spoken.unnamed,)


def _details(row: LedgerRow, spoken: Phrase, both: tuple[Text, Text]) -> tuple[Text, ...]:
    facts = row["facts"]
    if row["facet"] in LIMITS and not isinstance(
        row["released" if spoken.detail is Detail.RELEASED else "candidate"], str
    ):
        # The change says which limit: the numbers are enough.
        both = value(row["released"]), value(row["candidate"])
    if spoken.detail is Detail.BOTH:
        return () if plain(both[1]) in spoken.words else both
    details: Mapping[Detail, Text] = {
        Detail.RELEASED: both[0],
        Detail.CANDIDATE: both[1],
        Detail.NEW_VALUES: listed(facts.get(ADDED_VALUES) or (), exact=True),
        Detail.LOST_VALUES: listed(facts.get(REMOVED_VALUES) or (), exact=True),
    }
    detail = details.get(spoken.detail, ())
    if "required" in spoken.words and detail[-2:] == (", ", "required"):
        detail = detail[:-2]
    return () if plain(detail) in _SELF_EVIDENT else (detail,)


_SELF_EVIDENT: Final = ("", "present", "required", "optional")


# Names and places.


_STEP: Final = re.compile(r" > ")
_KINDS_OF_STEP: Final = re.compile(
    r"(?:response|field|value|argument|member|query|header|cookie|extension|encoding|callback|link|message"
    r"|security scheme|server|service|module|type|directive|binding|overload|mutation|subscription|version"
    r"|channel) (?P<name>.+?)(?P<number> = -?\d+)?",
    re.DOTALL,
)
_MEDIA: Final = re.compile(r"[\w.+*-]+/[\w.+*;= -]+")
_USUAL: Final = "application/json"
_STATUS: Final = re.compile(r"\d\d\d|\dXX|default")
_IF_HAS: Final = "if has "


def steps_of(address: str) -> list[str]:
    """The steps of an address, as they are read: no escapes."""
    return [read_step(step) for step in _steps(address)]


def written_place(address: str) -> str:
    """The whole address as it is read."""
    return " > ".join(steps_of(address)) or "the document"


def _steps(address: str) -> list[str]:
    return _STEP.split(address) if address else []


def listed_under(row: LedgerRow) -> tuple[str, ...]:
    """What a row is listed under: the operations that it reaches, else the element or the class that it is part of."""
    first, *_ = steps_of(row["address"]) or [""]
    listing = words_of(row).listing
    if listing is Listing.OPERATION:
        return tuple(row["operations"]) or (first,)
    if listing is Listing.MEMBER:
        return (" > ".join(_event(row)),)
    if listing is Listing.OWNER:
        owner = first.rpartition(".")[0]
        return (owner or ("" if row["element"] == ElementKind.MODULE else first),)
    return (first,)


def _event(row: LedgerRow) -> list[str]:
    """The steps of an event that its rows are listed under: down to its member, where something stands below that."""
    steps = steps_of(row["address"])
    return steps[:3] if len(steps) > 3 else steps[:2] if len(steps) > 2 else steps[:1]


def place_of(row: LedgerRow) -> Text:
    """Where the row stands below what it is listed under; () for that itself."""
    steps, listing = _steps(row["address"]), words_of(row).listing
    if listing is Listing.OWNER and steps:
        owner, _, own = steps[0].rpartition(".")
        steps = [own, *steps[1:]] if owner else steps[1:]
    elif listing is Listing.MEMBER:
        steps = steps[len(_event(row)) :]
    elif listing is not Listing.OPERATION or row["operation"]:
        steps = steps[1:]
    if row["facet"] == "media-type":
        steps = steps[:-1]
    words: list[str] = []
    path: list[str] = []
    for at, step in enumerate(steps):
        if path:
            path.append(step)
        elif step.startswith("response ") and _STATUS.fullmatch(step.removeprefix("response ")):
            words.append(step.removeprefix("response "))
        elif step == _USUAL and (at < len(steps) - 1 or row["facet"]):
            continue
        elif " " in step or _MEDIA.fullmatch(step) or (at == 0 and len(steps) > 1 and listing is Listing.OPERATION):
            words.append(step)
        else:
            path.append(step)
    shown = " ".join([*map(read_step, words), *([_dotted(path)] if path else [])])
    return (UserText(shown),) if shown else ()


def _dotted(steps: Sequence[str]) -> str:
    """Names with dots between; what a map holds and what a condition demands have signs of their own."""
    told = read_step(steps[0])
    for step in steps[1:]:
        sign = "" if step.startswith("{") else ", if it has " if step.startswith(_IF_HAS) else "."
        told += sign + read_step(step.removeprefix(_IF_HAS))
    return told


def name_of(row: LedgerRow, told: RowContext = NOTHING) -> str:
    """The name of what changed, as a title says it."""
    steps = _steps(row["address"])
    if not steps:
        return words_of(row).whole
    last = steps[-1]
    if len(steps) > 1 and (last == "security" or last.startswith(_IF_HAS)):
        last = steps[-2]
        steps = steps[:-1]
    if len(steps) == 1 and row["operation"] == read_step(last):
        return told.names.get(row["operation"], row["operation"])
    if row["facet"] == "media-type" or (_MEDIA.fullmatch(last) and row["facet"]):
        around = steps[-2] if len(steps) > 1 else last
        return read_step(around.removeprefix("response ") if row["facet"] == "media-type" else _body(around))
    if last.startswith("["):
        return "the items" if last == "[]" else f"the item {last}"
    found = _KINDS_OF_STEP.fullmatch(last)
    return read_step(found["name"] if found else last)


def _body(step: str) -> str:
    status = step.removeprefix("response ")
    return step if status == step else f"{status} body"


def title_of(row: LedgerRow, told: RowContext = NOTHING, spoken: Phrase | None = None) -> Text:
    """What changed, with its name, in at most `TITLE` characters; of a long name its end is shown."""
    words = (spoken or phrase(row)).words + (f" ({told.number})" if told.number else "")
    before, slot, after = words.partition("{}")
    if not slot:
        return (words[:TITLE],)
    name = name_of(row, told)
    room = max(TITLE - len(before) - len(after), 12)
    if len(name) > room:
        name = f"…{name[-(room - 1) :]}"
    if before.rstrip().endswith(f" {name}") or before.strip() == name:
        return (" ".join((before + after).split()),)
    shown = name if _STATUS.fullmatch(name) or name.startswith("the ") else UserText(name)
    return text(before[: TITLE - room], shown, after[: TITLE - room])
