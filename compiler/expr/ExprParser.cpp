#include "expr/ExprParser.h"

#include "expr/ExprBuilder.h"
#include "expr/ExprFaults.h"
#include "expr/ExprLexer.h"
#include "expr/ExprSpacing.h"
#include "expr/ParserTokens.h"
#include "model/Spans.h"
#include "support/Check.h"

#include <algorithm>
#include <utility>

namespace tikc::expr {
namespace {

using grammar::TikcParser;

/// From places in the text to places in the file.
template <typename Tree> Tree placed(Tree tree, const ExprPlace& place) {
  model::forEachSpan(tree, [&](Span& span) {
    if (span.valid())
      span = place.span(span.begin, span.end);
  });
  return tree;
}

bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

} // namespace

struct ExprParser::Impl {
  Impl(const SourceManager& sourceManager, const Limits& limitsOfRun, ExprCache* kept)
      : sources(sourceManager), limits(limitsOfRun), cache(kept ? *kept : own), parser(&tokens) {
    parser.removeErrorListeners();
    parser.setErrorHandler(std::make_shared<FirstFault>());
    parser.setBuildParseTree(false); // labels lead to all that the builder needs
    // The one decision of more than a token does not depend on the calling rules, so nothing is
    // lost.
    parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(
        antlr4::atn::PredictionMode::SLL);
  }

  /// Parses the tokens; nothing but a tree or a failure leaves it.
  template <typename Parse> std::optional<SyntaxFailure> parse(const ExprText& text, Parse rule) {
    parser.setTokenStream(&tokens); // frees the trees of the tokens before
    tokens.set(text.tokens);
    try {
      rule();
    } catch (const SyntaxFailure& failure) {
      return failure;
    }
    return std::nullopt;
  }

  /// What a parser that never saw the like of the last token would rather have had there.
  std::optional<Outlook> outlook(std::string_view text, ExprEntry entry) {
    if (text.size() > limits.expressionBytes)
      return std::nullopt;
    std::string unfinished = std::string(text) + " ?";
    ExprText attempt{unfinished, {}, entry};
    lex(attempt);
    std::size_t last = attempt.tokens.size() - 2;
    auto strange = [](const ExprToken& token) { return token.kind >= TokenKind::Unclosed; };
    auto end = attempt.tokens.begin() + static_cast<std::ptrdiff_t>(last);
    if (attempt.tokens[last].kind != TokenKind::Unknown ||
        std::any_of(attempt.tokens.begin(), end, strange) || isTooDeep(attempt, limits))
      return std::nullopt;
    auto failure = parse(attempt, [&] { enter(entry); });
    if (!failure || failure->token != last)
      return std::nullopt;
    attempt.text = text;
    attempt.tokens.erase(end);
    auto size = static_cast<std::uint32_t>(text.size());
    attempt.tokens.back() = {TokenKind::End, size, size};
    return Outlook{std::move(attempt), failure->expected};
  }

  void enter(ExprEntry entry) {
    switch (entry) {
    case ExprEntry::Requirement:
      parser.requirementEntry();
      break;
    case ExprEntry::Predicate:
      parser.predicateEntry();
      break;
    case ExprEntry::Trigger:
      parser.triggerEntry();
      break;
    case ExprEntry::Call:
      parser.callEntry();
      break;
    case ExprEntry::Quantity:
      parser.quantityEntry();
      break;
    }
  }

  bool reads(std::string_view text, ExprEntry entry) {
    if (text.size() > limits.expressionBytes)
      return false;
    if (cache.find(entry, text, limits))
      return true;
    ExprText attempt{text, {}, entry};
    lex(attempt);
    return fitToParse(attempt, limits) && !parse(attempt, [&] { enter(entry); });
  }

  template <typename Entry>
  using Built = decltype(build(std::declval<const ExprText&>(), std::declval<const Limits&>(),
                               std::declval<Entry*>(), std::declval<KeptFault&>()));

  /// Rule is an entry rule of the parser.
  template <typename Entry>
  std::optional<Built<Entry>> read(const yaml::Node& scalar, diag::Sink& sink, ExprEntry entry,
                                   Entry* (TikcParser::*rule)()) {
    if (scalar.invalid)
      return std::nullopt;
    TIKC_CHECK(scalar.kind == yaml::Node::Kind::Scalar, "only scalars are read as expressions");
    if (scalar.value.size() > limits.expressionBytes) {
      sink.report<diag::ExpressionTooLong>(
          scalar.span, static_cast<diag::MessageTypes::Count>(scalar.value.size()),
          static_cast<diag::MessageTypes::Count>(limits.expressionBytes));
      return std::nullopt;
    }
    if (scalar.isNull() || isBlank(scalar.value)) {
      sink.report<diag::EmptyExpression>(scalar.span, wanted(entry));
      return std::nullopt;
    }
    ExprPlace place(sources, scalar);
    if (const auto* known = cache.find(entry, scalar.value, limits))
      return placed(std::get<Built<Entry>>(*known), place);
    expr.text = scalar.value;
    expr.entry = entry;
    lex(expr);
    ExprReport report(expr, place, sink, [&](std::string_view text) { return reads(text, entry); });
    if (reportLexicalFault(expr, limits, report))
      return std::nullopt;

    Entry* tree = nullptr;
    if (auto failure = parse(expr, [&] { tree = (parser.*rule)(); })) {
      reportSyntaxFault(expr, *failure, report);
      return std::nullopt;
    }
    KeptFault fault;
    auto result = build(expr, limits, tree, fault);
    if (fault) {
      fault(report);
      return std::nullopt;
    }
    cache.keep(entry, scalar.value, result);
    return placed(std::move(result), place);
  }

  const SourceManager& sources;
  const Limits& limits;
  ExprCache own;
  ExprCache& cache;
  ExprText expr;
  ParserTokens tokens;
  TikcParser parser;
};

ExprParser::ExprParser(const SourceManager& sources, const Limits& limits, ExprCache* cache)
    : impl_(std::make_unique<Impl>(sources, limits, cache)) {}
ExprParser::~ExprParser() = default;

std::optional<model::Requirement> ExprParser::requirement(const yaml::Node& scalar,
                                                          diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Requirement, &TikcParser::requirementEntry);
}

std::optional<model::Expr> ExprParser::predicate(const yaml::Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Predicate, &TikcParser::predicateEntry);
}

std::optional<model::Expr> ExprParser::trigger(const yaml::Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Trigger, &TikcParser::triggerEntry);
}

std::optional<model::Expr> ExprParser::call(const yaml::Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Call, &TikcParser::callEntry);
}

std::optional<model::Amount> ExprParser::quantity(const yaml::Node& scalar, diag::Sink& sink) {
  return impl_->read(scalar, sink, ExprEntry::Quantity, &TikcParser::quantityEntry);
}

std::optional<Outlook> ExprParser::outlook(std::string_view text, ExprEntry entry) {
  return impl_->outlook(text, entry);
}

std::optional<std::string> ExprParser::spaced(std::string_view text, model::GrammarEntry entry) {
  auto read = exprEntryOf(entry);
  if (!read || !impl_->reads(text, *read))
    return std::nullopt;
  ExprText before{text, {}};
  lex(before);
  std::string out = expr::spaced(before);
  ExprText after{out, {}};
  lex(after);
  bool same = std::equal(before.tokens.begin(), before.tokens.end(), after.tokens.begin(),
                         after.tokens.end(), [&](const ExprToken& a, const ExprToken& b) {
                           return a.kind == b.kind && before.of(a) == after.of(b);
                         });
  return same ? std::optional(out) : std::nullopt;
}

} // namespace tikc::expr
