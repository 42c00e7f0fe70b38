#pragma once

#include "measure/Rows.h"

#include <optional>
#include <string>
#include <string_view>

/// Words and numbers as every part of a page has them.
namespace tikc::page {

/// Harmless on a page and no longer than is worth reading: what authors and data wrote.
std::string shown(std::string_view text, std::size_t most = 160);
/// The same before it is escaped, for what escapes it itself.
std::string shortened(std::string_view text, std::size_t most = 160);

/// With its unit: "0.0423 nat", "1.2%"; a dash where it is not known.
std::string amountText(std::optional<double> value, std::string_view unit);
/// "0.041 to 0.0437 nat"; a dash where there is none.
std::string intervalText(const measure::Row& row);
/// What would make it another verdict, or how far it is from one.
std::string changeText(const measure::Row& row, const plan::Check& check);

/// Each verdict has a sign and a word, so that no colour has to tell it.
std::string_view signOf(verdict is);
/// The verdict of a page: what `MeasuredContract::outcome()` says.
verdict verdictNamed(std::string_view outcome);

/// Violated ones first, then undecided ones.
int orderOf(verdict is);

} // namespace tikc::page
