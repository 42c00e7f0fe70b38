#pragma once

#include "changes/Changes.h"
#include "support/Source.h"

#include <span>
#include <string>

namespace tikc::changes {

struct ComparedContracts {
  const SourceManager& sources;
  std::vector<ContractChanges> contracts;
  std::vector<NotCompared> notCompared = {};
};

/// One function per format.
std::string changesText(const ComparedContracts& compared);
std::string changesJson(const ComparedContracts& compared);
/// Suitable for a comment on a pull request.
std::string changesMarkdown(const ComparedContracts& compared);
/// Annotations for GitHub Actions.
std::string changesGithub(const ComparedContracts& compared);

// Parts that the formats share.

/// Returns "1.0.0 -> 1.0.1: looser".
std::string headingOf(const ContractChanges& changes);
/// Returns "rollout: not compared: the new contract has errors".
std::string headingOf(const NotCompared& contract);
/// Returns "p99(k3) <= 0.1 -> p99(k3) <= 0.2", or the side that exists.
std::string moveText(const PartChange& change);
/// Returns "clause usual_drift", with its old name if it was renamed.
std::string subjectText(const PartChange& change);
/// Returns the remarks on a change: why, values that violate the old contract, and whether old data
/// decide it.
std::vector<std::string> remarksOf(const PartChange& change);
/// Returns "old.tikc.yaml:13:3 -> new.tikc.yaml:13:3"; empty if both are unknown.
std::string placesText(const SourceManager& sources, const Span& old, const Span& fresh);
/// Returns "proved, 2.4% to spare -> unproved", and the slices.
std::string outcomeLine(const ClaimOutcomes& row);
/// Returns a sentence with the step that the version takes and the step that it needs.
std::string versionText(const VersionVerdict& version);

} // namespace tikc::changes
