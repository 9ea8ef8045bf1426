#include "report/html_style.hpp"

// Colours of series are the palette of Okabe and Ito (2008), which people with colour blindness can tell
// apart.

namespace noctune {

const char* const html_style = R"css(
:root { color-scheme: light dark; --bg: #ffffff; --card: #f5f6f8; --ink: #1b1f24; --soft: #5a6472; --rule: #d5d9e0;
  --good: #007a55; --bad: #b3261e; --s1: #0072b2; --s2: #e69f00; --s3: #009e73; --s4: #cc79a7; --s5: #d55e00;
  --add: #e2f5e9; --del: #fde7e6; }
@media (prefers-color-scheme: dark) { :root { --bg: #14171b; --card: #1d2127; --ink: #e7eaee; --soft: #a2acb9;
  --rule: #39414c; --good: #4cc38a; --bad: #ff8b82; --s1: #56b4e9; --s2: #f0b93a; --s3: #2fc79a; --s4: #e39ac2;
  --s5: #ff8a4c; --add: #16341f; --del: #43201f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--bg); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.card { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
.card b { display: block; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
.charts { columns: 27rem; column-gap: 2rem; } .charts figure { break-inside: avoid; margin-bottom: 1.2rem; }
figure { margin: 0; } figcaption { font-size: .9rem; color: var(--soft); }
svg { width: 100%; height: auto; display: block; }
.scroll { overflow-x: auto; } .scroll > svg { min-width: 40rem; } td svg { min-width: 6rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--soft); font-weight: 600; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.w { min-width: 16rem; } .faster, .ok { color: var(--good); } .failed, .slower { color: var(--bad); }
details { border-bottom: 1px solid var(--rule); padding: .3rem 0; } summary { cursor: pointer; }
pre { overflow-x: auto; font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--card);
  padding: .6rem; border-radius: .4rem; margin: .5rem 0; }
pre span { display: block; min-height: 1.4em; } .add { background: var(--add); } .del { background: var(--del); }
.hunk { color: var(--soft); }
text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); } text.tick { fill: var(--soft); font-size: 11px; }
.axis { stroke: var(--soft); stroke-width: 1; } .grid { stroke: var(--rule); stroke-width: 1; }
.one { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 3; }
.f1 { fill: var(--s1); } .f2 { fill: var(--s2); } .f3 { fill: var(--s3); } .f4 { fill: var(--s4); } .f5 { fill: var(--s5); }
.idle { fill: var(--card); } .pale { fill: var(--soft); opacity: .45; } .bad { fill: var(--bad); }
.whisker { stroke: var(--ink); stroke-width: 1.4; }
.hollow { fill: var(--bg); stroke: var(--s1); stroke-width: 2; } .join { stroke: var(--s1); stroke-width: 1; }
polyline { fill: none; stroke: var(--soft); stroke-width: 1.2; } polyline.bold { stroke: var(--s1); stroke-width: 3; }
polyline.roof { stroke: var(--ink); stroke-width: 1.6; } polyline.thin { opacity: .6; }
.key { display: inline-block; width: .8em; height: .8em; border-radius: .15em; margin: 0 .3em 0 .8em; }
.k1 { background: var(--s1); } .k2 { background: var(--s2); } .k3 { background: var(--s3); } .k4 { background: var(--s4); }
.k5 { background: var(--s5); }
@media print { :root { color-scheme: light; --bg: #fff; --card: #f2f2f2; --ink: #000; --soft: #444; --rule: #bbb;
  --good: #005c3f; --bad: #8c1d18; --s1: #0072b2; --s2: #e69f00; --s3: #009e73; --s4: #cc79a7; --s5: #d55e00;
  --add: #e2f5e9; --del: #fde7e6; }
  body { max-width: none; font-size: 11px; padding: 0; } figure, tr, .card { break-inside: avoid; }
  .scroll { overflow: visible; } .scroll > svg { min-width: 0; } pre { white-space: pre-wrap; } * { print-color-adjust: exact; } }
)css";

}  // namespace noctune
