"""Labels of Traefik in a compose file: routers of which every one has a middleware that asks who calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from evreview.core.document_text import parse_text
from evreview.core.errors import BadInput
from evreview.core.vocabulary import Json
from evreview.workflows.w3.triage.proxy_rules import FormRule, ProxyQuestion, WiredControl, line_of

_ROUTER: Final = re.compile(r"traefik\.http\.routers\.([\w-]+)\.")
_LISTED: Final = re.compile(r"traefik\.http\.routers\.([\w-]+)\.middlewares")
_ASKING: Final = re.compile(
    r"traefik\.http\.middlewares\.([\w-]+)\.(?:forwardauth\.address|basicauth\.users(?:file)?|digestauth\.users(?:file)?)",
    re.IGNORECASE,
)
RULES: Final = (
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
