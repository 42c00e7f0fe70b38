#pragma once

#include "data/inspect/Diagnosis.h"

#include <llvm/Support/JSON.h>

#include <string>

/// A diagnosis in each output format.
namespace tikc::measure {

/// Returns the diagnosis as a complete text.
std::string diagnosisText(const data::Diagnosis& diagnosis);
/// Returns the part for a measurement: the causes and what supports them.
std::string diagnosisSummary(const data::Diagnosis& diagnosis);
std::string diagnosisMarkdown(const data::Diagnosis& diagnosis);
std::string diagnosisJson(const data::Diagnosis& diagnosis);
/// Writes the fields of an object.
void writeDiagnosis(llvm::json::OStream& json, const data::Diagnosis& diagnosis);

} // namespace tikc::measure
