#pragma once

#include "page/ReportPage.h"

#include <string>

/// The tables of a page. Each is empty if it has no content.
namespace tikc::page {

/// Clauses by slices, each with its verdict and value.
std::string matrixSection(const PageContent& content);
/// Every value with its bound, interval and n, and what would change its verdict.
std::string valueSection(const PageContent& content);
/// Every value next to that of the other measurement.
std::string comparisonSection(const PageContent& content);
/// The faults that the numbers are consistent with.
std::string diagnosisSection(const data::Diagnosis& diagnosis);
std::string claimSection(const PageContent& content);
std::string assumptionSection(const PageContent& content);
/// The outliers and their places in the data.
std::string offenderSection(const PageContent& content);
std::string ruleSection(const PageContent& content);
std::string provenanceSection(const Provenance& provenance);

/// Returns a verdict as a sign and a word.
std::string markHtml(std::string_view tone, std::string_view sign, std::string_view word);
std::string markHtml(verdict tone, std::string_view word);
std::string markHtml(verdict value);

} // namespace tikc::page
