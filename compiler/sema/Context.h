#pragma once

#include "diag/Sink.h"
#include "expr/ExprParser.h"
#include "support/Limits.h"
#include "support/Source.h"

namespace tikc::sema {

/// The context of the analysis of one file.
struct FileContext {
  const SourceManager& sources;
  const Limits& limits;
  diag::Sink& sink;
  expr::ExprParser& expressions;
};

} // namespace tikc::sema
