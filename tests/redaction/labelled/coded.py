"""What a reader of the rules for code asked: raw texts, comparisons, returned values, statements, links, devices."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import LETTERS, WORD, Case, Maker

_WORDS: Final = ("copperbridge", "velvetmeadow", "harbourlantern")
PASSWORDS: Final[dict[str, tuple[str, ...]]] = {
    "heredoc": ("password = <<EOT\n{v}\nEOT\n", "password = <<~EOT\n  {v}\nEOT\n", "$password = <<<'EOT'\n{v}\nEOT;\n", "DB_PASSWORD=$(cat <<EOF\n{v}\nEOF\n)\n"),
    "raw": ("config.password = %q({v})\n", "my $password = qq{{{v}}};\n", 'let password = r#"{v}"#;\n', 'password = """{v}"""\n', "v_password := q'[{v}]';\n", "v_password := $${v}$$;\n"),
    "field": ('<input type="password" name="p" value="{v}">\n', '<input value="{v}" type="password">\n', "<input type='password' value='{v}'/>\n", "<input type=password value={v}>\n"),
    "member": ('{{"ParameterKey": "DBPassword", "ParameterValue": "{v}"}}\n', "- ParameterKey: DBPassword\n  ParameterValue: {v}\n", "ParameterKey=DBPassword,ParameterValue={v}\n", '{{"OptionName": "DBPassword", "OptionValue": "{v}"}}\n', "{{'variable': 'db_password', 'value': '{v}'}}\n"),
    "block": ("ENV.fetch('DB_PASSWORD') {{ '{v}' }}\n", "ENV.fetch('DB_PASSWORD') do\n  '{v}'\nend\n", 'map.getOrElse("password") {{ "{v}" }}\n', "env('DB_PASSWORD', fn () => '{v}')\n"),
    "expected": ("expect(user.password).toBe('{v}')\n", "expect(user.password).to eq '{v}'\n", 'assertThat(user.getPassword()).isEqualTo("{v}");\n', 'user.Password.Should().Be("{v}");\n', 'assertEquals("{v}", user.getPassword());\n', '"{v}".equals(password)\n', "password !== '{v}'\n"),
    "returned": ("case PASSWORD: return '{v}';\n", "when :password then '{v}'\n", 'PASSWORD -> "{v}"\n', "def password(): return '{v}'\n", 'String getPassword() {{\n    return "{v}";\n}}\n', "def password\n  '{v}'\nend\n"),
    "formatted": ('"password=%s" % "{v}"\n', '"password={{}}".format("{v}")\n', 'fmt.Sprintf("password=%s", "{v}")\n', '"user=%s password=%s" % ("kim", "{v}")\n', '`password=${{"{v}"}}`\n'),
    "header": ("curl -H 'X-Auth-Password: {v}' https://x\n", 'curl --header "X-Password: {v}" https://x\n', "wget --header='X-Admin-Password: {v}' x\n"),
    "device": ("username kim password 0 {v}\n", "enable secret 0 {v}\n", "enable secret level 15 0 {v}\n", "tacacs-server key 0 {v}\n", " ppp chap password 0 {v}\n"),
    "statement": ("PRAGMA key = '{v}';\n", "PRAGMA rekey='{v}'\n", "ATTACH DATABASE 'a.db' AS b KEY '{v}';\n", "EXEC sp_addlogin 'kim', '{v}'\n", "EXEC sp_password NULL, N'{v}', 'kim'\n"),
    "stored": ("kim:$apr1${v}\n", "kim:$1${v}\n", "kim:$6${v}:19000:0:99999:7:::\n"),
    "cell": ("PIN/Password | {v}\n", "Username/Password | {v}\n", "Wi-Fi password | {v}\n"),
}  # fmt: skip
TOKENS: Final[dict[str, tuple[str, ...]]] = {
    "key": ("deploy_key: {v}\n", "x-functions-key: {v}\n", "deployKey: '{v}'\n", "x-admin-key: {v}\n", 'service_key = "{v}"\n'),
    "directive": ("api_token {v}\n", "secret {v}\n", "bot_token {v}\n"),
    "login": ("vault login {v}\n", "vault login -no-print {v}\n", "snyk auth {v}\n", "ngrok config add-authtoken {v}\n"),
    "link": ("?code={v}&state=1\n", "https://x.example.com/cb?state=1&code={v}\n", "code_verifier={v}\n", "?ticket={v}\n"),
    "bearer": ("headers['Authorization'] = `Bearer ${{'{v}'}}`\n", "\"Bearer %s\" % '{v}'\n", 'fmt.Sprintf("Bearer %s", "{v}")\n', 'setBearerAuth("{v}")\n'),
}  # fmt: skip
PASSING: Final[dict[str, str]] = {
    "heredoc": "password = <<EOT\n${password}\nEOT\n",
    "raw": "password = %q(<password>)\npassword=%(dbpass)s\npassword_field = qw(user password)\n",
    "field": '<input type="password" name="password" placeholder="Password">\n<input type="password" value="{{ password }}">\n<input type="text" name="title" value="Sunflower7">\n',
    "member": '{"ParameterKey": "DBPassword", "ParameterValue": "string"}\n{"ParameterKey": "DBPassword", "UsePreviousValue": true}\n{"OptionName": "Theme", "OptionValue": "copperbridge"}\n',
    "block": "ENV.fetch('DB_PASSWORD') { raise 'missing' }\nENV.fetch('THEME') { 'copperbridge' }\n",
    "expected": "expect(errors.password).toBe('required')\nexpect(token.type).toBe('identifier')\nexpect(user.password).toBeUndefined()\nassertEquals(\"Bearer\", token.getType());\n\"password\".equals(grantType)\ntoken !== 'function'\n",
    "returned": "case PASSWORD: return 'LockIcon';\ncase 'password': return 'visibility';\ncase TOKEN: return 'identifier';\npassword: { type: \"string\" }\ndef password_field; 'user_password'; end\ndef password_hint(): return 'harbours'\n",
    "formatted": '"password=%s" % password\nlogger.info("token: {}", "received")\nf"password={password}"\n"user=%s password=%s" % ("kim", pw)\n',
    "header": "curl -H 'X-Auth-Password: required' https://x\ncurl -H 'X-Password-Policy: strict' https://x\n",
    "device": "enable secret level 15\npassword 0 characters long\nthe secret 0 is refused\n",
    "statement": "PRAGMA foreign_keys = 'on';\nPRAGMA journal_mode = 'wal';\nmissing key 'legacyReference'\nsp_addlogin 'kim', @password\n",
    "stored": "kim:$apr1$<hash>\ncost: $1$ and $2a$\n",
    "cell": "Username/Password | required\nPassword | alphanumeric\nLogin password | unchanged\n",
    "key": "deploy_key: read-only\ndeploy_key: docs/keys/deploy.pub\nx-request-key: 550e8400-e29b-41d4-a716-446655440000\nproject_key: com.example.orders.OrdersServiceApplication2\nclient_key: clientCertificateAuthenticationV2Key1\nuser_key: UserKeyFactoryBeanNG2\n",
    "directive": "api_token expired\ntoken ExpiredSignatureErrorV2Handler\nsecret AWSSecretsURLJSONParser\ntoken HTTPRequestURLParserXYZ\nsecret 4be1c07d92f35a86e0d4b7c91f6a2358c0de9471\n",
    "login": "vault login $VAULT_TOKEN\ndocker login registry.example.com\nauth OAuth2AuthorizationCodeBearerV2x\n",
    "link": '?code=<code>&state=1\n"code": "OrderAlreadyShippedAndPaid2Handler"\nGET /orders?key=createdAtDescendingOrderV2Sorting\n',
    "bearer": '`Bearer ${token}`\n"Bearer %s" % token\nsetBearerAuth(token)\n',
    "folder": "PWD=/srv/app\nOLDPWD=/srv/app/bin\n",
}  # fmt: skip


def coded_cases(seed: int) -> Iterator[Case]:
    """Every form with words, with what a program drew, and with a sign in it; tokens as programs draw them."""
    for name, forms in PASSWORDS.items():
        for number, form in enumerate(forms):
            make = Maker(seed, "coded", name, number)
            drawn = (make.of(WORD, 14), f"{make.of(WORD, 9)}!{make.of(LETTERS, 3)}")
            for value in (make.pick(*_WORDS), *drawn):
                yield Case("everyday", f"coded: {name} {number} {value}", form.format(v=value), value)
    for name, forms in TOKENS.items():
        for number, form in enumerate(forms):
            for turn in range(3):
                value = Maker(seed, "coded", name, number, turn).of(WORD, 40)
                yield Case("everyday", f"coded: {name} {number} {turn}", form.format(v=value), value)


def coded_passing(seed: int) -> Iterator[Case]:
    """Each text that has to stay, and each of its lines by itself."""
    del seed
    for name, text in PASSING.items():
        yield Case("everyday words", f"coded: {name}", text)
        for number, line in enumerate(text.splitlines()):
            yield Case("everyday words", f"coded: {name} {number}", line)
