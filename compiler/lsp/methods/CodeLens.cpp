#include "ide/Claims.h"
#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onCodeLens(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target || !session.configuration.lenses)
    return nullptr;
  const Analysis& analysis = *target->analysis;
  Convert convert(session, *analysis.sources);
  std::vector<ide::Lens> lenses = ide::lensesIn(analysis);
  json::Array out;
  out.reserve(3 * lenses.size()); // growing would copy every object
  for (const ide::Lens& lens : lenses)
    for (const auto& [title, command] : {std::pair(lens.outcome, "tikc.explain"),
                                         {"explain", "tikc.explain"},
                                         {"solve", "tikc.solve"}}) {
      json::Object argument{
          {"uri", analysis.uri}, {"contract", lens.contract}, {"claim", lens.claim}};
      out.push_back(
          json::Object{{"range", convert.range(lens.span)},
                       {"command", json::Object{{"title", title},
                                                {"command", command},
                                                {"arguments", json::Array{std::move(argument)}}}}});
    }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
