"""Numbers that states give to people, with the check digits that tell them from other numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from evreview.redaction.detector import Detector, Kind, compiled
from evreview.redaction.placeholders import luhn


@dataclass(frozen=True, slots=True)
class Number:
    """One country's number.

    Attributes:
        name: country and name, for the page.
        first, rest: how it is written, its first character and the others; the form decides which rule is asked.
        check: whether the check digits of the bare characters are right.
    """

    name: str
    first: str
    rest: str
    check: Callable[[str], bool]

    @property
    def form(self) -> str:
        """The whole as one expression."""
        return self.first + self.rest


def _sum(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _dated(digits: str, order: str) -> bool:
    """True when month and day stand where `order` says, e.g. `yymmdd`."""
    month = int(digits[order.index("mm") : order.index("mm") + 2])
    day = int(digits[order.index("dd") : order.index("dd") + 2])
    return 1 <= month <= 12 and 1 <= day <= 31


def _belgium(bare: str) -> bool:
    body, check = bare[:9], int(bare[9:])
    return _dated(bare, "yymmdd") and check in (97 - int(body) % 97, 97 - int(f"2{body}") % 97)


def _france(bare: str) -> bool:
    body = bare.replace("2A", "19").replace("2B", "18")
    return 97 - int(body[:13]) % 97 == int(body[13:])


def _spain(bare: str) -> bool:
    number = bare[:-1].translate(str.maketrans("XYZ", "012"))
    dated = re.match(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", number) is not None
    return not dated and "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == bare[-1]


_ODD: Final = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD_LETTERS: Final = (*(1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),)


def _italy(bare: str) -> bool:
    total = 0
    for place, char in enumerate(bare[:15]):
        number = int(char) if char.isdigit() else ord(char) - 65
        odd = _ODD[number] if char.isdigit() else _ODD_LETTERS[number]
        total += odd if place % 2 == 0 else number
    return chr(65 + total % 26) == bare[15]


def _sweden(bare: str) -> bool:
    return _dated(bare, "yymmdd") and luhn(bare)


def _finland(bare: str) -> bool:
    digits = bare[:6] + bare[7:10]
    return _dated(digits, "ddmmyy") and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(digits) % 31] == bare[10]


def _norway(bare: str) -> bool:
    first = -_sum(bare, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    second = -_sum(bare, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return _dated(bare, "ddmmyy") and f"{first}{second}" == bare[9:]


def _kingdom(bare: str) -> bool:
    return bare[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ", "AB") and bare[2:8] != "123456"


def _brazil(bare: str) -> bool:
    first = _sum(bare, range(10, 1, -1)) * 10 % 11 % 10
    second = _sum(bare, range(11, 1, -1)) * 10 % 11 % 10
    return len(set(bare)) > 1 and f"{first}{second}" == bare[9:]


def _company(bare: str) -> bool:
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    made = [0 if (rest := _sum(bare, weights[start:]) % 11) < 2 else 11 - rest for start in (1, 0)]
    return f"{made[0]}{made[1]}" == bare[12:]


def _switzerland(bare: str) -> bool:
    return _sum(bare, (1, 3) * 6 + (1,)) % 10 == 0


def _czechia(bare: str) -> bool:
    return int(bare[2:4]) % 50 % 20 in range(1, 13) and len(bare) == 10 and int(bare) % 11 == 0


def _china(bare: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    dated = bare[6:8] in ("19", "20") and _dated(bare[8:14], "yymmdd")
    return dated and "10X98765432"[_sum(bare, weights) % 11] == bare[17]


def _korea(bare: str) -> bool:
    return _dated(bare, "yymmdd") and (11 - _sum(bare, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == int(bare[12])


def _mexico(bare: str) -> bool:
    order = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(order.index(char) * (18 - place) for place, char in enumerate(bare[:17]))
    return _dated(bare[4:10], "yymmdd") and -total % 10 == int(bare[17])


def _argentina(bare: str) -> bool:
    rest = 11 - _sum(bare, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest == 11 else rest) == int(bare[10])


def _chile(bare: str) -> bool:
    rest = 11 - _sum(bare[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3)) % 11
    return {11: "0", 10: "K"}.get(rest, str(rest)) == bare[-1]


def _singapore(bare: str) -> bool:
    total = _sum(bare[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if bare[0] in "TG" else 0)
    letters = "JZIHGFEDCBA" if bare[0] in "ST" else "XWUTRQPNMLK"
    return bare[1:8] != "1234567" and letters[total % 11] == bare[8]


_DIGIT: Final = r"\d"
_LETTER: Final = "[A-Z]"
DIGITS: Final = (
    Number("BE rijksregisternummer", _DIGIT, r"\d\.\d\d\.\d\d-\d{3}\.\d\d", _belgium),
    Number("FR NIR", "[12]", r" ?\d\d ?(?:0[1-9]|1[0-2]) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d\d", _france),
    Number("ES DNI", _DIGIT, r"\d{7}-?[A-HJ-NP-TV-Z]", _spain),
    Number("SE personnummer", _DIGIT, r"\d{5}[-+]\d{4}", _sweden),
    Number("FI henkilötunnus", _DIGIT, r"\d{5}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]", _finland),
    Number("NO fødselsnummer", _DIGIT, r"\d{5} ?\d{5}", _norway),
    Number("BR CPF", _DIGIT, r"\d\d\.\d{3}\.\d{3}-\d\d", _brazil),
    Number("BR CNPJ", _DIGIT, r"\d\.\d{3}\.\d{3}/\d{4}-\d\d", _company),
    Number("CH AHV", "7", r"56\.\d{4}\.\d{4}\.\d\d", _switzerland),
    Number("CZ, SK rodné číslo", _DIGIT, r"\d{5}/\d{4}", _czechia),
    Number("CN resident identity", "[1-8]", r"\d{16}[0-9X]", _china),
    Number("KR resident registration", _DIGIT, r"\d{5}-\d{7}", _korea),
    Number("AR CUIT", "[23]", r"(?:(?<=2)[03-7]|(?<=3)[034])-\d{8}-\d", _argentina),
    Number("CL RUT", _DIGIT, r"\d?\.\d{3}\.\d{3}-[0-9K]", _chile),
)
LETTERS: Final = (
    Number("ES NIE", "[XYZ]", r"-?\d{7}-?[A-HJ-NP-TV-Z]", _spain),
    Number("IT codice fiscale", _LETTER, r"[A-Z]{5}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", _italy),
    Number(
        "GB national insurance",
        "[A-CEGHJ-PR-TW-Z]",
        r"[A-CEGHJ-NPR-TW-Z](?: \d\d \d\d \d\d |\d{6})[A-D]",
        _kingdom,
    ),
    Number("MX CURP", _LETTER, r"[A-Z]{3}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", _mexico),
    Number("SG NRIC", "[STFG]", r"\d{7}[A-Z]", _singapore),
)
_NAMES: Final = (
    r"bsn|burgerservicenummer|sofinummer|rijksregisternummer|pesel|cpr(?:[_ -]?(?:nr|no|nummer|number))?|ssn"
    r"|social[_ -]?security(?:[_ -]?(?:number|no|nr))?|steuer[_ -]?(?:id|identifikationsnummer|nummer)|ppsn?|nif|nino"
    r"|(?:social[_ -]?)?insurance[_ -]?(?:number|no)|sin|tfn|aadhaar(?:[_ -]?(?:number|no))?|pan[_ -]?(?:number|no|card)"  # noqa: E501
    r"|cpf|cnpj|curp|dni|nie|codice[_ -]?fiscale|personnummer|person[_ -]?(?:number|nr)|fodselsnummer|hetu"
    r"|(?:tc[_ -]?)?kimlik(?:[_ -]?no)?|my[_ -]?number"
    r"|(?:national|identity|personal|citizen|tax)[_ -]?(?:id|identification|identity|number|no|code)(?:[_ -]?(?:number|no))?"  # noqa: E501
    r"|id[_ -]?(?:number|card)(?:[_ -]?no)?|passport[_ -]?(?:number|no|nr|id)"
    r"|(?:driv(?:er'?s?|ing)[_ -]?)?licen[sc]e[_ -]?(?:number|no)|driv(?:er'?s?|ing)[_ -]?licen[sc]e"
)
_KEYWORDS: Final = (
    *("bsn", "burgerservice", "sofinummer", "rijksregister", "pesel", "cpr", "ssn", "social", "steuer", "pps", "nif"),
    *("nino", "insurance", "sin", "tfn", "aadhaar", "pan", "cpf", "cnpj", "curp", "dni", "nie", "codice", "person"),
    *("fodsels", "hetu", "kimlik", "national", "identity", "citizen", "tax", "passport", "driv", "licen"),
    # Short words stand everywhere: only with what has to follow them are they worth a look.
    *(
        f"{word}{gap}{after}"
        for word, after in (("id", "n"), ("id", "c"), ("my", "n"), ("tc", "k"))
        for gap in ("", *"_ -")
    ),
)


def _right(numbers: tuple[Number, ...], match: re.Match[str]) -> bool:
    value = match["value"]
    return any(
        number.check(value if number.name.startswith("FI") else re.sub(r"[^A-Z0-9]", "", value))
        for number in numbers
        if compiled(number.form).fullmatch(value)
    )


def _keyed(match: re.Match[str]) -> bool:
    value = match["value"]
    digits = re.sub(r"\D", "", value)
    trivial = len(set(digits)) < 3 or digits in "01234567890123456789" or digits in "9876543210"
    return len(digits) >= 4 and len(digits) + min(3, sum(map(str.isalpha, value))) >= 7 and not trivial


def _forms(numbers: tuple[Number, ...], every: str) -> str:
    """What follows the first character, one of `every`: a search is fast for one set of characters in front."""
    return "|".join(number.rest if number.first == every else f"(?<={number.first}){number.rest}" for number in numbers)


NATIONAL: Final[tuple[Detector, ...]] = (
    Detector(
        id="national-number",
        kind=Kind.PERSONAL_DATA,
        why="A state's number for one person, its check digits right.",
        keywords=(),
        expression=rf"(?P<value>[0-9](?<![\w.+/-][0-9])(?=\d)(?:{_forms(DIGITS, _DIGIT)}))(?![\w-])(?!\.\d)",
        example=("85.07.30", "-033.28"),
        counter_example=("85.07.30-033.29",),
        confirm=lambda match: _right(DIGITS, match),
    ),
    Detector(
        id="national-code",
        kind=Kind.PERSONAL_DATA,
        why="A state's number for one person, its check letter right.",
        keywords=(),
        expression=rf"(?P<value>[A-Z](?<![\w.+/-][A-Z])(?=[A-Z0-9-])(?:{_forms(LETTERS, _LETTER)}))(?![\w-])",
        example=("RSSMRA85T", "10A562S"),
        counter_example=("RSSMRA85T10A562T",),
        confirm=lambda match: _right(LETTERS, match),
    ),
    Detector(
        id="keyed-national-number",
        kind=Kind.PERSONAL_DATA,
        why="The name in front of the value says that a state gave it to one person.",
        keywords=_KEYWORDS,
        starts=_KEYWORDS,
        named=True,
        expression=(
            rf"(?i)(?<![A-Za-z])(?:{_NAMES})\\?[\"']?(?:\s{{0,3}}[:=]\s{{0,3}}\\?[\"']?|>)"
            r"(?P<value>[A-Z0-9][A-Z0-9]{0,3}(?:[ ./-]?[A-Z0-9]{1,12}){1,6})(?![\w-]|[(.]\w)"
        ),
        example=('"ssn": "482-', '91-7364"'),
        counter_example=("ssn: 123-45-6789",),
        confirm=_keyed,
    ),
)
