"""Values that words around them tell: birth dates, quoted passphrases, digits of keys, accounts of clouds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.redaction.labelled.case import HEX, Case, Maker

_BORN: Final = (
    *("date_of_birth: {}\n", '{{"dateOfBirth": "{}"}}\n', "dob={}\n", "born on {} in Lyon\n", "| birth date | {} |\n"),
    *("Geburtsdatum: {}\n", "<birthDate>{}</birthDate>\n", "birthday = '{}'\n"),
)
_DATES: Final = ("19{}-07-{}", "{1}.07.19{0}", "{1} July 19{0}")
_PHRASED: Final = (
    *('The password is "{}".\n', 'PASSWORD="{}"\n', "password: \u201c{}\u201d\n", 'The passphrase was "{}"\n'),
    'Das Kennwort lautet "{}"\n',
)
_FIRST: Final = ("correct", "blue", "seven", "quiet", "tall")
_SECOND: Final = ("horse", "lanterns", "harbours", "apples", "rivers")
_THIRD: Final = ("battery", "dancing", "backwards", "tomorrow", "staple")
_HEXED: Final = (
    *('KEY = "{}"\n', "SECRET: {}\n", "APP_KEY={}\n", '{{"SIGNING_SALT": "{}"}}\n', "const KEY = '{}';\n"),
    'ENCRYPTION_SECRET: Final = "{}"\n',
)
_ACCOUNTS: Final = (
    *(
        "arn:aws:iam::{}:role/prod-admin",
        "arn:aws:lambda:eu-west-1:{}:function:orders",
        "arn:aws-cn:sqs:cn-north-1:{}:q",
    ),
    "arn:aws:kms:us-east-1:{}:key/9f3a7c1e",
)


def told_cases(seed: int) -> Iterator[Case]:
    """Every form with a few values."""
    for turn, place in enumerate(_BORN):
        for form in _DATES:
            make = Maker(seed, place, form)
            value = form.format(make.number(41, 89), make.number(10, 28))
            yield Case("told by words", f"birth {turn} {form}", place.format(value), value)
    for turn, place in enumerate(_PHRASED):
        make = Maker(seed, place)
        for word in _FIRST:
            value = f"{word} {make.pick(*_SECOND)} {make.pick(*_THIRD)}"
            yield Case("told by words", f"phrase {turn} {word}", place.format(value), value)
    for turn, place in enumerate(_HEXED):
        for length in (32, 48, 64):
            value = Maker(seed, place, length).of(HEX, length)
            yield Case("told by words", f"digits {turn} {length}", place.format(value), value)
    for turn, name in enumerate(_ACCOUNTS):
        value = name.format("48" + Maker(seed, name).digits(10))
        for place in ("runs as {}\n", '{{"Resource": "{}"}}\n'):
            yield Case("told by words", f"account {turn} {place[:4]}", place.format(value), value)
