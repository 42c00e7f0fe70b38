#include "ide/Claims.h"
#include "ide/Since.h"
#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {
namespace {

json::Value lens(json::Value range, const std::string& title, const char* command,
                 json::Object argument) {
  return json::Object{{"range", std::move(range)},
                      {"command", json::Object{{"title", title},
                                               {"command", command},
                                               {"arguments", json::Array{std::move(argument)}}}}};
}

json::Value lensesOf(Session& session, const Analysis& analysis,
                     const std::vector<ide::VersionLens>& versions) {
  Convert convert(session, *analysis.sources);
  std::vector<ide::Lens> lenses = ide::lensesIn(analysis);
  json::Array out;
  out.reserve(versions.size() + 3 * lenses.size()); // growing would copy every object
  for (const ide::VersionLens& each : versions)
    out.push_back(lens(convert.range(each.span), each.need, "tikc.diff",
                       json::Object{{"uri", analysis.uri}, {"contract", each.contract}}));
  for (const ide::Lens& each : lenses)
    for (const auto& [title, command] : {std::pair(each.outcome, "tikc.explain"),
                                         {"explain", "tikc.explain"},
                                         {"solve", "tikc.solve"}})
      out.push_back(lens(
          convert.range(each.span), title, command,
          json::Object{{"uri", analysis.uri}, {"contract", each.contract}, {"claim", each.claim}}));
  return out;
}

llvm::Expected<Task> beginLenses(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target || !session.configuration.lenses)
    return answer(nullptr);
  auto analysis = target->analysis;
  auto committed = committedOf(session, target->document->uri);
  if (!committed)
    return answer(lensesOf(session, *analysis, {}));
  return byCrew(session, [analysis, committed]() -> Reply {
    auto versions = ide::versionLensesIn(*analysis, ide::changesSince(*committed, *analysis));
    return [analysis, versions](Session& then) -> llvm::Expected<json::Value> {
      return lensesOf(then, *analysis, versions);
    };
  });
}

} // namespace

Task onCodeLens(Session&, const json::Object& params) { return onceChecked(params, beginLenses); }

} // namespace tikc::lsp
