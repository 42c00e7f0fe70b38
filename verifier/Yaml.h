#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The little YAML that a quote needs: maps and lists in flow or block style, and plain or quoted
/// scalars. Anchors, tags, escapes and tabs are refused.
namespace verify {

/// Rejects the text, and says why.
[[noreturn]] void unreadable(std::string_view why);

inline bool has(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }
bool isDigit(char c);
bool isNameCharacter(char c);
std::string_view trimmed(std::string_view text);

std::string withoutComments(std::string_view text);
/// Cuts "key:" off; the empty text where there is none.
std::string takeKey(std::string_view& text);
/// The entries of a map, or the items of a list; empty for a scalar.
std::vector<std::string> partsOf(std::string_view value);
std::map<std::string, std::string> entriesOf(std::string_view value);
std::string scalarOf(std::string_view value);

/// The key at the start of a line under which this byte stands: what a contract's parts mean
/// depends on it. Empty where there is none, as in a contract that is one flow map.
std::string sectionAt(std::string_view content, std::size_t at);
/// Whether a key can start here: first on its line, or after a bracket, a comma or a dash.
bool canStartAt(std::string_view content, std::size_t at);

} // namespace verify
