#pragma once

#include "bounds/facts/Evaluate.h"
#include "bounds/facts/Lemma.h"

#include <string_view>
#include <vector>

/// Lemmas as tests ask them.
namespace tikc::bounds::test {

/// How many binary places: as many as the prover begins with,
constexpr unsigned manyBits = 256;
/// or fewer, where searches ask so often that it takes a while, and doubles are what the answers
/// are held to.
constexpr unsigned fewBits = 128;

inline Real valueOf(std::string_view id, const std::vector<NamedValue>& inputs) {
  return llvm::cantFail(evaluate(*findLemma(id), inputs, manyBits));
}

inline bool applies(std::string_view id, const std::vector<NamedValue>& inputs) {
  auto value = evaluate(*findLemma(id), inputs, manyBits);
  if (value)
    return true;
  llvm::consumeError(value.takeError());
  return false;
}

} // namespace tikc::bounds::test
