#include "sema/Types.h"

#include "sema/CallAdvice.h"
#include "sema/ForeignNames.h"
#include "support/Check.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::sema {

using namespace model;
using model::CallInfo;
using model::CallPlace;
using model::Measured;
using model::ParameterInfo;
using model::ParameterKind;
using utf8::ticked;

namespace {

std::string_view placeName(CallPlace place) {
  static constexpr std::string_view names[] = {"an action", "a directive", "a correction",
                                               "a state"};
  return names[static_cast<std::size_t>(place)];
}

class CallTyper {
public:
  CallTyper(FileContext& context, const Symbols& symbols) : context_(context), symbols_(symbols) {}

  const CallInfo* type(const Expr& expr, CallPlace place) {
    bool callable = expr.kind == Expr::Kind::Name || expr.kind == Expr::Kind::Call;
    const CallInfo* call = callable ? model::findCall(place, expr.text) : nullptr;
    if (!call) {
      unknown(expr, place, callable);
      return nullptr;
    }
    return arguments(expr, *call) ? call : nullptr;
  }

private:
  void unknown(const Expr& expr, CallPlace place, bool callable) {
    if (!callable) {
      context_.sink.report<diag::WrongArgument>(expr.span, placeName(place),
                                                ticked(context_.sources.text(expr.span)));
      return;
    }
    std::vector<std::string_view> known;
    for (const CallInfo& row : model::calls())
      if (row.place == place)
        known.push_back(row.name);
    bool isForeign = place == CallPlace::Action &&
                     !model::findAliases(model::AliasOf::Action, expr.text).empty();
    auto& found = isForeign
                      ? reportUnknown<diag::UnknownCall>(context_, expr.text, expr.nameSpan, known,
                                                         model::AliasOf::Action)
                      : context_.sink.report<diag::UnknownCall>(expr.nameSpan, ticked(expr.text));
    if (!isForeign && !found.offerNearest(expr.nameSpan, expr.text, known) &&
        place == CallPlace::Action && expr.kind == Expr::Kind::Name)
      noteAlert(found, expr.text);
    found.note(fmt::format("{} is one of {}", placeName(place), joinAlternatives(known)));
  }

  bool arguments(const Expr& expr, const CallInfo& call) {
    auto parameters = model::parameters(call.id);
    std::vector<const Expr*> given(parameters.size(), nullptr);
    std::size_t next = 0;
    bool good = true;
    for (const Expr& argument : expr.arguments) {
      std::size_t place =
          argument.keyword.text.empty() ? next++ : indexOf(parameters, argument.keyword.text);
      if (place >= parameters.size()) {
        tooMany(expr, argument, parameters);
        good = false;
      } else if (given[place]) {
        context_.sink.report<diag::DuplicateArgument>(argument.span, ticked(parameters[place].name))
            .relatedTo(given[place]->span, "first given here");
        good = false;
      } else {
        given[place] = &argument;
        good &= check(argument, parameters[place]);
      }
    }
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!given[i] && parameters[i].needed) {
        context_.sink
            .report<diag::MissingArgument>(expr.span, ticked(call.name), ticked(parameters[i].name))
            .note(signature(call));
        good = false;
      }
    return good && checkTogether(expr, call, given);
  }

  static std::size_t indexOf(std::span<const ParameterInfo> parameters, std::string_view name) {
    auto found = std::find_if(parameters.begin(), parameters.end(),
                              [&](const ParameterInfo& row) { return row.name == name; });
    return static_cast<std::size_t>(found - parameters.begin());
  }

  void tooMany(const Expr& expr, const Expr& argument, std::span<const ParameterInfo> parameters) {
    if (argument.keyword.text.empty()) {
      context_.sink.report<diag::WrongArgumentCount>(argument.span, ticked(expr.text),
                                                     parameters.size(), expr.arguments.size());
      return;
    }
    std::vector<std::string_view> names;
    for (const ParameterInfo& row : parameters)
      names.push_back(row.name);
    reportUnknown<diag::UnknownArgument>(context_, argument.keyword.text, argument.keyword.span,
                                         names);
  }

  bool check(const Expr& argument, const ParameterInfo& parameter) {
    if (isNamed(parameter.kind) && argument.keyword.text.empty()) {
      context_.sink.report<diag::ArgumentNeedsName>(argument.span, ticked(parameter.name))
          .fix(fmt::format("write {}=", parameter.name),
               {{argument.span.start(), fmt::format("{}=", parameter.name)}});
      return false;
    }
    switch (parameter.kind) {
    case ParameterKind::Text:
    case ParameterKind::NamedText:
      return argument.kind == Expr::Kind::String ? notEmpty(argument, parameter)
                                                 : wantText(argument, parameter);
    case ParameterKind::Number:
      return number(argument, parameter);
    case ParameterKind::Share:
      return argument.kind == Expr::Kind::Quantity
                 ? checkShare(context_, argument.quantity, false, ticked(parameter.name))
                 : wrong(argument, "a share such as 1%");
    case ParameterKind::NamedShare:
      return argument.kind == Expr::Kind::Quantity ? probe(argument, parameter)
                                                   : wrong(argument, "a share such as 1%");
    case ParameterKind::Confidence:
      return argument.kind == Expr::Kind::Quantity ? checkLevel(context_, argument.quantity)
                                                   : wrong(argument, "a confidence such as 99%");
    case ParameterKind::Duration:
      return argument.kind == Expr::Kind::Quantity
                 ? checkAmount(context_, argument.quantity, {Dimension::Time},
                               ticked(parameter.name))
                 : wrong(argument, "a duration such as 30 d");
    case ParameterKind::Kernel:
      return name<diag::UnknownKernel>(argument, "a kernel", symbols_.kernelNames());
    case ParameterKind::Clause:
      return clause(argument);
    case ParameterKind::MetricOrInput:
      return name<diag::UnknownArgument>(argument, parameter.meaning, metricsAndInputs());
    case ParameterKind::Input:
    case ParameterKind::ReplayKind:
    case ParameterKind::Retained:
    case ParameterKind::Correction:
    case ParameterKind::Drawn:
      return name<diag::UnknownArgument>(argument, parameter.meaning, model::words(parameter.kind));
    }
    TIKC_CHECK(false, "each kind of parameter has its case");
  }

  static std::vector<std::string_view> metricsAndInputs() {
    auto words = model::words(ParameterKind::Input);
    std::vector<std::string_view> out(words.begin(), words.end());
    for (const model::MetricInfo& metric : model::metrics())
      out.push_back(metric.symbol);
    return out;
  }

  bool wrong(const Expr& argument, std::string_view wanted) {
    context_.sink.report<diag::WrongArgument>(argument.span, wanted,
                                              ticked(context_.sources.text(argument.span)));
    return false;
  }

  bool wantText(const Expr& argument, const ParameterInfo& parameter) {
    auto& found = context_.sink.report<diag::WrongArgument>(
        argument.span, fmt::format("a quoted text for `{}`", parameter.name),
        ticked(context_.sources.text(argument.span)));
    if (argument.kind == Expr::Kind::Name)
      found.fix("quote it",
                {{argument.nameSpan.start(), "\""}, {argument.nameSpan.finish(), "\""}});
    return false;
  }

  bool notEmpty(const Expr& argument, const ParameterInfo& parameter) {
    return !argument.text.empty() ||
           wrong(argument, fmt::format("a non-empty text for `{}`", parameter.name));
  }

  bool number(const Expr& argument, const ParameterInfo& parameter) {
    if (argument.kind != Expr::Kind::Quantity)
      return wrong(argument, fmt::format("a number for `{}`", parameter.name));
    if (!checkUnit(context_, argument.quantity, Measured::None, ticked(parameter.name)))
      return false;
    if (argument.quantity.value >= 0)
      return true;
    context_.sink.report<diag::ValueOutOfRange>(argument.span, ticked(parameter.name),
                                                ticked(context_.sources.text(argument.span)),
                                                "0 or more");
    return false;
  }

  /// The share of traffic that stays.
  bool probe(const Expr& argument, const ParameterInfo& parameter) {
    if (!checkShare(context_, argument.quantity, false, ticked(parameter.name)))
      return false;
    if (argument.quantity.scaled() < 1)
      return true;
    context_.sink
        .report<diag::ShareOutOfRange>(argument.span, ticked(parameter.name),
                                       ticked(context_.sources.text(argument.span)))
        .note("a route whose probe keeps all traffic has no effect; 1% is usual");
    return false;
  }

  /// A claim, or a metric where the clause about it was meant.
  bool meansOther(const Expr& argument) {
    const auto clauses = symbols_.clauseNames();
    if (std::find(clauses.begin(), clauses.end(), argument.text) != clauses.end())
      return false;
    if (symbols_.isClaim(argument.text)) {
      context_.sink.report<diag::UnknownClause>(argument.nameSpan, ticked(argument.text))
          .withLabel("a claim")
          .note("a claim is proved, not measured: name the clauses that it uses");
      return true;
    }
    const std::vector<std::string_view> about = symbols_.clausesAbout(argument.text);
    if (about.empty())
      return false;
    auto& found =
        context_.sink.report<diag::UnknownClause>(argument.nameSpan, ticked(argument.text));
    found.withLabel("a metric");
    for (std::string_view each : about)
      found.unsafeFix(fmt::format("name {}, the clause on it", ticked(each)),
                      {{argument.nameSpan, std::string(each)}});
    return true;
  }

  bool clause(const Expr& argument) {
    if (argument.kind == Expr::Kind::Name && meansOther(argument))
      return false;
    if (argument.kind != Expr::Kind::Name || !symbols_.isDirective(argument.text))
      return name<diag::UnknownClause>(argument, "a clause", symbols_.clauseNames());
    context_.sink.report<diag::UnknownClause>(argument.nameSpan, ticked(argument.text))
        .withLabel("a directive, which has no verdict");
    return false;
  }

  template <typename Kind>
  bool name(const Expr& argument, std::string_view what, std::span<const std::string_view> known) {
    if (argument.kind != Expr::Kind::Name)
      return wrong(argument, what);
    if (std::find(known.begin(), known.end(), argument.text) != known.end())
      return true;
    reportUnknown<Kind>(context_, argument.text, argument.nameSpan, known);
    return false;
  }

  /// What no single argument can say: thresholds in order, and the second one of `correct`.
  bool checkTogether(const Expr& expr, const CallInfo& call,
                     const std::vector<const Expr*>& given) {
    if (call.id == CallId::Correct)
      return checkCorrect(expr, call, given);
    return call.id != CallId::MaskedIs || ordered(*given[0], *given[1]);
  }

  bool checkCorrect(const Expr& expr, const CallInfo& call, const std::vector<const Expr*>& given) {
    const std::string& correction = given[0]->text;
    bool two = correction == "mis" || correction == "ppo";
    if (!given[1] || two != (given[2] != nullptr)) {
      context_.sink
          .report<diag::WrongArgumentCount>(expr.span, ticked(call.name), two ? 3u : 2u,
                                            expr.arguments.size())
          .note(two ? "write correct(mis, low, high) or correct(ppo, low, high)"
                    : "write correct(tis, cap) or correct(clip, c)");
      return false;
    }
    return correction != "mis" || ordered(*given[1], *given[2]);
  }

  bool ordered(const Expr& low, const Expr& high) {
    if (low.quantity.scaled() < high.quantity.scaled())
      return true;
    reportReversed(context_, low.span, high.span, low.quantity.scaled() == high.quantity.scaled());
    return false;
  }

  static std::string signature(const CallInfo& call) {
    std::string out = fmt::format("write {}(", call.name);
    bool first = true;
    for (const ParameterInfo& row : model::parameters(call.id)) {
      out += fmt::format("{}{}{}", first ? "" : ", ", row.name, isNamed(row.kind) ? "=…" : "");
      first = false;
    }
    return out + ")";
  }

  FileContext& context_;
  const Symbols& symbols_;
};

} // namespace

bool typeCall(FileContext& context, const Symbols& symbols, Call& call, CallPlace place) {
  const CallInfo* found = CallTyper(context, symbols).type(call.expr, place);
  if (found)
    call.id = found->id;
  return found;
}

bool typeTrigger(FileContext& context, const Symbols& symbols, const Expr& trigger) {
  switch (trigger.kind) {
  case Expr::Kind::And:
  case Expr::Kind::Or:
  case Expr::Kind::Not: {
    bool good = true;
    for (const Expr& part : trigger.arguments)
      good &= typeTrigger(context, symbols, part);
    return good;
  }
  case Expr::Kind::For: {
    bool good = typeTrigger(context, symbols, trigger.arguments[0]);
    return checkAmount(context, trigger.arguments[1].quantity, {Dimension::Windows}, "`for`") &&
           good;
  }
  default:
    return CallTyper(context, symbols).type(trigger, CallPlace::State) != nullptr;
  }
}

} // namespace tikc::sema
