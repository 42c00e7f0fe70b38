#pragma once

#include "plan/Plan.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::emit::cpp {

/// The one scope that C has for all contracts of a file.
class CScope {
public:
  /// No other contract, whatever it is called, has a name that is the prefix and one of the
  /// endings.
  std::string takePrefix(std::string_view contract, const std::vector<std::string>& endings);
  std::string take(const std::string& wanted);
  void block(const std::string& name) { taken_.insert(name); }

private:
  std::set<std::string> taken_;
};

/// As an identifier that something else comes before or after, so that no word is reserved.
std::string cWord(std::string_view name);
std::string upper(std::string_view name);

} // namespace tikc::emit::cpp
