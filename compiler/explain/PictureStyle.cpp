#include "explain/Pictures.h"

namespace tikc::explain {
namespace {

constexpr std::string_view shapes = R"(
svg text { font: 12px ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
svg .strong, svg .word { font-weight: 600; }
svg .faint, svg .tick, svg .title { font-size: 11px; }
svg .heading { font: 600 15px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
svg .seen { font-style: italic; }
svg .end { text-anchor: end; }
svg .middle { text-anchor: middle; }
svg .proved rect, svg .refuted rect, svg .unproved rect { stroke-width: 1.5; }
svg .wire, svg .axis, svg .grid, svg .curve, svg .limit, svg .most { fill: none; }
svg .box.label rect { fill: none; stroke: none; }
svg .wire { stroke-width: 1.25; }
svg .curve { stroke-width: 2; stroke-linejoin: round; }
svg .beyond { stroke-dasharray: 5 4; }
svg .limit { stroke-width: 1.5; stroke-dasharray: 6 4; }
svg .most { stroke-width: 1.5; stroke-dasharray: 2 3; }
svg .here { stroke-width: 1.5; }
)";

/// A rule of one colour, which is another in the dark. Viewers that know neither variables nor
/// media queries still get the light ones.
struct Colour {
  std::string_view rule; // up to the colour
  std::string_view light, dark;
};
constexpr Colour colours[] = {
    {"svg text { fill", "#172033", "#e6eaf2"},
    {"svg .plain, svg .faint, svg .tick { fill", "#55617a", "#9aa6bd"},
    {"svg .paper { fill", "#ffffff", "#11151d"},
    {"svg .box rect { fill", "#ffffff", "#1a202b"},
    {"svg .box rect { stroke", "#cbd3e1", "#3c475c"},
    {"svg .ground rect { fill", "#edf3fb", "#172638"},
    {"svg .ground rect { stroke", "#9db2d3", "#3d5878"},
    {"svg .proved rect { fill", "#e8f7ed", "#12291c"},
    {"svg .proved rect { stroke", "#15803d", "#5fd08a"},
    {"svg .proved .word { fill", "#15803d", "#5fd08a"},
    {"svg .refuted rect { fill", "#fdecec", "#321619"},
    {"svg .refuted rect { stroke", "#b91c1c", "#f58e8e"},
    {"svg .refuted .word { fill", "#b91c1c", "#f58e8e"},
    {"svg .unproved rect { fill", "#fdf3dc", "#2e2412"},
    {"svg .unproved rect { stroke", "#92580a", "#efbe62"},
    {"svg .unproved .word { fill", "#92580a", "#efbe62"},
    {"svg .wire, svg .axis { stroke", "#7b88a1", "#72809b"},
    {"svg .head { fill", "#7b88a1", "#72809b"},
    {"svg .grid { stroke", "#e5e9f1", "#28303f"},
    {"svg .curve { stroke", "#2456c4", "#84acff"},
    {"svg .limit { stroke", "#b91c1c", "#f58e8e"},
    {"svg .most { stroke", "#15803d", "#5fd08a"},
    {"svg .seen { fill", "#6d28d9", "#c4a7ff"},
    {"svg .here { fill", "#2456c4", "#84acff"},
    {"svg .here { stroke", "#ffffff", "#11151d"},
};

std::string rules(std::string_view Colour::*colour) {
  std::string out;
  for (const Colour& row : colours)
    out.append(row.rule).append(": ").append(row.*colour).append("; }\n");
  return out;
}

} // namespace

std::string pictureStyle() {
  return std::string(shapes) + rules(&Colour::light) + "@media (prefers-color-scheme: dark) {\n" +
         rules(&Colour::dark) + "}\n";
}

} // namespace tikc::explain
