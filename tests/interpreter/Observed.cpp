#include "interpreter/Observed.h"

#include <algorithm>

namespace tikc::interpreter {

using plan::Figure;
using plan::Input;
using plan::StreamSource;

void Observed::add(const Observation& of) {
  for (std::size_t i = 0; i < plan_.signals.size(); ++i) {
    const plan::Signal& signal = plan_.signals[i];
    if (plan::sourceOf(signal) != of.source || signal.stream != of.stream)
      continue;
    if (of.source == StreamSource::Tokens)
      values_[i].push_back({of.tick, of.slice, tokenFigure(signal, of.tokens.front())});
    else if (of.source == StreamSource::Sequences) {
      if (!of.tokens.empty()) // of no token there is nothing to compare
        values_[i].push_back({of.tick, of.slice,
                              signal.byResponse ? meanByResponse(signal, of.tokens)
                                                : sequenceFigure(signal, of.tokens)});
    } else if (auto found = of.figures.find(signal.figure); found != of.figures.end())
      values_[i].push_back({of.tick, of.slice, found->second});
  }
  if (of.source == StreamSource::Tokens)
    tokens_.push_back({of.tick, of.slice, of.stream, of.tokens.front()});
  seen_.push_back(
      {of.tick, of.slice, of.stream, of.source, of.figures.contains(Figure::BatchDrift)});
}

std::vector<Wide> Observed::values(std::uint32_t signal, const Stretch& in) const {
  std::vector<Wide> out;
  for (const Value& each : values_[signal])
    if (in.holds(each.tick, each.slice))
      out.push_back(each.value);
  return out;
}

std::vector<Token> Observed::tokens(std::uint32_t stream, const Stretch& in) const {
  std::vector<Token> out;
  for (const At& each : tokens_)
    if (each.stream == stream && in.holds(each.tick, each.slice))
      out.push_back(each.token);
  return out;
}

std::uint64_t Observed::seen(StreamSource source, std::uint32_t stream, const Stretch& in,
                             bool batchReplays) const {
  return static_cast<std::uint64_t>(std::count_if(seen_.begin(), seen_.end(), [&](const Seen& of) {
    return of.source == source && of.stream == stream && of.isBatchReplay == batchReplays &&
           in.holds(of.tick, of.slice);
  }));
}

std::uint64_t Observed::passed(StreamSource source, const Stretch& in) const {
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < plan_.streams.size(); ++i)
    if (plan_.streams[i].drawer.empty())
      out = std::max(out, seen(source, i, in));
  return out;
}

bool Observed::isAsked(StreamSource source, std::uint32_t stream) const {
  return plan_.streams[stream].drawer.empty() &&
         std::any_of(plan_.signals.begin(), plan_.signals.end(), [&](const plan::Signal& signal) {
           StreamSource of = plan::sourceOf(signal);
           return signal.stream == stream && (of == source || (of == StreamSource::Sequences &&
                                                               source == StreamSource::Tokens));
         });
}

std::uint64_t Observed::count(Input input, const Stretch& in) const {
  auto ofLinks = [&](StreamSource source) {
    std::uint64_t out = passed(source, in);
    for (std::uint32_t i = 0; i < plan_.streams.size(); ++i)
      if (isAsked(source, i))
        out = std::min(out, seen(source, i, in));
    return out;
  };
  switch (input) {
  case Input::Rows:
    return ofLinks(StreamSource::Rows);
  case Input::Routes:
    return ofLinks(StreamSource::Routes);
  case Input::Tokens:
    return ofLinks(StreamSource::Tokens);
  case Input::Requests:
    return seen(StreamSource::Requests, 0, in);
  case Input::BatchReplays:
    return seen(StreamSource::Replays, 0, in, true);
  case Input::RequestReplays:
    return seen(StreamSource::Replays, 0, in);
  }
  return 0;
}

std::uint64_t Observed::volume(plan::Window::Unit unit, const Stretch& in) const {
  switch (unit) {
  case plan::Window::Unit::Tokens:
    return std::max(passed(StreamSource::Tokens, in), passed(StreamSource::Rows, in));
  case plan::Window::Unit::Sequences:
    return passed(StreamSource::Sequences, in);
  default:
    return seen(StreamSource::Requests, 0, in);
  }
}

bool Observed::isBusy(const Stretch& in) const {
  auto isIn = [&](const auto& each) { return in.holds(each.tick, each.slice); };
  return std::any_of(seen_.begin(), seen_.end(), isIn) ||
         std::any_of(served_.begin(), served_.end(), [&](const Served& each) {
           return isIn(each) && each.tokens + each.requests > 0;
         });
}

std::uint64_t Observed::served(Input input, const Stretch& in) const {
  bool isByToken = input == Input::Rows || input == Input::Routes || input == Input::Tokens;
  std::uint64_t out = 0;
  for (const Served& each : served_)
    if (in.holds(each.tick, each.slice))
      out += isByToken ? each.tokens : each.requests;
  return out;
}

} // namespace tikc::interpreter
