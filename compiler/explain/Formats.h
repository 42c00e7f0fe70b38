#pragma once

#include "explain/Explanation.h"

#include <filesystem>
#include <span>

/// One function a format: contracts of one file, told.
namespace tikc::explain {

std::string text(std::span<const Explanation> explanations);
/// The derivation of one comparison that has a bound.
std::string treeText(const Chapter& chapter);
/// Links lead from the folder that the page will lie in.
std::string markdownPage(std::span<const Explanation> explanations,
                         const std::filesystem::path& folder);
std::string json(std::span<const Explanation> explanations);
std::string dotGraph(std::span<const Explanation> explanations);
std::string svgImage(std::span<const Explanation> explanations);
std::string htmlPage(std::span<const Explanation> explanations);

} // namespace tikc::explain
