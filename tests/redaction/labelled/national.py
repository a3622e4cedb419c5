"""Invented national numbers with the check digits that their countries' rules demand, made digit by digit."""

# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.redaction.labelled.case import Maker

_CF_ODD: Final = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23],
        strict=True,
    )
)  # fmt: skip
_VERHOEFF_D: Final = ["0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043", "8765932104", "9876543210"]  # fmt: skip
_VERHOEFF_P: Final = ["0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"]  # fmt: skip


def weighted(digits: str, weights: str) -> int:
    """The sum of digits times weights."""
    return sum(int(digit) * int(weight) for digit, weight in zip(digits, weights, strict=False))


def luhn_digit(digits: str) -> str:
    """The digit that makes the sum right."""
    doubled = [int(digit) * (2 if number % 2 == 0 else 1) for number, digit in enumerate(reversed(digits))]
    return str(-sum(value // 10 + value % 10 for value in doubled) % 10)


def _date(make: Maker) -> tuple[str, str, str]:
    return f"{make.number(50, 99)}", f"{make.number(1, 12):02}", f"{make.number(1, 28):02}"


def bsn(make: Maker) -> str:
    while True:
        made = make.digits(8)
        rest = weighted(made, "98765432") % 11
        if rest < 10:
            return made + str(rest)


def belgium(make: Maker) -> str:
    year, month, day = _date(make)
    serial = f"{make.number(1, 997):03}"
    check = 97 - int(year + month + day + serial) % 97
    return f"{year}.{month}.{day}-{serial}.{check:02}"


def nir(make: Maker) -> str:
    year, month, _ = _date(make)
    body = (
        make.pick("1", "2") + year + month + f"{make.number(1, 95):02}{make.number(1, 990):03}{make.number(1, 999):03}"
    )
    return f"{body}{97 - int(body) % 97:02}"


def dni(make: Maker) -> str:
    number = make.number(10_000_000, 89_999_999)
    return f"{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def nie(make: Maker) -> str:
    lead, number = make.number(0, 2), make.number(1_000_000, 9_999_999)
    return f"{'XYZ'[lead]}{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[(lead * 10_000_000 + number) % 23]}"


def codice_fiscale(make: Maker) -> str:
    year, _, day = _date(make)
    body = (
        make.of("BCDFGLMNPRSTV", 6)
        + year
        + make.pick(*"ABCDEHLMPRST")
        + day
        + make.pick(*"ABCDEFGHIL")
        + f"{make.number(101, 989)}"
    )
    total = sum(
        _CF_ODD[char] if number % 2 == 0 else int(char, 36) - (10 if char.isalpha() else 0)
        for number, char in enumerate(body)
    )
    return body + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[total % 26]


def pesel(make: Maker) -> str:
    body = "".join(_date(make)) + make.digits(4)
    return body + str(-weighted(body, "1379137913") % 10)


def personnummer(make: Maker) -> str:
    body = "".join(_date(make)) + make.digits(3)
    return f"{body[:6]}-{body[6:]}{luhn_digit(body)}"


def hetu(make: Maker) -> str:
    year, month, day = _date(make)
    serial = f"{make.number(2, 899):03}"
    return f"{day}{month}{year}-{serial}{'0123456789ABCDEFHJKLMNPRSTUVWXY'[int(day + month + year + serial) % 31]}"


def fodselsnummer(make: Maker) -> str:
    while True:
        year, month, day = _date(make)
        body = day + month + year + f"{make.number(100, 499)}"
        first = -weighted(body, "376189452") % 11
        second = -weighted(body + str(first), "5432765432") % 11
        if first < 10 and second < 10:
            return f"{body}{first}{second}"


def cpr(make: Maker) -> str:
    year, month, day = _date(make)
    return f"{day}{month}{year}-{make.digits(4)}"


def nino(make: Maker) -> str:
    return f"{make.pick('CE', 'HK', 'JY', 'PL', 'WA')} {make.digits(2)} {make.digits(2)} {make.digits(2)} {make.pick(*'ABCD')}"


def ssn(make: Maker) -> str:
    return f"{make.number(101, 665)}-{make.number(11, 98)}-{make.number(1001, 9899)}"


def cpf(make: Maker) -> str:
    body = make.digits(9)
    for _ in range(2):
        rest = (
            sum(int(digit) * weight for digit, weight in zip(body, range(len(body) + 1, 1, -1), strict=True)) * 10 % 11
        )
        body += str(rest % 10)
    return f"{body[:3]}.{body[3:6]}.{body[6:9]}-{body[9:]}"


def cnpj(make: Maker) -> str:
    body = make.digits(8) + "0001"
    for weights in ("543298765432", "6543298765432"):
        rest = weighted(body, weights) % 11
        body += str(0 if rest < 2 else 11 - rest)
    return f"{body[:2]}.{body[2:5]}.{body[5:8]}/{body[8:12]}-{body[12:]}"


def steuer_id(make: Maker) -> str:
    """Ten digits, one of them twice and one missing, then ISO 7064 mod 11, 10."""
    pool = list("1234567890")
    order = [pool.pop(make.number(0, len(pool) - 1)) for _ in range(10)]
    if order[0] == "0":
        order[0], order[5] = order[5], order[0]
    order[9] = order[3]
    carry = 10
    for digit in order:
        carry = (carry + int(digit)) % 10 or 10
        carry = carry * 2 % 11
    return "".join(order) + str((11 - carry) % 10)


def ahv(make: Maker) -> str:
    body = "756" + make.digits(9)
    check = -sum(int(digit) * (3 if number % 2 else 1) for number, digit in enumerate(body)) % 10
    return f"{body[:3]}.{body[3:7]}.{body[7:11]}.{body[11]}{check}"


def rodne_cislo(make: Maker) -> str:
    while True:
        year, month, day = _date(make)
        body = year + month + day + make.digits(3)
        if int(body) % 11 < 10:
            return f"{body[:6]}/{body[6:]}{int(body) % 11}"


def pps(make: Maker) -> str:
    body = make.digits(7)
    return body + "WABCDEFGHIJKLMNOPQRSTUV"[weighted(body, "8765432") % 23]


def nif(make: Maker) -> str:
    body = make.pick("1", "2") + make.digits(7)
    rest = 11 - weighted(body, "98765432") % 11
    return body + str(0 if rest > 9 else rest)


def sin(make: Maker) -> str:
    body = make.pick(*"1234567") + make.digits(7)
    made = body + luhn_digit(body)
    return f"{made[:3]}-{made[3:6]}-{made[6:]}"


def tfn(make: Maker) -> str:
    while True:
        made = make.digits(9)
        if sum(int(digit) * weight for digit, weight in zip(made, (1, 4, 3, 7, 5, 8, 6, 9, 10), strict=True)) % 11 == 0:
            return f"{made[:3]} {made[3:6]} {made[6:]}"


def aadhaar(make: Maker) -> str:
    body, carry = make.pick(*"23456789") + make.digits(10), 0
    for number, digit in enumerate(reversed(body), 1):
        carry = int(_VERHOEFF_D[carry][int(_VERHOEFF_P[number % 8][int(digit)])])
    made = body + str(_VERHOEFF_D[carry].index("0"))
    return f"{made[:4]} {made[4:8]} {made[8:]}"


def pan(make: Maker) -> str:
    return f"{make.of('ABCDEFGHKLMNPRSTUVWY', 3)}P{make.pick(*'BDKMRS')}{make.digits(4)}{make.pick(*'BDKMRS')}"


def china(make: Maker) -> str:
    year, month, day = _date(make)
    body = f"{make.number(11, 65)}{make.number(1001, 1399):04}19{year}{month}{day}{make.digits(3)}"
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return body + "10X98765432"[sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True)) % 11]


def korea(make: Maker) -> str:
    body = "".join(_date(make)) + make.pick("1", "2") + make.digits(5)
    check = (11 - weighted(body, "234567892345") % 11) % 10
    return f"{body[:6]}-{body[6:]}{check}"


def curp(make: Maker) -> str:
    year, month, day = _date(make)
    body = make.of("BCDFGLMNPRSTV", 1) + make.pick(*"AEIOU") + make.of("BCDFGLMNPRSTV", 2) + year + month + day
    body += make.pick("H", "M") + make.pick("DF", "JC", "NL", "PL") + make.of("BCDFGLMNPRSTV", 3) + make.pick("0", "A")
    order = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(order.index(char) * (18 - number) for number, char in enumerate(body))
    return body + str(-total % 10)


def south_africa(make: Maker) -> str:
    body = "".join(_date(make)) + f"{make.number(1000, 9999)}" + "08"
    return body + luhn_digit(body)


def turkey(make: Maker) -> str:
    body = make.digits(9)
    tenth = (7 * sum(map(int, body[0::2])) - sum(map(int, body[1::2]))) % 10
    return f"{body}{tenth}{(sum(map(int, body)) + tenth) % 10}"


def cuit(make: Maker) -> str:
    while True:
        body = make.pick("20", "27", "30") + make.digits(8)
        rest = 11 - weighted(body, "5432765432") % 11
        if rest != 10:
            return f"{body[:2]}-{body[2:]}-{0 if rest == 11 else rest}"


def rut(make: Maker) -> str:
    body = str(make.number(10_000_000, 24_999_999))
    rest = (
        11
        - sum(int(digit) * weight for digit, weight in zip(reversed(body), (2, 3, 4, 5, 6, 7, 2, 3), strict=True)) % 11
    )
    return f"{body[:2]}.{body[2:5]}.{body[5:]}-{'0' if rest == 11 else 'K' if rest == 10 else rest}"


def my_number(make: Maker) -> str:
    body = make.digits(11)
    total = sum(
        int(digit) * (number + 1 if number <= 6 else number - 5) for number, digit in enumerate(reversed(body), 1)
    )
    return body + str(0 if total % 11 <= 1 else 11 - total % 11)


def nric(make: Maker) -> str:
    body = make.digits(7)
    return "S" + body + "JZIHGFEDCBA"[weighted(body, "2765432") % 11]


BARE: Final[dict[str, Callable[[Maker], str]]] = {
    "BE rijksregister": belgium, "FR NIR": nir, "ES DNI": dni, "ES NIE": nie, "IT codice fiscale": codice_fiscale,
    "SE personnummer": personnummer, "FI HETU": hetu, "NO fødselsnummer": fodselsnummer, "UK NINO": nino,
    "BR CPF": cpf, "BR CNPJ": cnpj, "CH AHV": ahv, "CZ rodné číslo": rodne_cislo, "CN id": china, "KR id": korea,
    "MX CURP": curp, "AR CUIT": cuit, "CL RUT": rut, "SG NRIC": nric,
}  # fmt: skip
"""Those that are recognised wherever they stand."""
KEYED: Final[dict[str, tuple[str, Callable[[Maker], str]]]] = {
    "NL BSN": ("bsn", bsn), "NL burgerservicenummer": ("burgerservicenummer", bsn), "PL PESEL": ("pesel", pesel),
    "DK CPR": ("cpr", cpr), "US SSN": ("ssn", ssn), "US social security": ("socialSecurityNumber", ssn),
    "DE Steuer-ID": ("steuer_id", steuer_id), "IE PPS": ("ppsn", pps), "PT NIF": ("nif", nif), "CA SIN": ("sin", sin),
    "AU TFN": ("tfn", tfn), "IN Aadhaar": ("aadhaar", aadhaar), "IN PAN": ("pan_number", pan),
    "ZA id": ("id_number", south_africa), "TR kimlik": ("tc_kimlik_no", turkey), "JP my number": ("my_number", my_number),
    "national id": ("national_id", nir), "tax number": ("tax_number", steuer_id),
    "BE plain": ("rijksregisternummer", lambda make: "".join(filter(str.isdigit, belgium(make)))),
    "BR CPF plain": ("cpf", lambda make: "".join(filter(str.isdigit, cpf(make)))),
    "SE plain": ("personnummer", lambda make: "19" + personnummer(make).replace("-", "")),
    "UK NINO plain": ("nino", lambda make: nino(make).replace(" ", "")),
    "passport": ("passport_number", lambda make: make.pick("C", "L", "N") + make.digits(8)),
    "driving licence": ("driver_license", lambda make: make.pick("D", "K") + make.digits(8)),
}  # fmt: skip
"""Those that only the name beside them tells from other numbers."""
