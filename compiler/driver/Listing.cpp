#include "driver/Listing.h"

#include "checker/emit/Emit.h"
#include "pipeline/CheckedFiles.h"
#include "pipeline/Verdicts.h"
#include "support/Columns.h"
#include "support/Json.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace tikc::driver {
namespace {

using Statement = ListedContract::Statement;

std::string linkOf(const model::Statement& statement) {
  return statement.link ? print(*statement.link) : "";
}

ListedContract listed(const model::Contract& contract, const std::optional<bounds::Proof>& proof) {
  ListedContract out;
  out.name = contract.name.value;
  out.version = contract.version ? contract.version->value : "";
  out.summary = contract.summary ? contract.summary->value : "";
  out.isDraft = contract.draft.has_value();
  out.isAbstract = contract.isAbstract;
  for (const auto& owner : contract.owners)
    out.owners.push_back(owner.value);
  for (const model::Kernel& kernel : contract.kernels)
    out.kernels.push_back(kernel.name.text);
  for (const model::Slice& slice : contract.slices)
    out.slices.push_back(slice.name.text);
  for (const model::Rule& rule : contract.rules)
    out.rules.push_back(rule.id.text);
  for (const model::Stage& stage : contract.stages)
    out.stages.emplace_back(stageName(stage.kind));
  for (const model::Clause& clause : contract.clauses)
    out.clauses.push_back({clause.id.text,
                           clause.directive ? print(clause.directive->expr) : print(clause.written),
                           linkOf(clause),
                           familyName(clause.family),
                           {}});
  for (const model::Claim& claim : contract.claims)
    out.claims.push_back({claim.id.text, print(claim.written), linkOf(claim), {}, {}});
  if (proof)
    for (const auto& [claim, verdict] : pipeline::worstVerdicts(*proof))
      out.claims[claim].verdict = bounds::verdictName(verdict);
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  return utf8::printable(fmt::format("{}", fmt::join(names, ", ")));
}

std::string stateOf(const ListedContract& contract) {
  return contract.isFaulty     ? "faulty"
         : contract.isAbstract ? "abstract"
         : contract.isDraft    ? "draft"
                               : "whole";
}

/// "2 proved, 1 unproved".
std::string verdictsText(const std::vector<Statement>& claims) {
  std::map<std::string_view, std::size_t> counts;
  for (const Statement& claim : claims)
    ++counts[claim.verdict.empty() ? "not decided" : claim.verdict];
  std::string out;
  for (const auto& [verdict, count] : counts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, verdict);
  return out.empty() ? "none" : out;
}

std::string fingerprintText(const ListedContract& contract) {
  return contract.fingerprint ? fmt::format("{:#018x}", *contract.fingerprint) : "";
}

/// The keys of one contract, in their order.
class ListWriter : JsonFields {
public:
  explicit ListWriter(llvm::json::OStream& json) : JsonFields(json) {}

  void contract(const ListedContract& row) {
    json_.object([&] {
      text("file", row.file);
      text("contract", row.name);
      text("version", row.version);
      text("summary", row.summary);
      json_.attribute("draft", row.isDraft);
      json_.attribute("abstract", row.isAbstract);
      json_.attribute("faulty", row.isFaulty);
      text("fingerprint", fingerprintText(row));
      texts("owners", row.owners);
      texts("kernels", row.kernels);
      texts("slices", row.slices);
      statements("clauses", row.clauses);
      statements("claims", row.claims);
      texts("rules", row.rules);
      texts("stages", row.stages);
    });
  }

private:
  void statements(llvm::StringRef key, const std::vector<Statement>& rows) {
    json_.attributeArray(key, [&] {
      for (const Statement& row : rows)
        json_.object([&] {
          text("name", row.name);
          text("says", row.says);
          if (!row.link.empty())
            text("link", row.link);
          if (!row.family.empty())
            text("family", row.family);
          else
            text("verdict", row.verdict.empty() ? "undecided" : row.verdict);
        });
    });
  }
};

} // namespace

std::vector<ListedContract> listedOf(const std::string& file,
                                     const pipeline::CheckedFile& checked) {
  std::vector<ListedContract> out;
  bool isFaulty = pipeline::isFaulty(checked);
  for (std::size_t i = 0; i < checked.contracts.size(); ++i) {
    out.push_back(listed(checked.contracts[i], checked.proofs[i]));
    out.back().file = file;
    out.back().isFaulty = isFaulty;
  }
  if (isFaulty)
    return out;
  auto contract = out.begin();
  for (const plan::Plan& plan : pipeline::plansOf(checked)) {
    while (contract->isAbstract)
      ++contract;
    if (!emit::whyNotCpp(plan))
      contract->fingerprint = emit::fingerprint(plan);
    ++contract;
  }
  return out;
}

std::string listText(const std::vector<ListedContract>& contracts) {
  std::vector<std::vector<std::string>> rows = {{"contract", "version", "state", "kernels",
                                                 "slices", "clauses", "claims", "owners",
                                                 "fingerprint", "file"}};
  for (const ListedContract& each : contracts)
    rows.push_back({utf8::printable(each.name), utf8::printable(each.version), stateOf(each),
                    joined(each.kernels), std::to_string(each.slices.size()),
                    std::to_string(each.clauses.size()), verdictsText(each.claims),
                    joined(each.owners), fingerprintText(each), utf8::printable(each.file)});
  return inColumns(rows);
}

std::string listJson(const std::vector<ListedContract>& contracts) {
  return writeJson([&](llvm::json::OStream& json) {
    json.object([&] {
      json.attribute("format", "tikc-list/v1");
      json.attributeArray("contracts", [&] {
        for (const ListedContract& each : contracts)
          ListWriter(json).contract(each);
      });
    });
  });
}

} // namespace tikc::driver
