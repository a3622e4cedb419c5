"""Every wiring rule finds its example and leaves its counter-example alone; hostile configurations end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.security.challenging.wiring import RULES, Asked, WiringRule, directives, wired

ASKED = Asked(path="/internal/report", header="X-Role")
EACH = pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])


@EACH
def test_a_rule_finds_its_example(rule: WiringRule) -> None:
    assert rule.id in [found.rule for found in wired(rule.example, ASKED)]


@EACH
def test_a_rule_leaves_its_counter_example_alone(rule: WiringRule) -> None:
    assert rule.id not in [found.rule for found in wired(rule.counter_example, ASKED)]


@pytest.mark.parametrize(
    ("content", "effects"),
    [
        ("RequestHeader unset X-Role\n", {"header", "address"}),
        ("http-request del-header X-Role\n", {"header", "address"}),
        ("reverse_proxy app {\n  header_up -X-Role\n}\n", {"header", "address"}),
        ("route:\n  request_headers_to_remove:\n    - x-role\n", {"header", "address"}),
        (
            "middlewares:\n  clean:\n    headers:\n      customRequestHeaders:\n        X-Role: ''\n",
            {"header", "address"},
        ),
        (
            "metadata:\n  annotations:\n    nginx.ingress.kubernetes.io/auth-url: https://a.example\n",
            {"authentication"},
        ),
        ("kind: AuthorizationPolicy\nspec: {}\n", {"unclear"}),
        ("location = /internal/report {\n  deny all;\n}\n", {"network"}),
        ("location /internal/ {\n  allow all;\n  deny all;\n}\n", set()),
        ("location /internal/ {\n  location /internal/report {\n  }\n  deny all;\n}\n", {"network"}),
        ("location / {\n  deny all;\n}\nlocation /internal/ {\n  proxy_pass http://a;\n}\n", set()),
        ("", set()),
        ("just words\n", set()),
    ],
)
def test_forms_of_other_proxies(content: str, effects: set[str]) -> None:
    assert {found.effect for found in wired(content, ASKED)} == effects


def test_lines_are_counted_from_one() -> None:
    found = wired("server {\n  location /internal/ {\n    deny all;\n  }\n}\n", ASKED)
    assert [(one.rule, one.line) for one in found] == [("location-closed", 3)]


@settings(max_examples=200, deadline=None)
@given(st.text("{};# \n\"'location/deny all:-", max_size=80))
def test_any_text_is_read(content: str) -> None:
    assert all(1 <= one.line <= len(content.splitlines()) for one in directives(content))
    wired(content, ASKED)
