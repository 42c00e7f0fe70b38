#include "verifier/Text.h"

#include <algorithm>
#include <map>

namespace verify {
namespace {

// A key, the word that its value begins with and how many numbers it has: what it states.
constexpr std::string_view givens = R"(
temperature 1: given temperature = a; given train_temperature = a;
  given infer_temperature = a; given greedy = 0 if a == 0
reward 2: given reward_range = b - a
step_reward 2: given step_reward_range = b - a; given step_reward_reach = max(b, 0) - min(a, 0)
missing_mass 1: sup missing_mass = a
top_p 1: given cut_mass = 1 - a
kept_mass 1: given cut_mass = 1 - a
support full 0: given full_support = 0; sup missing_mass = 0
correction is 0: mean pg_cut = 0
correction tis 1: given cap = a
correction clip 1: given clip_width = a
correction mis 2: given mask_low = a; given mask_high = b
correction ppo 2: given mask_low = 1 - a; given mask_high = 1 + b)";
constexpr std::string_view plainGivens = "horizon mean_length vocabulary logit_bound reward_sigma "
                                         "reward_lipschitz advantage score_norm group "
                                         "discount ratio_cap head_norm";

// Plain, weighted, and both of groups.
constexpr std::string_view estimators = R"(
step: step_plain step_weighted group_step_plain group_step_weighted
token: causal_plain causal_weighted group_plain group_weighted
token_mc: return_plain return_weighted group_plain group_weighted
sequence: return_plain whole_weighted group_plain group_whole)";

constexpr std::string_view clauseKeys = "require slices over confidence severity because link";

bool isBlank(char c) { return c == ' ' || c == '\n' || c == '\r'; }
bool isAny(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

/// A key and what stands between it and the next one, whatever the nesting.
struct Entry {
  std::string key, value;
  bool startsItem; // of a list or a map
};

/// The length of a key that starts here, before its colon.
std::size_t keyAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  bool canStart = at == 0 || isBlank(text[at - 1]) || isAny(text[at - 1], "{[,");
  while (canStart && end < text.size() && (isNameCharacter(text[end]) || text[end] == '-'))
    ++end;
  bool isKey =
      end < text.size() && text[end] == ':' && (end + 1 == text.size() || isBlank(text[end + 1]));
  return isKey ? end - at : 0;
}

/// Whether the last bracket closes none in the text.
bool isTooMany(std::string_view text, char open, char close) {
  return text.back() == close &&
         std::count(text.begin(), text.end(), open) < std::count(text.begin(), text.end(), close);
}

/// Without comments, and without what belongs to the entries around each. A key in a text after '|'
/// or '>' would be taken for one of the contract, so nothing may follow such a text.
std::vector<Entry> entriesOf(std::string_view text) {
  std::vector<Entry> out;
  require(keyAt(text, 0) > 0 && !isAny('\t', text), "its text cannot be read: no key, or a tab");
  char quote = 0, before = '{'; // of what is not blank
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::size_t size = quote == 0 ? keyAt(text, i) : 0; size > 0) {
      out.push_back({std::string(text.substr(i, size)), "", before == '{' || before == '-'});
      i += size;
      before = ':';
      continue;
    }
    if (quote == 0 && c == '#' && isBlank(text[i - 1])) {
      i = std::min(text.find('\n', i), text.size()) - 1;
      continue;
    }
    if (quote != 0 ? c == quote : isAny(c, "\"'") && isAny(before, ":[{,-"))
      quote = quote == 0 ? c : '\0';
    depth += quote != 0 ? 0 : isAny(c, "{[") ? 1 : isAny(c, "}]") ? -1 : 0;
    require(depth >= 0, "its text cannot be read: its brackets");
    out.back().value += c == '\n' || c == '\r' ? ' ' : c;
    before = isBlank(c) ? before : c;
  }
  require(quote == 0 && depth == 0, "its text cannot be read: something is open");
  for (Entry& entry : out) {
    std::string& value = entry.value;
    while (!value.empty() && (isAny(value.back(), " ,{[") || isTooMany(value, '{', '}') ||
                              isTooMany(value, '[', ']') || value.ends_with(" -")))
      value.pop_back();
    value.erase(0, std::min(value.find_first_not_of(' '), value.size()));
    bool isLiteral = !value.empty() && isAny(value[0], "|>");
    require(!isLiteral || entry.key == "require" || &entry == &out.back(),
            "its text cannot be read: something follows a block of text");
  }
  return out;
}

std::string scalarOf(std::string_view value) {
  if (!value.empty() && isAny(value[0], "|>"))
    value.remove_prefix(std::min(value.find(' '), value.size()));
  if (value.size() > 1 && isAny(value[0], "\"'") && value.back() == value[0])
    value = value.substr(1, value.size() - 2);
  require(!value.empty() && !isAny(value[0], "&*!{") && !isAny('\\', value),
          "its text cannot be read: a plain value is expected");
  return std::string(value);
}

/// The items of a list, or a scalar.
std::vector<std::string> itemsOf(std::string_view value) {
  if (!value.starts_with('[') && !value.starts_with("- "))
    return {scalarOf(value)};
  std::vector<std::string> out;
  std::string item;
  for (char c : std::string(value) + " ")
    if (!isBlank(c) && !isAny(c, "[],")) {
      item += c;
    } else if (!item.empty()) {
      if (item != "-")
        out.push_back(scalarOf(item));
      item.clear();
    }
  return out;
}

Number numberOf(const std::string& text) {
  Tokens in(text);
  Amount out = readAmount(in);
  require(in.is("") && !out.inBits, "its text cannot be read: a number stands alone");
  return out.value;
}

Statement given(std::string quantity, std::string quantifier, Number value) {
  return {{std::move(quantity), std::move(quantifier), "", "", 0, std::move(value)}, "", false, {}};
}

/// What the layers' errors grow to: each layer's gain takes the error before it, and adds its own.
void readLayers(const std::vector<Entry>& entries, Quote& out) {
  Number drift;
  for (std::size_t i = 1; i < entries.size();) {
    std::map<std::string, Number> layer = {{"gain", 1}, {"repeat", 1}};
    do {
      const auto& [key, value, startsItem] = entries[i];
      if (isOneOf("error gain repeat", key))
        layer[key] = numberOf(scalarOf(value));
    } while (++i < entries.size() && !entries[i].startsItem);
    const Number& repeat = layer["repeat"];
    require(layer.contains("error") && repeat.isWhole() && 1 <= repeat && repeat <= 100'000,
            "its text cannot be read: a layer");
    for (std::int64_t n = repeat.floor().small(); n > 0; --n)
      drift = drift * layer["gain"] + layer["error"];
  }
  out.statements.push_back(given("hidden_drift", "given", drift));
}

/// "key: value", with a word, numbers, or a word and numbers in parentheses.
void readGiven(const Entry& entry, Quote& out) {
  std::vector<Number> numbers;
  std::vector<std::string> items = itemsOf(entry.value);
  Tokens in(items.at(0));
  if (in.isNumber() || in.is("-") || items.size() != 1) {
    for (const std::string& item : items)
      numbers.push_back(numberOf(item));
  } else {
    out.word = in.name();
    if (in.take("("))
      do
        numbers.push_back(readAmount(in).value);
      while (in.take(","));
    require(in.take(")") != numbers.empty() && in.is(""), "its text cannot be read: a call");
  }
  if (numbers.size() == 1 && isOneOf(plainGivens, entry.key))
    return out.statements.push_back(given(entry.key, "given", numbers[0]));
  std::string head = entry.key + (out.word.empty() ? "" : " " + out.word);
  std::string row = rowOf(givens, head + " " + std::to_string(numbers.size()));
  bool isNamed = head == "correction none" ||
                 (entry.key == "estimator" && !rowOf(estimators, out.word).empty());
  require(!row.empty() || (isNamed && numbers.empty()), "its text cannot be read: it is not known");
  for (std::string_view rest = row; !rest.empty();) {
    std::string_view formula = take(rest, "; "), name = take(formula, " = "), how = take(name, " ");
    if (Value value = evaluate(formula, numbers))
      out.statements.push_back(given(std::string(name), std::string(how), *value));
  }
}

} // namespace

Quote readQuote(std::string_view text, const std::string& kind) {
  std::vector<Entry> entries = entriesOf(text);
  Quote out;
  out.key = entries[0].key;
  const bool isMap = entries.size() > 1;
  auto valueOf = [&](std::string_view key) -> const std::string* {
    const std::string* found = nullptr;
    for (std::size_t i = 1; i < entries.size(); ++i)
      if (entries[i].key == key) {
        require(found == nullptr, "its text cannot be read: a key stands twice");
        found = &entries[i].value;
      }
    return found;
  };
  if (kind != "given") {
    const std::string* requirement = isMap ? valueOf("require") : &entries[0].value;
    const std::string *slices = valueOf("slices"), *link = valueOf("link");
    require(requirement != nullptr && !isOneOf(clauseKeys, out.key),
            "its text cannot be read: it requires nothing, or is not whole");
    out.statements =
        readRequirement(scalarOf(*requirement), kind,
                        slices != nullptr ? itemsOf(*slices) : std::vector<std::string>{});
    std::vector<std::string> ends = link != nullptr ? itemsOf(*link) : std::vector<std::string>{};
    out.link = ends.size() == 2 ? ends[0] + ">" + ends[1] : "";
  } else if (const std::string* when = valueOf("when")) { // a slice
    out.word = *when;
    for (const char* key : {"weight", "token_weight"})
      if (const std::string* value = valueOf(key))
        out.statements.push_back(given(key, "given", numberOf(scalarOf(*value))));
  } else if (out.key == "layers") {
    readLayers(entries, out);
  } else {
    bool isSupport = entries.size() == 2 && out.key == "support" &&
                     isOneOf("missing_mass top_p kept_mass", entries[1].key);
    require(!isMap || isSupport, "its text cannot be read: a map");
    readGiven(entries.back(), out);
  }
  return out;
}

std::vector<Statement> readEstimator(const Quote& estimator, const std::vector<Quote>& with) {
  std::string correction;
  bool isGrouped = false;
  for (const Quote& quote : with) {
    correction = quote.key == "correction" ? quote.word : correction;
    isGrouped = isGrouped || quote.key == "group";
  }
  require(!correction.empty(), "its correction is not quoted");
  const bool isWeighted = correction != "none";
  std::string row = rowOf(estimators, estimator.word);
  std::string_view rest = row;
  for (int skipped = (isWeighted ? 1 : 0) + (isGrouped ? 2 : 0); skipped > 0; --skipped)
    take(rest, " ");
  std::vector<Statement> out = {given(std::string(take(rest, " ")), "given", 0)};
  if (isWeighted && !isGrouped && isOneOf("step sequence", estimator.word))
    out.push_back(given("pg_prefix", "mean", 0)); // its weights reach all of what it sums
  return out;
}

bool isWhole(std::string_view content, std::size_t from, std::size_t to) {
  Work::spend(content.size());
  auto startOf = [&](std::size_t at) { return content.substr(0, at).rfind('\n') + 1; };
  std::string_view before = content.substr(startOf(from), from - startOf(from));
  const std::size_t last = before.find_last_not_of(' ');
  const bool isFirst = last == std::string_view::npos || before[last] == '-';
  std::size_t next = to;
  auto skip = [&] {
    while (next < content.size() &&
           (isBlank(content[next]) || (content[next] == '#' && isBlank(content[next - 1]))))
      next = content[next] == '#' ? std::min(content.find('\n', next), content.size()) : next + 1;
  };
  skip();
  const bool isAtEnd = next == content.size(), isNewLine = isAtEnd || startOf(next) > to;
  bool ends = isAtEnd || isAny(content[next], "}]") ||
              (isFirst && isNewLine && next - startOf(next) <= from - startOf(from));
  if (!ends && content[next] == ',') { // of a map in braces, or of the names after "on"
    ++next;
    skip();
    ends = !isFirst ||
           (next < content.size() && (isAny(content[next], "}]") || keyAt(content, next) > 0));
  }
  bool canStart =
      before.find('#') == std::string_view::npos && (isFirst || isAny(before[last], "{[,"));
  return canStart && ends;
}

std::string sectionAt(std::string_view content, std::size_t at) {
  Work::spend(at);
  for (std::size_t start = at + 1; start-- > 0;)
    if (start == 0 || content[start - 1] == '\n')
      if (std::size_t size = keyAt(content, start); size > 0)
        return std::string(content.substr(start, size));
  return {};
}

} // namespace verify
