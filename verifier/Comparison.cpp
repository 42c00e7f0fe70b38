#include "verifier/Comparison.h"

#include "verifier/Yaml.h"

#include <algorithm>

namespace verify {
namespace {

Rational numberOf(std::string_view text) {
  std::string digits;
  std::size_t i = 0, point = std::string_view::npos;
  for (; i < text.size() && (isDigit(text[i]) || text[i] == '_' || (text[i] == '.' && point > i));
       ++i) {
    if (isDigit(text[i]))
      digits += text[i];
    point = text[i] == '.' ? digits.size() : point;
  }
  std::int64_t scale =
      point > i ? 0 : static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digits.size());
  std::string_view power = i < text.size() ? text.substr(i + 1) : "0";
  bool isNegative = power.starts_with('-');
  power.remove_prefix(isNegative || power.starts_with('+') ? 1 : 0);
  bool plain = !digits.empty() && digits.size() <= 10'000 &&
               (i >= text.size() || (text[i] | 0x20) == 'e') && !power.empty() &&
               power.size() <= 4 && std::all_of(power.begin(), power.end(), isDigit);
  if (!plain)
    unreadable("a number is expected");
  scale += (isNegative ? -1 : 1) * Integer::parse(power).small();
  Integer whole = Integer::parse(digits), ten = 1;
  for (std::int64_t n = scale < 0 ? -scale : scale; n > 0; --n)
    ten = ten * 10;
  return scale < 0 ? Rational(whole, ten) : Rational(whole * ten, 1);
}

void readMetric(Tokens& in, Comparison& out) {
  out.metric = in.name();
  out.absolute = out.metric == "abs" && in.take("(");
  if (out.absolute) {
    out.metric = in.name();
    in.expect(")");
  } else if (in.take("(")) {
    do
      out.parameters.push_back(in.amount().value);
    while (in.take(","));
    in.expect(")");
  }
}

void readSubject(Tokens& in, Comparison& out) {
  static const std::map<std::string, Rational> levels = {{"p50", {1, 2}},       {"p90", {9, 10}},
                                                         {"p95", {19, 20}},     {"p99", {99, 100}},
                                                         {"p999", {999, 1000}}, {"quantile", 0}};
  std::string name = in.name();
  auto level = levels.find(name);
  bool aggregates =
      level != levels.end() || name == "max" || name == "min" || name == "mean" || name == "rate";
  if (!aggregates) {
    out.metric = name;
    return;
  }
  out.aggregate = level == levels.end() ? name : "quantile";
  in.expect("(");
  readMetric(in, out);
  if (level != levels.end())
    out.level = level->second;
  if (name == "quantile") {
    in.expect(",");
    out.level = in.amount().value;
  }
  if (name == "rate" && (in.take("<") || in.take("<=")))
    out.parameters.push_back(in.amount().value);
  in.expect(")");
}

} // namespace

void Tokens::expect(std::string_view word) {
  if (!take(word))
    unreadable("'" + std::string(word) + "' is expected");
}

std::string Tokens::name() {
  if (token_.empty() || !isNameCharacter(token_[0]) || isDigit(token_[0]))
    unreadable("a name is expected");
  return any();
}

Amount Tokens::amount() {
  bool isNegative = take("-");
  Amount out{numberOf(any()), false};
  out.value = isNegative ? Rational(0) - out.value : out.value;
  if (take("%"))
    out.value = out.value * Rational(1, 100);
  else if (!take("nat") && !take("tokens") && !take("requests") && !take("sequences"))
    out.inBits = take("bit");
  return out;
}

void Tokens::next() {
  rest_ = trimmed(rest_);
  std::size_t size = rest_.empty() ? 0 : 1;
  bool isNumber = size == 1 && (isDigit(rest_[0]) || rest_[0] == '.');
  auto goesOn = [&](char c, char before) {
    return isNumber ? isDigit(c) || has("_.eE", c) || (has("+-", c) && has("eE", before))
                    : isNameCharacter(c);
  };
  if (isNumber || (size == 1 && isNameCharacter(rest_[0])))
    while (size < rest_.size() && goesOn(rest_[size], rest_[size - 1]))
      ++size;
  else if (rest_.size() > 1 && rest_[1] == '=' && has("<>=!", rest_[0]))
    size = 2;
  token_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
}

Comparison readComparison(Tokens& in) {
  Comparison out;
  readSubject(in, out);
  std::string op = in.any();
  if (op == "in") {
    in.expect("[");
    out.limits.emplace_back(">=", in.amount());
    in.expect(",");
    out.limits.emplace_back("<=", in.amount());
    in.expect("]");
  } else if (op == "==") {
    out.limits = {{"<=", in.amount()}};
    out.limits.emplace_back(">=", out.limits[0].second);
  } else if (op == "<=" || op == "<" || op == ">=" || op == ">") {
    out.limits.emplace_back(op, in.amount());
  } else {
    unreadable("a comparison is expected");
  }
  while (!in.is("") && !in.is("and")) {
    if (in.take("on")) {
      out.onAll = in.take("all");
      if (!out.onAll && !in.take("slices"))
        do
          out.slices.push_back(in.name());
        while (in.take(","));
    } else if (in.take("over")) {
      in.amount();
      if (!in.is("on") && !in.is("with") && !in.is("and") && !in.is(""))
        in.name();
    } else {
      in.expect("with");
      in.expect("confidence");
      in.amount();
    }
  }
  return out;
}

} // namespace verify
