"""Texts in which nothing may change: synthetic, public, or merely alike."""

# ruff: noqa: E501

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import BASE64, HEX, LOWER, WORD, Case, Maker
from tests.redaction.labelled.keyed import NAMES, SYNTAXES

PLACEHOLDERS: Final = (
    *("<token>", "<your-password>", "${DB_PASSWORD}", "$DB_PASSWORD", "{{ vault.value }}", "%DB_PASSWORD%", "$(cat file)"),
    *("changeme", "CHANGE_ME", "xxxxxxxxxxxx", "********", "your-api-key-here", "YOUR_API_KEY", "REPLACE_ME", "example-value-1"),
    *("SYNTHETIC-VALUE-17", "dummy-secret-1", "placeholder123", "null", "string", "redacted", "..."),
)  # fmt: skip
_PLAIN: Final = ("env", "yaml", "yaml, quoted", "json", "toml", "properties", "python", "javascript", "java", "xml element", "url query", "header")  # fmt: skip
WORDS: Final = {
    "schema": "password: {type: string, format: password, minLength: 12}\napiKey: {type: apiKey, in: header, name: X-API-Key}\n",
    "schema, lines": "properties:\n  password:\n    type: string\n  token:\n    $ref: '#/components/schemas/Token2'\n  secret:\n    type: object\n",
    "scheme": "securitySchemes:\n  bearerAuth: {type: http, scheme: bearer, bearerFormat: JWT}\n  basicAuth: {type: http, scheme: basic}\n",
    "oauth": "flows:\n  clientCredentials:\n    tokenUrl: https://auth.example.com/oauth2/v2.0/token\n    scopes: {orders.read: Read}\n",
    "policy": "password_min_length: 12\npasswordPolicy: strong\nmax_tokens: 4096\ntoken_ttl: 3600s\ntoken_type: Bearer\n",
    "names": "secretName: orders-db-credentials\nsecretKeyRef: {name: orders-db, key: password}\nimagePullSecrets: [{name: registry-credentials-2}]\n",
    "reference": "password: vault:secret/data/orders#password\npassword_file: /run/secrets/db_password\ntoken: ${{ secrets.DEPLOY_TOKEN_2 }}\n",
    "calls": 'token = next_token()\npassword = form.password\nsecret = os.environ["ORDER_SECRET_1"]\nkey = settings.API_KEY_V2\n',
    "calls, js": "const token = req.headers.authorization;\nconst apiKey = process.env.API_KEY_2;\npassword: user.password1,\n",
    "calls, java": 'String password = System.getenv("DB_PASSWORD_2");\nString token = request.getHeader("X-Auth-Token-2");\n',
    "types": "token: OrderPageToken2\npassword: Optional[str] = None\naccessToken?: string;\nsecret: SecretStr | None\nprivate_key: RSAPrivateKey2048\n",
    "comparison": "if token == expected_token_v2: ok()\nif password != confirm_password2: fail()\n",
    "validation": "password must hold 8-64 characters, 1 digit and 1 upper-case letter. token: required, at most 128 characters.\n",
    "errors": "invalid_token: The access token expired. WWW-Authenticate: Bearer realm=\"orders\", error=\"invalid_token\"\n",
    "headers": "Authorization: Bearer <token>\nAuthorization: Bearer ${TOKEN}\nAuthorization: Basic <base64 of user:password>\nX-API-Key: {apiKey}\n",
    "headers, words": "The Authorization header is required. Cookie: optional. Set-Cookie is never sent. Bearer tokens expire after 3600 seconds.\n",
    "basic": "Basic authentication2 is described in section 4. basic-validations are run.\n",
    "paging": "next_page_token: eyJpZCI6MTd9\ncontinuation_token: b2Zmc2V0PTUw\ncursor: b2Zmc2V0PTUwMA==\npageToken: CAEQAg2\n",
    "idempotency": "Idempotency-Key: 7f1c4e9a-3b2d-4f60-8a17-2c9e5d0b6f34\nX-Request-Id: 0b9c1d5e-7f3a-4c1e-9b2d-8046af17c3e9\n",
    "tracing": "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nX-B3-TraceId: 463ac35c9f6413ad48485a3953bb6124\n",
    "keys": "primary_key: order_id_2\npartition_key: tenant_id\nsort_key: created_at_2026\nforeign_key: customer_id\nkey: value1\n",
    "cache": "cache_key: orders:v2:page:17\nrouting_key: orders.created.v1\nidempotency_key: order-17-retry-2\ntranslation_key: orders.empty.title2\n",
    "public key": "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7q2kZ9\n-----END PUBLIC KEY-----\n",
    "versions": "version: 1.4.0\nopenapi: 3.1.0\nfastapi==0.115.6\n@scope/package: ^17.0.2\nimage: orders:2026.11.20-rc.1\n10.4.17.2 of Product 10\n",
    "dates": "2026-11-20T19:51:19Z 2026-11-20 19:51:19.123456+00:00 20261120 1795555555 1795555555123 P3Y6M4DT12H30M5S\n",
    "hosts": "https://api.example.com/v1 http://orders.test:8443 https://orders.invalid http://orders.example/v2 http://localhost:8080 http://127.0.0.1:5000\n",
    "hosts, public": "https://json-schema.org/draft/2020-12/schema https://www.rfc-editor.org/rfc/rfc9110 https://spec.openapis.org/oas/v3.1.0\n",
    "addresses": "192.0.2.17 198.51.100.4 203.0.113.255 2001:db8::17 ::1 0.0.0.0 255.255.255.0 8.8.8.8\n",
    "address ranges": "The private ranges are 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and 100.64.0.0/10.\n",
    "ids": "E1 E12#/paths/~1v1~1orders E3:L17-L20 D-0123456789ab F-0123456789ab W1S-014 C-027 TOB-17-3\n",
    "paths": "GET /v1/orders/{orderId}/rows POST /users/{id}/tokens DELETE /home/feeds/17 src/orders/store.py docs/rules.md ./run.sh ../data/a.json\n",
    "paths, routes": '"/data/exports/{id}.csv": {get: {}}\n"/app/settings": {}\nurl: /users/me/orders\n"/opt/in": {post: {}}\n',
    "mail": "orders@example.com team@orders.test support@api.example.org git@github.com:acme/orders.git user@localhost\n",
    "decorators": "@app.route @pytest.mark.parametrize @Override @media swagger-ui@5.17.14 a@b @scope/pkg@1.2.3\n",
    "phones": "+1 202-555-0143 +44 20 7946 0958 +1-555-0100 port +8443 UTC+02:00 +100 -17 +3.5\n",
    "cards": "4111 1111 1111 1111 5555555555554444 378282246310005 4242424242424242 4000056655665556\n",
    "accounts": "GB82 WEST 1234 5698 7654 32 DE89370400440532013000 NL91ABNA0417164300\n",
    "numbers": "9223372036854775807 4294967296 2147483647 18446744073709551615 1234567890 99999999999 0.30000000000000004\n",
    "goods": "GTIN 4006381333931 ISBN 978-3-16-148410-0 ISSN 0378-5955 EAN 5901234123457 SKU AB-17-2045-C\n",
    "errors, prose": "An error is returned when the row is locked. Exceptions are logged at least once. The panic button is red. Traceback is off.\n",
    "sql, prose": "The SQL is not shown. SELECT id FROM orders WHERE id = 17 is an example. Duplicate keys are refused; unknown columns too.\n",
    "problem": '{"type": "https://api.example.com/problems/locked", "title": "Locked", "status": 423, "detail": "Order 17 is locked."}\n',
    "code": "class StoreError(Exception): ...\nraise ValueError('page is too large')\ncatch (IOException e) { throw e; }\nerrors.New(\"locked\")\n",
    "code, names": "self.internal threading.local config.local.yaml module.exports com.example.orders.Store java.util.List System.Text.Json\n",
    "code, at": "look at Store.load (see below) at line 12 of the page; at most 5 (five) rows; meet at 10:30:15\n",
    "code, files": "File \"orders.csv\" has 3 rows, line 12 is empty. main.go and store.rb are read; app.js:  minified.\n",
    "lockfile": '"integrity": "sha512-q7Rx2Lv9tBk3ZpT8wRb5YxKfC4sGh6JdUe1KiOoPyVxQjWzHrMnEbCaDgSl0uAiTnZk3vR8tYq2LmN7wXc5Bh==",\n"resolved": "https://packages.example.com/left-pad/-/left-pad-1.3.0.tgz"\n',
    "lockfile, python": "--hash=sha256:9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264\n",
    "lockfile, go": "golang.org/x/text v0.14.0 h1:ScX5w1eTa3QqT8oi6+ziP7dTV1S2+ALU0bI+0zXKWiQ=\n",
    "git": "commit 3f786850e387550fdab836ed7e6dc881de23001b\nindex 9f3a7c1..5b2d804 100644\nMerge 89e6c98d92887913cadf06b2adb97f26cde4849b\n",
    "etag": 'ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"\nContent-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\nDigest: sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=\n',
    "svg": '<path d="M12.5 3.75C7.9 3.75 4.17 7.48 4.17 12.08s3.73 8.34 8.33 8.34 8.34-3.73 8.34-8.34"/>\n',
    "css": "color: #3f7868; background: #9f3a7c1e; margin: 0 0 10px; --token-color-2: #fff; --secret-size: 12px;\n",
    "regex": "pattern: '^[A-Za-z0-9_-]{16,64}$'\npassword: {pattern: '^(?=.*[a-z])(?=.*\\d).{12,64}$'}\n",
    "birth": "date_of_birth: 1990-01-01\nbirthDate: {type: string, format: date}\nbirth certificates of 2024 are kept\ndob: string\n",
    "said of passwords": 'The password is "too short and weak". password: "must not be empty"\n"password": "Enter a new password here"\n',
    "names of digits": "PUBLIC_KEY = 9f3a7c1e5b2d8046af17c3e95d20b864\nCACHE_KEY: 9f3a7c1e5b2d8046af17c3e95d20b864\nkey: 9f3a7c1e5b2d8046af17c3e95d20b864\n",
    "accounts of clouds": "arn:aws:iam::123456789012:role/reader arn:aws:s3:::orders/a arn:aws:iam::aws:policy/ReadOnlyAccess\n",
    "lists of names": 'fields = ["old_password", "new_password1", "new_password2"]\nexclude = ("password1", "password2")\n',
    "classes, named": "a :class:`~a.b.geos.GEOSException`, ``a.template.ContextPopException`` or at a.utils.html.remove_tags()\n",
    "modules, named": "import app.internal.admin\nfrom app.internal.admin import rows\nsee https://www.psycopg.org/psycopg3/docs\n",
    "cron": "schedule: '17 3 * * 1-5'\nrange: 10.0-10.9\nratio: 16:9\nstatus: 4xx\nheader: X-Rate-Limit-10\n",
    "units": "10.5 ms, 192 kB, 172 rows, 100 % of 10.000,00 EUR; sections 10.3.2.3 and 10.3.2.4; chapter 192.168\n",
    "proto": "message Token { string secret = 1; string api_key = 2; int32 page_size = 3; bytes password = 4; }\n",
    "avro": '{"name": "password", "type": "string", "default": ""}, {"name": "token", "type": ["null", "string"]}\n',
    "graphql": "type Login { password: String! token: ID secret: String @deprecated(reason: \"use token2\") }\n",
    "parameters": '[{"name": "token", "value": "string"}, {"name": "api_key", "in": "query", "required": true}, {"key": "password", "value": ""}]\n',
    "messages": "Your password was changed. Forgot password? Enter the 6-digit code. The token is valid for 15 minutes. Secret: none.\n",
    "links": "[password-reset](#password-reset-2) [token-exchange](https://www.rfc-editor.org/rfc/rfc8693) /secrets/rotate-2026 /tokens/introspect\n",
    "curl": "curl -u $USER:$PASS https://api.example.com -H \"Authorization: Bearer $TOKEN\" -H 'X-API-Key: <key>' -o out1.json\n",
    "docker": "docker run -e DB_PASSWORD -e API_KEY=$API_KEY -p 8080:80 orders:1.4 ; docker login -u orders --password-stdin\n",
    "scripts": "read -s PASSWORD; export TOKEN=\"$(vault read token2)\"; test -z \"$SECRET_1\" && exit 2; sudo -u orders run-17\n",
    "urls": "https://user:password@api.example.com https://<user>:<pass>@api.example.com postgres://user:${PASS}@db.example.com/x\n",
    "connection": "Server=db.example.com;User Id=orders;Password=<password>; jdbc:postgresql://db.example.com/orders?user=$USER&password=$PASS\n",
    "table": "| Field | Type |\n| --- | --- |\n| password | string |\n| token | string, 32 characters |\n| api_key | uuid |\n",
    "hashing": "Passwords are kept with bcrypt at cost 12; tokens as SHA-256. secret_hash: sha256:9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264\n",
    "prose with keys": "The token is opaque. The secret is rotated every 90 days. The password is hashed. The api key is checked first.\n",
    "test names": "test_password_is_required_2 test_token_expires_after_15_minutes TestSecretRotation1 should reject token=expired1\n",
    "dependencies": "jsonwebtoken: ^9.0.2\npassport: 0.7.0\ncookie: 0.6.0\ntoken-types: 6.0.0\nsecretlint: 9.0.0\ncredential-plus-pbkdf2: 2.0.1\n",
}  # fmt: skip


def word_cases(seed: int) -> Iterator[Case]:
    """Words of contracts, code and prose; a line counts for itself."""
    del seed
    for name, text in WORDS.items():
        for number, line in enumerate(text.splitlines(keepends=True)):
            yield Case("words", f"{name} {number}", line)
        yield Case("words", f"{name}, in json", json.dumps({"description": text}))


def placeholder_cases(seed: int) -> Iterator[Case]:
    """What says of itself that it is no value, in the usual syntaxes."""
    for turn, syntax in enumerate(_PLAIN):
        for number, value in enumerate(PLACEHOLDERS):
            name = NAMES[(turn * 7 + number * 3 + seed) % len(NAMES)]
            yield Case("placeholders", f"{syntax} {value} {name}", SYNTAXES[syntax].format(k=name, v=value))


def digest_cases(seed: int) -> Iterator[Case]:
    """Digests, identifiers and binary data, which look drawn by lot but open nothing."""
    for number in range(12):
        make = Maker(seed, "digest", number)
        for name, text in {
            "sha256": f"sha256:{make.of(HEX, 64)}\n",
            "sha256 bare": f'{{"digest": "{make.of(HEX, 64)}"}}\n',
            "sha1": f"commit {make.of(HEX, 40)}\n",
            "sha1, quoted": f'"revision": "{make.of(HEX, 40)}"\n',
            "md5": f"checksum: {make.of(HEX, 32)}\n",
            "short": f"at {make.of(HEX, 7)} and {make.of(HEX, 12)}\n",
            "uuid": f"id: {make.uuid()}\nGET /v1/orders/{make.uuid()}\n",
            "uuid, upper": f'{{"requestId": "{make.uuid().upper()}"}}\n',
            "ulid": f"order 01{make.of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}\n",
            "object id": f'{{"_id": "{make.of(HEX, 24)}"}}\n',
            "integrity": f'integrity="sha384-{make.of(BASE64, 64)}"\n',
            "pinned": f"uses: actions/checkout@{make.of(HEX, 40)} # v4.1.7\n",
            "image": f"orders@sha256:{make.of(HEX, 64)}\n",
            "png": f"![x](data:image/png;base64,{base64.b64encode(make.of(WORD, 600).encode()).decode()})\n",
            "certificate": f"-----BEGIN CERTIFICATE-----\n{make.of(BASE64, 64)}\n{make.of(BASE64, 64)}\n-----END CERTIFICATE-----\n",
            "ssh key": f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{make.of(BASE64, 43)} deploy\n",
            "snowflake": f'{{"id": {make.number(400000000000000000, 6999999999999999999)}}}\n',
            "micros": f"at {make.number(1790000000000000, 1799999999999999)}\n",
            "count": f"rows: {make.number(10_000_000, 99_999_999)}, bytes {make.number(10**9, 10**11)}\n",
            "slug": f"orders-api-7d9f{make.of(LOWER, 6)}-x2k9q\n",
            "decimals": f"lat: 52.{make.digits(14)}, lon: 4.{make.digits(15)}\n",
            "asset": f"/static/app.{make.of(HEX, 20)}.js\n",
        }.items():
            yield Case("digests", f"{name} {number}", text)
