#pragma once

#include "interpreter/Slices.h"

#include <istream>
#include <variant>

namespace tikc::interpreter {

/// What was observed at once. Tokens that name a slice that there is none of are left out of it.
struct Batch {
  std::vector<Observation> observations;
  std::optional<std::uint64_t> strays;
};

/// An evaluation, at a time in seconds.
struct Evaluation {
  double now;
};

/// The end of the trainer's step.
struct StepEnd {};

/// A number that assumptions may be about.
struct HandedIn {
  plan::Watchable of;
  double value;
  std::uint64_t id;
};

using Event = std::variant<Batch, Served, Request, HandedIn, StepEnd, Evaluation>;

/// What is observed and done, in the bytes that a generated checker is fed with, as
/// tests/tools/CheckerDriver.h reads them.
class Feed {
public:
  Feed(std::istream& bytes, const plan::Plan& plan) : bytes_(bytes), plan_(plan) {}

  /// Nothing at the end.
  std::optional<Event> next(std::size_t tick);

private:
  struct Sampled {
    Token token;
    bool kept;
  };

  template <typename T> T take();
  std::string takeText();
  std::vector<Wide> takeRow(std::uint8_t format);
  std::vector<Sampled> takeTokens();
  Observation make(plan::StreamSource source, std::uint32_t stream, std::size_t slice) const;

  Batch row();
  Batch tokens();
  Batch sequence();
  Batch mixedTokens();
  Batch routes();
  Batch request();
  Batch replay();
  Request asked();
  HandedIn handedIn();

  std::istream& bytes_;
  const plan::Plan& plan_;
  std::size_t tick_ = 0;
};

} // namespace tikc::interpreter
