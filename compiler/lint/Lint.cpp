#include "lint/Lint.h"

namespace tikc::lint {

void lint(const Input& input) {
#define RULE(function) function(input);
#include "lint/Rules.def"
}

} // namespace tikc::lint
