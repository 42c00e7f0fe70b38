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

/// Which requests predicates take, decided by cutting each field at the values that they name.
namespace tikc::requests {

/// One request as an example: names, and values as a predicate writes them, or `none` of a label.
using ExampleRequest = std::vector<std::pair<std::string, std::string>>;

enum class Decided : std::uint8_t { No, Unknown, Yes };

/// A set of requests of one Space. One that would take too long to know is not known, and nothing
/// is said of it.
class Region {
public:
  Decided isEmpty() const {
    return !isKnown_ ? Decided::Unknown : boxes_.empty() ? Decided::Yes : Decided::No;
  }

private:
  friend class Space;
  /// For each field the cells that it may lie in; never none.
  using Box = std::vector<llvm::BitVector>;

  std::vector<Box> boxes_; // which do not overlap
  bool isKnown_ = true;
};

class Space {
public:
  /// Of regions of these predicates, which have been typed. A label that is declared twice has the
  /// values of both.
  Space(std::span<const model::Label> labels, std::span<const model::Expr* const> predicates);
  ~Space();
  Space(Space&&) noexcept;

  Region all() const;
  Region of(const model::Expr& predicate) const;
  Region common(const Region& a, const Region& b) const;
  Region without(const Region& from, const Region& taken) const;

  /// A request of a region that is not empty: the fields that predicates ask for, the least of
  /// each.
  ExampleRequest example(const Region& region) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// `prompt_tokens 8192, task "math"`.
std::string print(const ExampleRequest& request);

} // namespace tikc::requests
