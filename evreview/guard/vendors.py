"""Tokens with a vendor's own prefix, one row each, from the vendors' documented formats."""

from __future__ import annotations

from typing import Final

from evreview.guard.model import Detector, Kind
from evreview.guard.synthetic import stands_in

_BODY: Final = "Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1KiOoPyVxQjWzHrMnEbCfDgSl0uAiTn"
_HEX: Final = "9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264"


def _row(name: str, prefix: str, body: str, made: str) -> Detector:
    """A detector for `prefix` + `body`; `made` is the body of the example, an `x`-filled body the counter-example."""
    lead = prefix.replace("\\", "").split("(")[0].split("[")[0]
    return Detector(
        id=f"vendor-{name}",
        kind=Kind.TOKEN,
        why=f"A token in the form that {name} issues gives its holder access.",
        keywords=(lead.lower(),),
        starts=(lead.lower(),),
        expression=rf"(?<![A-Za-z0-9])(?P<value>{prefix}{body})(?![A-Za-z0-9])",
        example=(*_split(lead), made),
        counter_example=(*_split(lead), "x" * len(made)),
        confirm=lambda match: not stands_in(match["value"]),
    )


def _split(lead: str) -> tuple[str, str]:
    return lead[: len(lead) // 2], lead[len(lead) // 2 :]


_W: Final = "[A-Za-z0-9]"
_D: Final = "[A-Za-z0-9_-]"
_H: Final = "[0-9a-f]"

VENDORS: Final[tuple[Detector, ...]] = (
    _row("aws-key-id", "AKIA", "[A-Z2-7]{16}", "QYLPMN5HFIQR7XYA"),
    _row("aws-session-id", "ASIA", "[A-Z2-7]{16}", "Y34FZKBOKMUTVV7A"),
    _row("github-personal", "ghp_", f"{_W}{{30,255}}", _BODY[:36]),
    _row("github-oauth", "gho_", f"{_W}{{30,255}}", _BODY[1:37]),
    _row("github-user", "ghu_", f"{_W}{{30,255}}", _BODY[2:38]),
    _row("github-server", "ghs_", f"{_W}{{30,255}}", _BODY[3:39]),
    _row("github-refresh", "ghr_", f"{_W}{{30,255}}", _BODY[4:40]),
    _row("github-fine-grained", "github_pat_", "[A-Za-z0-9_]{22,255}", _BODY[:22]),
    _row("gitlab", "glpat-", f"{_D}{{20,}}", _BODY[5:25]),
    _row("gitlab-deploy", "gldt-", f"{_D}{{20,}}", _BODY[6:26]),
    _row("gitlab-runner", "glrt-", f"{_D}{{20,}}", _BODY[7:27]),
    _row("gitlab-trigger", "glptt-", f"{_D}{{20,}}", _BODY[8:48]),
    _row("slack-bot", "xoxb-", "[A-Za-z0-9-]{10,}", "3948571620-4857392016-" + _BODY[:24]),
    _row("slack-user", "xoxp-", "[A-Za-z0-9-]{10,}", "3948571620-5847392016-" + _HEX[:32]),
    _row("slack-legacy", "xoxs-", "[A-Za-z0-9-]{10,}", "3948571620-6847392015-" + _HEX[:10]),
    _row("slack-app", "xapp-", "[A-Za-z0-9-]{20,}", "1-A0B1C2D3E4F-5738291046573-" + _HEX[:32]),
    _row("stripe-secret", "sk_live_", f"{_W}{{10,}}", _BODY[:24]),
    _row("stripe-test", "sk_test_", f"{_W}{{10,}}", _BODY[1:25]),
    _row("stripe-restricted", "rk_live_", f"{_W}{{10,}}", _BODY[2:26]),
    _row("stripe-webhook", "whsec_", "[A-Za-z0-9+/=]{24,}", _BODY[3:35]),
    _row("google-api", "AIza", f"{_D}{{35}}", _BODY[:35]),
    _row("google-client", "GOCSPX-", f"{_D}{{28}}", _BODY[4:32]),
    _row("google-oauth", r"ya29\.", f"{_D}{{20,}}", _BODY[:40]),
    _row("npm", "npm_", f"{_W}{{36}}", _BODY[6:42]),
    _row("pypi", "pypi-", f"{_D}{{50,}}", _BODY[:60]),
    _row("openai-like", "sk-", f"{_D}{{20,}}", "proj-" + _BODY[:40]),
    _row("twilio-account", "AC", f"{_H}{{32}}", _HEX[:32]),
    _row("twilio-key", "SK", f"{_H}{{32}}", _HEX[1:33]),
    _row("sendgrid", r"SG\.", rf"{_D}{{22}}\.{_D}{{43}}", f"{_BODY[:22]}.{_BODY[:43]}"),
    _row("mailgun", "key-", f"{_H}{{32}}", _HEX[2:34]),
    _row("digitalocean", "dop_v1_", f"{_H}{{64}}", _HEX),
    _row("shopify", "shpat_", "[0-9a-fA-F]{32}", _HEX[3:35]),
    _row("shopify-secret", "shpss_", "[0-9a-fA-F]{32}", _HEX[4:36]),
    _row("square", "sq0csp-", f"{_D}{{40,}}", _BODY[:43]),
    _row("huggingface", "hf_", f"{_W}{{30,}}", _BODY[7:41]),
    _row("databricks", "dapi", f"{_H}{{32}}", _HEX[5:37]),
    _row("docker", "dckr_pat_", f"{_D}{{24,}}", _BODY[:27]),
    _row("docker-org", "dckr_oat_", f"{_D}{{24,}}", _BODY[1:33]),
    _row("figma", "figd_", f"{_D}{{36,}}", _BODY[:40]),
    _row("tailscale", "tskey-", f"{_D}{{20,}}", "auth-" + _BODY[:30]),
    _row("linear", "lin_api_", f"{_W}{{32,}}", _BODY[:40]),
    _row("notion", "ntn_", f"{_W}{{40,}}", _BODY[:46]),
    _row("postman", "PMAK-", f"{_H}{{24}}-{_H}{{34}}", f"{_HEX[:24]}-{_HEX[:34]}"),
    _row("grafana", "glsa_", f"{_W}{{32}}_{_H}{{8}}", f"{_BODY[:32]}_{_HEX[:8]}"),
    _row("grafana-cloud", "glc_", "[A-Za-z0-9+/=]{32,}", _BODY[:44]),
    _row("new-relic", "NRAK-", "[A-Z0-9]{27}", "K7Q2M9X4R8T1W5Z3C6V0B2N8HJ4"),
    _row("vault", r"hvs\.", f"{_D}{{24,}}", _BODY[:40]),
    _row("vault-batch", r"hvb\.", f"{_D}{{24,}}", _BODY[1:50]),
    _row("doppler", r"dp\.pt\.", f"{_W}{{40,}}", _BODY[:43]),
    _row("artifactory", "AKCp", f"{_W}{{60,}}", _BODY + "q7"),
    _row("rubygems", "rubygems_", f"{_H}{{48}}", _HEX[:48]),
    _row("pulumi", "pul-", f"{_H}{{40}}", _HEX[6:46]),
    _row("atlassian", "ATATT3", "[A-Za-z0-9_=-]{50,}", _BODY),
    _row("planetscale", "pscale_tkn_", "[A-Za-z0-9_=.-]{32,}", _BODY[:43]),
    _row("age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"),
)
