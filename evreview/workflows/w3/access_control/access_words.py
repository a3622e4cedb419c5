"""The words by which lead rules tell privileges, owners, principals and credentials. Names prove nothing; they lead."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final

PRIVILEGES: Final = frozenset(
    {"admin", "administrator", "superuser", "superadmin", "root", "staff", "role", "roles", "privilege", "privileges",
     "privileged", "permission", "permissions", "scope", "scopes", "internal", "sudo", "elevated", "impersonate",
     "bypass", "trusted", "groups", "clearance", "isadmin", "isstaff", "issuperuser"}
)  # fmt: skip
"""Words in names of values that say what somebody may do."""
SWITCHES: Final = PRIVILEGES - {"role", "roles", "permission", "permissions", "scope", "scopes", "groups", "root"}
"""Those that say it by being there."""
POWERS: Final = frozenset(
    {"admin", "administrator", "superuser", "superadmin", "root", "staff", "owner", "operator", "manager", "support",
     "system", "internal", "service", "moderator", "privileged", "supervisor", "agent", "sysadmin"}
)  # fmt: skip
"""Constants that a privilege is compared with."""
YES: Final = frozenset({"true", "1", "yes", "on", "y"})
EXEMPT: Final = frozenset(
    {"version", "content", "accept", "origin", "referer", "referrer", "host", "agent", "csrf", "xsrf", "csrftoken",
     "captcha", "signature", "sig", "token", "key", "apikey", "secret", "password", "passwd", "pwd", "code", "otp",
     "nonce", "hash", "hmac", "digest", "etag", "match", "requested", "challenge", "state", "grant", "event", "hub",
     "authorization", "credential", "credentials", "method", "type", "encoding", "language", "upgrade", "format",
     "next", "url", "uri", "target", "destination", "redirect", "goto"}
)  # fmt: skip
"""Words in names of values that are checked for another reason: credentials, content negotiation, forgery, a way on."""
CREDENTIALS: Final = frozenset(
    {"authorization", "token", "credential", "credentials", "key", "apikey", "password", "passwd", "secret", "session",
     "sessionid", "sid", "jwt", "bearer", "cookie", "assertion", "ticket", "code", "auth"}
)  # fmt: skip
"""Words in names of values that show who calls once they are verified."""
OWNERS: Final = frozenset(
    {"owner", "owner_id", "user_id", "user", "account_id", "account", "customer_id", "customer", "tenant_id", "tenant",
     "author", "author_id", "created_by", "creator", "creator_id", "org_id", "organization_id", "organisation_id",
     "member_id", "requester", "requester_id", "owned_by", "belongs_to", "patient_id", "assignee_id", "uid", "subject"}
)  # fmt: skip
"""Names of members that say whose an object is."""
PRINCIPALS: Final = frozenset(
    {"user", "principal", "identity", "caller", "claims", "actor", "viewer", "requester", "me", "auth", "account",
     "subject", "member", "operator"}
)  # fmt: skip
"""Last words of names under which code keeps who calls."""
GRANTED: Final = frozenset(
    {"role", "roles", "is_admin", "admin", "is_staff", "is_superuser", "superuser", "staff", "permissions", "scopes",
     "groups", "privileges", "owner", "owner_id", "tenant", "tenant_id", "is_verified", "verified", "is_active",
     "approved", "is_approved", "balance", "credit_limit", "created_by", "account_id", "user_id"}
)  # fmt: skip
"""Names of members that only the service should set."""
POWERFUL: Final = GRANTED - {"account_id", "user_id", "is_active", "verified", "approved", "created_by", "tenant",
                             "owner"}  # fmt: skip
"""Those of them that are taken for privileges wherever they stand."""
ADDRESS_HEADERS: Final = frozenset(
    {"x-forwarded-for", "x-real-ip", "forwarded", "x-client-ip", "true-client-ip", "cf-connecting-ip",
     "x-originating-ip", "x-remote-ip", "x-remote-addr", "x-cluster-client-ip", "remote-addr"}
)  # fmt: skip
"""Headers in which proxies, and anybody else, name an address."""
PUBLIC: Final = frozenset(
    {"login", "logout", "register", "signup", "signin", "health", "healthz", "ready", "readyz", "live", "livez",
     "liveness", "readiness", "status", "metrics", "docs", "redoc", "openapi", "token", "tokens", "callback", "webhook",
     "webhooks", "favicon", "static", "robots", "version", "ping", "well", "known", "public", "about", "terms",
     "privacy", "reset", "forgot", "verify", "confirm", "auth", "oauth", "sessions", "session", "heartbeat"}
)  # fmt: skip
"""Words in paths of routes that are meant for everybody."""
PEOPLE: Final = frozenset(
    {"user", "users", "customer", "customers", "account", "accounts", "member", "members", "patient", "patients",
     "employee", "employees", "person", "persons", "people", "profile", "profiles", "contact", "contacts", "order",
     "orders", "invoice", "invoices", "payment", "payments", "salary", "salaries", "address", "addresses", "message",
     "messages", "ticket", "tickets", "student", "students", "client", "clients", "tenant", "tenants", "subscriber",
     "subscribers", "booking", "bookings", "admin"}
)  # fmt: skip
"""Words in paths and handlers of routes that tell of people."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> tuple[str, ...]:
    """`X-Is-Admin`, `isAdmin` and `is_admin` as words in lower case."""
    return tuple(part.lower() for part in _WORD.findall(name))


def says(name: str, known: Iterable[str]) -> bool:
    """True when one of the name's words, or all of them together, is known."""
    parts = words(name)
    kept = frozenset(known)
    return bool(kept.intersection(parts)) or "".join(parts) in kept or "_".join(parts) in kept


def is_named(name: str, known: Container[str]) -> bool:
    """True when all of the name's words together are known."""
    return "_".join(words(name)) in known


def is_header(name: str) -> str:
    """A header as written, by Django's name too: `HTTP_X_ROLE` -> `x-role`."""
    return name.removeprefix("HTTP_").replace("_", "-").lower()
