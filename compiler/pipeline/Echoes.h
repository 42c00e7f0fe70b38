#pragma once

#include "diag/Sink.h"
#include "support/Source.h"
#include "syntax/Tree.h"

#include <string_view>
#include <vector>

/// What a fault makes look wrong elsewhere, which stays silent.
namespace tikc::pipeline {

/// Whether all that a section says was understood, its absence included: a misspelt key may be the
/// section itself.
bool isSectionKnown(const syntax::YamlDocument& document, std::string_view section,
                    const diag::Sink& sink);

/// The codes of names that nothing seems to declare, where a section that may declare them was not
/// understood.
std::vector<diag::Code> namesInDoubt(const syntax::YamlDocument& document, const diag::Sink& sink);

/// Drops what stands on the lines beside a fault of YAML, which were cut or joined by it, and names
/// that nothing declares where they are those of keys that nobody knows.
void dropEchoes(const SourceManager& sources, FileId file,
                std::vector<diag::Diagnostic>& diagnostics);

/// A name that nothing declares, and that nothing is near, is one fault however often it is said.
void joinMentions(const SourceManager& sources, std::vector<diag::Diagnostic>& diagnostics);

} // namespace tikc::pipeline
