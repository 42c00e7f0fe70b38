#include "verifier/Yaml.h"

#include "verifier/Json.h"

#include <algorithm>

namespace verify {
namespace {

/// Calls `visit(i, depth)` for every character that is in no quoted text and no comment.
template <typename Visit> void scan(std::string_view text, Visit visit) {
  char quote = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool startsWord = i == 0 || has(" \n[{,", text[i - 1]);
    if (quote != 0) {
      quote = c == quote ? '\0' : quote;
    } else if (startsWord && has("\"'", c)) {
      quote = c;
    } else {
      depth -= has("}]", c) ? 1 : 0;
      visit(i, depth);
      depth += has("{[", c) ? 1 : 0;
    }
  }
}

} // namespace

void unreadable(std::string_view why) {
  throw Rejected{"its text cannot be read: " + std::string(why)};
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_';
}

std::string_view trimmed(std::string_view text) {
  std::size_t from = text.find_first_not_of(" \r\n");
  return from == std::string_view::npos
             ? std::string_view{}
             : text.substr(from, text.find_last_not_of(" \r\n") - from + 1);
}

std::string withoutComments(std::string_view text) {
  std::string out(text);
  bool isComment = false;
  scan(text, [&](std::size_t i, int) {
    bool starts = text[i] == '#' && (i == 0 || has(" \n", text[i - 1]));
    isComment = text[i] != '\n' && (isComment || starts);
    out[i] = isComment ? ' ' : text[i];
  });
  if (out.find('\t') != std::string::npos)
    unreadable("a tab");
  return out;
}

std::string takeKey(std::string_view& text) {
  std::string_view rest = text.substr(std::min(text.find_first_not_of(" \n"), text.size()));
  std::size_t end = 0;
  while (end < rest.size() && (isNameCharacter(rest[end]) || rest[end] == '-'))
    ++end;
  if (end == 0 || end >= rest.size() || rest[end] != ':' ||
      (end + 1 < rest.size() && !has(" \n", rest[end + 1])))
    return {};
  text = rest.substr(end + 1);
  return std::string(rest.substr(0, end));
}

std::vector<std::string> partsOf(std::string_view value) {
  std::vector<std::string> out;
  std::string_view inside = trimmed(value);
  if (inside.starts_with('{') || inside.starts_with('[')) {
    std::size_t from = 1;
    scan(inside, [&](std::size_t i, int depth) {
      bool ends = depth == 0 && i > 0 && has("}]", inside[i]);
      if (i > 0 && ((depth == 1 && inside[i] == ',') ||
                    (ends && !trimmed(inside.substr(from, i - from)).empty())))
        out.emplace_back(inside.substr(from, i - from));
      from = depth == 1 && inside[i] == ',' ? i + 1 : from;
      if (depth < 0 || (ends && i + 1 != inside.size()))
        unreadable("its brackets");
    });
    return out;
  }
  std::size_t margin = std::string_view::npos;
  for (std::size_t at = value.find('\n'); at < value.size(); at = value.find('\n', at + 1)) {
    std::string line(value.substr(at + 1, value.find('\n', at + 1) - at - 1));
    std::size_t indent = line.find_first_not_of(" \r");
    if (indent == std::string::npos)
      continue;
    margin = std::min(margin, indent);
    bool isItem = line.substr(indent).starts_with("- ");
    std::string_view rest = line;
    if (out.empty() && !isItem && takeKey(rest).empty())
      return {};
    if (indent == margin)
      out.emplace_back();
    if (isItem && indent == margin)
      line[indent] = ' ';
    out.back() += "\n" + line;
  }
  return trimmed(value.substr(0, value.find('\n'))).empty() ? out : std::vector<std::string>{};
}

std::map<std::string, std::string> entriesOf(std::string_view value) {
  std::map<std::string, std::string> out;
  for (const std::string& part : partsOf(value)) {
    std::string_view rest = part;
    std::string key = takeKey(rest);
    if (key.empty() || !out.emplace(key, rest).second)
      unreadable("a map's key");
  }
  return out;
}

std::string scalarOf(std::string_view value) {
  std::string_view text = trimmed(value);
  if (text.starts_with('|') || text.starts_with('>'))
    text = trimmed(text.substr(std::min(text.find('\n'), text.size())));
  if (text.size() > 1 && has("\"'", text[0]) && text.back() == text[0])
    text = text.substr(1, text.size() - 2);
  if (text.empty() || has("&*!{[", text[0]) || has(text, '\\'))
    unreadable("a plain value is expected");
  std::string out(text);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

std::string sectionAt(std::string_view content, std::size_t at) {
  Work::spend(at);
  for (std::size_t start = at + 1; start-- > 0;) {
    std::string_view line = content.substr(start, content.find('\n', start) - start);
    if ((start > 0 && content[start - 1] != '\n') || line.empty() || line[0] == ' ')
      continue;
    if (std::string key = takeKey(line); !key.empty())
      return key;
  }
  return {};
}

bool canStartAt(std::string_view content, std::size_t at) {
  std::size_t start = at == 0 ? 0 : content.rfind('\n', at - 1) + 1;
  std::string_view before = trimmed(content.substr(start, at - start));
  return before.empty() ||
         (before.find('#') == std::string_view::npos && has("{[,-", before.back()));
}

} // namespace verify
