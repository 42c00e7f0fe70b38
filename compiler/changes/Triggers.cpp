#include "changes/Triggers.h"

#include "model/Meaning.h"

#include <algorithm>
#include <map>

namespace tikc::changes {

using model::Expr;

namespace {

constexpr std::size_t mostStates = 8; // of which every combination is looked at

bool isState(const Expr& expr) {
  return expr.kind != Expr::Kind::Not && expr.kind != Expr::Kind::And &&
         expr.kind != Expr::Kind::Or;
}

/// A state that lasts for one window is the state.
const Expr& stateOf(const Expr& expr) {
  bool isOfOne = expr.kind == Expr::Kind::For && expr.arguments.size() == 2 &&
                 expr.arguments[1].quantity.scaled() == 1;
  return isOfOne ? expr.arguments[0] : expr;
}
std::string wordOf(const Expr& state) { return model::print(model::canonical(stateOf(state))); }

/// The states of triggers, each by its number in their order.
class States {
public:
  void add(const Expr& trigger) {
    if (isState(trigger))
      states_.emplace(wordOf(trigger), model::canonical(stateOf(trigger)));
    else
      for (const Expr& part : trigger.arguments)
        add(part);
  }

  bool areFew() const { return states_.size() <= mostStates; }
  std::size_t size() const { return states_.size(); }
  std::size_t combinations() const { return std::size_t{1} << states_.size(); }
  const Expr& at(std::size_t number) const {
    return std::next(states_.begin(), static_cast<std::ptrdiff_t>(number))->second;
  }

  /// Where the states are true whose bits are set.
  bool isTrue(const Expr& trigger, std::size_t bits) const {
    auto part = [&](const Expr& each) { return isTrue(each, bits); };
    if (trigger.kind == Expr::Kind::Not)
      return !part(trigger.arguments[0]);
    if (trigger.kind == Expr::Kind::And)
      return std::all_of(trigger.arguments.begin(), trigger.arguments.end(), part);
    if (trigger.kind == Expr::Kind::Or)
      return std::any_of(trigger.arguments.begin(), trigger.arguments.end(), part);
    return (bits >> std::distance(states_.begin(), states_.find(wordOf(trigger))) & 1) != 0;
  }

  /// Whether it matters to a trigger.
  bool matters(const Expr& trigger, std::size_t number) const {
    for (std::size_t bits = 0; bits < combinations(); ++bits)
      if (isTrue(trigger, bits) != isTrue(trigger, bits ^ (std::size_t{1} << number)))
        return true;
    return false;
  }

private:
  std::map<std::string, Expr> states_;
};

Expr made(Expr::Kind kind, std::vector<Expr> parts) {
  Expr out;
  out.kind = kind;
  out.arguments = std::move(parts);
  return out;
}
Expr joined(Expr::Kind kind, std::vector<Expr> parts) {
  return parts.size() == 1 ? std::move(parts.front()) : made(kind, std::move(parts));
}

/// "violated(a) and not violated(b)" of a combination, without those states that matter nothing.
Expr combination(const States& states, const std::vector<std::size_t>& numbers, std::size_t bits) {
  std::vector<Expr> parts;
  parts.reserve(numbers.size());
  for (std::size_t number : numbers)
    parts.push_back((bits >> number & 1) != 0 ? states.at(number)
                                              : made(Expr::Kind::Not, {states.at(number)}));
  return joined(Expr::Kind::And, std::move(parts));
}

} // namespace

Expr normalTrigger(const Expr& trigger) {
  States states;
  states.add(trigger);
  if (!states.areFew())
    return model::canonical(trigger);
  std::vector<std::size_t> numbers;
  std::size_t others = 0;
  for (std::size_t number = 0; number < states.size(); ++number)
    if (states.matters(trigger, number))
      numbers.push_back(number);
    else
      others |= std::size_t{1} << number;
  std::vector<Expr> parts;
  for (std::size_t bits = 0; bits < states.combinations(); ++bits)
    if ((bits & others) == 0 && states.isTrue(trigger, bits))
      parts.push_back(combination(states, numbers, bits));
  // What is always true or never has no states to be made of.
  return numbers.empty() ? model::canonical(trigger) : joined(Expr::Kind::Or, std::move(parts));
}

} // namespace tikc::changes
