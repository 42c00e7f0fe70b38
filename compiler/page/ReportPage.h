#pragma once

#include "explain/Explanation.h"
#include "measure/Forms.h"
#include "page/Panel.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tikc::page {

/// What a page begins with, before the verdicts: a decision, and what it follows from.
struct Lead {
  enum class Tone : std::uint8_t { Good, Bad, Open };
  std::string heading, word; // "Decision", "hold"
  Tone tone = Tone::Open;
  std::vector<std::string> lines;
  NumberRows rows; // none, or a heading and what is below it
};

/// Where numbers are from: what, and which.
using Provenance = std::vector<std::pair<std::string, std::string>>;

struct PageContent {
  const measure::MeasuredContract& of;
  /// The derivations of what is claimed; none where nobody has the proofs.
  std::span<const explain::Explanation> explanations;
  std::vector<Lead> leads;
  Provenance provenance;
};

/// One file of at most a million bytes that needs nothing else and runs nothing. What has no room
/// is counted, and where it is instead is said.
std::string reportPage(const PageContent& content);

/// A picture as a file of its own.
struct FigureFile {
  std::string name; // "drift-gap-1.svg"
  std::string svg;
};
/// All pictures, whether or not a page has room for them.
std::vector<FigureFile> figureFiles(const PageContent& content);

} // namespace tikc::page
