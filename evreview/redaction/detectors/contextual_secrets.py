"""Values that only what stands around them tells.

`BLOCKS`: keys of many lines, columns under a head, rows of a statement, manifests. `SPOKEN`: passwords in prose and
tables. `TOLD`: what the words beside a value say that it is.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.logins import numbered
from evreview.redaction.detectors.named_secrets import (
    BARE,
    JUMBLED,
    KEY,
    MIXTURE,
    NAME_END,
    PASS,
    STARTS,
    SUFFIX,
    TEXT,
    WORDS,
    is_value,
)
from evreview.redaction.detectors.plausible_passwords import Admitted, is_chosen, stated
from evreview.redaction.placeholders import opaque, shuffled, stands_in

Span = tuple[int, int]
_BEGIN: Final = r"-----BEGIN[^-\n]{0,40}PRIVATE KEY[^-\n]{0,10}-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"
_END: Final = r"-----END[^-\n]{0,60}-----|---- END[^-\n]{0,60}----"
_KEY: Final = 12_000
_CODED: Final = r"[A-Za-z0-9+/=]{16,}"
_NAME: Final = rf"(?i)[\w. -]{{0,40}}?(?:{KEY}){SUFFIX}\Z"
_HEADING: Final = r"[\w.@/ #()-]{1,40}"
_HEAD: Final = r"[\w \t.@/#()\"'`,;|-]+"
_WIDEST: Final = 4_000
_SEPARATORS: Final = ",;\t|"
_PIN: Final = r"(?i)pin(?:[ _-]?(?:code|number))?"
_PEOPLE: Final = r"(?i)(?:user|login|account|card|customer|member|employee|holder|person)(?:[ _-]?(?:name|id|number))?|name|e-?mail|phone"
"""Headings beside which a column of numbers called `pin` is what people type, and no leg of a part."""
_PINS: Final = (*(f"{sign}pin" for sign in ",;\t|"), "| pin", *(f"pin{sign}" for sign in ",;\t|"), "pin |")
_LEAST_PIN, _LONGEST_PIN = 4, 8
_ROWS: Final = 5_000
_RULE: Final = r"[\s|:+-]+\Z"
_COPY: Final = (
    r"(?i)copy\s{1,8}[\w.\"]{1,120}\s{0,8}\((?P<names>[^()\0]{1,2000})\)\s{1,8}from\s{1,8}stdin[^\n\0]{0,200}\n"
)
_TABLE: Final = r"(?i)(?:insert\s{1,8}(?:ignore\s{1,8})?|replace\s{1,8})into\s{1,8}[\w.`\"\[\]]{1,120}\s{0,8}\((?P<names>[^()\0]{1,2000})\)\s{0,20}values\s{0,20}(?=\()"
_TUPLE: Final = r"\s{0,20},?\s{0,20}\("
_CELL: Final = (
    r"\s{0,20}(?:[NnEe]?'((?:[^'\\\0]|''|\\.){0,4000})'|([^,()'\0]{0,200}(?:\([^()\0]{0,200}\))?))\s{0,20}([,)])"
)
_MANIFEST: Final = r"(?m)kind:[ \t]*[\"']?Secret[\"']?[ \t]*$"
_DATA: Final = r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\n"
_ENTRY: Final = (
    r"([ \t]+)[\w.-]{1,200}:[ \t]*[\"']?(?:[|>][+-]?[ \t]*\n[ \t]+)?([^\s\"'\n]{4,20000})[\"']?[ \t]*(?:\n|\Z)"
)


def key_blocks(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every private key from its first line to its last, whatever stands in front of its lines."""
    begins = [match.span() for at in starts if (match := compiled(_BEGIN).match(text, at))]
    for (start, end), following in pairwise([*begins, (len(text), len(text))]):
        limit = min(following[0], end + _KEY, _bound(text, end))
        last = compiled(_END).search(text, end, limit)
        if last is not None:
            yield start, last.end()
            continue
        yield start, _coded_until(text, end, limit)


def _bound(text: str, at: int) -> int:
    """Where the text of a batch ends that holds this place."""
    found = text.find("\0", at)
    return len(text) if found < 0 else found


def _coded_until(text: str, end: int, limit: int) -> int:
    """Where the lines of a key without its last line end."""
    for line in re.finditer(r"(?:\n|\\n)([^\n\\]*)", text[end:limit]):
        if compiled(_CODED).search(line[1]) is None:
            return end + line.start()
    return limit


def columns(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every cell below a heading that says that the column is secret, of lines that one sign divides."""
    done = -1
    for place in starts:
        if place <= done:
            continue
        begin = text.rfind("\n", 0, place) + 1
        end = _line_end(text, place)
        done = end
        found = _secret_columns(text[begin:end]) if end - begin <= _WIDEST and end < len(text) else None
        if found is not None:
            yield from _below(text, end + 1, *found)


def _below(text: str, at: int, sign: str, places: tuple[int, ...], heads: Sequence[str]) -> Iterator[Span]:
    """The cells of these columns in the lines that follow, as long as they have as many cells."""
    count, pins = len(heads), {place for place in places if compiled(_PIN).fullmatch(heads[place])}
    for _ in range(_ROWS):
        end = _line_end(text, at)
        cells = _cells(text[at:end], sign) if end - at <= _WIDEST else ()
        if len(cells) != count:
            return
        for place in places:
            begin, cell = cells[place]
            pin = place in pins and _LEAST_PIN <= len(cell) <= _LONGEST_PIN and cell.isdigit()
            if pin or (place not in pins and is_value("password", cell, bare=False, words=Admitted.ALL)):
                yield at + begin, at + begin + len(cell)
        at = end + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _secret_columns(head: str) -> tuple[str, tuple[int, ...], Sequence[str]] | None:
    """The sign that divides a line of headings, which of them say secret, and all of them."""
    if compiled(_HEAD).fullmatch(head) is None:
        return None
    for sign in _SEPARATORS:
        if sign not in head:
            continue
        cells = [cell for _, cell in _cells(head, sign)]
        inner = cells[1:-1] if sign == "|" and not cells[0] and not cells[-1] else cells
        if len(inner) < 2 or not all(compiled(_HEADING).fullmatch(cell) for cell in inner):
            continue
        places = _secret_places(cells)
        if places:
            return sign, places, cells
    return None


def _secret_places(heads: Sequence[str]) -> tuple[int, ...]:
    """Which columns hold secrets: by their names, and what people type where the other columns are about them."""
    people = any(compiled(_PEOPLE).fullmatch(head) for head in heads)
    return tuple(
        place for place, head in enumerate(heads) if _is_name(head) or (people and compiled(_PIN).fullmatch(head))
    )


def _is_name(heading: str) -> bool:
    """True for a heading that says that what stands below is secret: `api key` as `api_key`."""
    return compiled(_NAME).match(heading.replace(" ", "_")) is not None


def _cells(line: str, sign: str) -> Sequence[tuple[int, str]]:
    """The cells of a line without blanks and quotation marks, and where each begins."""
    found = []
    at = 0
    for part in compiled(rf"(?:[^{re.escape(sign)}\"]|\"[^\"]*\"?)*(?:{re.escape(sign)}|\Z)").findall(line):
        raw = part[:-1] if part.endswith(sign) else part
        bare = raw.strip().strip("\"'`")
        found.append((at + (raw.find(bare) if bare else 0), bare))
        at += len(part)
        if at >= len(line) and not part.endswith(sign):
            break
    return found


def inserted(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value that an `INSERT` puts into a column whose name says that it is secret."""
    for at in starts:
        head = compiled(_TABLE).match(text, at)
        if head is None:
            continue
        names = [name.strip(' \n\t`"[]') for name in head["names"].split(",")]
        places = {place for place, name in enumerate(names) if _is_name(name)}
        if places:
            yield from _tuples(text, head.end(), places)


def copied(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value that a `COPY … FROM stdin` puts into a column whose name says that it is secret."""
    for at in starts:
        head = compiled(_COPY).match(text, at)
        if head is not None:
            names = [name.strip(' \n\t"') for name in head["names"].split(",")]
            yield from _below(text, head.end(), "\t", _secret_places(names), names)


def _tuples(text: str, at: int, places: set[int]) -> Iterator[Span]:
    for _ in range(_ROWS):
        opened = compiled(_TUPLE).match(text, at)
        if opened is None:
            return
        at, place = opened.end(), 0
        while (cell := compiled(_CELL).match(text, at)) is not None:
            if place in places and cell[1] and is_value("password", cell[1], bare=False, words=Admitted.ALL):
                yield cell.span(1)
            at, place = cell.end(), place + 1
            if cell[3] == ")":
                break
        else:
            return


def manifests(text: str, starts: Sequence[int]) -> Iterator[Span]:
    """Every value of a Kubernetes manifest whose kind is Secret."""
    for at in starts:
        if compiled(_MANIFEST).match(text, at) is None:
            continue
        begin = text.rfind("\n---", 0, at) + 1
        end = text.find("\n---", at)
        for block in compiled(_DATA).finditer(text, begin, end if end >= 0 else len(text)):
            at = block.end()
            while (entry := compiled(_ENTRY).match(text, at)) is not None and len(entry[1]) > len(block[1]):
                if entry[2][:1] not in "<${":
                    yield entry.span(2)
                at = entry.end()


BLOCKS: Final[tuple[Detector, ...]] = (
    Detector(
        id="key-block",
        kind=Kind.SECRET,
        why="The lines of a private key are secret also where a comment, a quote or a log stands in front of them.",
        keywords=("private key",),
        starts=("-----begin", "---- begin"),
        find=key_blocks,
        example=("# -----BEGIN ", "PRIVATE KEY-----\n# ", "MIIEpAIBAAKCAQEA7q2k\n# ", "-----END ", "PRIVATE KEY-----"),
        counter_example=("# -----BEGIN PUBLIC", " KEY-----\n# MIIBIjANBg\n# -----END PUBLIC KEY-----"),
    ),
    Detector(
        id="secret-column",
        kind=Kind.SECRET,
        why="The head of the column says that its cells are secret.",
        keywords=("pass", "pwd", "secret", "token", "key", "credential", "kennwort", *_PINS),
        starts=("pass", "pwd", "secret", "token", "key", "credential", "kennwort", *_PINS),
        find=columns,
        example=("host,user,pass", "word\ndb,orders,", "q7Rx2Lv9!tB\n"),
        counter_example=("host,user,password\ndb,orders,string\n",),
    ),
    Detector(
        id="inserted-secret",
        kind=Kind.SECRET,
        why="The name of the column says that what is inserted is secret.",
        keywords=("insert", "replace into"),
        starts=("insert into", "insert ignore into", "replace into"),
        find=inserted,
        example=("INSERT INTO users (name, pass", "word) VALUES ('orders', '", "q7Rx2Lv9!tB')"),
        counter_example=("INSERT INTO users (name, password) VALUES (?, ?)",),
    ),
    Detector(
        id="copied-secret",
        kind=Kind.SECRET,
        why="The name of the column says that what is copied into it is secret.",
        keywords=("stdin",),
        starts=("copy ",),
        find=copied,
        example=("COPY users (name, pass", "word) FROM stdin;\norders\t", "q7Rx2Lv9!tB\n\\.\n"),
        counter_example=("COPY users (name, password) FROM stdin;\n\\.\n",),
    ),
    Detector(
        id="manifest-secret",
        kind=Kind.SECRET,
        why="Every value of a manifest of this kind is secret.",
        keywords=("secret",),
        starts=("kind: secret", 'kind: "secret', "kind: 'secret"),
        find=manifests,
        example=("\nkind: Secret\ndata:\n  login: ", "b3JkZXJz", "\n"),
        counter_example=("kind: ConfigMap\ndata:\n  login: orders\n",),
    ),
)


# Passwords in prose and in tables: what stands behind the name has to look like one, or the sentence says that it is.


_LEAST_LENGTH: Final = 8
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
    before, behind = (
        match.string[max(0, match.start() - 60) : match.start()],
        match.string[match.end(group) : match.end(group) + 12],
    )
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
    words = words if password and len(value) >= _LEAST_LENGTH and match["key"].lower() != "pass" else Admitted.NONE
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


# What the words around a value tell: a birth date, a passphrase in quotation marks, digits of a key, an account.


_YEAR: Final = r"(?:19[0-9]{2}|20[0-2][0-9])"
_MONTHS: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_PLACEHOLDER_DATES: Final = frozenset(
    {"1970-01-01", "1980-01-01", "1990-01-01", "2000-01-01", "1900-01-01", "1999-12-31", "2024-01-31", "01.01.1970",
     "01.01.1990", "01/01/1990", "01/01/1970", "01.01.2000", "01/01/2000"}
)  # fmt: skip
"""Dates that stand for any date."""
_NOT_SECRET: Final = (
    r"(?i)(?:public|cache|idempotency|primary|partition|sort|foreign|object|lookup|hash|routing|dedup\w*|etag|commit"
    r"|file|blob|image|asset|storage|s3)[_-]?\Z"
)
"""What stands in front of a key that is a name of something."""
_ACCOUNTS: Final = frozenset(
    {"123456789012", "012345678901", "111122223333", "444455556666", "123123123123", "999999999999", "210987654321"}
)
"""Account numbers of documentation."""
_SAID: Final = frozenset(
    {"a", "account", "an", "and", "are", "as", "at", "be", "by", "can", "case", "change", "characters", "confirm",
     "current", "default", "do", "does", "empty", "enter", "expired", "field", "for", "forgot", "from", "has",
     "have", "here", "if", "in", "incorrect", "invalid", "is", "it", "least", "login", "long", "match", "missing",
     "must", "name", "new", "no", "not", "of", "old", "on", "one", "only", "or", "passphrase", "password", "per",
     "please", "repeat", "required", "reset", "same", "secret", "set", "short", "should", "string", "strong",
     "that", "the", "this", "time", "to", "too", "used", "user", "users", "value", "was", "weak", "when", "which",
     "with", "wrong", "your"}
)  # fmt: skip
"""Words of what is said about passwords."""


def _born(match: re.Match[str]) -> bool:
    return match["value"] not in _PLACEHOLDER_DATES


def _phrased(match: re.Match[str]) -> bool:
    """True for several words that say nothing about passwords."""
    words = [word.strip(".,;:!?'") for word in match["value"].lower().split()]
    return len(words) >= 3 and not _SAID.intersection(words) and not stands_in(match["value"])


def _hexed(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 40) : match.start()]
    return opaque(match["value"]) and compiled(_NOT_SECRET).search(before) is None


def _account(match: re.Match[str]) -> bool:
    return match["account"] not in _ACCOUNTS and len(set(match["account"])) > 3


def _stated(match: re.Match[str]) -> bool:
    return numbered(match["value"])


def _answer(match: re.Match[str]) -> bool:
    group = value_group(match)
    return is_value("password", match[group], bare=group == "value_c", words=Admitted.LOWER)


_STARTS: Final = (
    *(
        "password",
        "passwort",
        "passwd",
        "pwd ",
        "pw ",
        "pwd:",
        "pw:",
        "passphrase",
        "passcode",
        "kennwort",
        "mot de passe",
    ),
    *(
        "contrase",
        "clave",
        "parola",
        "senha",
        "palavra",
        "wachtwoord",
        "secret is ",
        "secret was ",
        "token is ",
        "token was ",
    ),
    *("secret for ", "token for "),
)
TOLD: Final[tuple[Detector, ...]] = (
    Detector(
        id="birth-date",
        kind=Kind.PERSONAL_DATA,
        why="The name in front of the date says that somebody was born on it.",
        keywords=("birth", "dob", "born", "geburt", "geboren", "naissance", "nacimiento"),
        starts=(
            "birth",
            "dob",
            "date of birth",
            "date_of_birth",
            "dateofbirth",
            "born",
            "geburt",
            "geboren",
            "naissance",
            "nacimiento",
        ),
        named=True,
        expression=(
            r"(?i)(?<![a-z])(?:date[ _-]?of[ _-]?)?(?:birth(?:[ _-]?(?:date|day))?|dob|born(?: on)?"
            r"|geburts(?:datum|tag)|geboren(?: am)?|naissance|nacimiento)\\?[\"']?\s{0,3}"
            r"(?:[:=|>]|->|is|was)?\s{0,8}\\?[\"']?"
            rf"(?P<value>{_YEAR}-\d{{2}}-\d{{2}}|\d{{1,2}}[./-]\d{{1,2}}[./-]{_YEAR}|\d{{1,2}}\.? {_MONTHS} {_YEAR}"
            rf"|{_MONTHS} \d{{1,2}},? {_YEAR})(?![\w-])"
        ),
        example=("date_of_birth: 19", "85-07-30"),
        counter_example=("date_of_birth: 1990-01-01",),
        confirm=_born,
    ),
    Detector(
        id="quoted-phrase",
        kind=Kind.SECRET,
        why="The words in quotation marks are told as a password.",
        keywords=("pass", "kennwort", "contrase"),
        starts=("password", "passwd", "passwort", "passphrase", "pass phrase", "kennwort", "contrase"),
        expression=(
            r"(?i)(?:passw(?:or)?[dt]|passwd|pass ?phrase|kennwort|contrase(?:ñ|n)a)"
            r"(?: (?:is|was|ist|lautet|es)(?: now)?:?|[ \t]{0,3}[:=])[ \t]{0,3}"
            r"\\?[\"“„](?P<value>[^\"“”\\\n\0]{8,120})\\?[\"”“]"
        ),
        example=('The password was "correct', ' horse battery"'),
        counter_example=('The password is "too short and must be longer"',),
        confirm=_phrased,
    ),
    Detector(
        id="hex-key",
        kind=Kind.SECRET,
        why="The name in capitals says that the digits are a key.",
        keywords=("key", "secret", "salt", "pepper"),
        starts=(
            "key =",
            "key=",
            "key: ",
            'key"',
            "key'",
            "secret =",
            "secret=",
            "secret: ",
            'secret"',
            "secret'",
            "salt =",
            "salt=",
            'salt"',
            'pepper"',
            "pepper =",
            "pepper=",
        ),
        named=True,
        expression=(
            r"(?:(?<![A-Za-z0-9])|(?<=_))(?:KEY|SECRET|SALT|PEPPER)[\"']?\]?[ \t]{0,4}"
            r"(?::[ \t]?(?:str|bytes|Final)[ \t]{0,3})?"
            r"[:=][ \t]{0,4}[brf]?\\?[\"']?(?P<value>(?:[0-9a-f]{8}){2,16}|(?:[0-9A-F]{8}){2,16})(?![\w-])"
        ),
        example=('KEY = "', "9f3a7c1e5b2d8046", 'af17c3e95d20b864"'),
        counter_example=('PUBLIC_KEY = "', "9f3a7c1e5b2d8046", 'af17c3e95d20b864"'),
        confirm=_hexed,
    ),
    Detector(
        id="cloud-account",
        kind=Kind.PRIVATE_ENDPOINT,
        why="The number in the name tells whose account of a cloud it is, and what stands there.",
        keywords=("arn:aws",),
        starts=("arn:aws",),
        expression=(
            r"(?P<value>arn:aws(?:-[a-z]{2,6}){0,3}:[a-z0-9-]{2,40}:[a-z0-9-]{0,20}:(?P<account>\d{12}):[^\s\"'`,<>\])}\\]{1,300})"
        ),
        example=("arn:aws:iam::4829", "17364829:role/prod-admin"),
        counter_example=("arn:aws:iam::123456789012:role/reader",),
        confirm=_account,
    ),
    Detector(
        id="stated-secret",
        kind=Kind.SECRET,
        why="The sentence says that the word with a digit is a password.",
        keywords=_STARTS,
        starts=_STARTS,
        expression=(
            r"(?i)(?<![\w-])(?:(?:passwor[dt]|passwd|pwd|pw|passphrase|passcode|kennwort|mot de passe|contrase(?:ñ|n)a|clave|parola d'ordine|parola chiave|senha|palavra-passe|palavra passe|wachtwoord"
            r"|(?<=the )(?:secret|token)|(?<=our )secret|(?<=my )secret)(?: (?:for|für|pour|para|per|voor|of|von|zum|del|de|do|da)(?: (?:the|a|an|our|my|das|den|die|le|la|el|o|a|il|het|de))? [\w.-]{1,40}(?: [\w.-]{1,20})?)?"
            r"(?: (?:is|was|lautet|ist|hei(?:ß|ss)t|war|est|es|era|è|é|e'|luidt)(?: (?:now|jetzt|nun|maintenant|ahora|nu))?:?[ \t]{1,3}|:[ \t]{1,3})"
            r"|(?:senha|wachtwoord|clave|parola d'ordine|palavra-passe)[ \t]{0,3}[:=][ \t]{0,3})"
            r"[`\"'*]{0,2}(?P<value>[^\s\"'`\\<>\[\](){}|,;=/*]{8,64})(?=[`\"'*,;)]|\s|\\n|\0|\Z)"
        ),
        example=("Das Pass", "wort lautet Kirsche", "2024"),
        counter_example=("Das Passwort lautet wie folgt",),
        confirm=_stated,
    ),
    Detector(
        id="security-answer",
        kind=Kind.SECRET,
        why="Who knows the answer is let in without the password.",
        keywords=("answer",),
        starts=(
            "security answer",
            "security_answer",
            "security-answer",
            "securityanswer",
            "secret answer",
            "secret_answer",
            "secret-answer",
            "secretanswer",
        ),
        named=True,
        expression=(
            r"(?i)(?:security|secret)[ _-]?answer(?:_?\d)?\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}"
            r"(?:\\?\"(?P<value>[^\"\\\n\0]{4,100})\\?\"|'(?P<value_b>[^'\\\n\0]{4,100})'|(?P<value_c>[^\s\"'`<>\[\](){}|,;=\\]{6,64})(?=\s|[,;]|\0|\Z))"
        ),
        example=("security_", "answer: Kirsche", "2024"),
        counter_example=("security_answer: string",),
        confirm=_answer,
    ),
)
