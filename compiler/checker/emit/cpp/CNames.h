#pragma once

#include "checker/plan/Plan.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::emit::cpp {

/// The single scope of C for all contracts of a file.
class CScope {
public:
  /// Returns a prefix for a contract. No other contract gets a name that is this prefix and one of
  /// the endings.
  std::string takePrefix(std::string_view contract, const std::vector<std::string>& endings);
  std::string take(const std::string& wanted);
  void block(const std::string& name) { taken_.insert(name); }

private:
  std::set<std::string> taken_;
};

/// Returns an identifier to be used with a prefix or a suffix, so that it cannot be a reserved
/// word.
std::string cWord(std::string_view name);
std::string upper(std::string_view name);

} // namespace tikc::emit::cpp
