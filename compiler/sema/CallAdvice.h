#pragma once

#include "metrics/Metrics.h"
#include "sema/Context.h"
#include "syntax/Tree.h"

#include <cstddef>

namespace tikc::sema {

/// What a call was meant to be that could not be read: the grammar does not know which names there
/// are, and where a text stands. `before` is how many findings there were before it was read.
void adviseOnCall(FileContext& context, const syntax::Node& scalar, metrics::CallPlace place,
                  std::size_t before);

/// What is no action may be who is to be told. It may as well be what is to be done, which no alert
/// does: that is for the author to say.
void noteAlert(diag::Diagnostic& found, std::string_view receiver);

} // namespace tikc::sema
