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
    "executed": "good",
    "covered": "good",
    "contradicted": "bad",
    "unexecuted": "unsure",
    "uncovered": "unsure",
    "publish the contract": "good",
}
"""What a closed vocabulary's word looks like; a word that is not here stays plain."""

ROW: Final = 38
"""Height of a table row in pixels; the row's button beside it has the same."""

STYLES: Final = """
.evr{font-size:13px;line-height:1.45;color:var(--jp-content-font-color1,#1f2328);font-family:var(--jp-ui-font-family,sans-serif)}
.evr-title{font-size:15px;font-weight:600;margin:2px 0 6px}
.evr-muted{color:var(--jp-content-font-color2,#57606a)}
.evr-code{font-family:var(--jp-code-font-family,monospace);font-size:12px}
.evr-hidden{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.evr-badge{display:inline-block;padding:0 8px;border-radius:9px;border:1px solid transparent;font-size:12px;
line-height:18px;font-weight:600;white-space:nowrap}
.evr-bad{background:#ffebe9;color:#8c1d18;border-color:#f1b8b4}
.evr-good{background:#dff5e3;color:#0f5323;border-color:#a9d9b5}
.evr-unsure{background:#fff4d2;color:#6b4a00;border-color:#e5cf8d}
.evr-plain{background:#eef1f4;color:#3b434b;border-color:#d3d9df}
.evr-grid{width:100%;table-layout:fixed;border-collapse:collapse;margin:0}
.evr table.evr-grid td,.evr table.evr-grid th{height:38px;box-sizing:border-box;
padding:0 8px;text-align:left;vertical-align:middle;
overflow:hidden;text-overflow:ellipsis;white-space:nowrap;border:0;
border-bottom:1px solid var(--jp-border-color2,#e0e4e8);font-weight:400}
.evr-two{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;white-space:normal;
overflow-wrap:anywhere;line-height:16px}
.evr table.evr-grid td.evr-word{text-overflow:clip;padding-right:0}
.evr table.evr-grid tr{height:38px;background:none}
.evr table.evr-grid tbody tr:hover{background:var(--jp-layout-color2,#f3f5f7)}
.evr table.evr-grid tr.evr-open{background:#e8f1fd;color:#10243e}
.evr table.evr-grid.evr-wrap td,.evr table.evr-grid.evr-wrap th{height:auto;white-space:normal;overflow-wrap:anywhere;
padding:5px 8px;vertical-align:top}
.evr table.evr-grid thead th{font-weight:600;border-bottom:1px solid var(--jp-border-color1,#b9c1c9)}
.evr-grid caption{text-align:left;font-weight:600;padding:0 0 4px;caption-side:top}
.evr-sort button,.evr-sort.jupyter-button{background:none;text-align:left;font-weight:600;padding:0 8px;
border-bottom:1px solid var(--jp-border-color1,#b9c1c9);overflow:hidden;text-overflow:ellipsis}
.evr-row.jupyter-button{background:none;text-align:left;padding:0 8px;
font-family:var(--jp-code-font-family,monospace);font-size:12px;color:var(--jp-content-link-color,#0550ae);
border-bottom:1px solid var(--jp-border-color2,#e0e4e8)}
.evr-row.evr-open.jupyter-button{background:#e8f1fd;color:#0550ae;font-weight:600}
.evr-row.jupyter-button:hover{text-decoration:underline}
.evr-row.jupyter-button:focus-visible,.evr-sort.jupyter-button:focus-visible{outline:2px solid #0969da;
outline-offset:-2px}
.evr-card{border:1px solid var(--jp-border-color2,#d8dee4);border-radius:6px;padding:12px 14px;margin:8px 0}
.evr-card h4{margin:0 0 8px;font-size:14px;font-weight:600}
.evr-card h5{margin:12px 0 4px;font-size:12px;font-weight:600;color:var(--jp-content-font-color2,#57606a)}
.evr-card dl{display:grid;grid-template-columns:170px 1fr;gap:3px 12px;margin:6px 0}
.evr .evr-card dl dt{float:none;width:auto;margin:0;font-weight:400;color:var(--jp-content-font-color2,#57606a)}
.evr .evr-card dl dd{float:none;width:auto;margin:0;overflow-wrap:anywhere}
.evr-sides{display:grid;grid-template-columns:1fr 1fr;gap:12px;margin:10px 0 2px}
.evr-form{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;padding:8px 10px;border-radius:4px;max-height:420px;
overflow:auto;background:var(--jp-layout-color2,#f6f8fa);color:inherit;border:1px solid var(--jp-border-color2,#e0e4e8)}
.evr-form del{background:#ffd8d3;color:#6e120d;text-decoration:line-through}
.evr-form ins{background:#c9efd1;color:#0b4019;text-decoration:none;border-bottom:2px solid #3c8f55}
.evr-sides.evr-three{grid-template-columns:repeat(3,minmax(0,1fr))}
.evr-sides.evr-four{grid-template-columns:repeat(auto-fit,minmax(180px,1fr))}
.evr-none{background:none;color:inherit;border-color:transparent}
.evr-quote{margin:8px 0 0}
.evr-quote figcaption{font-size:12px;margin:0 0 2px}
.evr-quote pre{max-height:220px}
.evr-wide{overflow-x:auto}
.evr table.evr-matrix{border-collapse:separate;border-spacing:2px;margin:0}
.evr table.evr-matrix td,.evr table.evr-matrix th{text-align:left;padding:3px 4px;white-space:nowrap;
vertical-align:middle}
.evr table.evr-matrix thead th{white-space:normal;vertical-align:bottom;font-weight:600}
.evr-mark{padding:0 3px;border-radius:3px;text-decoration:none;
font-family:var(--jp-code-font-family,monospace);font-size:12px}
.evr-head{font-weight:600;font-size:10.5px;letter-spacing:-.015em;line-height:1.25;padding:0 2px;overflow-wrap:anywhere}
.evr-name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.evr-square.jupyter-button{font-family:var(--jp-code-font-family,monospace);font-size:12px;color:#1f2328;
text-align-last:justify;padding:0 calc(16.6% - 1ch);
border-radius:4px;background:linear-gradient(90deg,var(--evr-a,#f6f8fa) 33.3%,var(--evr-b,#f6f8fa) 33.3% 66.6%,
var(--evr-c,#f6f8fa) 66.6%)}
.evr-square.evr-differs.jupyter-button{padding:0 calc(11% - 1ch);background:linear-gradient(90deg,
var(--evr-a,#f6f8fa) 26%,var(--evr-b,#f6f8fa) 26% 53%,var(--evr-c,#f6f8fa) 53% 80%,#ffd9d5 80%)}
.evr-square.jupyter-button:focus-visible,.evr-square.evr-open.jupyter-button{outline:2px solid #0969da;outline-offset:0}
.evr-in-C-good{--evr-a:#dff5e3}
.evr-in-C-plain{--evr-a:#e8ecf0}
.evr-in-C-none{--evr-a:#f6f8fa}
.evr-in-C-unsure{--evr-a:#fff4d2}
.evr-in-C-bad{--evr-a:#ffd9d5}
.evr-in-I-good{--evr-b:#dff5e3}
.evr-in-I-plain{--evr-b:#e8ecf0}
.evr-in-I-none{--evr-b:#f6f8fa}
.evr-in-I-unsure{--evr-b:#fff4d2}
.evr-in-I-bad{--evr-b:#ffd9d5}
.evr-in-T-good{--evr-c:#dff5e3}
.evr-in-T-plain{--evr-c:#e8ecf0}
.evr-in-T-none{--evr-c:#f6f8fa}
.evr-in-T-unsure{--evr-c:#fff4d2}
.evr-in-T-bad{--evr-c:#ffd9d5}
.evr-steps{display:flex;flex-wrap:wrap;gap:4px;list-style:none;margin:4px 0 8px;padding:0}
.evr ul.evr-steps li{list-style:none}
.evr-steps li{flex:1 1 92px;min-width:92px;padding:4px 8px;border-radius:4px;border:1px solid transparent;
font-size:12px;line-height:1.35;margin:0}
.evr-steps b{display:block;font-weight:600}
.evr-now{outline:2px solid #0969da;outline-offset:-1px}
.evr-list{margin:4px 0 8px;padding-left:18px;overflow-wrap:anywhere}
.evr-fold{margin:4px 0}
.evr-fold summary{cursor:pointer;padding:4px 0}
.evr-page{max-width:1180px}
.evr-page table{border-collapse:collapse;margin:8px 0;display:block;overflow-x:auto;font-size:12px}
.evr-page td,.evr-page th{border:1px solid var(--jp-border-color2,#d8dee4);padding:4px 8px;text-align:left;
vertical-align:top}
"""
