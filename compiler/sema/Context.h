#pragma once

#include "diag/Sink.h"
#include "support/Limits.h"
#include "support/Source.h"
#include "syntax/ExprParser.h"

namespace tikc::sema {

/// The context of the analysis of one file.
struct FileContext {
  const SourceManager& sources;
  const Limits& limits;
  diag::Sink& sink;
  syntax::ExprParser& expressions;
};

} // namespace tikc::sema
