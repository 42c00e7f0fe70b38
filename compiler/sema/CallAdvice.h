#pragma once

#include "model/Metrics.h"
#include "sema/Context.h"
#include "yaml/Tree.h"

#include <cstddef>

namespace tikc::sema {

/// Suggests what an unreadable call was meant to be: the grammar does not know the names, or where
/// texts are allowed. `before` is the number of findings before it was read.
void adviseOnCall(FileContext& context, const yaml::Node& scalar, model::CallPlace place,
                  std::size_t before);

/// Notes that an unknown action may be the receiver of an alert. It may also be an action, which an
/// alert does not replace, so the author decides.
void noteAlert(diag::Diagnostic& finding, std::string_view receiver);

} // namespace tikc::sema
