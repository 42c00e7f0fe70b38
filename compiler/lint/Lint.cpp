#include "lint/Lint.h"

namespace tikc::lint {

void lint(const LintInput& input) {
#define RULE(function) function(input);
#include "lint/Rules.def"
}

} // namespace tikc::lint
