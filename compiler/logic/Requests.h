#pragma once

#include "model/Contract.h"

#include <llvm/ADT/BitVector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Decides which requests predicates match, by cutting each field at the values that they name.
namespace tikc::logic {

/// An example request: names and values as a predicate writes them, or `none` for a label.
using ExampleRequest = std::vector<std::pair<std::string, std::string>>;

enum class Decided : std::uint8_t { No, Unknown, Yes };

/// A set of requests of one Space. A region that would take too long to compute is unknown, and no
/// finding depends on it.
class Region {
public:
  Decided isEmpty() const {
    return !isKnown_ ? Decided::Unknown : boxes_.empty() ? Decided::Yes : Decided::No;
  }

private:
  friend class Space;
  /// The cells of each field; never empty.
  using Box = std::vector<llvm::BitVector>;

  std::vector<Box> boxes_; // disjoint
  bool isKnown_ = true;
};

class Space {
public:
  /// A space for regions of these predicates, which must be typed. A label that is declared twice
  /// has the values of both declarations.
  Space(std::span<const model::Label> labels, std::span<const model::Expr* const> predicates);
  ~Space();
  Space(Space&&) noexcept;

  Region all() const;
  Region of(const model::Expr& predicate) const;
  Region common(const Region& a, const Region& b) const;
  Region without(const Region& from, const Region& taken) const;

  /// Returns a request of a region that is not empty: the fields that predicates use, each with the
  /// least value.
  ExampleRequest example(const Region& region) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Formats a request: `prompt_tokens 8192, task "math"`.
std::string print(const ExampleRequest& request);

} // namespace tikc::logic
