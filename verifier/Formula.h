#pragma once

#include "verifier/Number.h"

#include <optional>
#include <string>

namespace verify {

bool isDigit(char c);
bool isDigits(std::string_view text);
bool isNameCharacter(char c);
/// Removes and returns the text before a separator, and removes the separator.
std::string_view take(std::string_view& text, std::string_view separator);
/// Returns whether the text contains the word.
bool isOneOf(std::string_view text, std::string_view word);

/// Iterates over names, numbers and signs; the empty token is the end.
class Tokens {
public:
  explicit Tokens(std::string_view text) : rest_(text) { next(); }

  bool is(std::string_view word) const { return token_ == word; }
  bool isOneOf(std::string_view words) const { return verify::isOneOf(words, token_); }
  std::string_view current() const { return token_; }
  bool take(std::string_view word);
  void expect(std::string_view word);
  bool isNumber() const { return !token_.empty() && (isDigit(token_[0]) || token_[0] == '.'); }
  std::string name();
  Number number();
  std::string any();
  /// Returns the text from here to a later copy.
  std::string textTo(const Tokens& later) const;

private:
  void next();

  std::string_view rest_, token_;
};

/// A value, or nothing if hypotheses do not hold.
using Value = std::optional<Number>;

/// Evaluates a formula of the arguments, which are named a, b, c and so on, with an optional
/// condition after "if".
Value evaluate(std::string_view formula, const std::vector<Number>& arguments);

/// Returns "level side domain" of a quantity; empty for an unknown name. Facts bound it from above,
/// a share also by 1, or from below.
std::string kindOf(std::string_view quantity);
bool isLower(std::string_view quantity);

/// Returns the row of a lemma after its id, or of a function; empty for an unknown name.
std::string lemmaRow(std::string_view id);
std::string functionRow(std::string_view name);
/// Removes and returns a row of a table: a line, joined with the indented lines after it.
std::string nextRow(std::string_view& table);
/// Returns the text after a name and ": " in its row.
std::string rowOf(std::string_view table, std::string_view name);

} // namespace verify
