#include "model/Keys.h"
#include "support/Names.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

// The patterns of Shapes.def, by hand: std::regex is slow to build and recurses on long input.
namespace tikc::model {
namespace {

bool isContractName(std::string_view text) {
  return !text.empty() && llvm::isAlnum(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return llvm::isAlnum(c) || c == '.' || c == '_' || c == '-'; });
}

bool isSemanticVersion(std::string_view text) {
  auto tail = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
      return llvm::isAlnum(c) || c == '.' || c == '-';
    });
  };
  auto plus = text.find('+');
  if (plus != std::string_view::npos) {
    if (!tail(text.substr(plus + 1)))
      return false;
    text = text.substr(0, plus);
  }
  auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    if (!tail(text.substr(dash + 1)))
      return false;
    text = text.substr(0, dash);
  }
  int dots = 0;
  bool digit = false;
  for (char c : text) {
    if (c == '.' && digit) {
      ++dots;
      digit = false;
    } else if (c >= '0' && c <= '9') {
      digit = true;
    } else {
      return false;
    }
  }
  return digit && dots == 2;
}

} // namespace

bool matches(Shape shape, std::string_view text) {
  switch (shape) {
  case Shape::ContractName:
    return isContractName(text);
  case Shape::SemanticVersion:
    return isSemanticVersion(text);
  case Shape::Identifier:
    return isIdentifier(text);
  default:
    return true;
  }
}

} // namespace tikc::model
