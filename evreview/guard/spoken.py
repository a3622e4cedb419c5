"""Passwords in prose and in tables: what stands behind the name has to look like one, or the sentence says that it is."""

# ruff: noqa: E501

from __future__ import annotations

import re
from typing import Final

from evreview.guard.chosen import Admitted, is_chosen
from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.named_secrets import (
    BARE,
    JUMBLED,
    MIXTURE,
    NAME_END,
    PASS,
    STARTS,
    TEXT,
    WORDS,
    is_value,
)
from evreview.redaction.detectors.plausible_passwords import stated
from evreview.redaction.placeholders import opaque, shuffled

_SHOWN: Final = 8
_TIED_LEAST, _UNTIED_LEAST = 16, 20
_MARKED: Final = frozenset({"value_c", "value_s"})
"""Groups whose values stand between marks of code."""
_WITH: Final = r"(?i)(?<![\w-])(?:with|using)[ \t]{1,3}(?:(?:the|a|his|her|its|their|old|new|default|admin|root|test)[ \t]{1,3}){0,3}\Z"
"""What a log says in front of the password that was used."""
_WENT_ON: Final = r"[`\"']{0,2}[.,;:!)]?(?:\s*(?:\n|\Z)| (?:for|on|at|from|to|in|via|and|as|against|but|then|or)(?![a-z])|[,;)]|\.\s|\\n)"
"""How a sentence goes on behind it; another noun says that the word described the password."""
_ACCOUNT_OF: Final = r"(?i)(?<![\w])(?:admin|root|default|test|demo|db|database)(?:'s)?[ _]\Z"
"""Whose password a sentence tells."""
_OWNER: Final = (
    r"(?i)(?<![\w])(?:my|his|her|our|their|your|'s)[ \t](?:(?:new|old|current|temporary|admin|root)[ \t])?\Z"
)
_DRAWN: Final = r"(?=.*[a-z])(?=.*[A-Z])(?=.*[A-Za-z]\d[A-Za-z].*\d)[\w.!-]+"
_UNEVEN: Final = r"[a-z][A-Z]{2}[a-zA-Z]*\W|\W[a-zA-Z]*[a-z][A-Z]{2}"
"""Capitals as no name has them, and a sign."""
_OURS: Final = (
    r"(?:E\d{1,9}(?:[#:].*)?|[A-Z]{1,2}-[0-9a-f]{12}|(?:sha\d{1,3}[:-])?[0-9a-f]{40}(?:[0-9a-f]{24})?|.*~1.*"
    r"|[a-z0-9_.~-]+(?:/[a-z0-9_.~-]+)+)\Z"
)
"""What stands behind names in tables and sentences of a review: citations, ids, digests, addresses."""
_IS: Final = r"(?i)[`\"']{0,2}[ \t]{1,8}(?:is(?: now)?|was|est|ist|lautet|es)[ \t]{1,8}\Z"
_USED: Final = r"(?i)(?:(?<![\w])(?:with|using|use|enter|type|try|and|has|default|admin|root|initial|temporary|test)[ \t]|[/,:(][ \t]?)(?:the[ \t])?\Z"
"""What tells that the word in marks of code behind it is used as a password."""
_ENDED: Final = r"[`\"']{0,2}[.,;:!)]?(?:\s*(?:\n|\Z)|[,;)]|[.,;!]\s| (?:for|on|at|from|and|but|then|or|so|since|until|to (?:log|sign|connect|access|authenticate|get|unlock|open))(?![a-z]))"


def _told(match: re.Match[str]) -> bool:
    """In prose the value has to look like one by itself: words stand behind names there."""
    group = value_group(match)
    value, password = match[group].rstrip(".:"), bool(compiled(PASS).search(match["key"]))
    before, behind = match.string[max(0, match.start() - 60) : match.start()], match.string[match.end(group) :][:12]
    with_it = compiled(_WITH).search(before) is not None and compiled(_WENT_ON).match(behind) is not None
    untied = match["untied"] is not None and not with_it
    if not untied and compiled(_ACCOUNT_OF).search(before) and compiled(r"[ \t.]*(?:\n|\Z)").match(behind):
        with_it = True
    owned = password and not untied and compiled(_OWNER).search(before) is not None
    if owned and compiled(MIXTURE).fullmatch(value) and is_value(match["key"], value, bare=True):
        return True
    if password and _is_told(match, group, before, behind):
        return True
    if untied and not (_drawn(value) or _strong(value) or (shuffled(value) and any(map(str.isdigit, value)))):
        return False
    words = Admitted.MIXED if with_it else Admitted.LOWER if group in _MARKED else Admitted.NONE
    words = words if password and len(value) >= _SHOWN and match["key"].lower() != "pass" else Admitted.NONE
    if not is_value(match["key"], value, bare=True, words=words) or (compiled(_OURS).match(value) and not with_it):
        return False
    return (password and _chosen(value, shown=words is not Admitted.NONE)) or opaque(
        value, least=_UNTIED_LEAST if untied else _TIED_LEAST
    )


def _is_told(match: re.Match[str], group: str | int, before: str, behind: str) -> bool:
    """True for one word of letters that a sentence says the password is, or that it names between marks of code."""
    value = match[group].rstrip(".:!")
    if not (value.islower() or value.istitle()) or compiled(_ENDED).match(match[group][len(value) :] + behind) is None:
        return False
    tie = match.string[match.end("key") : match.start(group)].rstrip("`\"'")
    told = compiled(_IS).match(tie) is not None
    shown = group in _MARKED and tie.strip("`\"' \t*:") == "" and compiled(_USED).search(before) is not None
    return (told or shown) and not stated(value) and is_chosen(value, Admitted.MIXED)


def _chosen(value: str, *, shown: bool) -> bool:
    """True for a password in prose: it looks like one, or the words around it or marks of code show a value there."""
    digits = sum(map(str.isdigit, value))
    symbol = any(char in "#!$%^&*+@?" for char in value[1:-1])
    jumbled = compiled(JUMBLED).fullmatch(value) is not None
    if digits >= 2 and (symbol or shown or jumbled or _drawn(value)):
        return True
    if symbol and compiled(_UNEVEN).search(value):
        return True
    return _strong(value) or (shown and (jumbled or not digits))


def _drawn(value: str) -> bool:
    """True for a password that a program chose: digits between letters of both cases, and no name of a method."""
    return len(value) >= 8 and compiled(_DRAWN).fullmatch(value) is not None


def _strong(value: str) -> bool:
    """True for a password of letters of both cases, a digit, and a sign that stands in no word."""
    kinds = (str.islower, str.isupper, str.isdigit)
    signed = any(char in "#!$%^&*+@?~" for char in value[:-1])
    return len(value) >= 8 and signed and all(any(map(kind, value)) for kind in kinds)


SPOKEN: Final[tuple[Detector, ...]] = (
    Detector(
        id="told-secret",
        kind=Kind.SECRET,
        why="The words or the table around the value say that it is secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}(?:``|[\"'`])?"
            r"(?:[ \t]{0,8}(?:\||is(?: now)?|to|was|est|ist|lautet|es|:?\*\*:?)[ \t]{1,8}|[ \t]{1,3}(?P<untied>(?![\"'`]))?)"
            rf"(?:``(?P<value_s>[^`\s]{{6,512}})``|{TEXT}|{BARE})"
        ),
        example=("The pass", "word is ", "q7Rx2#Lv9!tB 4"),
        counter_example=("The password is hashed2 first.",),
        confirm=_told,
    ),
)
