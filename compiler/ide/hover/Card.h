#pragma once

#include <string>
#include <string_view>

namespace tikc::ide {

/// A short text about one thing, as Markdown or plain text. Authors' texts go through `quoted` and
/// `code`; texts of the tables are trusted, and may contain backticks.
class Card {
public:
  explicit Card(bool isMarkdown) : isMarkdown_(isMarkdown) {}

  /// Adds the subject: `tv`, a metric of a row.
  Card& title(std::string_view name, std::string_view rest);
  /// Adds a text of the tables.
  Card& text(std::string_view words);
  /// Adds an author's text.
  Card& quoted(std::string_view words);
  Card& item(std::string_view words);
  /// Adds an expression.
  Card& code(std::string_view words);
  /// Adds lines in a fixed-width font.
  Card& block(std::string_view lines);

  bool isEmpty() const { return out_.empty(); }
  const std::string& take() const { return out_; }

  /// Returns an escaped text in backticks; the two forms differ only by Markdown's escapes.
  std::string ticked(std::string_view words) const;
  /// Returns an author's text, escaped for use within a text.
  std::string escaped(std::string_view words) const;

private:
  void begin(bool isItem);

  bool isMarkdown_;
  bool lastIsItem_ = false;
  std::string out_;
};

} // namespace tikc::ide
