"""Secrets in other places than behind a sign.

`CODED`: raw texts, comparisons, what a function returns. `GIVEN_ROWS`: what statements, pages, links and commands take.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.logins import row, statement
from evreview.redaction.detectors.named_secrets import JUMBLED, NAME_END, STARTS, TEXT, WORDS, is_value
from evreview.redaction.detectors.plausible_passwords import Admitted
from evreview.redaction.placeholders import opaque, shuffled, stands_in

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


# Secrets that statements, pages, links and command lines take: a database's key, a field's value, a code of a login.


_KEYS: Final = (
    *("deploy", "function", "licen", "ssh", "server", "service", "consumer", "admin", "security", "webhook"),
    *("bot", "project", "integration", "ingest", "write", "agent", "device", "node", "join", "cluster", "session"),
    *("cookie", "cipher", "vault", "root", "user", "client", "partner", "merchant", "activation", "instrumentation"),
)
_NAMING: Final = r"(?i)idempot|cache|dedup|request|correlat|trace|partition|object|file|sort|page|cursor|public"
"""Keys that name or find something, and open nothing."""
_LEAST_OPAQUE_LENGTH: Final = 20


def drawn(match: re.Match[str]) -> bool:
    """True for a long text of letters of both cases and digits, as only programs draw it, and no words in a row."""
    value = match["value"].rstrip("=")
    jumbled = compiled(JUMBLED).fullmatch(value) is not None or shuffled(value)
    words = sum(map(len, compiled("[a-z]{3,}").findall(value)))
    return jumbled and words * 2 < len(value) and opaque(value, least=_LEAST_OPAQUE_LENGTH)


def _keyed(match: re.Match[str]) -> bool:
    return drawn(match) and compiled(_NAMING).search(match["of"]) is None


def _stored(match: re.Match[str]) -> bool:
    return not stands_in(match["value"]) and any(map(str.isalpha, match["value"][4:]))


GIVEN_ROWS: Final[tuple[Detector, ...]] = (
    replace(
        row(
            "database-key",
            "The statement gives the key that the file is encrypted with.",
            ("pragma ", "attach "),
            r"(?i)(?:pragma (?:\w{1,40}\.)?(?:re|hex)?key[ \t]{0,3}=[ \t]{0,3}|attach [^;\n\0]{1,200}? as \w{1,40} key )(?:\"(?P<value>[^\"\\\n\0]{4,200})\"|'(?P<value_b>[^'\\\n\0]{4,200})')",
            "PRAGMA key = '",
            "q7Rx2Lv9tB';",
            "PRAGMA key = '<key>';",
        ),
        confirm=statement,
    ),
    replace(
        row(
            "login-procedure",
            "The procedure makes an account with the password that it is given.",
            ("sp_addlogin ", "sp_password ", "sp_addlinkedsrvlogin "),
            r"(?i)sp_(?:addlogin[ \t]{1,3}n?'[^'\n\0]{1,100}'|password[ \t]{1,3}(?:null|n?'[^'\n\0]{0,100}')|addlinkedsrvlogin[ \t]{1,3}(?:[^,\n\0]{1,100},[ \t]{0,3}){3}[^,\n\0]{1,100})"
            r",[ \t]{0,3}n?'(?P<value>[^'\n\0]{4,200})'",
            "EXEC sp_addlogin 'orders', '",
            "q7Rx2Lv9tB'",
            "EXEC sp_addlogin 'orders', 'password'",
        ),
        confirm=statement,
    ),
    replace(
        row(
            "password-field",
            "The page fills the field of a password in.",
            ("<input",),
            r"(?i)<input(?=[^<>\0]{0,400}\stype=\\?[\"']?password(?![\w-]))[^<>\0]{0,400}?\svalue=(?:\\?\"(?P<value>[^\"<>\\\n]{6,200})\\?\"|'(?P<value_b>[^'<>\n]{6,200})'|(?P<value_c>[^\s\"'<>/\\]{6,200}))",
            '<input type="password" value="',
            'q7Rx2Lv9tB">',
            '<input type="password" value="password">',
        ),
        confirm=statement,
    ),
    replace(
        row(
            "stored-line",
            "Behind an account stands how its password is stored, whole or not.",
            (":$apr1$", ":$1$", ":$5$", ":$6$", ":$y$", ":$2a$", ":$2b$", ":$2y$"),
            r"(?<![\w.-])[\w.-]{1,64}:(?P<value>\$(?:apr1|[156y]|2[aby])\$[^\s:\"'`<>,;\0]{8,200})",
            "orders:$apr1$",
            "k2Lv9tBq7RxZ",
            "orders:$apr1$<hash>",
        ),
        back=r"[\w.-]{1,64}",
        kind=Kind.SECRET,
        confirm=_stored,
    ),
    replace(
        row(
            "login-token",
            "The command logs in with the token.",
            ("login ", "auth ", "authtoken ", "init -t ", "auth token "),
            r"(?i)(?<![\w-])[\w-]{0,20}?(?:login|auth|authtoken|init -t|auth token)(?:[ ]--?[\w-]{1,20}(?:=\w{1,20})?){0,3}[ ](?:token=)?(?P<value>[A-Za-z0-9._~+/=-]{20,400})(?![\w])",
            "vault login ",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
            "vault login $VAULT_TOKEN",
        ),
        kind=Kind.TOKEN,
        back=r"[\w-]{1,20}",
        confirm=drawn,
    ),
    replace(
        row(
            "link-code",
            "Who has the code, the ticket or the key of the link can take what it is for.",
            ("code", "?ticket=", "&ticket=", "?key=", "&key=", "?auth=", "&auth=", "?invite=", "&invite="),
            r"(?i)(?:[?&](?:ticket|key|auth|invite)=|(?<![A-Za-z])(?:(?:auth(?:orization)?|device|verification)_?)?code(?:_?verifier)?\\?[\"']?[ ]{0,3}[:=][ ]{0,3}\\?[\"']?)"
            r"(?P<value>[A-Za-z0-9._~%+/-]{20,1000}={0,2})(?![\w])",
            "/callback?code=",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J&state=1",
            "/callback?code=<code>&state=1",
        ),
        kind=Kind.TOKEN,
        back=r"(?:[a-z_]{1,14})?",
        confirm=drawn,
    ),
    replace(
        row(
            "drawn-key",
            "The name says that the long drawn text is a key that lets in.",
            ("x-", *_KEYS),
            rf"(?i)(?<![A-Za-z])(?P<of>x-[\w-]{{1,30}}?|(?:{'|'.join(_KEYS)})[a-z]{{0,10}}?)[ _-]?keys?\\?[\"'`]?\]?[ \t]{{0,3}}(?:=>|[:=|,])[ \t]{{0,3}}\\?[\"'`]?"
            r"(?P<value>[A-Za-z0-9+/_-]{20,512}={0,2})(?![\w(])",
            "x-functions-key: ",
            "k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
            "x-idempotency-key: k2Lv9tBq7RxZp4Wm8Yc1Nd6J",
        ),
        kind=Kind.SECRET,
        named=True,
        confirm=_keyed,
    ),
)
