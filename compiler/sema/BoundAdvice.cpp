#include "sema/BoundAdvice.h"

#include "sema/Subjects.h"

#include <algorithm>

namespace tikc::sema {

using yaml::Node;

namespace {

/// The text with the edit, read by itself.
bool leadsOn(const FileContext& context, const Node& scalar, const diag::Fix& fix) {
  EditSet edits;
  if (!edits.add(fix.edits))
    return true;
  const Source& source = context.sources.get(scalar.span.file);
  std::string whole = edits.apply(scalar.span.file, source.text);
  std::size_t grown = whole.size() - source.text.size(); // wraps where it shrank, and back below
  SourceManager sources;
  FileId file = sources.add({}, {}, whole.substr(scalar.span.begin, scalar.span.size() + grown));
  Node text;
  text.type = yaml::ScalarType::String;
  text.value = sources.get(file).text;
  text.span = {file, 0, static_cast<std::uint32_t>(text.value.size())};
  diag::Sink sink(context.limits);
  expr::ExprParser expressions(sources, context.limits);
  FileContext alone{sources, context.limits, sink, expressions};
  auto requirement = expressions.requirement(text, sink);
  if (!requirement)
    return true;
  return std::none_of(requirement->comparisons.begin(), requirement->comparisons.end(),
                      [&](const model::Comparison& comparison) {
                        auto subject = typeClauseSubject(alone, comparison.subject);
                        return comparison.confidence && subject && !whyUncertain(*subject).empty();
                      });
}

} // namespace

void adviseOnRequirement(FileContext& context, const Node& scalar, std::size_t before) {
  context.sink.eachSince(before, [&](diag::Diagnostic& finding) {
    if (finding.code == diag::Code::SharedTail && scalar.style == yaml::Style::Plain &&
        scalar.span.size() == scalar.value.size())
      std::erase_if(finding.fixes,
                    [&](const diag::Fix& fix) { return !leadsOn(context, scalar, fix); });
  });
}

} // namespace tikc::sema
