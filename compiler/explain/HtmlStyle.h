#pragma once

#include <string_view>

namespace tikc::explain {

/// The style of the page around the pictures. It fetches nothing.
inline constexpr std::string_view pageStyle = R"(
:root { color-scheme: light dark; --text: #172033; --soft: #55617a; --back: #f6f8fb; --card: #ffffff; --edge: #dce2ec; --tint: #eef2f8; --link: #1d4fbf;
  --ok: #126b33; --ok-back: #e3f5e9; --no: #b91c1c; --no-back: #fdecec; --hm: #8a5208; --hm-back: #fcf0d6; }
@media (prefers-color-scheme: dark) {
:root { --text: #e6eaf2; --soft: #9aa6bd; --back: #0b0e14; --card: #11151d; --edge: #2a3242; --tint: #1a202b; --link: #84acff;
  --ok: #5fd08a; --ok-back: #12291c; --no: #f58e8e; --no-back: #321619; --hm: #efbe62; --hm-back: #2e2412; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .6rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .5rem; }
h1 small, h2 small { font-weight: 400; color: var(--soft); font-size: .75em; }
p { margin: .4rem 0; max-width: 46rem; }
.lead { font-size: 1.05rem; color: var(--soft); }
section { background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 1.5rem 1.75rem 1.75rem; margin: 1.75rem 0; }
code, .formula, .spot { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .86em; }
code { background: var(--tint); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
.spot, .where, .why, .fold, figcaption { color: var(--soft); }
.spot, .where { overflow-wrap: anywhere; }
.because { color: var(--soft); font-style: italic; }
.leaf .because { display: block; margin-top: .1rem; }
.wide, .chain { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8rem; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--edge); }
td { padding: .5rem .9rem .5rem 0; border-bottom: 1px solid var(--edge); vertical-align: baseline; }
td code { overflow-wrap: break-word; } /* a long name in the next cell does not break the code's words */
.mark { display: inline-block; border-radius: 999px; padding: .08rem .6rem; font-size: .78rem; font-weight: 600; vertical-align: middle; }
.mark.proved { color: var(--ok); background: var(--ok-back); }
.mark.refuted { color: var(--no); background: var(--no-back); }
.mark.unproved { color: var(--hm); background: var(--hm-back); }
figure { margin: 1rem 0; }
.chain svg { display: block; height: auto; min-width: var(--least); max-width: 100%; }
figcaption { font-size: .88rem; margin-bottom: .3rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 1rem 2rem; margin-top: 1rem; }
.plots figure { margin: 0; }
.plots svg { display: block; width: 100%; max-width: 540px; height: auto; }
.tree { font-size: .95rem; }
.tree details, .tree .leaf { border-left: 2px solid var(--edge); padding: .22rem 0 .22rem .9rem; margin-left: .3rem; }
.tree > details { border-left: 0; padding-left: 0; margin-left: 0; }
.tree summary { cursor: pointer; }
.tree a { white-space: nowrap; }
.tree .fact code { font-weight: 600; }
.tree .ground .fact code { background: #cfe2f855; }
.formula { color: var(--soft); margin: .15rem 0 .3rem 1.1rem; }
article .formula { color: var(--text); margin-left: 0; }
article:target, section:target { outline: 2px solid var(--link); outline-offset: 6px; border-radius: 6px; }
@media print { body { background: none; } section { break-inside: avoid; border: 0; padding: 0; } }
)";

} // namespace tikc::explain
