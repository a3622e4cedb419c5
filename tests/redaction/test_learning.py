"""Tests about what is learnt: from whole contracts however large, and never the words that evreview writes itself."""

from __future__ import annotations

import pytest

import evreview as ev
from evreview.kinds.rule_catalogue import CATALOGUE
from evreview.redaction import learned_values as distinct_lines
from evreview.redaction.detector import Detector
from evreview.redaction.detectors import DETECTORS
from evreview.redaction.learned_values import Distinct
from evreview.redaction.own_words import is_own
from evreview.redaction.redactor import Redactor
from evreview.redaction.scanner import scan
from tests.all_cases import all_cases

PLAIN = "".join(f"  name{number}:\n    type: string\n    maxLength: {number}\n" for number in range(40))
every_detector = all_cases(DETECTORS, name=lambda detector: detector.id)


def values(text: str, detector: Detector) -> set[str]:
    return {hit.value for hit in scan(text) if hit.detector == detector.id}


@pytest.mark.parametrize("lead", ["", "first line\n", PLAIN[:60]])
def test_what_repeated_lines_tell_is_learnt_all_the_same(lead: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value on one line, over several, and where a text begins like one that was read before."""
    monkeypatch.setattr(distinct_lines, "WHOLE", 0)

    @every_detector
    def learnt(detector: Detector) -> None:
        lines, begun = Distinct(), detector.sample.partition("\n")[0]
        texts = [PLAIN, f"{PLAIN}{begun}\n{PLAIN}", f"{PLAIN}{lead}\n{detector.sample}\n{PLAIN}", PLAIN]
        read = [lines.of(text) for text in texts]
        told = values(texts[2], detector)
        assert told and told <= {value for text in read for value in values(text, detector)}
        assert sum(map(len, read)) < sum(map(len, texts))

    learnt()


@pytest.mark.parametrize("place", range(0, 41, 8))
def test_every_line_of_a_key_that_begins_like_another_is_learnt(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct_lines, "WHOLE", 0)

    def block(lot: int) -> list[str]:
        body = [
            "MIIEpAIBAAKCAQEA" + "q7Rx2Lv9" * 6,
            *("k2Lv9tBq7RxZp4Wm" * 3 + f"{lot}{number:03}" for number in range(9)),
        ]
        return ["-----BEGIN PRIVATE" + " KEY-----", *body, "-----END PRIVATE" + " KEY-----"]

    lines = Distinct()
    shown = PLAIN.split("\n")
    for lot in (1, 2):
        text = "\n".join([*shown[:place], *block(lot), *shown[place:]])
        redactor = Redactor.over([("E1", lines.of(text))])
    assert [line for line in block(2)[2:-1] if line in redactor.clean(f"it says {line} somewhere")] == []


@pytest.mark.parametrize("host", ["optional", "response", "breaking", "request-body", "builds", "warehouse"])
def test_a_word_that_only_its_shape_gives_away_is_not_looked_for(host: str) -> None:
    redactor = Redactor.over([("E1", f"url: http://{host}/v1")])
    text = f"response-field-became-{host}, {host} and {host.upper()}"
    assert redactor.clean(text) == text
    assert f"//{host}" not in redactor.clean(f"see http://{host}/v1")


@pytest.mark.parametrize("word", ["breaking", "removed", "Inference", "response-field-became-optional", "unproven"])
def test_a_word_of_evreview_is_removed_where_it_stands_alone(word: str) -> None:
    learnt = f'PASSWORD = "{word}"'
    assert ev.redact(f"verdict: {word}; rule {word}", [learnt]) == f"verdict: {word}; rule {word}"


def test_every_rule_says_only_words_of_its_own() -> None:
    assert [rule.id for rule in CATALOGUE if not is_own(str(rule.id))] == []
    assert not any(map(is_own, ["kelp-yew", "swiftteal", "q7Rx2Lv9tB", "", "a"]))


@pytest.mark.parametrize(
    ("text", "learn", "gone"),
    [
        ("token=q7Rx2Lv9tBk3", (), "q7Rx2Lv9tBk3"),
        ("it is marblezither here", ("DB_PASSWORD=marblezither\n",), "marblezither"),
        ("it is ab12cd34ef56 here", ("x", "secret: ab12cd34ef56"), "ab12cd34ef56"),
        ("it is velvetwalrus#7 here", ('password = "velvet" + "walrus#7"',), "walrus#7"),
        ("in base64 bWFyYmxleml0aGVy", ("password: marblezither\n",), "bWFyYmxleml0aGVy"),
    ],
)
def test_redact_takes_out_what_it_finds_and_what_it_learnt(text: str, learn: tuple[str, ...], gone: str) -> None:
    shown = ev.redact(text, learn)
    assert type(shown) is str and gone not in shown and "[redacted: " in shown
    assert ev.redact(shown, learn) == shown


def test_redact_leaves_a_plain_text_as_it_is() -> None:
    assert ev.redact("Password: reset, token: string", learn=["password: required"]) == "Password: reset, token: string"


@pytest.mark.parametrize("name", ["current_user_can_bypass", "bypass", "compass", "underpass", "trespass", "surpass"])
def test_a_name_that_ends_like_a_password_is_none(name: str) -> None:
    text = f'{{"{name}": "exempt"}} {name}: northward\n'
    assert ev.redact(text, [text]) == text
    assert Redactor().clean_json({name: "exempt"}) == {name: "exempt"}
    assert Redactor().clean_json({"smtp_pass": "gullzither"}) != {"smtp_pass": "gullzither"}
