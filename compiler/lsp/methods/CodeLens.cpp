#include "ide/Grounds.h"
#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Params.h"

namespace tikc::lsp {
namespace {

json::Value lens(Convert& convert, const std::string& uri, const model::Contract& contract,
                 const model::Claim& claim, std::string title, const char* command) {
  json::Object argument{{"uri", uri}, {"contract", contract.name.value}, {"claim", claim.id.text}};
  return json::Object{{"range", convert.range(claim.id.span)},
                      {"command", json::Object{{"title", std::move(title)},
                                               {"command", command},
                                               {"arguments", json::Array{std::move(argument)}}}}};
}

} // namespace

llvm::Expected<json::Value> onCodeLens(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target || !session.configuration.lenses)
    return nullptr;
  const Analysis& analysis = *target->analysis;
  Convert convert(session, *analysis.sources);
  json::Array out;
  std::size_t claims = 0;
  for (const model::Contract& contract : analysis.checked.contracts)
    claims += contract.claims.size();
  out.reserve(3 * claims); // growing would copy every object
  for (const ide::Proven& proven : ide::provenOf(analysis)) {
    const model::Contract& contract = *proven.contract;
    for (std::size_t i = 0; i < contract.claims.size(); ++i) {
      auto outcome = ide::outcomeOf(proven, i);
      const model::Claim& claim = contract.claims[i];
      if (!outcome || claim.id.span.file != analysis.file)
        continue;
      out.push_back(
          lens(convert, analysis.uri, contract, claim, ide::outcomeText(*outcome), "tikc.explain"));
      out.push_back(lens(convert, analysis.uri, contract, claim, "explain", "tikc.explain"));
      out.push_back(lens(convert, analysis.uri, contract, claim, "solve", "tikc.solve"));
    }
  }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
