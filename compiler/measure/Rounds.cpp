#include "measure/Rounds.h"

#include "data/Fault.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace tikc::measure {
namespace {

using By = Rounds::By;

struct UnitWord {
  std::string_view word;
  By by;
  double scale;
};
constexpr UnitWord unitWords[] = {
    {"tokens", By::Tokens, 1},       {"token", By::Tokens, 1},
    {"responses", By::Responses, 1}, {"response", By::Responses, 1},
    {"sequences", By::Responses, 1}, {"s", By::Seconds, 1},
    {"min", By::Seconds, 60},        {"h", By::Seconds, 3600},
};

std::optional<Rounds> roundsOf(const plan::Window& window) {
  switch (window.unit) {
  case window_unit::tokens:
    return Rounds{By::Tokens, window.amount};
  case window_unit::sequences:
  case window_unit::requests:
    return Rounds{By::Responses, window.amount};
  case window_unit::steps:
    return Rounds{By::Step, 0};
  case window_unit::seconds:
    return Rounds{By::Seconds, window.amount};
  case window_unit::stage:
  case window_unit::ticks:
    return std::nullopt;
  }
  return std::nullopt;
}

std::string groupedCount(double number) {
  return data::grouped(static_cast<std::uint64_t>(number));
}

} // namespace

std::optional<Rounds> Rounds::read(std::string_view text) {
  if (text == "all")
    return Rounds{By::All, 0};
  if (text == "file")
    return Rounds{By::File, 0};
  if (text == "step")
    return Rounds{By::Step, 0};
  std::string digits(text.substr(0, text.find_first_not_of("0123456789_,.")));
  std::erase_if(digits, [](char each) { return each == '_' || each == ','; });
  double amount = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), amount);
  if (error != std::errc() || end != digits.data() + digits.size() || !(amount > 0))
    return std::nullopt;
  std::string_view unit =
      text.substr(std::min(text.size(), text.find_first_not_of("0123456789_,.")));
  while (unit.starts_with(' '))
    unit.remove_prefix(1);
  constexpr double most = 1e18; // as evidence holds them
  for (const UnitWord& each : unitWords)
    if (unit == each.word && amount * each.scale <= most &&
        (each.by == By::Seconds || amount == std::floor(amount)))
      return Rounds{each.by, amount * each.scale};
  return std::nullopt;
}

Rounds Rounds::of(const plan::Plan& plan, const plan::Stage* stage) {
  if (stage != nullptr)
    if (auto rounds = roundsOf(stage->window))
      return *rounds;
  std::optional<Rounds> out;
  for (const plan::Window& window : plan.windows) {
    auto one = roundsOf(window);
    if (!one)
      continue;
    if (one->by == By::Step)
      return *one;
    // Responses bring tokens: a round of few responses is the finer one, whatever their length.
    const bool isFiner =
        !out || (one->by == out->by ? one->amount < out->amount : one->by == By::Responses);
    if (one->by != By::Seconds && isFiner)
      out = one;
    if (one->by == By::Seconds && !out)
      out = one;
  }
  return out.value_or(Rounds{});
}

std::string Rounds::text() const {
  switch (by) {
  case By::All:
    return "as one";
  case By::File:
    return "file by file";
  case By::Step:
    return "step by step";
  case By::Tokens:
    return "every " + groupedCount(amount) + " tokens";
  case By::Responses:
    return "every " + groupedCount(amount) + (amount == 1 ? " response" : " responses");
  case By::Seconds:
    return fmt::format("every {:g} s", amount);
  }
  return {};
}

} // namespace tikc::measure
