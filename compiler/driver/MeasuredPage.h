#pragma once

#include "driver/Commands.h"
#include "measure/Evidence.h"
#include "measure/Forms.h"
#include "page/Provenance.h"
#include "page/ReportPage.h"
#include "pipeline/TestedContracts.h"
#include "support/Source.h"

#include <llvm/Support/Error.h>

#include <vector>

/// --report and --figures.
namespace tikc::driver {

/// A contract, and what its derivations are told from.
struct PageSubject {
  const SourceManager& sources;
  const pipeline::TestedContract& contract;
};

bool isPageAsked(const Invocation& invocation);
/// What would be written over something that is read, or twice.
llvm::Error whyNoPage(const Invocation& invocation);

/// The page and the pictures that are asked for.
llvm::Error writePage(const Invocation& invocation, const PageSubject& subject,
                      const measure::MeasuredContract& of, page::Provenance provenance,
                      std::vector<page::Lead> leads = {});
/// The same of evidence, which the contract can judge; `others` says what of it is of another.
llvm::Error writePageOf(const Invocation& invocation, const PageSubject& subject,
                        measure::MeasuredPlan of, const measure::Evidence& evidence,
                        std::vector<std::string> others, std::vector<page::Lead> leads = {});

} // namespace tikc::driver
