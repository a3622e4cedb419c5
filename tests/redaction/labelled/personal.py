"""Data of people: mail addresses, phone numbers, accounts, cards, national numbers."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from tests.redaction.labelled import national
from tests.redaction.labelled.case import Case, Maker

_AT: Final = "@"
MAIL: Final = {
    "prose": "reported by {} yesterday\n",
    "json": '{{"contact": "{}"}}\n',
    "yaml": "owner: {}\n",
    "link": "mailto:{}\n",
    "url": "/users/{}/orders\n",
    "query": "?to={}&x=1\n",
    "angle": "From: Ines <{}>\n",
    "log": "login failed for {} from 192.0.2.1\n",
    "git": "Signed-off-by: Ines Moreau <{}>\n",
    "code": 'send("{}")\n',
    "csv": "7,{},2026\n",
    "sql": "INSERT INTO users VALUES (7, '{}');\n",
}
LOCALS: Final = ("ines.moreau", "o_hara+orders", "jan", "x.y-z", "m0re4u", "anna_lena.berg")
DOMAINS: Final = ("harbourline.fr", "mail.harbour-orders.co.uk", "gmail.com", "werft.berlin", "orders.io")
PHONES: Final = (
    *("+33 6 48 21 73 90", "+49 171 4829163", "+49 (0)30 482917-36", "+31-6-48217390", "+44 7911 482173"),
    *("+1 (415) 482-1739", "+1-415-482-1739", "+1 415 482 1739", "+14154821739", "+4917148291637", "+81 90-4821-7390"),
    *("+55 11 94821-7390", "+61 412 482 173", "+919482173904", "+39 348 217 3904", "+34 648 21 73 90"),
)
PHONE_PLACES: Final = ("call {} now\n", '{{"contact": "{}"}}\n', "phone: {}\n", "tel:{}\n", "({})\n")
KEYED_PHONES: Final = (
    "0648217390",
    "(415) 482-1739",
    "415-482-1739",
    "030/48291736",
    "07911 482173",
    "0171 48 29 16 37",
)
IBAN_LENGTHS: Final = {
    "DE": "18n", "FR": "10n11c2n", "NL": "4a10n", "BE": "12n", "ES": "20n", "IT": "1a10n12c", "GB": "4a14n", "CH": "5n12c",
    "AT": "16n", "PL": "24n", "SE": "20n", "NO": "11n", "DK": "14n", "FI": "14n", "PT": "21n", "IE": "4a14n", "CZ": "20n",
    "RO": "4a16c", "GR": "7n16c", "TR": "6n16c", "SA": "2n18c", "AE": "19n", "MT": "4a5n18c", "LU": "3n13c",
}  # fmt: skip
CARDS: Final = {
    "visa": ("4", 16), "mastercard": ("52", 16), "mastercard 2": ("2314", 16), "amex": ("37", 15), "discover": ("6011", 16),
    "diners": ("36", 14), "jcb": ("3530", 16), "unionpay": ("62", 16), "maestro": ("6759", 16), "rupay": ("6521", 16),
}  # fmt: skip


def mail_cases(seed: int) -> Iterator[Case]:
    """Addresses in every place."""
    for number, (name, place) in enumerate(MAIL.items()):
        for turn in range(3):
            local = LOCALS[(number + turn * 2) % len(LOCALS)]
            value = f"{local}{Maker(seed, name, turn).number(2, 99)}{_AT}{DOMAINS[(number + turn) % len(DOMAINS)]}"
            yield Case("mail addresses", f"{name} {turn}", place.format(value), value)


def phone_cases(seed: int) -> Iterator[Case]:
    """International numbers in several places, national ones beside a name."""
    for number, phone in enumerate(PHONES):
        for place in (number % 5, (number + 1 + seed % 4) % 5):
            yield Case("phone numbers", f"{number} {place}", PHONE_PLACES[place].format(phone), phone)
    for number, phone in enumerate(KEYED_PHONES):
        name = ("phone", "mobileNumber", "telephone", "fax", "phone_number", "contactPhone")[number]
        for place in ("{}: {}\n", '{{"{}": "{}"}}\n', "{}={}\n", "<{0}>{1}</{0}>\n"):
            yield Case("phone numbers", f"{name} {place[:6]}", place.format(name, phone), phone)


def account_cases(seed: int) -> Iterator[Case]:
    """IBANs of many countries, cards of many brands, with and without gaps."""
    for country, form in IBAN_LENGTHS.items():
        value = iban(country, form, Maker(seed, country))
        for spaced in (value, " ".join(value[at : at + 4] for at in range(0, len(value), 4))):
            yield Case("accounts and cards", f"{country} {len(spaced)}", f"pay to {spaced}, please\n", spaced)
            yield Case("accounts and cards", f"{country} json {len(spaced)}", f'{{"to": "{spaced}"}}\n', spaced)
    for brand, (lead, length) in CARDS.items():
        make = Maker(seed, brand)
        body = lead + make.digits(length - len(lead) - 1)
        value = body + national.luhn_digit(body)
        for gap in ("", " ", "-"):
            cuts = (0, 4, 10, length) if length < 16 else (0, 4, 8, 12, length)
            shown = gap.join(value[start:end] for start, end in pairwise(cuts))
            yield Case("accounts and cards", f"{brand} {gap!r}", f"paid with {shown} today\n", shown)
            yield Case("accounts and cards", f"{brand} json {gap!r}", f'{{"number": "{shown}"}}\n', shown)


def iban(country: str, form: str, make: Maker) -> str:
    """An account of that country's form with the right check digits."""
    body, count = "", ""
    for char in form:
        if char.isdigit():
            count += char
            continue
        body += make.of(
            {"n": "123456789", "a": "ABCDEFGHKLMNPRSTUVW", "c": "ABCDEFGHKLMNPRSTUVW123456789"}[char], int(count)
        )
        count = ""
    number = int("".join(str(int(char, 36)) for char in body + country + "00"))
    return f"{country}{98 - number % 97:02}{body}"


def national_cases(seed: int) -> Iterator[Case]:
    """Each country's number, alone or beside its name."""
    for name, make in national.BARE.items():
        for turn, place in enumerate(("of {} in the log\n", '{{"ref": "{}"}}\n', "7;{};x\n")):
            value = make(Maker(seed, name, turn))
            yield Case("national numbers", f"{name} {turn}", place.format(value), value)
    for name, (key, make) in national.KEYED.items():
        for turn, place in enumerate(("{}: {}\n", '{{"{}": "{}"}}\n', "?{}={}&x=1\n", "<{0}>{1}</{0}>\n")):
            value = make(Maker(seed, name, turn))
            yield Case("national numbers", f"{name} {turn}", place.format(key, value), value)
