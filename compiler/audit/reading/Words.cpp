#include "audit/reading/Reading.h"
#include "support/Names.h"
#include "support/Rational.h"

#include <algorithm>

namespace tikc::audit {
namespace {

bool isOfKey(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '/';
}

/// `++algorithm.x=1` and `--flag=1`: where the name begins, and the `=` after it.
struct Assignment {
  std::size_t name = 0, equals = std::string::npos;
};
Assignment assignmentIn(std::string_view word) {
  Assignment out;
  out.name = std::min(word.find_first_not_of("+-~"), word.size());
  std::size_t end = out.name;
  while (end < word.size() && isOfKey(word[end]))
    ++end;
  if (end > out.name && end < word.size() && word[end] == '=' &&
      !word.substr(end).starts_with("=="))
    out.equals = end;
  return out;
}

bool isFlag(std::string_view word) {
  return word.size() > 2 && word.starts_with("--") &&
         std::all_of(word.begin() + 2, word.end(), isOfKey);
}

Snippet unquoted(const Snippet& value) {
  const std::string& text = value.text;
  const bool isQuoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                        text.back() == text.front();
  return isQuoted ? value.part(1, text.size() - 1) : value;
}

} // namespace

std::string SetValue::key() const {
  const std::size_t dot = name.find_last_of("./");
  return folded(dot == std::string::npos ? name : name.substr(dot + 1));
}

bool isExpression(std::string_view text) {
  return text.find("data[") != std::string_view::npos &&
         (text.find("[\"") != std::string_view::npos || text.find("['") != std::string_view::npos);
}

SetValue settingOf(const Snippet& name, const Snippet& snippet) {
  Snippet value = unquoted(snippet);
  SetValue out{name.text, value.text, name.whole(), value.whole(), true};
  const std::size_t fallback = value.text.find(":-");
  if (value.text.starts_with("${") && value.text.ends_with('}') && fallback != std::string::npos) {
    value = unquoted(value.part(fallback + 2, value.text.size() - 1));
    out.value = value.text;
    out.valueSpan = value.whole();
  }
  out.isKnown = out.value.find_first_of("${`") == std::string::npos;
  return out;
}

bool isRange(std::string_view name) {
  const std::string key = SetValue{std::string(name), {}, {}, {}, true}.key();
  return key == "is_correction_threshold" || key == "vllm_is_truncated_threshold";
}

SetValue pairOf(const Snippet& name, const Snippet& first, const Snippet& second) {
  SetValue out = settingOf(name, first);
  out.value += ' ' + second.text;
  out.valueSpan.end = second.whole().end;
  return out;
}

void readWords(std::span<const Snippet> words, FoundParts& out) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Snippet& word = words[i];
    const Assignment at = assignmentIn(word.text);
    if (at.equals != std::string::npos) {
      out.settings.push_back(
          settingOf(word.part(at.name, at.equals), word.part(at.equals + 1, word.text.size())));
    } else if (isFlag(word.text)) {
      const bool hasValue = i + 1 < words.size() && !words[i + 1].text.starts_with("--") &&
                            !words[i + 1].text.empty();
      const Snippet name = word.part(2, word.text.size());
      if (hasValue && isRange(name.text) && i + 2 < words.size() &&
          parseDecimal(words[i + 1].text) && parseDecimal(words[i + 2].text))
        out.settings.push_back(pairOf(name, words[i + 1], words[i + 2]));
      else if (hasValue)
        out.settings.push_back(settingOf(name, words[i + 1]));
      else
        out.settings.push_back({name.text, {}, name.whole(), name.whole(), true});
    }
  }
}

} // namespace tikc::audit
