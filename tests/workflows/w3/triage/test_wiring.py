"""Every wiring rule finds its example and leaves its counter-example alone; hostile configurations end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evreview.workflows.w3.triage.nginx import FORMS, NGINX_RULES, WiringRule, blocks_of, wired
from evreview.workflows.w3.triage.proxies import FormRule, ProxyQuestion
from tests.workflows.w3.triage.wiring_forms import CADDY, FORMED, INGRESS, TRAEFIK

ASKED = ProxyQuestion(path="/internal/report", header="X-Role")
EACH_FORM = pytest.mark.parametrize("rule", FORMS, ids=[rule.id for rule in FORMS])
EACH = pytest.mark.parametrize("rule", NGINX_RULES, ids=[rule.id for rule in NGINX_RULES])


@EACH
def test_a_rule_finds_its_example(rule: WiringRule) -> None:
    assert rule.id in [found.rule for found in wired(rule.example, ASKED)]


@EACH
def test_a_rule_leaves_its_counter_example_alone(rule: WiringRule) -> None:
    assert rule.id not in [found.rule for found in wired(rule.counter_example, ASKED)]


@EACH_FORM
@pytest.mark.req("W3D-002")
def test_another_form_is_found_by_its_example(rule: FormRule) -> None:
    assert rule.id in [found.rule for found in wired(rule.example, ASKED)]
    assert rule.id not in [found.rule for found in wired(rule.counter_example, ASKED)]


OPEN = {"unclear"}
CLOSED = "location /internal/ {\n  deny all;\n}\n"
INTERNAL = "location /internal/ {\n  internal;\n  proxy_pass http://a;\n}\n"


@pytest.mark.parametrize(
    ("content", "effects"),
    [
        (CLOSED, {"network"}),
        ("location = /internal/report {\n  deny all;\n}\n", {"network"}),
        ("server {\n  deny all;\n  location / {\n  }\n}\n", {"network"}),
        ("server {\n  deny all;\n  location / {\n    allow all;\n  }\n}\n", set()),
        ("location / {\n  deny all;\n}\nlocation /internal/ {\n  proxy_pass http://a;\n}\n", set()),
        ("location /internal/ {\n  allow all;\n  deny all;\n}\n", OPEN),
        ("server {\n  auth_basic a;\n  location /internal/ {\n    auth_basic off;\n  }\n}\n", set()),
        ("server {\n  proxy_set_header X-Role '';\n  location / {\n    proxy_set_header Host $host;\n  }\n}\n", set()),
        ("location /internal/ {\n  return 404; # gone\n}\n", {"network"}),
        ("# location /internal/ { deny all; }\nlocation / {\n}\n", set()),
        (CLOSED + "location / {\n  proxy_pass http://127.0.0.1:8000/;\n}\n", {"network"}),
        (CLOSED + "location / {\n  proxy_pass http://unix:/run/app.sock;\n}\n", {"network"}),
        (CLOSED + "location ^~ /open/ {\n  proxy_pass http://app/open/;\n}\n", {"network"}),
        (CLOSED + "location / {\n  try_files $uri /internal/report;\n}\n", {"network"}),
        (INTERNAL + "error_page 404 /404.html;\nlocation / {\n  proxy_pass http://a;\n}\n", {"network"}),
        ("", set()),
    ],
)
def test_plain_nginx_is_read_to_its_end(content: str, effects: set[str]) -> None:
    assert {found.effect for found in wired(content, ASKED)} == effects


@pytest.mark.parametrize(
    "content",
    [
        "server {\n" + CLOSED + "}\nserver {\n  server_name other;\n}\n",
        "location /internal/ {\n  limit_except GET {\n    deny all;\n  }\n}\n",
        "location /internal/ {\n  satisfy any;\n  allow all;\n  deny all;\n}\n",
        CLOSED + "location ~ /report$ {\n  proxy_pass http://a;\n}\n",
        "location ~ ^/internal/(report|x) {\n  deny all;\n}\n",
        "location /internal/ {\n  if ($http_x_debug) {\n    return 403;\n  }\n}\n",
        "include extra.conf;\n" + CLOSED,
        "location / {\n  rewrite ^ /other;\n}\n",
        "location /internal/ {\n  deny all;\n",
        CLOSED + "location /open/ {\n  proxy_pass http://127.0.0.1:8000/internal/;\n}\n",
        CLOSED + "location /open/ {\n  proxy_pass http://unix:/run/app.sock:/internal/;\n}\n",
        CLOSED + "location / {\n  proxy_pass http://$upstream/;\n}\n",
        CLOSED + "location / {\n  proxy_pass http://app$request_uri;\n}\n",
        CLOSED + "location /open {\n  proxy_pass http://app/int;\n}\n",
        CLOSED + "location /open/ {\n  proxy_pass http://app/;\n}\n",
        CLOSED + "location = /open {\n  proxy_pass https://app:8443/internal/report;\n}\n",
        INTERNAL + "location / {\n  try_files $uri /internal/report;\n}\n",
        INTERNAL + "error_page 404 /internal/report;\nlocation / {\n  proxy_pass http://a;\n}\n",
        "route /internal/* {\n  forward_auth auth:9091\n}\n",
        "frontend web\n  http-request deny if { path_beg /internal }\n",
        "http_filters:\n  - name: envoy.filters.http.jwt_authn\n",
        "annotations:\n  nginx.ingress.kubernetes.io/auth-url: https://a.example\n",
        "kind: AuthorizationPolicy\nspec: {}\n",
        "kind: NetworkPolicy\nspec: {}\n",
        "RequestHeader unset X-Role\n",
        "just words\n",
        "{" * 9_000,
    ],
)
@pytest.mark.req("W3D-002")
def test_any_other_form_leaves_it_open(content: str) -> None:
    assert {found.effect for found in wired(content, ASKED)} == OPEN


@pytest.mark.parametrize("name", FORMED)
@pytest.mark.req("W3D-002")
def test_other_forms_count_only_where_they_are_plain(name: str) -> None:
    content, asks = FORMED[name]
    effects = {found.effect for found in wired(content, ASKED)}
    assert ("authentication" in effects) is asks
    assert asks or effects == OPEN


def test_a_plain_caddyfile_is_read_to_its_end() -> None:
    assert wired(CADDY.replace("/internal/*", "/admin/*"), ASKED) == ()
    assert wired("a.example {\n  reverse_proxy app:80\n}\n", ASKED) == ()


@pytest.mark.parametrize(
    "content",
    ["services:\n  app:\n    image: shop\n", "apiVersion: v1\nkind: Service\nspec:\n  ports:\n  - port: 80\n"],
)
def test_a_plain_workload_holds_no_control(content: str) -> None:
    assert wired(content, ASKED) == ()


def test_lines_are_counted_from_one() -> None:
    found = wired("server {\n  location /internal/ {\n    deny all;\n  }\n}\n", ASKED)
    assert [(one.rule, one.line) for one in found] == [("location-closed", 3)]


@settings(max_examples=200, deadline=None)
@given(st.text("{};# \n\"'location/deny all:-", max_size=80))
def test_any_text_is_read(content: str) -> None:
    root = blocks_of(content)
    for block in root.every() if root is not None else ():
        assert all(1 <= one.line <= content.count("\n") + 1 for one in block.directives)
    wired(content, ASKED)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([INGRESS, TRAEFIK, CADDY]), st.integers(0, 500), st.integers(0, 40),
    st.text("{}@:-/\n $[]'", max_size=12),
)  # fmt: skip
def test_a_damaged_text_of_another_form_is_read(content: str, at: int, taken: int, put: str) -> None:
    wired(content[:at] + put + content[at + taken :], ASKED)
