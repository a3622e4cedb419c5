"""The look of the exported page, on a screen and on paper; colour never alone. One value, so that its digest holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TONES: Final[Mapping[str, str]] = {
    "breaking": "bad",
    "no": "bad",
    "rejected": "bad",
    "failed": "bad",
    "blocked": "bad",
    "stopped": "bad",
    "unmapped": "bad",
    "compatible": "good",
    "yes": "good",
    "approved": "good",
    "executed": "good",
    "passed": "good",
    "stated": "good",
    "done": "good",
    "unknown": "unsure",
    "open": "unsure",
    "unread": "unsure",
    "unexecuted": "unsure",
    "proposed": "unsure",
    "absent": "quiet",
    "not applicable": "quiet",
    "n/a": "quiet",
}
"""How a cell looks that begins with this word of a closed vocabulary."""

STYLE: Final = """
:root{--ink:#1c2024;--soft:#59626b;--line:#d5dae0;--wash:#f5f7f9;--link:#0a52a3;--paper:#fff;
--good:#e2f4e6;--good-ink:#0d4a1f;--bad:#fdeaea;--bad-ink:#8c1d18;--unsure:#fff4d2;--unsure-ink:#684700;color-scheme:light}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;padding:0 2rem 4rem;max-width:96rem;background:var(--paper);color:var(--ink);
font:15px/1.55 system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
a{color:var(--link);text-underline-offset:2px}
a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main:focus{outline:0}
.skip{position:absolute;left:-100vw;top:0;padding:.6rem 1rem;background:var(--paper)}
.skip:focus{left:1rem;z-index:1}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance}
h1{font-size:2rem;font-weight:650;margin:2.2rem 0 .6rem}
h2{font-size:1.4rem;font-weight:650;margin:3rem 0 .8rem;padding-top:1.2rem;border-top:1px solid var(--line)}
h3{font-size:1.1rem;font-weight:650;margin:2rem 0 .6rem}
p{max-width:75ch;margin:.6rem 0}
main ul,main ol{max-width:90ch;margin:.6rem 0;padding-left:1.3rem}
li{margin:.25rem 0}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.86em}
code{background:var(--wash);border-radius:3px;padding:.08em .3em;box-decoration-break:clone;
-webkit-box-decoration-break:clone}
pre{margin:.8rem 0;padding:.8rem 1rem;background:var(--wash);border:1px solid var(--line);border-radius:6px;
white-space:pre-wrap;overflow-wrap:anywhere}
pre code{padding:0;background:none}
.table{margin:.9rem 0;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.88rem;line-height:1.45}
th,td{padding:.45rem .7rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft);border-bottom:2px solid var(--line);white-space:nowrap}
tbody tr:hover{background:var(--wash)}
tr:target{background:var(--unsure);outline:2px solid var(--unsure-ink)}
td a{color:var(--soft);font-size:.92em;text-decoration-color:var(--line)}
td.good{background:var(--good);color:var(--good-ink)}
td.bad{background:var(--bad);color:var(--bad-ink)}
td.unsure{background:var(--unsure);color:var(--unsure-ink)}
td.quiet{color:var(--soft)}
nav{font-size:.9rem}
nav ul{list-style:none;margin:0;padding:0}
nav li{margin:0}
nav a{display:block;padding:.3rem .6rem;border-radius:4px;text-decoration:none;color:var(--soft)}
nav a:hover{background:var(--wash);color:var(--link)}
@media screen and (min-width:72rem){
body{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:0 3rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2.4rem 0 1rem}
}
@media screen and (max-width:71.99rem){
nav{border:1px solid var(--line);border-radius:6px;padding:.6rem;margin:1rem 0}
nav ul{columns:14rem}
}
@media screen and (max-width:40rem){body{padding:0 1rem 3rem}}
@page{size:A4;margin:14mm 13mm}
@media print{
body{max-width:none;padding:0;font-size:9pt;line-height:1.4;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.skip,nav{display:none}
a{color:inherit;text-decoration:none}
h1{font-size:18pt;margin-top:0}
h2{font-size:13pt;margin:7mm 0 2mm;padding-top:3mm}
h3{font-size:10.5pt;margin:5mm 0 1.5mm}
h1,h2,h3,h4{break-after:avoid;break-inside:avoid}
p,main ul,main ol{max-width:none;orphans:3;widows:3}
.table{overflow:visible;margin:2mm 0}
table{font-size:7.6pt;line-height:1.35}
thead{display:table-header-group}
th{white-space:normal}
th,td{padding:1mm 1.4mm;overflow-wrap:break-word}
tr,pre{break-inside:avoid}
.wide table{font-size:6.4pt}
.wide th,.wide td{padding:.8mm 1mm}
.wide tr{break-inside:auto}
pre{font-size:7.6pt}
tbody tr:hover{background:none}
}
"""
