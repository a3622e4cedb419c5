"""The look of every renderable, in one place: quiet, readable in light and dark themes, colour never alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TONES: Final[Mapping[str, str]] = {
    "breaking": "bad",
    "no": "bad",
    "stop": "bad",
    "stopped": "bad",
    "rejected": "bad",
    "blocked": "bad",
    "permitted": "good",
    "incomplete": "unsure",
    "fails": "bad",
    "may fail": "unsure",
    "may fail by inference": "unsure",
    "passes": "good",
    "failed": "bad",
    "passed": "good",
    "removed": "bad",
    "compatible": "good",
    "yes": "good",
    "advance": "good",
    "approved": "good",
    "done": "good",
    "unknown": "unsure",
    "remain": "unsure",
    "open": "unsure",
    "unproven": "unsure",
    "present": "good",
    "absent": "bad",
    "finding": "bad",
    "hypothesis": "unsure",
    "unread": "unsure",
    "executed": "good",
    "covered": "good",
    "contradicted": "bad",
    "unexecuted": "unsure",
    "uncovered": "unsure",
    "publish the contract": "good",
}
"""What a closed vocabulary's word looks like; a word that is not here stays plain."""

STYLES: Final = """
.evr{--evr-page:#fff;--evr-ink:#1f2328;--evr-muted:#4d555e;--evr-line:#e0e4e8;--evr-edge:#b9c1c9;--evr-soft:#f3f5f7;
--evr-chosen:#e8f1fd;--evr-link:#0550ae;--evr-focus:#0969da;--evr-del:#ffd8d3;--evr-del-ink:#6e120d;--evr-ins:#c9efd1;
--evr-ins-ink:#0b4019;--evr-bad:#ffebe9;--evr-bad-ink:#8c1d18;--evr-bad-edge:#f1b8b4;--evr-good:#dff5e3;
--evr-good-ink:#0f5323;--evr-good-edge:#a9d9b5;--evr-unsure:#fff4d2;--evr-unsure-ink:#6b4a00;--evr-unsure-edge:#e5cf8d;
--evr-plain:#eef1f4;--evr-plain-ink:#3b434b;--evr-plain-edge:#d3d9df}
.evr{font-size:13px;line-height:1.45;color:var(--evr-ink);font-family:var(--jp-ui-font-family,sans-serif)}
[data-jp-theme-light=false] .evr{
--evr-page:#111;--evr-ink:#e6e9ec;--evr-muted:#aab2ba;--evr-line:#343a40;
--evr-edge:#5a636c;--evr-soft:#1c2126;--evr-chosen:#16263d;--evr-link:#8bc2ff;--evr-focus:#58a6ff;--evr-del:#4d1f1b;
--evr-del-ink:#ffc9c2;--evr-ins:#173a22;--evr-ins-ink:#b5ecc2;--evr-bad:#43191a;--evr-bad-ink:#ffb4ad;
--evr-bad-edge:#6b2c2c;--evr-good:#12331b;--evr-good-ink:#9fe0ae;--evr-good-edge:#26522f;--evr-unsure:#3a2f0c;
--evr-unsure-ink:#f3d98a;--evr-unsure-edge:#5c4c1a;--evr-plain:#262b30;--evr-plain-ink:#c5ccd3;--evr-plain-edge:#41484f}
.widget-html-content:has(>.evr){min-width:0}
.evr-title{font-size:15px;font-weight:600;margin:2px 0 6px}
.evr-muted{color:var(--evr-muted)}
.evr-code{font-family:var(--jp-code-font-family,monospace);font-size:12px}
.evr-hidden{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.evr-badge{display:inline-block;padding:0 8px;border-radius:9px;border:1px solid transparent;font-size:12px;
line-height:18px;font-weight:600;white-space:nowrap}
.evr-bad{background:var(--evr-bad);color:var(--evr-bad-ink);border-color:var(--evr-bad-edge)}
.evr-good{background:var(--evr-good);color:var(--evr-good-ink);border-color:var(--evr-good-edge)}
.evr-unsure{background:var(--evr-unsure);color:var(--evr-unsure-ink);border-color:var(--evr-unsure-edge)}
.evr-plain{background:var(--evr-plain);color:var(--evr-plain-ink);border-color:var(--evr-plain-edge)}
.evr-scroll{overflow:auto;max-width:100%;background:linear-gradient(90deg,var(--evr-page) 30%,transparent) 0 0/24px 100%
no-repeat local,linear-gradient(270deg,var(--evr-page) 30%,transparent) 100% 0/24px 100% no-repeat local,
linear-gradient(90deg,#0003,transparent) 0 0/10px 100% no-repeat scroll,
linear-gradient(270deg,#0003,transparent) 100% 0/10px 100% no-repeat scroll}
.evr-scroll:focus-visible,.evr button:focus-visible,.evr summary:focus-visible,.evr select:focus-visible,
.evr input:focus-visible,.evr pre:focus-visible{outline:2px solid var(--evr-focus);outline-offset:-2px}
.evr-tall{max-height:560px}
.evr-tall thead th{position:sticky;top:0;background:var(--evr-page);z-index:1}
.evr table.evr-grid{width:100%;table-layout:fixed;border-collapse:collapse;margin:0;font-size:13px;border:0;
display:table}
.evr table.evr-grid td,.evr table.evr-grid th{box-sizing:border-box;padding:5px 8px;text-align:left;vertical-align:top;
border:0;border-bottom:1px solid var(--evr-line);font-weight:400;overflow-wrap:anywhere;white-space:normal;
max-width:none;line-height:18px;color:inherit}
.evr table.evr-grid tr,.evr table.evr-grid tbody tr:nth-child(n){background:none}
.evr table.evr-grid tbody tr:not(.evr-below):hover:nth-child(n){background:var(--evr-soft)}
.evr table.evr-grid tr.evr-open:nth-child(n),
.evr table.evr-grid tr:has(details[open]):nth-child(n){background:var(--evr-chosen)}
.evr table.evr-grid thead th{font-weight:600;border-bottom:1px solid var(--evr-edge);vertical-align:bottom}
.evr table.evr-grid .evr-number{text-align:right}
.evr table.evr-grid caption{text-align:left;padding:0 0 4px;caption-side:top;color:var(--evr-muted);font-size:12px}
.evr table.evr-grid th details{margin:0;padding:0;border:0}
.evr table.evr-grid th summary{cursor:pointer;color:var(--evr-link);text-decoration:underline;list-style:none;
display:block}
.evr table.evr-grid th summary::-webkit-details-marker{display:none}
.evr table.evr-grid tr.evr-below td{padding:0}
.evr table.evr-grid tr:has(details)+tr.evr-below{display:none}
.evr table.evr-grid tr:has(details[open])+tr.evr-below{display:table-row}
.evr-two{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;white-space:normal;
overflow-wrap:anywhere;line-height:18px}
.evr button.evr-key,.evr button.evr-sort{all:unset;cursor:pointer;overflow-wrap:anywhere}
.evr button.evr-key{color:var(--evr-link);text-decoration:underline}
.evr button.evr-sort{font-weight:600;display:block;width:100%}
.evr button.evr-key:focus-visible,.evr button.evr-sort:focus-visible{outline:2px solid var(--evr-focus)}
.evr-button{font:inherit;color:inherit;background:var(--evr-page);border:1px solid var(--evr-edge);border-radius:4px;
padding:4px 12px;cursor:pointer;margin:0 6px 6px 0}
.evr-button:disabled{color:var(--evr-muted);cursor:default}
.evr-asks{display:flex;flex-wrap:wrap;gap:8px 10px;align-items:flex-end;margin:4px 0 8px}
.evr-asks label{display:flex;flex-direction:column;font-size:12px;color:var(--evr-muted);max-width:220px}
.evr-asks input,.evr-asks select{font:inherit;font-size:13px;color:inherit;color:var(--evr-ink);
background:var(--evr-page);border:1px solid var(--evr-edge);border-radius:4px;padding:4px 6px;height:30px;
box-sizing:border-box;max-width:220px}
.evr-asks .evr-button{margin:0;height:30px}
.evr-line{margin:4px 0}
.evr-card{border:1px solid var(--evr-line);border-radius:6px;padding:12px 14px;margin:8px 0}
.evr .evr-card h3{margin:0 0 8px;font-size:14px;font-weight:600}
.evr .evr-card h4,.evr-sides h4{margin:12px 0 4px;font-size:12px;font-weight:600;color:var(--evr-muted)}
.evr-card dl{display:grid;grid-template-columns:170px 1fr;gap:3px 12px;margin:6px 0}
.evr .evr-card dl dt{float:none;width:auto;margin:0;font-weight:400;color:var(--evr-muted)}
.evr .evr-card dl dd{float:none;width:auto;margin:0;overflow-wrap:anywhere}
.evr-sides{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:10px 0 2px}
.evr-form{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;padding:8px 10px;border-radius:4px;max-height:420px;
overflow:auto;background:var(--evr-soft);color:inherit;border:1px solid var(--evr-line)}
.evr-form del{background:var(--evr-del);color:var(--evr-del-ink);text-decoration:line-through}
.evr-form ins{background:var(--evr-ins);color:var(--evr-ins-ink);text-decoration:none;border-bottom:2px solid #3c8f55}
.evr-sides.evr-three{grid-template-columns:repeat(3,minmax(0,1fr))}
.evr-sides.evr-four{grid-template-columns:repeat(auto-fit,minmax(180px,1fr))}
.evr-none{background:none;color:inherit;border-color:transparent}
.evr-quote{margin:8px 0 0}
.evr-quote figcaption{font-size:12px;margin:0 0 2px}
.evr-quote pre{max-height:220px}
.evr table.evr-matrix{border-collapse:separate;border-spacing:2px;margin:0;width:100%;table-layout:auto;font-size:12px}
.evr table.evr-matrix td,.evr table.evr-matrix th{text-align:left;padding:1px 2px;white-space:normal;
overflow-wrap:anywhere;vertical-align:middle}
.evr table.evr-matrix thead th{white-space:normal;vertical-align:bottom;font-weight:600}
.evr table.evr-matrix caption{text-align:left;padding:0 0 2px;caption-side:top;color:var(--evr-muted);font-size:12px}
.evr .evr-square,.evr table.evr-matrix .evr-head,.evr table.evr-grid th[scope=row]{overflow-wrap:break-word}
.evr-matrix .evr-head{font-weight:600;font-size:10.5px;letter-spacing:-.015em;line-height:1.25;padding:0 2px;
overflow-wrap:anywhere}
.evr .evr-square{display:block;box-sizing:border-box;width:100%;min-height:26px;padding:3px 4px;
font:inherit;font-size:12px;
text-align:center;color:var(--evr-ink);border:1px solid transparent;border-radius:4px;background:var(--evr-soft)}
.evr button.evr-square{cursor:pointer;min-height:34px}
.evr .evr-square.evr-bands{font-family:var(--jp-code-font-family,monospace);text-align-last:justify;
padding:0 calc(16.6% - 1ch);background:linear-gradient(90deg,var(--evr-a,var(--evr-soft)) 33.3%,
var(--evr-b,var(--evr-soft)) 33.3% 66.6%,var(--evr-c,var(--evr-soft)) 66.6%)}
.evr .evr-square.evr-bands.evr-differs{padding:0 calc(11% - 1ch);background:linear-gradient(90deg,
var(--evr-a,var(--evr-soft)) 26%,var(--evr-b,var(--evr-soft)) 26% 53%,var(--evr-c,var(--evr-soft)) 53% 80%,
var(--evr-bad) 80%)}
.evr .evr-square.evr-bad,.evr .evr-square.evr-good,.evr .evr-square.evr-unsure,.evr .evr-square.evr-plain{
background:var(--evr-of);color:var(--evr-ink-of);border-color:var(--evr-edge-of)}
.evr .evr-square.evr-bad{--evr-of:var(--evr-bad);--evr-ink-of:var(--evr-bad-ink);--evr-edge-of:var(--evr-bad-edge)}
.evr .evr-square.evr-good{--evr-of:var(--evr-good);--evr-ink-of:var(--evr-good-ink);--evr-edge-of:var(--evr-good-edge)}
.evr .evr-square.evr-unsure{--evr-of:var(--evr-unsure);--evr-ink-of:var(--evr-unsure-ink);
--evr-edge-of:var(--evr-unsure-edge)}
.evr .evr-square.evr-plain{--evr-of:var(--evr-plain);--evr-ink-of:var(--evr-plain-ink);
--evr-edge-of:var(--evr-plain-edge)}
.evr button.evr-square[aria-pressed=true]{outline:2px solid var(--evr-focus);outline-offset:0}
.evr-in-C-good{--evr-a:var(--evr-good)}
.evr-in-C-plain{--evr-a:var(--evr-plain)}
.evr-in-C-none{--evr-a:var(--evr-soft)}
.evr-in-C-unsure{--evr-a:var(--evr-unsure)}
.evr-in-C-bad{--evr-a:var(--evr-bad)}
.evr-in-I-good{--evr-b:var(--evr-good)}
.evr-in-I-plain{--evr-b:var(--evr-plain)}
.evr-in-I-none{--evr-b:var(--evr-soft)}
.evr-in-I-unsure{--evr-b:var(--evr-unsure)}
.evr-in-I-bad{--evr-b:var(--evr-bad)}
.evr-in-T-good{--evr-c:var(--evr-good)}
.evr-in-T-plain{--evr-c:var(--evr-plain)}
.evr-in-T-none{--evr-c:var(--evr-soft)}
.evr-in-T-unsure{--evr-c:var(--evr-unsure)}
.evr-in-T-bad{--evr-c:var(--evr-bad)}
.evr-steps{display:flex;flex-wrap:wrap;gap:4px;list-style:none}
.evr ul.evr-steps{padding:0;margin:2px 0 4px}
.evr ul.evr-steps li{list-style:none}
.evr-steps li{flex:1 1 92px;min-width:92px;padding:2px 6px;border-radius:4px;border:1px solid transparent;
font-size:11px;line-height:1.25;margin:0}
.evr-steps b{display:block;font-weight:600}
.evr-steps-short li>span:last-child{display:block;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.evr-now{outline:2px solid var(--evr-focus);outline-offset:-1px}
.evr-list{margin:4px 0 8px;padding-left:18px;overflow-wrap:anywhere}
.evr-fold{margin:0 0 2px}
.evr-fold summary{cursor:pointer;padding:4px 0}
.evr-page{max-width:1180px}
.evr-page .evr-scroll{margin:6px 0}
.evr .evr-page table{border-collapse:collapse;margin:0;display:table;table-layout:auto;
font-size:12px;max-width:none;border:0;width:100%}
.evr .evr-page td,.evr .evr-page th{border:0;border-bottom:1px solid var(--evr-line);padding:3px 8px;text-align:left;
vertical-align:top;max-width:none;white-space:normal;overflow-wrap:break-word;line-height:17px;background:none;
color:inherit}
.evr .evr-page thead th{font-weight:600;border-bottom:1px solid var(--evr-edge)}
.evr .evr-page tr,.evr .evr-page tbody tr:nth-child(n),.evr .evr-page tbody tr:hover{background:none}
.evr .evr-page code,.evr-command code{font-family:var(--jp-code-font-family,monospace);font-size:12px;padding:0 3px;
background:var(--evr-soft);color:inherit;border:0;overflow-wrap:anywhere;white-space:normal}
.evr .evr-page pre{background:var(--evr-soft);color:inherit;padding:6px 10px;margin:6px 0;overflow:auto}
.evr .evr-page pre code{white-space:pre-wrap;padding:0}
.evr .evr-page a{color:var(--evr-link);text-decoration:underline}
.evr .evr-page h1,.evr .evr-page h2,.evr .evr-page h3,.evr .evr-page h4,.evr h2,.evr h3,.evr h4{
font-family:inherit;font-weight:600;line-height:1.3;margin:10px 0 4px;font-size:14px;color:inherit;border:0;padding:0}
.evr .evr-page h1,.evr .evr-page h2{font-size:17px}
.evr .evr-page ul,.evr .evr-page ol,.evr ol{margin:4px 0;padding-left:22px}
.evr .evr-page p{margin:4px 0}
.evr .evr-page li{line-height:1.35}
.evr-verdict{border:1px solid var(--evr-line);border-left:6px solid var(--evr-edge);border-radius:6px;
padding:4px 14px;margin:0 0 6px}
.evr-edge-good{border-left-color:var(--evr-good-ink)}
.evr-edge-bad{border-left-color:var(--evr-bad-ink)}
.evr-edge-unsure{border-left-color:var(--evr-unsure-ink)}
.evr .evr-verdict h2{font-size:18px;margin:0}
.evr .evr-verdict p{margin:2px 0 0}
.evr-two-columns{display:grid;grid-template-columns:4fr 7fr;gap:12px;align-items:start}
.evr .evr-two-columns td,.evr .evr-two-columns th{padding:3px 4px;font-size:11.5px}
@media (max-width:1000px){.evr-two-columns{grid-template-columns:1fr}}
.evr-scroll svg{max-width:none}
.evr-scroll svg[role=img]{max-width:100%;height:auto}
.evr-two-columns>*{min-width:0}
.evr .evr-two-columns .evr-card{margin:0;padding:8px 12px}
.evr .evr-two-columns h3{margin:0 0 4px}
.evr .evr-two-columns li{line-height:1.35}
.evr .evr-go,.evr a.evr-go:link,.evr a.evr-go:visited{display:inline-block;margin:4px 0;padding:4px 12px;
border-radius:4px;background:#0a58ca;color:#fff;text-decoration:none;font-weight:600}
.evr .evr-aside{font-weight:400;font-size:12px;color:var(--evr-muted);margin-left:6px}
.evr .evr-timeline{margin:6px 0 2px}
.evr-timeline figcaption{font-size:12px;font-style:normal}
.evr-timeline svg{display:block}
.evr-timeline text{fill:var(--evr-ink);font-size:11px;font-family:inherit}
.evr-timeline text.evr-known,.evr-timeline text.evr-here{font-weight:600}
.evr-timeline text.evr-open-end{fill:var(--evr-muted)}
.evr-timeline line,.evr-timeline circle{stroke:var(--evr-good-ink);stroke-width:2;fill:var(--evr-good-ink)}
.evr-timeline line.evr-open-end,.evr-timeline circle.evr-open-end{
stroke:var(--evr-unsure-ink);fill:var(--evr-page);stroke-dasharray:4 4}
.evr-timeline circle.evr-open-end{stroke-dasharray:2 2}
.evr-timeline circle.evr-here{stroke:var(--evr-ink);fill:var(--evr-ink)}
.evr-command{margin:4px 0;color:var(--evr-muted)}
"""
