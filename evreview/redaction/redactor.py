"""The one choke point: learns what the evidence must not give away, and takes it out of every text that leaves."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from evreview.core.control_characters import visible
from evreview.core.errors import Problem
from evreview.core.vocabulary import Json
from evreview.guard.encoded import Run, hits_in, runs
from evreview.guard.locators import cut_locators
from evreview.guard.structure import Structure, secret_members
from evreview.guard.withholding import Cleaned, without_lines
from evreview.redaction.decoding import fold, joined
from evreview.redaction.detector import Clean, Finding, Hit, Kind
from evreview.redaction.learned_values import Values
from evreview.redaction.scanner import PLACEHOLDER, outside, scan

Change = Callable[[str, tuple[Hit, ...]], str]
_PASSES: Final = 8
_REMEMBERED: Final = 20_000
_SHORT: Final = 2_000


class Guard:
    """Removes found values everywhere. `Guard()` knows no evidence and has the detectors alone; `over` learns.

    Attributes:
        findings: what the learnt texts hold, by location and kind; never a value.
        withheld: what an output could not be rid of in place, so that its lines were withheld.
        names: dotted names of code, which are no private endpoints although they read like one.
    """

    def __init__(
        self,
        findings: tuple[Finding, ...] = (),
        hits: tuple[Hit, ...] = (),
        withheld: tuple[Finding, ...] = (),
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.findings = findings
        self.withheld = withheld
        self.names = names
        self._learnt = hits
        self._values = Values(hits)
        self._known: dict[tuple[str, bool], Cleaned] = {}
        self._kept: set[bytes] = set()
        self._noticed: set[tuple[Kind, str]] = set()

    def __repr__(self) -> str:
        return f"Guard(findings={len(self.findings)})"

    @classmethod
    def over(cls, texts: Iterable[tuple[str, str]]) -> Guard:
        """A guard that has learnt every value in (location, text) pairs."""
        hits: list[Hit] = []
        findings: list[Finding] = []
        for location, text in texts:
            shown = visible(text)
            found = _detected(shown)
            hits += found
            findings += _report(found, shown, location)
        return cls(tuple(sorted(findings)), tuple(hits))

    def also(self, texts: Iterable[tuple[str, str]]) -> Guard:
        """A guard that has learnt these (location, text) pairs too."""
        more = Guard.over(texts)
        found = tuple(sorted(self.findings + more.findings))
        return Guard(found, self._learnt + more._learnt, self.withheld, self.names)

    def knowing(self, members: Iterable[tuple[str, str]]) -> Guard:
        """A guard that has also learnt the values among (name, value) pairs that are secret because of their name."""
        hits = tuple(secret_members(members))
        return Guard(self.findings, self._learnt + hits, self.withheld, self.names) if hits else self

    def sparing(self, names: Iterable[str]) -> Guard:
        """A guard that also lets these dotted names of code pass, `pkg.db.local`, where they stand whole."""
        return Guard(self.findings, self._learnt, self.withheld, self.names.union(names))

    def apart(self, withheld: Iterable[Finding] = ()) -> Guard:
        """A guard with the same knowledge that has noticed nothing yet.

        Args:
            withheld: what it says that had to be withheld.
        """
        made = Guard(self.findings, (), tuple(withheld), self.names)
        made._learnt, made._values = self._learnt, self._values
        return made

    @property
    def noticed(self) -> tuple[Finding, ...]:
        """What this guard has had to withhold with whole lines so far, by kind and detector."""
        return tuple(sorted(Finding("", kind, detector, (), 1) for kind, detector in self._noticed))

    def clean(self, text: str) -> Clean:
        """The text without anything that may not leave; cleaning it again changes nothing."""
        return self._clean(text, paths=True).text

    def clean_message(self, text: str) -> Clean:
        """The same for a message on the user's own terminal: file paths that the evidence does not hold may stay."""
        return self._clean(text, paths=False).text

    def clean_problem(self, problem: Problem) -> Problem:
        """The problem with its texts cleaned; a file's name stays as the user gave it unless the evidence holds it."""
        return Problem(
            code=problem.code,
            found=self.clean_message(problem.found),
            file=self.clean_message(problem.file),
            place=self.clean_message(problem.place),
            advice=self.clean_message(problem.advice),
        )

    def clean_json(self, value: Json, *, signs: Callable[[str], str] | None = None) -> Json:
        """The structure with keys, texts and numbers cleaned. A key that says `password` cleans its value whole.

        Args:
            value: the structure.
            signs: what becomes of a text in which something acts and nothing is redacted; `visible` when not given.
        """
        return Structure(value, self._values, self.clean, signs, self.names).cleaned()

    def leaks(self, text: str, location: str = "") -> tuple[Finding, ...]:
        """What cleaning would still change: empty for a text that may be written."""
        if _digest(text) in self._kept:
            return ()
        shown = visible(text)
        found = list(_report(self._hits(shown, paths=True), shown, location))
        if shown != text.replace("\r\n", "\n"):
            found.append(Finding(location, Kind.CONTROL, "control-characters", (), 1))
        return tuple(sorted(found))

    def leaks_in(self, value: Json, location: str = "") -> tuple[Finding, ...]:
        """What cleaning a structure would still change, part by part as `clean_json` reads it."""
        cleaned = self.clean_json(value, signs=_same)
        if cleaned == value:
            return ()
        found = {hit for text in _changed(value, cleaned) for hit in self._hits(visible(text), paths=True)}
        kinds = sorted({(hit.kind, hit.detector) for hit in found}) or [(Kind.SECRET, "named-member")]
        return tuple(Finding(location, kind, detector, (), 1) for kind, detector in kinds)

    def _clean(self, text: str, *, paths: bool) -> Cleaned:
        key = (text, paths)
        if (known := self._known.get(key)) is not None:
            self._noticed |= known.withheld
            return known
        shown, hits = self._passed(visible(text), _replaced_apart, paths=paths)
        result = self._withheld(shown, hits, paths=paths) if hits else Cleaned(Clean(shown))
        self._noticed |= result.withheld
        if paths and len(self._kept) < _REMEMBERED:
            self._kept.add(_digest(result.text))
        if len(text) <= _SHORT and len(self._known) < _REMEMBERED:
            self._known[key] = result
        return result

    def _passed(self, shown: str, change: Change, *, paths: bool) -> tuple[str, tuple[Hit, ...]]:
        """The text after as many passes as it needs, or as there may be; with the hits that are left then."""
        for _ in range(_PASSES):
            hits = self._hits(shown, paths=paths)
            if not hits:
                return shown, ()
            shown = change(shown, hits)
        return shown, self._hits(shown, paths=paths)

    def _withheld(self, shown: str, hits: tuple[Hit, ...], *, paths: bool) -> Cleaned:
        """The text without the lines of what is left. A notice that holds a value itself leaves nothing."""
        clean, left = self._passed(without_lines(shown, hits), without_lines, paths=paths)
        return Cleaned(Clean("" if left else clean), frozenset((hit.kind, hit.detector) for hit in hits))

    def _hits(self, text: str, *, paths: bool) -> tuple[Hit, ...]:
        coded = tuple(runs(text))
        found = self._spared(_detected(text, coded))
        if not paths:
            found = tuple(hit for hit in found if hit.kind is not Kind.FILE_PATH)
        here = Values(hit for hit in found if not self._values.holds(hit))
        known = [values for values in (self._values, here) if values]
        if not known:
            return found
        spans = list(found)
        for values in known:
            spans += values.search(text)
            spans += hits_in(coded, values.search)
        for joint, asked in (("", known), (" ", [values.spaced for values in known if values.spaced])):
            folded = fold(text, breaks=True, joint=joint) if asked else None
            if folded is None:
                continue
            for values in asked:
                spans += (_at_span(hit, folded.origin(hit.start, hit.end)) for hit in values.search(folded.text))
        return outside(self._spared(spans), text)

    def _spared(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """The hits without those on names of code."""
        return tuple(hit for hit in hits if hit.kind is not Kind.PRIVATE_ENDPOINT or hit.value not in self.names)


def _detected(text: str, coded: Iterable[Run] | None = None) -> tuple[Hit, ...]:
    """What the detectors find in the text, in its encoded runs, without its escapes, and with its strings joined."""
    found = scan(text) + tuple(hits_in(runs(text) if coded is None else coded, scan))
    for folded in (fold(text, breaks=False), joined(text)):
        if folded is not None:
            hits = scan(folded.text, folded.changed())
            found += tuple(_at_span(hit, folded.origin(hit.start, hit.end)) for hit in hits)
    return found


def _same(text: str) -> str:
    return text


def _changed(value: Json, cleaned: Json) -> Iterator[str]:
    """The texts of a structure that are others after cleaning."""
    if isinstance(value, dict) and isinstance(cleaned, dict):
        for (key, part), (name, other) in zip(value.items(), cleaned.items(), strict=True):
            yield from _changed(key, name)
            yield from _changed(part, other)
    elif isinstance(value, list) and isinstance(cleaned, list):
        for part, other in zip(value, cleaned, strict=True):
            yield from _changed(part, other)
    elif value != cleaned:
        yield str(value)


def _replaced_apart(text: str, hits: Iterable[Hit]) -> str:
    return _replaced(*cut_locators(text, hits))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _at_span(hit: Hit, span: tuple[int, int]) -> Hit:
    return Hit(span[0], span[1], hit.kind, hit.detector, hit.value)


def _replaced(text: str, hits: Iterable[Hit]) -> str:
    """The text with a replacement for every place; overlapping places become one, named after the first and longest.

    A replacement that already stands there is widened, never cut.
    """
    spans = [(hit.start, -hit.end, str(hit.kind)) for hit in hits]
    spans += [(match.start(), -match.end(), "") for match in PLACEHOLDER.finditer(text)]
    out: list[str] = []
    end = 0
    kind, upto = "", -1
    start = 0
    for begin, minus, name in [*sorted(spans), (len(text) + 1, -len(text) - 1, "")]:
        if begin < upto:
            upto, kind = max(upto, -minus), kind or name
            continue
        if upto >= 0:
            out += [text[end:start], f"[redacted: {kind}]" if kind else text[start:upto]]
            end = upto
        start, upto, kind = begin, -minus, name
    out.append(text[end:])
    return "".join(out)


def _report(hits: Iterable[Hit], text: str, location: str) -> Iterable[Finding]:
    places: dict[tuple[Kind, str], set[tuple[int, int]]] = {}
    for hit in hits:
        places.setdefault((hit.kind, hit.detector), set()).add((hit.start, hit.end))
    if not places:
        return
    ends = [match.start() for match in re.finditer("\n", text)]
    for (kind, detector), spans in places.items():
        lines = sorted({bisect_left(ends, start) + 1 for start, _ in spans})
        yield Finding(location, kind, detector, tuple(lines), len(spans))
