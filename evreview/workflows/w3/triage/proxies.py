"""What stands before a service in Caddyfiles, Ingresses and labels of Traefik: what each does, and what is asked."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Json

Effect = Literal["network", "authentication", "header", "address", "errors", "unclear"]
"""What a piece of wiring does; `unclear` may stand between, for whom or for which routes can't be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyQuestion:
    """What is asked: the route's path, and the header that a decision rests on ("" for none)."""

    path: str
    header: str = ""


@dataclass(frozen=True, slots=True)
class WiredControl:
    """A piece of wiring: its effect, the rule, its line (0 for the whole text)."""

    effect: Effect
    rule: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FormRule:
    """One piece of wiring of another form than nginx configuration.

    Attributes:
        form: whose configuration it is.
        example, counter_example: configurations in which it is, and is not, found for the route `/internal/report`
            and the header `X-Role`.
    """

    id: str
    form: str
    effect: Effect
    why: str
    example: str
    counter_example: str


Reader = Callable[[str, ProxyQuestion], "tuple[WiredControl, ...] | None"]
"""Reads one form to its end; None for a text of another form, or one that is not read."""


def line_of(content: str, *told: str) -> int:
    """The first line that holds all the words, 0 for none."""
    found: Iterator[int] = (
        number for number, line in enumerate(content.splitlines(), 1) if all(word in line for word in told)
    )
    return next(found, 0)


def below(path: str, prefix: str) -> bool:
    """True when a path is the prefix or lies below it, by whole segments."""
    bare = prefix.rstrip("/")
    return path == bare or path.startswith(f"{bare}/")


_ROUTER: Final = re.compile(r"traefik\.http\.routers\.([\w-]+)\.")
_LISTED: Final = re.compile(r"traefik\.http\.routers\.([\w-]+)\.middlewares")
_ASKING: Final = re.compile(
    r"traefik\.http\.middlewares\.([\w-]+)\.(?:forwardauth\.address|basicauth\.users(?:file)?|digestauth\.users(?:file)?)",
    re.IGNORECASE,
)
TRAEFIK_RULES: Final = (
    FormRule(
        id="router-asks-who-calls",
        form="Traefik labels (compose)",
        effect="authentication",
        why="every router of the file passes on only what a known caller has sent, and nothing else is published",
        example="""
services:
  app:
    labels:
      traefik.http.routers.app.rule: PathPrefix(`/`)
      traefik.http.routers.app.middlewares: known
      traefik.http.middlewares.known.forwardauth.address: http://auth:9000
""",
        counter_example="""
services:
  app:
    labels:
      traefik.http.routers.app.rule: PathPrefix(`/`)
      traefik.http.routers.app.middlewares: known
      traefik.http.routers.inner.rule: PathPrefix(`/internal`)
      traefik.http.middlewares.known.forwardauth.address: http://auth:9000
""",
    ),
)


def read_traefik(content: str, asked: ProxyQuestion) -> tuple[WiredControl, ...] | None:
    """What every router does; None where that is not certain. Traefik's own configuration may hold more."""
    services = _services(content)
    labelled = [one for one in services if _labels(one)]
    labels = {key: value for one in labelled for key, value in _labels(one).items()}
    if not labels or any("ports" in one or "network_mode" in one for one in labelled):
        return None
    if any("${" in value for key, value in labels.items() if _LISTED.fullmatch(key)) or _other(labels):
        return None
    asking = {found[1] for key, value in labels.items() if (found := _ASKING.fullmatch(key)) and value.strip()}
    routers = {found[1] for key in labels if (found := _ROUTER.match(key))}
    if not routers or not all(_listed(labels, router) & asking for router in routers):
        return None
    line = line_of(content, ".middlewares", "traefik.http.routers")
    return WiredControl("authentication", "router-asks-who-calls", line), WiredControl("unclear", "form-not-read", 0)


def _services(content: str) -> list[Mapping[str, Json]]:
    if "traefik." not in content:
        return []
    try:
        value = parse_text(content.encode(), "")
    except BadInput:
        return []
    services = value.get("services") if isinstance(value, Mapping) else None
    return [one for one in services.values() if isinstance(one, Mapping)] if isinstance(services, Mapping) else []


def _labels(service: Mapping[str, Json]) -> dict[str, str]:
    """The labels of Traefik, from a mapping or a list of `name=value`."""
    return {key: value for key, value in _written(service.get("labels")) if key.startswith("traefik.")}


def _written(given: Json) -> Iterator[tuple[str, str]]:
    if isinstance(given, Mapping):
        yield from ((str(key), str(value)) for key, value in given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str):
        for one in given:
            key, _, value = str(one).partition("=")
            yield key, value


def _other(labels: Mapping[str, str]) -> bool:
    """True for routers that are none of HTTP's."""
    return any(key.startswith(("traefik.tcp.", "traefik.udp.")) for key in labels)


def _listed(labels: Mapping[str, str], router: str) -> set[str]:
    named = labels.get(f"traefik.http.routers.{router}.middlewares", "")
    return {one.strip().partition("@")[0] for one in named.split(",")}


PREFIX: Final = "nginx.ingress.kubernetes.io/"
_PLAIN: Final = frozenset(
    {"ssl-redirect", "force-ssl-redirect", "proxy-body-size", "proxy-read-timeout", "proxy-send-timeout",
     "proxy-connect-timeout", "backend-protocol", "auth-signin", "auth-response-headers", "auth-secret", "auth-realm",
     "auth-method", "auth-secret-type", "auth-tls-secret", "auth-tls-verify-depth", "auth-url", "auth-type",
     "auth-tls-verify-client", "proxy-buffer-size", "limit-rps", "limit-rpm", "limit-connections"}
)  # fmt: skip
"""Annotations that let nobody past what others ask."""
_BESIDE: Final = ("kubernetes.io/", "cert-manager.io/", "external-dns.alpha.kubernetes.io/", "meta.helm.sh/")
_KINDS: Final = frozenset({"Ingress", "Deployment", "Service", "StatefulSet", "Namespace", "ServiceAccount"})
_OUTSIDE: Final = re.compile(r"\b(NodePort|LoadBalancer|externalIPs|hostPort|hostNetwork)\b")
"""Ways to a workload that do not lead through its Ingress."""
INGRESS_RULES: Final = (
    FormRule(
        id="ingress-asks-who-calls",
        form="Kubernetes Ingress (nginx)",
        effect="authentication",
        why="the controller passes on only what the named service lets in",
        example="""
kind: Ingress
metadata:
  annotations:
    nginx.ingress.kubernetes.io/auth-url: https://auth.example/check
spec:
  ingressClassName: nginx
  rules:
  - http:
      paths:
      - path: /internal
        pathType: Prefix
""",
        counter_example="""
kind: Ingress
metadata:
  annotations:
    nginx.ingress.kubernetes.io/auth-url: https://auth.example/check
    nginx.ingress.kubernetes.io/satisfy: any
spec:
  ingressClassName: nginx
  rules:
  - http:
      paths:
      - path: /internal
        pathType: Prefix
""",
    ),
)  # fmt: skip


def read_ingress(content: str, asked: ProxyQuestion) -> tuple[WiredControl, ...] | None:
    """What every Ingress that takes the route does; None where that is not certain.

    The controller's own configuration may hold more, so what is not found here stays open.
    """
    documents = _documents(content)
    if documents is None or _OUTSIDE.search(content):
        return None
    ingresses = [one for one in documents if one.get("kind") == "Ingress"]
    taking = [one for one in ingresses if _takes(one, asked.path) is not False]
    if not taking or not all(_takes(one, asked.path) and _asks(one) for one in taking):
        return None
    line = line_of(content, PREFIX, "auth-url") or line_of(content, PREFIX, "auth-t")
    rest = WiredControl("unclear", "form-not-read", 0)
    return WiredControl("authentication", "ingress-asks-who-calls", line), rest


def _documents(content: str) -> list[Mapping[str, Json]] | None:
    """The documents of a text that holds an Ingress and nothing but plain workloads besides."""
    if "Ingress" not in content:
        return None
    try:
        values = [parse_text(part.encode(), "") for part in re.split(r"(?m)^---\s*$", content) if part.strip()]
    except BadInput:
        return None
    found = [value for value in values if isinstance(value, Mapping)]
    return found if len(found) == len(values) and all(one.get("kind") in _KINDS for one in found) else None


def _takes(ingress: Mapping[str, Json], path: str) -> bool | None:
    """True when it takes a path, None where that can't be told."""
    spec = ingress.get("spec")
    if not isinstance(spec, Mapping):
        return None
    if "defaultBackend" in spec:
        return True
    taken: list[bool | None] = [_matches(one, path) for one in _paths(spec)]
    return True if True in taken else None if None in taken or not taken else False


def _paths(spec: Mapping[str, Json]) -> Iterator[Json]:
    rules = spec.get("rules")
    for rule in rules if isinstance(rules, Sequence) and not isinstance(rules, str) else ():
        http = rule.get("http") if isinstance(rule, Mapping) else None
        paths = http.get("paths") if isinstance(http, Mapping) else None
        yield from paths if isinstance(paths, Sequence) and not isinstance(paths, str) else (None,)


def _matches(one: Json, path: str) -> bool | None:
    if not isinstance(one, Mapping) or not isinstance(one.get("path"), str):
        return None
    written = str(one["path"])
    if one.get("pathType") == "Exact":
        return None if "{" in path else written == path
    return below(path, written) if one.get("pathType") == "Prefix" else None


def _asks(ingress: Mapping[str, Json]) -> bool:
    """True for the nginx controller's, with annotations that are known, of which one asks who calls."""
    spec, metadata = ingress.get("spec"), ingress.get("metadata")
    given = metadata.get("annotations") if isinstance(metadata, Mapping) else None
    if not isinstance(spec, Mapping) or not isinstance(given, Mapping):
        return False
    if "nginx" not in (spec.get("ingressClassName"), given.get("kubernetes.io/ingress.class")):
        return False
    own = {key.removeprefix(PREFIX): str(value) for key, value in given.items() if key.startswith(PREFIX)}
    others = [key for key in given if not key.startswith(PREFIX)]
    if not own.keys() <= _PLAIN or not all(key.startswith(_BESIDE) for key in others):
        return False
    basic = own.get("auth-type") in ("basic", "digest") and bool(own.get("auth-secret"))
    certificate = own.get("auth-tls-verify-client") == "on" and bool(own.get("auth-tls-secret"))
    return bool(own.get("auth-url", "").strip()) or basic or certificate


_AUTH: Final = {
    "forward_auth": "caddy-asks-who-calls", "basic_auth": "caddy-asks-for-a-password",
    "basicauth": "caddy-asks-for-a-password",
}  # fmt: skip
_NEUTRAL: Final = frozenset({"tls", "encode", "log", "header", "reverse_proxy", "root", "file_server", "bind"})
_ADDRESS: Final = re.compile(r"(?:https?://)?(?:(?:[\w*-]+\.)+[\w-]+|localhost)?(?::\d+)?(?<=.),?")
"""What opens a site: a host, a port, or both."""
_MOST: Final = 5_000
"""Lines that are read."""
CADDY_RULES: Final = (
    FormRule(
        id="caddy-asks-who-calls",
        form="Caddyfile",
        effect="authentication",
        why="the proxy passes on only what the named service lets in",
        example="example.com {\n  forward_auth auth:9091 {\n    uri /check\n  }\n  reverse_proxy app:80\n}\n",
        counter_example="example.com {\n  forward_auth /admin/* auth:9091\n  reverse_proxy app:80\n}\n",
    ),
    FormRule(
        id="caddy-asks-for-a-password",
        form="Caddyfile",
        effect="authentication",
        why="the proxy passes on only what somebody known has sent",
        example="example.com {\n  basic_auth /internal/* {\n    who hash\n  }\n  reverse_proxy app:80\n}\n",
        counter_example="example.com {\n  basic_auth /admin/* {\n    who hash\n  }\n  reverse_proxy app:80\n}\n",
    ),
    FormRule(
        id="caddy-header-removed",
        form="Caddyfile",
        effect="header",
        why="what the caller wrote in the header does not arrive",
        example="example.com {\n  reverse_proxy app:80 {\n    header_up -X-Role\n  }\n}\n",
        counter_example="example.com {\n  reverse_proxy app:80 {\n    header_up X-Role sent\n  }\n}\n",
    ),
)


@dataclass(slots=True)
class _Line:
    """One directive: its words, its line, the directives in its braces."""

    words: list[str]
    number: int
    inner: list[_Line] = field(default_factory=list)


def read_caddy(content: str, asked: ProxyQuestion) -> tuple[WiredControl, ...] | None:
    """What the one site of a plain Caddyfile does for a route; None for anything else."""
    root = _lines(content)
    if root is None or len(root) != 1 or not all(_ADDRESS.fullmatch(word) for word in root[0].words):
        return None
    known = {*_AUTH, *_NEUTRAL}
    if any(one.words[0] not in known or any(word.startswith("@") for word in one.words) for one in root[0].inner):
        return None
    if not any(one.words[0] in ("reverse_proxy", *_AUTH) for one in root[0].inner):
        return None
    found: list[WiredControl] = []
    for one in root[0].inner:
        rule = _AUTH.get(one.words[0], "")
        if rule and _applies(one.words[1:2], asked.path):
            found.append(WiredControl("authentication", rule, one.number))
            if any(asked.header and asked.header.lower() in _lower(each.words) for each in one.inner):
                found.append(WiredControl("unclear", "form-not-read", one.number))  # the service may set the header
        if one.words[0] == "reverse_proxy" and one.words[1:2] and not one.words[1].startswith("/"):
            found += _headers(one, asked)
    return tuple(found)


def _headers(proxy: _Line, asked: ProxyQuestion) -> list[WiredControl]:
    removed = f"-{asked.header.lower()}"
    return [
        WiredControl("header", "caddy-header-removed", one.number)
        for one in proxy.inner
        if asked.header and one.words[0] == "header_up" and _lower(one.words[1:2]) == [removed]
    ]


def _lower(words: list[str]) -> list[str]:
    return [word.lower() for word in words]


def _applies(first: list[str], path: str) -> bool:
    """True when a directive's path, if it has one, takes the route."""
    if not first or not first[0].startswith("/"):
        return True
    return path.startswith(first[0][:-1]) if first[0].endswith("*") else path == first[0]


def _lines(content: str) -> list[_Line] | None:
    """The directives of a text whose blocks open at the end of a line and close on their own."""
    root = _Line([], 0)
    stack = [root]
    written = content.splitlines()
    if len(written) > _MOST:
        return None
    for number, line in enumerate(written, 1):
        words = _words(line)
        if words is None:
            return None
        if words == ["}"] and len(stack) > 1:
            stack.pop()
            continue
        opens = bool(words) and words[-1] == "{"
        words = words[:-1] if opens else words
        if not words and not opens:
            continue
        if not words or any(word in ("{", "}") or word.endswith((";", ":")) for word in words):
            return None
        one = _Line(words, number)
        stack[-1].inner.append(one)
        if opens:
            stack.append(one)
    return root.inner if len(stack) == 1 else None


def _words(line: str) -> list[str] | None:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return None
