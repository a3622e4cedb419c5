"""Passwords that are letters alone: whether the place where such a text stands admits them, and whether it is one."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from evreview.redaction.detector import compiled
from evreview.redaction.detectors.plausible_passwords import said


class Admitted(Enum):
    """Which texts of letters alone may be a secret at a place.

    `NONE`: words and names stand there. `LONG`: only long ones in lower case, titles look alike. `LOWER`: those in
    lower case. `MIXED`: those in both cases too, no type stands there. `ALL`: whatever stands there is a value.
    """

    NONE = auto()
    LONG = auto()
    LOWER = auto()
    MIXED = auto()
    ALL = auto()


_LEAST: Final = 6
_MIXED: Final = 6
_LONG: Final = 10
_DIGITS: Final = 7
_TITLED: Final = r"[A-Z][a-z]{5,29}\Z"
_LABEL_WORDS: Final = """
    aanmelden adgangskode anmelden anmeldung ausstehend avaimet benutzer benutzername chiffre codeword contrasenha
    contrasenya enabled erforderlich facultatif falsch fehlt fuerte geheimnis geslo gespeichert giltig hemmelig
    inconnu indtast invalide jeton jetons kodeord konto lykilorð manquant modifier mudar nieuw obligatoire
    obrigatorio olvidada ongeldig optionnel oublié parol paroles parolo parool passord pflichtangabe pflichtfeld
    requerido requis richiesto sandi secreto segredo segreto sikkerhed slaptazodis sleutel toegangscode
    toegangssleutel unbekannt ungueltig vereist vergessen vergeten verlaufen verplicht wachtwoorden yeni zugangscode
    zugangsdaten zwingend
"""
_LABELS: Final = frozenset(_LABEL_WORDS.split())
"""What forms and states of other languages say beside the name of a password."""
_WORDS: Final = r"[a-z]{3,20}(?:[-_.][a-z]{3,20}){1,11}\Z"
_SHELL: Final = r"(?i)(?:^|[\s;&?\"'`|{/:,]|--?[\w.-]{0,60}=?|-[de] ?)[\w.-]{0,60}\Z"
_BEGINNING: Final = r"[ \t]{0,40}(?:[>#*|/;:$-]{1,3}|[-+] |\d{1,4}[.)]?)?[\s\"'{]{0,40}[\w.$-]{0,60}\Z"
_TITLE: Final = r"(?:\A|[\s\"'#>*-])(?=[A-Z][a-z])[\w ]{0,40}\Z"
_ENDS: Final = r"[ \t]{0,8}(?:[\n;\"'`|]|\\n|\\r|\r|#|//|</|\Z)"
_ARGUMENT: Final = r"\.|[ \t]{0,8}\n?[ \t]{0,40}[,)(\[]"
_OPEN: Final = r"[(,\[][ \t]{0,8}\n?[ \t]{0,40}[\w.]{0,60}\Z"
_NEAR: Final = 4_000
_DEFAULT: Final = r"\$\{[\w.-]{0,60}\Z"
_PAIR: Final = (
    r"(?i)(?<![\w])(?:user(?:[_ ]?name)?|login|account|e?mail|uid)[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?[\w.@-]{1,64}"
    r"[\"']?[ \t]{0,3}[,;/|&][ \t]{0,3}\Z"
)
"""An account, in front of its password."""
_HEADER: Final = r"(?:(?<![\w-])-H|--header)[ =]?\\?[\"'][\w-]{0,60}\Z"
"""The option of a command that sends a header."""
_MOUNTED: Final = r"(?i)(?:user(?:name)?|login|uid)=[\w.@-]{1,64},[\w.-]{0,20}\Z"
_SET: Final = r"(?<![\w-])--set(?:-string|-literal)?[ =]\S{0,200}\Z"
"""Values that `helm` is given, divided by commas."""
_BEFORE_PAIRS: Final = (
    r"[ \t]{0,40}(?:- )?(?:[\"']?[\w./@-]{1,60}[\"']?:[ \t]{1,8})?(?:\[[ \t]{0,3})?"
    r"(?:\{[^{}\n]{0,100}\},?[ \t]{0,3}){0,3}"
)
"""What stands in front of a mapping that is written on one line."""
_OWNED: Final = (
    r"(?i)[\s>*#-]{0,10}(?:(?:your|the|my|a|new|temporary|initial|current|first|admin|root|test|default)[ \t]){1,4}\Z"
)
_SETTING: Final = (
    r"(?i)[\s#-]{0,40}[\"']?[\w.]{0,40}?(?:user(?:_?name)?|login|host(?:_?name)?|port|e?mail|adapter|database|db(?:_?name)?|url"
    r"|server|driver|uid|account)[\"']?[ \t]{0,8}[:=][ \t]{0,8}[\"']?(?P<set>[a-z0-9/][\w.@:/-]{0,200})[\"']?,?[ \t]*\Z"
)
"""A line of a configuration that sets something beside the password."""
_TYPES: Final = frozenset(
    {"any", "bool", "boolean", "bytes", "char", "email", "field", "float", "int", "integer", "no", "none", "null",
     "number", "object", "optional", "required", "str", "string", "text", "true", "uri", "url", "uuid", "yes"}
)  # fmt: skip


def is_chosen(value: str, words: Admitted) -> bool:
    """True for a text without digits and signs, or of digits alone, that a person may have chosen as a password."""
    if words is Admitted.NONE or len(value) < _LEAST or not _western(value):
        return False
    if value.isdigit():
        return words is not Admitted.LONG and len(value) >= _DIGITS
    if not value.isalpha():
        return words is Admitted.ALL and len(value) >= _LONG and bool(compiled(_WORDS).match(value)) and not said(value)
    loose = words is not Admitted.ALL
    if said(value, loose=loose) or value.lower() in _LABELS:
        return False
    if words is Admitted.ALL:
        return True
    if value.islower():
        return words is not Admitted.LONG or len(value) >= _LONG
    return words is Admitted.MIXED and not value.isupper() and len(value) >= _MIXED


def _western(value: str) -> bool:
    """True for letters of the Latin alphabet; what other scripts write beside such a name is its translation."""
    return value.isascii() or all(char.isascii() or "\u00df" <= char <= "\u017f" for char in value.lower())


def unquoted(match: re.Match[str], group: str) -> Admitted:
    """What a place without quotation marks admits: a line of configuration or a command line more than code and prose.

    Args:
        match: of a name, a sign and a value.
        group: which of its groups holds the value.
    """
    text, start, end = match.string, match.start(), match.end(group)
    tie = text[match.end("key") : match.start(group)]
    line = text[max(text.rfind("\n", 0, start) + 1, start - 120) : start]
    if "=" in tie and ":" not in tie.replace(":=", "="):
        return _assigned(match, group, line, spaced=" " in tie or "\t" in tie)
    if ":" not in tie:
        return Admitted.NONE
    if compiled(_DEFAULT).search(line) and text[end : end + 1] == "}":
        return Admitted.NONE if match[group][0] == "?" else Admitted.MIXED
    if line.endswith("(") and text[end : end + 1] == ")":
        return Admitted.LONG
    if "|" in tie or ">" in tie:
        return Admitted.MIXED
    if not compiled(_ENDS).match(text, end):
        flow = text[end : end + 1] in ",}" and compiled(r"[{,][ \t]{0,3}[A-Z_]{0,60}\Z").search(line)
        if flow and compiled(r"[A-Z_]{6,60}\Z").search(line + match["key"]):
            return Admitted.MIXED
        return Admitted.LOWER if _is_pair(text, start, (match.start(group), end)) else Admitted.NONE
    return _told(line + match["key"], line, _beside(text, start, end))


def _is_pair(text: str, start: int, value: tuple[int, int]) -> bool:
    """True for a pair of a mapping in YAML on one line, `{user: bob, password: …}`, and for no object of code."""
    begin, stop = text.rfind("{", max(0, start - 200), start), text.find("}", value[1], value[1] + 200)
    if begin < 0 or stop < 0 or "\n" in text[begin:stop] or text[value[0] - 1] not in " \t":
        return False
    line = text[max(text.rfind("\n", 0, begin) + 1, begin - 120) : begin]
    if not compiled(_BEFORE_PAIRS).fullmatch(line) or compiled(r"\}[ \t]{0,3}(?:=|\)|=>|;)").match(text, stop):
        return False
    others = re.findall(r"[\w.-]{1,40}:[ \t]{1,3}[\"']?([^\s,{}\"']{1,80})", text[begin:start])
    kinds = [one for one in others if one.lower() in _TYPES or said(one)]
    return not kinds and not _elsewhere(text, *value)


def _told(named: str, line: str, beside: bool) -> Admitted:
    """What stands behind a colon at the end of a line."""
    if compiled(_BEGINNING).match(line):
        if compiled(_TITLE).search(named):
            return Admitted.LONG
        return Admitted.MIXED if beside or compiled(r"[A-Z_]{6,60}\Z").search(named) else Admitted.LOWER
    if compiled(_PAIR).search(line):
        return Admitted.MIXED
    if compiled(_HEADER).search(line):
        return Admitted.LOWER
    return Admitted.LONG if compiled(_OWNED).match(line) else Admitted.NONE


def _beside(text: str, start: int, end: int) -> bool:
    """True when the line before or behind sets something of the same connection."""
    begin = text.rfind("\n", 0, start)
    stop = text.find("\n", end)
    before = text[text.rfind("\n", max(0, begin - 300), begin) + 1 : begin] if begin > 0 else ""
    behind = text[stop + 1 : stop + 300].partition("\n")[0] if stop >= 0 else ""
    found = (compiled(_SETTING).match(line) for line in (before, behind))
    return any(match is not None and match["set"] not in _TYPES for match in found)


def _assigned(match: re.Match[str], group: str, line: str, *, spaced: bool) -> Admitted:
    """What stands behind `=`: without blanks a value of a shell, unless it is an argument of a call."""
    text, end = match.string, match.end(group)
    if compiled(_MOUNTED).search(line) or compiled(_SET).search(line):
        return Admitted.MIXED
    if compiled(_ARGUMENT).match(text, end) or compiled(_OPEN).search(
        text[max(0, match.start() - 160) : match.start()]
    ):
        return Admitted.NONE
    if spaced:
        alone = compiled(_BEGINNING).match(line) and compiled(_ENDS).match(text, end)
        if not alone or _elsewhere(text, match.start(group), end):
            return Admitted.NONE
        titled = compiled(_TITLED).match(match[group])
        return Admitted.MIXED if titled or _beside(text, match.start(), end) else Admitted.LOWER
    return Admitted.MIXED if compiled(_SHELL).search(line) else Admitted.NONE


def _elsewhere(text: str, start: int, end: int) -> bool:
    """True when the word stands near by once more, as a variable does."""
    word = rf"(?<![\w]){re.escape(text[start:end])}(?![\w])"
    around = text[max(0, start - _NEAR) : start] + "\n" + text[end : end + _NEAR]
    return re.search(word, around) is not None
