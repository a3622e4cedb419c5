"""Personal data and customer identifiers."""

from __future__ import annotations

import re
from typing import Final

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
