"""Texts in which nothing may change: titles, sentences, labels, schemas and code that name secrets and hold none."""

# ruff: noqa: E501

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import HEX, Case, Maker

_SUBJECTS: Final = ("Password", "password", "Token", "Secret", "API key", "Passphrase", "Credentials", "Client secret", "Access token")  # fmt: skip
_SAID: Final = (
    *("reset", "rotation", "refresh", "expiry", "recovery by mail", "required", "optional", "write-only", "read-only"),
    *("at least twelve characters", "none", "hashed with Argon2id", "OAuth2", "Base64", "SHA-256", "see below", "UTF-8"),
    *("rules and limits", "history", "strength", "complexity", "forgotten", "changed by the owner", "not logged"),
    *("lockout", "provisioning", "revocation", "introspection", "lifetime", "disabled", "deprecated", "same-origin"),
)  # fmt: skip
_WRITTEN: Final = ("{s}: {v}\n", "# {s}: {v}\n", "* {s}: {v}\n", "title: '{s}: {v}'\n", "**{s}:** {v}.\n", "| {s} | {v} |\n", "{s} - {v}\n")  # fmt: skip
_TYPES: Final = ("string", "str", "bytes", "String", "Optional[str]", "SecretStr", "Token", "boolean", "object", "AccessToken", "char[]", "Buffer", "TokenResponse")  # fmt: skip
_NAMES: Final = ("password", "newPassword", "confirm_password", "token", "refresh_token", "secret", "clientSecret", "api_key", "apiKey", "passphrase", "credentials")  # fmt: skip
_TYPED: Final = ("{n}: {t}\n", "{n}?: {t};\n", "    {n}: {t} = None\n", "public {t} {n};\n", "{n} {t} `json:\"{n}\"`\n", '{{"name": "{n}", "type": "{t}"}}\n', "| `{n}` | {t} | yes |\n", "{t} {n} = 3;\n")  # fmt: skip
_CODE: Final = (
    "password = getpass.getpass()\n",
    "def login(self, username, password=None):\n    return self.post(username, password=password)\n",
    "user = create(name=name, password=hashed, token=issued)\n",
    "self.password = password\nself._token = token\n",
    "if password == confirmation:\n    accept(password)\n",
    "const { password, token } = req.body;\nlogin({ user, password: entered });\n",
    "password: this.form.get('password').value,\n",
    "token = lexer.next()\nwhile token.kind != END:\n    token = lexer.next()\n",
    'tokens = {"token": "COMMA", "other": "IDENT"}\n',
    '<input type="password" name="password" id="password-input" autocomplete="current-password">\n',
    '<label for="token">Token</label>\n',
    "fetch(url, { credentials: 'include' })\nfetch(url, { credentials: 'same-origin' })\n",
    'help="the password of the account"\n',
    'parser.add_argument("--password", help="asked for when not given")\n',
    'parser.add_argument("--token-file", default="tokens.json")\n',
    'PASSWORD_FIELD = "password"\nTOKEN_HEADER = "X-Auth-Token"\nSECRET_NAME = "orders-credentials"\n',
    "raise InvalidPassword('password', 'too short')\n",
    'password_hash = hash_password(password)\nsecret = hmac.new(key, body, "sha256")\n',
    "CREATE TABLE users (id int, password varchar(255) NOT NULL, token text);\n",
    "SELECT id, password FROM users WHERE password = $1;\n",
    "INSERT INTO users (name, password) VALUES (%s, %s);\n",
    "INSERT INTO users (name, password) VALUES (:name, crypt(:password, gen_salt('bf')));\n",
    "name,password,role\n<name>,<password>,<role>\n",
    "field,type,description\npassword,string,what the user types\n",
    "docker login -u $USER -p $REGISTRY_PASSWORD registry.example.com\n",
    "mysql -u root -p orders < dump.sql\n",
    "docker run -p 8080:80 -e PASSWORD orders\n",
    "tool --password-file pw.txt --token-ttl 3600 --secret-name orders\n",
    "Use --password to give it, or --token instead.\n",
    "curl -u \"$USER:$PASSWORD\" https://api.example.com\n",
    "htpasswd -c users.htpasswd kim\n",
    "net use is a command of Windows; net user shows accounts\n",
    "from orders.internal.secrets import token\nimport acme.corp.tokens\n",
    "class PasswordResetView(View):\n    template_name = 'registration/password_reset.html'\n",
    'x = "a" + "b"\ny = ("long text about the password "\n     "that goes on here")\n',
    "msg = 'The token ' + 'is required'\n",
    "session: the open connection\nsession_id: string\nsessionStorage: unused\n",
    "auth: basic\nauth: {type: oauth2}\nauth=('user', 'password')\n",
    "kind: Secret\nmetadata:\n  name: orders-db\ntype: Opaque\n",
    "kind: Secret\nstringData:\n  login: ${LOGIN}\n  password: <password>\n",
    "org.apache.kafka.KafkaException is raised, and java.io.IOException.\n",
    "The header is `Authorization: Bearer <token>`; tokens are opaque strings.\n",
    "-----BEGIN CERTIFICATE REQUEST-----\nMIIBIjANBgkq\n-----END CERTIFICATE REQUEST-----\n",
    "Write -----BEGIN PUBLIC KEY----- first, the private one stays at home.\n",
)  # fmt: skip


def sentence_cases(seed: int) -> Iterator[Case]:
    """Each text by itself, and in JSON as a description; the subjects take turns."""
    turn = 0
    for written in _WRITTEN:
        for said in _SAID:
            text = written.format(s=_SUBJECTS[turn % len(_SUBJECTS)], v=said)
            yield from _both(f"said {turn}", text)
            turn += 1
    for number, typed in enumerate(_TYPED):
        for at, kind in enumerate(_TYPES):
            name = _NAMES[(number * 5 + at) % len(_NAMES)]
            yield from _both(f"typed {number} {at}", typed.format(n=name, t=kind))
    for number, text in enumerate(_CODE):
        yield from _both(f"code {number}", text)
    for number in range(8):
        make = Maker(seed, "sentences", number)
        kind = make.pick("api_key_id", "token_id", "secretId", "credential-id", "client_secret_id", "access_key_id")
        yield from _both(f"identifier {number}", f"{kind}: {make.uuid()}\n")
        yield from _both(f"digest {number}", f"{make.of(HEX, 64)}  tokens-{number}.tar.gz\n")


def _both(name: str, text: str) -> Iterator[Case]:
    yield Case("sentences", name, text)
    yield Case("sentences", f"{name}, in json", json.dumps({"description": text}))
