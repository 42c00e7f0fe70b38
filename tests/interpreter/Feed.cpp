#include "interpreter/Feed.h"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace tikc::interpreter {

using plan::Figure;
using plan::StreamSource;

namespace {

/// A number format by the bits of its parts. `isIeee`: the largest exponent is of infinities and
/// NaN; else only the number of all ones is none.
struct NumberFormat {
  int exponentBits, fractionBits;
  bool isIeee;

  std::size_t bytes() const {
    return static_cast<std::size_t>(1 + exponentBits + fractionBits) / 8;
  }
};

constexpr NumberFormat formats[] = {
    {8, 23, true}, {8, 7, true}, {5, 10, true}, {4, 3, false}, {5, 2, true}};

/// What cannot be was not measured, and is no number.
Wide within(double value, double most) {
  return value >= 0 && value <= most ? value : std::numeric_limits<Wide>::quiet_NaN();
}

Wide decode(const NumberFormat& format, std::uint32_t bits) {
  std::uint32_t fractions = 1U << format.fractionBits, exponents = 1U << format.exponentBits;
  std::uint32_t fraction = bits % fractions, exponent = bits / fractions % exponents;
  Wide sign = bits / fractions / exponents == 0 ? 1 : -1;
  bool isLast = exponent + 1 == exponents;
  if (isLast && format.isIeee)
    return fraction == 0 ? sign * std::numeric_limits<Wide>::infinity()
                         : std::numeric_limits<Wide>::quiet_NaN();
  if (isLast && fraction + 1 == fractions)
    return std::numeric_limits<Wide>::quiet_NaN();
  int bias = static_cast<int>(exponents / 2) - 1, power = static_cast<int>(exponent) - bias;
  return exponent == 0 ? sign * std::ldexp(Wide(fraction), 1 - bias - format.fractionBits)
                       : sign * std::ldexp(Wide(fraction + fractions), power - format.fractionBits);
}

} // namespace

template <typename T> T Feed::take() {
  T out;
  if (!bytes_.read(reinterpret_cast<char*>(&out), sizeof out))
    throw std::runtime_error("the observations end within one");
  return out;
}

std::string Feed::takeText() {
  std::string out(take<std::uint8_t>(), ' ');
  for (char& c : out)
    c = take<char>();
  return out;
}

std::vector<Wide> Feed::takeRow(std::uint8_t format) {
  const NumberFormat& of = formats[format];
  std::vector<Wide> out;
  for (std::uint64_t i = 0; i < plan_.vocabulary; ++i) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < of.bytes(); ++k)
      bits |= std::uint32_t{take<std::uint8_t>()} << 8 * k;
    out.push_back(decode(of, bits));
  }
  return out;
}

std::vector<Feed::Sampled> Feed::takeTokens() {
  std::vector<Sampled> out(take<std::uint32_t>(), Sampled{{}, true});
  bool isMasked = take<std::uint8_t>() != 0;
  take<std::uint64_t>(); // the id of the first
  for (Sampled& each : out)
    each.token.train = Wide{take<float>()};
  for (Sampled& each : out)
    each.token.infer = Wide{take<float>()};
  for (Sampled& each : out)
    each.kept = !isMasked || take<std::uint8_t>() != 0;
  return out;
}

Observation Feed::make(StreamSource source, std::uint32_t stream, std::size_t slice) const {
  Observation out;
  out.source = source;
  out.stream = stream;
  out.tick = tick_;
  out.slice = slice;
  return out;
}

Batch Feed::row() {
  std::uint32_t stream = take<std::uint8_t>();
  Observation out = make(StreamSource::Rows, stream, take<std::uint8_t>());
  auto trainFormat = take<std::uint8_t>(), inferFormat = take<std::uint8_t>();
  take<std::uint64_t>(); // the id
  std::vector<Wide> train = takeRow(trainFormat), infer = takeRow(inferFormat);
  const plan::Stream& of = plan_.streams[stream];
  out.figures = rowFigures(train, infer, of);
  return {{out}, {}};
}

Batch Feed::tokens() {
  std::uint32_t stream = take<std::uint8_t>();
  Observation one = make(StreamSource::Tokens, stream, take<std::uint8_t>());
  Batch out;
  for (const Sampled& each : takeTokens())
    if (each.kept) {
      one.tokens = {each.token};
      out.observations.push_back(one);
    }
  return out;
}

Batch Feed::sequence() {
  std::uint32_t stream = take<std::uint8_t>();
  std::size_t slice = take<std::uint8_t>();
  auto id = take<std::uint64_t>();
  Observation one = make(StreamSource::Tokens, stream, slice);
  Observation whole = make(StreamSource::Sequences, stream, slice);
  whole.id = id;
  Batch out;
  for (int left = take<std::uint8_t>(); left > 0; --left)
    for (const Sampled& each : takeTokens())
      if (each.kept) {
        one.tokens = {each.token};
        out.observations.push_back(one);
        whole.tokens.push_back(each.token);
      }
  out.observations.push_back(whole);
  return out;
}

Batch Feed::mixedTokens() {
  Observation one = make(StreamSource::Tokens, take<std::uint8_t>(), 0);
  Batch out;
  out.strays = 0;
  for (const Sampled& each : takeTokens()) {
    one.slice = take<std::uint8_t>();
    if (!each.kept)
      continue;
    one.tokens = {each.token};
    if (one.slice < plan_.slices.size())
      out.observations.push_back(one);
    else
      ++*out.strays;
  }
  return out;
}

Batch Feed::routes() {
  std::uint32_t stream = take<std::uint8_t>();
  Observation out = make(StreamSource::Routes, stream, take<std::uint8_t>());
  out.figures[Figure::RouteFlip] = within(take<double>(), 1);
  take<std::uint64_t>(); // the id
  return {{out}, {}};
}

Batch Feed::request() {
  Observation out = make(StreamSource::Requests, 0, take<std::uint8_t>());
  for (Figure figure :
       {Figure::Latency, Figure::FirstTokenLatency, Figure::InterTokenLatency, Figure::Throughput})
    if (auto value = take<double>(); value != -1) // what was not measured
      out.figures[figure] = within(value, std::numeric_limits<double>::max());
  out.figures[Figure::Errors] = take<std::uint8_t>() != 0 ? 1 : 0;
  take<std::uint64_t>(); // the id
  return {{out}, {}};
}

Batch Feed::replay() {
  Figure figure = take<std::uint8_t>() != 0 ? Figure::BatchDrift : Figure::ReplayDrift;
  Observation out = make(StreamSource::Replays, 0, take<std::uint8_t>());
  out.figures[figure] = within(take<double>(), std::numeric_limits<double>::infinity());
  take<std::uint64_t>(); // the id
  return {{out}, {}};
}

HandedIn Feed::handedIn() {
  auto of = static_cast<plan::Watchable>(take<std::uint8_t>());
  auto value = take<double>();
  return {of, value, take<std::uint64_t>()};
}

Request Feed::asked() {
  Request out;
  for (int left = take<std::uint8_t>(); left > 0; --left) {
    std::string name = takeText();
    out.numbers[name] = take<double>();
  }
  for (int left = take<std::uint8_t>(); left > 0; --left) {
    std::string name = takeText();
    out.texts[name] = takeText();
  }
  return out;
}

std::optional<Event> Feed::next(std::size_t tick) {
  tick_ = tick;
  char kind = 0;
  if (!bytes_.get(kind))
    return std::nullopt;
  switch (kind) {
  case 'R':
    return row();
  case 'T':
    return tokens();
  case 'S':
    return sequence();
  case 'M':
    return mixedTokens();
  case 'O':
    return routes();
  case 'Q':
    return request();
  case 'P':
    return replay();
  case 'W':
    return asked();
  case 'V': {
    std::size_t slice = take<std::uint8_t>();
    auto tokens = take<std::uint64_t>();
    return Served{tick_, slice, tokens, take<std::uint64_t>()};
  }
  case 'A':
    return handedIn();
  case 'N':
    return StepEnd{};
  case 'E':
    return Evaluation{take<double>()};
  default:
    throw std::runtime_error("no such observation");
  }
}

} // namespace tikc::interpreter
