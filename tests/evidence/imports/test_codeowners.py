"""Which team owns a path: GitHub's patterns, the last match, teams and no persons."""

from __future__ import annotations

import time

import pytest

from evreview.core.errors import BadInput
from evreview.evidence.imports.codeowners import matches, read
from evreview.evidence.imports.model import Reviewed, Supplied


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*", "api/openapi.yaml", True),
        ("*.yaml", "api/openapi.yaml", True),
        ("*.yaml", "api/openapi.json", False),
        ("api/", "api/openapi.yaml", True),
        ("api/", "lib/api/openapi.yaml", True),
        ("/api/", "lib/api/openapi.yaml", False),
        ("/api", "api/v1/openapi.yaml", True),
        ("api/*", "api/openapi.yaml", True),
        ("api/*", "api/v1/openapi.yaml", False),
        ("api/v?/", "api/v1/openapi.yaml", True),
        ("**/specs", "a/b/specs/openapi.yaml", True),
        ("api/**/openapi.yaml", "api/openapi.yaml", True),
        ("api/**/openapi.yaml", "api/a/b/openapi.yaml", True),
        ("/api/**", "api/a/b/openapi.yaml", True),
        ("openapi", "api/openapi.yaml", False),
        ("lib/api", "other/lib/api/openapi.yaml", False),
    ],
)
def test_patterns_match_as_github_has_them(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def roles(text: str) -> dict[str, str]:
    supplied = Supplied(name="CODEOWNERS", files={"": text.encode()}, reviewed=Reviewed(contract="api/openapi.yaml"))
    return dict(read(supplied).roles)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* @acme/all\napi/ @acme/api\n", {"api_owner": "@acme/api"}),
        ("api/ @acme/api\n* @acme/all\n", {"api_owner": "@acme/all"}),
        ("api/ @acme/api  # @acme/not\n", {"api_owner": "@acme/api"}),
        ("api/ @acme/api @alice\n", {"api_owner": "@acme/api"}),
        ("api/ @alice\n", {}),
        ("api/ alice@example.test\n", {}),
        ("api/ @acme/api @acme/web\n", {}),
        ("* @acme/all\napi/\n", {}),
        ("* @acme/all\n!api/ @acme/api\n", {"api_owner": "@acme/all"}),
        ("lib/ @acme/lib\n", {}),
    ],
)
def test_the_last_match_decides_and_only_one_team_is_a_role(text: str, expected: dict[str, str]) -> None:
    assert roles(text) == expected


@pytest.mark.parametrize("text", ["", "{}", "<testsuite/>", "just words here\n", "api/\n", "\x00\x01"])
def test_what_names_no_owner_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        roles(text)


def test_no_pattern_is_dear() -> None:
    started = time.monotonic()
    assert not matches("*a" * 2000 + "b", "a" * 4000)
    assert not matches("**/" * 2000 + "b", "/".join("a" * 400))
    assert time.monotonic() - started < 5
