#pragma once

#include <string>
#include <string_view>

namespace tikc::ide {

/// A short text about one thing, as Markdown or as plain text. What an author wrote goes through
/// `quoted` and `code`; the tables' own words, which may have backticks, go as they are.
class Card {
public:
  explicit Card(bool isMarkdown) : isMarkdown_(isMarkdown) {}

  /// What it is about: `tv`, a metric of a row.
  Card& title(std::string_view name, std::string_view rest);
  /// The tables' words.
  Card& text(std::string_view words);
  /// An author's words.
  Card& quoted(std::string_view words);
  Card& item(std::string_view words);
  /// An expression.
  Card& code(std::string_view words);
  /// Lines that keep their columns.
  Card& block(std::string_view lines);

  bool isEmpty() const { return out_.empty(); }
  const std::string& take() const { return out_; }

  /// In backticks, made harmless; the same in both forms but for what Markdown needs.
  std::string ticked(std::string_view words) const;
  /// What an author wrote, within a text.
  std::string escaped(std::string_view words) const;

private:
  void begin(bool isItem);

  bool isMarkdown_;
  bool lastIsItem_ = false;
  std::string out_;
};

} // namespace tikc::ide
