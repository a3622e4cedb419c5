"""Headers, connection strings, keys and signed tokens."""

from __future__ import annotations

import base64
import json
import textwrap
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import BASE64, HEX, LETTERS, URLSAFE, WORD, Case, Maker

HEADERS: Final = {
    "bearer": "Authorization: Bearer {v}\n",
    "bearer, lower case": "authorization: bearer {v}\r\nHost: a.example\r\n",
    "bearer, curl": 'curl -H "Authorization: Bearer {v}" https://api.example.com\n',
    "bearer, json": '{{"Authorization": "Bearer {v}"}}\n',
    "bearer, python": "headers={{'Authorization': 'Bearer {v}'}}\n",
    "bearer, prose": "It sent Bearer {v} each time.\n",
    "bearer, har": '{{"name": "Authorization", "value": "Bearer {v}"}}\n',
    "bearer, set": "request.set('Authorization', 'Bearer {v}')\n",
    "bearer, header call": '.header("Authorization", "Bearer {v}")\n',
    "token scheme": "Authorization: Token {v}\n",
    "token pair": 'Authorization: Token token="{v}"\n',
    "key scheme": "Authorization: ApiKey {v}\n",
    "okta scheme": "Authorization: SSWS {v}\n",
    "bare": "Authorization: {v}\n",
    "proxy": "Proxy-Authorization: Bearer {v}\n",
    "signature": "Authorization: AWS4-HMAC-SHA256 Credential=k/20261120/eu/s3/aws4_request, Signature={v}\n",
    "cookie": "Cookie: theme=dark; session={v}\n",
    "set-cookie": "Set-Cookie: SESSIONID={v}; Path=/; HttpOnly\n",
    "x-api-key": "X-API-Key: {v}\n",
    "api-key": "api-key: {v}\n",
    "x-auth-token": "X-Auth-Token: {v}\n",
    "x-access-token": "x-access-token: {v}\n",
    "x-amz-security-token": "X-Amz-Security-Token: {v}\n",
    "x-vault-token": "X-Vault-Token: {v}\n",
    "private-token": "PRIVATE-TOKEN: {v}\n",
    "x-goog-api-key": "x-goog-api-key: {v}\n",
    "subscription": "Ocp-Apim-Subscription-Key: {v}\n",
    "x-csrf-token": "X-CSRF-Token: {v}\n",
    "curl cookie": "curl -b 'sid={v}' https://api.example.com\n",
    "websocket": "Sec-WebSocket-Protocol: bearer, {v}\n",
    "header list": "[('x-api-key', '{v}')]\n",
}
CONNECTIONS: Final = {
    "ado.net": "Server=db.example.com;Database=orders;User Id=orders;Password={v};Encrypt=true\n",
    "ado.net, pwd": "Data Source=db.example.com;Initial Catalog=o;UID=orders;PWD={v};\n",
    "ado.net, quoted": 'connectionString="Server=db;User=o;Password={v}" providerName="x"\n',
    "odbc": "DRIVER={{ODBC Driver 18}};SERVER=db;UID=orders;PWD={{{v}}};\n",
    "jdbc, query": "jdbc:mysql://db.example.com/orders?user=orders&password={v}&ssl=true\n",
    "jdbc, semicolon": "jdbc:sqlserver://db.example.com:1433;user=orders;password={v};encrypt=true\n",
    "jdbc, oracle": "jdbc:oracle:thin:orders/{v}@//db.example.com:1521/orders\n",
    "jdbc, userinfo": "jdbc:postgresql://orders:{v}@db.example.com/orders\n",
    "oracle": "sqlplus orders/{v}@db.example.com\n",
    "libpq": "host=db.example.com user=orders password={v} dbname=orders\n",
    "libpq, quoted": "host=db user=orders password='{v}' sslmode=require\n",
    "pgpass": "db.example.com:5432:orders:orders:{v}\n",
    "postgres": "postgres://orders:{v}@db.example.com:5432/orders\n",
    "postgresql+driver": "postgresql+asyncpg://orders:{v}@db.example.com/orders\n",
    "mysql": 'DATABASE_URL="mysql://root:{v}@db.example.com/orders"\n',
    "mongodb": "mongodb://orders:{v}@db.example.com:27017/?authSource=admin\n",
    "mongodb+srv": "mongodb+srv://orders:{v}@cluster0.example.mongodb.net/orders\n",
    "redis": "redis://:{v}@cache.example.com:6379/0\n",
    "rediss": "rediss://default:{v}@cache.example.com:6380\n",
    "amqp": "amqp://orders:{v}@mq.example.com:5672/%2f\n",
    "amqps": "amqps://orders:{v}@mq.example.com\n",
    "nats": "nats://orders:{v}@mq.example.com:4222\n",
    "smtp": "smtps://orders:{v}@mail.example.com:465\n",
    "ftp": "ftp://orders:{v}@files.example.com/in\n",
    "ldap": "ldapsearch -x -D cn=admin -w {v} -b dc=example\n",
    "https": "https://orders:{v}@api.example.com/v1\n",
    "git token": "git clone https://x-access-token:{v}@git.example.com/a/b.git\n",
    "git, token alone": "git clone https://{v}@git.example.com/a/b.git\n",
    "sqlalchemy": 'create_engine("mssql+pyodbc://sa:{v}@db.example.com/orders")\n',
    "azure storage": "DefaultEndpointsProtocol=https;AccountName=orders;AccountKey={v}==;EndpointSuffix=x\n",
    "azure bus": "Endpoint=sb://o.example.com/;SharedAccessKeyName=root;SharedAccessKey={v}=\n",
    "azure sas": "https://o.example.com/c/a.csv?sv=2026-01-01&se=2026-12-01&sr=b&sp=r&sig={v}%3D\n",
    "sentry": "https://{v}@o17.ingest.example.com/4501\n",
    "kafka": 'PlainLoginModule required username="orders" password="{v}";\n',
    "redis-cli": "redis-cli -a {v} --tls\n",
    "rclone": "pass = {v}\n",
}


def header_cases(seed: int) -> Iterator[Case]:
    """Opaque values of two lengths in every header."""
    for name, template in HEADERS.items():
        for style, (alphabet, length) in enumerate(((URLSAFE, 43), (WORD, 24), (HEX, 40))):
            value = Maker(seed, name, style).of(alphabet, length)
            yield Case("headers", f"{name} {style}", template.format(v=value), value)
    for name in ("Authorization", "Proxy-Authorization"):
        plain = f"orders:{Maker(seed, name).of(WORD, 14)}"
        value = base64.b64encode(plain.encode()).decode()
        yield Case("headers", f"{name} basic", f"{name}: Basic {value}\n", value)


def connection_cases(seed: int) -> Iterator[Case]:
    """A drawn and a chosen password in every connection string."""
    for name, template in CONNECTIONS.items():
        for style in range(3):
            make = Maker(seed, name, style)
            alone = style == 1 and name.startswith(("git, token alone", "sentry", "azure"))
            chosen = make.of(LETTERS, 6) + "%23" + make.digits(3)
            value = make.of(HEX, 32) if style == 2 or alone else chosen if style == 1 else make.of(WORD, 20)
            yield Case("connection strings", f"{name} {style}", template.format(v=value), value)


def key_cases(seed: int) -> Iterator[Case]:
    """Private keys in their usual armours, whole, cut, in one line and in JSON; signed tokens; hashes of passwords."""
    for kind in ("RSA ", "EC ", "", "OPENSSH ", "DSA ", "ENCRYPTED "):
        body = Maker(seed, kind).of(BASE64, 640)
        first = body[:64]
        lines = "\n".join(textwrap.wrap(body, 64))
        head, tail = f"-----BEGIN {kind}PRIVATE" + " KEY-----", f"-----END {kind}PRIVATE" + " KEY-----"
        for name, text in {
            "lines": f"{head}\n{lines}\n{tail}\n",
            "indented": textwrap.indent(f"key: |\n{head}\n{lines}\n{tail}\n", "  "),
            "json": json.dumps({"key": f"{head}\n{lines}\n{tail}\n"}),
            "cut": f"{head}\n{lines[:300]}\n",
            "one line": f'KEY="{head} {body} {tail}"\n',
            "source": f'k = ("{head}\\n"\n     "{first}\\n"\n     "{tail}")\n',
        }.items():
            yield Case("private keys", f"{kind}{name}", text, first)
    body = Maker(seed, "pgp").of(BASE64, 640)
    block = "PGP PRIVATE" + " KEY BLOCK-----"
    armour = f"-----BEGIN {block}\nVersion: 2\n\n{body[:64]}\n{body[64:]}\n=ab3d\n-----END {block}\n"
    yield Case("private keys", "pgp", armour, body[:64])
    putty = f"PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 2\n{body[:64]}\n{body[64:128]}\n"
    yield Case("private keys", "putty", putty, body[:64])
    wire = Maker(seed, "wire").of(BASE64, 43) + "="
    yield Case("private keys", "wireguard", f"[Interface]\nPrivateKey = {wire}\n", wire)
    jwk = Maker(seed, "jwk").of(URLSAFE, 43)
    yield Case("private keys", "jwk", json.dumps({"kty": "EC", "crv": "P-256", "d": jwk}), jwk)


def token_cases(seed: int) -> Iterator[Case]:
    """Signed and encrypted tokens in several places, and the hashes that passwords are kept as."""
    heads = ({"alg": "HS256", "typ": "JWT"}, {"alg": "RS256", "kid": "k1"}, {"typ": "JWT", "alg": "none"})
    places = ("token: {}\n", '{{"id_token":"{}"}}', "?jwt={}&x=1", "we saw {} twice\n", "Set-Cookie: s={}; Path=/\n")
    for number, head in enumerate(heads):
        for place in places:
            make = Maker(seed, number, place)
            parts = [_part(head), _part({"sub": make.digits(8), "exp": 1795555555}), make.of(URLSAFE, 43)]
            value = ".".join(parts[: 2 if head["alg"] == "none" else 3])
            yield Case("signed tokens", f"{number} {place[:12]}", place.format(value), value)
    make = Maker(seed, "jwe")
    value = ".".join([_part({"alg": "dir", "enc": "A128GCM"}), "", *(make.of(URLSAFE, n) for n in (16, 60, 22))])
    yield Case("signed tokens", "encrypted", f"got {value}\n", value)
    for scheme, cost in (("$2", "b$12$"), ("$2", "y$10$"), ("$apr", "1$"), ("$6", "$rounds=5000$"), ("$argon2", "id$v=19$m=65536,t=3,p=4$")):  # fmt: skip  # noqa: E501
        salt, digest = make.of(WORD, 22), make.of(WORD, 31)
        value = f"{scheme}{cost}{salt}{digest}" if scheme == "$2" else f"{scheme}{cost}{salt[:8]}${digest}"
        yield Case("signed tokens", f"hash {scheme}{cost[:2]}", f"orders:{value}:19000:0\n", digest)


def _part(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
