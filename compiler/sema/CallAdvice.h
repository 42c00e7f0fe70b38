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

/// Offers a receiver of that name, where an action is unknown.
void offerAlert(diag::Diagnostic& found, const Span& span, std::string_view receiver);

} // namespace tikc::sema
