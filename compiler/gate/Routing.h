#pragma once

#include "checker/engine/LoadedTally.h"
#include "checker/plan/Plan.h"

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Runs a contract's rules on a stream of verdicts, and explains their actions.
namespace tikc::gate {

/// A rule that started, stepped, ended or was reset on a slice.
struct RouteEvent {
  std::uint64_t tick = 0; // from 1
  std::string rule, slice;
  std::string_view what; // "starts", "steps", "ends", "is reset"
  std::optional<std::pair<std::string, std::string_view>> cause; // a clause and its verdict
  std::vector<std::string> actions;                              // of the rule from now on
  std::string traffic; // on the slice from now on; "usual" without a policy
  std::string because; // of the rule
};

/// Returns "tick 3, math: drift starts, as gap is violated: alert(rl); traffic: route(safe,
/// probe=0.01)".
std::string routeText(const RouteEvent& event);
/// Returns the event as one line of JSON.
std::string routeJson(const RouteEvent& event);

class Routing {
public:
  Routing(const plan::Plan& plan, const engine::LoadedPolicy& policy);

  /// Takes one line of JSON, a tick or a reset. Fails if it is not valid.
  llvm::Expected<std::vector<RouteEvent>> take(std::string_view line);
  /// Returns the event for a transition of rules that run elsewhere.
  RouteEvent event(const transition& change);
  /// Whether any rule is active.
  bool isActive() const { return !active_.empty(); }

  static constexpr std::size_t mostLine = std::size_t{1} << 20;

private:
  llvm::Expected<std::vector<RouteEvent>> tick(const llvm::json::Object& verdicts);
  llvm::Expected<std::vector<RouteEvent>> reset(std::string_view rule, std::string_view slice);
  std::vector<RouteEvent> events();
  std::optional<std::size_t> clauseNamed(std::string_view name) const;
  std::optional<std::size_t> sliceNamed(std::string_view name) const;

  const plan::Plan& plan_;
  const engine::LoadedPolicy& policy_;
  engine::LoadedRouter router_;
  std::uint64_t ticks_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> active_; // step by slice and rule
};

} // namespace tikc::gate
