#include "gate/Routing.h"

#include "support/Json.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::gate {
namespace {

/// Far more than a line of verdicts has.
constexpr int mostDepth = 8;

/// The parser of JSON calls itself.
bool isShallow(std::string_view text) {
  int depth = 0;
  for (char each : text) {
    depth += each == '{' || each == '[' ? 1 : each == '}' || each == ']' ? -1 : 0;
    if (depth > mostDepth)
      return false;
  }
  return true;
}

/// Returns how many keys a text of JSON has: each is followed by a colon.
std::size_t keysIn(std::string_view text) {
  std::size_t out = 0;
  bool isInText = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      isInText = !isInText;
    else if (isInText && text[i] == '\\')
      ++i;
    out += !isInText && text[i] == ':';
  }
  return out;
}

/// Returns how many keys a value has. Of equal keys, the parser keeps one.
std::size_t keysIn(const llvm::json::Value& value) {
  std::size_t out = 0;
  if (const llvm::json::Object* object = value.getAsObject())
    for (const auto& [key, member] : *object)
      out += 1 + keysIn(member);
  if (const llvm::json::Array* list = value.getAsArray())
    for (const llvm::json::Value& each : *list)
      out += keysIn(each);
  return out;
}

std::optional<standing> standingOf(std::string_view word) {
  constexpr std::string_view prefix = "kept ";
  const bool isKept = word.starts_with(prefix);
  if (isKept)
    word.remove_prefix(prefix.size());
  for (verdict each : {verdict::undecided, verdict::satisfied, verdict::violated, verdict::unasked})
    if (word == name(each))
      return standing(each, isKept);
  return std::nullopt;
}

std::string actionText(const action& deed) {
  std::vector<std::string> arguments;
  if (deed.text != nullptr && *deed.text != '\0')
    arguments.emplace_back(deed.text);
  for (double each : {deed.first, deed.second})
    if (each != 0)
      arguments.push_back((deed.kind == action_kind::route ? "probe=" : "") +
                          fmt::format("{}", each));
  return arguments.empty() ? std::string(name(deed.kind))
                           : fmt::format("{}({})", name(deed.kind), fmt::join(arguments, ", "));
}

std::string_view wordOf(change what) {
  constexpr std::string_view words[] = {"starts", "steps", "ends", "is reset"};
  return words[static_cast<std::size_t>(what)];
}

std::string_view textOf(const llvm::json::Value* value) {
  const auto text = value == nullptr ? std::nullopt : value->getAsString();
  return text ? std::string_view(text->data(), text->size()) : std::string_view();
}

} // namespace

std::string routeText(const RouteEvent& event) {
  std::string out =
      fmt::format("tick {}, {}: {} {}", event.tick, event.slice, event.rule, event.what);
  if (event.cause)
    out += fmt::format(", as {} is {}", event.cause->first, event.cause->second);
  if (!event.actions.empty())
    out += fmt::format(": {}", fmt::join(event.actions, ", "));
  return utf8::printable(out + "; traffic: " + event.traffic) + "\n";
}

std::string routeJson(const RouteEvent& event) {
  return writeJson(
      [&](llvm::json::OStream& json) {
        json.object([&] {
          json.attribute("format", "tikc-route/v1");
          json.attribute("tick", static_cast<std::int64_t>(event.tick));
          jsonText(json, "slice", event.slice);
          jsonText(json, "rule", event.rule);
          jsonText(json, "change", event.what);
          if (event.cause)
            json.attributeObject("cause", [&] {
              jsonText(json, "clause", event.cause->first);
              jsonText(json, "verdict", event.cause->second);
            });
          jsonTexts(json, "actions", event.actions);
          jsonText(json, "traffic", event.traffic);
          jsonText(json, "because", event.because);
        });
      },
      JsonLayout::OneLine);
}

Routing::Routing(const plan::Plan& plan, const engine::LoadedPolicy& policy)
    : plan_(plan), policy_(policy), router_(policy) {}

std::optional<std::size_t> Routing::clauseNamed(std::string_view name) const {
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    if (plan_.clauses[i].id == name)
      return i;
  return std::nullopt;
}

std::optional<std::size_t> Routing::sliceNamed(std::string_view name) const {
  for (std::size_t i = 0; i < plan_.slices.size(); ++i)
    if (plan_.slices[i].name == name)
      return i;
  return std::nullopt;
}

llvm::Expected<std::vector<RouteEvent>> Routing::take(std::string_view line) {
  if (line.size() > mostLine)
    return usageError("it is longer than 1 MiB");
  if (!isShallow(line))
    return usageError("it is nested too deep for verdicts");
  auto parsed = llvm::json::parse(llvm::StringRef(line.data(), line.size()));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return usageError("it is not JSON");
  }
  if (keysIn(line) != keysIn(*parsed))
    return usageError("an object of it has a key twice");
  const llvm::json::Object* object = parsed->getAsObject();
  const bool isTick = object != nullptr && object->getObject("verdicts") != nullptr;
  const bool isReset = object != nullptr && object->getString("reset").has_value();
  if (isTick == isReset)
    return usageError("expected either `verdicts`, an object by clause, or `reset`, a rule");
  if (isTick)
    return tick(*object->getObject("verdicts"));
  return reset(textOf(object->get("reset")), textOf(object->get("slice")));
}

llvm::Expected<std::vector<RouteEvent>> Routing::tick(const llvm::json::Object& verdicts) {
  // What is not told is not known, and no pass.
  engine::LoadedPolicy::standings now(policy_.clauses, policy_.slices);
  for (std::size_t clause = 0; clause < policy_.clauses; ++clause)
    for (std::size_t slice = 0; slice < policy_.slices; ++slice)
      now[clause][slice] = policy_.applies[clause][slice] ? verdict::undecided : verdict::unasked;
  auto set = [&](std::size_t clause, std::size_t slice, std::string_view word) -> llvm::Error {
    const auto standing = standingOf(word);
    if (!standing)
      return usageError(fmt::format("{} is not a verdict; expected satisfied, violated, undecided "
                                    "or unasked, with `kept` before it if no window ended",
                                    utf8::ticked(std::string(word))));
    if (policy_.applies[clause][slice])
      now[clause][slice] = *standing;
    return llvm::Error::success();
  };
  for (const auto& [key, value] : verdicts) {
    const std::string name = llvm::StringRef(key).str();
    const auto clause = clauseNamed(name);
    if (!clause)
      return usageError(fmt::format("the contract has no clause {}", utf8::ticked(name)));
    if (const llvm::json::Object* bySlice = value.getAsObject()) {
      for (const auto& [sliceKey, word] : *bySlice) {
        const std::string sliceName = llvm::StringRef(sliceKey).str();
        const auto slice = sliceNamed(sliceName);
        if (!slice)
          return usageError(fmt::format("the contract has no slice {}", utf8::ticked(sliceName)));
        if (auto error = set(*clause, *slice, textOf(&word)))
          return error;
      }
      continue;
    }
    for (std::size_t slice = 0; slice < policy_.slices; ++slice)
      if (auto error = set(*clause, slice, textOf(&value)))
        return error;
  }
  ++ticks_;
  router_.tick(now, 0);
  return events();
}

llvm::Expected<std::vector<RouteEvent>> Routing::reset(std::string_view rule,
                                                       std::string_view slice) {
  std::optional<std::size_t> which;
  for (std::size_t i = 0; i < plan_.rules.size(); ++i)
    if (plan_.rules[i].id == rule)
      which = i;
  if (!which)
    return usageError(fmt::format("the contract has no rule {}", utf8::ticked(std::string(rule))));
  const auto one = sliceNamed(slice);
  if (!one && !slice.empty())
    return usageError(
        fmt::format("the contract has no slice {}", utf8::ticked(std::string(slice))));
  std::vector<RouteEvent> out;
  for (std::size_t i = 0; i < policy_.slices; ++i) {
    if ((one && *one != i) || !router_.is_active(*which, i))
      continue;
    router_.reset(*which, i);
    for (RouteEvent& each : events())
      out.push_back(std::move(each));
  }
  return out;
}

std::vector<RouteEvent> Routing::events() {
  std::vector<RouteEvent> out;
  for (const transition& each : router_)
    out.push_back(event(each));
  return out;
}

RouteEvent Routing::event(const transition& move) {
  const tikc::rule& rule = policy_.rules[move.rule];
  const std::pair<std::size_t, std::size_t> key(move.slice, move.rule);
  const bool goesOn = move.what == change::activated || move.what == change::stepped;
  if (goesOn)
    active_[key] = move.step;
  else
    active_.erase(key);
  RouteEvent out;
  out.tick = move.tick;
  out.rule = plan_.rules[move.rule].id;
  out.because = plan_.rules[move.rule].because;
  out.slice = plan_.slices[move.slice].name;
  out.what = wordOf(move.what);
  if (move.clause >= 0)
    out.cause.emplace(plan_.clauses[static_cast<std::size_t>(move.clause)].id, name(move.seen));
  auto actionsOf = [&](const tikc::rule& by, std::size_t step, auto&& visit) {
    const tikc::step& at = policy_.steps[by.first_step + step];
    for (std::size_t i = 0; i < at.actions; ++i)
      visit(policy_.actions[at.first_action + i]);
  };
  if (goesOn)
    actionsOf(rule, move.step,
              [&](const action& each) { out.actions.push_back(actionText(each)); });
  const action* strongest = nullptr;
  for (auto at = active_.lower_bound({move.slice, 0}); at != active_.end(); ++at) {
    if (at->first.first != move.slice)
      break;
    actionsOf(policy_.rules[at->first.second], at->second, [&](const action& each) {
      if (each.kind >= action_kind::correct &&
          (strongest == nullptr || strongest->kind < each.kind))
        strongest = &each;
    });
  }
  out.traffic = strongest == nullptr ? "usual" : actionText(*strongest);
  return out;
}

} // namespace tikc::gate
