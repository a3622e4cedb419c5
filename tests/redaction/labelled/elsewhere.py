"""Passwords where no sign ties them to their name: cells, devices, other languages, answers; and their harmless twins."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import Case, Maker

_STEMS: Final = ("Kirsche", "Ahorn", "Birne", "Lindenb", "Nougat", "Quitte")
PLACES: Final = (
    *("bob\tpassword\t{v}", "kim\tpwd\t{v}\tRome", "admin\tpasswort\t{v}", "password\t{v}", "kim\twachtwoord\t{v}"),
    *("| admin | password | {v} |", "| kim | `pw` | `{v}` |", "|root|passwd|{v}|", "| 1 | senha | {v} | x |"),
    *("snmp-server community {v} RW", "snmp-server community {v} RO 10", "snmp-server host 192.0.2.4 version 2c {v}"),
    *("enable password {v}", "enable secret 0 {v}", "username kim privilege 15 password 0 {v}", "username kim secret {v}"),
    *(" key-string {v}", " pre-shared-key {v}", " pre-shared-key address 192.0.2.1 key {v}", " pre-shared-key local {v}"),
    *("tacacs-server key {v}", "radius-server host 192.0.2.7 key {v}", " neighbor 192.0.2.9 password {v}"),
    *("security_answer: {v}", '{{"securityAnswer": "{v}"}}', "secret_answer = '{v}'", "security-answer={v}", "Security answer: {v}"),
    *("sudo -S <<< {v}", 'sudo -S apt update <<< "{v}"', "echo {v} | sudo -S", "echo '{v}' | sudo -kS ls", "echo {v} | sudo -S apt update"),
    *("Das Passwort lautet {v}", "Das Kennwort ist jetzt {v}.", "Passwort für das WLAN: {v}", "Le mot de passe est {v}"),
    *("La contraseña es {v}.", "La clave es {v}", "La password è {v}", "La parola d'ordine è {v}", "A senha é {v}"),
    *("A palavra-passe é {v}, obrigado", "Het wachtwoord is {v}", "wachtwoord: {v}", "senha: {v}", "senha = {v}"),
    *("pw for the vpn: {v}", "password for the wifi is {v}", "pwd for vpn: `{v}`", "the secret is {v}", "the token is {v}, keep it"),
    *("The password is {v}", "my secret was {v}", "user kim pass {v}", "login kim with password {v}", "username kim, password {v}"),
)  # fmt: skip
CODED: Final = ("username admin password 7 {v}", "enable password 7 {v}", " key-string 7 {v}", "tacacs-server key 7 {v}", " neighbor 192.0.2.9 password 7 {v}")  # fmt: skip
HASHED: Final = ("enable secret 5 {v}", "username admin secret 9 {v}", "username admin privilege 15 secret 8 {v}")
LOWER: Final = ("| admin | password | {v} |", "root\tpassword\t{v}")
ONE_DIGIT: Final = ("user kim pass {v}", "login kim password {v}", "| kim | password | {v} |")
PINS: Final = ("user,pin\nbob,{v}\n", "name;pin;city\nbob;{v};Rome\n", "id\tuser\tpin_code\n1\tbob\t{v}\n", "card,pin number\n17,{v}\n", "| user | pin |\n| --- | --- |\n| bob | {v} |\n")  # fmt: skip
HARMLESS: Final = (
    *("snmp-server community public RO", "snmp-server community private RW", "snmp-server community <community> RO", "snmp-server community $COMMUNITY RO"),
    *("| field | password | string |", "| field | password | required |", "| column | password | varchar255 |", "| method | password | hashed2 |"),
    *("| admin | password | required |", "| admin | password | no |", "| name | password | The password of the user |", "| pwd | token | string |"),
    *("user_id\tpassword\trequired", "name\tpassword\tvarchar2", "user\tpassword\tVARCHAR(255)", "user\tpassword\tstring\tno"),
    *("enable secret level 15", "enable password encryption", "username <name> password <password>", "username admin password 7 <hash>"),
    *("the key-string is a string", "pre-shared-key authentication", "a pre-shared-key is used", "pre-shared-key: required", "neighbor 192.0.2.9 password required"),
    *("security_answer: string", "security_answer: required", "security_answer:\n  type: string", '"security_answer": {"type": "string"}', "securityAnswer: String"),
    *("sudo -S < /dev/null", 'sudo -S <<< "$PASSWORD"', 'echo "$PASSWORD" | sudo -S ls', "echo <password> | sudo -S"),
    *("Das Passwort lautet wie folgt", "Das Passwort ist falsch", "Das Passwort ist erforderlich", "Le mot de passe est obligatoire", "Le mot de passe est requis depuis 2024"),
    *("La contraseña es obligatoria", "La clave es importante", "La clave es el identificador", "A senha é obrigatória", "Het wachtwoord is verplicht"),
    *("senha: string", "clave: nombre", "wachtwoord: verplicht", "clave primaria es id2", "La password è obbligatoria"),
    *("the secret is required", "the secret is base64", "the secret is 256bits", "The secret is AES256 encrypted", "The token is OAuth2", "the token is version10"),
    *("pw for the vpn: required", "password for the user: string", "the secret is client_secret2", "The password is hashed2 first"),
    *("user kim pass through", "user tests pass 100", "user must pass step2", "users pass test1", "user can pass param1"),
    *("user,pin\nbob,required\n", "component,pin,net\nU1,12,GND\n", "part,pin\nresistor,7391\n", "user,pinned\nbob,1234\n", "name,ping\nhost,7391\n"),
)  # fmt: skip


def elsewhere_cases(seed: int) -> Iterator[Case]:
    """Every place with two values of its kind."""
    for turn, place in enumerate(PLACES):
        for stem in _STEMS[turn % 3 :: 3]:
            value = f"{stem}{Maker(seed, place, stem).digits(4)}"
            yield Case("elsewhere", f"place {turn} {stem}", place.format(v=value), value)
    for turn, place in enumerate(CODED):
        value = f"0{Maker(seed, place).number(1, 9)}{Maker(seed, place).of('0123456789ABCDEF', 12)}"
        yield Case("elsewhere", f"coded {turn}", place.format(v=value), value)
    for turn, place in enumerate(HASHED):
        make, kind = Maker(seed, place), place.split()[-2]
        value = f"${kind}${make.of('abcdefghkmnpqrs', 8)}${make.of('abcdefGHJKLMN23456789', 22)}"
        yield Case("elsewhere", f"hashed {turn}", place.format(v=value), value)
    for turn, place in enumerate((*LOWER, *ONE_DIGIT)):
        make = Maker(seed, place)
        digit = "" if place in LOWER else make.number(2, 9)
        value = f"{make.pick('kirschbaum', 'larkspur', 'marigold', 'hornbeam')}{digit}"
        yield Case("elsewhere", f"word {turn}", place.format(v=value), value)
    for turn, place in enumerate(PINS):
        value = Maker(seed, place).digits(4 + turn % 3)
        yield Case("elsewhere", f"pin {turn}", place.format(v=value), value)


def elsewhere_passing(seed: int) -> Iterator[Case]:
    """Texts that look alike and hold no secret."""
    for turn, text in enumerate(HARMLESS):
        yield Case("elsewhere, harmless", f"{turn} {seed}", text)
