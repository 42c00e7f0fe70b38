#pragma once

#include "story/Story.h"

#include <filesystem>
#include <span>

/// One function a format: contracts of one file, told.
namespace tikc::story {

std::string text(std::span<const Story> stories);
/// Links lead from the folder that the page will lie in.
/// The derivation of one comparison that has a bound.
std::string treeText(const Chapter& chapter);
std::string markdownPage(std::span<const Story> stories, const std::filesystem::path& folder);
std::string json(std::span<const Story> stories);
std::string dotGraph(std::span<const Story> stories);
std::string svgImage(std::span<const Story> stories);
std::string htmlPage(std::span<const Story> stories);

} // namespace tikc::story
