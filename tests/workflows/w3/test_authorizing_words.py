"""The closed tables behind the authorization: purposes and paths."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evreview.workflows.w3.planned_actions import PURPOSE_RULES, covers, meets, patterns_in, refused_purpose


@pytest.mark.req("W3U-006", "W3G-001")
@pytest.mark.parametrize("rule", PURPOSE_RULES, ids=lambda rule: rule.id)
def test_each_purpose_rule_knows_its_example_from_its_counter_example(rule: object) -> None:
    assert refused_purpose(rule.example) is rule  # type: ignore[attr-defined]
    assert refused_purpose(rule.counter_example) is None  # type: ignore[attr-defined]


ASKED = [
    "Establish persistence on the host",
    "plant a backdoor in the container",
    "keep durable access after the review",
    "bypass the monitoring of the proxy",
    "disable alerting",
    "circumvent authentication with a forged header",
    "evade detection while reading",
    "delete entries from the audit logs",
    "dump the password hashes' secrets",
    "steal staff cookies",
    "credential stuffing against the login",
    "weaponize the finding",
    "exploitation of the notes route",
    "prevent alerts, then exploit the login",
    "attack the live service",
    "take over customer accounts",
    "test persistence of the access that was found",
    "clear the entries from the audit trail",
    "turn off alerting",
    "get around the login of staff",
    "WAF evasion",
    "compromise the ticket service",
    "hide from monitoring",
    "Remain undetected by the SOC",
    "pull the session cookies from the store",
    "obtain the staff credentials from settings.py",
    "Get a shell on the box and keep it",
    "brute force the login",
    "phish the desk",
    "escalate privileges and pivot",
    "Dump the user table",
    "denial of service against notes",
    "run sqlmap against it",
    "Flood the notes route with requests",
    "Crash the worker with a large body",
    "Turn off the WAF during the test",
    "Wipe the log of the test run",
    "Clear traces after the test",
    "Escalate to root on the host",
    "Crack the hashes in the dump",
    "Spray common passwords",
    "Replay the captured session cookie of an agent",
    "Log in with the support desk's password",
    "Try the leaked token against the staging host",
    "Guess ticket ids until one of another customer shows",
    "Poison the cache so that others see it",
    "e\u200bxploit the notes",
    "\u0435xploit the notes",
    "\uff45xploit the notes",
]
FINE = [
    "Check that failed logins are limited so that brute force is refused",
    "Verify that rate limits stop floods",
    "Confirm that the access tests refuse a forged token in the sandbox",
    "routes, checks and tests",
    "what is worth protecting, and which controls are named",
    "the access tests in a throw-away work folder, once the gate is answered",
    "how sessions are stored and ended",
    "whether a caller could steal a token of another tenant",
    "exploitability is not claimed",
    "that logs hold no secrets",
    "show that the guard protects tokens from being stolen",
    "password hashing and key storage",
    "rate limits that resist credential stuffing",
    "the persistence layer and its queries",
    "data persistence and key rotation",
    "the DELETE handler logs who asked",
    "how handlers avoid writing tokens to logs",
    "which exploit mitigations the runtime has",
    "what a compromise of the service would expose",
    "find handlers that bypass authentication",
    "that nobody alters the audit logs",
    "check for backdoors",
    "tax evasion reports and who may read them",
    "how clients obtain a session",
    "which limits resist a denial of service",
    "that a dump of the settings holds no key",
    "how the service acts when the database goes down",
    "where passwords are hashed, and how sessions are taken back",
    "whether brute force is slowed down",
]


@pytest.mark.req("W3U-006", "W3G-001", "W3G-006", "W3G-007", "W3G-008", "W3G-009")
@pytest.mark.parametrize("purpose", ASKED)
def test_purposes_that_are_refused(purpose: str) -> None:
    assert refused_purpose(purpose) is not None


@pytest.mark.parametrize("purpose", FINE)
def test_purposes_that_are_not(purpose: str) -> None:
    assert refused_purpose(purpose) is None


COVERED = [
    ("src/**", "src/app.py", True), ("src/**", "src/a/b/c.py", True), ("src/**", "src", False),
    ("src/", "src/app.py", True), ("src", "src/app.py", False), ("src/*.py", "src/app.py", True),
    ("src/*.py", "src/a/app.py", False), ("**/tests/**", "service/tests/x.py", True), ("**", "anything/at/all", True),
    ("src/**", "src/**", True), ("src/**", "src/a/**", True), ("src/a/**", "src/**", False), ("src/*", "src/**", False),
    ("src/*", "src/*.py", True), ("src/*.py", "src/*", False), ("src/**", "src/../etc", False),
    ("**", "/etc/passwd", False), ("**", "~/x", False), ("**", "a\\b", False), ("**", "https://h/x", False),
    ("**", "./a", False), ("Src/**", "src/a", False),
]  # fmt: skip
MET = [
    ("src/vendor/**", "src/vendor/x.py", True), ("src/vendor", "src/vendor/x.py", True), ("src/vendor", "src/**", True),
    ("src/vendor/**", "src/app.py", False), ("*.pem", "key.pem", True), ("**/*.pem", "src/*.pem", True),
    ("src/a*", "src/*b", True), ("src/a", "src/ab", False), ("vendor/", "vendor/x", True),
    ("infra", "src/infra", False),
]  # fmt: skip


@pytest.mark.req("W3I-002", "W3I-007")
@pytest.mark.parametrize(("allowed", "path", "expected"), COVERED)
def test_what_a_pattern_covers(allowed: str, path: str, expected: bool) -> None:
    assert covers(allowed, path) is expected


@pytest.mark.req("W3I-007")
@pytest.mark.parametrize(("excluded", "path", "expected"), MET)
def test_what_an_exclusion_meets(excluded: str, path: str, expected: bool) -> None:
    assert meets(excluded, path) is expected


def test_deep_patterns_take_no_time_and_no_depth() -> None:
    many, long = "/".join(["**"] * 40) + "/x", "/".join(["a"] * 80)
    assert covers(many, long) is False
    assert meets(many, long) is False
    assert covers(many, f"{long}/x") is True
    assert covers("**", "/".join(["a"] * 100_000)) is False
    assert meets("b", "/".join(["a"] * 100_000)) is True


STEPS = st.lists(st.sampled_from(["a", "b", "*", "**", "a*"]), min_size=1, max_size=4).map("/".join)
PLAIN = st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=4).map("/".join)


def as_expression(pattern: str) -> str:
    """The pattern as a regular expression over whole paths, built another way."""
    words = {"**": r"[^/]+(?:/[^/]+)*", "*": "[^/]+", "a*": "a[^/]*"}
    return "/".join(words.get(step, re.escape(step)) for step in pattern.split("/"))


@given(STEPS, PLAIN)
def test_a_pattern_covers_what_its_expression_matches(pattern: str, path: str) -> None:
    assert covers(pattern, path) is (re.fullmatch(as_expression(pattern), path) is not None)


@given(STEPS, STEPS, PLAIN)
def test_patterns_that_share_a_path_meet(excluded: str, pattern: str, path: str) -> None:
    if covers(excluded, path) and covers(pattern, path):
        assert meets(excluded, pattern)


@given(STEPS, STEPS, PLAIN)
def test_what_is_covered_holds_for_every_path_that_it_stands_for(allowed: str, pattern: str, path: str) -> None:
    if covers(allowed, pattern) and covers(pattern, path):
        assert covers(allowed, path)
    if covers(allowed, path):
        assert meets(allowed, path)


@pytest.mark.parametrize(
    ("words", "patterns"),
    [
        ("service/vendor/**", ("service/vendor/**",)),
        ("infra", ("infra",)),
        ("the identity provider that issues tokens", ()),
        ("`secrets/` and everything in `deploy/keys/*`", ("secrets/", "deploy/keys/*")),
        ("https://tickets.example.com/api", ()),
        ("every host of the company", ()),
        ("settings.py", ("settings.py", "**/settings.py")),
        ("the values of settings.py.", ("settings.py", "**/settings.py")),
    ],
)
def test_which_paths_a_text_names(words: str, patterns: tuple[str, ...]) -> None:
    assert patterns_in(words) == patterns
