#pragma once

#include "explain/Explanation.h"
#include "support/StringRef.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

/// What the JSON forms share.
namespace tikc::explain {

std::string jsonText(llvm::function_ref<void(llvm::json::OStream&)> body);
/// An attribute of the author's words, which may be any bytes.
void words(llvm::json::OStream& out, std::string_view name, std::string_view text);
void texts(llvm::json::OStream& out, std::string_view name, const std::vector<std::string>& rows);
/// A number twice: exact as p/q, and as a decimal rounded to the given side.
void amount(llvm::json::OStream& out, std::string_view name, const Rational& value,
            bounds::Rounding rounding);
void spot(llvm::json::OStream& out, const Spot& at);
/// The attributes of what something rests on.
void ground(llvm::json::OStream& out, const Ground& row);
/// The attributes of how far a number can go.
void reach(llvm::json::OStream& out, const Reach& row);

} // namespace tikc::explain
