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

/// One function a form.
std::string changesText(const ComparedContracts& compared);
std::string changesJson(const ComparedContracts& compared);
/// Fit for a comment on a pull request.
std::string changesMarkdown(const ComparedContracts& compared);
/// Annotations of a GitHub Actions run.
std::string changesGithub(const ComparedContracts& compared);

// What the forms share.

/// "1.0.0 -> 1.0.1: looser".
std::string headingOf(const ContractChanges& of);
/// "rollout: not compared: the new contract has errors".
std::string headingOf(const NotCompared& of);
/// "p99(k3) <= 0.1 -> p99(k3) <= 0.2", or what there is of it.
std::string moveText(const PartChange& change);
/// "clause usual_drift", with its former name where it had another.
std::string subjectText(const PartChange& change);
/// What is said beside it: why, with what it breaks the old one, and whether old data decide it.
std::vector<std::string> remarksOf(const PartChange& change);
/// "old.tikc.yaml:13:3 -> new.tikc.yaml:13:3"; empty where neither is known.
std::string placesText(const SourceManager& sources, const Span& was, const Span& is);
/// "proved, 2.4% to spare -> unproved", and on which slices.
std::string outcomeLine(const ClaimOutcomes& row);
/// Which step the version takes and which it needs, in a sentence.
std::string versionText(const VersionVerdict& version);

} // namespace tikc::changes
