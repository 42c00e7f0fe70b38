#pragma once

#include "plan/Plan.h"

#include <string>
#include <string_view>
#include <vector>

/// What an author wrote, as C++.
namespace tikc::emit::cpp {

/// A string literal that means these bytes to every compiler: no trigraph, no raw byte, no line
/// end.
std::string literal(std::string_view text);
/// For a comment on one line: printable ASCII that ends neither the line nor the comment, of
/// whichever sort.
std::string comment(std::string_view text);
/// Which contract it is, for such a comment.
std::string titleOf(const plan::Plan& plan);
/// A number that reads back as the same double.
std::string number(double value);

/// true, false, ….
std::string flags(const std::vector<char>& values);

/// Identifiers for names, in their order: distinct, never reserved.
std::vector<std::string> identifiers(const std::vector<std::string>& names);
std::string identifier(std::string_view name);

/// What a contract's namespace is called. It stands beside all that C's and POSIX's headers
/// declare, whose names are one word or begin and end as few do: abs, uint8_t, pthread_create.
std::string spaceName(std::string_view contract);

} // namespace tikc::emit::cpp
