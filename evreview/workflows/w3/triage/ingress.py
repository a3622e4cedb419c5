"""Kubernetes Ingress of the nginx controller: annotations by which every matching Ingress asks who calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Json
from evreview.workflows.w3.triage.proxy_rules import FormRule, ProxyQuestion, WiredControl, below, line_of

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
RULES: Final = (
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
