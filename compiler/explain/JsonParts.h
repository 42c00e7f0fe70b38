#pragma once

#include "explain/Explanation.h"
#include "support/Json.h"
#include "support/StringRef.h"

/// Parts that the JSON formats share.
namespace tikc::explain {

/// Writes a number twice: exactly as p/q, and as a decimal rounded in the given direction.
void amount(llvm::json::OStream& out, std::string_view name, const Rational& value,
            bounds::Rounding rounding);
void spot(llvm::json::OStream& out, const Spot& at);
/// Writes the attributes of an input of a proof.
void ground(llvm::json::OStream& out, const Ground& row);
/// Writes the attributes of how far a number can go.
void reach(llvm::json::OStream& out, const Reach& row);

} // namespace tikc::explain
