// Prints the sample report in the form that is named on the command line, for other people's
// validators to judge.

#include "SampleReport.h"
#include "support/Files.h"

#include <llvm/Support/raw_ostream.h>

int main(int argc, char** argv) {
  auto format = argc > 1 ? tikc::diag::findFormat(argv[1]) : std::nullopt;
  if (!format) {
    llvm::errs() << "usage: " << argv[0] << " FORMAT [color]\n";
    return 2;
  }
  tikc::diag::testing::SampleReport sample;
  tikc::diag::RenderOptions options;
  options.color = argc > 2;
  if (auto error =
          tikc::writeStandardOutput(tikc::diag::render(*format, sample.report(), options))) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 3;
  }
  return 0;
}
