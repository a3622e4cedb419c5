"""Passwords whose place says what they are, whatever they look like.

`LOGINS`: what a command, a call or a statement takes. `PAIRS`: an account with its password beside it.
"""

# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.detectors.named_secrets import KEY, MIXTURE, TEXT, WORDS, is_given, is_value
from evreview.redaction.detectors.plausible_passwords import SAID, Admitted, is_chosen, said, stated
from evreview.redaction.placeholders import stands_in

GIVEN: Final = r"\\?[\"']?(?P<value>[^\s\"'`\\;|<>]{4,200})"
_REST: Final = r"(?:[^\n\0;|]{0,160}?[ \t])??"
WORD: Final = r"[^\s\"'`;|<>]{1,100}"
PLACED: Final = r"(?:[^(),\n\0{}\[\]\"']|\([^()\n\0]{0,80}\)|\{[^{}\n\0]{0,160}\}|\[[^\]\n\0]{0,80}\]|\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'){1,120}"
"""One argument of a call."""
QUOTED: Final = r"\\?[\"'](?P<value>[^\"'\\\n\0]{4,200})\\?[\"']"


def _given(match: re.Match[str]) -> bool:
    return is_given(match[value_group(match)])


def _array(match: re.Match[str]) -> bool:
    """True for a text that is made an array of characters where passwords and keys are read."""
    begin = match.string.rfind("\n", 0, match.start()) + 1
    line = match.string[max(begin, match.start() - 200) : match.end() + 100].partition("\n")[0]
    return compiled(r"(?i)pass|pwd|key|store|pbe|secret").search(line) is not None and is_given(match["value"])


def statement(match: re.Match[str]) -> bool:
    """True for what a person may have chosen as a password, at a place that only passwords take."""
    return is_value("password", match[value_group(match)], bare=False, words=Admitted.ALL)


def _default(match: re.Match[str]) -> bool:
    return is_value(match["key"], match[value_group(match)], bare=False, words=Admitted.ALL)


def _phrase(match: re.Match[str]) -> bool:
    """True for the pass phrase of a command, words with blanks between them too."""
    value = match[value_group(match)]
    words = value.lower().split()
    if len(words) < 2:
        return is_given(value)
    return (
        value[0] not in "<$%{([-/"
        and "$" not in value
        and not stands_in(value)
        and len(SAID & set(words)) < len(words) - 1
    )


def _person(match: re.Match[str]) -> bool:
    return is_value("password", match["value"], bare=True, words=Admitted.LOWER)


def mixture(match: re.Match[str]) -> bool:
    """True for letters and digits as people choose them, where a word alone may be the next name or title."""
    value = match["value"]
    told = compiled(MIXTURE).fullmatch(value) is not None and not compiled(_VERSION).fullmatch(value)
    return told and is_value("password", value, bare=True)


def numbered(value: str, *, one: bool = False) -> bool:
    """True for a word with a digit, as people choose passwords; no version, no type, no name of an algorithm.

    Args:
        value: the word.
        one: a place where one digit behind a word in lower case numbers nothing.
    """
    value = value.rstrip(".,;:!?)")
    if compiled(MIXTURE).fullmatch(value) is None or compiled(_PRODUCT if one else _VERSION).fullmatch(value):
        return False
    parts = compiled(r"[A-Za-z]{3,}").findall(value)
    words = not said(value) and not any(said(one) or one.lower() in SAID for one in parts)
    return words and compiled(_DATED).match(value) is None and is_value("password", value, bare=True)


def _below(match: re.Match[str]) -> bool:
    """True where nothing but marks and a word stands in the line in front of the name."""
    line = match.string[max(0, match.start() - 60) : match.start()].rpartition("\n")[2]
    return compiled(r"[\s#*>\0-]{0,20}(?:[\w-]{1,30} )?\Z").match(line) is not None and mixture(match)


def row(name: str, why: str, starts: tuple[str, ...], expression: str, *texts: str) -> Detector:
    """A detector of a password at a place that only passwords take; the last text is the counter-example."""
    return Detector(
        id=name,
        kind=Kind.CREDENTIAL,
        why=why,
        keywords=starts,
        starts=starts,
        expression=expression,
        example=texts[:-1],
        counter_example=texts[-1:],
        confirm=_given,
    )


_DATED: Final = r"(?i)(?:jan(?:uary)?|feb(?:ruary)?|march?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)[-_]?\d{1,4}\Z|[a-z]{1,12}(?:[-_][a-z]{1,12}){1,6}[-_]?\d{0,2}\Z"
"""A month, and several words of a name."""
_PRODUCT: Final = r"(?i:python|ubuntu|debian|windows|node|java|version|release|chapter|section|step)[-_]?\d{1,8}"
_VERSION: Final = rf"[a-z]{{1,20}}[-_]?\d|{_PRODUCT}"
"""What stands in lists beside names: products, chapters, one of several."""

LOGINS: Final[tuple[Detector, ...]] = (
    row(
        "login-command",
        "The option of the command that logs in is a password.",
        ("login ", "logon "),
        rf"(?i)(?<![\w-])(?:log[io]n {_REST}-p[ =]|(?<=docker |podman )login {_REST}-p){GIVEN}",
        "docker login -u orders -p ",
        "q7Rx2Lv9tB registry.example.com",
        "docker login -u orders -p $REGISTRY_PASSWORD",
    ),
    row(
        "store-password",
        "The command line holds the password of a database or a server.",
        (
            "mongo",
            "sqlcmd ",
            "bcp ",
            "ipmitool ",
            "unzip ",
            "zip ",
            "cqlsh ",
            "lftp ",
            "nodetool ",
            "clickhouse-client ",
            "influx ",
            "xfreerdp ",
            "wfreerdp ",
        ),
        rf"(?<![\w./-])(?:mongo(?:sh|dump|restore|import|export)? {_REST}-p[ =]|(?:sqlcmd|bcp|ipmitool|unzip|zip) {_REST}-P ?"
        rf"|lftp {_REST}-u {WORD}?,|cqlsh {_REST}-p |nodetool {_REST}-pw |influx {_REST}-password |[xw]freerdp {_REST}/p:){GIVEN}",
        "mongosh -u orders -p ",
        "q7Rx2Lv9tB orders",
        "sqlcmd -S db.example.com -P $DB_PASSWORD",
    ),
    row(
        "password-command",
        "The command sets the password that stands in it.",
        (
            "htpasswd ",
            "add_user ",
            "change_password ",
            "net user ",
            "net use ",
            "useradd ",
            "usermod ",
            "nmcli ",
            "rootpw ",
        ),
        rf"(?i)(?:htpasswd (?:-[acd-z]{{1,6}} ?(?:\d{{1,2}} )?){{0,4}}-[a-z]{{0,6}}b[a-z]{{0,6}} (?:-[a-z]{{1,6}} ?(?:\d{{1,2}} )?|\d{{1,2}} ){{0,4}}(?:{WORD} )??{WORD} (?=[^\s\0]{{1,200}}(?:\s*(?:$|\n|\0)|\\n| ?[|>;&]))"
        rf"|(?:add_user|change_password) {WORD} |net user {WORD} |net use {_REST}/user:{WORD} |net use (?:[a-z]:|\*) \S{{1,200}} (?!/)|(?:useradd|usermod) {_REST}-p "
        rf"|nmcli {_REST}password |rootpw (?:--plaintext )?){GIVEN}",
        "htpasswd -cb .htpasswd orders ",
        "q7Rx2Lv9tB\n",
        "htpasswd -c .htpasswd orders",
    ),
    row(
        "piped-password",
        "The line that is piped holds an account and its password.",
        ("chpasswd", "sudo "),
        r"(?:chpasswd(?: -\w{1,2}){0,3} ?<<<? ?\\?[\"']?[\w.-]{1,64}:|sudo (?:-[A-Za-z]{1,8} ){0,3}-[A-Za-z]{0,6}S[^\n<|\0]{0,120}<<< ?\\?[\"']?)(?P<value>[^\s\"'\\]{4,200})",
        "chpasswd <<< 'orders:",
        "q7Rx2Lv9tB'",
        "chpasswd < accounts.txt",
    ),
    row(
        "echoed-password",
        "The line that is piped holds an account and its password.",
        ("echo ", "printf "),
        r"(?:echo|printf)(?: -\w{1,2}| '%s(?:\\n)?')? \\?[\"']?(?:[\w.-]{1,64}:(?P<value>[^\s\"'\\|]{4,200})(?:\\n)?\\?[\"']? ?\| ?(?:sudo )?(?:[\w/]{0,20}/)?(?:chpasswd|curl|ftp)"
        r"|(?P<value_b>[^\s\"'\\|]{4,200})(?:\\n)?\\?[\"']? ?\| ?[^\n|\0]{0,160}?(?:-stdin|sudo (?:-[A-Za-z]{1,8} ){0,3}-[A-Za-z]{0,6}S|secret create|(?:-passin|-pass) stdin))",
        "echo 'orders:",
        "q7Rx2Lv9tB' | chpasswd",
        "echo 'orders:$PASSWORD' | chpasswd",
    ),
    row(
        "pass-phrase-source",
        "The command line holds the pass phrase of a key or of an archive.",
        ("-pass", "7z ", "smbclient ", "snmp", "http -a ", "https -a "),
        rf"(?:-pass(?:in|out)?(?: |=|[\"'], ?[\"'])?[\"']?pass:|7z [a-z] (?:[^\n\0]{{0,80}} )??-p|smbclient {_REST}-U ?\\?[\"']?{WORD}?%|snmp\w{{3,8}} {_REST}-[AX] |https? -a [\w.@-]{{1,64}}:){GIVEN}",
        "openssl rsa -in a.key -passin pass:",
        "q7Rx2Lv9tB",
        "openssl rsa -in a.key -passin pass:$PASS",
    ),
    replace(
        row(
            "quoted-pass-phrase",
            "The option of the command is the pass phrase of a key.",
            ("--passphrase", "ssh-keygen "),
            rf"(?:(?<![\w-])--passphrase[ =]|ssh-keygen {_REST}-[NP] ?)\\?(?:\"(?P<value>[^\"\\\n\0]{{5,200}})\\?\"|'(?P<value_b>[^'\\\n\0]{{5,200}})')",
            "ssh-keygen -N '",
            "q7Rx2Lv9tB' -f k",
            "ssh-keygen -N '' -f k",
        ),
        confirm=_phrase,
    ),
    replace(
        row(
            "prompted-password",
            "What stands behind the prompt was typed there.",
            ("password for ", "passphrase for "),
            r"(?i)(?<![\w-])pass(?:word|phrase) for [\w.@/\"'-]{1,100}:[ \t]{1,3}(?P<value>[^\s\"'`\\<>\[\]()]{6,200})(?=[ \t]{0,8}(?:\n|\\n|\Z))",
            "Password for orders: ",
            "q7Rx2Lv9tB\n",
            "Password for orders: $PASSWORD",
        ),
        confirm=_person,
    ),
    replace(
        row(
            "password-below",
            "The line above is the name of a password.",
            ("password\n", "passwort\n", "kennwort\n", "passphrase\n", "password:\n", "passwort:\n", "kennwort:\n"),
            r"(?i)(?<![\w.-])(?:passwor[dt]|kennwort|passphrase):?\n[ \t]{0,8}(?P<value>[^\s\"'`\\<>\[\](){}|,;=]{8,64})(?=[ \t]{0,8}(?:\n|\Z))",
            "password\n",
            "Kirsche2024\n",
            "password\nusername\n",
        ),
        confirm=_below,
    ),
    replace(
        row(
            "account-and-password",
            "Behind the name of an account stands its password.",
            ("root", "admin", "postgres", "guest"),
            r"(?i)(?:(?<=\n)|(?<![^\0])|(?<=: )|(?<=\()|(?<=[*-] )|(?<=`))(?:root|admin(?:istrator)?|postgres|guest)[ \t]{1,3}/[ \t]{1,3}"
            r"(?P<value>[^\s\"'`\\<>\[\](){}|,;=/.]{8,64})(?=[ \t]{0,8}(?:\n|\Z|[.,;)`]))",
            "\nroot / ",
            "Kirsche2024\n",
            "root / username",
        ),
        confirm=mixture,
    ),
    row(
        "cipher-password",
        "The command line holds the pass phrase of a file.",
        ("openssl enc ", "openssl aes-", "openssl des"),
        rf"openssl (?:enc|aes-[\w-]{{1,20}}|des\w{{0,3}}) {_REST}-k[ =]{GIVEN}",
        "openssl enc -aes-256-cbc -in a -k ",
        "q7Rx2Lv9tB",
        "openssl enc -aes-256-cbc -in a -k $PASS",
    ),
    row(
        "password-directive",
        "The directive of the configuration takes a password.",
        (
            "bindpw",
            "requirepass",
            "masterauth",
            "rootpw",
            "masteruser",
            "sasl_password",
            "auth ",
            "user ",
            "username ",
            "login ",
        ),
        r"(?m)(?<![\w.-])(?:(?:(?i:bindpw|requirepass|masterauth|rootpw|masteruser-password|sasl_password)|AUTH [\w.@-]{1,64})[ \t]{1,8}"
        r"|(?:user(?:name)?|login)[ \t]{1,8}[\w.@-]{1,100}[ \t]*\n[ \t]*pass(?:word|wd)?[ \t]{1,8})\\?[\"']?(?P<value>[^\s\"'`\\;|<>]{4,200})\\?[\"']?(?=[ \t]*(?:$|\n|\\n|#))",
        "requirepass ",
        "q7Rx2Lv9tB",
        "requirepass <password>",
    ),
    row(
        "relay-password",
        "Behind the host stands the account that it asks for.",
        ("]:",),
        r"\]:(?:\d{2,5}|\w{2,12})[ \t]{1,8}[\w.@+-]{1,100}:(?P<value>[^\s:\"'`\\]{4,200})(?=\s|\Z|\\n)",
        "[mail.example.com]:587 orders@example.com:",
        "q7Rx2Lv9tB",
        "[mail.example.com]:587 orders@example.com:<password>",
    ),
    row(
        "connect-arguments",
        "The third argument of the call is the password of the account.",
        (
            "ftp(",
            "ftp_tls(",
            "connection(",
            "getconnection(",
            "pdo(",
            "mysqli",
            "sequelize(",
            "plainauth(",
            "create_user(",
            "create_superuser(",
            "createuser(",
        ),
        rf"(?:getConnection|(?<![\w])(?:FTP(?:_TLS)?|Connection)|PDO|mysqli(?:_(?:real_)?connect)?|Sequelize|PlainAuth|create_(?:super)?user|createUser)\(\s{{0,20}}{PLACED},\s{{0,20}}{PLACED},\s{{0,20}}(?:password=)?"
        + QUOTED,
        'getConnection(url, "orders", "',
        'q7Rx2Lv9tB")',
        'getConnection(url, "orders", "password")',
    ),
    Detector(
        id="password-array",
        kind=Kind.CREDENTIAL,
        why="Where keys are read, characters in an array are a password.",
        keywords=(".tochararray()",),
        starts=(".tochararray()",),
        back=r"\"[^\"\n]{4,200}\"",
        expression=r"\"(?P<value>[^\"\\\n]{4,200})\\?\"\.toCharArray\(\)",
        example=('keyStore.load(in, "', 'q7Rx2Lv9tB".toCharArray())'),
        counter_example=('for (char c : "q7Rx2Lv9tB".toCharArray())',),
        confirm=_array,
    ),
    Detector(
        id="asked-password",
        kind=Kind.CREDENTIAL,
        why="A script sends it when it is asked for a password.",
        keywords=("expect",),
        starts=("expect",),
        expression=(
            r"(?i)expect[ (]{1,3}[^\n\0]{0,40}(?:password|passphrase)[^\n\0]{0,20}\n[ \t]{0,20}(?:[\w.]{1,20}\.)?send(?:line)?[ (]{1,2}(?:-- )?\\?[\"']"
            r"(?P<value>[^\"'\\\n\0]{4,200})"
        ),
        example=('expect "password:"\nsend "', 'q7Rx2Lv9tB\\r"'),
        counter_example=('expect "password:"\nsend "$PASSWORD\\r"',),
        confirm=_given,
    ),
    row(
        "login-arguments",
        "The second argument of the call is the password of the first.",
        ("auth", "credential", "login(", "passwd(", "simple_bind", "synchronous_bind"),
        r"(?i)(?:(?:basic_?|digest_?|proxy_?|http_?)?auth(?:entication|enticate)?|network_?credentials?|(?:username_?)?(?:password_?)?credentials?|(?<=\.)log_?in|(?<=\.)(?:simple|synchronous)_bind(?:_s)?)\\?[\"']?"
        r"[ \t]{0,3}[:=]?[ \t]{0,3}(?:new )?[A-Za-z.]{0,40}(?:[(\[]|(?<=auth ))[ \t]{0,3}(?:\w{1,12}[=:] ?)?\\?[\"'][\w.@ =,-]{1,64}\\?[\"'][ \t]{0,3},[ \t]{0,8}(?:\w{1,12}[=:] ?)?"
        + QUOTED,
        'session.auth = ("orders", "',
        'q7Rx2Lv9tB")',
        'session.auth = ("user", "password")',
    ),
    Detector(
        id="sql-password",
        kind=Kind.CREDENTIAL,
        why="The statement sets or compares the password of an account.",
        keywords=("password", "identified "),
        starts=(
            "password '",
            "password n'",
            "password('",
            "password (",
            "password for ",
            "identified by ",
            "passwd(",
            "create user ",
            "alter user ",
        ),
        expression=(
            r"(?i)passw(?:or)?d(?: ?\( ?|[ \t]{1,8}(?:for [^\n=\0]{1,100}= ?(?:password ?\( ?)?)?)(?:old_)?n?'(?P<value>[^'\n\\]{4,200})'"
            r"|identified (?:with [\w']{1,60} )?by (?:password )?\\?['\"](?P<value_b>[^'\"\n\\]{4,200})\\?['\"]"
            r"|(?:create|alter) user [\w.\"$#]{1,100} identified by (?P<value_c>[\w$#!?]{4,100})"
        ),
        example=("ALTER ROLE orders PASS", "WORD 'q7Rx", "2Lv9tB'"),
        counter_example=("the field password 'required'",),
        confirm=statement,
    ),
    Detector(
        id="login-file",
        kind=Kind.CREDENTIAL,
        why="Behind machine and login stands the password.",
        keywords=("machine ", "machine\t", "default login "),
        starts=("machine ", "machine\t", "default login "),
        expression=(
            r"(?:machine\s{1,8}[^\s\0]{1,200}\s{1,40}(?:login\s{1,8}[^\s\0]{1,100}\s{1,40})?|default login [^\s\0]{1,100}\s{1,40})"
            r"(?:account \S{1,100}\s{1,40})?passw(?:or)?d\s{1,8}\\?\"?(?P<value>[^\s\"`\\\0]{3,200})"
        ),
        example=("machine api.example.com login orders pass", "word q7Rx", "2Lv9tB"),
        counter_example=("machine api.example.com login orders password <password>",),
        confirm=_given,
    ),
    Detector(
        id="password-default",
        kind=Kind.SECRET,
        why="The value that is taken when none is given is a secret too.",
        keywords=WORDS,
        starts=("pass", "pwd", "secret", "token", "api", "access", "private", "signing", "encryption", "credential"),
        expression=(
            rf"(?i)(?P<key>{KEY})(?:[_-]?(?:value|key|hash))?\\?[\"']?(?:[ \t]{{0,3}}[:=,][^\n\0]{{0,120}}?|[^\n\0=]{{0,60}}?[(,])[( \t,]"
            rf"(?:default|fallback|initial)(?:_value)?[ \t]{{0,3}}[=:][ \t]{{0,3}}{TEXT}"
        ),
        example=('add_argument("--pass', 'word", default="', 'q7Rx2Lv9!tB")'),
        counter_example=('add_argument("--password", default="changeme1")',),
        confirm=_default,
    ),
)


# An account with its password beside it: two options of a command, two words of a sentence, an address of a driver.


def _drawn(match: re.Match[str]) -> bool:
    """True for letters and a digit as people or programs choose them, and no word with a number."""
    cased = compiled(r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?![A-Z]?[a-z]+\d*\Z)\S{8,64}").fullmatch(match["value"])
    return mixture(match) or (cased is not None and is_value("password", match["value"], bare=True))


def _numbered(match: re.Match[str]) -> bool:
    return numbered(match["value"], one=True)


def _cell(match: re.Match[str]) -> bool:
    """True in a row of cells for a word with a digit, and for any word behind the account of an administrator."""
    line = match.string[max(0, match.start() - 100) : match.start()].rpartition("\n")[2].rpartition("\0")[2]
    sign, value = match["sign"], match["value"]
    before = [one.strip("`* ") for one in line.split(sign)]
    if sign == "|" and len(before) == 1:
        alone = compiled(r"[`\"' ]{0,8}(?:[\n\0]|\Z)").match(match.string, match.end("value"))
        return alone is not None and value.islower() and not stated(value) and is_chosen(value, Admitted.LONG)
    if before[-1] or (sign == "|" and len(before) < 2):
        return False
    if numbered(value, one=True) or (mixture(match) and not value.isalnum()):
        return True
    named = len(before) > 1 and before[-2].lower() in _ACCOUNTS
    return named and not stated(value) and is_chosen(value, Admitted.MIXED)


_ACCOUNTS: Final = frozenset({"admin", "administrator", "root", "postgres", "sa", "sysadmin", "superuser", "guest"})
PAIRS: Final[tuple[Detector, ...]] = (
    replace(
        row(
            "login-pair",
            "The options of the command give an account and its password.",
            (" -u ", " --user ", " --username "),
            rf"[ ](?:-u|--user(?:name)?)[ =]{WORD}[ \t]{{1,3}}-p[ ]{GIVEN}",
            "twine upload -u orders -p ",
            "q7Rx2Lv9tB dist/*",
            "twine upload -u __token__ -p $TOKEN dist/*",
        ),
        confirm=_drawn,
    ),
    replace(
        row(
            "told-login",
            "The words in front say that a name and a password follow.",
            ("credential", "creds", "login", "log in as"),
            r"(?i)(?<![\w-])(?:credentials?|creds|login|log in as)(?: (?:is|are|was|with))?:?[ \t]{1,3}[`\"']?[\w.@-]{1,64}[`\"']?"
            r"(?::|[ \t]?/[ \t]?)[`\"']?(?P<value>[^\s\"'`,;<>()\\]{8,64})",
            "creds: orders:",
            "q7Rx2Lv9tB",
            "login flow:redirect2",
        ),
        confirm=_drawn,
    ),
    replace(
        row(
            "driver-address",
            "The address of a database holds its password in front of the driver's network.",
            ("@tcp(", "@unix(", "@cloudsql("),
            r"(?<![\w.-])[\w.-]{1,64}:(?P<value>[^\s\"'`:@/\\]{4,100})@(?:tcp|unix|cloudsql)\(",
            "orders:",
            "q7Rx2Lv9tB@tcp(db.example.com:3306)/orders",
            "orders:$PASSWORD@tcp(db.example.com:3306)/orders",
        ),
        back=r"[^\s\"'`]{1,170}",
    ),
    replace(
        row(
            "login-object",
            "The class's name says that its second argument is a password.",
            ("passwordtoken(", "passwordcredential", "passwordauth"),
            rf"(?i)password(?:token|credentials?|auth(?:entication(?:token)?)?)\([ \t]{{0,3}}{PLACED},[ \t]{{0,3}}{QUOTED}",
            'new UsernamePasswordToken("kim", "',
            'q7Rx2Lv9tB")',
            'new UsernamePasswordToken("kim", password)',
        ),
        confirm=statement,
    ),
    replace(
        row(
            "cell-beside-name",
            "The cell in front of it says that it is a password.",
            ("passw", "pwd", "pw ", "pw\t", "pass ", "pass\t", "kennwort", "wachtwoord", "senha", "contrase"),
            r"(?i)(?<![\w-])(?:passw(?:or)?[dt]|passwd|pwd|pw|pass|kennwort|wachtwoord|senha|contrase(?:ñ|n)a)[`*]{0,2}[ ]{0,8}(?P<sign>[|\t])[ \t]{0,8}[`\"']?"
            r"(?P<value>[^\s\"'`\\<>\[\](){}|,;=]{6,64})[`\"']?(?=[ ]{0,8}(?:[|\t\n\0]|\Z))",
            "kim\tpassword\t",
            "Kirsche2024\n",
            "user_id\tpassword\trequired\n",
        ),
        confirm=_cell,
    ),
    replace(
        row(
            "account-then-password",
            "The words say that an account and its password follow.",
            ("user ", "username ", "login ", "account "),
            r"(?i)(?<![\w-])(?:user(?:name)?|login|account)[ \t]{1,3}[`\"']?[\w.@-]{1,64}[`\"']?,?[ \t]{1,3}(?:(?:with|and)[ \t]{1,3})?(?:pass(?:word|wd)?|pwd|pw)[ \t]{1,3}"
            r"[`\"']?(?P<value>[^\s\"'`\\<>\[\](){}|,;=/]{8,64})(?=[`\"',;)]|\s|\0|\Z)",
            "user kim pass ",
            "kirschbaum4",
            "user tests pass through",
        ),
        confirm=_numbered,
    ),
)
