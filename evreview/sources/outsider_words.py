"""Words in names by which checks of callers are told: who calls, what asks, what is true for some callers only."""

from __future__ import annotations

import re
from typing import Final

REQUESTS: Final = frozenset({"request", "req", "scope", "conn", "connection", "websocket", "info"})
CALLERS: Final = re.compile(
    r"(^|_|\.)(user|users?_?id|username|principal|identity|caller|claims|actor|viewer|requester|me|auth|account|subject|member"
    r"|operator|session|payload|profile|staff|admin|login|logged_in|signed_in|state|g|who|owner_of|current_\w+)$",
    re.IGNORECASE,
)
"""Last words of names under which code keeps who calls."""
OF_REQUESTS: Final = frozenset({"user", "auth", "state", "session", "identity", "principal", "claims", "ctx"})
"""What code and frameworks keep on a request once they know who calls."""
SIGNED: Final = ("flask.session", "flask.g", "quart.session", "quart.g", "flask_login.current_user",
                  "flask_jwt_extended.current_user", "flask_security.current_user")  # fmt: skip
PARSING: Final = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "split", "rsplit", "partition", "rpartition", "decode",
     "encode", "removeprefix", "removesuffix", "replace", "startswith", "endswith", "isdigit", "isalnum", "isascii",
     "str", "int", "float", "bytes", "list", "dict", "tuple", "set", "len", "b64decode", "urlsafe_b64decode", "loads",
     "unquote", "match", "fullmatch", "search", "get_unverified_header", "get_unverified_claims", "get_json", "json",
     "isinstance", "type", "sorted", "min", "max", "zip", "enumerate", "format", "join", "title", "getlist", "keys",
     "items", "values", "parse", "get_authorization_scheme_param"}
)  # fmt: skip
"""Calls whose outcome is still what the caller sent."""
SHAPES: Final = frozenset({"len", "int", "float", "startswith", "endswith", "isdigit", "isalnum", "isascii", "match",
                            "fullmatch", "search", "isinstance", "type", "min", "max"})  # fmt: skip
"""Those of them that tell a form only."""
PLAIN: Final = ("builtins", "json", "orjson", "base64", "binascii", "urllib", "re", "html", "fastapi", "codecs")
YES: Final = re.compile(
    r"^(compare_digest|checkpw|can|may|owns|grants?|check_?\w*|((is|has|user|token|key|request)_)?(valid|verif|authenti"
    r"|authoriz|authoris|allow|permit|logged_in|signed_in|admin|staff|superuser|owner|member|perm|role|scope|right)\w*)$"
    r"|^(can|may|has|owns)_|_(allowed|permitted|authorized|authenticated|valid|verified|ok|admin|access)$",
    re.IGNORECASE,
)
"""Names of calls and members that are true for callers who may come in."""
NO: Final = re.compile(
    r"anonymous|guest|unauth|invalid|mismatch|missing|unknown|foreign|denied|forbidden|bad|wrong|fail|refus|reject",
    re.IGNORECASE,
)
SOME: Final = re.compile(
    r"disabled|locked|block|banned|suspend|deleted|expir|revok|active|enabled|confirmed|limit|rate|busy|old|test|debug",
    re.IGNORECASE,
)
"""Names of what is true for some callers, whether they may come in or not."""
RIGHTS: Final = re.compile(
    r"admin|staff|superuser|role|scope|perm|right|owner|manager|moderator|editor|operator|support|internal|can_|may_|has_"
    r"|is_|allow|group|privileg|author|access|grant|member",
    re.IGNORECASE,
)
CLOSED: Final = re.compile(r"private|hidden|restricted|confidential|secret|protected|draft", re.IGNORECASE)
OPENED: Final = re.compile(r"public|published|shared|visible", re.IGNORECASE)
SCHEMES: Final = frozenset({"bearer", "basic", "digest", "token", "jwt", "apikey", "negotiate", ""})
PREFLIGHT: Final = frozenset({"OPTIONS", "HEAD", "TRACE"})
