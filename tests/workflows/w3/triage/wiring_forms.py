# ruff: noqa: E501  (a row is one configuration on one line)
"""Wiring of other forms than nginx: which asks who calls on every way to `/internal/report`, and which stays open."""

from __future__ import annotations

INGRESS = """apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app
  annotations:
    nginx.ingress.kubernetes.io/auth-url: https://auth.example/check
spec:
  ingressClassName: nginx
  rules:
  - host: a.example
    http:
      paths:
      - path: /
        pathType: Prefix
"""
ASKS = "    nginx.ingress.kubernetes.io/auth-url: https://auth.example/check\n"
INNER = INGRESS.replace(ASKS, "    nginx.ingress.kubernetes.io/ssl-redirect: 'true'\n").replace("/\n", "/internal\n")
SERVICE = "apiVersion: v1\nkind: Service\nspec:\n  type: ClusterIP\n"
TRAEFIK = """services:
  app:
    image: app
    labels:
      - traefik.http.routers.app.rule=Host(`a.example`)
      - traefik.http.routers.app.middlewares=zip,known@docker
      - traefik.http.middlewares.known.basicauth.users=who:hash
"""
CADDY = "a.example, www.a.example {\n  encode gzip\n  forward_auth /internal/* auth:9091 {\n    uri /check\n  }\n"
CADDY += "  reverse_proxy app:80\n}\n"
FORMED = {
    "ingress": (INGRESS, True),
    "ingress with its service": (f"{INGRESS}---\n{SERVICE}", True),
    "ingress by class annotation": (
        INGRESS.replace("  ingressClassName: nginx\n", "").replace(ASKS, f"{ASKS}    kubernetes.io/ingress.class: nginx\n"),
        True,
    ),
    "ingress by password": (
        INGRESS.replace("auth-url: https://auth.example/check", "auth-type: basic\n    nginx.ingress.kubernetes.io/auth-secret: s"),
        True,
    ),
    "ingress of another controller": (INGRESS.replace("ClassName: nginx", "ClassName: other"), False),
    "ingress without a class": (INGRESS.replace("  ingressClassName: nginx\n", ""), False),
    "ingress with a snippet": (INGRESS.replace(ASKS, f"{ASKS}    nginx.ingress.kubernetes.io/server-snippet: x\n"), False),
    "ingress with another way in": (f"{INGRESS}---\n{INNER}", False),
    "ingress of other paths": (INGRESS.replace("path: /", "path: /admin"), False),
    "ingress with expressions": (INGRESS.replace("pathType: Prefix", "pathType: ImplementationSpecific"), False),
    "ingress beside a node's port": (f"{INGRESS}---\n{SERVICE.replace('ClusterIP', 'NodePort')}", False),
    "ingress that asks nothing": (INGRESS.replace(ASKS, "    nginx.ingress.kubernetes.io/ssl-redirect: 'true'\n"), False),
    "ingress with an empty address": (INGRESS.replace("https://auth.example/check", "''"), False),
    "traefik": (TRAEFIK, True),
    "traefik with an open router": (f"{TRAEFIK}      - traefik.http.routers.inner.rule=PathPrefix(`/internal`)\n", False),
    "traefik with a published port": (TRAEFIK.replace("    image: app\n", "    image: app\n    ports: ['80:80']\n"), False),
    "traefik with an unknown middleware": (TRAEFIK.replace("known@docker", "other@file"), False),
    "traefik with a variable": (TRAEFIK.replace("known@docker", "${WHO}"), False),
    "traefik without labels": ("services:\n  proxy:\n    image: traefik.example/proxy\n", False),
    "caddy": (CADDY, True),
    "caddy for every path": (CADDY.replace(" /internal/*", ""), True),
    "caddy with a route": (CADDY.replace("  encode gzip\n", "  route /internal/* {\n    reverse_proxy app:80\n  }\n"), False),
    "caddy with a matcher": (CADDY.replace(" /internal/*", " @outside"), False),
    "caddy with an import": (CADDY.replace("  encode gzip\n", "  import common\n"), False),
    "caddy with two sites": (f"{CADDY}b.example {{\n  reverse_proxy app:80\n}}\n", False),
}  # fmt: skip
