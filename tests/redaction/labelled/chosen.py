"""Passwords that people choose, letters alone among them, in the files, commands, statements and calls that hold them."""

# ruff: noqa: E501

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import BASE64, HEX, WORD, Case, Maker

WORDS: Final = (
    *("anvil", "banjo", "cactus", "cello", "comet", "copper", "cymbal", "dagger", "ember", "falcon", "flannel", "fiddle"),
    *("garlic", "ginger", "hammock", "harbour", "indigo", "jasmine", "kettle", "lagoon", "lantern", "magpie", "marble"),
    *("nutmeg", "oboe", "orbit", "paprika", "pebble", "pepper", "quartz", "raccoon", "saffron", "scarf", "tundra", "velvet"),
    *("viola", "walrus", "willow", "zephyr", "zither"),
)  # fmt: skip
FORMS: Final[dict[str, str]] = {
    "env": "LOG=1\nAPP_PASSWORD={v}\nPORT=80\n",
    "env, quoted": 'SMTP_PASSWORD="{v}"\n',
    "export": "export REDIS_PASSWORD={v} && run\n",
    "command prefix": "MYSQL_PWD={v} mysqldump orders > a.sql\n",
    "compose list": "    environment:\n      - POSTGRES_PASSWORD={v}\n      - POSTGRES_USER=orders\n",
    "compose map": "    environment:\n      POSTGRES_USER: orders\n      POSTGRES_PASSWORD: {v}\n",
    "ansible": "- name: add the account\n  user:\n    login_password: {v}\n    state: present\n",
    "terraform": 'resource "db" "a" {{\n  username = "orders"\n  password = "{v}"\n}}\n',
    "tfvars": 'db_password        = "{v}"\n',
    "spring": "spring:\n  datasource:\n    username: orders\n    password: {v}\n",
    "properties": "spring.datasource.password={v}\nspring.datasource.username=orders\n",
    "django": "DATABASES = {{'default': {{'USER': 'orders', 'PASSWORD': '{v}', 'HOST': ''}}}}\n",
    "rails": "production:\n  adapter: postgresql\n  password: {v}\n",
    "wordpress": "define( 'DB_PASSWORD', '{v}' );\n",
    "my.cnf": "[client]\nuser=orders\npassword={v}\n",
    "ini": "[mail]\npassword = {v}\n",
    "odbc": "DRIVER={{SQL Server}};SERVER=db;UID=orders;PWD={v}\n",
    "ado": "Data Source=db;Initial Catalog=o;User ID=orders;Password={v};Encrypt=True\n",
    "jdbc": "jdbc:mysql://db.example.com/o?user=orders&password={v}&useSSL=true\n",
    "url": "postgres://orders:{v}@db.example.com:5432/orders\n",
    "url, redis": "redis://:{v}@cache.example.com:6379/0\n",
    "url, mongo": "mongodb+srv://orders:{v}@a.example.com/o?retryWrites=true\n",
    "git credentials": "https://kim:{v}@git.example.com\n",
    "pgpass": "db.example.com:5433:orders:kim:{v}\n",
    "netrc, lines": "machine api.example.com\n  login kim\n  password {v}\n",
    "npmrc": "//npm.example.com/:_password={v}\n",
    "pypirc": "[pypi]\nusername = kim\npassword = {v}\n",
    "maven": "<server><id>a</id><username>kim</username><password>{v}</password></server>\n",
    "tomcat": '<user username="kim" password="{v}" roles="manager"/>\n',
    "soap": '<wsse:Password Type="wsse:PasswordText">{v}</wsse:Password>\n',
    "kickstart": "rootpw --plaintext {v}\n",
    "ldap": "bind_password: {v}\n",
    "json": '{{"db": {{"user": "kim", "password": "{v}"}}}}\n',
    "json, lines": '{{\n    "dbPassword": "{v}",\n    "dbUser": "kim"\n}}\n',
    "graphql": 'mutation {{ login(name: "kim", password: "{v}") {{ id }} }}\n',
    "form": "username=kim&password={v}&remember=1\n",
    "multipart": 'Content-Disposition: form-data; name="password"\n\n{v}\n--x--\n',
    "alter user": "ALTER USER 'kim'@'%' IDENTIFIED BY '{v}';\n",
    "create role": "CREATE ROLE kim WITH LOGIN ENCRYPTED PASSWORD '{v}';\n",
    "set password": "SET PASSWORD FOR kim = PASSWORD('{v}');\n",
    "sql server": "ALTER LOGIN sa WITH PASSWORD = N'{v}' UNLOCK;\n",
    "update": "UPDATE users SET password = '{v}' WHERE id = 7;\n",
    "insert": "INSERT INTO accounts (id, login, passwd, note) VALUES (1, 'kim', '{v}', NULL);\n",
    "insert, rows": "INSERT INTO `users` (`email`,`password`) VALUES\n ('a@example.com','string'),\n ('b@example.com','{v}');\n",
    "csv": "login,password,role\nkim,{v},admin\n",
    "csv, semicolons": "id;login;Passwort\n1;kim;{v}\n",
    "tsv": "login\tpassword\nkim\t{v}\n",
    "table": "| login | password |\n| --- | --- |\n| kim | {v} |\n",
    "mysql": "mysql -h db -ukim -p{v} orders\n",
    "sqlcmd": "sqlcmd -S db -U sa -P {v} -Q 'select 1'\n",
    "mongosh": "mongosh --username kim -p {v} orders\n",
    "curl": "curl -sS --user kim:{v} https://api.example.com/v1\n",
    "wget": "wget --user=kim --password={v} https://a.example.com/x\n",
    "sshpass": "sshpass -p{v} ssh kim@host.example.com\n",
    "htpasswd": "htpasswd -b -B users.htpasswd kim {v}\n",
    "docker login": "docker login registry.example.com -u kim -p {v}\n",
    "podman login": "podman login --username kim --password {v} registry.example.com\n",
    "chpasswd": "echo \"kim:{v}\" | sudo chpasswd\n",
    "net user": "net user kim {v} /add\n",
    "openssl": "openssl pkcs12 -in a.p12 -passin pass:{v} -nodes\n",
    "keytool": "keytool -list -keystore a.jks -storepass {v}\n",
    "gpg": "gpg --batch --passphrase {v} -c a.txt\n",
    "rabbitmq": "rabbitmqctl add_user kim {v}\n",
    "redis-cli": "redis-cli -h cache -a {v} ping\n",
    "helm": "helm install db ./c --set auth.rootPassword={v}\n",
    "kubectl": "kubectl create secret generic a --from-literal=password={v}\n",
    "vault": "vault kv put secret/db password={v}\n",
    "ldapsearch": "ldapsearch -x -D cn=admin -w {v} -b dc=example\n",
    "python": 'PASSWORD = "{v}"\n',
    "python, call": 'connect(host="db", user="kim", password="{v}")\n',
    "python, default": 'password: str = Field(default="{v}")\n',
    "python, tuple": 'requests.get(url, auth=("kim", "{v}"))\n',
    "python, login": 'smtp.login("kim@example.com", "{v}")\n',
    "click": '@click.option("--password", envvar="P", default="{v}")\n',
    "javascript": "const pool = createPool({{ user: 'kim', password: '{v}' }});\n",
    "typescript": "private password: string = '{v}';\n",
    "java": 'config.setPassword("{v}");\n',
    "java, builder": 'DataSource.builder().username("kim").password("{v}").build();\n',
    "c#": 'public string DbPassword {{ get; set; }} = "{v}";\n',
    "c#, credential": 'new NetworkCredential("kim", "{v}");\n',
    "go": 'cfg := Config{{User: "kim", Password: "{v}"}}\n',
    "rust": 'const PASSWORD: &str = "{v}";\n',
    "ruby": "Mysql2::Client.new(username: 'kim', password: '{v}')\n",
    "perl": "my $password = '{v}';\n",
    "php": "$password = '{v}';\n",
    "lua": "local password = [[{v}]]\n",
    "powershell": "$password = ConvertTo-SecureString '{v}' -AsPlainText -Force\n",
    "c": '#define ADMIN_PASSWORD "{v}"\n',
    "nix": 'services.db.password = "{v}";\n',
    "yaml, literal": "password: |\n  {v}\nuser: kim\n",
    "log": "2026-03-01 10:00:00 DEBUG connect user=kim password={v} host=db\n",
    "environment entry": "env:\n  - name: DB_PASSWORD\n    value: {v}\n",
    "secret manifest": "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  login: {v}\n",
    "split, blank": 'PASSWORD = "{a}" "{b}"\n',
    "split, plus": "let password = '{a}' + '{b}';\n",
    "split, lines": 'PASSWORD = (\n    "{a}"\n    "{b}"\n)\n',
    "split, java": 'String password = "{a}"\n        + "{b}";\n',
    "split, join": "password = ''.join(('{a}', '{b}'))\n",
    "split, array": "const password = ['{a}', '{b}'].join('');\n",
    "split, appended": "password='{a}'\npassword+='{b}'\n",
    "split, continued": "DB_PASSWORD={a}\\\n{b}\n",
    "split, concat": "SET @password = CONCAT('{a}', '{b}');\n",
}  # fmt: skip
_DRAWN: Final[dict[str, str]] = {
    "session": "INFO request session_id={v} status=200\n",
    "session cookie": "JSESSIONID={v}; theme=dark\n",
    "token column": "service,owner,api_token\norders,kim,{v}\n",
    "token literal": "local access_token = [[{v}]]\n",
    "split token": 'API_TOKEN = "{a}" + "{b}"\n',
    "header": "curl -H 'X-Vault-Token: {v}' https://vault.example.com\n",
    "signing key": "signing_key: {v}\n",
    "inserted token": "INSERT INTO clients (name, client_secret) VALUES ('web', '{v}');\n",
    "argument": 'parser.add_argument("--api-key", default="{v}")\n',
}
_PREFIXES: Final = ("# ", "#\t", "// ", "> ", ">> ", " * ", "-- ", ";; ", "+", "- ", "REM ", "!! ", "| ", "[api-1] ", "12: ", "2026-03-01T10:00:00Z ERROR ", "")  # fmt: skip


def chosen_cases(seed: int) -> Iterator[Case]:
    """Every form with two and three words, a word with signs, and what a program drew."""
    for name, form in FORMS.items():
        make = Maker(seed, "chosen", name)
        for style, value in enumerate(_values(make)):
            yield from _case(f"{name} {style}", form, value, make)
    for name, form in _DRAWN.items():
        make = Maker(seed, "drawn", name)
        for style, value in enumerate((make.of(WORD, 32), make.of(HEX, 40))):
            yield from _case(f"{name} {style}", form, value, make)
    yield from _blocks(seed)
    for number in range(3):
        make = Maker(seed, "registry", number)
        value = base64.b64encode(f"kim:{make.of(WORD, 11)}".encode()).decode()
        yield Case("chosen", f"registry {number}", f'{{"auths": {{"r.example.com": {{"auth": "{value}"}}}}}}\n', value)


def _values(make: Maker) -> tuple[str, ...]:
    one, two, three = make.pick(*WORDS), make.pick(*WORDS), make.pick(*WORDS)
    return (
        one + two,
        one + two + three,
        one.capitalize() + two + make.pick("!", "#", "?") + make.digits(2),
        make.of(WORD, 14),
    )


def _case(name: str, form: str, value: str, make: Maker) -> Iterator[Case]:
    at = len(value) // 2 + make.number(-2, 2)
    text = form.format(v=value, a=value[:at], b=value[at:])
    yield Case("chosen", name, text, value if "{v}" in form else value[at:])


def _blocks(seed: int) -> Iterator[Case]:
    for number, prefix in enumerate(_PREFIXES):
        make = Maker(seed, "block", number)
        label = make.pick("RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "")
        lines = [make.of(BASE64, 64) for _ in range(4)]
        whole = [f"-----BEGIN {label}PRIVATE KEY-----", *lines, f"-----END {label}PRIVATE KEY-----"]
        text = "".join(f"{prefix}{line}\n" for line in whole)
        yield Case("chosen", f"block {number}", text, lines[number % 4])
