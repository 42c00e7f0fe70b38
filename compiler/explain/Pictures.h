#pragma once

#include "explain/Explanation.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <span>
#include <utility>

/// Pictures for SVG and HTML.
namespace tikc::explain {

/// The content of an SVG element.
struct Picture {
  double width = 0, height = 0;
  std::string body;
};

/// Returns the observations of a clause, or for null of the claim, to be drawn apart from the
/// promise; empty if there are none.
using SeenOf = llvm::function_ref<std::string(const Ground*)>;

/// Draws a derivation from the clauses at the left to the claim at the right.
Picture drawChain(const Chapter& chapter, SeenOf observations = nullptr);

/// A curve over an axis that begins at 0, with marks.
struct Plot {
  struct Axis {
    std::string title;
    Notation notation;
  };
  struct Point {
    Rational x;
    std::optional<Rational> y; // empty at a gap of the curve
    bool isFree = false;       // any y is valid, however large
  };
  Axis across, up;
  std::vector<Point> points;
  std::string beyondLabel;       // of the upper edge, if the curve goes beyond it; may be empty
  std::optional<Rational> limit; // a horizontal line: the budget
  std::string limitLabel;
  std::optional<std::pair<Rational, Rational>> here; // the contract's point
  std::optional<Rational> most;                      // a vertical line: the largest valid value
  std::string mostLabel;
};
Picture drawPlot(const Plot& plot);
/// Returns the plot of the claim's bound over a clause's tolerance.
Plot plotOf(const Chapter& chapter, const Reach& reach);

/// Returns colours and fonts of the pictures, for light and dark surroundings.
std::string pictureStyle();
/// Returns an SVG element; screen readers read `described`.
std::string svgElement(const Picture& picture, std::string_view described,
                       std::string_view extra = {});

/// A picture with a heading.
struct Plate {
  std::string heading;
  Picture picture;
};
/// Returns an SVG file with plates one below the other.
std::string svgOf(std::span<const Plate> plates, std::string_view described);

} // namespace tikc::explain
