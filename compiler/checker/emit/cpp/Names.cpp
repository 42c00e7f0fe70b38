#include "checker/emit/cpp/Names.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cmath>

namespace tikc::emit::cpp {
namespace {

constexpr std::string_view reserved[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool",
    "break", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await",
    "co_return", "co_yield", "compl", "concept", "const", "const_cast", "consteval", "constexpr",
    "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "errno", "explicit", "export", "extern", "false", "float", "for", "friend",
    "goto", "if", "inline", "int", "linux", "long", "mutable", "namespace", "new", "noexcept",
    "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "register", "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
    "static_assert", "static_cast", "std", "struct", "switch", "template", "this", "thread_local",
    "throw", "tikc", "true", "try", "typedef", "typeid", "typename", "union", "unix", "unsigned",
    "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "stdin", "stdout",
    "stderr", "major", "minor", "restrict", "typeof", "complex", "imaginary", "noreturn", "i386",
    "uint32_t", // of fields in C
    // What POSIX lets headers define as macros.
    "d_fileno", "h_addr", "h_errno", "math_errhandling", "sched_priority"};

/// Members of structures that POSIX's headers define as macros: st_atime, si_pid.
constexpr std::string_view macroFamilies[] = {"st_", "si_", "sa_", "s6_", "sigev_"};

/// Names of the C library and of POSIX that are more than one word, by how they begin and end, and
/// what is left of them.
constexpr std::string_view globalFamilies[] = {
    "pthread_",  "posix_", "inet_",    "inet6_",    "in_",       "in6_",     "in6addr_",
    "sched_",    "sem_",   "clock_",   "timer_",    "mq_",       "aio_",     "sig_",
    "ip_",       "ip6_",   "ipv6_",    "process_",  "pkey_",     "gai_",     "group_",
    "re_",       "shm_",   "program_", "fmaximum_", "fminimum_", "obstack_", "arc4random_",
    "sockaddr_", "link_",  "open_",    "dl_"};
constexpr std::string_view globalEndings[] = {"_t",  "_r",   "_l",    "_np",   "_unlocked", "_buf",
                                              "_af", "_set", "_data", "_mask", "_a",        "_err"};
constexpr std::string_view globals[] = {"aligned_alloc",
                                        "at_quick_exit",
                                        "bind_textdomain_codeset",
                                        "canonicalize_file_name",
                                        "close_range",
                                        "copy_file_range",
                                        "explicit_bzero",
                                        "f_owner_ex",
                                        "file_handle",
                                        "get_current_dir_name",
                                        "Dl_info",
                                        "Dl_serinfo",
                                        "Dl_serpath",
                                        "memfd_create",
                                        "name_to_handle_at",
                                        "on_exit",
                                        "quick_exit",
                                        "remap_file_pages",
                                        "secure_getenv"};

template <std::size_t N> bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}
template <std::size_t N>
bool startsLike(const std::string_view (&families)[N], std::string_view name) {
  return std::any_of(std::begin(families), std::end(families),
                     [&](std::string_view family) { return name.starts_with(family); });
}
template <std::size_t N>
bool endsLike(const std::string_view (&endings)[N], std::string_view name) {
  return std::any_of(std::begin(endings), std::end(endings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// NAN, PRIu64 and whatever the headers define that a source includes before.
bool isMacro(std::string_view name) {
  bool isLoud = isUpper(name[0]) && (name.size() == 1 || isUpper(name[1]) || name[1] == '_');
  return isLoud || startsLike(macroFamilies, name) ||
         std::none_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
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

std::string titleOf(const plan::Plan& plan) {
  return comment(plan.contract) + " " + comment(plan.version) +
         (plan.isDraft ? ", a draft: what it claims need not be proved" : "");
}

std::string flags(const std::vector<char>& values) {
  std::string out;
  for (char value : values)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", value != 0);
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
    if (llvm::isAlnum(c))
      out += c;
    else if (!out.empty() && out.back() != '_') // two in a row are reserved
      out += '_';
  while (!out.empty() && out.back() == '_')
    out.pop_back();
  if (out.empty() || (out[0] >= '0' && out[0] <= '9'))
    out.insert(0, "n");
  if (isMacro(out) || contains(reserved, out))
    out += '_';
  return out;
}

std::string spaceName(std::string_view contract) {
  std::string out = identifier(contract);
  while (out.back() == '_')
    out.pop_back();
  bool isWord = out.find('_') == std::string::npos;
  return isWord || isMacro(out) || contains(globals, out) || contains(reserved, out) ||
                 startsLike(globalFamilies, out) || endsLike(globalEndings, out)
             ? out + "_contract"
             : out;
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
