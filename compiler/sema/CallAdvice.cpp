#include "sema/CallAdvice.h"

#include "sema/ForeignNames.h"
#include "support/Names.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace tikc::sema {

using model::CallInfo;
using model::CallPlace;
using model::ParameterInfo;
using model::ParameterKind;
using yaml::Node;
using yaml::Style;

namespace {

/// A name as other tools write them, or a text whose quotes were forgotten.
bool isWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return isLetter || std::string_view("_-.@/# ").find(c) != std::string_view::npos;
  });
}

std::string_view trimmed(std::string_view text) {
  auto begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The bytes in the file of a part of the value, where these are the same bytes.
std::optional<Span> placeOfPart(const Node& scalar, std::string_view part) {
  bool isQuoted = scalar.style == Style::SingleQuoted || scalar.style == Style::DoubleQuoted;
  if ((!isQuoted && scalar.style != Style::Plain) ||
      scalar.span.size() != scalar.value.size() + 2u * isQuoted)
    return std::nullopt;
  auto begin =
      scalar.span.begin + isQuoted + static_cast<std::uint32_t>(part.data() - scalar.value.data());
  return Span{scalar.span.file, begin, begin + static_cast<std::uint32_t>(part.size())};
}

/// `page-oncall`
void adviseOnName(diag::Diagnostic& finding, const Node& scalar, std::string_view name,
                  CallPlace place) {
  std::vector<std::string_view> known;
  for (const CallInfo& row : model::calls())
    if (row.place == place)
      known.push_back(row.name);
  auto span = placeOfPart(scalar, name);
  finding.fixes.clear();
  finding.note(fmt::format("known here: {}", joinAlternatives(known)));
  if (!span)
    return;
  if (auto names = model::findAliases(model::AliasOf::Action, name);
      place == CallPlace::Action && !names.empty())
    return explainAliases(finding, *span, names);
  if (finding.offerNearest(*span, name, known))
    return;
  if (place == CallPlace::Action)
    noteAlert(finding, name);
}

/// `alert(rl-oncall)`
void adviseOnArguments(diag::Diagnostic& finding, const Node& scalar, const CallInfo& call) {
  std::string_view inside = scalar.value;
  inside = inside.substr(inside.find('(') + 1);
  inside = inside.substr(0, inside.find_last_of(')'));
  auto parameters = model::parameters(call.id);
  for (std::size_t i = 0; !inside.empty(); ++i) {
    std::string_view argument = inside.substr(0, inside.find(','));
    inside.remove_prefix(std::min(argument.size() + 1, inside.size()));
    std::string_view value = argument;
    auto parameter =
        parameters.begin() + static_cast<std::ptrdiff_t>(std::min(i, parameters.size()));
    if (auto equals = argument.find('='); equals != std::string_view::npos) {
      value.remove_prefix(equals + 1);
      parameter = std::find_if(parameters.begin(), parameters.end(), [&](const ParameterInfo& row) {
        return row.name == trimmed(argument.substr(0, equals));
      });
    }
    value = trimmed(value);
    auto span = placeOfPart(scalar, value);
    bool isText = parameter != parameters.end() && (parameter->kind == ParameterKind::Text ||
                                                    parameter->kind == ParameterKind::NamedText);
    if (!isText || !isWord(value) || !span || !span->contains(finding.span))
      continue;
    finding.fixes.clear();
    finding.fix("quote it", {{span->start(), "\""}, {span->finish(), "\""}});
  }
}

} // namespace

void adviseOnCall(FileContext& context, const Node& scalar, CallPlace place, std::size_t before) {
  std::string_view text = trimmed(scalar.value);
  std::string_view name = text.substr(0, text.find('('));
  const CallInfo* call = model::findCall(place, trimmed(name));
  context.sink.eachSince(before, [&](diag::Diagnostic& finding) {
    if (!scalar.span.contains(finding.span))
      return;
    if (call && name.size() < text.size())
      adviseOnArguments(finding, scalar, *call);
    else if (isWord(text) && text.find_first_of(" #@/.") == std::string_view::npos)
      adviseOnName(finding, scalar, text, place);
  });
}

void noteAlert(diag::Diagnostic& finding, std::string_view receiver) {
  finding.note(fmt::format("to alert a receiver of that name, write alert(\"{}\")",
                           utf8::printable(receiver)));
}

} // namespace tikc::sema
