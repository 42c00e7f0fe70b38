#include "verifier/Formula.h"

#include <algorithm>
#include <map>

namespace verify {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

std::string_view take(std::string_view& text, std::string_view separator) {
  std::size_t end = std::min(text.find(separator), text.size());
  std::string_view out = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return out;
}

bool isOneOf(std::string_view text, std::string_view word) {
  constexpr std::string_view separators = " |]";
  auto ends = [&](std::size_t at) {
    return at >= text.size() || separators.find(text[at]) != std::string_view::npos;
  };
  const bool isWord = !word.empty() && word.find(' ') == std::string_view::npos;
  std::size_t at = isWord ? text.find(word) : std::string_view::npos;
  while (at != std::string_view::npos && !(ends(at - 1) && ends(at + word.size())))
    at = text.find(word, at + 1);
  return at != std::string_view::npos;
}

bool Tokens::take(std::string_view word) {
  const bool found = is(word);
  if (found)
    next();
  return found;
}

void Tokens::expect(std::string_view word) { require(take(word), "its text cannot be read"); }

std::string Tokens::any() {
  std::string out(token_);
  next();
  return out;
}

std::string Tokens::name() {
  require(!token_.empty() && isNameCharacter(token_[0]) && !isNumber(),
          "its text cannot be read: a name is expected");
  return any();
}

Number Tokens::number() {
  const std::string text = any();
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  std::string digits = text.substr(0, mark),
              power = mark < text.size() ? text.substr(mark + 1) : "0";
  std::erase(digits, '_');
  const bool isSmall = power.starts_with('-');
  power.erase(0, isSmall || power.starts_with('+') ? 1 : 0);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  digits.erase(point, 1);
  require(isDigits(digits) && digits.size() < 10'000 && isDigits(power) && power.size() < 5,
          "its text cannot be read: a number is expected");
  auto places = static_cast<std::int64_t>(digits.size() - point);
  places += Integer::parse(power).small() * (isSmall ? 1 : -1);
  const std::string zeros(static_cast<std::size_t>(std::abs(places)), '0');
  return {Integer::parse(digits + (places < 0 ? zeros : "")),
          Integer::parse("1" + (places > 0 ? zeros : ""))};
}

std::string Tokens::textTo(const Tokens& later) const {
  const std::size_t ahead = token_.size() + rest_.size(),
                    left = later.token_.size() + later.rest_.size();
  std::string out(std::string_view(token_.data(), ahead).substr(0, ahead - left));
  out.erase(out.find_last_not_of(" \t\r\n") + 1);
  return out;
}

void Tokens::next() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \r\n"), rest_.size()));
  std::size_t size = rest_.empty() ? 0 : 1;
  token_ = rest_.substr(0, 2);
  bool number = isNumber(), name = size == 1 && isNameCharacter(rest_[0]);
  auto goesOn = [&](char c, char before) {
    bool isPower = (before == 'e' || before == 'E') && (c == '+' || c == '-');
    return isNameCharacter(c) || (number && (c == '.' || isPower));
  };
  while ((number || name) && size < rest_.size() && goesOn(rest_[size], rest_[size - 1]))
    ++size;
  size = !number && !name && token_.ends_with('=') ? token_.size() : size;
  // A text in quotes is one sign, with whatever a backslash hides.
  if (size > 0 && (rest_[0] == '"' || rest_[0] == '\'')) {
    while (size < rest_.size() && rest_[size] != rest_[0])
      size += rest_[size] == '\\' ? 2 : 1;
    size = std::min(size + 1, rest_.size());
  }
  token_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
}

namespace {

using Arguments = const std::vector<Number>&;

/// Σ weight^(t−1) · TV of t tokens under an oscillation omega, for t = 1 … last.
Number hellingerSum(Arguments a) {
  Number tanh = *evaluate("tanh(a / 4)", {a.at(0)}), step = tanh * tanh;
  Number lost = 0, factor = 1, sum = 0; // lost is 1 − sech^(2t)
  for (std::int64_t t = a.at(2).floor().small(); t > 0; --t) {
    lost = lost + (1 - lost) * step;
    sum = sum + factor * sqrt(lost);
    factor = factor * a.at(1);
  }
  return sum;
}

/// TV(Bin(T, s), Bin(T, 1 − s)) with s = 1/(1 + exp(−delta)): binomial coefficients, outward from
/// the middle, times powers of the odds. An even T equals T − 1.
Number binomialTv(Arguments a) {
  std::int64_t half = (a.at(1).floor().small() - 1) / 2;
  Number odds = exp(a.at(0)), up = odds, down = 1, above = up, below = down;
  const Number tiny(1, Integer(1).shifted(Number::precision - 9));
  for (std::int64_t i = 1; i <= half; ++i) {
    Number ratio(half + 1 - i, half + 1 + i), left = half + 1 - i;
    up = up * ratio * odds;
    down = down * ratio / odds;
    above = above + up;
    below = below + down;
    // Up to here factors fell, and go on falling.
    if (i % 64 == 0 && ratio * odds < 1 && up < tiny)
      return (above + Number::between(0, up * left) - below) / (above + below);
  }
  return (above - below) / (above + below);
}

const std::map<std::string, Number (*)(Arguments)> builtins = {
    {"exp", [](Arguments a) { return exp(a.at(0)); }},
    {"log", [](Arguments a) { return log(a.at(0)); }},
    {"sqrt", [](Arguments a) { return sqrt(a.at(0)); }},
    {"min", [](Arguments a) { return min(a.at(0), a.at(1)); }},
    {"max", [](Arguments a) { return max(a.at(0), a.at(1)); }},
    {"pow", [](Arguments a) { return pow(a.at(0), a.at(1)); }},
    {"whole", [](Arguments a) { return Number(a.at(0).isWhole() ? 1 : 0); }},
    {"hellingerSum", hellingerSum},
    {"binomialTv", binomialTv}};

class Evaluation {
public:
  Evaluation(std::string_view text, Arguments arguments) : in_(text), arguments_(arguments) {}

  Number whole() {
    Number out = operation(0);
    in_.expect("");
    return out;
  }

private:
  /// Signs of one rank and of higher ones.
  Number operation(std::size_t rank) {
    static constexpr std::string_view signs[] = {"and", "< <= ==", "+ -", "* /"};
    if (rank == std::size(signs))
      return operand();
    Number out = operation(rank + 1);
    while (in_.isOneOf(signs[rank])) {
      const std::string sign = in_.any();
      out = apply(sign, out, operation(rank + 1));
    }
    return out;
  }

  /// What holds is 1, what does not is 0.
  static Number apply(const std::string& sign, const Number& a, const Number& b) {
    return sign == "+"    ? a + b
           : sign == "-"  ? a - b
           : sign == "/"  ? a / b
           : sign == "<"  ? Number(a < b)
           : sign == "<=" ? Number(a <= b)
           : sign == "==" ? Number(a == b)
                          : a * b;
  }

  Number operand() {
    if (in_.take("-"))
      return -operand();
    if (in_.isNumber())
      return in_.number();
    if (in_.take("("))
      return closed(operation(0));
    std::string name = in_.name();
    if (!in_.take("("))
      return arguments_.at(static_cast<std::size_t>(name[0] - 'a'));
    return closed(name == "if" ? choice() : call(name));
  }

  Number closed(Number out) {
    in_.expect(")");
    return out;
  }

  /// if(condition, this, or that): only one of the two is computed.
  Number choice() {
    const bool isFirst = !operation(0).isZero();
    in_.expect(",");
    Number first = branch(isFirst);
    in_.expect(",");
    Number second = branch(!isFirst);
    return isFirst ? first : second;
  }

  Number branch(bool isTaken) {
    if (isTaken)
      return operation(0);
    for (int depth = 0; depth > 0 || !in_.isOneOf(", )"); in_.any())
      depth += in_.is("(") ? 1 : in_.is(")") ? -1 : 0;
    return 0;
  }

  Number call(const std::string& name) {
    std::vector<Number> arguments;
    do
      arguments.push_back(operation(0));
    while (in_.take(","));
    auto builtin = builtins.find(name);
    return builtin != builtins.end() ? builtin->second(arguments)
                                     : Evaluation(functionRow(name), arguments).whole();
  }

  Tokens in_;
  Arguments arguments_;
};

} // namespace

Value evaluate(std::string_view formula, const std::vector<Number>& arguments) {
  std::string_view condition = formula, result = take(condition, " if ");
  if (!condition.empty() && Evaluation(condition, arguments).whole().isZero())
    return std::nullopt;
  return Evaluation(result, arguments).whole();
}

} // namespace verify
