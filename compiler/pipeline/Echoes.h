#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "yaml/Tree.h"

#include <string_view>
#include <vector>

/// Echoes: findings that are only consequences of another fault, and stay silent.
namespace tikc::pipeline {

/// Returns whether all of a section was understood, including its absence: a misspelt key may be
/// the section itself.
bool isSectionKnown(const yaml::YamlDocument& document, std::string_view section,
                    const diag::Sink& sink);

/// Returns the codes for undeclared names that are in doubt, because a section that may declare
/// them was not understood.
std::vector<diag::Code> namesInDoubt(const yaml::YamlDocument& document, const diag::Sink& sink);

/// Drops findings on lines next to a fault of YAML, which the fault cut or joined. Drops undeclared
/// names that equal unknown keys.
void dropEchoes(const SourceManager& sources, FileId file,
                std::vector<diag::Diagnostic>& diagnostics);

/// Joins the mentions of an undeclared name into one finding, if no declared name is similar.
void joinMentions(const SourceManager& sources, std::vector<diag::Diagnostic>& diagnostics);

} // namespace tikc::pipeline
