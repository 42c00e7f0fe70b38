#pragma once

#include "explain/Explanation.h"

#include <filesystem>
#include <span>

/// One function per format, for the contracts of a file.
namespace tikc::explain {

std::string text(std::span<const Explanation> explanations);
/// Returns the derivation of a comparison that has a bound.
std::string treeText(const Chapter& chapter);
/// Links are relative to the page's folder.
std::string markdownPage(std::span<const Explanation> explanations,
                         const std::filesystem::path& folder);
std::string json(std::span<const Explanation> explanations);
std::string dotGraph(std::span<const Explanation> explanations);
std::string svgImage(std::span<const Explanation> explanations);
std::string htmlPage(std::span<const Explanation> explanations);

} // namespace tikc::explain
