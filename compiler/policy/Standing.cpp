#include "policy/Standing.h"

#include <fmt/format.h>

namespace tikc::policy {

std::string_view name(WindowVerdict shown) {
  static constexpr std::string_view names[] = {"undecided", "satisfied", "violated", "unasked"};
  return names[static_cast<std::size_t>(shown)];
}

Standing Course::at(std::uint32_t clause, std::size_t tick) const {
  auto found = clauses.find(clause);
  return found != clauses.end() && tick < found->second.size() ? found->second[tick] : Standing{};
}

std::string print(const std::vector<Standing>& sequence) {
  std::string out;
  for (std::size_t i = 0, next = 0; i < sequence.size(); i = next) {
    // A kept verdict says nothing of what it is, so what is kept stands together whatever it is.
    auto isSame = [&](const Standing& other) {
      return sequence[i].isKept ? other.isKept : other == sequence[i];
    };
    for (next = i; next < sequence.size() && isSame(sequence[next]);)
      ++next;
    out += fmt::format("{}{}{}", out.empty() ? "" : " ",
                       sequence[i].isKept ? "kept" : name(sequence[i].verdict),
                       next - i > 1 ? fmt::format("*{}", next - i) : "");
  }
  return out;
}

} // namespace tikc::policy
