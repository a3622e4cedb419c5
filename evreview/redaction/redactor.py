"""The one choke point: `Redactor` learns what must not be given away, and takes it out of every text that leaves."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final

from evreview.core.control_characters import lowered, visible
from evreview.core.errors import Problem
from evreview.core.frozen import frozen
from evreview.core.vocabulary import Json
from evreview.redaction.decoding import BETWEEN, EncodedRun, fold, hits_in, joined, runs
from evreview.redaction.detector import Clean, Kind, RedactionFinding, SecretMatch, Words, compiled, placeholder
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.learned_values import LearnedValues
from evreview.redaction.scanner import PLACEHOLDER, CleanedText, outside, scan, without_lines

Change = Callable[[str, tuple[SecretMatch, ...]], str]
_PASSES: Final = 8
_REMEMBERED: Final = 20_000
_SHORT: Final = 2_000


class Redactor:
    """Removes found values everywhere. `Redactor()` knows no evidence and has the detectors alone; `over` learns.

    Attributes:
        findings: what the learnt texts hold, by location and kind; never a value.
        withheld: what an output could not be rid of in place, so that its lines were withheld.
        names: dotted names of code, which are no private endpoints although they read like one.
    """

    def __init__(
        self,
        findings: tuple[RedactionFinding, ...] = (),
        hits: tuple[SecretMatch, ...] = (),
        withheld: tuple[RedactionFinding, ...] = (),
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.findings = findings
        self.withheld = withheld
        self.names = names
        self._learnt = hits
        self._values = LearnedValues(hits)
        self._known: dict[tuple[str, bool], CleanedText] = {}
        self._kept: set[bytes] = set()
        self._noticed: set[tuple[Kind, str]] = set()

    def __repr__(self) -> str:
        return f"Guard(findings={len(self.findings)})"

    @classmethod
    def over(cls, texts: Iterable[tuple[str, str]]) -> Redactor:
        """A redactor that has learnt every value in (location, text) pairs."""
        hits: list[SecretMatch] = []
        findings: list[RedactionFinding] = []
        for location, text in texts:
            shown = visible(text)
            found = _detected(shown)
            hits += found
            findings += _report(found, shown, location)
        return cls(tuple(sorted(findings)), tuple(hits))

    def also(self, texts: Iterable[tuple[str, str]]) -> Redactor:
        """A redactor that has learnt these (location, text) pairs too."""
        more = Redactor.over(texts)
        found = tuple(sorted(self.findings + more.findings))
        return Redactor(found, self._learnt + more._learnt, self.withheld, self.names)

    def knowing(self, members: Iterable[tuple[str, str]]) -> Redactor:
        """A redactor that has also learnt the values among (name, value) pairs that are secret by their name."""
        hits = tuple(secret_members(members))
        return Redactor(self.findings, self._learnt + hits, self.withheld, self.names) if hits else self

    def sparing(self, names: Iterable[str]) -> Redactor:
        """A redactor that also lets these dotted names of code pass, `pkg.db.local`, where they stand whole."""
        return Redactor(self.findings, self._learnt, self.withheld, self.names.union(names))

    def apart(self, withheld: Iterable[RedactionFinding] = ()) -> Redactor:
        """A redactor with the same knowledge that has noticed nothing yet.

        Args:
            withheld: what it says that had to be withheld.
        """
        made = Redactor(self.findings, (), tuple(withheld), self.names)
        made._learnt, made._values = self._learnt, self._values
        return made

    @property
    def noticed(self) -> tuple[RedactionFinding, ...]:
        """What this redactor has had to withhold with whole lines so far, by kind and detector."""
        return tuple(sorted(RedactionFinding("", kind, detector, (), 1) for kind, detector in self._noticed))

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

    def leaks(self, text: str, location: str = "") -> tuple[RedactionFinding, ...]:
        """What cleaning would still change: empty for a text that may be written."""
        if _digest(text) in self._kept:
            return ()
        shown = visible(text)
        found = list(_report(self._hits(shown, paths=True), shown, location))
        if shown != text.replace("\r\n", "\n"):
            found.append(RedactionFinding(location, Kind.CONTROL, "control-characters", (), 1))
        return tuple(sorted(found))

    def leaks_in(self, value: Json, location: str = "") -> tuple[RedactionFinding, ...]:
        """What cleaning a structure would still change, part by part as `clean_json` reads it."""
        cleaned = self.clean_json(value, signs=_same)
        if cleaned == value:
            return ()
        found = {hit for text in _changed(value, cleaned) for hit in self._hits(visible(text), paths=True)}
        kinds = sorted({(hit.kind, hit.detector) for hit in found}) or [(Kind.SECRET, "named-member")]
        return tuple(RedactionFinding(location, kind, detector, (), 1) for kind, detector in kinds)

    def _clean(self, text: str, *, paths: bool) -> CleanedText:
        key = (text, paths)
        if (known := self._known.get(key)) is not None:
            self._noticed |= known.withheld
            return known
        shown, hits = self._passed(visible(text), _replaced_apart, paths=paths)
        result = self._withheld(shown, hits, paths=paths) if hits else CleanedText(Clean(shown))
        self._noticed |= result.withheld
        if paths and len(self._kept) < _REMEMBERED:
            self._kept.add(_digest(result.text))
        if len(text) <= _SHORT and len(self._known) < _REMEMBERED:
            self._known[key] = result
        return result

    def _passed(self, shown: str, change: Change, *, paths: bool) -> tuple[str, tuple[SecretMatch, ...]]:
        """The text after as many passes as it needs, or as there may be; with the hits that are left then."""
        for _ in range(_PASSES):
            hits = self._hits(shown, paths=paths)
            if not hits:
                return shown, ()
            shown = change(shown, hits)
        return shown, self._hits(shown, paths=paths)

    def _withheld(self, shown: str, hits: tuple[SecretMatch, ...], *, paths: bool) -> CleanedText:
        """The text without the lines of what is left. A notice that holds a value itself leaves nothing."""
        clean, left = self._passed(without_lines(shown, hits), without_lines, paths=paths)
        return CleanedText(Clean("" if left else clean), frozenset((hit.kind, hit.detector) for hit in hits))

    def _hits(self, text: str, *, paths: bool) -> tuple[SecretMatch, ...]:
        coded = tuple(runs(text))
        found = self._spared(_detected(text, coded))
        if not paths:
            found = tuple(hit for hit in found if hit.kind is not Kind.FILE_PATH)
        here = LearnedValues(hit for hit in found if not self._values.holds(hit))
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

    def _spared(self, hits: Iterable[SecretMatch]) -> tuple[SecretMatch, ...]:
        """The hits without those on names of code."""
        return tuple(hit for hit in hits if hit.kind is not Kind.PRIVATE_ENDPOINT or hit.value not in self.names)


def _detected(text: str, coded: Iterable[EncodedRun] | None = None) -> tuple[SecretMatch, ...]:
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


def _replaced_apart(text: str, hits: Iterable[SecretMatch]) -> str:
    return _replaced(*cut_locators(text, hits))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _at_span(hit: SecretMatch, span: tuple[int, int]) -> SecretMatch:
    return SecretMatch(span[0], span[1], hit.kind, hit.detector, hit.value)


def _replaced(text: str, hits: Iterable[SecretMatch]) -> str:
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


def _report(hits: Iterable[SecretMatch], text: str, location: str) -> Iterable[RedactionFinding]:
    places: dict[tuple[Kind, str], set[tuple[int, int]]] = {}
    for hit in hits:
        places.setdefault((hit.kind, hit.detector), set()).add((hit.start, hit.end))
    if not places:
        return
    ends = [match.start() for match in re.finditer("\n", text)]
    for (kind, detector), spans in places.items():
        lines = sorted({bisect_left(ends, start) + 1 for start, _ in spans})
        yield RedactionFinding(location, kind, detector, tuple(lines), len(spans))


# Many texts read in one pass: which of them certainly stay as they are.


_ODD: Final = re.compile(r"[^\n\t -~]|[%&\\]|=[2-7][0-9A-Fa-f]=")
_ODD_FOR_VALUES: Final = re.compile(r"[^\t -~]|[%&\\<+]|\*\*|=[2-7][0-9A-Fa-f]=|[\"'][ \t]{0,40}[.|]")
"""What acts or may be an escape; where values are known, also what may be a line break inside one of them."""


def passing(texts: Iterable[str], values: LearnedValues) -> set[str]:
    """The texts that cleaning would not change; one that is missing may still pass when it is cleaned by itself."""
    odd = (_ODD_FOR_VALUES if values else _ODD).search
    plain = [text for text in texts if odd(text) is None]
    joined = BETWEEN.join(plain)
    coded = tuple(runs(joined))
    hits = [*scan(joined), *values.search(joined), *hits_in(coded, scan), *hits_in(coded, values.search)]
    if not hits:
        return set(plain)
    ends = list(accumulate(len(text) + len(BETWEEN) for text in plain))
    changed = {
        number for hit in hits for number in range(bisect_right(ends, hit.start), bisect_left(ends, hit.end) + 1)
    }
    return {text for number, text in enumerate(plain) if number not in changed}


# Citations stay citations: a locator with a value in it ends at the last step before the value.


_STOP: Final = r"\s,;\[\]()|`<>\"\x00-\x20"
_WHERE: Final = rf"(?P<file>:file=[^{_STOP}#]+)?#(?P<pointer>/[^{_STOP}]*)|:id=[^{_STOP}]+"
_LOCATOR: Final = rf"(?<![\w/#.%~-])E[1-9][0-9]{{0,8}}(?P<locator>{_WHERE})"


@frozen
class _Cited:
    start: int
    end: int
    pointer: int


def cut_locators(text: str, hits: Iterable[SecretMatch]) -> tuple[str, tuple[SecretMatch, ...]]:
    """The text with locators cut before the values in them, and the hits that are left, where they now stand.

    A pointer ends at the parent of the step that holds a value, an entry's name or a file's name goes as a whole: what
    is left resolves, only less exactly.
    """
    found = tuple(hits)
    cited = [
        _Cited(match.start("locator"), match.end(), match.start("pointer"))
        for match in compiled(_LOCATOR).finditer(text)
    ]
    if not cited:
        return text, found
    cuts: dict[int, int] = {}
    for one, hit in _inside(cited, found):
        cut = text.rfind("/", one.pointer, hit.start + 1) if 0 <= one.pointer <= hit.start else one.start
        cuts[one.end] = min(cut, cuts.get(one.end, cut))
    if not cuts:
        return text, found
    spans = sorted((start, end) for end, start in cuts.items())
    kept = "".join(
        text[before:start] for (_, before), (start, _) in zip([(0, 0), *spans], [*spans, (len(text), 0)], strict=True)
    )
    return kept, tuple(_after_removal(spans, found))


def _inside(cited: list[_Cited], hits: Iterable[SecretMatch]) -> Iterator[tuple[_Cited, SecretMatch]]:
    """Every hit that begins or ends in a locator, with the locator."""
    starts = [one.start for one in cited]
    for hit in hits:
        for index in {bisect_right(starts, hit.start) - 1, bisect_right(starts, hit.end - 1) - 1}:
            if index >= 0 and cited[index].start < hit.end and hit.start < cited[index].end:
                yield cited[index], hit


def _after_removal(spans: list[tuple[int, int]], hits: Iterable[SecretMatch]) -> Iterator[SecretMatch]:
    """The hits in the text without the spans; one that lies in a span is gone."""
    removed = [0]
    for start, end in spans:
        removed.append(removed[-1] + end - start)

    def moved(at: int) -> int:
        index = bisect_right(spans, (at, -1))
        over = spans[index - 1][1] - at if index else 0
        return at - removed[index] + max(0, over)

    for hit in hits:
        start, end = moved(hit.start), moved(hit.end)
        if end > start:
            yield SecretMatch(start, end, hit.kind, hit.detector, hit.value)


# Structures cleaned part by part: the distinct texts are read in one pass, and only the doubtful ones one by one.


_NAMES: Final = Words(word for detector in DETECTORS if detector.named for word in detector.starts or detector.keywords)
_UNKNOWN: Final = LearnedValues(())
Member = tuple[str, str]
"""A key, and its value as text."""


class Structure:
    """One structure, and what has been found out about its texts."""

    def __init__(
        self,
        value: Json,
        values: LearnedValues,
        clean: Callable[[str], str],
        signs: Callable[[str], str] | None = None,
        names: frozenset[str] = frozenset(),
    ) -> None:
        self._value = value
        self._signs = signs
        self._names = names
        self._clean = clean
        texts: dict[str, None] = {}
        members: dict[Member, None] = {}
        _collect(value, texts, members)
        self._known = {text: text for text in passing(texts, values)}
        self._passing = frozenset(self._known)
        self._kinds: dict[Member, Kind | None] = dict.fromkeys(_harmless(members))

    def cleaned(self) -> Json:
        """The structure with keys, texts and numbers cleaned."""
        return self._part(self._value)

    def _part(self, value: Json) -> Json:
        if isinstance(value, str):
            return self._text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (dict, Mapping)):
            return self._mapping(value)
        if isinstance(value, (list, Sequence)):
            return [self._part(part) for part in value]
        shown = self._text(str(value))
        return value if shown == str(value) else shown

    def _text(self, text: str) -> str:
        found = self._known.get(text)
        if found is None:
            found = str(self._clean(text))
            if self._signs is not None and found != text and found == visible(text):
                found = self._signs(text)
            self._known[text] = found
        return found

    def _mapping(self, value: Mapping[str, Json]) -> dict[str, Json]:
        out: dict[str, Json] = {}
        known, passing = self._known, self._passing
        for key, part in value.items():
            name = base = known.get(key) or self._text(str(key))
            number = 2
            while name in out:
                name, number = f"{base} ({number})", number + 1
            if type(part) is str and part in passing and not _tells(key):
                # Nearly every member is such.
                out[name] = part
                continue
            kind = self._member(str(key), part) if isinstance(part, (str, int)) and not isinstance(part, bool) else None
            out[name] = self._part(part) if kind is None else placeholder(kind)
        return out

    def _member(self, key: str, value: str | int) -> Kind | None:
        """What the value is as a whole when its key is read with it; None when the value alone decides."""
        text = str(value)
        if text in self._passing and not _tells(key):
            return None
        if (key, text) not in self._kinds:
            self._kinds[key, text] = _kind_of_member(key, text)
        kind = self._kinds[key, text]
        return None if kind is Kind.PRIVATE_ENDPOINT and text in self._names else kind


def _collect(value: Json, texts: dict[str, None], members: dict[Member, None]) -> None:
    """Every text of a structure, and the members whose key may make a secret of their value."""
    if isinstance(value, str):
        texts[str(value)] = None
    elif isinstance(value, (dict, Mapping)):
        for key, part in value.items():
            texts[str(key)] = None
            if isinstance(part, (str, int)) and not isinstance(part, bool) and _tells(str(key)):
                members[str(key), str(part)] = None
            if type(part) is str:
                texts[part] = None
            else:
                _collect(part, texts, members)
    elif isinstance(value, (list, Sequence)):
        for part in value:
            _collect(part, texts, members)
    elif value is not None and not isinstance(value, bool):
        texts[str(value)] = None


def _harmless(members: Iterable[Member]) -> Iterator[Member]:
    """The members that certainly are no secrets, all read in one pass; for any other one is asked by itself."""
    spelled = {member: _spelled(*member) for member in members}
    quiet = passing(spelled.values(), _UNKNOWN)
    return (member for member, text in spelled.items() if text in quiet)


def secret_member(name: str, value: str) -> tuple[SecretMatch, ...]:
    """The value, found as a whole, when its name says that it is secret; else nothing."""
    kind = _kind_of_member(name, value) if _tells(name) else None
    return () if kind is None else (SecretMatch(0, len(value), kind, "named-member", visible(value)),)


def secret_members(members: Iterable[Member]) -> Iterator[SecretMatch]:
    """The same for many members."""
    asked = dict.fromkeys(member for member in members if _tells(member[0]))
    harmless = frozenset(_harmless(asked))
    for member in asked:
        if member not in harmless:
            yield from secret_member(*member)


@lru_cache(maxsize=4096)
def _tells(key: str) -> bool:
    """True for a key that can make a value secret."""
    return bool(_NAMES.found(lowered(_lead(key))))


def _lead(key: str) -> str:
    return f'"{key}": "'


def _spelled(key: str, text: str) -> str:
    return f'{_lead(key)}{text}"'


def _kind_of_member(key: str, value: str) -> Kind | None:
    lead, text = _lead(key), visible(value)
    inside = [hit for hit in scan(_spelled(key, text)) if hit.start >= len(lead) and hit.end <= len(lead) + len(text)]
    return inside[0].kind if any(hit.end - hit.start == len(text) for hit in inside) else None
