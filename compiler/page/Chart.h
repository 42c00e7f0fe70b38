#pragma once

#include "explain/Axes.h"
#include "explain/Pictures.h"
#include "measure/Rows.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Draws the pictures of a page.
namespace tikc::page {

/// A scale of numbers; logarithmic if they spread over powers of ten.
class Ruler {
public:
  /// Returns a scale that contains all values, with margins. Ignores values that are not finite.
  static Ruler around(std::vector<double> values, double from, double to);
  /// A scale with the given ends.
  Ruler(double low, double high, double from, double to) : scale_{low, high, from, to} {}

  double at(double value) const;
  bool holds(double value) const;
  std::vector<double> ticks() const;

private:
  explain::Scale scale_;
  bool isOfPowers_ = false;
};

/// The number of line styles that are distinguishable by colour and dashes.
inline constexpr std::size_t lineKinds = 6;

/// The elements of a picture, in order.
class Canvas {
public:
  void text(double x, double y, std::string_view style, std::string_view text);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// Draws a path; NaN separates its parts.
  void path(const std::vector<std::pair<double, double>>& points, std::string_view style);
  /// Fills the area between two lines over the same x.
  void band(const std::vector<std::pair<double, double>>& upper,
            const std::vector<std::pair<double, double>>& lower, std::string_view style);
  /// Draws a circle if satisfied, a diamond if violated, a ring if undecided.
  void mark(double x, double y, verdict value, std::string_view title);
  /// Draws a horizontal scale below rows, with its ticks and its unit.
  void scaleBelow(const Ruler& ruler, std::pair<double, double> across, double top, double bottom,
                  std::string_view unit);
  explain::Picture take(double width, double height);

private:
  std::string out_;
};

/// The approximate width of a letter in a picture.
inline constexpr double letter = 6.7;

/// Returns the colours and dashes of charts, in addition to those of derivations.
std::string chartStyle();

} // namespace tikc::page
