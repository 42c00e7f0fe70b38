#pragma once

#include "page/ReportPage.h"

#include <string>

/// The parts of a page that are tables; each is empty where there is nothing to tell.
namespace tikc::page {

/// Clauses against slices, each with its verdict and value.
std::string matrixSection(const PageContent& content);
/// Every value with the bound it is held to, its interval and n, and what would change it.
std::string valueSection(const PageContent& content);
/// What faults the numbers are consistent with, where the data have both sides' log-probs.
std::string diagnosisSection(const PageContent& content);
std::string claimSection(const PageContent& content);
std::string assumptionSection(const PageContent& content);
/// The observations that stand out, and where they are in the data.
std::string offenderSection(const PageContent& content);
std::string ruleSection(const PageContent& content);
std::string provenanceSection(const PageContent& content);

/// A verdict as a sign and a word.
std::string markHtml(std::string_view tone, std::string_view sign, std::string_view word);
std::string markHtml(verdict is);

} // namespace tikc::page
