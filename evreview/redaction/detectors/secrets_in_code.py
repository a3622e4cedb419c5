"""Secrets that code writes down in other ways than behind a sign: raw texts, comparisons, what a function returns."""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from evreview.guard.chosen import Admitted
from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.named_secrets import NAME_END, STARTS, TEXT, WORDS, is_value

_LEAST_CODED_LENGTH: Final = 10
_NEVER: Final = 1_000
_QUOTE: Final = r"(?=\\?[\"'`])"
_CLOSED: Final = r"\\?[\"'`]?(?:\(\))?[\"'\])]{0,3}"
"""What may stand behind the name until something is done with it."""
_EQUAL: Final = (
    r"(?:[ \t]{0,3}(?:!==?|<>|(?:eq|ne)(?=[ \t]))[ \t]{0,3}"
    r"|\.(?:(?:not|to|should|is|be|must|have|deep)(?:\(\))?[.\w]{0,30}|(?:equals?|contentequals|compareto)\w{0,20})(?:[ \t]{1,2}(?:eql?|be|==|equal))?(?:\([ \t]{0,3}|[ \t]{1,3})"
    rf"){_QUOTE}"
)
_RETURNED: Final = (
    r"(?:[ \t]{0,3}(?:->|then)[ \t]{1,3}|:[ \t]{0,3}\n?[ \t]{0,20}return[ \t]{1,3}|[ \t]{1,3}do[ \t]{0,3}\n[ \t]{0,20}"
    r"|[ \t]{0,3}(?:->[ \t]{0,2}[&'\w<>]{1,20}[ \t]{0,3}(?:\w{1,20}[ \t]{1,3})?|:[ \t]?\w{1,20}[ \t]{1,3})?\{\s{0,40}(?:return[ \t]{1,3}|echo[ \t]{1,3})?"
    r"|,[ \t]{0,3}(?:(?:\w{1,10}|(?:fn|function)?[ \t]?\(\w{0,10}\))[ \t]{0,3}(?:->|=>|\{[ \t]{0,3}return)|lambda(?: \w{1,10})?:)[ \t]{1,3}"
    rf"|(?P<body>;[ \t]{{1,3}}|\n[ \t]{{1,20}})){_QUOTE}"
)
_ASSIGNED: Final = r"(?:-stdin)?\\?[\"'`]?\]?[ \t]{0,8}(?:[:?|]{0,2}=|:|=>|,|(?=<<))[ \t]{0,8}"
_OPENED: Final = (
    r"\((?P<value>[^()\s\0]{6,200})\)(?![a-z])|\{(?P<value_b>[^{}\s\0]{6,200})\}|\[(?P<value_c>[^\[\]\s\0]{6,200})\]"
)
_STRING: Final = r"\s{0,8}(?:\\?\"([^\"\\\n\0]{0,200})\\?\"|'([^'\\\n\0]{0,200})'|[^\s,()\"'\0]{1,60}(?:\([^()\n\0]{0,60}\))?)\s{0,4}(,?)"
_SLOT: Final = r"%[svdq@]|\{\w{0,10}\}"
_FORMATTED: Final = (
    rf"(?i){NAME_END}[:=][ ]?'?(?:{_SLOT})'?[^\"'`\n\0]{{0,120}}\\?[\"'`][ \t]{{0,3}}(?:%|,|\.format\()[ \t]{{0,3}}\(?"
)


def _compared(match: re.Match[str]) -> bool:
    return is_value(match["key"], match[value_group(match)], bare=False, words=Admitted.ALL, least=_LEAST_CODED_LENGTH)


def _returned(match: re.Match[str]) -> bool:
    """True for what a function or a branch of that name gives; in front of a colon it would be another name."""
    group = value_group(match)
    if compiled(r"\\?[\"'`]\s{0,3}[:=]").match(match.string, match.end(group)):
        return False
    if match["body"] and not compiled(r"def [\w.]{0,40}\Z").search(
        match.string[max(0, match.start() - 50) : match.start()]
    ):
        return False
    return is_value(match["key"], match[group], bare=False, words=Admitted.LOWER, least=_NEVER)


def formatted(text: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Every text that is put into the slot behind the name: the arguments are counted as the slots are."""
    for at in starts:
        head = compiled(_FORMATTED).match(text, at)
        if head is None:
            continue
        lead = compiled(r"[^\"'`\n\0]*\Z").search(text, max(0, at - 200), at)
        slot = len(compiled(_SLOT).findall(lead[0])) if lead else 0
        place = head.end()
        for number in range(slot + 1):
            argument = compiled(_STRING).match(text, place)
            if argument is None or (number < slot and not argument[3]):
                break
            place = argument.end()
            inner = 1 if argument[1] else 2
            if number == slot and is_value(head["key"], argument[inner] or "", bare=False, words=Admitted.ALL):
                yield argument.span(inner)


CODED: Final[tuple[Detector, ...]] = (
    Detector(
        id="raw-secret",
        kind=Kind.SECRET,
        why="The name says that the text is secret, whichever signs of a language stand around it.",
        keywords=WORDS,
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}{_ASSIGNED}(?:(?:%q?|qq?|n?q')(?:{_OPENED})"
            r"|[brfu]{0,2}(?:r#{1,3}\"|r\"\w{0,16}\(|\"\"\"|''')\n?[ \t]{0,20}(?P<value_e>[^\s\"'\0]{6,200}?)(?=\)?\s{0,20}[\"'])"
            r"|\$\w{0,10}\$(?P<value_f>[^\s$\0]{6,200})\$\w{0,10}\$"
            r"|(?:\$\(cat[ \t]{1,3})?<<[-~<]?[ \t]?\\?[\"']?(?P<mark>\w{2,20})[\"']?[ \t]{0,3}\n[ \t]{0,20}(?P<value_g>[^\s\0]{6,200})\n[ \t]{0,20}(?P=mark))"
        ),
        example=("pass", "word = <<EOT\n", "q7Rx2Lv9!tB\nEOT\n"),
        counter_example=("password = <<EOT\n${password}\nEOT\n",),
        confirm=_compared,
    ),
    Detector(
        id="compared-secret",
        kind=Kind.SECRET,
        why="What is compared with a secret is the secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=rf"(?i){NAME_END}{_CLOSED}{_EQUAL}{TEXT}",
        example=("expect(user.pass", "word).toBe('", "q7Rx2Lv9!tB')"),
        counter_example=("expect(user.password).toBe('required')",),
        confirm=_compared,
    ),
    Detector(
        id="secret-compared",
        kind=Kind.SECRET,
        why="What a secret is compared with is the secret.",
        keywords=("equal", "assert", "=="),
        starts=(*("assertequal", "assert_equal", "assert.equal", "assert.areequal", "assert_eq"), ".equals(", "=="),
        back=r"[ \t]{0,3}(?:\"[^\"\n\0]{4,200}\"|'[^'\n\0]{4,200}')",
        expression=(
            rf"(?i)(?:assert(?:_?equals?|\.(?:are)?equal|_eq!?)\(\s{{0,8}}{TEXT},\s{{0,8}}[\w.$>]{{0,60}}?"
            rf"|(?:\"(?P<value_d>[^\"\\\n\0]{{6,200}})\"|'(?P<value_e>[^'\n\0]{{6,200}})')(?:\.equals\(|[ \t]{{0,3}}={{2,3}}[ \t]{{0,3}})[\w.$>]{{0,60}}?)"
            rf"{NAME_END}(?:\(\))?[ \t]{{0,3}}[;:){{\n]"
        ),
        example=('assertEquals("q7Rx', '2Lv9!tB", user.getPass', "word());"),
        counter_example=('assertEquals("required", errors.password);',),
        confirm=_compared,
    ),
    Detector(
        id="returned-secret",
        kind=Kind.SECRET,
        why="What a function or a branch with that name gives is the secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=rf"(?i){NAME_END}{_CLOSED}{_RETURNED}{TEXT}",
        example=("case PASS", "WORD: return '", "q7Rx2Lv9!tB';"),
        counter_example=("case PASSWORD: return 'LockIcon';",),
        confirm=_returned,
    ),
    Detector(
        id="formatted-secret",
        kind=Kind.SECRET,
        why="The name in front of the slot says that what is put there is secret.",
        keywords=WORDS,
        starts=STARTS,
        find=formatted,
        example=('"pass', 'word=%s" % "', 'q7Rx2Lv9!tB"'),
        counter_example=('"password=%s" % "changeme1"',),
    ),
)
