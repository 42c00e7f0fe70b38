#include "explain/Formats.h"
#include "explain/Pictures.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::explain {
namespace {

constexpr double margin = 24;

std::string headingOf(const Chapter& chapter) {
  std::string place = whereText(chapter);
  return fmt::format("{}{}{}: {}", chapter.claim, place.empty() ? "" : " ", place,
                     verdictText(chapter));
}

} // namespace

std::string svgElement(const Picture& picture, std::string_view described, std::string_view extra) {
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{}\" "
                     "width=\"{:.0f}\" height=\"{:.0f}\" "
                     "viewBox=\"0 0 {:.0f} {:.0f}\">{}\n{}</svg>\n",
                     escape::html(described), std::ceil(picture.width), std::ceil(picture.height),
                     std::ceil(picture.width), std::ceil(picture.height), extra, picture.body);
}

std::string svgOf(std::span<const Plate> plates, std::string_view described) {
  Picture all;
  double y = margin;
  for (const Plate& plate : plates) {
    constexpr double letter = 9; // of the heading, at most
    all.body +=
        fmt::format("<text class=\"heading\" x=\"{0}\" y=\"{1:.1f}\">{2}</text>\n<g "
                    "transform=\"translate({0} {3:.1f})\">\n{4}</g>\n",
                    margin, y + 14, escape::html(plate.heading), y + 32, plate.picture.body);
    all.width = std::max(
        {all.width, plate.picture.width, static_cast<double>(plate.heading.size()) * letter});
    y += 32 + plate.picture.height + 2 * margin;
  }
  all.width += 2 * margin;
  all.height = y;
  // Style sheets of SVG are XML: no letter of this one needs an escape.
  std::string extra = fmt::format("<title>{}</title>\n<style>{}</style>\n<rect class=\"paper\" "
                                  "width=\"100%\" height=\"100%\"/>",
                                  escape::html(described), pictureStyle());
  return svgElement(all, described, extra);
}

std::string svgImage(std::span<const Explanation> explanations) {
  std::vector<Plate> plates;
  for (const Explanation& explanation : explanations)
    for (const Chapter& chapter : explanation.chapters)
      plates.push_back({headingOf(chapter), drawChain(chapter)});
  return svgOf(plates, explanations.empty()
                           ? "claims"
                           : "the claims of " + escape::oneLine(explanations.front().contract));
}

} // namespace tikc::explain
