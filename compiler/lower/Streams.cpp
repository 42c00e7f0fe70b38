#include "lower/Streams.h"

#include "lower/Numbers.h"
#include "model/Laws.h"
#include "support/Check.h"

#include <algorithm>
#include <limits>

namespace tikc::lower {

using model::Clause;
using model::Contract;

namespace {

/// What a clause compares, and on whose draws, temperatures aside.
plan::Stream streamOf(const Contract& contract, const Clause& clause) {
  plan::Stream out;
  out.train = clause.link ? clause.link->from.text : contract.chain.front().text;
  out.infer = clause.link ? clause.link->to.text : contract.chain.back().text;
  if (clause.drawn && clause.drawn->text != contract.chain.back().text)
    out.drawer = clause.drawn->text;
  return out;
}

auto find(const std::vector<plan::Stream>& streams, const plan::Stream& like) {
  return std::find_if(streams.begin(), streams.end(), [&](const plan::Stream& each) {
    return each.train == like.train && each.infer == like.infer && each.drawer == like.drawer;
  });
}

plan::Cut cutOf(const model::KernelLaws& kernel) {
  plan::Cut out;
  for (const model::KernelLaws::Cut& cut : kernel.cuts) {
    double setting = nearest(cut.setting->value);
    if (cut.key == "top_p")
      out.topP = setting;
    else if (cut.key == "min_p")
      out.minP = setting;
    else
      out.topK = static_cast<std::uint32_t>(
          std::min<double>(setting, std::numeric_limits<std::uint32_t>::max()));
  }
  return out;
}

} // namespace

std::vector<plan::Stream> streamsOf(const Contract& contract) {
  std::vector<plan::Stream> out;
  if (contract.chain.empty())
    return out;
  model::Laws laws(contract);
  auto add = [&](plan::Stream stream) {
    if (find(out, stream) != out.end())
      return;
    auto temperature = [&](const std::string& kernel) {
      auto place = laws.placeOf(kernel);
      return place ? nearest(laws.kernels()[*place].temperature) : 1;
    };
    stream.trainTemperature = temperature(stream.train);
    stream.inferTemperature = temperature(stream.infer);
    if (auto place = laws.placeOf(stream.infer))
      stream.cut = cutOf(laws.kernels()[*place]);
    // The assumption is about the ends.
    stream.allowsMissing = laws.declaresMissingMass() &&
                           stream.train == contract.chain.front().text &&
                           stream.infer == contract.chain.back().text;
    out.push_back(std::move(stream));
  };
  plan::Stream ends;
  ends.train = contract.chain.front().text;
  ends.infer = contract.chain.back().text;
  add(ends);
  for (const Clause& clause : contract.clauses)
    if (clause.link || clause.drawn)
      add(streamOf(contract, clause));
  return out;
}

std::uint32_t placeOfStream(const std::vector<plan::Stream>& streams, const Contract& contract,
                            const Clause& clause) {
  auto own = find(streams, streamOf(contract, clause));
  TIKC_CHECK(own != streams.end(), "each clause has its stream");
  return static_cast<std::uint32_t>(own - streams.begin());
}

} // namespace tikc::lower
