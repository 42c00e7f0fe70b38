#pragma once

#include "data/inspect/Diagnosis.h"

#include <llvm/Support/JSON.h>

#include <string>

/// What numbers are consistent with, as people and programs read it.
namespace tikc::measure {

/// A page of its own.
std::string diagnosisText(const data::Diagnosis& of);
/// As a part of what was measured: what is named, and what says so.
std::string diagnosisSummary(const data::Diagnosis& of);
std::string diagnosisMarkdown(const data::Diagnosis& of);
std::string diagnosisJson(const data::Diagnosis& of);
/// The fields of an object.
void writeDiagnosis(llvm::json::OStream& json, const data::Diagnosis& of);

} // namespace tikc::measure
