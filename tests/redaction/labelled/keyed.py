"""Values that are secret because of the name beside them, in the syntaxes that configuration and code are written in."""  # noqa: E501

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import HEX, WORD, Case, Maker

NAMES: Final = (
    *("password", "db_password", "dbPassword", "DB_PASSWORD", "passwd", "PGPASSWORD", "MYSQL_ROOT_PASSWORD", "userPwd"),
    *("api_key", "apiKey", "API_KEY", "X-Api-Key", "client_secret", "clientSecret", "CLIENT_SECRET", "app_secret"),
    *("access_token", "accessToken", "AUTH_TOKEN", "refresh_token", "session_token", "private_key", "secret_key"),
    *("SECRET_KEY_BASE", "signing_key", "encryptionKey", "webhook_secret", "jwtSecret", "consumer_secret", "master_key"),  # noqa: E501
    *("spring.datasource.password", "AWS_SECRET_ACCESS_KEY", "subscription_key", "cookie_secret", "smtp_pass", "hmac_key"),  # noqa: E501
)  # fmt: skip
SYNTAXES: Final[dict[str, str]] = {
    "env": "MODE=live\n{k}={v}\nPORT=8443\n",
    "env, quoted": '{k}="{v}"\n',
    "export": "export {k}={v}\n",
    "export, single quotes": "export {k}='{v}'; run\n",
    "fish": "set -x {k} {v}\n",
    "cmd": "set {k}={v}\r\necho done\r\n",
    "powershell": '$env:{k} = "{v}"\n',
    "yaml": "orders:\n  {k}: {v}\n  port: 8443\n",
    "yaml, quoted": 'orders:\n  {k}: "{v}"\n',
    "yaml, single quotes": "{k}: '{v}'\n",
    "yaml, flow": "db: {{user: orders, {k}: {v}, port: 5432}}\n",
    "yaml, folded": "{k}: >-\n  {v}\nport: 1\n",
    "yaml, literal": "{k}: |\n    {v}\nport: 1\n",
    "yaml, tag": "{k}: !!str {v}\n",
    "yaml, list item": "- {k}: {v}\n",
    "json": '{{"user": "orders", "{k}": "{v}"}}\n',
    "json, lines": '{{\n  "{k}" : "{v}",\n  "port": 1\n}}\n',
    "json, compact": '{{"a":1,"{k}":"{v}"}}',
    "json in json": '{{"body": "{{\\"{k}\\": \\"{v}\\"}}"}}',
    "json, list": '{{"{k}": ["{v}"]}}\n',
    "toml": '[db]\n{k} = "{v}"\n',
    "toml, literal": "{k} = '{v}'\n",
    "ini": "[db]\n{k} = {v}\n",
    "properties": "{k}={v}\n",
    "properties, colon": "{k}:{v}\n",
    "hcl": 'resource "db" "orders" {{\n  {k}   = "{v}"\n}}\n',
    "python": '{k} = "{v}"\n',
    "python, annotated": '{k}: str = "{v}"\n',
    "python, final": '{k}: Final[str] = "{v}"\n',
    "python, bytes": "{k} = b'{v}'\n",
    "python, raw": 'connect(user="orders", {k}=r"{v}")\n',
    "python, dict": "settings = {{'user': 'orders', '{k}': '{v}'}}\n",
    "python, item": 'os.environ["{k}"] = "{v}"\n',
    "python, default": 'os.environ.get("{k}", "{v}")\n',
    "python, setdefault": "os.environ.setdefault('{k}', '{v}')\n",
    "javascript": "const {k} = '{v}';\n",
    "javascript, template": "let {k} = `{v}`;\n",
    "javascript, member": "config.{k} = '{v}'\n",
    "javascript, object": "login({{ user: 'orders', {k}: '{v}' }})\n",
    "javascript, fallback": "const it = process.env.{k} || '{v}';\n",
    "typescript": "private readonly {k}: string = '{v}';\n",
    "java": 'private static final String {k} = "{v}";\n',
    "java, put": 'properties.put("{k}", "{v}");\n',
    "java, annotation": '@Value("${{{k}:{v}}}")\n',
    "kotlin": 'val {k} = "{v}"\n',
    "c#": 'string {k} = "{v}";\n',
    "c#, verbatim": 'var {k} = @"{v}";\n',
    "c#, index": 'settings["{k}"] = "{v}";\n',
    "go": '{k} := "{v}"\n',
    "go, struct": "{k}: `{v}`,\n",
    "go, setenv": 'os.Setenv("{k}", "{v}")\n',
    "rust": 'let {k}: &str = "{v}";\n',
    "rust, to string": '{k}: "{v}".to_string(),\n',
    "php": "'{k}' => '{v}',\n",
    "php, define": "define('{k}', '{v}');\n",
    "ruby": ':{k} => "{v}"\n',
    "ruby, keyword": '{k}: "{v}"\n',
    "swift": 'let {k} = "{v}"\n',
    "c": '#define {k} "{v}"\n',
    "c, array": 'const char *{k}[] = {{"{v}"}};\n',
    "lua": '["{k}"] = "{v}",\n',
    "elixir": 'config :orders, {k}: "{v}"\n',
    "comparison": 'if ({k} == "{v}") {{ return true; }}\n',
    "comparison, strict": "if (request.{k} === '{v}') next()\n",
    "dockerfile": "FROM scratch\nENV {k} {v}\n",
    "dockerfile, equals": "ENV {k}={v} MODE=live\n",
    "dockerfile, argument": "ARG {k}={v}\n",
    "docker run": "docker run -e {k}={v} orders:1.4\n",
    "kubernetes": "env:\n  - name: {k}\n    value: {v}\n",
    "kubernetes, quoted": 'env:\n- name: {k}\n  value: "{v}"\n',
    "kubectl": "kubectl create secret generic orders --from-literal={k}={v}\n",
    "helm": "helm upgrade orders . --set auth.{k}={v}\n",
    "name and value": '{{"name": "{k}", "value": "{v}"}}',
    "key and value": '{{"key": "{k}", "type": "text", "value": "{v}"}}',
    "key and value, reversed": '{{"value": "{v}", "key": "{k}"}}',
    "xml element": "<db>\n  <{k}>{v}</{k}>\n</db>\n",
    "xml attribute": '<db user="orders" {k}="{v}"/>\n',
    "xml, key": '<add key="{k}" value="{v}" />\n',
    "xml, name": '<property name="{k}" value="{v}"/>\n',
    "xml, named text": '<entry key="{k}">{v}</entry>\n',
    "xml, cdata": "<{k}><![CDATA[{v}]]></{k}>\n",
    "plist": "<key>{k}</key>\n\t<string>{v}</string>\n",
    "url query": "GET /v1/orders?page=2&{k}={v}&size=10 HTTP/1.1\n",
    "url fragment": "https://api.example.com/done#{k}={v}&state=1\n",
    "form": "grant_type=password&user=orders&{k}={v}\n",
    "multipart": 'Content-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n--b--\r\n',
    "header": "Host: api.example.com\r\n{k}: {v}\r\n",
    "curl header": "curl -H '{k}: {v}' https://api.example.com/v1\n",
    "command line": "orders --{k} {v} --port 1\n",
    "command line, equals": "orders --{k}={v}\n",
    "command line, quoted": 'orders --{k} "{v}"\n',
    "java option": "java -D{k}={v} -jar orders.jar\n",
    "makefile": "{k} := {v}\n",
    "makefile, default": "{k} ?= {v}\n",
    "shell default": ': "${{{k}:={v}}}"\n',
    "shell fallback": "run ${{{k}:-{v}}}\n",
    "markdown table": "| Name | Value |\n| --- | --- |\n| {k} | {v} |\n",
    "markdown code": "Set `{k}` to `{v}`.\n",
    "prose": "The {k} is {v} for now.\n",
    "comment": "# {k}: {v}\n",
    "log": "2026-11-20T19:51:19Z INFO starting {k}={v} port=1\n",
    "csv": "user,{k}\norders,{v}\n",
    "netrc": "machine api.example.com login orders password {v}\n",
    "npmrc": "//registry.example.com/:_authToken={v}\n",
    "sql, identified": "CREATE USER orders IDENTIFIED BY '{v}';\n",
    "sql, password": "ALTER ROLE orders WITH LOGIN PASSWORD '{v}';\n",
    "setter": 'login.setPassword("{v}");\n',
    "secure string": 'ConvertTo-SecureString "{v}" -AsPlainText -Force\n',
    "sshpass": "sshpass -p '{v}' ssh orders@host.example.com\n",
    "redis-cli": "redis-cli -h cache.example.com -a {v} PING\n",
    "test code": 'assert authenticate("orders", password="{v}")\n',
}
_ENCODED: Final = ("yaml", "json", "env")
_SHOWN: Final = 4


def keyed_cases(seed: int) -> Iterator[Case]:
    """Every syntax with some of the names and every kind of value; the names take turns."""
    turn = 0
    for syntax, template in SYNTAXES.items():
        for style in range(_SHOWN):
            name, make = NAMES[turn % len(NAMES)], Maker(seed, syntax, style)
            turn += 5
            value = _value(style, name, make)
            yield Case("keyed values", f"{syntax} {style} {name}", template.format(k=name, v=value), value)
    for number, syntax in enumerate(_ENCODED):
        make = Maker(seed, "encoded", syntax)
        value = base64.b64encode(make.of(WORD, 18).encode()).decode()
        yield Case("keyed values", f"{syntax} encoded", SYNTAXES[syntax].format(k=NAMES[number], v=value), value)


def _value(style: int, name: str, make: Maker) -> str:
    """Drawn by lot, hexadecimal, a UUID, or such as people choose: the last only where the name is a password's."""
    if style == 0:
        return make.of(WORD, 20)
    if style == 1:
        return make.of(HEX, 32)
    if style == 2:
        return make.uuid()
    if "pass" not in name.lower() and "pwd" not in name.lower():
        return make.of(WORD + "+/", 40)
    return make.pick("Sommer", "Harbour", "Dragon", "kapitein") + make.pick("#", "!", "_") + make.digits(3)
