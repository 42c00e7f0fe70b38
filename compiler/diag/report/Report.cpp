#include "diag/report/Report.h"

#include "diag/report/Forms.h"
#include "support/Check.h"

#include <algorithm>
#include <iterator>

namespace tikc::diag {
namespace {

constexpr FormatInfo formatTable[] = {
#define RENDERING(Name, name, summary) {Format::Name, name, summary},
#include "diag/report/Renderings.def"
};

} // namespace

std::span<const FormatInfo> formats() { return formatTable; }

std::optional<Format> findFormat(std::string_view name) {
  auto row = std::find_if(std::begin(formatTable), std::end(formatTable),
                          [&](const FormatInfo& f) { return f.name == name; });
  return row == std::end(formatTable) ? std::nullopt : std::optional(row->format);
}

std::string render(Format format, const Report& report, const RenderOptions& options) {
  switch (format) {
#define RENDERING(Name, ...)                                                                       \
  case Format::Name:                                                                               \
    return form##Name(report, options);
#include "diag/report/Renderings.def"
  }
  TIKC_CHECK(false, "each format has its case");
}

} // namespace tikc::diag
