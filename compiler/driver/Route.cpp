#include "driver/CommonOptions.h"
#include "driver/EvidenceFiles.h"
#include "driver/GateOptions.h"
#include "gate/Routing.h"
#include "measure/Measurement.h"
#include "support/Files.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace tikc::driver {
namespace {

/// Lines of a file or of standard input, each answered before the next is waited for.
class VerdictStream {
public:
  VerdictStream(const Invocation& invocation, gate::Routing& routing)
      : isJson_(invocation.get("--format") == "json"), routing_(routing) {}

  llvm::Error run(const std::string& path) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
        path == "-" ? stdin : std::fopen(path.c_str(), "re"), std::fclose);
    if (!file)
      return usageError(fmt::format("cannot read {}: {}", utf8::tickedPath(path),
                                    std::generic_category().message(errno)));
    std::string line;
    std::uint64_t number = 0;
    for (int each = std::fgetc(file.get());; each = std::fgetc(file.get())) {
      if (each != EOF && each != '\n') {
        if (line.size() <= gate::Routing::mostLine)
          line += static_cast<char>(each);
        continue;
      }
      ++number;
      if (line.find_first_not_of(" \t\r") != std::string::npos) {
        isEmpty_ = false;
        if (auto error = take(line, path, number))
          return error;
      }
      line.clear();
      if (each == EOF)
        break;
    }
    if (std::ferror(file.get()) != 0)
      return usageError(fmt::format("cannot read {}", utf8::tickedPath(path)));
    return llvm::Error::success();
  }

  bool isEmpty() const { return isEmpty_; }

  llvm::Error show(const gate::RouteEvent& each) const {
    return writeStandardOutput(isJson_ ? gate::routeJson(each) : gate::routeText(each));
  }

private:
  llvm::Error take(const std::string& line, const std::string& path, std::uint64_t number) {
    auto events = routing_.take(line);
    if (!events)
      return usageError(fmt::format("{}:{}: {}", path == "-" ? "<stdin>" : utf8::printable(path),
                                    number, llvm::toString(events.takeError())));
    for (const gate::RouteEvent& each : *events)
      if (auto error = show(each))
        return error;
    return llvm::Error::success();
  }

  bool isJson_, isEmpty_ = true;
  gate::Routing& routing_;
};

} // namespace

llvm::Expected<int> runRoute(const Invocation& invocation) {
  if (invocation.arguments.size() < 2)
    return missingArgument(invocation.command,
                           invocation.arguments.empty() ? "CONTRACT" : "VERDICTS");
  auto opened = OpenedContract::open(invocation, invocation.arguments.front(), "routed");
  if (!opened)
    return opened.takeError();
  const OpenedContract& contract = **opened;
  const plan::Plan& plan = contract->plan;
  if (plan.rules.empty())
    return usageError("the contract has no `escalation` rules to run");
  const std::vector<std::string> paths(invocation.arguments.begin() + 1,
                                       invocation.arguments.end());
  auto isEvidence = areEvidence(paths);
  if (!isEvidence)
    return isEvidence.takeError();
  const engine::LoadedPolicy policy(plan);
  gate::Routing routing(plan, policy);
  VerdictStream stream(invocation, routing);
  if (!*isEvidence) {
    for (const std::string& each : paths)
      if (auto error = stream.run(each))
        return error;
    if (stream.isEmpty())
      return usageError("no verdicts found; nothing was routed");
    return routing.isActive() ? Findings : Clean;
  }
  auto evidence = readEvidence(paths, false);
  if (!evidence)
    return evidence.takeError();
  if (evidence->pieces.empty())
    return usageError("the evidence has no observations; nothing was routed");
  const engine::LoadedPlan loaded(plan);
  const auto subject = stagedPlan(plan, loaded, {}, &*evidence);
  if (auto error = measure::whyNotJudged(evidence->shape, subject))
    return error;
  llvm::Error unwritten = llvm::Error::success();
  auto measured = measure::measure(subject, policy, *evidence, [&](const transition& each) {
    const gate::RouteEvent event = routing.event(each);
    if (!unwritten)
      unwritten = stream.show(event);
  });
  if (unwritten) {
    llvm::consumeError(measured.takeError());
    return unwritten;
  }
  if (!measured)
    return measured.takeError();
  return routing.isActive() ? Findings : Clean;
}

} // namespace tikc::driver
