#include "pipeline/Suppressions.h"

#include "support/Names.h"
#include "support/Utf8.h"

#include <algorithm>
#include <string_view>

namespace tikc::pipeline {

using utf8::ticked;
using yaml::Entry;
using yaml::Node;

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// The outermost entry or item that starts at or after the offset, or the innermost that starts on
/// the given line before it.
class TargetFinder {
public:
  TargetFinder(const LineTable& lines, const yaml::Comment& comment)
      : lines_(lines), comment_(comment) {
    line_ = lines.lineIndex(comment.span.begin);
  }

  Span find(const yaml::Tree& tree) {
    for (const yaml::YamlDocument& document : tree.documents)
      visit(*document.root);
    return best_;
  }

private:
  void consider(const Span& span) {
    if (comment_.ownLine) {
      if (span.begin > comment_.span.begin && (!best_.valid() || span.begin < best_.begin))
        best_ = span;
    } else if (span.begin < comment_.span.begin && lines_.lineIndex(span.begin) == line_ &&
               (!best_.valid() || span.begin < best_.begin)) {
      best_ = span;
    }
  }

  void visit(const Node& node) {
    for (const Entry& entry : node.entries) {
      consider(entry.span);
      visit(*entry.value);
    }
    for (const auto& item : node.items) {
      consider(item->span);
      visit(*item);
    }
  }

  const LineTable& lines_;
  const yaml::Comment& comment_;
  std::uint32_t line_;
  Span best_;
};

} // namespace

Suppressions::Suppressions(const SourceManager& sources, const yaml::Tree& tree, diag::Sink& sink) {
  for (const yaml::Comment& comment : tree.comments)
    read(sources, tree, comment, sink);
}

void Suppressions::read(const SourceManager& sources, const yaml::Tree& tree,
                        const yaml::Comment& comment, diag::Sink& sink) {
  std::string_view text = sources.text(comment.span);
  std::size_t at = text.find_first_not_of("# \t");
  if (at == std::string_view::npos || !text.substr(at).starts_with("tikc:"))
    return;
  at += std::string_view("tikc:").size();
  auto skipBlanks = [&] {
    while (at < text.size() && isBlank(text[at]))
      ++at;
  };
  skipBlanks();
  if (!text.substr(at).starts_with("allow")) {
    sink.report<diag::MalformedSuppression>(comment.span);
    return;
  }
  at += std::string_view("allow").size();

  std::size_t dashes = std::min(text.find("--", at), text.size());
  std::string_view reason = text.substr(std::min(dashes + 2, text.size()));
  bool reasoned = reason.find_first_not_of(" \t\r") != std::string_view::npos;
  Span target = TargetFinder(sources.get(tree.file).lines, comment).find(tree);
  bool any = false;
  for (;;) {
    while (at < dashes && (isBlank(text[at]) || text[at] == ',' || text[at] == '\r'))
      ++at;
    if (at >= dashes)
      break;
    std::size_t end = std::min(text.find_first_of(" \t,\r", at), dashes);
    std::string_view word = text.substr(at, end - at);
    Span place{tree.file, comment.span.begin + static_cast<std::uint32_t>(at),
               comment.span.begin + static_cast<std::uint32_t>(end)};
    at = end;
    any = true;
    auto code = diag::findCode(word);
    if (!code) {
      std::vector<std::string_view> ids;
      for (const diag::CodeInfo& row : diag::catalogue())
        ids.push_back(row.id);
      sink.report<diag::UnknownSuppressedCode>(place, ticked(word));
      continue;
    }
    if (diag::info(*code).policy == diag::SeverityPolicy::Fixed) {
      sink.report<diag::FixedSuppression>(place, ticked(word));
      continue;
    }
    if (!reasoned)
      sink.report<diag::SuppressionWithoutReason>(place, ticked(word))
          .unsafeFix("give a reason", {{comment.span.finish(), " -- because …"}});
    items_.push_back({*code, place, target});
  }
  if (!any)
    sink.report<diag::MalformedSuppression>(comment.span);
}

void Suppressions::apply(std::vector<diag::Diagnostic>& diagnostics) {
  std::erase_if(diagnostics, [&](const diag::Diagnostic& diagnostic) {
    bool dropped = false;
    for (Item& item : items_)
      if (item.code == diagnostic.code && item.target.valid() &&
          item.target.contains(diagnostic.span)) {
        item.used = true;
        dropped = isSettable(diagnostic);
      }
    return dropped;
  });
}

void Suppressions::reportStale(diag::Sink& sink) const {
  for (const Item& item : items_)
    if (!item.used)
      sink.report<diag::StaleSuppression>(item.place, ticked(diag::info(item.code).id));
}

} // namespace tikc::pipeline
