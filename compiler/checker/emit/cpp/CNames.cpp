#include "checker/emit/cpp/CNames.h"

#include "checker/emit/cpp/Names.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::emit::cpp {

std::string CScope::takePrefix(std::string_view contract, const std::vector<std::string>& endings) {
  std::string wanted = cWord(contract), prefix = wanted;
  auto isFree = [&] {
    return upper(prefix) != "TIKC" && // what all contracts share
           std::none_of(endings.begin(), endings.end(), [&](const std::string& ending) {
             return taken_.count(prefix + "_" + ending) > 0;
           });
  };
  for (int i = 2; !isFree(); ++i)
    prefix = fmt::format("{}_{}", wanted, i);
  for (const std::string& ending : endings)
    taken_.insert(prefix + "_" + ending);
  return prefix;
}

std::string CScope::take(const std::string& wanted) {
  std::string free = wanted;
  for (int i = 2; !taken_.insert(free).second; ++i)
    free = fmt::format("{}_{}", wanted, i);
  return free;
}

std::string cWord(std::string_view name) {
  std::string out = identifier(name);
  while (out.back() == '_')
    out.pop_back();
  return out;
}

std::string upper(std::string_view name) {
  return llvm::StringRef(name.data(), name.size()).upper();
}

} // namespace tikc::emit::cpp
