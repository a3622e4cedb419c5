"""Values that are secret because of a name.

`KEYED`: the name stands beside the value, in the syntaxes of configuration and code. `FORMS`: other ways to write it.
"""

# ruff: noqa: E501

from __future__ import annotations

import base64
import re
from typing import Final
from urllib.parse import unquote

from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.plausible_passwords import SAID, Admitted, is_chosen, said, unquoted
from evreview.redaction.detectors.secrets import DUMMY
from evreview.redaction.placeholders import entropy, opaque, shuffled, stands_in

KEY: Final = (
    r"passw(?:or)?d|passwd|passwort|passphrase|passcode|pwd|(?<![A-Za-z])pw|(?-i:(?<=[A-Z])PW(?![A-Za-z]))|kennwort|contrase(?:ñ|n)a|mot[ _-]de[ _-]passe"
    r"|(?<!by)(?<!com)(?<!sur)(?<!tres)(?<!over)(?<!under)pass(?![A-Za-z])|secret|token|(?<![A-Za-z])psk|(?-i:STORAGE_KEY)|api[ ._-]?key|(?:app|application|jwt|access|account|private|signing|encryption|shared|master|hmac|auth"
    r"|subscription|sentry)[_-]?key|credentials?|(?:mfa|totp|otp|2fa)[_-]?(?:seed|key)"
)
STARTS: Final = (
    *("pass", "pw", "kennwort", "contrase", "mot", "secret", "token", "api", "access", "account", "private", "signing"),
    *("encryption", "shared", "credential", "master", "hmac", "auth", "subscription", "sentry", "mfa"),
    *("totp", "otp", "2fa", "psk", "app_", "appkey", "app-", "application_key", "jwt", "storage_key"),
)
WORDS: Final = ("pass", "pw", "kennwort", "contrase", "secret", "token", "key", "credential", "seed", "psk")
SUFFIX: Final = r"(?:[_-]?(?:value|key|id|prod|live|dev|base|\d{1,2})){0,2}"
TEXT: Final = (
    r"[brfun@]{0,2}(?:\\?\"(?P<value>[^\"\\\n]{6,512})\\?\"|'(?P<value_b>[^'\n]{6,512})'|`(?P<value_c>[^`\n]{6,512})`)"
)
TEXT_X: Final = r"\\?\"(?P<value_v>[^\"\\\n\0]{6,200})\\?\"|'(?P<value_w>[^'\n\0]{6,200})'"
BARE: Final = r"(?P<value_d>[^\s\"'`<>,;&|{}\[\]()\\]{6,512})"
_TYPE: Final = r":[ \t]{0,3}[&A-Za-z][\w.<>\[\]|?' ]{0,40}?[ \t]{0,3}="
_WRAP: Final = (
    r"(?:(?:pydantic\.|typer\.|click\.|new )?(?:Field|Option|Argument|Secret(?:Str|Bytes)?|SecureString|String|Some|str|bytes"
    r"|quote(?:_plus)?)\([ \t]{0,3}){1,3}"
)
"""Calls that only wrap the text that they are given."""
_TIE: Final = (
    r"(?:[=:][ \t]?\\?[\"'][ \t]?[+,.][ \t]?(?=\\?[\"'])|(?<=[\"'])\)[ \t]?\.\w{2,20}\((?=[\"'])"
    r"|[*&\[\]A-Za-z][\w.]{1,30}[ \t]{1,3}:?=(?=[ \t]{0,8}\\?[\"'`])"
    rf"|(?<=[\"'])[\])][ \t]{{0,3}}(?:or|\|\||\?\?|\?:)(?=[ \t]{{0,8}}[\"'])|=>|\|\|=|={{1,3}}|[:?]=|:-|\|\||\?\?|\{{ ?get;[^{{}}\n\0]{{0,30}}\}}[ \t]{{0,3}}=|{_TYPE}(?=[ \t]{{0,8}}(?:{_WRAP})?[brfu@]{{0,2}}\\?[\"'`])|:|,(?=[ \t]{{0,8}}\\?[\"'])"
    r"|\[\][ \t]{0,3}=|\.{3,100}[ \t]{0,3}:?(?=[ \t]{0,8}[\"']))"
)
_CODE: Final = (
    r"\.{1,2}/|\{[\w.!:]+\}\Z|[A-Za-z_.]+![rsa]\Z|\w+:[\[{]|[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\Z|[\w.]*[(\[]|#/|/(?:[a-z][\w.-]*(?:/|\Z)|\Z)|https?:|\d{1,6}[a-z]{0,2}\Z"
    r"|v?\d+(?:\.\d+)+\Z|(?i:vault|arn|ref|ssm|env|file|sops|akv|keyvault|secretsmanager)[:+]|[$%]\w+%?\Z|!\w+\Z"
    r"|[a-z_]{2,30}(?::[\w,.]{1,40})?(?:\|[a-z_]{2,30}(?::[\w,.]{1,40})?){1,20}\Z"
    r"|(?i:sha|utf|base|oauth|md|https?|saml|pkcs|rfc|iso|aes|argon|pbkdf|blake|[hrep]s|ed|fido|tls|ipv|x|u)[-_]?\d{1,5}"
    r"(?i:[-_/]?(?:id?|b|s|gcm|cbc|url|le|be|\d{1,4})){0,3}\Z"
)
"""What the text behind such a name often is instead: a name, a call, a path, a version, a place where it is kept."""
_PLAIN: Final = r"[A-Za-z]+(?:[ _-][A-Za-z]+)*[_-]?[vV]?\d{0,2}\Z"
_TYPED: Final = r"(?:[A-Z][a-z]+)+\d{1,3}(?:[A-Z][a-z]+)+\Z"
"""A type with a number in its name: `Uint8Array`."""
_IDENTIFIER: Final = (
    r"(?i)(?=\w*(?:pass|secret|token|(?<!mon)(?<!don)(?<!tur)(?<!hoc)(?<!joc)(?<!whis)key|cred))[a-z]\w*\Z"
)
_CURSOR: Final = r"(?i)(?:page|cursor|next|continuation|idempotency|(?<!r)sync|resume)[ _-]?\Z"
_INSTRUCTION: Final = r"(?i)(?:(?<![\w.-])--?[\w.-]{0,60}|(?:\b(?:env|arg|set -x|setx|export)|#define)[ \t]{1,8}[\w.-]{0,60}|login \S{1,60}\s{1,8})\Z"
_NAMED: Final = r"(?i)(?:name|key|variable|setting|option|property)\\?[\"']?\s{0,8}[:=]\s{0,8}\\?[\"']?[\w.-]{0,60}\Z|<key>[\w.-]{0,60}\Z"
_PARAMETER: Final = r"(?i)(?<![\w-])name\\?[\"']?[ \t]{0,3}:[ \t]{0,3}\\?[\"']?[\w.-]{0,40}\Z"
_ID: Final = r"(?i)[_-]?(?:[A-Za-z]{0,8}[_-]?)?id(?![a-z])"
_LISTED: Final = r"[\"'],\s{0,40}[\"'][^\"'\s]{0,40}\Z"
"""The name is one of several texts in a row."""
_UUID: Final = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NO_WORD: Final = 10
_LEAST: Final = 6
_LOOKED_UP: Final = r"(?i)(?:env\w{0,12}|fetch|config|settings?|getproperty)(?:\.\w{1,20})?\(\s{0,8}[\"'][\w.-]{0,60}\Z"
"""A call that looks a setting up; its second argument is the value when there is none."""
"""Letters alone that are a token or a key are at least so many: names of tokens are shorter."""
MIXTURE: Final = r"(?=[^\d]{0,60}\d)(?=.{0,60}[A-Za-z]{4})[A-Za-z\d!#$%&*+?@_-]{8,64}"
"""Letters and digits as people choose them."""
JUMBLED: Final = r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?![A-Z]?[a-z]+\d*\Z)[A-Za-z\d]{8,200}"
"""Letters of both cases and digits, and no capitalised word with a number."""
PASS: Final = "(?i)pass|pw|kennwort|contrase|mot|psk"


def keyed(match: re.Match[str]) -> bool:
    """True when the value that was found with a name is one, and no placeholder, type, name or version."""
    group = value_group(match)
    before = match.string[max(0, match.start() - 16) : match.start()]
    if compiled(_CURSOR).search(before):
        return False
    between = match.string[match.end("key") : match.start(group)]
    if "," in between and (
        compiled(_IDENTIFIER).match(match[group])
        or (
            not any(map(str.isdigit, match[group]))
            and compiled(_LISTED).search(match.string[max(0, match.start() - 120) : match.start()])
        )
    ):
        return False  # a list of names
    if group == "value_d" and match.string[match.end(group) : match.end(group) + 1] == "(":
        return False  # what is called
    if compiled(_ID).match(between) and compiled(_UUID).fullmatch(match[group]):
        return False  # what a secret is called by
    words = Admitted.ALL if group != "value_d" else unquoted(match, group)
    default = "," in between and compiled(_LOOKED_UP).search(match.string[max(0, match.start() - 120) : match.start()])
    least = _NO_WORD if default is None or not default else _LEAST
    return is_value(match["key"], match[group], bare=group == "value_d", words=words, least=least)


def is_value(key: str, value: str, *, bare: bool, words: Admitted = Admitted.NONE, least: int = _NO_WORD) -> bool:
    """True for a text that is secret under that name; what people choose counts for a password, else what is drawn.

    Args:
        key: what the name says.
        value: the text.
        bare: it stands without quotation marks, where names of variables stand too.
        words: which texts of letters alone the place admits.
        least: how long letters alone are at least under the name of a token or a key.
    """
    if stands_in(value) or stands_in(value.rstrip("!?")) or compiled(_CODE).match(value) or " " in value:
        return False
    if bare and compiled(_IDENTIFIER).match(value.rstrip(":.")):
        return False
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if compiled(PASS).search(key):
        symbol = any(not char.isalnum() and char not in "_-./:+= " for char in value)
        return len(value) >= 6 and (mixed or symbol or is_chosen(value, words))
    plain = compiled(_PLAIN).match(value) or (bare and compiled(_TYPED).match(value))
    drawn = mixed and entropy(value) >= 2.75 and not plain
    sure = words in (Admitted.ALL, Admitted.MIXED) and compiled(JUMBLED).fullmatch(value) is not None
    drawn = drawn or shuffled(value) or (sure and not said(value, loose=False))
    return (len(value) >= 8 and drawn) or (len(value) >= least and is_chosen(value, words))


def _block(match: re.Match[str]) -> bool:
    """True for a value in the lines below its name; lines put together, or one word that is a password."""
    group = value_group(match)
    if group == "value_l":
        return is_value(match["key"], re.sub(r"\s|\\n", "", match[group]), bare=False, words=Admitted.LOWER)
    if group == "value_n":
        return bool(compiled(PASS).search(match["key"])) and is_value(
            match["key"], match[group], bare=True, words=Admitted.LOWER
        )
    return keyed(match)


def _declared(match: re.Match[str]) -> bool:
    """True for the default of what bears the name; of a parameter in OpenAPI only where the name is its own."""
    if match["of"] is not None and not compiled(_PARAMETER).search(
        match.string[max(0, match.start() - 80) : match.start()]
    ):
        return False
    return is_value(match["key"], match[value_group(match)], bare=False, words=Admitted.MIXED, least=_LEAST)


def _instruction_argument(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 80) : match.start()]
    if not compiled(_INSTRUCTION).search(before):
        return False
    group = value_group(match)
    firm = Admitted.MIXED if group == "value_d" else Admitted.ALL
    return is_value(match["key"], match[group], bare=group == "value_d", words=firm)


def _member(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 80) : match.start()]
    value = match[value_group(match)]
    return bool(compiled(_NAMED).search(before)) and is_value(match["key"], value, bare=False, words=Admitted.MIXED)


def _reversed(match: re.Match[str]) -> bool:
    return is_value(match["key"], match[value_group(match)], bare=False)


def _call(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 40) : match.start()]
    return bool(compiled(r"(?i)(?:\.|set|with|use)\w{0,20}\Z").search(before)) and keyed(match)


def _parted(match: re.Match[str]) -> bool:
    """True when the strings, put together, are secret under the name."""
    whole = whole_of(match[value_group(match)])
    return is_value(match["key"], whole, bare=False, words=Admitted.ALL)


def whole_of(parts: str) -> str:
    """Strings with what stands between them, from inside the first to inside the last, put together."""
    return compiled(_APART).sub("", parts)


_APART: Final = r"[\"'][^\"']{0,160}[\"']"
_LINE: Final = r"[^\s\"'`<>{}\[\]()\\:]{6,512}"
_GAP: Final = r"(?:[\s,]|\\r|\\n){0,40}"
NAME_END: Final = rf"(?P<key>{KEY}){SUFFIX}"
_MEMBER: Final = r"\\?[\"']?[\w-]{0,20}?value\\?[\"']?\s{0,8}[:=]\s{0,8}"
_TYPE_MEMBER: Final = rf"(?:\\?[\"']?type\\?[\"']?\s{{0,8}}[:=]\s{{0,8}}\\?[\"']?\w{{1,20}}\\?[\"']?{_GAP})?"
_XML_TEXT: Final = r"(?P<value_e>[^<>\s\0]{6,512})"

KEYED: Final[tuple[Detector, ...]] = (
    Detector(
        id="keyed-secret",
        kind=Kind.SECRET,
        why="The name in front of the value says that it is secret.",
        keywords=WORDS,
        starts=STARTS,
        named=True,
        expression=(
            rf"(?i){NAME_END}\\?[\"'`]?\]?[ \t]{{0,8}}{_TIE}[ \t]{{0,8}}"
            rf"(?:(?:\[|[$#]?\{{|\([ \t]{{0,3}}(?:\n[ \t]{{0,40}})?|{_WRAP})?{TEXT}|{BARE}|\{{(?P<value_e>[^\s{{}}\"']{{6,200}})\}}|\[\[(?P<value_f>[^\]\n]{{6,200}})\]\])"
        ),
        example=("pass", "word = ", "q7Rx2Lv9!tB"),
        counter_example=("password = SYNTHETIC-PASSWORD",),
        confirm=keyed,
    ),
    Detector(
        id="keyed-block",
        kind=Kind.SECRET,
        why="The name in the line before, or in front of a tag, says that the value is secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}s?[\"']?[ \t]{{0,8}}:(?:[ \t]{{1,8}}(?:[|>][+-]?\d?(?:\n|\\n)[ \t]{{1,40}}|!!?\w{{1,20}}[ \t]{{1,8}})"
            rf"(?:(?P<value_l>{_LINE}(?:(?:\n|\\n)[ \t]{{1,40}}{_LINE}){{1,60}})(?=\s|\\n|[\"']|\Z)|{TEXT}|{BARE})"
            rf"|[ \t]{{0,8}}(?:\n|\\n)[ \t]{{1,40}}(?:- )?(?P<value_n>[^\s\"'`<>,;&|{{}}\[\]()\\:#-][^\s\"'`<>,;&|{{}}\[\]()\\:]{{5,511}})(?=[ \t]*(?:\n|\\n|\"|\Z)))"
        ),
        example=("db_pass", "word: |-\n  ", "q7Rx2Lv9!tB\n"),
        counter_example=("password: |\n  ${DB_PASSWORD}\n",),
        confirm=_block,
    ),
    Detector(
        id="declared-default",
        kind=Kind.SECRET,
        why="The name of the variable or the field says that its default and its example are secret.",
        keywords=("default", "example", "value", "const"),
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}\\?[\"']?(?:\s{{0,8}}:?\s{{0,8}}\{{[^{{}}\0]{{0,400}}?(?<![\w-])(?:default(?:_?value)?|example|value|const)\\?\"?\s{{0,8}}[:=]\s{{0,8}}{TEXT}"
            rf"|:[ \t]{{0,8}}\n(?P<in>[ \t]{{1,40}})(?:[^\n\0]{{0,200}}\n(?P=in)){{0,12}}?(?:default|example|value|const):[ \t]{{1,8}}"
            r"[\"']?(?P<value_y>[^\s\"'`<>{}\[\]()\\]{6,512})[\"']?[ \t]{0,8}(?=\n|\Z|#)"
            rf"|(?P<of>,[ \t]{{0,3}}\\?[\"']?in\\?[\"']?:[^\n\0]{{0,200}}?|[ \t]{{0,8}}(?:\n[ \t]{{1,40}}[^\s\0-][^\n\0]{{0,120}}){{1,8}}?\n[ \t]{{1,40}})"
            rf"(?<![\w-])(?:default|example)\\?[\"']?:[ \t]{{0,3}}(?:{TEXT_X}|(?P<value_x>[^\s\"'`<>,{{}}\[\]()\\]{{6,200}})(?=[ \t]{{0,8}}[,}}\n]|\Z)))"
        ),
        example=('variable "db_pass', 'word" { default = "', 'q7Rx2Lv9!tB" }'),
        counter_example=('variable "db_password" { default = "changeme1" }',),
        confirm=_declared,
    ),
    Detector(
        id="parted-secret",
        kind=Kind.SECRET,
        why="The strings, put together, are secret because of the name.",
        keywords=WORDS,
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}\\?[\"'`]?\]?[ \t]{{0,8}}(?:"
            rf"(?:[:?]?=|:|=>|,)[ \t\n]{{0,20}}(?:(?:[\"']{{2}}\.join|concat(?:_ws)?|paste0|strings\.Join|String\.Concat|implode)?[ \t]{{0,3}}\(?[\[{{(]|\[\](?:string|byte)\{{)[ \t\n]{{0,20}}(?:[\"']{{2}},[ \t\n]{{0,20}})?"
            r"[\"'](?P<value>[^\"'\n\0]{1,200}(?:[\"'],[ \t\n]{0,40}[\"'][^\"'\n\0]{1,200}){1,20})[\"'][ \t\n]{0,20}(?:\)|\]\)|\]\.join|\}, ?[\"']{2}\))"
            rf"|(?:[:?]?=)[ \t]{{0,8}}[\"'](?P<value_b>[^\"'\n\0]{{1,200}}[\"'];?[ \t]{{0,8}}\n[ \t]{{0,40}}[\w.$@]{{0,60}}?(?P=key)\w{{0,20}}[ \t]{{0,8}}(?:[+.]=|<<|=[ \t]{{0,8}}[\w.$@]{{1,60}}[ \t]{{0,8}}[+.])[ \t]{{0,8}}[\"'][^\"'\n\0]{{1,200}})[\"'])"
        ),
        example=("pass", 'word = "".join(["q7Rx', '2", "Lv9!tB"])'),
        counter_example=('password = "".join(["change", "me1"])',),
        confirm=_parted,
    ),
    Detector(
        id="secret-argument",
        kind=Kind.SECRET,
        why="The option or the instruction in front of the value says that it is secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=rf"(?i){NAME_END}[ \t]{{1,8}}(?:{TEXT}|{BARE})",
        example=("orders --db-pass", "word ", "q7Rx2Lv9!tB"),
        counter_example=("ENV DB_PASSWORD $PASSWORD",),
        confirm=_instruction_argument,
    ),
    Detector(
        id="secret-call",
        kind=Kind.SECRET,
        why="The method's name says that its argument is secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=rf"(?i){NAME_END}\w{{0,20}}\([ \t]{{0,3}}{TEXT}",
        example=("login.setPass", 'word("', 'q7Rx2Lv9!tB")'),
        counter_example=('login.setPassword("changeme1")',),
        confirm=_call,
    ),
    Detector(
        id="named-secret",
        kind=Kind.SECRET,
        why="A name that stands apart from its value says that the value is secret.",
        keywords=WORDS,
        starts=STARTS,
        expression=(
            rf"(?i){NAME_END}(?:\\?[\"']?{_GAP}{_TYPE_MEMBER}{_MEMBER}(?:{TEXT}|{BARE})"
            rf"|(?:[\"'][^<>\n\0]{{0,80}}>(?:\s{{0,20}}<value>)?|</key>\s{{0,20}}<(?:string|data)>)\s{{0,20}}{_XML_TEXT}\s{{0,20}}</"
            r"|[\"'](?:;[^\n\0]{0,80})?\n\n(?P<value_f>[^\s\0]{6,512}))"
        ),
        example=("name: DB_PASS", "WORD\n  value: ", "q7Rx2Lv9!tB"),
        counter_example=('{"name": "password", "value": "string"}',),
        confirm=_member,
    ),
    Detector(
        id="named-secret-after",
        kind=Kind.SECRET,
        why="The name behind the value says that it is secret.",
        keywords=WORDS,
        starts=('value"', "value'", 'value\\"'),
        expression=(
            rf"(?i)value\\?[\"'][ \t]{{0,3}}:[ \t]{{0,3}}{TEXT}{_GAP}\\?[\"'](?:key|name)\\?[\"'][ \t]{{0,3}}:[ \t]{{0,3}}\\?[\"']"
            rf"[\w.-]{{0,40}}?{NAME_END}\\?[\"']"
        ),
        example=('"value": "q7Rx', '2Lv9!tB", "key": "pass', 'word"'),
        counter_example=('"value": "string", "key": "password"',),
        confirm=_reversed,
    ),
)


def is_keyed_secret(text: str) -> bool:
    """True when the text holds a name and a value that is secret because of that name."""
    return any(map(keyed, KEYED[0].pattern.finditer(text)))


# Other ways to write a secret down: elements, command lines, signed links, encoded pairs, words of a phrase.


_NAMES: Final = ("password", "passwort", "passwd", "secret", "token", "api_key", "apikey", "pwd=")
_SAYING: Final = 2
"""So many words about passwords make a sentence of a text."""
_COMMON: Final = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "for",
        "to",
        "is",
        "are",
        "used",
        "your",
        "that",
        "this",
        "which",
        "with",
        "or",
        "and",
        "must",
        "be",
        "by",
        "in",
        "on",
    ]
)


def _fragments() -> tuple[str, ...]:
    """What the names of secrets look like inside base64, at each of the three alignments, in lower case."""
    found: set[str] = set()
    for name in _NAMES:
        for written in (name, name.upper(), name.capitalize()):
            for shift in range(3):
                whole = base64.b64encode(b"\0" * shift + written.encode()).decode().rstrip("=")
                kept = whole[(0, 2, 3)[shift] : (shift + len(written)) * 8 // 6]
                found.add(kept[:8].lower())
    return tuple(sorted(found))


_ENCODED: Final = _fragments()


def _pair(match: re.Match[str]) -> bool:
    value = match["value"].translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4)).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return False
    return is_keyed_secret(plain)


def _login(match: re.Match[str]) -> bool:
    password = match["value"].partition(":")[2]
    return not stands_in(password) and password.lower() not in DUMMY and password[:1] not in "<$%{"


def is_given(value: str) -> bool:
    """True for a password where only passwords stand: no variable, no option, no placeholder, no word of a manual."""
    if value[:1] in "<$%{([-/" or value.lower() in DUMMY or stands_in(value) or len(value) < 4:
        return False
    mixed = any(map(str.isdigit, value)) or (value != value.lower() and value != value.upper())
    return mixed or is_chosen(value, Admitted.ALL)


def _command_argument(match: re.Match[str]) -> bool:
    value = match["value"]
    return is_given(value)


def _signature(match: re.Match[str]) -> bool:
    return opaque(unquote(match["value"]))


def _element(match: re.Match[str]) -> bool:
    return is_keyed_secret(f"{match['key']}: '{match['value']}'")


def _phrase(match: re.Match[str]) -> bool:
    words = match["value"].split()
    return (
        len(words) >= 3
        and all(map(str.islower, words))
        and not _COMMON & set(words)
        and not stands_in(match["value"])
        and len(SAID.intersection(words)) < _SAYING
    )


FORMS: Final[tuple[Detector, ...]] = (
    Detector(
        id="secret-element",
        kind=Kind.SECRET,
        why="The element's name says that its text is secret.",
        keywords=("</",),
        starts=("<",),
        expression=(
            rf"(?i)<(?:[\w.-]{{1,40}}:)?(?P<key>[\w.-]{{0,40}}?(?:{KEY}){SUFFIX})"
            r"(?:\s[^<>\n\0]{0,200})?>\s{0,20}(?:<!\[CDATA\[)?(?P<value>[^<>\s\[\]]{6,512})\s{0,20}(?:\]\]>)?</"
        ),
        example=("<db:pass", "word>q7Rx2Lv9!", "tB</db:password>"),
        counter_example=("<password>SYNTHETIC-PASSWORD</password>",),
        confirm=_element,
    ),
    Detector(
        id="secret-phrase",
        kind=Kind.SECRET,
        why="The words of a passphrase open what it locks.",
        keywords=("passphrase", "pass phrase", "pass-phrase", "pass_phrase"),
        starts=("passphrase", "pass phrase", "pass-phrase", "pass_phrase"),
        named=True,
        expression=(
            r"(?i)pass[ _-]?phrase\\?[\"']?[ \t]{0,8}[:=][ \t]{0,8}\\?[\"']?"
            r"(?P<value>[a-z]{2,20}(?:[ -][a-z0-9]{2,20}){2,11})(?=\s{0,4}(?:[\\\"'\n,;}]|\Z))"
        ),
        example=("passphrase: correct", " horse battery staple"),
        counter_example=("passphrase: the words that open the key",),
        confirm=_phrase,
    ),
    Detector(
        id="curl-login",
        kind=Kind.CREDENTIAL,
        why="The command line holds a user name and a password.",
        keywords=("curl ",),
        starts=("curl ",),
        expression=(
            r"curl (?:[^\n]{0,200}? )??(?:-u|--user|--proxy-user)[ =]?\\?[\"']?"
            r"(?P<value>[^\s:\"'\\]{1,80}:[^\s\"'`\\]{3,200})"
        ),
        example=("curl -u orders:", "q7Rx2Lv9tB https://api.example.com"),
        counter_example=("curl -u user:password https://api.example.com",),
        confirm=_login,
    ),
    Detector(
        id="sql-login",
        kind=Kind.CREDENTIAL,
        why="The command line holds the password of a database.",
        keywords=("mysql", "mariadb"),
        starts=("mysql", "mariadb"),
        expression=(
            r"(?:mysql|mariadb)[a-z-]{0,12}[\"']?,? (?:[^\n]{0,120}?[ \"'])??-p\\?[\"']?"
            r"(?P<value>[^\s\"'\\-][^\s\"'`\\]{3,100})"
        ),
        example=("mysql -uroot -p", "q7Rx2Lv9tB orders"),
        counter_example=("mysql -uroot -p orders",),
        confirm=_command_argument,
    ),
    Detector(
        id="tool-password",
        kind=Kind.CREDENTIAL,
        why="The command line holds the password of a tool.",
        keywords=("sshpass", "redis-cli", "ldap", "securestring", "identified by ", "identified with "),
        starts=("sshpass", "redis-cli", "ldap", "securestring", "identified by ", "identified with "),
        expression=(
            r"(?i)(?:sshpass -p[ ]?|redis-cli (?:[^\n]{0,120}? )??-a |ldap[a-z]{3,12} (?:[^\n]{0,200}? )??-w |securestring (?:-string )?(?=\\?[\"'])"
            r"|identified (?:with [\w']{1,60} )?by (?=\\?[\"']))\\?[\"']?(?P<value>[^\s\"'`\\]{6,200})"
        ),
        example=("sshpass -p ", "q7Rx2Lv9tB ssh orders"),
        counter_example=("redis-cli -a $REDIS_PASSWORD PING",),
        confirm=_command_argument,
    ),
    Detector(
        id="signed-link",
        kind=Kind.TOKEN,
        why="The signature in the link lets anyone in who has it.",
        keywords=("sig=", "signature="),
        starts=("sig=", "signature="),
        expression=r"(?i)(?:(?<=[?&;])|(?<=-)|(?<=[, ]))sig(?:nature)?=(?P<value>[A-Za-z0-9%+/_=-]{20,1024})",
        example=("https://store.example/a?se=1&si", "g=9f3a7c1e5b2d8046", "af17c3e95d20b864"),
        counter_example=("https://store.example/a?sig=SYNTHETIC-SIGNATURE-1234",),
        confirm=_signature,
    ),
    Detector(
        id="encoded-pair",
        kind=Kind.SECRET,
        why="The base64 text holds a name that says that its value is secret.",
        keywords=_ENCODED,
        starts=_ENCODED,
        back=r"[A-Za-z0-9+/_-]{1,400}",
        expression=r"(?P<value>[A-Za-z0-9+/_-]{16,4096}={0,2})",
        example=("cGFzc3dvcmQ9cTdS", "eDJMdjl0QjE="),
        counter_example=("cGFzc3dvcmQ9U1lOVEhF", "VElDLVBBU1NXT1JE"),
        confirm=_pair,
    ),
)
