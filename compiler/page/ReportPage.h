#pragma once

#include "data/inspect/Diagnosis.h"
#include "explain/Explanation.h"
#include "measure/Forms.h"
#include "page/Panel.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tikc::page {

/// A block before the verdicts: a decision and its reasons.
struct Lead {
  enum class Tone : std::uint8_t { Good, Bad, Open };
  std::string heading, word; // such as "Decision", "hold"
  Tone tone = Tone::Open;
  std::vector<std::string> lines;
  NumberRows rows; // empty, or a heading and its rows
};

/// Where numbers come from, as pairs of name and value.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct PageContent {
  const measure::MeasuredContract& contract;
  /// The derivations of claims; empty without proofs.
  std::span<const explain::Explanation> explanations;
  std::vector<Lead> leads;
  Provenance provenance;
};

/// Returns a self-contained file of at most a million bytes that runs nothing. What does not fit is
/// counted, and the page says where to find it.
std::string reportPage(const PageContent& content);

/// A diagnosis of data, without a contract.
struct DiagnosisContent {
  const data::Signs& signs;
  const data::Diagnosis& diagnosis;
  Provenance provenance;
};

/// Returns a page with the causes, and with the gap by condition.
std::string diagnosisPage(const DiagnosisContent& content);

/// A picture as a file.
struct FigureFile {
  std::string name; // such as "drift-gap-1.svg"
  std::string svg;
};
/// Returns all pictures, whether or not a page has room for them.
std::vector<FigureFile> figureFiles(const PageContent& content);
std::vector<FigureFile> figureFiles(const DiagnosisContent& content);

} // namespace tikc::page
