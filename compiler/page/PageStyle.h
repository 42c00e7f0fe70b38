#pragma once

#include <string_view>

namespace tikc::page {

/// The style of pages, in addition to that of derivations, which has colours and fonts. It loads
/// nothing.
inline constexpr std::string_view reportStyle = R"(
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); border: 2px solid var(--link); border-radius: 6px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.mark { white-space: nowrap; }
.mark.satisfied { color: var(--ok); background: var(--ok-back); }
.mark.violated { color: var(--no); background: var(--no-back); }
.mark.undecided { color: var(--hm); background: var(--hm-back); }
.outcome { font-size: 1.25rem; margin: .8rem 0; }
.outcome .mark { font-size: 1.15rem; padding: .2rem .9rem; margin-right: .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; margin: 1.2rem 0 0; padding: 0; font-size: .93rem; }
.caution { border-left: 4px solid var(--hm); padding: .3rem .9rem; background: var(--hm-back); margin: 1rem 0; }
.caution ul { margin: .2rem 0; padding-left: 1.2rem; }
.facts { color: var(--soft); list-style: none; padding: 0; margin: .6rem 0; font-size: .95rem; overflow-wrap: anywhere; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.wide { position: relative; }
tbody th { color: var(--text); font-size: inherit; font-weight: 600; padding: .5rem .9rem .5rem 0; vertical-align: baseline; overflow-wrap: anywhere; min-width: 9rem; }
tbody th code { font-weight: 400; background: none; padding: 0; color: var(--soft); }
tbody th small { font-weight: 400; color: var(--soft); }
td { overflow-wrap: break-word; }
.amount { white-space: nowrap; }
.matrix td { border-left: 1px solid var(--edge); padding-left: .8rem; min-width: 7.5rem; }
.matrix .value { font-size: .88rem; color: var(--soft); }
.matrix .unasked { color: var(--soft); font-size: .85rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 1.5rem 2.5rem; margin-top: 1.2rem; }
.panels.broad { grid-template-columns: minmax(0, 1fr); }
.panels figure { margin: 0; min-width: 0; }
.panels figcaption { color: var(--text); font-weight: 600; font-size: .93rem; overflow-wrap: anywhere; margin-bottom: .5rem; }
.panels figcaption small { display: block; font-weight: 400; color: var(--soft); }
.panels svg { display: block; width: 100%; max-width: 560px; height: auto; overflow: visible; }
.panels .chain { overflow-x: auto; margin: 0; }
.panels .chain svg { width: auto; max-width: 100%; min-width: var(--least); }
.panels details { margin-top: .4rem; font-size: .9rem; }
.panels summary { cursor: pointer; color: var(--link); }
.left-out { color: var(--soft); font-style: italic; }
dl div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .2rem 1.2rem; padding: .35rem 0; border-bottom: 1px solid var(--edge); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
footer { color: var(--soft); font-size: .88rem; }
@media (max-width: 40rem) {
section { padding: 1.1rem 1rem; margin: 1.1rem 0; border-radius: 8px; }
main { padding: 1.5rem .75rem 3rem; }
dl div { grid-template-columns: 1fr; gap: 0; }
}
@media print {
:root { color-scheme: light; }
body { font-size: 10pt; }
nav, .skip, .panels details { display: none; }
main { max-width: none; padding: 0; }
section { margin: .8rem 0; break-inside: auto; }
h2 { break-after: avoid; }
figure, tr, .caution { break-inside: avoid; }
.wide { overflow: visible; }
.panels { grid-template-columns: 1fr 1fr; }
table { font-size: .8rem; }
td, tbody th { min-width: 0; padding-right: .5rem; }
.matrix td { min-width: 0; }
}
)";

} // namespace tikc::page
