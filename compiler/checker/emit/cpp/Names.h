#pragma once

#include "checker/plan/Plan.h"

#include <string>
#include <string_view>
#include <vector>

/// An author's texts as C++.
namespace tikc::emit::cpp {

/// Returns a string literal with these bytes for every compiler: no trigraph, no raw byte, no
/// newline.
std::string literal(std::string_view text);
/// Returns printable ASCII for a comment on one line, which ends neither the line nor any kind of
/// comment.
std::string comment(std::string_view text);
/// Returns the contract's name and version for such a comment.
std::string titleOf(const plan::Plan& plan);
/// Returns a number that reads back as an equal double.
std::string number(double value);

/// Returns true, false, ….
std::string flags(const std::vector<char>& values);

/// Returns identifiers for names, in their order: distinct, and never reserved.
std::vector<std::string> identifiers(const std::vector<std::string>& names);
std::string identifier(std::string_view name);

/// Returns the name of a contract's namespace. It must differ from everything that C's and POSIX's
/// headers declare, such as abs, uint8_t or pthread_create.
std::string spaceName(std::string_view contract);

} // namespace tikc::emit::cpp
