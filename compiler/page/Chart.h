#pragma once

#include "explain/Axes.h"
#include "explain/Pictures.h"
#include "measure/Rows.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the pictures of a page are drawn with.
namespace tikc::page {

/// A scale of numbers, by their logarithm where they spread over powers of ten.
class Ruler {
public:
  /// Holds all that is given, with some air; what is no number, or none at all, is passed over.
  static Ruler around(std::vector<double> values, double from, double to);
  /// Ends that are given.
  Ruler(double low, double high, double from, double to) : scale_{low, high, from, to} {}

  double at(double value) const;
  bool holds(double value) const;
  std::vector<double> ticks() const;

private:
  explain::Scale scale_;
  bool isOfPowers_ = false;
};

/// So many kinds of line can be told apart, by colour and by dashes.
inline constexpr std::size_t lineKinds = 6;

/// Elements of a picture, one after the other.
class Canvas {
public:
  void text(double x, double y, std::string_view style, std::string_view text);
  void line(double x1, double y1, double x2, double y2, std::string_view style);
  /// One path for what is connected; what is no number parts it.
  void path(const std::vector<std::pair<double, double>>& points, std::string_view style);
  /// The area between two lines over the same x.
  void band(const std::vector<std::pair<double, double>>& upper,
            const std::vector<std::pair<double, double>>& lower, std::string_view style);
  /// A circle where it is satisfied, a diamond where violated, a ring where undecided.
  void mark(double x, double y, verdict is, std::string_view title);
  explain::Picture take(double width, double height);

private:
  std::string out_;
};

/// Letters of the pictures' texts take about so much each.
inline constexpr double letter = 6.7;

/// Colours and dashes beside those of derivations.
std::string chartStyle();

} // namespace tikc::page
