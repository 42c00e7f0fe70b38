#pragma once

namespace tikc::policy {

/// Returns the answer for a key, computed on first use.
template <typename Answers, typename Key, typename Ask>
auto& remembered(Answers& answers, const Key& key, Ask ask) {
  auto found = answers.find(key);
  return found != answers.end() ? found->second : answers.emplace(key, ask()).first->second;
}

} // namespace tikc::policy
