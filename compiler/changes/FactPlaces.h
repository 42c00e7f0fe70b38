#pragma once

#include "model/Contract.h"

#include <map>
#include <string>

namespace tikc::changes {

/// Where the facts of a contract stand, by their paths or the beginnings of these.
class FactPlaces {
public:
  explicit FactPlaces(const model::Contract& contract);

  /// Of the nearest path that is known; invalid where none is.
  Span at(std::string path) const;

private:
  void add(const std::string& path, const auto& optional) {
    if (optional)
      places_.emplace(path, optional->span);
  }
  void addAssumptions(const model::Assumptions& given);
  void addPolicy(const model::Contract& contract);

  std::map<std::string, Span> places_;
};

} // namespace tikc::changes
