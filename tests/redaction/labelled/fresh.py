"""What a fresh reader of the redactor asked: ordinary words as passwords where a name decides, and the words that stay."""

# ruff: noqa: E501

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import HEX, LOWER, Case, Maker

_TITLED: Final = ("Hamburger", "Sunshine", "Brombeere", "Eichhorn", "Knoblauch", "Dragonfly")
_LOWER: Final = ("monkeys", "leuchtturm", "brombeere", "hagebutte", "sunflower")
_ACCENTED: Final = ("löwenzahn", "Jalapeñoso", "brûléecrème", "øresundbro", "äpfelchen")
_NUMBERED: Final = ("leuchtturm99", "Hunter2fish", "Wasserfall9", "Sommerwind22", "Kirsche2024")
_PHRASES: Final = ("lange nacht im wald", "three green boats sail", "Regen fiel auf Dach", "kein hund bellt heute")

TITLED: Final[dict[str, str]] = {
    "call": "login(password='{v}')\n",
    "assignment": "password = '{v}'\n",
    "json": '{{\n  "password": "{v}",\n  "user": "kim"\n}}\n',
    "sql function": "UPDATE users SET pw = PASSWORD('{v}');\n",
    "php": "$dbpass = '{v}';\n",
    "environ": "os.environ['DB_PASSWORD'] = '{v}'\n",
    "ini, tabs": "[db]\npassword\t=\t{v}\n",
    "ini": "[smtp]\npassword = {v}\n",
    "table": "| user | password |\n|---|---|\n| kim | {v} |\n",
    "shell": "DB_PASSWORD={v}\n",
    "parameter in flow": "parameters:\n- {{name: password, in: query, schema: {{type: string, default: {v}}}}}\n",
    "parameter in json": '{{"name": "password", "in": "query", "schema": {{"type": "string", "example": "{v}"}}}}\n',
    "parameter in blocks": "- name: password\n  in: query\n  schema:\n    type: string\n    default: {v}\n",
    "java": 'String password = "{v}";\n',
    "ruby": "password: '{v}',\n",
    "typescript": 'const adminPassword: string = "{v}";\n',
}
LOWER_WORDS: Final[dict[str, str]] = {
    "yaml": "password: {v}\n",
    "env": "DB_PASSWORD={v}\n",
    "helm": "helm install x ./x --set db.password={v},db.user=a\n",
    "helm, last": "helm upgrade x ./x --set db.user=a,db.password={v}\n",
    "prompt": "Password for bob: {v}\n",
}
ACCENTED: Final[dict[str, str]] = {
    "jdbc": "jdbc:postgresql://db/x?user=a&password={v}\n",
    "yaml": "db:\n  user: kim\n  password: {v}\n",
    "quoted": 'password = "{v}"\n',
    "env": "DB_PASSWORD={v}\n",
}
NUMBERED: Final[dict[str, str]] = {
    "next line": "password\n{v}\n",
    "sentence": "my password is {v}\n",
    "java string": 'String pw = new String("{v}");\n',
    "account and password": "root / {v}\n",
    "prompt": "Password for bob: {v}\n",
}
PHRASES: Final[dict[str, str]] = {
    "gpg": "gpg --passphrase '{v}' -d x\n",
    "gpg, batch": 'gpg --batch --passphrase "{v}" -c x\n',
    "ssh-keygen": "ssh-keygen -t ed25519 -N '{v}' -f k\n",
}
COMMANDS: Final[dict[str, str]] = {
    "ssh-keygen": "ssh-keygen -N '{v}' -f k\n",
    "ssh-keygen -P": 'ssh-keygen -p -P "{v}" -f k\n',
}
TOKENS: Final[dict[str, str]] = {
    "header in two strings": "{{'Authorization': 'Bearer ' + '{t}'}}\n",
    "header in two strings, go": 'req.Header.Set("Authorization", "Bearer "+"{t}")\n',
    "htpasswd, sha": "bob:{{SHA}}{s}\n",
    "htpasswd, ssha": "bob:{{SSHA}}{s}\n",
    "digest": 'Authorization: Digest username="a", realm="r", nonce="n", uri="/", response="{h}"\n',
    "webhook": "https://outlook.office.com/webhook/{u}@{u}/IncomingWebhook/{h}/{u}\n",
    "webhook, tenant": "https://acme.webhook.office.com/webhookb2/{u}@{u}/IncomingWebhook/{h}/{u}\n",
}
PASSING: Final[dict[str, str]] = {
    "labels": '{"password": "Password", "passwd": "Kennwort", "pwd": "Required"}\n',
    "label": "label: Passwort\npassword: Passwort\n",
    "types": "password: Optional\npassword: String\n",
    "schemes": '{"token": "Bearer", "password": "Basic"}\n',
    "title": "Password: Reset\npassword: Reset\n",
    "state": "password: invalid\npassword: Invalid\n",
    "catalogue, es": '{"password": "Contraseña"}\n',
    "catalogue, de": '{"password": "Passwort", "passphrase": "Kennwort"}\n',
    "catalogue, more": '{"password": "Wachtwoord", "pwd": "Heslo"}\n{"password": "Senha"}\n{"password": "Parola"}\n{"password": "Adgangskode"}\n{"password": "Passord"}\n{"password": "Jelszó"}\n{"password": "Hasło"}\n{"password": "Lösenord"}\n',
    "catalogue, cyrillic": '{"password": "Пароль", "token": "Токен"}\n{"password": "パスワード"}\n{"password": "密码"}\n{"password": "Κωδικός"}\n',
    "states, quoted": "errors = {'password': 'Missing', 'pwd': 'Invalid'}\nstatus(password='Expired')\n",
    "kinds": "field(password='Hidden')\ninput(password='Visible')\n",
    "parameter": "parameters:\n- {name: password, in: query, schema: {type: string, default: string}}\n- {name: sort, in: query, schema: {type: string, default: ascending}}\n",
    "parameter in blocks": "- name: password\n  in: query\n  schema:\n    type: string\n    format: password\n- name: order\n  in: query\n  schema:\n    type: string\n    default: ascending\n",
    "helm": "helm install x ./x --set db.password=$PW,db.user=a\n",
    "gpg": "gpg --passphrase-file key.txt -d x\ngpg --passphrase \"$PASS\" -d x\n",
    "ssh-keygen": "ssh-keygen -N '' -f k\nssh-keygen -N \"$PASS\" -f k\nssh-keygen -t ed25519 -N <phrase>\n",
    "header": "{'Authorization': 'Bearer ' + token}\n{'Authorization': 'Bearer ' + 'SYNTHETIC-TOKEN'}\n",
    "digest": 'Authorization: Digest username="a", realm="r", response="<response>"\n',
    "webhook": "https://outlook.office.com/webhook/<id>\nhttps://outlook.office.com/mail/inbox\n",
    "prompt": "Password for bob: \nPassword for the account: required\nPassword for bob: missing\n",
    "next line": "password\nrequired\n\npassword\nThe password of the account.\n\npassword\nusername\n\ntoken\nsha256\n",
    "sentence": "my password is expired\nmy password is stored in KeePass2\nmy password is hashed with sha256\n",
    "slash": "root / admin\nadmin / user\nroot / 2024\nuser / sha256\nhttp://a.example/root / v2\nroot / python3\n",
    "string": 'String pw = new String("password");\nString pw = new String(chars);\n',
    "order number": "order 4539578763621486\nrow 4539578763621486 was read\n",
    "fiction": "call (555) 010-0100\nphone: (555) 555-0123\nphone: 555-0199\ntel: 206-555-0142\ncall (800) 555-0199\n",
}  # fmt: skip
_GROUPS: Final = (
    (TITLED, _TITLED),
    (LOWER_WORDS, _LOWER),
    (ACCENTED, _ACCENTED),
    (NUMBERED, _NUMBERED),
    (PHRASES, _PHRASES),
    (COMMANDS, _TITLED + _LOWER),
)


def fresh_cases(seed: int) -> Iterator[Case]:
    """Every form with each word, and the tokens with what a program drew."""
    for group, (forms, words) in enumerate(_GROUPS):
        for name, form in forms.items():
            for word in words:
                yield Case("everyday", f"fresh: {group} {name} {word}", form.format(v=word), word)
    for name, form in TOKENS.items():
        for turn in range(5):
            make = Maker(seed, "fresh", name, turn)
            drawn = {
                "t": make.of(LOWER, 18),
                "s": base64.b64encode(make.of(HEX, 40).encode()[:20]).decode(),
                "h": make.of(HEX, 32),
                "u": make.uuid(),
            }
            gone = next(drawn[mark] for mark in ("t", "s", "h") if f"{{{mark}}}" in form)
            yield Case("everyday", f"fresh: {name} {turn}", form.format(**drawn), gone)


def fresh_passing(seed: int) -> Iterator[Case]:
    """Each line that has to stay, by itself, and each text as a whole."""
    del seed
    for name, text in PASSING.items():
        yield Case("everyday words", f"fresh: {name}", text)
        for number, line in enumerate(text.splitlines()):
            yield Case("everyday words", f"fresh: {name} {number}", line)
