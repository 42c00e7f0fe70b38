#include "page/Section.h"

#include "support/Escape.h"

#include <fmt/format.h>

namespace tikc::page {

bool Portion::add(std::string_view block) {
  if (leftOut_ != 0 || text_.size() + block.size() > most_) {
    ++leftOut_;
    return false;
  }
  text_ += block;
  ++taken_;
  return true;
}

std::string sectionHtml(std::string_view id, std::string_view heading, std::string_view intro,
                        std::string_view inner) {
  return fmt::format(
      "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}{3}</section>\n", id,
      escape::html(heading), intro.empty() ? "" : fmt::format("<p>{}</p>\n", escape::html(intro)),
      inner);
}

std::string leftOutHtml(std::size_t count, std::string_view what, std::string_view where) {
  return count == 0
             ? std::string()
             : fmt::format("<p class=\"left-out\">And {} more {}, for which this page has no "
                           "room: {}.</p>\n",
                           count, what, where);
}

HtmlTable::HtmlTable(std::string_view caption, std::initializer_list<std::string_view> head,
                     std::size_t most)
    : caption_(escape::html(caption)), rows_(most) {
  for (std::string_view each : head)
    head_ += fmt::format("<th scope=\"col\">{}</th>", escape::html(each));
}

void HtmlTable::add(std::initializer_list<std::string> cells) {
  std::string row = "<tr>";
  bool isFirst = true;
  for (const std::string& each : cells) {
    row +=
        isFirst ? fmt::format("<th scope=\"row\">{}</th>", each) : fmt::format("<td>{}</td>", each);
    isFirst = false;
  }
  rows_.add(row + "</tr>\n");
}

std::string HtmlTable::html() const {
  // What is wider than a screen is scrolled, by keys, too.
  return fmt::format("<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">"
                     "<table>\n<caption>{0}</caption>\n<thead><tr>{1}</tr></thead>\n<tbody>\n{2}"
                     "</tbody>\n</table></div>\n",
                     caption_, head_, rows_.text());
}

} // namespace tikc::page
