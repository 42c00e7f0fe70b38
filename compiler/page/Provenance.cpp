#include "page/Provenance.h"

#include "data/Fault.h"
#include "data/bytes/Digest.h"
#include "tikc/Version.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::page {
namespace {

std::string withPieces(const std::string& file, std::size_t pieces) {
  return pieces == 1 ? file : fmt::format("{}, {} pieces", file, data::grouped(pieces));
}

void addFiles(Provenance& out, const std::vector<measure::PieceOrigin>& pieces) {
  constexpr std::size_t mostNamed = 24;
  std::vector<std::pair<std::string, std::size_t>> files; // in the order of the data
  std::vector<data::PieceId> ids;
  for (const measure::PieceOrigin& each : pieces) {
    if (each.id == data::PieceId{})
      continue;
    ids.push_back(each.id);
    if (!files.empty() && files.back().first == each.file)
      ++files.back().second;
    else
      files.emplace_back(each.file, 1);
  }
  for (std::size_t i = 0; i < files.size() && i < mostNamed; ++i)
    out.emplace_back(i == 0 ? "data" : "", withPieces(files[i].first, files[i].second));
  if (files.size() > mostNamed)
    out.emplace_back("", fmt::format("and {} more files", data::grouped(files.size() - mostNamed)));
  // The same bytes have the same name, in whatever order they were read.
  std::sort(ids.begin(), ids.end());
  data::Digest all;
  for (const data::PieceId& each : ids)
    all.add(each.hex());
  if (!ids.empty())
    out.emplace_back("fingerprint of the data",
                     fmt::format("{}, of {} piece{}", all.id().hex(), data::grouped(ids.size()),
                                 ids.size() == 1 ? "" : "s"));
}

std::string orUnsaid(std::string_view text) {
  return text.empty() ? "not stated" : std::string(text);
}

void addOrigins(Provenance& out, const measure::Evidence& evidence) {
  const measure::EvidenceSummary summary = measure::summaryOf(evidence);
  out.emplace_back("evidence", summary.text());
  for (const measure::EvidenceOrigin& each : evidence.origins)
    out.emplace_back(
        "observed under",
        fmt::format("{} {}, fingerprint 0x{:016x}; build: {}; model digest: {}; stage: {}",
                    each.contract, each.version, each.fingerprint, orUnsaid(each.build),
                    orUnsaid(each.digest), orUnsaid(each.stage)));
}

} // namespace

Provenance provenanceOf(const measure::MeasuredContract& contract, std::string_view place,
                        const measure::Evidence* evidence) {
  const plan::Plan& plan = contract.subject.plan;
  const plan::Stream& pair = plan.streams[contract.subject.stream];
  Provenance out = {{"contract", fmt::format("{} {}{}{}", plan.contract, plan.version,
                                             place.empty() ? "" : ", ", place)},
                    {"fingerprint of the contract",
                     fmt::format("0x{:016x}", contract.subject.loaded.fingerprint)},
                    {"kernels", fmt::format("{} and {}, tokens drawn by {}", pair.train, pair.infer,
                                            pair.drawer.empty() ? "the server" : pair.drawer)},
                    {"build of the server", orUnsaid(plan.build)},
                    {"digest of the model", orUnsaid(plan.digest)},
                    {"judged", contract.subject.rounds.text()}};
  if (evidence != nullptr)
    addOrigins(out, *evidence);
  addFiles(out, contract.measured.pieces);
  out.emplace_back("tikc", versionString);
  return out;
}

} // namespace tikc::page
