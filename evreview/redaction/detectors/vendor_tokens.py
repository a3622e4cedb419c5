"""Tokens in their vendors' documented forms: with a prefix (`VENDORS`), with other marks of an issuer (`ISSUERS`)."""

from __future__ import annotations

import re
from typing import Final

from evreview.redaction.detector import Detector, Kind
from evreview.redaction.placeholders import stands_in

# How the form of a vendor's token becomes a detector.


BODY: Final = "Zk3vR8tYq2LmN7wXc5Bh9JdF4sGp6TaUe1KiOoPyVxQjWzHrMnEbCfDgSl0uAiTn"
HEXES: Final = "9f3a7c1e5b2d8046af17c3e95d20b8641c7e9a3f5d8b2046e1a9c7f3b5d80264"
W: Final = "[A-Za-z0-9]"
D: Final = "[A-Za-z0-9_-]"
H: Final = "[0-9a-f]"
UUID: Final = f"{H}{{8}}-{H}{{4}}-{H}{{4}}-{H}{{4}}-{H}{{12}}"
MADE_UUID: Final = "9f3a7c1e-5b2d-4046-af17-c3e95d20b864"


def drawn(match: re.Match[str]) -> bool:
    """True for a value that is no stand-in and no words with hyphens between them."""
    value = match["value"]
    mixed = any(map(str.isdigit, value)) or (any(map(str.islower, value)) and any(map(str.isupper, value)))
    return mixed and not stands_in(value)


def row(name: str, prefix: str, body: str, made: str) -> Detector:
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
        confirm=drawn,
    )


def marked(name: str, mark: str, back: str, expression: str, *made: str) -> Detector:
    """A detector for a form with its mark inside: `back` reads what stands before it, from right to left."""
    return Detector(
        id=f"vendor-{name}",
        kind=Kind.TOKEN,
        why=f"A token in the form that {name} issues gives its holder access.",
        keywords=(mark,),
        starts=(mark,),
        back=back,
        expression=rf"(?<![A-Za-z0-9])(?P<value>{expression})(?![A-Za-z0-9])",
        example=made,
        counter_example=tuple("x" * len(part) if number % 2 == 0 else part for number, part in enumerate(made)),
        confirm=drawn,
    )


def _split(lead: str) -> tuple[str, str]:
    return lead[: len(lead) // 2], lead[len(lead) // 2 :]


_LONG: Final = BODY * 4
_SMALL: Final = BODY.lower()

ISSUERS: Final[tuple[Detector, ...]] = (
    row("1password-service", "ops_ey", f"{W}{{100,}}", _LONG[:200]),
    row("1password-key", "A3-", "[A-Z0-9]{6}-[A-Z0-9]{11}(?:-[A-Z0-9]{5}){3}", "Q7K2M9-X4R8T1W5Z3C-6V2B2-N8HJ4-K9P3D"),
    row("adobe", "p8e-", "[A-Za-z0-9]{32}", _SMALL[:32]),
    row("airtable", "pat", rf"{W}{{14}}\.{H}{{64}}", f"{BODY[:14]}.{HEXES}"),
    row("alibaba", "LTAI", f"{W}{{12,20}}", BODY[:20]),
    row("amazon-mws", r"amzn\.mws\.", UUID, MADE_UUID),
    row("artifactory-reference", "cmVmdGtu", f"{W}{{56}}", BODY[:56]),
    row("asana", "1/", rf"\d{{16}}:{H}{{32}}", f"4829173648291736:{HEXES[:32]}"),
    row("aws-bedrock", "ABSK", "[A-Za-z0-9+/]{100,280}={0,2}", _LONG[:128]),
    row("bitbucket", "ATBB", f"{W}{{24,}}", BODY[:32]),
    row("bitbucket-server", "BBDC-", "[A-Za-z0-9+/@_-]{40,50}", BODY[:44]),
    row(
        "braintree",
        r"access_token\$(?:production|sandbox)\$",
        rf"[0-9a-z]{{16}}\${H}{{32}}",
        f"production${_SMALL[:16]}${HEXES[:32]}",
    ),
    row("brevo", "xkeysib-", f"{H}{{64}}-{W}{{16}}", f"{HEXES}-{BODY[:16]}"),
    row("brevo-mail", "xsmtpsib-", f"{H}{{64}}-{W}{{16}}", f"{HEXES}-{BODY[1:17]}"),
    row("buildkite", "bkua_", f"{H}{{40}}", HEXES[:40]),
    row("circleci", "CCIPAT_", f"{W}{{20,24}}_{H}{{40}}", f"{BODY[:22]}_{HEXES[:40]}"),
    row("clojars", "CLOJARS_", f"{W}{{60}}", BODY[:60]),
    row("cloudflare-origin", r"v1\.0-", f"{H}{{24}}-{H}{{146}}", f"{HEXES[:24]}-{(HEXES * 3)[:146]}"),
    row("contentful", "CFPAT-", f"{D}{{43}}", BODY[:43]),
    row("crates", "cio", f"{W}{{32}}", BODY[:32]),
    row("digitalocean-oauth", "doo_v1_", f"{H}{{64}}", HEXES),
    row("digitalocean-refresh", "dor_v1_", f"{H}{{64}}", HEXES),
    row(
        "doppler-other",
        r"dp\.(?:st|ct|sa|scim|audit)\.",
        rf"(?:[a-z0-9_-]{{2,35}}\.)?{W}{{40,}}",
        f"st.live.{BODY[:43]}",
    ),
    row("dropbox", r"sl\.", "[A-Za-z0-9_=-]{130,}", _LONG[:140]),
    row("duffel", "duffel_(?:live|test)_", "[A-Za-z0-9_=-]{43}", f"live_{BODY[:43]}"),
    row(
        "dynatrace",
        r"dt0c01\.",
        r"[A-Z2-7]{24}\.[A-Z2-7]{64}",
        "QPZRYXGFTVDWSJNKHCEMUALQ." + "Q7ZRYX2FTVDWSJNKHCEMUALB" * 2 + "QPZRYXGFTVDWSJNK",
    ),
    row("easypost", "EZAK", f"{W}{{54}}", BODY[:54]),
    row("easypost-test", "EZTK", f"{W}{{54}}", BODY[1:55]),
    row("facebook", "EAA[CM]", f"{W}{{50,}}", f"C{_LONG[:160]}"),
    row("flutterwave", "FLWSECK(?:_TEST)?-", "[0-9a-h]{12,32}", f"_TEST-{HEXES[:12]}"),
    row("fly", "fm2_", "[A-Za-z0-9+/=_-]{80,}", _LONG[:120]),
    row("fly-1", "fm1[ar]_", "[A-Za-z0-9+/=_-]{80,}", f"r_{_LONG[:120]}"),
    row("fly-older", "fo1_", f"{D}{{43}}", BODY[:43]),
    row("frameio", "fio-u-", "[A-Za-z0-9_=-]{64}", BODY),
    row("gitlab-job", "glcbt-", f"(?:{W}{{1,5}}_)?{D}{{20,}}", BODY[5:25]),
    row("gitlab-feed", "glft-", f"{D}{{20,}}", BODY[5:25]),
    row("gitlab-scim", "glsoat-", f"{D}{{20,}}", BODY[5:25]),
    row("gitlab-agent", "glagent-", f"{D}{{40,}}", BODY[:50]),
    row("gitlab-mail", "glimt-", f"{D}{{20,}}", BODY[5:30]),
    row("gitlab-oauth", "gloas-", f"{D}{{40,}}", HEXES),
    row("gitlab-older-runner", "GR1348941", f"{D}{{20}}", BODY[5:25]),
    row("google-refresh", "1//0", f"{D}{{40,}}", BODY[:60]),
    row("groq", "gsk_", f"{W}{{52}}", BODY[:52]),
    row("harness", r"pat\.", rf"{D}{{22}}\.{W}{{24}}\.{W}{{20}}", f"{BODY[:22]}.{HEXES[:24]}.{BODY[3:23]}"),
    row("heroku", "HRKU-", f"(?:{UUID}|AA{D}{{58}})", MADE_UUID),
    row("hubspot", "pat-", f"(?:na|eu|ap)[12]-{UUID}", f"na1-{MADE_UUID}"),
    row("huggingface-org", "api_org_", f"{W}{{30,}}", BODY[:34]),
    row("intra42", "s-s4t2(?:ud|af)-", f"{H}{{64}}", f"ud-{HEXES}"),
    row("klaviyo", "pk_", f"{H}{{34}}", HEXES[:34]),
    row("langsmith", "lsv2_(?:pt|sk)_", f"{H}{{32}}_{H}{{10}}", f"pt_{HEXES[:32]}_{HEXES[:10]}"),
    row("launchdarkly-sdk", "sdk-", UUID, MADE_UUID),
    row("launchdarkly-api", "api-", UUID, MADE_UUID),
    row("launchdarkly-mobile", "mob-", UUID, MADE_UUID),
    row("linear-oauth", "lin_oauth_", f"{H}{{64}}", HEXES),
    row(
        "mercadopago",
        "APP_USR-",
        rf"\d{{10,20}}-\d{{6}}-{H}{{32}}-\d{{6,10}}",
        f"4829173648291736-112026-{HEXES[:32]}-482917364",
    ),
    row("netlify", "nfp_", f"{W}{{36,40}}", BODY[:40]),
    row("new-relic-insert", "NRII-", f"{D}{{32}}", BODY[:32]),
    row("new-relic-browser", "NRJS-", f"{H}{{19}}", HEXES[:19]),
    row("notion-older", "secret_", f"{W}{{43}}", BODY[:43]),
    row("nuget", "oy2", "[a-z0-9]{43}", _SMALL[:43]),
    row("octopus", "API-", "[A-Z0-9]{26}", "Q7K2M9X4R8T1W5Z3C6V2B2N8HJ"),
    row("openshift", "sha256~", f"{D}{{43}}", BODY[:43]),
    row("perplexity", "pplx-", f"{W}{{48}}", BODY[:48]),
    row("planetscale-other", "pscale_(?:pw|oauth)_", "[A-Za-z0-9_=.-]{32,}", f"pw_{BODY[:43]}"),
    row("posthog", "phx_", f"{W}{{40,}}", BODY[:43]),
    row("prefect", "pnu_", f"{W}{{36}}", _SMALL[:36]),
    row("razorpay", "rzp_(?:live|test)_", f"{W}{{14}}", f"live_{BODY[:14]}"),
    row("readme", "rdme_", "[a-z0-9]{60,}", (_SMALL * 2)[:70]),
    row("replicate", "r8_", f"{W}{{37}}", BODY[:37]),
    row("scalingo", "tk-us-", f"{D}{{48}}", BODY[:48]),
    row("sentry-org", "sntrys_ey", "[A-Za-z0-9+/=_-]{80,}", _LONG[:160]),
    row("sentry-user", "sntryu_", f"{H}{{64}}", HEXES),
    row("shippo", "shippo_(?:live|test)_", f"{H}{{40}}", f"live_{HEXES[:40]}"),
    row("shopify-custom", "shpca_", "[0-9a-fA-F]{32}", HEXES[:32]),
    row("shopify-private", "shppa_", "[0-9a-fA-F]{32}", HEXES[:32]),
    row("slack-refresh", "xoxe-", "[A-Za-z0-9-]{20,}", "1-" + _LONG[:146]),
    row("slack-configuration", r"xoxe\.", "xox[bp]-[A-Za-z0-9-]{20,}", "xoxp-1-" + _LONG[:160]),
    row("sonarqube-user", "squ_", f"{H}{{40}}", HEXES[:40]),
    row("sonarqube-project", "sqp_", f"{H}{{40}}", HEXES[1:41]),
    row("sonarqube-analysis", "sqa_", f"{H}{{40}}", HEXES[2:42]),
    row("sourcegraph", "sgp_", f"(?:{H}{{16}}_|local_)?{H}{{40}}", f"{HEXES[:16]}_{HEXES[:40]}"),
    row("square-access", "EAAA", f"{D}{{60}}", BODY[:60]),
    row("square-personal", "sq0atp-", f"{D}{{22}}", BODY[:22]),
    row("stripe-restricted-test", "rk_test_", f"{W}{{10,}}", BODY[2:26]),
    row("supabase", "sbp_", f"{H}{{40}}", HEXES[:40]),
    row("supabase-secret", "sb_secret_", f"{D}{{20,}}", BODY[:31]),
    row("typeform", "tfp_", "[A-Za-z0-9_.=-]{40,}", BODY[:59]),
    row("vault-recovery", r"hvr\.", f"{D}{{24,}}", BODY[:40]),
    row("xai", "xai-", f"{W}{{80}}", _LONG[:80]),
    row("yandex", "AQVN", f"{D}{{35,38}}", BODY[:36]),
    row("zuplo", "zpka_", f"{W}{{32}}_{H}{{8}}", f"{HEXES[:32]}_{HEXES[:8]}"),
    marked(
        "azure-client",
        "q~",
        r"\d[A-Za-z0-9_~.]{3}",
        r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}",
        "k2L8",
        "Q~",
        BODY[:34],
    ),
    marked("azure-devops", "azdo", "[A-Za-z0-9]{76}", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", _LONG[:76], "AZDO", "q7R2"),
    marked(
        "firebase",
        ":apa91b",
        "[A-Za-z0-9_-]{11}",
        r"AAAA[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{100,180}",
        "AAAAk2Lv9tB",
        ":APA91b",
        _LONG[:134],
    ),
    marked("mailchimp", "-us", "[0-9a-f]{32}", r"[0-9a-f]{32}-us\d{1,2}", HEXES[:32], "-us", "14"),
    marked(
        "maxmind",
        "_mmk",
        "[A-Za-z0-9]{29}_[A-Za-z0-9]{6}",
        "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
        f"k2Lv9t_{BODY[:29]}",
        "_mmk",
    ),
    marked(
        "terraform-cloud",
        ".atlasv1.",
        "[A-Za-z0-9]{14}",
        r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
        BODY[:14],
        ".atlasv1.",
        (BODY * 2)[:67],
    ),
    marked("twitter", "a" * 22, "", "A{22}[A-Za-z0-9%]{60,120}", "", "A" * 22, _LONG[:86]),
    Detector(
        id="vendor-discord",
        kind=Kind.TOKEN,
        why="The token of a bot is the bot.",
        keywords=(),
        needs=r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}",
        expression=(
            r"(?P<value>[MNO](?<![A-Za-z0-9][MNO])[A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9_-])"
        ),
        example=("MTA4", BODY[:20], ".k2Lv9t.", BODY[10:48]),
        counter_example=("MTA4", "x" * 20, ".k2Lv9t.", "x" * 38),
        confirm=drawn,
    ),
)


# Tokens with a vendor's own prefix, one row each.


VENDORS: Final[tuple[Detector, ...]] = (
    row("aws-key-id", "AKIA", "[A-Z2-7]{16}", "QYLPMN5HFIQR7XYA"),
    row("aws-session-id", "ASIA", "[A-Z2-7]{16}", "Y34FZKBOKMUTVV7A"),
    row("github-personal", "ghp_", f"{W}{{30,255}}", BODY[:36]),
    row("github-oauth", "gho_", f"{W}{{30,255}}", BODY[1:37]),
    row("github-user", "ghu_", f"{W}{{30,255}}", BODY[2:38]),
    row("github-server", "ghs_", f"{W}{{30,255}}", BODY[3:39]),
    row("github-refresh", "ghr_", f"{W}{{30,255}}", BODY[4:40]),
    row("github-fine-grained", "github_pat_", "[A-Za-z0-9_]{22,255}", BODY[:22]),
    row("gitlab", "glpat-", f"{D}{{20,}}", BODY[5:25]),
    row("gitlab-deploy", "gldt-", f"{D}{{20,}}", BODY[6:26]),
    row("gitlab-runner", "glrt-", f"{D}{{20,}}", BODY[7:27]),
    row("gitlab-trigger", "glptt-", f"{D}{{20,}}", BODY[8:48]),
    row("slack-bot", "xoxb-", "[A-Za-z0-9-]{10,}", "3948571620-4857392016-" + BODY[:24]),
    row("slack-user", "xoxp-", "[A-Za-z0-9-]{10,}", "3948571620-5847392016-" + HEXES[:32]),
    row("slack-legacy", "xoxs-", "[A-Za-z0-9-]{10,}", "3948571620-6847392015-" + HEXES[:10]),
    row("slack-app", "xapp-", "[A-Za-z0-9-]{20,}", "1-A0B1C2D3E4F-5738291046573-" + HEXES[:32]),
    row("stripe-secret", "sk_live_", f"{W}{{10,}}", BODY[:24]),
    row("stripe-test", "sk_test_", f"{W}{{10,}}", BODY[1:25]),
    row("stripe-restricted", "rk_live_", f"{W}{{10,}}", BODY[2:26]),
    row("stripe-webhook", "whsec_", "[A-Za-z0-9+/=]{24,}", BODY[3:35]),
    row("google-api", "AIza", f"{D}{{35}}", BODY[:35]),
    row("google-client", "GOCSPX-", f"{D}{{28}}", BODY[4:32]),
    row("google-oauth", r"ya29\.", f"{D}{{20,}}", BODY[:40]),
    row("npm", "npm_", f"{W}{{36}}", BODY[6:42]),
    row("pypi", "pypi-", f"{D}{{50,}}", BODY[:60]),
    row("openai-like", "sk-", f"{D}{{20,}}", "proj-" + BODY[:40]),
    row("twilio-account", "AC", f"{H}{{32}}", HEXES[:32]),
    row("twilio-key", "SK", f"{H}{{32}}", HEXES[1:33]),
    row("sendgrid", r"SG\.", rf"{D}{{22}}\.{D}{{43}}", f"{BODY[:22]}.{BODY[:43]}"),
    row("mailgun", "key-", f"{H}{{32}}", HEXES[2:34]),
    row("digitalocean", "dop_v1_", f"{H}{{64}}", HEXES),
    row("shopify", "shpat_", "[0-9a-fA-F]{32}", HEXES[3:35]),
    row("shopify-secret", "shpss_", "[0-9a-fA-F]{32}", HEXES[4:36]),
    row("square", "sq0csp-", f"{D}{{40,}}", BODY[:43]),
    row("huggingface", "hf_", f"{W}{{30,}}", BODY[7:41]),
    row("databricks", "dapi", f"{H}{{32}}", HEXES[5:37]),
    row("docker", "dckr_pat_", f"{D}{{24,}}", BODY[:27]),
    row("docker-org", "dckr_oat_", f"{D}{{24,}}", BODY[1:33]),
    row("figma", "figd_", f"{D}{{36,}}", BODY[:40]),
    row("tailscale", "tskey-", f"{D}{{20,}}", "auth-" + BODY[:30]),
    row("linear", "lin_api_", f"{W}{{32,}}", BODY[:40]),
    row("notion", "ntn_", f"{W}{{40,}}", BODY[:46]),
    row("postman", "PMAK-", f"{H}{{24}}-{H}{{34}}", f"{HEXES[:24]}-{HEXES[:34]}"),
    row("grafana", "glsa_", f"{W}{{32}}_{H}{{8}}", f"{BODY[:32]}_{HEXES[:8]}"),
    row("grafana-cloud", "glc_", "[A-Za-z0-9+/=]{32,}", BODY[:44]),
    row("new-relic", "NRAK-", "[A-Z0-9]{27}", "K7Q2M9X4R8T1W5Z3C6V0B2N8HJ4"),
    row("vault", r"hvs\.", f"{D}{{24,}}", BODY[:40]),
    row("vault-batch", r"hvb\.", f"{D}{{24,}}", BODY[1:50]),
    row("doppler", r"dp\.pt\.", f"{W}{{40,}}", BODY[:43]),
    row("artifactory", "AKCp", f"{W}{{60,}}", BODY + "q7"),
    row("rubygems", "rubygems_", f"{H}{{48}}", HEXES[:48]),
    row("pulumi", "pul-", f"{H}{{40}}", HEXES[6:46]),
    row("atlassian", "ATATT3", "[A-Za-z0-9_=-]{50,}", BODY),
    row("planetscale", "pscale_tkn_", "[A-Za-z0-9_=.-]{32,}", BODY[:43]),
    row("age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"),
)
