"""Redaction written down as simply as it can be: every detector, every text, every value by itself, nothing skipped.

Slow, and what the redactor has to agree with. Only what turns hits into a cleaned text is shared with it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evreview.core.control_characters import lowered, visible
from evreview.redaction.decoding import DecodedText, _decoded, hits_in, joined, runs
from evreview.redaction.detector import Detector, Kind, SecretMatch, placeholder, value_group
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.detectors.personal_data import DIGITS, LETTERS
from evreview.redaction.learned_values import _apart, _whole_run, forms_of
from evreview.redaction.redactor import _replaced, cut_locators
from evreview.redaction.scanner import PLACEHOLDER

ESCAPE = (
    r"(?:%[89A-Fa-f][0-9A-Fa-f])+|%[2-7][0-9A-Fa-f]|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8}\d{0,2});"
    r"|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[01][0-7]{2}|\\[ -/:-@\[-`{-~]"
    r"|=[2-7][0-9A-Fa-f](?:=[2-7][0-9A-Fa-f])+|[\uff01-\uff5e]"
)
BREAK = (
    r"[\"'][ \t]{0,40}(?:[+\\]?[ \t]{0,4}(?:[\n⏎]|\\n)|\+|\.|&|\|\|)[ \t]{0,80}[\"']"
    r"|[ \t]{0,40}\\?(?:(?:\\r)?\\n|[\n⏎]|<br ?/?>)(?:[ \t]{0,80}(?:[>#*|][ \t]{1,8})?)"
    r"|</?[A-Za-z]{1,10}>|\*\*"
)
PLAIN = {
    "card-number": r"(?<![\w.-])(?P<value>(?:[3-6]\d|2[2-7])\d{2}(?:[ -]?\d{4}){2}[ -]?\d{1,7}"
    r"|3\d{3}[ -]?\d{6}[ -]?\d{4,5})(?![\w-])(?!\.\d)",
    "iban": r"(?<![A-Za-z0-9])(?P<value>[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])",
    "named-header": r"(?i)\"name\\?\"\s{0,20}:\s{0,20}\\?\"(?:proxy-authorization|authorization|set-cookie|cookie"
    r"|x-api-key|x-auth-token)\\?\"\s{0,20},\s{0,20}\\?\"value\\?\"\s{0,20}:\s{0,20}\\?\"(?P<value>[^\"\\]{8,4096})",
    "vendor-discord": r"(?<![A-Za-z0-9])(?P<value>[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})"
    r"(?![A-Za-z0-9_-])",
    "national-number": r"(?<![\w.+/-])(?P<value>(?=[0-9]\d)"
    rf"(?:{'|'.join(one.form for one in DIGITS)}))(?![\w-])(?!\.\d)",
    "national-code": r"(?<![\w.+/-])(?P<value>(?=[A-Z][A-Z0-9-])"
    rf"(?:{'|'.join(one.form for one in LETTERS)}))(?![\w-])",
}
"""Expressions that the catalogue writes in a faster way."""
SEARCHED = frozenset({"mailbox-name"})
"""Detectors that the catalogue starts at a word, and that find the same without one."""
Spans = Sequence[tuple[int, int]]


def slow_fold(text: str, *, breaks: bool, joint: str = "") -> DecodedText | None:
    """The text with its escapes undone, twice, one match after the other."""
    folded = _once(text, f"{BREAK}|{ESCAPE}" if breaks else ESCAPE, None, joint)
    return None if folded is None else _once(folded.text, ESCAPE, folded) or folded


def _once(text: str, pattern: str, inner: DecodedText | None, joint: str = "") -> DecodedText | None:
    shown, places, sources, end = "", [], [], 0
    for match in re.finditer(pattern, text):
        shown += text[end : match.start()]
        places.append(len(shown))
        unit = _decoded(match[0]) or joint
        sources.append((*match.span(), len(unit)))
        shown, end = shown + unit, match.end()
    return DecodedText(shown + text[end:], tuple(places), tuple(sources), inner) if sources else None


def slow_scan(text: str, around: Spans | None = None) -> tuple[SecretMatch, ...]:
    """Every hit of every detector that has a keyword in the text, in the detectors' order."""
    lower = lowered(text)
    done = [match.span() for match in PLACEHOLDER.finditer(text)]
    return tuple(
        hit
        for detector in DETECTORS
        if not detector.keywords or any(word in lower for word in detector.keywords)
        for hit in _hits(detector, text, lower, around)
        if not any(start <= hit.start and hit.end <= end for start, end in done)
    )


def _hits(detector: Detector, text: str, lower: str, around: Spans | None) -> Iterator[SecretMatch]:
    if detector.find is not None:
        for start, end in detector.find(text, _starts(detector, lower)):
            if "[redacted" not in text[start:end] and _near(around, start, end, 0):
                yield SecretMatch(start, end, detector.kind, detector.id, text[start:end])
        return
    for match in _matches(detector, text, lower, around):
        if detector.confirm(match):
            name = value_group(match)
            if "[redacted" not in match[name] and _near(around, match.start(), match.end(), 0):
                yield SecretMatch(match.start(name), match.end(name), detector.kind, detector.id, match[name])


def _matches(detector: Detector, text: str, lower: str, around: Spans | None) -> Iterator[re.Match[str]]:
    pattern = re.compile(PLAIN.get(detector.id, detector.expression))
    if not detector.starts or detector.id in SEARCHED:
        for start, end in [(0, len(text))] if around is None else _joined(around, len(text)):
            yield from pattern.finditer(text, start, end)
        return
    end = 0
    for place in _starts(detector, lower):
        if place < end or not _near(around, place, place, 4_200):
            continue
        start = place
        if detector.back and (before := re.match(detector.back, text[max(end, place - 400) : place][::-1])):
            start -= before.end()
        match = pattern.match(text, start)
        if match and match.end() > start:
            end = match.end()
            yield match


def _starts(detector: Detector, lower: str) -> list[int]:
    return sorted({at.start() for word in detector.starts for at in re.finditer(f"(?={re.escape(word)})", lower)})


def _near(around: Spans | None, start: int, end: int, room: int) -> bool:
    return around is None or any(begin < end + room and finish > start - room for begin, finish in around)


def _joined(around: Spans, length: int) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in around:
        begin, finish = max(0, start - 700), min(length, end + 700)
        if out and begin <= out[-1][1]:
            begin = out.pop()[0]
        out.append((begin, finish))
    return out


def slow_hits(text: str, learnt: Sequence[SecretMatch]) -> tuple[SecretMatch, ...]:
    """What has to go from a text: what the detectors find, and every form of a value known or found."""
    found = [*slow_scan(text), *hits_in(runs(text), slow_scan)]
    for folded in (slow_fold(text, breaks=False), joined(text)):
        if folded is not None:
            found += [_moved(hit, folded) for hit in slow_scan(folded.text, folded.changed())]
    spans = list(found)
    unfolded = slow_fold(text, breaks=True)
    for values in (learnt, found):
        spans += [*_search(values, text), *hits_in(runs(text), lambda plain, values=values: _search(values, plain))]
        if unfolded is not None:
            spans += [_moved(hit, unfolded) for hit in _search(values, unfolded.text)]
        if any(" " in form.text for hit in values for form in forms_of(hit)):
            spaced = slow_fold(text, breaks=True, joint=" ")
            spans += [_moved(hit, spaced) for hit in _search(values, spaced.text)] if spaced else []
    done = [match.span() for match in PLACEHOLDER.finditer(text)]
    return tuple(hit for hit in spans if not any(start <= hit.start and hit.end <= end for start, end in done))


def learnt_from(texts: Sequence[str]) -> list[SecretMatch]:
    """The values that the detectors find in texts."""
    found: list[SecretMatch] = []
    for text in map(visible, texts):
        found += [*slow_scan(text), *hits_in(runs(text), slow_scan)]
        for folded in (slow_fold(text, breaks=False), joined(text)):
            if folded is not None:
                found += [_moved(hit, folded) for hit in slow_scan(folded.text, folded.changed())]
    return found


def _moved(hit: SecretMatch, folded: DecodedText) -> SecretMatch:
    return SecretMatch(*folded.origin(hit.start, hit.end), hit.kind, hit.detector, hit.value)


def _search(values: Sequence[SecretMatch], text: str) -> list[SecretMatch]:
    forms = {}
    for hit in sorted(values, key=lambda hit: (-len(hit.value), hit.value, hit.kind, hit.detector)):
        for form in forms_of(hit):
            forms.setdefault(form.text, form)
    lower, end, out = lowered(text), 0, []
    longest_first = sorted(forms.values(), key=lambda form: (-len(form.text), form.text))
    for at in range(len(text)):
        for form in longest_first if at >= end else ():
            if lower.startswith(form.text, at) and _apart(lower, at, at + len(form.text), form):
                end = at + len(form.text)
                start, finish = _whole_run(text, at, end) if form.run else (at, end)
                out.append(SecretMatch(start, finish, form.kind, form.detector, text[start:finish]))
                break
    return out


def slow_clean(text: str, learnt: Sequence[SecretMatch] = ()) -> str:
    """The text without anything that may not leave."""
    shown = visible(text)
    for _ in range(8):
        hits = slow_hits(shown, learnt)
        if not hits:
            break
        shown = _replaced(*cut_locators(shown, hits))
    return shown


def slow_clean_json(value: Any, learnt: Sequence[SecretMatch] = ()) -> Any:
    """The structure, value by value; each member is read with its name too."""
    if isinstance(value, Mapping):
        out: dict[str, Any] = {}
        for key, part in value.items():
            name = base = slow_clean(key, learnt)
            number = 2
            while name in out:
                name, number = f"{base} ({number})", number + 1
            kind = _whole(key, str(part)) if isinstance(part, str | int) and not isinstance(part, bool) else None
            out[name] = slow_clean_json(part, learnt) if kind is None else placeholder(kind)
        return out
    if isinstance(value, str):
        return slow_clean(value, learnt)
    if isinstance(value, list):
        return [slow_clean_json(part, learnt) for part in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        shown = slow_clean(str(value), learnt)
        return value if shown == str(value) else shown
    return value


def _whole(key: str, value: str) -> Kind | None:
    lead, text = f'"{key}": "', visible(value)
    hits = slow_scan(f'{lead}{text}"')
    inside = [hit for hit in hits if hit.start >= len(lead) and hit.end <= len(lead) + len(text)]
    return inside[0].kind if any(hit.end - hit.start == len(text) for hit in inside) else None


def in_base64(text: str) -> str:
    """The text in base64."""
    return base64.b64encode(text.encode("utf-8", "replace")).decode()
