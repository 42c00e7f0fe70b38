#pragma once

#include "verifier/Number.h"

#include <string>
#include <utility>
#include <vector>

namespace verify {

/// Why a certificate is not accepted, in words.
struct Rejected {
  std::string why;
};

/// A number as a certificate writes it: "p/q" or "p".
Rational parseRational(std::string_view text);

/// A JSON text, read strictly: no duplicate keys, no nesting beyond 64. Whoever asks for a member
/// that is not there, or for another kind of value, rejects the certificate.
class Json {
public:
  static Json parse(std::string_view text);

  bool isNull() const { return kind_ == Kind::Null; }
  const std::string& text() const;
  /// A whole number from 0 to 10^9.
  std::int64_t count() const;
  Rational rational() const { return parseRational(text()); }
  const std::vector<Json>& list() const;
  /// Its members, in order; rejects what is not an object.
  const std::vector<std::pair<std::string, Json>>& members() const;
  const Json* find(std::string_view key) const;
  const Json& operator[](std::string_view key) const;

private:
  enum class Kind { Null, Boolean, Number, Text, List, Object };
  friend class JsonReader;

  Kind kind_ = Kind::Null;
  std::string text_;
  std::vector<Json> items_;
  std::vector<std::pair<std::string, Json>> members_;
};

std::string sha256(std::string_view bytes);

} // namespace verify
