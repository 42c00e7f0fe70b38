#include "expr/ExprBuilder.h"

#include "support/Check.h"
#include "support/Utf8.h"

#include <algorithm>

namespace tikc::expr {

using grammar::TikcParser;
using utf8::ticked;

namespace {

/// Of a place that is set.
constexpr FileId ofText{0};

class Builder {
public:
  Builder(const ExprText& expr, const Limits& limits) : expr_(expr), limits_(limits) {}

  KeptFault fault; // has a copy of the builder, since it may outlive it

  model::Requirement requirement(TikcParser::RequirementContext* tree) {
    model::Requirement out;
    out.span = span(tree);
    out.comparisons.reserve(tree->parts.size());
    for (TikcParser::ComparisonContext* part : tree->parts)
      out.comparisons.push_back(comparison(part));
    checkLastTails(tree);
    return out;
  }

  model::Expr predicate(TikcParser::PredicateContext* tree) {
    return joined(model::Expr::Kind::Or, tree, [this](TikcParser::ConjunctionContext* conjunction) {
      return joined(model::Expr::Kind::And, conjunction,
                    [this](TikcParser::NegationContext* part) { return negation(part); });
    });
  }

  model::Expr trigger(TikcParser::TriggerContext* tree) {
    return joined(
        model::Expr::Kind::Or, tree, [this](TikcParser::StateConjunctionContext* conjunction) {
          return joined(model::Expr::Kind::And, conjunction,
                        [this](TikcParser::StateNegationContext* part) { return negation(part); });
        });
  }

  model::Expr term(TikcParser::TermContext* tree) {
    model::Expr out = named(tree->name, tree);
    if (tree->stop != tree->name)
      call(out, tree->list);
    return out;
  }

  model::Amount quantity(TikcParser::QuantityContext* tree) {
    model::Amount out;
    out.span = span(tree);
    std::size_t number = index(tree->number);
    out.numberSpan = span(index(tree->start), number);
    std::string digits(expr_.of(number));
    std::erase(digits, '_');
    std::optional<Rational> value = parseDecimal(digits, limits_);
    TIKC_CHECK(value, "a number was checked when it was a token");
    out.value = tree->sign ? Rational(-*value) : std::move(*value);
    if (tree->unit)
      out.unit = unit(tree->unit);
    if (tree->per)
      out.per = unit(tree->per);
    if (out.per && *out.per != model::Unit::None &&
        model::info(*out.per).dimension != model::Dimension::Time)
      keep([at = index(tree->per), *this](ExprReport& report) {
        reportUnknownUnit(expr_, at, report);
      });
    return out;
  }

private:
  static std::size_t index(const antlr4::Token* token) { return token->getTokenIndex(); }
  Span span(std::size_t first, std::size_t last) const {
    return {ofText, expr_.tokens[first].begin, expr_.tokens[last].end};
  }
  Span span(const antlr4::ParserRuleContext* tree) const {
    return span(index(tree->start), index(tree->stop));
  }
  Span span(const antlr4::Token* token) const { return span(index(token), index(token)); }
  std::string text(const antlr4::Token* token) const { return std::string(expr_.of(index(token))); }

  void keep(KeptFault report) {
    if (!fault)
      fault = std::move(report);
  }

  model::Unit unit(const antlr4::Token* token) {
    std::size_t at = index(token);
    std::optional<model::Unit> found = model::findUnit(expr_.of(at));
    if (!found)
      keep([at, *this](ExprReport& report) { reportUnknownUnit(expr_, at, report); });
    return found.value_or(model::Unit::None);
  }

  static model::Comparator comparator(TokenKind kind) {
    return static_cast<model::Comparator>(static_cast<int>(kind) -
                                          static_cast<int>(TokenKind::LessEqual));
  }

  model::Comparison comparison(TikcParser::ComparisonContext* tree) {
    model::Comparison out;
    out.span = span(tree);
    out.subject = term(tree->subject);
    if (tree->relation) {
      std::size_t sign = index(tree->relation->start);
      out.comparator = comparator(expr_.kind(sign));
      out.comparatorSpan = span(sign, sign);
      out.bound = quantity(tree->bound);
      if (out.comparator == model::Comparator::NotEqual)
        keep([sign, *this](ExprReport& report) {
          report.at<diag::NotEqualRequirement>(expr_.tokens[sign]);
        });
    } else {
      std::size_t in = index(tree->within->start) - 1;
      out.comparatorSpan = span(in, in);
      out.bound = quantity(tree->within->low);
      out.upper = quantity(tree->within->high);
    }
    tails(tree, out);
    return out;
  }

  void tails(TikcParser::ComparisonContext* tree, model::Comparison& out) {
    const antlr4::Token* scope = nullptr;
    const antlr4::Token* over = nullptr;
    const antlr4::Token* confidence = nullptr;
    for (TikcParser::TailContext* tail : tree->tails) {
      const antlr4::Token*& seen = tail->window ? over : tail->level ? confidence : scope;
      if (seen) {
        keep([first = index(seen), second = index(tail->start), last = index(tail->stop),
              *this](ExprReport& report) { duplicateTail(first, second, last, report); });
        continue;
      }
      seen = tail->start;
      if (tail->window)
        out.over = quantity(tail->window);
      else if (tail->level)
        out.confidence = quantity(tail->level);
      else
        out.scope = scopeOf(tail);
    }
  }

  enum class TailKind : std::uint8_t { Scope, Over, Confidence };
  static TailKind kindOf(const TikcParser::TailContext* tail) {
    return tail->window ? TailKind::Over : tail->level ? TailKind::Confidence : TailKind::Scope;
  }

  /// What the last comparison says after its bound could be meant of all of them.
  void checkLastTails(TikcParser::RequirementContext* tree) {
    for (TikcParser::TailContext* tail : tree->parts.back()->tails) {
      if (tail->each) // as where nothing is said
        continue;
      auto lacks = [&](const TikcParser::ComparisonContext* part) {
        return std::none_of(part->tails.begin(), part->tails.end(),
                            [&](const auto* other) { return kindOf(other) == kindOf(tail); });
      };
      std::vector<std::size_t> ends; // of those that lack it
      for (TikcParser::ComparisonContext* part : tree->parts)
        if (lacks(part))
          ends.push_back(index(part->stop));
      if (!ends.empty())
        return keep([*this, ends, first = index(tail->start), last = index(tail->stop),
                     begin = index(tree->start), own = index(tree->parts.back()->start),
                     end = index(tree->stop)](ExprReport& report) {
          sharedTail(ends, {first, last}, {begin, own, end}, report);
        });
    }
  }

  struct Tokens {
    std::size_t first, last;
  };
  struct Comparisons {
    std::size_t first, ownFirst, last;
  };
  void sharedTail(const std::vector<std::size_t>& ends, Tokens tail, Comparisons all,
                  ExprReport& report) const {
    std::string said(expr_.of(tail.first, tail.last)), own(expr_.of(all.ownFirst, tail.first - 1));
    auto& finding = report.at<diag::SharedTail>(
        expr_.tokens[tail.first].begin, expr_.tokens[tail.last].end, ticked(said), ticked(own));
    std::vector<ExprEdit> ofAll;
    ofAll.reserve(ends.size());
    for (std::size_t at : ends)
      ofAll.push_back({expr_.tokens[at].end, expr_.tokens[at].end, ' ' + said});
    report.fix(finding, "repeat it after each comparison", ofAll, false);
    std::uint32_t start = expr_.tokens[all.first].begin;
    report.fixIfItReads(finding, "apply it to the last comparison alone, and put that one first",
                        {{start, start, std::string(expr_.of(all.ownFirst, all.last)) + " and "},
                         {expr_.tokens[all.ownFirst - 2].end, expr_.tokens[all.last].end, ""}},
                        false);
  }

  void duplicateTail(std::size_t first, std::size_t second, std::size_t last,
                     ExprReport& report) const {
    std::string_view what = expr_.kind(second) == TokenKind::Over   ? "a window"
                            : expr_.kind(second) == TokenKind::With ? "a confidence level"
                                                                    : "a scope";
    std::uint32_t end = expr_.tokens[last].end;
    auto& finding = report.at<diag::DuplicateTail>(expr_.tokens[second].begin, end, what);
    report.relate(finding, expr_.tokens[first], "the first one");
    report.fix(finding, "remove the second", {{expr_.tokens[second - 1].end, end, ""}}, false);
  }

  model::Scope scopeOf(TikcParser::TailContext* tail) const {
    model::Scope out;
    out.span = span(tail);
    out.kind = tail->all    ? model::Scope::Kind::All
               : tail->each ? model::Scope::Kind::EachSlice
                            : model::Scope::Kind::Named;
    for (const antlr4::Token* name : tail->names)
      out.slices.push_back({text(name), span(name)});
    return out;
  }

  model::Expr named(const antlr4::Token* name, const antlr4::ParserRuleContext* tree) const {
    model::Expr out;
    out.text = text(name);
    out.nameSpan = span(name);
    out.span = span(tree);
    return out;
  }

  void call(model::Expr& out, const std::vector<TikcParser::ArgumentContext*>& list) {
    out.kind = model::Expr::Kind::Call;
    out.arguments.reserve(list.size());
    for (TikcParser::ArgumentContext* argument : list) {
      out.arguments.push_back(value(argument->value));
      if (argument->keyword)
        out.arguments.back().keyword = {text(argument->keyword), span(argument->keyword)};
    }
  }

  /// An argument: an operand by itself, or a condition.
  model::Expr value(TikcParser::PredicateContext* tree) {
    if (tree->parts.size() == 1 && tree->parts[0]->parts.size() == 1)
      if (auto* single = tree->parts[0]->parts[0]->single;
          single && !single->relation && !single->members)
        return operand(single->left);
    return predicate(tree);
  }

  template <typename Tree, typename Part>
  model::Expr joined(model::Expr::Kind kind, Tree* tree, Part part) {
    if (tree->parts.size() == 1)
      return part(tree->parts[0]);
    model::Expr out;
    out.kind = kind;
    out.span = span(tree);
    out.arguments.reserve(tree->parts.size());
    for (auto* each : tree->parts)
      out.arguments.push_back(part(each));
    return out;
  }

  model::Expr group(TikcParser::PredicateContext* tree) { return predicate(tree); }
  model::Expr group(TikcParser::TriggerContext* tree) { return trigger(tree); }

  template <typename Tree> model::Expr negation(Tree* tree) {
    if (tree->group)
      return group(tree->group);
    if (tree->single)
      return leaf(tree->single);
    model::Expr out;
    out.kind = model::Expr::Kind::Not;
    out.span = span(tree);
    out.arguments.push_back(negation(tree->inner));
    return out;
  }

  model::Expr leaf(TikcParser::ConditionContext* tree) {
    model::Expr out;
    out.span = span(tree);
    out.arguments.reserve(2);
    out.arguments.push_back(operand(tree->left));
    std::size_t after = index(tree->left->stop) + 1;
    out.nameSpan = span(after, after);
    if (tree->relation) {
      out.kind = model::Expr::Kind::Compare;
      out.comparator = comparator(expr_.kind(after));
      out.arguments.push_back(operand(tree->right));
    } else if (tree->members) {
      out.kind = model::Expr::Kind::In;
      out.arguments.push_back(set(tree->members));
    } else {
      keep([after, *this](ExprReport& report) {
        SyntaxFailure failure;
        failure.token = after;
        failure.expected.add(TokenKind::LessEqual);
        reportSyntaxFault(expr_, failure, report);
      });
    }
    return out;
  }

  model::Expr leaf(TikcParser::StateContext* tree) {
    model::Expr state = named(tree->name, tree);
    call(state, tree->list);
    if (!tree->count)
      return state;
    state.span = span(index(tree->start), index(tree->count->start) - 2);
    model::Expr out;
    out.kind = model::Expr::Kind::For;
    out.span = span(tree);
    out.arguments.reserve(2);
    out.arguments.push_back(std::move(state));
    out.arguments.push_back(number(tree->count));
    return out;
  }

  model::Expr operand(TikcParser::OperandContext* tree) {
    if (tree->call)
      return term(tree->call);
    return tree->number ? number(tree->number) : string(tree->text);
  }

  model::Expr number(TikcParser::QuantityContext* tree) {
    model::Expr out;
    out.kind = model::Expr::Kind::Quantity;
    out.quantity = quantity(tree);
    out.span = out.quantity.span;
    return out;
  }

  model::Expr string(const antlr4::Token* token) const {
    model::Expr out;
    out.kind = model::Expr::Kind::String;
    out.text = unescape(expr_.of(index(token)));
    out.span = span(token);
    return out;
  }

  model::Expr set(TikcParser::SetContext* tree) {
    model::Expr out;
    out.kind = model::Expr::Kind::Set;
    out.span = span(tree);
    out.arguments.reserve(tree->list.size());
    for (TikcParser::MemberContext* member : tree->list)
      out.arguments.push_back(member->text     ? string(member->text)
                              : member->number ? number(member->number)
                                               : named(member->name, member));
    return out;
  }

  const ExprText& expr_;
  const Limits& limits_;
};

template <typename Tree, typename Read>
auto made(const ExprText& expr, const Limits& limits, Tree* entry, KeptFault& fault, Read read) {
  Builder builder(expr, limits);
  auto out = (builder.*read)(entry->whole);
  fault = std::move(builder.fault);
  return out;
}

} // namespace

model::Requirement build(const ExprText& expr, const Limits& limits,
                         TikcParser::RequirementEntryContext* tree, KeptFault& fault) {
  return made(expr, limits, tree, fault, &Builder::requirement);
}
model::Expr build(const ExprText& expr, const Limits& limits,
                  TikcParser::PredicateEntryContext* tree, KeptFault& fault) {
  return made(expr, limits, tree, fault, &Builder::predicate);
}
model::Expr build(const ExprText& expr, const Limits& limits, TikcParser::TriggerEntryContext* tree,
                  KeptFault& fault) {
  return made(expr, limits, tree, fault, &Builder::trigger);
}
model::Expr build(const ExprText& expr, const Limits& limits, TikcParser::CallEntryContext* tree,
                  KeptFault& fault) {
  return made(expr, limits, tree, fault, &Builder::term);
}
model::Amount build(const ExprText& expr, const Limits& limits,
                    TikcParser::QuantityEntryContext* tree, KeptFault& fault) {
  return made(expr, limits, tree, fault, &Builder::quantity);
}

} // namespace tikc::expr
