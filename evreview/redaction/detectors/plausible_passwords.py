"""Texts of letters alone behind the name of a secret: which may be chosen passwords, which only speak of secrets."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from evreview.redaction.detector import compiled


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


# Words that stand behind the name of a secret and are none: what is said about passwords, kinds of values, fields.


_SAID_WORDS: Final = """
    a account an and are as at be by can case change characters confirm current default do does empty enter expired
    field for forgot from has have here if in incorrect invalid is it least login long match missing must name new
    no not of old on one only or passphrase password per please repeat required reset same secret set short should
    string strong that the this time to too used user users value was weak when which with wrong your
"""
SAID: Final = frozenset(_SAID_WORDS.split())
"""Words of sentences about passwords."""
_OTHER_WORDS: Final = """
    abort about absent accept accepted accepts access account accounts action active actual adapter added admin
    admins aes after again algorithm algorithms allowed allows alphanumeric already always another answer anything
    apikey applied argon argon2 argon2i argon2id argument arguments array ascii asked attempt attempts attribute
    auth authorization auto automatic available back backend balance base based basic bcrypt bearer before begin
    begins behind being below binary blake blake2b block blocked bloquear body bool boolean both bottom browser
    buffer button byte bytes cached callable caller cancel center change changed changes char checkbox checked child
    choose class classic clave clear cleared client clients closed code codes column comma comment comments common
    complete complex complexity config configured confirmed contains content context contrasena contraseña
    contraseñas cookie copied copy correct create created credential credentials crypt custom data database date
    decimal decode default defaults deleted deny deprecated dev development description detail details device dict
    digest digits disable disabled display documented domain double download dynamic each ed25519 editor either
    element email enable enabled encoded encoder encrypt encrypted encryption entered entry enum enumeration
    environment error errors es256 every everyone everything example exists expires expiry external extract factory
    failed failure false file filter first fixed flag flags float followed forbidden forced forget forgotten form
    format found frequency full function geheim general generate generated generator generic getter given global
    granted group guest handle handled handler hashed hasher hashes haslo hasło header headers helper heslo hidden
    hint hints history hmac holder hs256 http http2 https ident identifier ignore ignored image implicit import
    include includes index inherit initial input insecure inside instead integer internal issued issuer iterable
    itself jelszo jelszó json jwt kennung kennwort keychain keyring keyword label language last later layout ldap
    length letter letters level limit limits line list local locale locked lockout lookup losenord lowercase lozinka
    lösenord managed manager mandatory manual mapping marked masked matched maximum md5 means member memory message
    method minimum missing mixed mobile mode model module more motdepasse multiline multiple mutable native needed
    neither network never newline next none nonetype normal nothing nowhere ntlm null nullable number oauth oauth1
    oauth2 object obtained offline oidc okay online opaque open operator option optional options other otp owner
    owners page panel param parameter parameters parent parola parse parsed parser part partial passkey passwd
    passwords passwort passwörter path pattern payload pbkdf2 pem pending people permission pgp phone pkce pkcs12
    pkcs8 plain plaintext pointer policies policy popup position prefix present primary print printed private
    problem process prod production profile program prompt prompts properties property protected provided provider
    proxy public punctuation pydantic query quoted random range rather readonly received recover recovery redirect
    refresh refused regex registered reject rejected related remember remembered remote remove removed renew renewal
    renewed replace replaced report request requested requests require requires response result results retry return
    returned returns revoke revoked right role root rotate rotated rotating router rs256 rsa rule rules salasana
    salted saml saml2 sample saved schema scheme scope scram screen script scrypt search second secretstr security
    select selector send sender senha sensitive sent separator sequence serial server servers service session
    setting settings setup sha sha1 sha256 sha384 sha512 shared should show shown sifre sign signed signer silent
    simple single size skip smtp source space special specified ssh sso staging standard start starts state static
    status storage store stored strategy strength strict strings structure style subject submit subtype success
    suffix supplied support supported switch symbol symbols syntax system table target template temporary tenant
    test tester testing tests text than their then there these they thing third those through title tls together
    tokenizer tokens tooltip top totp trial true truncated trusted tuple type typed types u2f uint8array unchanged
    undefined union unique unit unknown unless unlocked unset until untyped update updated upper uppercase usage
    username using usually utf16 utf8 uuid uuid4 valid validated validator values varchar vault variable variant
    verified verifier verify version view visible void wachtwoord warning webhook where whether white whitespace
    whole whose widget will without word words wrapper write writer written x509 yes zero şifre
"""
_OTHER: Final = frozenset(_OTHER_WORDS.split())
"""Further words that stand alone behind such names in titles, schemas, forms, code and translations."""
_STATED_WORDS: Final = """
    absent across against alive already always another around asleep assumed before behind beneath beside between
    beyond better bigger broken brought bypassed careless caught chosen cleartext clearer closer coarse cracked
    crucial current custom decent different difficult doubtful driven during easier eight either elevated encoded
    enough entire equal essential ever exact extra familiar fancy faulty finally foreign fragile frequent fresh
    frozen further gibberish global greater hardly harmless hidden higher hinted hopeless idle identical ignored
    important inactive incomplete indeed inherent insecure inside instead intact junk kept larger leaked legacy
    lengthy lesser likely literal little locally longer looser lowest madness malformed maybe mentioned merely mine
    minor moot mostly narrow nearby nearly needless neither nobody nonsense nothing numeric obscure obsolete obvious
    occasionally often old-fashioned once optional orphaned otherwise outside overdue overly partly perhaps pinned
    plaintext pointless poor possibly precious predictable pretty private probably proper public purely quite
    rarely rather really redundant regular relevant reliable safer salted scary secondary secret secure seldom
    separate several shorter silly similar simpler simply slightly smaller somebody someone something sometimes
    somewhere soon special stale stolen stricter stronger stuck stupid sufficient superfluous surely synced tedious
    theirs thrown timeless together tough trivial twelve typical unchanged unclear uncommon unique unlike unlikely
    unsafe unsecure unsound useless vague vanished verbatim vital vulnerable weaker weird whatever within without
    worse worthless written yours ourselves yourself himself herself
    algorithm attribute biometric bytes consistent constant empty eternal garbage history inline legible nonempty
    obfuscated padding plain policy regex reusable salt session singular symmetric threshold transient
    falsch richtig sicher unsicher geheim leer nicht immer noch jetzt bereits bekannt ungültig gültig zwingend
    incorrecte valide vide secrète obligatoire requis invalide
    incorrecta obligatoria segura débil vacía
"""
_STATED: Final = frozenset(_STATED_WORDS.split())
"""What sentences say that a password is or where it is."""
_ENDING: Final = (
    r".{2,}(?:[ts]ion|[ts]ions|ments?|ness|ity|ities|ings?|[^e]ed|[ai]ble|[ae]nces?|less|ful|ous|[tsl]ive|ally|ary"
    r"|ory|isms?|ists?|ised|ized|izer|ator|ators|ically|ency|ancy"
    r"|time|name|word|code|line|out|back|size|type|list|file|link|data|base|mode)\Z"
)
"""How words of English end that name or describe something, and names of plants, animals and towns seldom do."""
_LONGEST: Final = 15
_PART: Final = r"[-_./ ]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_NAMING: Final = r"(?i)pass(?:w|phrase|code)|secret|token|credential|apikey|_key|username|string|placeholder|sample"


@lru_cache(maxsize=8192)
def said(value: str, *, loose: bool = True) -> bool:
    """True for a text of letters that speaks about secrets instead of being one: `required`, `write-only`, `userName`.

    Args:
        value: the text.
        loose: also by the ending alone; for places where words stand as often as values.
    """
    if compiled(_NAMING).search(value):
        return True
    return any(_word(part, loose) for part in re.split(_PART, value) if part)


def stated(value: str) -> bool:
    """True for a word that a sentence says of a password, behind `is`, instead of telling it."""
    lower = value.lower()
    return said(value) or lower in _STATED or lower.endswith(("ly", "ened", "ier", "iest", "ward", "wards", "wise"))


def _word(part: str, loose: bool) -> bool:
    lower = part.lower()
    if lower in SAID or lower in _OTHER or lower.removesuffix("s") in _OTHER:
        return True
    return loose and len(part) <= _LONGEST and compiled(_ENDING).match(lower) is not None
