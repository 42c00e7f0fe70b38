#pragma once

#include "explain/Explanation.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <span>
#include <utility>

/// What SVG and HTML draw.
namespace tikc::explain {

/// The inside of an SVG element.
struct Picture {
  double width = 0, height = 0;
  std::string body;
};

/// A line of what was observed, for the box of a clause or, of nothing, of the claim; it is set
/// apart from what is promised. Empty where there is none.
using SeenOf = llvm::function_ref<std::string(const Ground*)>;

/// From the clauses at the left to the claim at the right.
Picture drawChain(const Chapter& chapter, SeenOf seen = nullptr);

/// A curve over an axis from 0, with what a reader looks for on it.
struct Plot {
  struct Axis {
    std::string title;
    Notation notation;
  };
  struct Point {
    Rational x;
    std::optional<Rational> y; // nothing: the curve has a gap
    bool isFree = false;       // any y will do, however large
  };
  Axis across, up;
  std::vector<Point> points;
  std::string beyondLabel; // of the upper edge, where the curve runs above it; empty: left out
  std::optional<Rational> limit; // a level line: the budget
  std::string limitLabel;
  std::optional<std::pair<Rational, Rational>> here; // the contract's point
  std::optional<Rational> most;                      // a plumb line: the largest that is enough
  std::string mostLabel;
};
Picture drawPlot(const Plot& plot);
/// The claim's bound against a clause's tolerance.
Plot plotOf(const Chapter& chapter, const Reach& reach);

/// Colours and letters of the pictures, for light and for dark surroundings.
std::string pictureStyle();
/// An SVG element; `described` is read out in place of the picture.
std::string svgElement(const Picture& picture, std::string_view described,
                       std::string_view extra = {});

/// A picture with what stands above it.
struct Plate {
  std::string heading;
  Picture picture;
};
/// A file of its own: plates one below the other.
std::string svgOf(std::span<const Plate> plates, std::string_view described);

} // namespace tikc::explain
