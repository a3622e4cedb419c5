"""Personal data and customer identifiers (`PERSONAL`), and the numbers that states give to people (`NATIONAL`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from evreview.core.frozen import frozen
from evreview.redaction.detector import Detector, Kind, compiled, value_group
from evreview.redaction.placeholders import iban, luhn, reserved_host, stands_in

_TEST_CARDS: Final = frozenset(
    [
        "4111111111111111",
        "4242424242424242",
        "4012888888881881",
        "4222222222222",
        "5555555555554444",
        "5105105105105100",
        "378282246310005",
        "371449635398431",
        "6011111111111117",
        "6011000990139424",
        "30569309025904",
        "3530111333300000",
        "4000056655665556",
    ]
)
_TEST_IBANS: Final = frozenset(
    [
        "GB82WEST12345698765432",
        "GB29NWBK60161331926819",
        "DE89370400440532013000",
        "FR1420041010050500013M02606",
        "NL91ABNA0417164300",
        "CH9300762011623852957",
        "BE68539007547034",
        "ES9121000418450200051332",
    ]
)
_ISSUED: Final = r"3(?:0[0-5]|[689]\d)\d{11}|3[47]\d{13}|(?:4\d|5[0-9]|2[2-7]|35|6[0-9])\d{14}|62\d{15,17}"
"""Lengths and first digits of cards written without gaps: other long numbers pass the check once in ten times."""
_FICTIONAL_PHONE: Final = (
    r"1?\d{0,3}555(?:01\d\d|1212)\Z"
    r"|1?555010\d{4}\Z|2345678|3456789|5555551|447700900\d{3}\Z|44\d{2,4}7946\d{4}\Z|4420794609\d\d\Z"
)
_COUNTRY: Final = (
    r"[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|(?:2[1-689]|3[578]|42|50|59|6[789]|8[578]|9[679])\d"
)
_NUMBERED: Final = (
    r"(?i)(?<![A-Za-z])(?:order|row|invoice|tracking|shipment|parcel|batch|job|build|ticket|sequence|serial|request|offset|event|trace|span"
    r"|message)(?:[_ -]?(?:id|number|no\.?|nr))?[\"']?[ \t]{0,3}[:=#]?[ \t]{0,3}[\"']?\Z"
)
"""What says that a long number counts something else."""
_CARD_WORD: Final = r"(?i)card|karte|(?<![a-z])(?:pan|cc|visa|amex|maestro|cvc|cvv|paid)(?![a-z])|carte|tarjeta|expir"
_NOBODYS_PHONE: Final = rf"(?:{_COUNTRY})0{{6,14}}\Z"
"""A country code of ITU-T E.164 and zeros alone: no network numbers a subscriber so."""
_AT: Final = ("@", "\uff20", "\ufe6b")
_FILE: Final = r"(?i)\.(?:png|svg|jpe?g|gif|[cm]?js|css|json|ya?ml|tgz|gz|zip|html?|map|md|txt)\Z"
_SERVICE_MAIL: Final = frozenset({"git", "noreply", "no-reply", "hg", "ssh"})
_ESCAPED: Final = r"[abefnrtv0]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
"""What stands behind the backslash of an escape: in `-> Pool\\n@pool.setter` nothing is in front of the `@`."""


def _mail(match: re.Match[str]) -> bool:
    local, host = re.split("[@\uff20\ufe6b]", match["value"])
    if match.string[: match.start()].endswith("\\") and compiled(_ESCAPED).fullmatch(local):
        return False
    bare = local.strip("._%+-").lower()
    return bool(bare) and bare not in _SERVICE_MAIL and not reserved_host(host) and not compiled(_FILE).search(host)


def _mailbox(match: re.Match[str]) -> bool:
    return not reserved_host(match["host"])


def _phone(match: re.Match[str]) -> bool:
    value = match["value"]
    digits = re.sub(r"\D", "", value)
    if compiled(_FICTIONAL_PHONE).search(digits) or (value.startswith("+") and compiled(_NOBODYS_PHONE).match(digits)):
        return False
    return 9 <= len(digits) <= 15


def _card(match: re.Match[str]) -> bool:
    value = match["value"]
    digits = re.sub(r"\D", "", value)
    if value.isdigit() and (not compiled(_ISSUED).fullmatch(value) or _counted(match)):
        return False
    return 13 <= len(digits) <= 19 and digits not in _TEST_CARDS and len(set(digits)) > 3 and luhn(digits)


def _counted(match: re.Match[str]) -> bool:
    """True when the words in front say that the number is another one's, and none around it speaks of a card."""
    text, start, end = match.string, match.start("value"), match.end("value")
    before, behind = text[max(0, start - 80) : start], text[end : end + 80]
    return compiled(_NUMBERED).search(before) is not None and not compiled(_CARD_WORD).search(f"{before} {behind}")


def _iban(match: re.Match[str]) -> bool:
    bare = re.sub(r"\s", "", match["value"]).upper()
    return bare not in _TEST_IBANS and iban(bare)


def _customer(match: re.Match[str]) -> bool:
    value = match[value_group(match)]
    digits = re.sub(r"\D", "", value)
    trivial = len(digits) < 4 or len(set(digits)) < 3 or digits in "0123456789012345"
    return not trivial and not stands_in(value) and not re.fullmatch(r"v?\d+(\.\d+)+", value)


PERSONAL: Final[tuple[Detector, ...]] = (
    Detector(
        id="mail-address",
        kind=Kind.PERSONAL_DATA,
        why="A mail address names a person; artifacts name roles.",
        keywords=_AT,
        starts=_AT,
        back=r"[\w.%+-]{1,64}",
        expression=(
            r"(?P<value>[\w.%+-]{1,64}[@\uff20\ufe6b](?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:[^\W\d_]{2,24}|xn--[a-zA-Z0-9-]{2,59}))(?![\w@-])"
        ),
        example=("ines.moreau", "@", "harbourline.fr"),
        counter_example=("orders@example.com",),
        confirm=_mail,
    ),
    Detector(
        id="mailbox-name",
        kind=Kind.PERSONAL_DATA,
        why="The name in front of a mail address is a person's.",
        keywords=("@",),
        starts=("<",),
        needs=r"<[A-Za-z0-9._%+-]{1,64}@",
        back=r" ?(?:[\w'’.-]{0,30}[A-ZÀ-Þ] ){1,3}[\w'’.-]{1,30}[A-ZÀ-Þ]",
        expression=(
            r"(?P<value>[A-ZÀ-Þ][\w'’.-]{1,30}(?: [A-ZÀ-Þ][\w'’.-]{0,30}){1,3}) ?<[A-Za-z0-9._%+-]{1,64}@(?P<host>[A-Za-z0-9.-]{3,200})>"  # noqa: E501
        ),
        example=("Ines Moreau <ines.moreau", "@", "harbourline.fr>"),
        counter_example=("Order Service <orders@example.com>",),
        confirm=_mailbox,
    ),
    Detector(
        id="phone-number",
        kind=Kind.PERSONAL_DATA,
        why="An international phone number reaches a person.",
        keywords=("+",),
        starts=("+",),
        expression=(
            r"(?<![\w.+/-])(?P<value>\+[1-9](?:\d{9,14}|\d{0,2}(?:(?:[ .()/-]{1,3}\d{1,8}){2,7}|[ .()/-]\d{8,12})))"
            r"(?![\w-])"
        ),
        example=("+33 64", " 48 21 73 90"),
        counter_example=("+1 202-555-0143",),
        confirm=_phone,
    ),
    Detector(
        id="bracketed-phone",
        kind=Kind.PERSONAL_DATA,
        why="A number with its area in brackets reaches a person.",
        keywords=("(",),
        expression=r"(?P<value>\((?<!\w\()\d{3}\) ?\d{3}-\d{4})(?![\w-])",
        example=("(415) 5", "59-2671"),
        counter_example=("(415) 555-0143",),
        confirm=_phone,
    ),
    Detector(
        id="keyed-phone",
        kind=Kind.PERSONAL_DATA,
        why="The name in front of the value says that it is a phone number.",
        keywords=("phone", "tel", "mobile", "fax", "cell", "msisdn", "handy"),
        starts=("phone", "tel", "mobile", "fax", "cell", "msisdn", "handy"),
        named=True,
        expression=(
            r"(?i)(?:phone|(?<![A-Za-z])(?:telefon|tel|mobile|fax|cell|msisdn|handy))(?:[ _-]?(?:number|nummer|no|nr))?\\?[\"']?(?:\s{0,3}[:=]\s{0,3}\\?[\"']?|>)(?P<value>\+?[0-9(][0-9 ()./-]{7,20}[0-9])"  # noqa: E501
        ),
        example=("phone: 0", "6 48 21 73 90"),
        counter_example=("phone: 202-555-0143",),
        confirm=_phone,
    ),
    Detector(
        id="card-number",
        kind=Kind.PERSONAL_DATA,
        why="A payment card number, its check digit right.",
        keywords=(),
        expression=(
            r"(?P<value>[2-6](?<![\w.-][2-6])(?:(?:(?<!2)\d|(?<=2)[2-7])\d{2}(?:[ -]?\d{4}){2}[ -]?\d{1,7}"
            r"|(?<=3)\d{3}[ -]?\d{6}[ -]?\d{4,5}))(?![\w-])(?!\.\d)"
        ),
        example=("4929 7183 ", "4415 2068"),
        counter_example=("4111 1111 1111 1111",),
        confirm=_card,
    ),
    Detector(
        id="iban",
        kind=Kind.PERSONAL_DATA,
        why="An account number, its check digits right.",
        keywords=(),
        expression=(
            r"(?P<value>[A-Z](?<![A-Za-z0-9][A-Z])[A-Z]\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])"
        ),
        example=("DE75 5121 0800 ", "1245 1261 99"),
        counter_example=("GB82 WEST 1234 5698 7654 32",),
        confirm=_iban,
    ),
    Detector(
        id="customer-identifier",
        kind=Kind.CUSTOMER_IDENTIFIER,
        why="The name in front of the value says that it identifies one customer.",
        keywords=("customer", "account", "subscriber", "patient", "member", "user"),
        starts=("customer", "account", "subscriber", "patient", "member", "user"),
        named=True,
        expression=(
            r"(?i)(?<![A-Za-z])(?:customer|account|subscriber|patient|member|user)[ _-]?(?:id|identifier|number|no|ref)\\?[\"']?"  # noqa: E501
            r"\s{0,3}[:=]\s{0,3}\\?[\"']?(?P<value>[A-Za-z0-9][A-Za-z0-9_-]{3,63})(?![\w-]|[(.]\w)"
        ),
        example=("customer_", "id=", "C-48213977"),
        counter_example=("customer_id: string",),
        confirm=_customer,
    ),
)


# Numbers that states give to people, with the check digits that tell them from other numbers.


@frozen
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
