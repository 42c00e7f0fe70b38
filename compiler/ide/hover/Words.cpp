#include "ide/hover/Words.h"

#include <algorithm>

namespace tikc::ide {

using expr::TokenKind;
using model::ParameterKind;
using model::Shape;

namespace {

class WordTeller {
public:
  WordTeller(Card& card, const HoverPlace& place, const ExprAt& expr)
      : card_(card), place_(place), expr_(expr) {}

  void run() {
    if (tellUnitHere())
      return;
    switch (entryOf(place_.path)) {
    case model::GrammarEntry::Requirement:
      return tellRequirement();
    case model::GrammarEntry::Predicate:
      return tellPredicate();
    case model::GrammarEntry::Trigger:
      return tellTrigger();
    case model::GrammarEntry::Call:
      return tellCallPart(placeOfCall());
    case model::GrammarEntry::Quantity:
    case model::GrammarEntry::None:
      return;
    }
  }

private:
  TokenKind kind() const { return expr_.kind(expr_.token); }
  std::string_view word() const { return expr_.word(); }
  bool isCalled() const { return expr_.kind(expr_.token + 1) == TokenKind::LeftParen; }

  /// A name is a unit after a number, and after `per`.
  bool tellUnitHere() {
    bool follows = expr_.token > 0 && (expr_.kind(expr_.token - 1) == TokenKind::Number ||
                                       expr_.kind(expr_.token - 1) == TokenKind::Per);
    bool isUnit = kind() == TokenKind::Percent || (kind() == TokenKind::Name && follows);
    auto unit = isUnit ? model::findUnit(word()) : std::nullopt;
    if (unit)
      tellUnit(card_, model::info(*unit));
    return unit.has_value();
  }

  bool tellNamed(std::string_view section, std::string_view name) {
    return place_.proven &&
           tellName(card_, place_.sources(), fileName(), place_.proven, section, name);
  }
  std::string fileName() const { return place_.sources().get(place_.analysis.file).name; }

  // Requirements.

  /// The keyword of the tail that the token is in; End in the comparison itself.
  TokenKind tail() const {
    for (std::size_t i = expr_.token + 1; i-- > 0;) {
      TokenKind at = expr_.kind(i);
      if (at == TokenKind::On || at == TokenKind::Over || at == TokenKind::With)
        return at;
      if (at == TokenKind::And || expr::isComparator(at))
        return TokenKind::End;
    }
    return TokenKind::End;
  }

  void tellRequirement() {
    if (TokenKind in = tail(); in != TokenKind::End)
      return tellTail(in);
    bool isClaim = place_.path.section() == "claims";
    if (kind() == TokenKind::Name) {
      const auto* aggregate = isCalled() ? model::findAggregate(word()) : nullptr;
      if (aggregate)
        return tellAggregate(card_, *aggregate);
      if (const auto* claim = isClaim ? model::findClaim(word()) : nullptr)
        return tellClaimQuantity(card_, *claim);
      if (const auto* metric = model::findMetric(word()))
        return tellMetric(card_, *metric);
    }
    if (kind() == TokenKind::Number && tellLimitHere())
      return;
    if (kind() != TokenKind::And)
      tellStatement();
  }

  void tellTail(TokenKind in) {
    if (in == TokenKind::On && kind() == TokenKind::Name && tellNamed("slices", word()))
      return;
    std::string_view key = in == TokenKind::On     ? "slices"
                           : in == TokenKind::Over ? "over"
                                                   : "confidence";
    tellKey(card_, *model::findKey(model::Map::Clause, key));
  }

  std::string_view statementId() const {
    const auto& steps = place_.path.steps;
    return steps.size() > 2 && steps[2].entry ? std::string_view(steps[2].entry->key->value)
                                              : std::string_view();
  }

  void tellStatement() { tellNamed(place_.path.section(), statementId()); }

  bool tellLimitHere() {
    if (!place_.proven)
      return false;
    for (const model::Clause& clause : place_.proven.contract->clauses)
      for (const model::Bound& bound : clause.bounds)
        if (bound.limit.span.contains(expr_.span) ||
            (bound.upper && bound.upper->span.contains(expr_.span))) {
          tellLimit(card_, place_.proven, clause, bound);
          return true;
        }
    return false;
  }

  // Predicates and triggers.

  void tellSubject(std::string_view name) {
    if (const auto* field = model::findField(name))
      tellField(card_, *field);
    else
      tellNamed("labels", name);
  }

  /// A value says what it is a value of: the name before it.
  void tellPredicate() {
    if (kind() == TokenKind::Name)
      return tellSubject(word());
    if (kind() != TokenKind::String && kind() != TokenKind::Number)
      return;
    for (std::size_t i = expr_.token; i-- > 0;)
      if (expr_.kind(i) == TokenKind::Name)
        return tellSubject(expr_.text.of(i));
  }

  void tellTrigger() {
    if (kind() != TokenKind::Name)
      return;
    if (isCalled())
      return tellCallPart(model::CallPlace::State);
    if (!tellNamed("clauses", word()))
      tellCallPart(model::CallPlace::State);
  }

  // Calls.

  model::CallPlace placeOfCall() const {
    if (place_.path.section() == "observability")
      return model::CallPlace::Directive;
    return place_.path.shape() == Shape::Correction ? model::CallPlace::Correction
                                                    : model::CallPlace::Action;
  }

  void tellCallPart(model::CallPlace place) {
    auto argument = expr_.argument();
    if (!argument) {
      if (const auto* call = model::findCall(place, word()))
        tellCall(card_, *call);
      return;
    }
    const auto* call = model::findCall(place, argument->call);
    const auto* row = call ? parameterOf(*call, argument->index) : nullptr;
    if (!row || (kind() == TokenKind::Name && tellArgument(row->kind)))
      return;
    if (kind() == TokenKind::Name || kind() == TokenKind::Number || kind() == TokenKind::String)
      tellParameter(card_, *call, *row);
  }

  /// By its keyword, where it has one, else by its place.
  const model::ParameterInfo* parameterOf(const model::CallInfo& call, std::size_t index) const {
    auto rows = model::parameters(call.id);
    std::string_view keyword = word();
    if (expr_.token > 1 && expr_.kind(expr_.token - 1) == TokenKind::Assign)
      keyword = expr_.text.of(expr_.token - 2);
    for (const auto& row : rows)
      if (row.name == keyword &&
          (keyword != word() || expr_.kind(expr_.token + 1) == TokenKind::Assign))
        return &row;
    return index < rows.size() ? &rows[index] : nullptr;
  }

  bool tellArgument(ParameterKind kind) {
    switch (kind) {
    case ParameterKind::Kernel:
      return tellNamed("kernels", word());
    case ParameterKind::Clause:
      return tellNamed("clauses", word());
    case ParameterKind::MetricOrInput:
      if (const auto* metric = model::findMetric(word()))
        return tellMetric(card_, *metric), true;
      return false;
    case ParameterKind::Correction:
      if (const auto* call = model::findCall(model::CallPlace::Correction, word()))
        return tellCall(card_, *call), true;
      return false;
    default:
      return false;
    }
  }

  Card& card_;
  const HoverPlace& place_;
  const ExprAt& expr_;
};

} // namespace

void tellWord(Card& card, const HoverPlace& place, const ExprAt& expr) {
  WordTeller(card, place, expr).run();
}

model::GrammarEntry entryOf(const NodePath& path) {
  auto shape = path.shape();
  if (!shape || path.last().kind != yaml::Node::Kind::Scalar)
    return model::GrammarEntry::None;
  // The one key whose value is of another kind in another section.
  if (*shape == Shape::Requirement && path.section() == "observability")
    return model::GrammarEntry::Call;
  return model::info(*shape).entry;
}

} // namespace tikc::ide
