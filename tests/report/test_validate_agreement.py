"""An artifact that contradicts itself is refused without its bundle: one edit of a golden artifact at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evreview.core.vocabulary import Area, Concern, Confidence, ProofMethod, SourceMatch, Tristate, Verdict
from evreview.report.template_environment import output_contracts
from evreview.report.validate import validate_artifact
from evreview.workflows.w2 import facts as reference
from evreview.workflows.w3 import model as security
from tests.report.problem_codes import codes

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
W1 = GOLDEN / "expected" / "demo" / "api-contract-review.md"
W2 = GOLDEN / "expected_w2" / "demo" / "api-reference.md"
W3 = GOLDEN / "expected_w3" / "demo" / "security-review.md"
GRAPHQL, PROTOBUF, PYTHON = (
    GOLDEN / f"expected_{kind}" / "api-contract-review.md" for kind in ("graphql", "protobuf", "python")
)
EDITS = [
    # Counts against rows
    (W1, "10 wire-level differences", "11 wire-level differences", "count-differs"),
    (W1, "5 compatible, 0 unknown", "4 compatible, 1 unknown", "count-differs"),
    (W1, r"\* \*\*Observation:\*\* 10 wire-level differences.*\n", "", "count-missing"),
    (W1, "Checks with a retained result: 4", "Checks with a retained result: 5", "count-differs"),
    (W1, "stay unverified: 10 of 10", "stay unverified: 9 of 9", "count-differs"),
    (W1, "0 of 2 known clients", "0 of 3 known clients", "count-differs"),
    (W2, "8 discrepancies, 8 not", "8 discrepancies, 0 not", "count-differs"),
    (W2, "12 retained checks executed", "13 retained checks executed", "count-differs"),
    (W2, "; 1 documented response unverified", "; 0 documented responses unverified", "count-differs"),
    (W2, "; 1 documented response unverified", "", "count-missing"),
    (W3, "10 retained checks executed", "12 retained checks executed", "count-differs"),
    (W3, "1 unresolved finding holding", "0 unresolved findings holding", "count-differs"),
    (W1, "stay unverified: 10 of 10", "stay unverified: 9 of 10", "said-differently"),
    (W1, r"Checks proposed: 10\.", "Checks proposed: 9.", "said-differently"),
    (W1, "run the 10 proposed", "run the 9 proposed", "said-differently"),
    (W1, "0 of 2 known clients", "2 of 2 known clients", "count-differs"),
    (W1, "By contract 5 differences", "By contract 4 differences", "said-differently"),
    (W1, r"Path: explicit version\. The plan", "Path: additive transition. The plan", "said-differently"),
    (W2, "3 operations of API", "4 operations of API", "count-differs"),
    (W2, r"(?m)^(\| Revision \| `)4", r"\g<1>5", "said-differently"),
    (W2, r"(?m)^\| API version \| `1.4.0` \| E1", "| API version | `1.5.0` | E1", "said-differently"),
    (W2, r"Operation ID \| `getOrder`", "Operation ID | `listOrders`", "said-twice"),
    (W2, r"errors \(`X-6fa5a3125035`\)", "errors (`X-000000000000`)", "reference-dangling"),
    (W3, "the immutable revision `8d", "the immutable revision `9d", "said-differently"),
    (W1, "first of 8 under", "first of 7 under", "count-differs"),
    (W1, r"(?m)^\* \*\*Next action:\*\* 3\\. `Orders API owner`: answer.*\n", "", "count-differs"),
    (W1, r"2\\. `Release manager`: answer", r"2\\. `Storefront owner`: answer", "said-differently"),
    (W2, "8 open points keep", "9 open points keep", "count-differs"),
    (W2, "8 open discrepancies, 0 others", "8 open discrepancies, 1 others", "count-differs"),
    (W2, "1 documented response unverified; 0 failed", "1 documented response unverified; 1 failed", "count-differs"),
    (W2, r"\| 5 of 5 passed \|", "| 6 of 6 passed |", "count-differs"),
    (W2, r"\| 4 of 4 passed \|", "| none |", "count-differs"),
    (W2, r"\(#order\)", "(#orders)", "link-dangling"),
    (W1, "declaration of 2 known clients", "declaration of 1 known client", "count-differs"),
    (W1, "parser of 1 known client failed", "parser of 0 known clients failed", "count-differs"),
    (W2, "5 of 5 retained checks", "6 of 6 retained checks", "count-differs"),
    (W2, "4 of 4 retained checks", "4 of 5 retained checks", "count-differs"),
    (W2, "3 of 3 retained checks", "2 of 3 retained checks", "count-differs"),
    (W2, r"(\| test\S*needs\S*token \| executed \|[^|]*\|) passed", r"\1 failed", "count-differs"),
    (W2, "first of 9 under", "first of 8 under", "count-differs"),
    (W3, "8 paths, 8 traceable", "9 paths, 8 traceable", "count-differs"),
    (W3, "transitions, 5 validated", "transitions, 6 validated", "count-differs"),
    (W3, "answer or plan 5 proposed", "answer or plan 4 proposed", "count-differs"),
    (W3, "first of 4 under", "first of 5 under", "count-differs"),
    (W3, r"3\\. `Product security owner`: answer", r"3\\. `Release manager`: answer", "said-differently"),
    (W3, "(disclosure boundary .*), `Release manager`", r"\1", "said-differently"),
    # Names and quoted cells against registers
    (W1, r"(?m)^\| `storefront` \| .*\n", "", "reference-dangling"),
    (W1, r"(?m)^\| `ledger-export` \| .*\n", "", "reference-dangling"),
    (W1, r"(?m)^\| `storefront` \| ", "| `kiosk` | ", "reference-dangling"),
    (W1, "(Before shipping a breaking change .*)Finance integrations owner for client ledger-export has not answered; ",
     r"\1", "said-differently"),
    (W1, r"Orders API owner has not answered \|", "Release manager has not answered |", "said-differently"),
    (W3, r"`ticket-access-tests: Product security owner has not answered` \|",
     "`ticket-access-tests: Release manager has not answered` |", "said-differently"),
    # Cells of one row against each other
    (W3, r"(?m)^(\| token-check \| authentication .*\|) absent, beside guarded routes", r"\1 present",
     "cells-contradict"),
    (W3, r"(?m)^(\| owner-check \| authorization .*\|) present", r"\1 absent", "cells-contradict"),
    (W1, "(D-4c53e5de3c1e.*)Inference: breaking; old form kept: no", r"\1Inference: compatible; old form kept: no",
     "cells-contradict"),
    (W1, r"(Before removing a deprecated field \|) open", r"\1 approved", "cells-contradict"),
    (W1, r"(Before removing a deprecated field \|) open", r"\1 not needed", "cells-contradict"),
    (W2, r"(Before executing a mutating example \|) not needed", r"\1 open", "cells-contradict"),
    (W3, r"(Before any active testing, including local fixtures \|) open", r"\1 approved", "cells-contradict"),
    (W2, r"(\| test\S*get\S*needs\S*token \|) executed", r"\1 unexecuted", "cells-contradict"),
    (W2, r"(\| request example `[^`]*` of `[^`]*` \|) unexecuted \| none", r"\1 executed | none", "cells-contradict"),
    # Words of closed columns, results of what was never run
    (W1, r"(Before shipping a breaking change \|) open", r"\1 granted", "value-not-allowed"),
    (W2, r"(Before executing a mutating example \|) not needed", r"\1 waived", "value-not-allowed"),
    (W3, r"(Before any active testing, including local fixtures \|) open", r"\1 granted", "value-not-allowed"),
    (W1, r"(?m)^(\| 9 \| [^|]* \|) [a-z]+", r"\1 done", "cells-contradict"),
    (W1, r"\| unexecuted: command, revision, fixture, result", "| passed", "cells-contradict"),
    (W1, r"\| proposed: command, revision, fixture, result", "| failed", "cells-contradict"),
    (W1, "`Release manager` has not answered|Release manager has not answered", "Release manager has approved",
     "cells-contradict"),
    (W3, "has not answered", "has answered", "cells-contradict"),
    # What stays unknown, who has moved, what holds: told in several places
    (W1, "Limitation: unlisted: unknown", "Observation: unlisted: none", "cells-contradict"),
    (W1, r"(\| unlisted consumers \|.*\|) unknown \|", r"\1 none \|", "cells-contradict"),
    (W1, "Not counted as migrated: `ledger-export`", "Not counted as migrated: `nobody`",
     "reference-dangling"),
    (W3, r"(\| authorization record \| `[^`]*`) \(verified\)", r"\1 (unverified)", "said-differently"),
    (W3, r"(\| `authorization record` \| [^|]* \|) verified", r"\1 declared, not verified", "said-differently"),
    # Ids against rows
    (W1, r"(?m)^(\| \[D-4c53e5de3c1e\].*\n)", r"\1\1", "identifier-twice"),
    (W1, r"(?m)^#### d-4c53e5de3c1e$", "#### d-000000000000", "link-dangling"),
    (W2, r"(?m)^(\| X-af982e01aa0b: .*\n)", r"\1\1", "identifier-twice"),
    (W3, r"(?m)^\| S-10310fc777db \| open.*\n", "", "identifier-missing"),
    (W3, r"(?m)^\| Medium.*S-5e6d3c288ea2.*\n", "", "identifier-missing"),
    (W1, r"(?m)^\| `policy` \|.*\n", "", "citation-unlisted"),
    (W2, r"(?m)^\| `contract artifact` \|.*\n", "", "citation-unlisted"),
    (W3, r"E7:L3, E14:L115, E16", "E7:L3, E77, E14:L115, E16", "citation-unlisted"),
    # A row struck or emptied
    (W1, r"(?m)^\| \[D-4c53e5de3c1e\].*\n", "", "count-differs"),
    (W1, r"(?m)(\| F-64716209a0be [^|]*\|)[^|]*\|", r"\1  |", "citation-missing"),
    (W1, r"(\| `producer-emits-candidate-responses` \|[^|]*\|)[^|]*\|", r"\1  |", "executed-incomplete"),
    # A client struck from one list that other tables still have
    (W1, "declared: `ledger-export`, `storefront`", "declared: `ledger-export`", "said-differently"),
    (W1, "declared: `ledger-export`<br>", "declared: none<br>", "said-differently"),
    (W1, "declared: none; run: none", "declared: `storefront`; run: none", "said-differently"),
    (W1, "(F-4c53e5de3c1e.*Observation: declared: )`ledger-export`, `storefront`", r"\1`ledger-export`",
     "said-differently"),
    (W1, r"(?m)^(\| High .*)Observation: run: `ledger-export` failed[^<]*<br>", r"\1", "said-differently"),
    (W1, "Observation: run: `ledger-export` failed [^<]*<br>", "Observation: run: none<br>", "said-differently"),
    (W1, "(Observation: refuses `D-64716209a0be`), `D-94d9a2d69d72`", r"\1", "said-differently"),
    (W1, "(Observation: run: )failed on `D-64716209a0be`", r"\1none", "said-differently"),
    (GRAPHQL, "(declared: none[^<]*)<br>Observation: unknown for [^<]*", r"\1", "said-differently"),
    (PYTHON, "(Observation: refuses [^<]*)<br>Observation: unknown for [^<]*", r"\1", "said-differently"),
    # A severity against the sentence that it quotes
    (W1, r"(?m)^\| High \(rules/3", "| Low (rules/3", "severity-differs"),
    (W1, r"(?m)^\| Medium \(rules/4", "| High (rules/4", "severity-differs"),
    (W1, r"(?m)^\| Medium \(rules/4", "| Negligible (rules/4", "severity-differs"),
    (W1, r"(?m)^\| not rated \(no rubric\)", "| Low", "cells-contradict"),
    (W3, r"(?m)^\| High \(rules/0", "| Medium (rules/0", "severity-differs"),
    (W3, r"(?m)^\| Medium \(rules/2", "| High (rules/2", "severity-differs"),
    (W3, r"(?m)^\| Medium \(rules/1", "| Low (rules/1", "severity-differs"),
    # Words of other closed columns
    (W1, "Inference: compatible;", "Inference: harmless;", "value-not-allowed"),
    (W1, "old requests accepted: yes", "old requests accepted: mostly", "value-not-allowed"),
    (W1, "old form kept: no", "old form kept: hardly", "value-not-allowed"),
    (W1, "witnessed by validation", "confirmed by validation", "value-not-allowed"),
    (W1, "proved by containment", "proved by inspection", "value-not-allowed"),
    (W1, r"(?m)^(\| `errors.py:12-18`.*\|) both \|", r"\1 all |", "value-not-allowed"),
    (W1, r"\| observed \|", "| assumed |", "value-not-allowed"),
    (W1, r"\| executed: failed \|", "| executed: fine |", "value-not-allowed"),
    (W1, r"\| permitted by the conditions \|", "| permitted |", "value-not-allowed"),
    (W1, r"\| covered and approved \|", "| approved |", "value-not-allowed"),
    (W1, r"\| verified \|", "| believed |", "value-not-allowed"),
    (W1, r"\| digest verified, commit declared \|", "| verified by hand |", "value-not-allowed"),
    (PROTOBUF, "(Inference: binary: )[a-z]+", r"\1fine", "value-not-allowed"),
    (PROTOBUF, "(; json: )[a-z]+", r"\1fine", "value-not-allowed"),
    (W2, r"\| query \|", "| form |", "value-not-allowed"),
    (W2, r"(\| `sku` \| [^|]* \|) yes \|", r"\1 always |", "value-not-allowed"),
    (W2, r"(?m)^(\| test\\?_.* \| executed \|[^|]*\|) passed", r"\1 ok", "value-not-allowed"),
    (W2, "open: publication blocker", "settled: publication blocker", "value-not-allowed"),
    (W2, r"(?m)^(\| an execution report \|.*\|) yes \|", r"\1 partly |", "value-not-allowed"),
    (W2, r"\| validation \|", "| checking |", "value-not-allowed"),
    (W2, r"\| published; ", "| printed; ", "value-not-allowed"),
    (W2, r"(?m)^(\| GET /v1/orders: [^|]*)pagination", r"\1paging", "value-not-allowed"),
    (W2, "; contract stated, ", "; contract fine, ", "value-not-allowed"),
    (W2, ", code stated, ", ", code fine, ", "value-not-allowed"),
    (W2, r", test unmapped \|", ", test fine |", "value-not-allowed"),
    (W2, r"(an approved change of the contract \| the contract states it \|) open", r"\1 done", "value-not-allowed"),
    (W3, r"(?m)^(\| customer \|.*\|) yes \| traceable", r"\1 maybe | traceable", "value-not-allowed"),
    (W3, r"(?m)^(\| owner-check \| authorization .*\|) present", r"\1 fine", "value-not-allowed"),
    (W3, r"(?m)^(\| owner-check \|) authorization", r"\1 permissions", "value-not-allowed"),
    (W3, r"\| hypothesis \|", "| confirmed lead |", "value-not-allowed"),
    (W3, r"\); hypothesis \|", "); known weakness |", "value-not-allowed"),
    (W3, r"(?m)^(\| GET /internal/figures \|) \*\*absent\*\*", r"\1 fine", "value-not-allowed"),
    (W3, r"(?m)^(\| GET /internal/figures \|) \*\*absent\*\*", r"\1 present", "said-differently"),
    (W3, r"; \[finding\]\(#s-b5e93c9191ca\)", "", "said-differently"),
    (W3, r"\[finding\]\(#s-b5e93c9191ca\)", "[hypothesis](#s-5e6d3c288ea2)", "said-differently"),
    (W3, r"\[finding\]\(#s-b5e93c9191ca\)", "finding", "said-differently"),
    (W3, r"\[hypothesis\]\(#s-e5c2c8188698\)", "[finding](#s-e5c2c8188698)", "said-differently"),
    (W3, r"\[hypothesis\]\(#s-e5c2c8188698\)", "refuted", "said-differently"),
    (W3, r"\[hypothesis\]\(#s-e5c2c8188698\)", "fine", "value-not-allowed"),
    (W3, r"(?m)^(\| input handling .*\|) not applicable", r"\1 unread", "said-differently"),
    (W3, "; reachability shown", "; reachability plain", "value-not-allowed"),
    (W3, r"(?m)^(\| S-b5e93c9191ca \| middleware \|) absent", r"\1 gone", "value-not-allowed"),
    (W3, r"(rule of the rubric blocks the deployment \|) yes", r"\1 perhaps", "value-not-allowed"),
    (W3, r"(?m)^(\| test\\?_[^|]*\|.*\|) passed", r"\1 green", "value-not-allowed"),
    # The table at a glance of W1 against matrix, cards and clients
    (W1, r"\*\*fails\*\* \(run\)", "no conflict declared", "said-differently"),
    (W1, r"\*\*fails\*\* \(run\)", "may fail (inferred)", "said-differently"),
    (W1, r"\*\*fails\*\* \(run\)", "not declared", "said-differently"),
    (W1, r"(?m)^(\| `GET /v1/orders` .*)may fail \(declared\)", r"\1not declared", "said-differently"),
    (W1, r"(?m)^(\| `PATCH /v1/orders/.*\| )not declared( \| un)", r"\1no conflict declared\2", "said-differently"),
    (W1, r"may fail \(declared\)( \| unknown \|)", r"no conflict declared\1", "said-differently"),
    (W1, r"(?m)^(\| `GET /v1/orders/\{orderId\}` )\| 5 ", r"\1| 4 ", "said-differently"),
    (W1, r"(?m)^(\| `GET /v1/orders/\{orderId\}` \| 5 )\| 4 ", r"\1| 3 ", "said-differently"),
    (W1, r"(?m)^(\| `POST /v1/orders` \|.*)\| unknown", r"\1| closed by usage", "said-differently"),
    (W1, r"(?m)^(\| `POST /v1/orders` \|.*)E1:L308", r"\1E1:L309", "said-differently"),
    (W1, r"(?m)^\| `POST /v1/orders` \|.*\n", "", "said-differently"),
    (W1, r"(?m)^(\| `POST /v1/orders`)( \|.*\n)", r"\1\2| `PUT /v1/orders`\2", "said-differently"),
    (W1, r"(?m)^(\| `POST /v1/orders`)( \|.*\n)", r"\1\2\1\2", "said-differently"),
    (W1, r"\| `storefront` \| Unlisted", "| `kiosk` | Unlisted", "said-differently"),
    (W1, r"(?m)^(\| Operation \| Breaking) \| Compatible", r"\1 | Harmless", "said-differently"),
    (W1, r"(?s)### Where it breaks.*?(?=### Comparison)", "", "register-missing"),
    (W1, "; `ledger-export` failed in a retained run", "; `storefront` failed in a retained run", "said-differently"),
    (W1, "; `ledger-export` failed in a retained run", "", "said-differently"),
    (W1, "5 breaking, 5 compatible", "4 breaking, 5 compatible", "count-differs"),
    (W1, "(`storefront` declares no use of: )", r"\1`POST /v1/orders`, ", "said-differently"),
    (GRAPHQL, r"(?m)^(\| `type OrderDraft` .*)may fail \(declared\)", r"\1not declared", "said-differently"),
    (PYTHON, r"; listed under `parcels`", "", "said-differently"),
    # The index of W2 against its entries
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)Create an order", r"\1Delete an order", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)“Create an order”", r"\1not described", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*), `409`", r"\1", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)`quantity`, errors, rate limits", r"\1nothing", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)`quantity`, errors", r"\1errors", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)4 of 4 passed", r"\1none", "count-differs"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*)E1:L36", r"\1E1:L37", "said-differently"),
    (W2, r"(?m)^\| \[POST /v1/orders\].*\n", "", "said-differently"),
    (W2, r"(?m)^(\| \[POST /v1/orders\].*\n)", r"\1\1", "said-differently"),
    (W2, r"(?m)^(\| \[)POST( /v1/orders\].*\n)", r"\1POST\2\1PUT\2", "said-differently"),
    # The body of an answer that an entry withholds, published in both of its places
    (W2, r"(?m)^(\| `404` \|) withheld \| withheld \| withheld until a discrepancy is disposed of",
     r"\1 `application/json` | n/a | [Error](#error)", "said-differently"),
    # The routes of W3 against the inventory
    (W3, r"(?m)^(\| POST /v1/tickets \| )present", r"\1**absent**", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets \| present \| )\*\*absent\*\*", r"\1present", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets (?:\| [^|]*){2}\| )present", r"\1n/a", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets (?:\| [^|]*){3}\| )\*\*absent\*\*", r"\1present", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets (?:\| [^|]*){4}\| )present", r"\1n/a", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets (?:\| [^|]*){5}\| )present", r"\1n/a", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets .*)E5:L29-L30", r"\1E5:L28-L30", "said-differently"),
    (W3, r"(?m)^\| POST /v1/tickets \| present.*\n", "", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets)( \| present.*\n)", r"\1\2| PUT /v1/tickets\2", "said-differently"),
    (W3, r"(?m)^(\| POST /v1/tickets \| present.*\n)", r"\1\1", "said-differently"),
    (W3, r"(?m)^\| POST /v1/tickets( \| present.*)", r"| 1 more route | 1 present | 1 absent | 1 present | 1 present | "
     "1 present | 1 present | none recorded |", "count-differs"),
    (W3, r"(?m)^\| POST /v1/tickets( \| present.*)", r"| 2 more routes | 1 present | 1 absent | 1 present | 1 absent | "
     "1 present | 1 present | none recorded |", "count-differs"),
    (W3, "1 supported finding, ", "2 supported findings, ", "count-differs"),
    # One id, one title, one form, one number of operations: matrix, finding, card, traceability
    (W1, r"(?m)^(\| \[D-64716209a0be\][^|]*)may be null", r"\1is renamed", "said-differently"),
    (W1, r"\[code becomes optional\]", "[code becomes required]", "said-differently"),
    (W1, r"(Inference: `F-94d9a2d69d72`: `status`) has a new value", r"\1 is removed", "said-differently"),
    (W1, r"(?m)^(\* \*\*Observation:\*\* 404 has another) content type, at", r"\1 body, at", "said-differently"),
    (W1, r"\| never null \|", "| string or null |", "said-differently"),
    (W1, "Released: never null; candidate", "Released: string; candidate", "said-differently"),
    (W1, r"\| never null \| string or null \|", "| never null | never null |", "said-differently"),
    (W1, r"Released: required; candidate: optional", "Released: required; candidate: required", "said-differently"),
    (W1, "may be null<br>4 operations", "may be null<br>2 operations", "count-differs"),
    (GRAPHQL, "may be null<br>5 operations", "may be null<br>4 operations", "count-differs"),
    # Links that lead elsewhere than their words say
    (W1, r"\[D-64716209a0be\]\(#d-64716209a0be\)", "[D-64716209a0be](#limitations)", "link-elsewhere"),
    (W1, r"\(#d-64716209a0be\)", "(#d-94d9a2d69d72)", "link-elsewhere"),
    (W1, r"(F-94d9a2d69d72 \[[^]]*\]\(#)d-94d9a2d69d72", r"\1d-4c53e5de3c1e", "link-elsewhere"),
    (W2, r"\[GET /v1/orders\]\(#get-v1orders\)", "[GET /v1/orders](#post-v1orders)", "link-elsewhere"),
    (W2, r"array of \[Order\]\(#order\)", "array of [Order](#error)", "link-elsewhere"),
    (W3, r"(S-b5e93c9191ca \[[^]]*\]\(#)s-b5e93c9191ca", r"\1s-10310fc777db", "link-elsewhere"),
    # What a run showed, what stays unverified
    (W1, "Inference: it fails<br>Limitation", "Inference: it may fail<br>Limitation", "cells-contradict"),
    (PROTOBUF, "Inference: `tracking-page` fails", "Inference: `tracking-page` may fail", "cells-contradict"),
    (W1, "Inference: it may fail<br>Limitation", "Inference: it fails<br>Limitation", "cells-contradict"),
    (W1, r"Inference: it fails \|", "Inference: it may fail |", "cells-contradict"),
    (W1, r"Inference: they may fail \|", "Inference: they fail |", "cells-contradict"),
    (W1, "witnessed by validation; unverified", "witnessed by validation; verified", "cells-contradict"),
    (W1, "rule only; unverified", "rule only; verified", "cells-contradict"),
    (W1, "(D-64716209a0be.*)witnessed by validation; unverified", r"\1rule only; unverified", "count-differs"),
    (W1, "9 have a computed proof", "8 have a computed proof", "count-differs"),
    (W1, "4; 1 of them failed", "4; 0 of them failed", "count-differs"),
    (PROTOBUF, "; 1 of them failed", "; 2 of them failed", "count-differs"),
    (W1, "4 more differences never", "40 more differences never", "count-differs"),
    (W1, "2 x `a name", "3 x `a name", "count-differs"),
    (W1, "usage closes 1 of", "usage closes 2 of", "count-differs"),
    (W1, "unlisted: closed by usage", "unlisted: unknown", "count-differs"),
    (W1, r"\| candidate \| null is not", "| both | null is not", "count-differs"),
    (W1, "13 sources match: 3 both", "13 sources match: 4 both", "count-differs"),
    # Severities by the rule that the row cites, what is open against it
    (W1, r"(?m)^\| Medium \(rules/2\)(.*F-94d9)", r"| Medium (rules/4)\1", "severity-differs"),
    (W1, r"(?m)^\| Medium \(rules/4\)", "| Medium (rules/2)", "severity-differs"),
    (W3, r"\| blocking \|\n", "| open |\n", "cells-contradict"),
    # The order of the table at a glance, the run that a square tells of
    (W1, r"(?m)^(\| `GET /v1/orders` .*\n)(\| `POST /v1/orders` )\| 2", r"\1\2| 3", "said-differently"),
    (W1, r"(?m)^(\| `PATCH /v1/orders/.*\n)(\| `GET /v1/orders` .*\n)", r"\2\1", "said-differently"),
    (PYTHON, r"(?m)^(\| `parcels` .*\n)(\| `parcels.Client` .*\n)", r"\2\1", "said-differently"),
    (W1, r"(\*\*fails\*\* \(run\).*)E7:L14, ", r"\1", "said-differently"),
    (PROTOBUF, r"(\*\*fails\*\* \(run\).*), E7:L3", r"\1", "said-differently"),
    # Whose answers are missing, how long the released form stays
    (W1, "(Path: explicit version; `/v1 stays available for) 180", r"\1 90", "said-differently"),
    (W1, "(Support window: `/v1 stays available for) 180", r"\1 90", "said-differently"),
    # One finding of W3 in verdict, findings, card, claims and dispositions
    (W3, r"\(High, blocking\)", "(Low, blocking)", "said-differently"),
    (W3, "Severity Medium by the rule `rules/2`", "Severity High by the rule `rules/2`", "said-differently"),
    (W3, r"\(High, blocking\)", "(High, open)", "said-differently"),
    (W3, "control evidence, blocking", "control evidence, open", "said-differently"),
    (W3, r"\| Medium \(all shown", "| High (all shown", "said-differently"),
    (W3, "confidence Medium: lines", "confidence High: lines", "said-differently"),
    (W3, "Reachability shown: `GET", "Reachability unknown: `GET", "said-differently"),
    (W3, "; reachability shown", "; reachability unknown", "said-differently"),
    (W3, r"(blocking\): A decision rests on what the) caller", r"\1 server", "said-differently"),
    (W3, "compensating control, 6:", "compensating control, 9:", "said-differently"),
    (W3, r"(?m)^\| S-b5e93c9191ca \| middleware .*\n", "", "said-differently"),
    (W3, r"(?m)^(\| S-b5e93c9191ca \| middleware \|) absent", r"\1 present", "said-differently"),
    (W3, "control, 3: absent in", "control, 3: present in", "said-differently"),
    (W3, r"with and without the value \| E5", "with the value | E5", "said-differently"),
    (W3, "Proposed check: ask the secret's owner", "Proposed check: try the secret", "said-differently"),
    (W3, "`Ticket service owner`: make the", "`Platform owner`: make the", "said-differently"),
    (W3, "its card, by `Ticket service owner`", "its card, by `Platform owner`", "said-differently"),
    (W3, "48 abuse cases, 8 supported, 40", "40 abuse cases, 8 supported, 32", "count-differs"),
    (W3, r"(?m)^\| supported; proxy, desk over .*credentials.*\n", "", "count-differs"),
    (W3, r"(?m)^\| `caller` \| `customer` \| POST.*\n", "", "count-differs"),
    # Results against results, the decision against rows
    (W1, "run: failed on", "run: passed on", "executed-result-differs"),
    (W3, "Decision: deployment held by the release manager",
     "Decision: assessed; no unresolved finding holds the deployment", "decision-row-differs"),
    (W3, r"\| blocking \| the rule of the rubric blocks the deployment \| yes",
     "| blocking | the rule of the rubric blocks the deployment | no", "decision-row-differs"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "find", "put", "code"), EDITS, ids=lambda value: getattr(value, "stem", None))
def test_a_contradiction_is_seen(path: Path, find: str, put: str, code: str) -> None:
    text, changed = re.subn(find, put, path.read_text(encoding="utf-8"))
    assert changed
    assert code in codes(validate_artifact(text))


SUMMED = r"| 1 more route | 1 present | 1 absent | 1 present | 1 absent | 1 present | 1 present | E5 |"


def test_a_last_row_that_sums_up_rightly_is_taken() -> None:
    """The lies above are edits of this row, which contradicts nothing."""
    text, changed = re.subn(r"(?m)^\| POST /v1/tickets \| present.*", SUMMED, W3.read_text(encoding="utf-8"))
    assert (changed, validate_artifact(text)) == (1, ())


def test_a_fault_names_table_row_column_and_words() -> None:
    text = W1.read_text(encoding="utf-8")
    found = validate_artifact(text.replace("| permitted by the conditions |", "| allowed |"))
    assert [str(problem.found) for problem in found] == [
        "'Result' takes only: permitted by the conditions | stays available; the row 'legacyReference' of the table "
        "under 'Removals' has 'allowed'"
    ]


VERDICTS = {
    ("api-contract-review.md", "Producer direction"): [Verdict, Tristate, ProofMethod],
    ("api-contract-review.md", "Matches"): [SourceMatch],
    ("api-reference.md", "Concern"): [Concern],
    ("api-reference.md", "Disposition"): [reference.Disposal],
    ("security-review.md", "Area"): [Area],
    ("security-review.md", "Standing"): [security.Standing],
    ("security-review.md", "State, boundaries and routes"): [security.State],
    ("security-review.md", "Control evidence"): [security.Reach],
    ("security-review.md", "Confidence"): [Confidence],
}
"""The vocabularies whose words columns take."""


@pytest.mark.parametrize(("file", "column"), VERDICTS)
def test_a_closed_column_takes_the_words_of_its_vocabulary(file: str, column: str) -> None:
    contract = next(contract for contract in output_contracts() if contract.file == file)
    closed = [set(each.words) for each in contract.closed if each.column == column]
    assert [words for words in VERDICTS[file, column] if set(words) not in closed] == []


@pytest.mark.parametrize(
    "path", sorted(GOLDEN.rglob("*-re*.md")), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}"
)
def test_every_golden_artifact_agrees_with_itself(path: Path) -> None:
    assert validate_artifact(path.read_text(encoding="utf-8")) == ()
