#include "interpreter/Figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tikc::interpreter {

using plan::Figure;

namespace {

constexpr Wide infinity = std::numeric_limits<Wide>::infinity();
constexpr Wide none = std::numeric_limits<Wide>::quiet_NaN();

bool isMask(Wide logit) { return logit == -infinity; }
bool isWrong(Wide logit) { return std::isnan(logit) || logit == infinity; }

Wide sum(const std::vector<Wide>& terms) {
  return std::accumulate(terms.begin(), terms.end(), Wide{0});
}

/// log softmax(logits / temperature); at 0 that of one token.
std::vector<Wide> logProbs(const std::vector<Wide>& logits, Wide temperature) {
  Wide top = *std::max_element(logits.begin(), logits.end()), total = 0;
  std::vector<Wide> out;
  if (temperature == 0) {
    for (Wide logit : logits)
      out.push_back(logit == top ? 0 : -infinity);
    return out;
  }
  for (Wide logit : logits) {
    out.push_back((logit - top) / temperature);
    total += std::exp(out.back());
  }
  for (Wide& each : out)
    each -= std::log(total);
  return out;
}

/// What takes the most likely token, where two are.
bool isTied(const std::vector<Wide>& logits, double temperature) {
  Wide top = *std::max_element(logits.begin(), logits.end());
  return temperature == 0 && std::count(logits.begin(), logits.end(), top) > 1;
}

Wide margin(std::vector<Wide> logits) {
  std::sort(logits.rbegin(), logits.rend());
  return logits[0] - logits[1];
}

std::ptrdiff_t argmax(const std::vector<Wide>& logits) {
  return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

Wide entropy(const std::vector<Wide>& logs) {
  Wide out = 0;
  for (Wide log : logs)
    out -= isMask(log) ? 0 : std::exp(log) * log;
  return out;
}

/// What one token adds to the divergence of a from b, for b = a·(1 + excess). The terms
/// a·(log a − log b) alone cancel when they are added up; as Σ b = Σ a, Σ (b − a) is added to them.
Wide divergence(Wide a, Wide excess, Wide logExcess) { return a * (excess - logExcess); }

/// Nothing is known of it but how many of its numbers are none.
Figures spoiltRow(Wide nonfinite) {
  Figures out;
  for (const plan::FigureInfo& each : plan::figureTable)
    if (each.source == plan::StreamSource::Rows)
      out[each.figure] = none;
  out[Figure::Nonfinite] = std::max(Wide{1}, nonfinite);
  return out;
}

void addLogitFigures(Figures& out, const std::vector<Wide>& train, const std::vector<Wide>& infer) {
  std::vector<Wide> drifts, squares, sizes, relative;
  for (std::size_t i = 0; i < train.size(); ++i)
    if (!isMask(train[i]) && !isMask(infer[i])) {
      Wide drift = train[i] - infer[i];
      drifts.push_back(drift);
      squares.push_back(drift * drift);
      sizes.push_back(std::abs(drift));
      relative.push_back(std::abs(drift) / std::max(std::abs(train[i]), Wide{1}));
    }
  auto largest = [](const std::vector<Wide>& of) {
    return of.empty() ? 0 : *std::max_element(of.begin(), of.end());
  };
  auto [low, high] = std::minmax_element(drifts.begin(), drifts.end());
  out[Figure::LogitLinf] = largest(sizes);
  out[Figure::LogitOsc] = drifts.empty() ? 0 : *high - *low;
  out[Figure::LogitL2] = std::sqrt(sum(squares));
  out[Figure::LogitRel] = largest(relative);
  out[Figure::Top1Flip] = argmax(train) != argmax(infer) ? 1 : 0;
  out[Figure::Top1Margin] = std::min(margin(train), margin(infer));
}

void addDivergences(Figures& out, const std::vector<Wide>& logP, const std::vector<Wide>& logQ) {
  Wide tv = 0, hellinger = 0, forward = 0, backward = 0, js = 0, chi2 = 0, largest = 0, missing = 0;
  bool meet = false;
  for (std::size_t i = 0; i < logP.size(); ++i) {
    Wide p = std::exp(logP[i]), q = std::exp(logQ[i]);
    bool hasP = !isMask(logP[i]), hasQ = !isMask(logQ[i]);
    tv += std::abs(p - q) / 2;
    hellinger += (std::sqrt(p) - std::sqrt(q)) * (std::sqrt(p) - std::sqrt(q)) / 2;
    if (hasP && hasQ) {
      Wide y = logQ[i] - logP[i];
      meet = true;
      largest = std::max(largest, std::abs(y));
      Wide ofP = std::expm1(y) / 2, ofQ = std::expm1(-y) / 2; // of the middle over each
      forward += divergence(p, std::expm1(y), y);
      backward += divergence(q, std::expm1(-y), -y);
      js += (divergence(p, ofP, std::log1p(ofP)) + divergence(q, ofQ, std::log1p(ofQ))) / 2;
      chi2 += p * std::expm1(-y) * -std::expm1(y);
    } else if (hasP) {
      missing += p;
      forward = chi2 = infinity;
      js += p * std::log(Wide{2}) / 2;
      backward += p;
    } else if (hasQ) {
      backward = infinity;
      js += q * std::log(Wide{2}) / 2;
      forward += q;
      chi2 += q;
    }
  }
  out[Figure::Tv] = tv;
  out[Figure::Hellinger] = hellinger;
  out[Figure::KlTrainInfer] = forward;
  out[Figure::KlInferTrain] = backward;
  out[Figure::Js] = js;
  out[Figure::Chi2] = chi2;
  out[Figure::LogprobLinf] = meet ? largest : infinity;
  out[Figure::MissingMass] = missing;
  out[Figure::EntropyGap] = std::abs(entropy(logP) - entropy(logQ));
}

/// What the trainer gives to tokens that the inference masks or cuts, at most: of those that share
/// the last logit that is kept, each kept one counts as the least likely of them.
Wide missingMass(const std::vector<Wide>& logP, const std::vector<Wide>& infer,
                 const std::vector<Wide>& logQ, const plan::Cut& cut) {
  constexpr Wide slack = 0x1p-20L; // of an engine's sums
  std::vector<std::size_t> order(infer.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return infer[a] > infer[b]; });
  auto q = [&](std::size_t rank) { return std::exp(logQ[order[rank]]); };
  std::size_t kept = 1, nucleus = 1;
  Wide total = q(0), reached = q(0);
  while (kept < order.size() && !isMask(infer[order[kept]]) && (!cut.topK || kept < cut.topK) &&
         (q(kept) >= q(0) * cut.minP * (1 + slack) || infer[order[kept]] == infer[order[0]]))
    total += q(kept++);
  while (nucleus < kept && cut.topP < 1 && reached < (cut.topP - slack) * total)
    reached += q(nucleus++);
  kept = cut.topP < 1 ? nucleus : kept;
  Wide out = 0, tied = 0, least = 1;
  std::size_t ties = 0, above = 0;
  for (std::size_t i = 0; i < infer.size(); ++i) {
    Wide p = std::exp(logP[i]), last = infer[order[kept - 1]];
    above += infer[i] > last ? 1 : 0;
    out += infer[i] < last ? p : 0;
    if (infer[i] == last) {
      ++ties;
      tied += p;
      least = std::min(least, p);
    }
  }
  return kept - above < ties ? out + tied - static_cast<Wide>(kept - above) * least : out;
}

/// What knows the temperatures.
void addLaws(Figures& out, const std::vector<Wide>& train, const std::vector<Wide>& infer,
             const plan::Stream& of) {
  if (isTied(train, of.trainTemperature) || isTied(infer, of.inferTemperature)) {
    for (const auto& [figure, worst] : spoiltRow(0))
      out.emplace(figure, worst);
    return;
  }
  std::vector<Wide> logP = logProbs(train, Wide{of.trainTemperature});
  std::vector<Wide> logQ = logProbs(infer, Wide{of.inferTemperature});
  addDivergences(out, logP, logQ);
  if (of.cut.isAny() && of.inferTemperature != 0)
    out[Figure::MissingMass] = missingMass(logP, infer, logQ, of.cut);
  bool isGreedy = of.trainTemperature == 0 || of.inferTemperature == 0;
  for (std::size_t i = 0; i < logP.size(); ++i)
    if (isGreedy && isMask(logP[i]) != isMask(logQ[i]))
      out[Figure::LogprobLinf] = infinity;
}

} // namespace

bool Token::isBad() const {
  constexpr Wide rounding = 1e-3F;
  return std::isnan(gap()) || train > rounding || infer > rounding || infer <= -1e38F;
}

Figures rowFigures(const std::vector<Wide>& train, const std::vector<Wide>& infer,
                   const plan::Stream& of) {
  Wide wrong = 0, oneSided = 0;
  bool trainLives = false, inferLives = false;
  for (std::size_t i = 0; i < train.size(); ++i) {
    wrong += (isWrong(train[i]) ? 1 : 0) + (isWrong(infer[i]) ? 1 : 0);
    bool isMissing = of.allowsMissing && !isMask(train[i]) && !isWrong(train[i]);
    oneSided += isMask(train[i]) != isMask(infer[i]) && !isMissing ? 1 : 0;
    trainLives = trainLives || !isMask(train[i]);
    inferLives = inferLives || !isMask(infer[i]);
  }
  if (wrong > 0 || !trainLives || !inferLives)
    return spoiltRow(wrong + oneSided);
  Figures out;
  addLogitFigures(out, train, infer);
  addLaws(out, train, infer, of);
  out[Figure::Nonfinite] = oneSided;
  if (oneSided > 0) {
    for (Figure each : {Figure::LogitLinf, Figure::LogitOsc, Figure::LogitL2, Figure::LogitRel,
                        Figure::Top1Margin})
      out[each] = none;
    auto [logprobs, isKnown] = out.emplace(Figure::LogprobLinf, infinity);
    if (!isKnown && !std::isnan(logprobs->second))
      logprobs->second = infinity;
  }
  return out;
}

namespace {

/// a·log(a/b), nothing of what never happens.
Wide surprise(Wide a, Wide logA, Wide logB) { return a > 0 ? a * (logA - logB) : 0; }

Wide binaryKl(const Token& token) {
  constexpr Wide surest = -0x1p-25L;
  Wide logP = std::min(surest, token.train), logQ = std::min(surest, token.infer);
  Wide otherQ = -std::expm1(logQ);
  Wide out = surprise(std::exp(logQ), logQ, logP) +
             surprise(otherQ, std::log(otherQ), std::log(-std::expm1(logP)));
  return std::max(Wide{0}, out);
}

} // namespace

Wide tokenFigure(const plan::Signal& signal, const Token& token) {
  Wide x = token.gap();
  if (token.isBad())
    return none;
  switch (signal.figure) {
  case Figure::LogprobGap:
    return signal.absolute ? std::abs(x) : x;
  case Figure::Ratio:
    return std::exp(x);
  case Figure::CappedRatio:
    return std::clamp(std::exp(x), Wide{signal.parameters[0]}, Wide{signal.parameters[1]});
  case Figure::TvSampled:
    return std::max(Wide{0}, -std::expm1(x));
  case Figure::K1:
    return signal.absolute ? std::abs(x) : -x;
  case Figure::K2:
    return x * x / 2;
  case Figure::K3:
    return x == infinity ? infinity : std::expm1(x) - x;
  case Figure::MultProbError:
    return std::exp(std::abs(x));
  case Figure::ProbGap:
    return std::abs(std::exp(token.train) - std::exp(token.infer));
  case Figure::BinaryKl:
    return binaryKl(token);
  case Figure::Clipped: {
    bool isInside =
        x >= std::log(Wide{signal.parameters[0]}) && x <= std::log(Wide{signal.parameters[1]});
    return isInside ? 0 : 1;
  }
  case Figure::Veto:
    return x < std::log(Wide{signal.parameters[0]}) ? 1 : 0;
  default:
    return none;
  }
}

Wide sequenceFigure(const plan::Signal& signal, const std::vector<Token>& tokens) {
  Wide total = 0;
  bool isBad = false, isVetoed = false;
  for (const Token& token : tokens) {
    total += token.gap();
    isBad = isBad || token.isBad();
    isVetoed = isVetoed ||
               (!signal.parameters.empty() && token.gap() < std::log(Wide{signal.parameters[0]}));
  }
  if (isBad || std::isnan(total))
    return none;
  switch (signal.figure) {
  case Figure::SeqVeto:
    return isVetoed ? 1 : 0;
  case Figure::SeqLogRatio:
    return signal.absolute ? std::abs(total) : total;
  case Figure::SeqGeoRatio:
    return std::exp(total / static_cast<Wide>(tokens.size()));
  case Figure::SeqRatio:
    return std::exp(total);
  case Figure::SeqCappedRatio:
    return std::clamp(std::exp(total), Wide{signal.parameters[0]}, Wide{signal.parameters[1]});
  case Figure::SeqClipped:
  case Figure::SeqGeoClipped: {
    Wide parts = signal.figure == Figure::SeqClipped ? 1 : static_cast<Wide>(tokens.size());
    bool isInside = total / parts >= std::log(Wide{signal.parameters[0]}) &&
                    total / parts <= std::log(Wide{signal.parameters[1]});
    return isInside ? 0 : 1;
  }
  case Figure::SeqTv:
    return std::max(Wide{0}, -std::expm1(total));
  default:
    return none;
  }
}

Wide meanByResponse(const plan::Signal& signal, const std::vector<Token>& tokens) {
  Wide total = 0;
  for (const Token& token : tokens)
    total += tokenFigure(signal, token);
  return total / static_cast<Wide>(tokens.size());
}

Wide windowFigure(Figure figure, const std::vector<Token>& tokens) {
  auto n = static_cast<Wide>(tokens.size());
  bool isBad =
      std::any_of(tokens.begin(), tokens.end(), [](const Token& of) { return of.isBad(); });
  Wide ratios = 0, squares = 0, gaps = 0, p = 0, q = 0;
  for (const Token& token : tokens) {
    gaps += token.gap();
    ratios += std::exp(token.gap());
    squares += std::exp(2 * token.gap());
    p += std::exp(token.train) / n;
    q += std::exp(token.infer) / n;
  }
  if (isBad)
    return none;
  if (figure == Figure::EssSample) // of weights that are this small a checker knows nothing
    return std::isinf(ratios) || squares < 1e-28L * n ? none : ratios * ratios / (n * squares);
  if (figure == Figure::PplRatio)
    return std::exp(-gaps / n);
  Wide pSpread = 0, qSpread = 0, together = 0, pSquares = 0, qSquares = 0, apart = 0;
  for (const Token& token : tokens) {
    const Wide ofTrain = std::exp(token.train), ofInfer = std::exp(token.infer);
    const Wide left = ofTrain - p, right = ofInfer - q;
    pSpread += left * left;
    qSpread += right * right;
    together += left * right;
    pSquares += ofTrain * ofTrain;
    qSquares += ofInfer * ofInfer;
    apart += (ofTrain - ofInfer) * (ofTrain - ofInfer);
  }
  // What rounding leaves of a side that does not vary.
  const bool vary = qSpread > 1e-12L * qSquares && pSpread > 1e-12L * pSquares &&
                    pSpread > 12e-6L * (qSpread + apart);
  return vary ? together / std::sqrt(pSpread * qSpread) : none;
}

Extent extentOf(const plan::Signal& signal) {
  switch (signal.figure) {
  case Figure::Tv:
  case Figure::Hellinger:
  case Figure::Top1Flip:
  case Figure::MissingMass:
  case Figure::RouteFlip:
  case Figure::TvSampled:
  case Figure::ProbGap:
  case Figure::Clipped:
  case Figure::Veto:
  case Figure::SeqTv:
  case Figure::SeqClipped:
  case Figure::SeqGeoClipped:
  case Figure::SeqVeto:
  case Figure::Errors:
    return {0, 1};
  case Figure::Js:
    return {0, std::log(Wide{2})};
  case Figure::MultProbError:
    return {1, infinity};
  case Figure::CappedRatio:
  case Figure::SeqCappedRatio:
    return {signal.parameters[0], signal.parameters[1]};
  case Figure::LogprobGap:
  case Figure::K1:
  case Figure::SeqLogRatio:
    return {signal.absolute ? 0 : -infinity, infinity};
  case Figure::LogitLinf:
  case Figure::LogitOsc:
  case Figure::LogitL2:
  case Figure::LogitRel:
  case Figure::LogprobLinf:
  case Figure::KlTrainInfer:
  case Figure::KlInferTrain:
  case Figure::Chi2:
  case Figure::Top1Margin:
  case Figure::EntropyGap:
  case Figure::Nonfinite:
  case Figure::Ratio:
  case Figure::K2:
  case Figure::K3:
  case Figure::BinaryKl:
  case Figure::SeqGeoRatio:
  case Figure::SeqRatio:
  case Figure::EssSample:
  case Figure::PplRatio:
  case Figure::Pearson:
  case Figure::DriftSlope:
  case Figure::Latency:
  case Figure::FirstTokenLatency:
  case Figure::InterTokenLatency:
  case Figure::Throughput:
  case Figure::BatchDrift:
  case Figure::ReplayDrift:
    return {0, infinity};
  }
  return {none, none}; // no figure that there is
}

} // namespace tikc::interpreter
