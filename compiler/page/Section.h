#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Divides the million bytes of a page among its parts.
namespace tikc::page {

/// The size of each part in bytes, without its markup.
namespace room {
inline constexpr std::size_t page = 1'000'000, lead = 10'000, leadRows = 30'000, list = 10'000,
                             matrix = 75'000, values = 85'000, names = 10'000, comparison = 30'000,
                             pictures = 70'000, offenders = 50'000, claims = 50'000,
                             assumptions = 30'000, rules = 15'000, provenance = 30'000,
                             diagnosis = 40'000, rest = 60'000;
inline constexpr std::size_t leads = 2,
                             groups = 6; // of blocks before the verdicts, and of picture groups
static_assert(leads * (lead + leadRows) + 2 * list + matrix + values + names + comparison +
                  groups * pictures + offenders + claims + assumptions + rules + provenance +
                  diagnosis + rest <=
              page);
} // namespace room

/// Collects blocks while they fit, and counts the rest.
class Portion {
public:
  explicit Portion(std::size_t most) : most_(most) {}

  /// Adds a block if it fits. After the first that does not, nothing is added, so only the end is
  /// missing.
  bool add(std::string_view block);
  std::size_t taken() const { return taken_; }
  std::size_t leftOut() const { return leftOut_; }
  const std::string& text() const { return text_; }

private:
  std::string text_;
  std::size_t most_, taken_ = 0, leftOut_ = 0;
};

/// Returns a section; its heading also labels it for screen readers.
std::string sectionHtml(std::string_view id, std::string_view heading, std::string_view intro,
                        std::string_view inner);
/// Returns "And 12 more rows, which `tikc measure --format=json` has."; empty for none.
std::string leftOutHtml(std::size_t count, std::string_view what, std::string_view where);

/// A table of HTML cells; the first of each row is its heading.
class HtmlTable {
public:
  HtmlTable(std::string_view caption, std::initializer_list<std::string_view> head,
            std::size_t most);

  void add(std::initializer_list<std::string> cells);
  bool isEmpty() const { return rows_.taken() == 0; }
  std::size_t leftOut() const { return rows_.leftOut(); }
  std::string html() const;

private:
  std::string head_, caption_;
  Portion rows_;
};

} // namespace tikc::page
