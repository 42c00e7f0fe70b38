#include "audit/gates/Query.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tikc::audit {
namespace {

struct QueryFunction {
  std::string_view name;
  QueryTakes takes;
  bool joins;    // series into one
  bool hasShare; // as its first argument
};
constexpr QueryFunction functions[] = {
    {"abs", QueryTakes::Values, false, false},
    {"last_over_time", QueryTakes::Values, false, false},
    {"max", QueryTakes::Largest, true, false},
    {"min", QueryTakes::Smallest, true, false},
    {"avg", QueryTakes::Average, true, false},
    {"quantile", QueryTakes::Quantile, true, true},
    {"max_over_time", QueryTakes::Largest, false, false},
    {"min_over_time", QueryTakes::Smallest, false, false},
    {"avg_over_time", QueryTakes::Average, false, false},
    {"quantile_over_time", QueryTakes::Quantile, false, true},
};
const QueryFunction* functionNamed(std::string_view name) {
  auto match = std::find_if(std::begin(functions), std::end(functions),
                            [&](const QueryFunction& each) { return each.name == name; });
  return match == std::end(functions) ? nullptr : match;
}

bool startsMetric(char c) { return llvm::isAlpha(c) || c == '_' || c == ':'; }
bool isOfMetric(char c) { return startsMetric(c) || llvm::isDigit(c); }

class QueryReader {
public:
  explicit QueryReader(const Snippet& text) : snippet_(text), text_(text.text) {}

  std::optional<Query> read() {
    if (!expression(0))
      return std::nullopt;
    skipSpace();
    if (at_ != text_.size() &&
        (!word("or") || !word("vector") || !take('(') || !number() || !take(')')))
      return std::nullopt;
    skipSpace();
    return at_ == text_.size() && !out_.metric.empty() ? std::optional(out_) : std::nullopt;
  }

private:
  static constexpr unsigned deepest = 16;

  void skipSpace() {
    while (at_ < text_.size() && llvm::isSpace(text_[at_]))
      ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ == text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }
  std::string_view name() {
    skipSpace();
    const std::size_t from = at_;
    if (at_ < text_.size() && startsMetric(text_[at_]))
      while (at_ < text_.size() && isOfMetric(text_[at_]))
        ++at_;
    return std::string_view(text_).substr(from, at_ - from);
  }
  bool word(std::string_view wanted) {
    const std::size_t from = at_;
    if (name() == wanted)
      return true;
    at_ = from;
    return false;
  }
  bool number() {
    skipSpace();
    const std::size_t from = at_;
    while (at_ < text_.size() && (llvm::isDigit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    out_.ofNothing = text_.substr(from, at_ - from);
    return at_ > from;
  }
  /// Passes a part in brackets, with quotes in it.
  bool bracketed(char open, char close) {
    if (!take(open))
      return false;
    std::size_t depth = 0; // of `${scope}`, which a template fills in
    for (char quote = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote != 0 && c == '\\')
        ++at_;
      else if (quote != 0)
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'' || c == '`')
        quote = c;
      else if (c == open)
        ++depth;
      else if (c == close && depth-- == 0)
        return take(close);
    }
    return false;
  }
  /// `by (…)` and `without (…)`: of several series, several are left.
  bool grouping(bool& joins) {
    if (!word("by") && !word("without"))
      return true;
    joins = false;
    return bracketed('(', ')');
  }

  bool expression(unsigned depth) {
    if (depth > deepest)
      return false;
    if (take('('))
      return expression(depth + 1) && take(')');
    const std::size_t from = at_;
    const std::string_view first = name();
    if (first.empty())
      return false;
    const QueryFunction* function = functionNamed(first);
    if (function == nullptr)
      return selector(first);
    bool joins = function->joins;
    if (!grouping(joins))
      return false;
    if (!take('(')) { // a metric of that name
      at_ = from;
      return selector(name());
    }
    if (function->hasShare && (!number() || !take(',')))
      return false;
    out_.ofNothing.reset();
    needsRange_ = first.ends_with("_over_time");
    if (!expression(depth + 1) || !take(')') || !grouping(joins))
      return false;
    needsRange_ = false;
    if (function->name == "abs") {
      out_.isAbsolute = true;
      return out_.takes == QueryTakes::Values; // of each value
    }
    out_.isOneSeries |= joins;
    return takes(function->takes);
  }

  /// Of two functions one may be a maximum around averages.
  bool takes(QueryTakes what) {
    if (what == QueryTakes::Values || what == out_.takes)
      return true;
    const bool isFirst = out_.takes == QueryTakes::Values;
    const bool isMaximum = what == QueryTakes::Largest && out_.takes == QueryTakes::Average;
    if (isFirst)
      out_.takes = what;
    return isFirst || isMaximum;
  }

  bool selector(std::string_view metric) {
    out_.metric = metric;
    out_.metricPlace = snippet_.span(at_ - metric.size(), at_);
    skipSpace();
    const std::size_t from = at_;
    if (at_ < text_.size() && text_[at_] == '{' && !bracketed('{', '}'))
      return false;
    // A summary's series are quantiles.
    if (std::string_view(text_).substr(from, at_ - from).find("quantile") != std::string_view::npos)
      return false;
    skipSpace();
    const bool hasRange = at_ < text_.size() && text_[at_] == '[';
    return hasRange == needsRange_ && (!hasRange || bracketed('[', ']'));
  }

  const Snippet& snippet_;
  const std::string& text_;
  std::size_t at_ = 0;
  bool needsRange_ = false;
  Query out_;
};

} // namespace

std::optional<Query> readQuery(const Snippet& text) { return QueryReader(text).read(); }

std::vector<Snippet> metricsIn(const Snippet& query) {
  const std::string_view text = query.text;
  std::vector<Snippet> out;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != 0) {
      i += text[i] == '\\' ? 1 : 0;
      quote = i < text.size() && text[i] == quote ? '\0' : quote;
    } else if (text[i] == '"' || text[i] == '\'' || text[i] == '`') {
      quote = text[i];
    } else if (startsMetric(text[i]) && (i == 0 || !isOfMetric(text[i - 1]))) {
      const std::size_t from = i;
      while (i + 1 < text.size() && isOfMetric(text[i + 1]))
        ++i;
      const std::size_t next = text.find_first_not_of(" \t\n", i + 1);
      if (next == std::string_view::npos || text[next] != '(')
        out.push_back(query.part(from, i + 1));
    }
  }
  return out;
}

} // namespace tikc::audit
