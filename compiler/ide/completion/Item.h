#pragma once

#include "ide/completion/Context.h"
#include "syntax/FitFixes.h"

#include <string>
#include <vector>

namespace tikc::ide {

/// A piece of what an item puts in: text, or a gap that is filled in afterwards.
struct Piece {
  std::string text; // of a gap: what stands in it at first
  bool isGap = false;
  std::vector<std::string> choices{}; // of a gap, the first of them standing in it
};
inline Piece gap(std::string text = {}) { return {std::move(text), true}; }

/// What lists of items show one as.
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
  std::string detail{};        // in a few words: a unit, a type
  std::string documentation{}; // Markdown
  std::vector<Piece> pieces{}; // in the scalar's decoded text; the label where there are none
  unsigned group = 0;          // those of a lower one come first
  std::string typed{};         // what finds it; empty where that is the text
  bool isYaml = false;         // brackets and commas of the pieces are YAML's
};

/// The word at the cursor, and how what takes its place is to be written there.
class WordSlot {
public:
  /// The word begins at an offset of the scalar's decoded text. `end` is that of the word in the
  /// file, at or behind the cursor.
  WordSlot(const CursorContext& context, std::size_t word);

  const CursorContext& context() const { return context_; }
  std::string_view word() const { return word_; }
  /// The first character behind the word and blanks that is on its line; 0 where none is.
  char next() const { return next_; }
  /// The word begins with a quote of the expression, and its closing one is there already.
  bool hasClosingQuote() const { return hasClosingQuote_; }
  /// The word goes to the end of the scalar, or its line: the value of the whole scalar.
  void takeWhole();

  struct Written {
    std::string text;
    bool isSnippet = false;
    bool quotesBefore = false; // the scalar is put in quotes
  };
  /// Nothing where it cannot be written there.
  std::optional<Written> write(const CompletionItem& item, bool withSnippets) const;
  /// Plain text as it stands in the file.
  std::string encoded(std::string_view text) const {
    return syntax::escaped(context_.scalar.style, text);
  }

  std::uint32_t begin() const { return begin_; }
  std::uint32_t end() const { return end_; }

private:
  static std::string snippetOf(const Piece& piece, syntax::Style style, int& number);
  bool wantsQuotes(const std::vector<Piece>& pieces) const;

  const CursorContext& context_;
  std::string_view word_;
  std::uint32_t begin_, end_;
  bool isAtBegin_;
  bool hasClosingQuote_ = false;
  char next_ = '\0';
};

} // namespace tikc::ide
