#include "lint/Lint.h"

namespace tikc::lint {

void lint(const SourceManager& sources, const model::Contract& contract, diag::Sink& sink) {
  if (!contract.complete || contract.isAbstract)
    return;
  Input input{sources, contract, sink};
#define RULE(function) function(input);
#include "lint/Rules.def"
}

} // namespace tikc::lint
