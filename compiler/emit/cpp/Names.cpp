#include "emit/cpp/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::emit::cpp {
namespace {

constexpr std::string_view reserved[] = {
    "alignas",       "alignof",      "and",       "and_eq",    "asm",          "assert",
    "auto",          "bitand",       "bitor",     "bool",      "break",        "case",
    "catch",         "char",         "char16_t",  "char32_t",  "char8_t",      "class",
    "co_await",      "co_return",    "co_yield",  "compl",     "concept",      "const",
    "const_cast",    "consteval",    "constexpr", "constinit", "continue",     "decltype",
    "default",       "delete",       "do",        "double",    "dynamic_cast", "else",
    "enum",          "errno",        "explicit",  "export",    "extern",       "false",
    "float",         "for",          "friend",    "goto",      "if",           "inline",
    "int",           "linux",        "long",      "mutable",   "namespace",    "new",
    "noexcept",      "not",          "not_eq",    "nullptr",   "operator",     "or",
    "or_eq",         "private",      "protected", "public",    "register",     "reinterpret_cast",
    "requires",      "return",       "short",     "signed",    "sizeof",       "static",
    "static_assert", "static_cast",  "std",       "struct",    "switch",       "template",
    "this",          "thread_local", "throw",     "tikc",      "true",         "try",
    "typedef",       "typeid",       "typename",  "union",     "unix",         "unsigned",
    "using",         "virtual",      "void",      "volatile",  "wchar_t",      "while",
    "xor",           "xor_eq",       "stdin",     "stdout",    "stderr",       "major",
    "minor",         "restrict",     "typeof"};

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// NAN, INT_MAX and whatever the headers define that a source includes before.
bool isMacro(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool isPrintable(char c) { return c >= 0x20 && c < 0x7f; }

} // namespace

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (char c : text)
    if (c == '"' || c == '\\' || c == '?') // ??/ is a backslash to some
      out.append(1, '\\').append(1, c);
    else if (isPrintable(c))
      out += c;
    else
      out +=
          fmt::format("\\{:03o}", static_cast<unsigned char>(c)); // three digits end by themselves
  return out + '"';
}

std::string comment(std::string_view text) {
  std::string out;
  for (char c : text)
    out += isPrintable(c) && c != '\\' && c != '?' && c != '*' ? c : '.';
  return out;
}

std::string number(double value) {
  if (std::isnan(value))
    return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value))
    return value > 0 ? "std::numeric_limits<double>::infinity()"
                     : "-std::numeric_limits<double>::infinity()";
  std::string out = fmt::format("{}", value);
  bool isDouble = out.find_first_of(".e") != std::string::npos;
  return isDouble ? out : out + ".0";
}

std::string identifier(std::string_view name) {
  std::string out;
  for (char c : name)
    if (isPlain(c))
      out += c;
    else if (!out.empty() && out.back() != '_') // two in a row are reserved
      out += '_';
  while (!out.empty() && out.back() == '_')
    out.pop_back();
  if (out.empty() || (out[0] >= '0' && out[0] <= '9'))
    out.insert(0, "n");
  if (isMacro(out) ||
      std::find(std::begin(reserved), std::end(reserved), out) != std::end(reserved))
    out += '_';
  return out;
}

std::vector<std::string> identifiers(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  out.reserve(names.size());
  for (const std::string& name : names) {
    std::string wanted = identifier(name), free = wanted;
    for (int i = 2; std::find(out.begin(), out.end(), free) != out.end(); ++i)
      free = fmt::format("{}_{}", wanted, i);
    out.push_back(free);
  }
  return out;
}

} // namespace tikc::emit::cpp
