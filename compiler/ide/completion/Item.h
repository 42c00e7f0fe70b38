#pragma once

#include "ide/completion/Context.h"
#include "yaml/FitFixes.h"

#include <string>
#include <vector>

namespace tikc::ide {

/// A part of an inserted text: fixed text, or a gap for the user to fill.
struct Piece {
  std::string text; // for a gap: its initial text
  bool isGap = false;
  std::vector<std::string> choices{}; // for a gap; the first is its initial text
};
inline Piece gap(std::string text = {}) { return {std::move(text), true}; }

/// The icon of an item in lists.
enum class ItemKind : std::uint8_t {
  Function,
  Field,
  Property,
  Unit,
  Value,
  Keyword,
  Snippet,
  File,
  Reference,
  EnumMember,
  Constant,
  Event,
  Operator
};

struct CompletionItem {
  std::string label;
  ItemKind kind = ItemKind::Value;
  std::string detail{};        // a few words: a unit, a type
  std::string documentation{}; // Markdown
  std::vector<Piece> pieces{}; // in the scalar's decoded text; the label if empty
  unsigned group = 0;          // lower groups come first
  std::string typed{};         // the text that is matched; empty for the inserted text
  bool isYaml = false;         // brackets and commas of the pieces are YAML syntax
};

/// The word at the cursor, and how to write its replacement.
class WordSlot {
public:
  /// `word` is an offset in the scalar's decoded text. `end` is the end of the word in the file, at
  /// or after the cursor.
  WordSlot(const CursorContext& context, std::size_t word);

  const CursorContext& context() const { return context_; }
  std::string_view word() const { return word_; }
  /// Returns the next character on the line after the word and spaces; 0 if there is none.
  char next() const { return next_; }
  /// Whether the word begins with a quote of the expression whose closing quote exists.
  bool hasClosingQuote() const { return hasClosingQuote_; }
  /// Extends the word to the end of the scalar or its line, for values that fill the scalar.
  void takeWhole();

  struct Insertion {
    std::string text;
    bool isSnippet = false;
    bool quotesBefore = false; // the scalar needs quotes
  };
  /// Returns nothing if the item cannot be written there.
  std::optional<Insertion> write(const CompletionItem& item, bool withSnippets) const;
  /// Returns plain text as it must be written in the file.
  std::string encoded(std::string_view text) const {
    return yaml::escaped(context_.scalar.style, text);
  }

  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }

private:
  static std::string snippetOf(const Piece& piece, yaml::Style style, int& number);
  bool wantsQuotes(const std::vector<Piece>& pieces) const;

  const CursorContext& context_;
  std::string_view word_;
  std::uint32_t begin_, end_;
  bool isAtBegin_;
  bool hasClosingQuote_ = false;
  char next_ = '\0';
};

} // namespace tikc::ide
