#pragma once

#include <string>

namespace tikc::tests {

/// What keeps the lint rules quiet about clauses that a test is not about.
inline std::string observed() {
  return "observability:\n"
         "  rows: sample(logits, 1%)\n"
         "  tokens: sample(logprobs, 100%)\n"
         "  requests: sample(requests, 100%)\n"
         "escalation:\n"
         "  rest: { when: violated(any), do: hold, until: satisfied(any) }\n"
         "  silent: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }\n";
}

} // namespace tikc::tests
