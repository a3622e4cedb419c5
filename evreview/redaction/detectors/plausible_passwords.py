"""Words that stand behind the name of a secret and are none: what is said about passwords, kinds of values, fields."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from evreview.redaction.detector import compiled

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
