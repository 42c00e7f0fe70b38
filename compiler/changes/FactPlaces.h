#pragma once

#include "model/Contract.h"

#include <map>
#include <string>

namespace tikc::changes {

/// The places of a contract's facts, by their paths or prefixes of them.
class FactPlaces {
public:
  explicit FactPlaces(const model::Contract& contract);

  /// Returns the place of the longest known prefix; invalid if there is none.
  Span at(std::string path) const;

private:
  template <typename Map> void addMembers(const std::string& prefix, const Map& map);

  std::map<std::string, Span> places_;
};

} // namespace tikc::changes
