#pragma once

#include "driver/Commands.h"
#include "measure/Evidence.h"
#include "measure/Forms.h"
#include "page/Provenance.h"
#include "page/ReportPage.h"
#include "pipeline/TestedContracts.h"
#include "support/Source.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <vector>

/// The options --report and --figures.
namespace tikc::driver {

/// A contract, and the sources of its derivations.
struct PageSubject {
  const SourceManager& sources;
  const pipeline::TestedContract& contract;
};

bool isPageAsked(const Invocation& invocation);
/// Fails if a file would be written over an input, or twice.
llvm::Error whyNoPage(const Invocation& invocation);
/// Writes the page to the file of --report, and the pictures to the folder of --figures. Each is
/// only called if its option is given.
llvm::Error writePageFiles(const Invocation& invocation, llvm::function_ref<std::string()> pageOf,
                           llvm::function_ref<std::vector<page::FigureFile>()> figuresOf);

/// Writes the requested page and pictures.
llvm::Error writePage(const Invocation& invocation, const PageSubject& subject,
                      const measure::MeasuredContract& contract, page::Provenance provenance,
                      std::vector<page::Lead> leads = {});
/// Writes them for evidence; `others` are its differences from the contract.
llvm::Error writePageOf(const Invocation& invocation, const PageSubject& subject,
                        measure::MeasuredPlan plan, const measure::Evidence& evidence,
                        std::vector<std::string> others, std::vector<page::Lead> leads = {});

} // namespace tikc::driver
