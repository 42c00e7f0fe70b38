#pragma once

#include "property/Parsed.h"

#include <string>
#include <vector>

namespace tikc::tests {

/// The text of a contract whose clauses, c0 and on, require these; claims instead, where it says
/// so.
inline std::string textOf(const std::vector<std::string>& requirements, bool areClaims = false) {
  std::string out = "tikc: v1\ncontract: test\nversion: 1.0.0\nkernels:\n  trainer: { engine: a }\n"
                    "  rollout: { engine: b }\npair: { train: trainer, infer: rollout }\n";
  out += areClaims ? "claims:\n" : "statistical:\n";
  for (std::size_t i = 0; i < requirements.size(); ++i)
    out += "  c" + std::to_string(i) + ": '" + requirements[i] + "'\n";
  return out;
}

/// The one bound of each requirement; it is in the wrong section maybe, which changes no meaning.
class Requirements {
public:
  explicit Requirements(const std::vector<std::string>& texts, bool areClaims = false)
      : parsed_(textOf(texts, areClaims)) {
    if (areClaims)
      gather(parsed_.contract().claims);
    else
      gather(parsed_.contract().clauses);
  }

  const model::Bound& operator[](std::size_t i) const { return bounds_.at(i); }
  std::size_t size() const { return bounds_.size(); }

private:
  void gather(const auto& statements) {
    for (const auto& each : statements)
      bounds_.insert(bounds_.end(), each.bounds.begin(), each.bounds.end());
  }

  Parsed parsed_;
  std::vector<model::Bound> bounds_;
};

} // namespace tikc::tests
