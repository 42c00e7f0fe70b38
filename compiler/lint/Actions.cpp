#include "lint/Actions.h"

#include "bounds/facts/Evaluate.h"
#include "lint/Lint.h"
#include "metrics/Metrics.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

/// What a rule waits for no longer once its state is over; of several states, all.
std::string subjectOf(const Expr& when) {
  const Expr& state = when.kind == Expr::Kind::For ? when.arguments[0] : when;
  return state.kind == Expr::Kind::Call ? state.arguments[0].text : "any";
}

/// A key more, where the rule is a map in braces or has a line for `when`.
std::optional<Edit> addedUntil(const LintInput& input, const Rule& rule, const std::string& until) {
  const Span& at = rule.when->span;
  std::string_view written = input.sources.text(rule.span);
  if (rule.span.file == at.file && written.ends_with('}')) {
    std::size_t end = written.find_last_not_of(" \n", written.size() - 2) + 1;
    auto place = rule.span.begin + static_cast<std::uint32_t>(end);
    return Edit{{at.file, place, place}, fmt::format(", until: {}", until)};
  }
  const Source& source = input.sources.get(at.file);
  std::uint32_t line = source.lines.lineStart(source.lines.lineIndex(at.begin));
  std::string_view before = std::string_view(source.text).substr(line, at.begin - line);
  std::size_t indent = before.find_first_not_of(' ');
  if (indent == std::string_view::npos || !before.substr(indent).starts_with("when:"))
    return std::nullopt;
  return Edit{{at.file, line, line}, fmt::format("{}until: {}\n", before.substr(0, indent), until)};
}

void checkHold(const LintInput& input, const Rule& rule) {
  if (!rule.when || rule.until || input.sink.hasErrorWithin(rule.span))
    return;
  const Call* hold = nullptr;
  forEachAction(rule, [&](const Call& action) {
    if (action.id == CallId::Hold)
      hold = &action;
  });
  if (!hold)
    return;
  auto& found = input.sink.report<diag::HoldWithoutEnd>(hold->expr.span, ticked(rule.id.text));
  std::string until = fmt::format("satisfied({})", subjectOf(*rule.when));
  if (auto edit = addedUntil(input, rule, until))
    found.unsafeFix(fmt::format("end it by `until: {}`", until), {std::move(*edit)});
}

// Fallbacks.

template <typename T>
bool isSameValue(const std::optional<Located<T>>& one, const std::optional<Located<T>>& other) {
  return one.has_value() == other.has_value() && (!one || one->value == other->value);
}

/// Whether two kernels differ, as far as the contract says, in nothing but their number formats.
bool differInFormatsAlone(const Kernel& one, const Kernel& other) {
  return isSameValue(one.engine, other.engine) && isSameValue(one.version, other.version) &&
         isSameValue(one.build, other.build) && isSameValue(one.attention, other.attention) &&
         isSameValue(one.hardware, other.hardware) && isSameValue(one.logprobs, other.logprobs) &&
         isSameValue(one.deterministic, other.deterministic) &&
         isSameValue(one.batchInvariant, other.batchInvariant) && one.flags.empty() &&
         other.flags.empty();
}

/// The parts in which a kernel's formats are coarser than another's; none where one is finer, or
/// where it is not known.
std::vector<std::string_view> coarserParts(const Kernel& kernel, const Kernel& than) {
  static constexpr std::string_view names[kernelParts] = {"weights", "compute", "accumulate",
                                                          "kv_cache", "logits"};
  std::vector<std::string_view> out;
  for (std::size_t part = 0; part < kernelParts; ++part) {
    const auto &mine = kernel.formats[part], &theirs = than.formats[part];
    if (isSameValue(mine, theirs))
      continue;
    auto coarse = mine ? bounds::unitRoundoff(mine->value) : std::nullopt;
    auto fine = theirs ? bounds::unitRoundoff(theirs->value) : std::nullopt;
    if (!coarse || !fine || *coarse <= *fine)
      return {};
    out.push_back(names[part]);
  }
  return out;
}

void checkFallback(const LintInput& input, const Call& action) {
  if (action.id != CallId::Route || input.contract.chain.empty())
    return;
  auto named = [&](std::string_view name) {
    const auto& kernels = input.contract.kernels;
    auto found = std::find_if(kernels.begin(), kernels.end(),
                              [&](const Kernel& kernel) { return kernel.name.text == name; });
    return found == kernels.end() ? nullptr : &*found;
  };
  const Expr& target = action.expr.arguments[0];
  const Kernel *to = named(target.text), *server = named(input.contract.chain.back().text);
  if (!to || !server || to == server || !differInFormatsAlone(*to, *server))
    return;
  if (std::vector<std::string_view> parts = coarserParts(*to, *server); !parts.empty())
    input.sink
        .report<diag::FallbackIsCoarser>(target.span, ticked(target.text),
                                         ticked(server->name.text),
                                         fmt::format("{}", fmt::join(parts, " and ")))
        .relatedTo(to->name.span, "its formats");
}

// Receivers.

/// Who is alerted, and where: each mention of the text in its quotes.
struct Receiver {
  std::string name, plain;
  std::vector<Span> mentions;
};

std::vector<Receiver> receiversOf(const LintInput& input) {
  std::map<std::string, std::vector<Span>> mentions;
  for (const Rule& rule : input.contract.rules)
    forEachAction(rule, [&](const Call& action) {
      if (action.id == CallId::Alert && !input.sink.hasErrorWithin(rule.span))
        mentions[action.expr.arguments[0].text].push_back(action.expr.arguments[0].span);
    });
  std::vector<Receiver> out;
  out.reserve(mentions.size());
  for (auto& row : mentions)
    out.push_back({row.first, folded(row.first), std::move(row.second)});
  return out;
}

/// Of two names that are a slip apart the rarer is the slip; of two that are as rare it is not
/// known, and the later is told of.
const Receiver* meantBy(const Receiver& receiver, const std::vector<Receiver>& all) {
  std::vector<const Receiver*> others;
  std::vector<std::string_view> names;
  for (const Receiver& other : all)
    if (std::pair(receiver.mentions.size(), other.mentions.front()) <
        std::pair(other.mentions.size(), receiver.mentions.front())) {
      others.push_back(&other);
      names.push_back(other.plain);
    }
  auto near = std::find_if(others.begin(), others.end(), [&](const Receiver* other) {
    return likeness(receiver.plain, other->plain, names) != Likeness::Guess;
  });
  return near == others.end() ? nullptr : *near;
}

void offerInstead(diag::Diagnostic& found, const Receiver& receiver, const Receiver& meant) {
  std::vector<Edit> edits;
  for (const Span& mention : receiver.mentions)
    edits.push_back({mention, fmt::format("\"{}\"", meant.name)});
  found.unsafeFix(fmt::format("alert {}", meant.name), std::move(edits));
}

void checkReceivers(const LintInput& input) {
  const std::vector<Receiver> all = receiversOf(input);
  for (const Receiver& receiver : all)
    if (const Receiver* meant = meantBy(receiver, all)) {
      auto& found = input.sink.report<diag::ReceiverLooksAlike>(
          receiver.mentions.front(), ticked(receiver.name), ticked(meant->name));
      found.relatedTo(meant->mentions.front(), "the other receiver");
      offerInstead(found, receiver, *meant);
      if (receiver.mentions.size() == meant->mentions.size())
        offerInstead(found, *meant, receiver);
    }
}

} // namespace

void lintActions(const LintInput& input) {
  for (const Rule& rule : input.contract.rules) {
    checkHold(input, rule);
    forEachAction(rule, [&](const Call& action) { checkFallback(input, action); });
  }
  checkReceivers(input);
}

std::string whatItSays(const Rule& rule) {
  std::string out = rule.when ? print(*rule.when) : "";
  out += " until " + (rule.until ? print(*rule.until) : "");
  forEachAction(rule, [&](const Call& action) { out += ", " + print(action.expr); });
  for (const Step& step : rule.steps)
    out += " for " + print(step.lasts);
  for (const Name& slice : rule.slices)
    out += " on " + slice.text;
  return out;
}

} // namespace tikc::lint
