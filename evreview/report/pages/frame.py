"""What every page shares: the document with its policy, the look in light, dark and on paper, and the one script.

The script adds and never holds: search over tables of more than 30 rows, order by column, copying a command. A page
without it is complete.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final

from evreview.core.frozen import frozen
from evreview.report.escape import html

MANY: Final = 30
"""Rows of a table, and links of the contents, above which there is a search box."""
TONES: Final[Mapping[str, str]] = {
    "breaking": "bad",
    "rejected": "bad",
    "failed": "bad",
    "fails": "bad",
    "blocked": "bad",
    "stopped": "bad",
    "unmapped": "bad",
    "absent": "bad",
    "compatible": "good",
    "approved": "good",
    "executed": "good",
    "passed": "good",
    "present": "good",
    "stated": "good",
    "done": "good",
    "unknown": "unsure",
    "may fail": "unsure",
    "open": "unsure",
    "unread": "unsure",
    "unexecuted": "unsure",
    "withheld": "unsure",
    "proposed": "plain",
    "not declared": "plain",
    "not applicable": "plain",
    "n/a": "plain",
}
"""How a cell looks that begins with this word of a closed vocabulary."""

STYLE: Final = """
:root{--ink:#1c2024;--soft:#525b64;--line:#d5dae0;--wash:#f5f7f9;--link:#0a52a3;--paper:#fff;
--bad:#ffebe9;--bad-ink:#8c1d18;--unsure:#fff4d2;--unsure-ink:#6b4a00;--good:#dff5e3;--good-ink:#0f5323;
--plain:#eef1f4;--plain-ink:#3b434b;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){
:root{--ink:#e3e7eb;--soft:#a9b3bd;--line:#3a424a;--wash:#1d2227;--link:#8ab8f5;--paper:#14181c;
--bad:#43191a;--bad-ink:#ffb4ad;--unsure:#3a2f0c;--unsure-ink:#f3d98a;--good:#12331b;--good-ink:#9fe0ae;
--plain:#262b30;--plain-ink:#c5ccd3}
}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0 auto;padding:0 1.5rem 4rem;max-width:100rem;background:var(--paper);color:var(--ink);
font:14px/1.45 system-ui,"Segoe UI","Helvetica Neue",Arial,sans-serif}
a{color:var(--link);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
main{min-width:0}
main:focus{outline:0}
[hidden]{display:none!important}
.skip{position:absolute;left:-100vw;top:0;padding:.6rem 1rem;background:var(--paper)}
.skip:focus{left:1rem;z-index:1}
h1,h2,h3,h4{line-height:1.25;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:1.55rem;font-weight:650;margin:1rem 0 .3rem}
h2{font-size:1.25rem;font-weight:650;margin:2rem 0 .5rem;padding-top:.8rem;border-top:1px solid var(--line)}
.about+h2{margin-top:.6rem}
h3{font-size:1.05rem;font-weight:650;margin:1.1rem 0 .4rem}
p{max-width:90ch;margin:.4rem 0}
.about{color:var(--soft);font-size:.86rem}
.about p{display:inline;margin-right:1.2rem}
main ul,main ol{max-width:110ch;margin:.4rem 0;padding-left:1.2rem}
li{margin:.18rem 0}
li>p{margin:0}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88em}
code{background:var(--wash);border-radius:3px;padding:.05em .3em;overflow-wrap:anywhere;box-decoration-break:clone;
-webkit-box-decoration-break:clone}
pre{margin:.6rem 0;padding:.6rem .8rem;background:var(--wash);border:1px solid var(--line);border-radius:6px;
white-space:pre-wrap;overflow-wrap:anywhere}
pre code{padding:0;background:none}
[data-role=decision]{list-style:none;margin:0 0 .4rem;padding:.4rem .7rem;border-left:4px solid var(--link);
background:var(--wash);font-size:1.05rem}
li[data-role=decision]{margin-left:-1.2rem}
li[data-role=decision]+li[data-role=decision]{margin-top:-.4rem;font-size:1rem}
li[data-role=next]{font-weight:550}
.table{margin:.5rem 0;overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.9rem;line-height:1.4}
th,td{padding:.3rem .5rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);font-weight:400;
overflow-wrap:break-word}
th{font-weight:600;color:var(--soft);border-bottom:2px solid var(--line)}
tbody th{font-weight:400;color:inherit;border-bottom:1px solid var(--line)}
tbody th a{white-space:nowrap}
th button{all:unset;cursor:pointer;font-weight:600}
th button:focus-visible{outline:2px solid var(--link)}
th[aria-sort=ascending] button::after{content:" \\2191"}
th[aria-sort=descending] button::after{content:" \\2193"}
tbody tr:hover{background:var(--wash)}
tr:target{outline:2px solid var(--unsure-ink)}
td code{overflow-wrap:break-word}
.part>summary{color:var(--soft)}
.part>summary h3{display:inline;color:var(--ink)}
.bad{background:var(--bad);color:var(--bad-ink)}
.unsure{background:var(--unsure);color:var(--unsure-ink)}
.good{background:var(--good);color:var(--good-ink)}
.plain{background:var(--plain);color:var(--plain-ink)}
.bad a,.unsure a,.good a,.plain a,.bad code,.unsure code,.good code,.plain code{color:inherit;background:none}
b.bad,b.unsure,b.good,b.plain{border:1px solid;border-radius:9px;padding:0 .5em;font-weight:600;white-space:nowrap}
details{margin:.3rem 0}
details>summary{cursor:pointer;overflow-wrap:anywhere;padding:.15rem .3rem;border-radius:4px}
details>summary:hover{background:var(--wash)}
.card,.item{border:1px solid var(--line);border-radius:6px;padding:.1rem .4rem}
.card[open],.item[open]{padding-bottom:.5rem}
.card:has(:target){outline:2px solid var(--link)}
.inside{padding:0 .6rem;scroll-margin-top:3rem}
.fold>summary{font-weight:600;color:var(--soft);border:1px dashed var(--line);padding:.4rem .7rem}
.moved{color:var(--soft)}
.entry{border-top:1px solid var(--line);margin-top:1rem}
.entry [data-label=Limitation]{border-left:3px solid var(--unsure-ink);padding-left:.5rem;list-style:none}
.lines{counter-reset:none;margin:.2rem 0 .6rem}
.lines mark{background:var(--unsure);color:inherit}
dl{display:grid;grid-template-columns:8rem minmax(0,1fr);gap:.2rem .8rem;margin:.4rem 0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.num{text-align:right;font-variant-numeric:tabular-nums}
.find{display:block;margin:.4rem 0;font-size:.9rem;color:var(--soft)}
.find input{font:inherit;width:min(20rem,100%);padding:.2rem .4rem;border:1px solid var(--soft);border-radius:4px;
background:var(--paper);color:var(--ink)}
.copy{font:inherit;font-size:.85em;margin-left:.4rem;border:1px solid var(--line);border-radius:4px;
background:var(--paper);color:var(--link);cursor:pointer}
nav{font-size:.9rem}
.picture{overflow-x:auto}
figure{margin:1rem 0}
nav ul{list-style:none;margin:0;padding:0}
nav ul ul{padding-left:.7rem;font-size:.93em}
nav li{margin:0}
nav a{display:block;padding:.16rem .4rem;border-radius:4px;text-decoration:none;color:var(--soft);
overflow-wrap:anywhere}
nav a:hover{background:var(--wash);color:var(--link)}
@media screen and (min-width:64rem){
body{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:0 1.8rem}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:1rem 0}
}
@media screen and (max-width:63.99rem){
nav{border-bottom:1px solid var(--line);padding:.3rem 0}
nav ul{display:flex;flex-wrap:wrap}
nav ul ul{display:none}
}
@media screen and (min-width:75rem){
.band{display:grid;grid-template-columns:minmax(0,1fr) 21rem;grid-template-rows:auto 1fr;gap:0 1.2rem}
.band>.example{grid-column:2;grid-row:1/span 2}
.band>.example pre{position:sticky;top:1rem}
.band>.before,.band>.after{grid-column:1;min-width:0}
}
@media screen and (max-width:40rem){body{padding:0 1rem 3rem}dl{grid-template-columns:minmax(0,1fr)}}
@page{size:A4;margin:14mm 13mm}
@media print{
body{max-width:none;padding:0;font-size:9pt;line-height:1.4;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.skip,nav,.find,.copy{display:none}
details::details-content{content-visibility:visible;display:block;block-size:auto}
a{color:inherit;text-decoration:none}
h1{font-size:18pt;margin-top:0}
h2{font-size:13pt;margin:7mm 0 2mm;padding-top:3mm}
h3{font-size:10.5pt;margin:5mm 0 1.5mm}
h1,h2,h3,h4{break-after:avoid;break-inside:avoid}
p,main ul,main ol{max-width:none;orphans:3;widows:3}
.table{overflow:visible;margin:2mm 0}
table{font-size:7.6pt;line-height:1.35}
thead{display:table-header-group}
th,td{padding:1mm 1.4mm;overflow-wrap:anywhere}
tr,pre{break-inside:avoid}
.wide table{font-size:6.4pt}
.wide th,.wide td{padding:.8mm 1mm}
.wide tr{break-inside:auto}
pre{font-size:7.6pt}
.picture svg{max-width:100%;height:auto}
tbody tr:hover{background:none}
}
"""

SCRIPT: Final = """
(()=>{"use strict";
const all=(s,e=document)=>[...e.querySelectorAll(s)],many=30;
const made=(tag,text,cls)=>{const e=document.createElement(tag);e.textContent=text;e.className=cls||"";return e};
const fit=()=>all(".table,.picture").filter(r=>r.checkVisibility()).forEach(
r=>r.scrollWidth>r.clientWidth+1?r.tabIndex=0:r.removeAttribute("tabindex"));
const box=(name,before,change)=>{const l=made("label",name+" ","find"),i=made("input","");i.type="search";
i.addEventListener("input",()=>change(i.value.trim().toLowerCase()));l.append(i);before.before(l);return l};
all("table").forEach(t=>{const body=t.tBodies[0],rows=body?[...body.rows]:[];
const search=rows.length>many,name=t.getAttribute("aria-label");
if(!search&&!t.closest("[data-role=matrix]"))return;
if(search){const region=t.parentElement,told=made("p",rows.length+" rows","find");told.setAttribute("role","status");
const texts=rows.map(r=>r.textContent.toLowerCase());
const cards=new Map(all("details[data-id]").map(d=>[d.dataset.id,d]));
box("Search "+name,region,word=>{let n=0;rows.forEach((r,i)=>{const on=texts[i].includes(word);r.hidden=!on;n+=on;
const card=cards.get(r.dataset.id);if(card&&!card.contains(r))card.hidden=!on});
told.textContent=n+" of "+rows.length+" rows"}).after(told)}
[...t.tHead.rows[0].cells].forEach((h,at)=>{
const b=made("button","");b.type="button";b.append(...h.childNodes);h.append(b);
b.addEventListener("click",()=>{const down=h.getAttribute("aria-sort")==="ascending";
[...t.tHead.rows[0].cells].forEach(e=>e.removeAttribute("aria-sort"));
h.setAttribute("aria-sort",down?"descending":"ascending");
const key=r=>r.cells[at]?r.cells[at].textContent:"";
rows.sort((a,c)=>key(a).localeCompare(key(c),"en",{numeric:true})*(down?-1:1));body.append(...rows)})})});
const nav=document.querySelector("nav"),links=nav?all("li",nav):[];
if(links.length>many)box("Search the contents",nav.querySelector("ul"),word=>links.forEach(
l=>l.hidden=!l.textContent.toLowerCase().includes(word)));
all("code[data-copy]").forEach(c=>{const b=made("button","Copy","copy");b.type="button";
b.setAttribute("aria-label","Copy: "+c.textContent);b.addEventListener("click",()=>{
getSelection().selectAllChildren(c);if(navigator.clipboard)navigator.clipboard.writeText(c.textContent)
.then(()=>b.textContent="Copied",()=>0)});c.after(b)});
const open=()=>{const e=location.hash&&document.getElementById(decodeURIComponent(location.hash.slice(1)));
for(let d=e;d;d=d.parentElement)if(d.tagName==="DETAILS")d.open=true;if(e)e.scrollIntoView()};
addEventListener("hashchange",open);open();fit();addEventListener("resize",fit);
document.addEventListener("toggle",e=>e.target.open&&fit(),true);
let shut=[];addEventListener("beforeprint",()=>{shut=all("details:not([open])");shut.forEach(d=>d.open=true)});
addEventListener("afterprint",()=>shut.forEach(d=>d.open=false))})();
"""

_LONG: Final = re.compile(r"\S{13,}")
_PIECE: Final = re.compile(r"[^/.,:;_=&?#~-]{1,16}[/.,:;_=&?#~-]{0,8}|[/.,:;_=&?#~-]{1,8}")


@frozen
class Link:
    """A line of the contents: its words, the id that it leads to, and how deep it stands, from 1."""

    text: str
    id: str
    level: int = 1


def document(title: str, links: Iterable[Link], body: str) -> str:
    """A whole HTML document.

    Args:
        title: its name, as text.
        links: its contents, in order.
        body: what stands in `main`, as HTML.
    """
    return _PAGE.format(
        title=html(title), style=STYLE, style_digest=_digest(STYLE), script=SCRIPT, script_digest=_digest(SCRIPT),
        nav=_nav(links), body=body,
    )  # fmt: skip


def broken(text: str) -> str:
    """The text, escaped; words too long for a narrow column may break at their signs, or anywhere if they have none."""
    made, end = [], 0
    for word in _LONG.finditer(text):
        made += [html(text[end : word.start()]), "<wbr>".join(map(html, _PIECE.findall(word[0])))]
        end = word.end()
    return "".join([*made, html(text[end:])])


def region(label: str, table: str, *, wide: bool = False, attributes: str = "") -> str:
    """A table in a named region that scrolls by itself where it is too wide.

    Args:
        label: its name, as text.
        table: the rows with their head, as HTML without the `table` element.
        wide: printed smaller.
        attributes: further ones of the region, as HTML.
    """
    return f"{region_open(label, wide=wide, attributes=attributes)}{table}{REGION_CLOSE}"


def region_open(label: str, *, wide: bool = False, attributes: str = "") -> str:
    """The beginning of `region`, up to the table's content."""
    named = html(label)
    look = "table wide" if wide else "table"
    extra = f" {attributes}" if attributes else ""
    return (
        f'<div class="{look}" role="region" tabindex="0" aria-label="{named}"{extra}>\n<table aria-label="{named}">\n'
    )


REGION_CLOSE: Final = "</table>\n</div>\n"


def _nav(links: Iterable[Link]) -> str:
    """The contents as nested lists of links."""
    lines, depth = [], 0
    for each in links:
        while depth > each.level:
            lines.append("</li></ul>")
            depth -= 1
        if depth < each.level:
            lines.append("<ul>")
            depth += 1
        else:
            lines.append("</li>")
        lines.append(f'<li><a href="#{html(each.id)}">{html(each.text)}</a>')
    if not lines:
        return ""
    inner = "\n".join(lines) + "</li></ul>" * depth
    return f'<nav id="sections" aria-label="Sections">\n{inner}\n</nav>'


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{style_digest}'; \
script-src 'sha256-{script_digest}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
{nav}
<main id="content" tabindex="-1">
{body}</main>
<script>{script}</script>
</body>
</html>
"""
