#pragma once

#include "verifier/Formula.h"

namespace verify {

/// A JSON text, read strictly: no key twice, no nesting beyond 32, no numbers but whole ones.
/// Whoever asks for what is not there, or is of another kind, rejects the certificate.
class Json {
public:
  static Json parse(std::string_view text);

  const std::string& text() const;
  /// A whole number below 10^9.
  std::int64_t count() const;
  /// "p/q" or "p", in a text.
  Number number() const;
  const std::vector<Json>& list() const;
  /// Of an object.
  const std::vector<Json>& values() const { return items_; }
  const Json* find(std::string_view key) const;
  const Json& operator[](std::string_view key) const;

private:
  friend class JsonReader;

  char kind_ = 0; // the first character, 0 of what is not quoted
  std::string text_;
  std::vector<std::string> keys_;
  std::vector<Json> items_;
};

std::string sha256(std::string_view bytes);

} // namespace verify
