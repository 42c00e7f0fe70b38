#include "lint/Actions.h"

#include "bounds/facts/Evaluate.h"
#include "checker/plan/Plan.h"
#include "lint/Lint.h"
#include "lint/RuleWords.h"
#include "model/Metrics.h"
#include "policy/Study.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

/// What ends a rule once the state that started it is over; of several states, all. One that waits
/// for data waits no longer than until they are there.
std::string untilOver(const Expr& when) {
  const Expr& state = when.kind == Expr::Kind::For ? when.arguments[0] : when;
  const bool isOne = state.kind == Expr::Kind::Call;
  if (isOne && state.text == "undecided")
    return fmt::format("not undecided({})", state.arguments[0].text);
  // So long that what comes and goes does not make the traffic flap.
  constexpr std::uint32_t calm = policy::flapWindows / 2;
  return fmt::format("satisfied({}) for {} windows", isOne ? state.arguments[0].text : "any", calm);
}

/// With what the hold begins, where that was searched for.
void showStart(const LintInput& input, const Rule& rule, diag::Diagnostic& diagnostic) {
  if (!input.policy)
    return;
  const auto& rules = input.policy->plan().rules;
  auto at = std::find_if(rules.begin(), rules.end(),
                         [&](const plan::Rule& each) { return each.id == rule.id.text; });
  if (at == rules.end())
    return;
  const auto& acts = input.policy->prospect(static_cast<std::uint32_t>(at - rules.begin())).acts;
  if (acts)
    diagnostic.note(RuleWords(input.policy->plan(), *input.policy).after("it starts", *acts) +
                    ", and no later verdict ends it");
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
  // A step ends with its windows; only the last goes on.
  const std::vector<Call>& lasting = rule.steps.empty() ? rule.actions : rule.steps.back().actions;
  auto hold = std::find_if(lasting.begin(), lasting.end(),
                           [](const Call& action) { return action.id == CallId::Hold; });
  if (hold == lasting.end())
    return;
  auto& diagnostic = input.sink.report<diag::HoldWithoutEnd>(hold->expr.span, ticked(rule.id.text));
  showStart(input, rule, diagnostic);
  const std::string until = untilOver(*rule.when);
  if (auto edit = addedUntil(input, rule, until))
    diagnostic.unsafeFix(fmt::format("end it with `until: {}`", until), {std::move(*edit)});
}

/// How strongly an action moves traffic; nothing of one that does not.
std::optional<int> strengthOf(const Call& action) {
  switch (action.id) {
  case CallId::Rollback:
    return 5;
  case CallId::Hold:
    return 4;
  case CallId::Quarantine:
    return 3;
  case CallId::Route:
    return 2;
  case CallId::Correct:
    return 1;
  default:
    return std::nullopt;
  }
}

/// Of what is done at the same time one action decides about traffic, and the others never do.
void checkTogether(const LintInput& input, const std::vector<Call>& actions) {
  const Call* deciding = nullptr;
  for (const Call& action : actions)
    if (strengthOf(action) && (!deciding || strengthOf(action) > strengthOf(*deciding)))
      deciding = &action;
  for (const Call& action : actions)
    if (strengthOf(action) && &action != deciding)
      input.sink
          .report<diag::ActionOverruled>(action.expr.span, ticked(print(action.expr)),
                                         ticked(print(deciding->expr)))
          .relatedTo(deciding->expr.span, "this action decides");
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

template <typename T> bool isSameSaid(const T& one, const T& other, auto... members) {
  return (isSameValue(one.*members, other.*members) && ...);
}

bool hasSameFlags(const Kernel& one, const Kernel& other) {
  auto has = [](const Kernel& kernel, const Setting& flag) {
    return std::any_of(kernel.flags.begin(), kernel.flags.end(), [&](const Setting& each) {
      return each.name.text == flag.name.text && each.value.value == flag.value.value;
    });
  };
  return one.flags.size() == other.flags.size() &&
         std::all_of(one.flags.begin(), one.flags.end(),
                     [&](const Setting& flag) { return has(other, flag); });
}

/// Whether the contract says of two kernels which software they are, and no difference.
bool areTwins(const Kernel& one, const Kernel& other) {
  using K = Kernel;
  return (one.build || one.version) &&
         std::equal(one.formats.begin(), one.formats.end(), other.formats.begin(),
                    isSameValue<std::string>) &&
         isSameSaid(one, other, &K::engine, &K::version, &K::build, &K::attention, &K::hardware,
                    &K::logprobs, &K::router, &K::deterministic, &K::batchInvariant,
                    &K::routingReplay, &K::experts, &K::expertsPerToken) &&
         isSameSaid(one.sampling, other.sampling, &Sampling::temperature, &Sampling::topP,
                    &Sampling::topK, &Sampling::minP) &&
         isSameSaid(one.parallel, other.parallel, &Parallel::tensor, &Parallel::data,
                    &Parallel::pipeline, &Parallel::expert, &Parallel::context) &&
         hasSameFlags(one, other);
}

/// Bits of a number; those of a format that no rounding of its own is known of tell it from finer
/// ones all the same.
std::optional<int> bitsOf(std::string_view format) {
  static constexpr std::pair<std::string_view, int> rows[] = {
      {"fp64", 64},    {"fp32", 32}, {"tf32", 19}, {"bf16", 16}, {"fp16", 16}, {"fp8_e4m3", 8},
      {"fp8_e5m2", 8}, {"mxfp8", 8}, {"int8", 8},  {"nvfp4", 4}, {"int4", 4}};
  for (const auto& [name, bits] : rows)
    if (name == format)
      return bits;
  return std::nullopt;
}

/// By their rounding where both have one, else by their bits.
bool isCoarser(std::string_view format, std::string_view than) {
  auto coarse = bounds::unitRoundoff(format), fine = bounds::unitRoundoff(than);
  if (coarse && fine)
    return *coarse > *fine;
  auto few = bitsOf(format), many = bitsOf(than);
  return few && many && *few < *many;
}

/// The parts in which a kernel's formats are coarser than another's; none where one is finer, or
/// where it is not known. In the trainer's own format nothing is lost.
std::vector<std::string_view> coarserParts(const Kernel& kernel, const Kernel& than,
                                           const Kernel& trainer) {
  static constexpr std::string_view names[kernelParts] = {"weights", "compute", "accumulate",
                                                          "kv_cache", "logits"};
  std::vector<std::string_view> out;
  for (std::size_t part = 0; part < kernelParts; ++part) {
    const auto &mine = kernel.formats[part], &theirs = than.formats[part];
    if (isSameValue(mine, theirs))
      continue;
    if (!mine || !theirs || isSameValue(mine, trainer.formats[part]) ||
        !isCoarser(mine->value, theirs->value))
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
    auto match = std::find_if(kernels.begin(), kernels.end(),
                              [&](const Kernel& kernel) { return kernel.name.text == name; });
    return match == kernels.end() ? nullptr : &*match;
  };
  const Expr& target = action.expr.arguments[0];
  const Kernel *to = named(target.text), *server = named(input.contract.chain.back().text);
  const Kernel* trainer = named(input.contract.chain.front().text);
  if (!to || !server || !trainer || to == server)
    return;
  if (areTwins(*to, *server))
    input.sink
        .report<diag::FallbackIsTwin>(target.span, ticked(target.text), ticked(server->name.text))
        .relatedTo(to->name.span, "the contract says the same of this kernel");
  if (!differInFormatsAlone(*to, *server))
    return;
  if (std::vector<std::string_view> parts = coarserParts(*to, *server, *trainer); !parts.empty())
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

void offerInstead(diag::Diagnostic& diagnostic, const Receiver& receiver, const Receiver& meant) {
  std::vector<Edit> edits;
  for (const Span& mention : receiver.mentions)
    edits.push_back({mention, fmt::format("\"{}\"", meant.name)});
  diagnostic.unsafeFix(fmt::format("alert {} everywhere", meant.name), std::move(edits));
}

void checkReceivers(const LintInput& input) {
  const std::vector<Receiver> all = receiversOf(input);
  for (const Receiver& receiver : all)
    if (const Receiver* meant = meantBy(receiver, all)) {
      auto& diagnostic = input.sink.report<diag::ReceiverLooksAlike>(
          receiver.mentions.front(), ticked(receiver.name), ticked(meant->name));
      diagnostic.relatedTo(meant->mentions.front(), "the other receiver");
      offerInstead(diagnostic, receiver, *meant);
      if (receiver.mentions.size() == meant->mentions.size())
        offerInstead(diagnostic, *meant, receiver);
    }
}

} // namespace

void lintActions(const LintInput& input) {
  for (const Rule& rule : input.contract.rules) {
    checkHold(input, rule);
    if (!input.sink.hasErrorWithin(rule.span)) {
      checkTogether(input, rule.actions);
      for (const Step& step : rule.steps)
        checkTogether(input, step.actions);
    }
    forEachAction(rule, [&](const Call& action) { checkFallback(input, action); });
  }
  checkReceivers(input);
}

const Call* lastingRoute(const Rule& rule) {
  const Call* out = nullptr;
  for (const Call& action : rule.steps.empty() ? rule.actions : rule.steps.back().actions) {
    bool isStronger = action.id == CallId::Quarantine || action.id == CallId::Hold ||
                      action.id == CallId::Rollback;
    if (isStronger)
      return nullptr;
    if (action.id == CallId::Route && !out)
      out = &action;
  }
  return out;
}

const Expr* probeArgument(const Call& route) {
  const auto& arguments = route.expr.arguments;
  auto match = std::find_if(arguments.begin(), arguments.end(),
                            [](const Expr& each) { return each.keyword.text == "probe"; });
  return match == arguments.end() ? nullptr : &*match;
}

Rational probeOf(const Call& route) {
  const Expr* probe = probeArgument(route);
  return probe ? probe->quantity.scaled() : Rational(0);
}

bool isCoherence(const Clause& clause) {
  return clause.directive && clause.directive->id == CallId::Coherent;
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
