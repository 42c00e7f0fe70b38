#include "data/inspect/Signs.h"

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

/// Tokens of log-prob 0 that the trainer gives less than this were not drawn by the server.
constexpr double leastOfCertain = -1.5;

template <class Each> void addEach(Each& to, const Each& from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

template <std::size_t size>
void addDrifts(std::array<Drift, size>& to, const std::array<Drift, size>& from) {
  for (std::size_t i = 0; i < size; ++i)
    if (from[i].tokens != 0)
      to[i].add(from[i]);
}

std::size_t lagBinOf(double lag) {
  if (lag < 0)
    return 0;
  return std::min(1 + logBinOf(static_cast<std::uint64_t>(std::min(lag, 0x1p32))),
                  Signs::lagBins - 1);
}

bool isCounted(double number) { return std::abs(number) <= SteppedDrift::largest; }

/// The sums over one response, which the signs have no room for while it is read.
class ResponseSigns {
public:
  ResponseSigns(Signs& into, const Response& response)
      : into_(into), response_(response),
        begin_(static_cast<std::uint64_t>(std::clamp(response.position.value_or(0), 0.0, 0x1p62))) {
  }

  Drift read() {
    const std::size_t size = std::min(response_.train.size(), response_.infer.size());
    for (std::size_t i = 0; i < size; ++i) {
      if (!response_.counts(i)) {
        ++into_.masked;
        continue;
      }
      ++into_.counted;
      if (!length_)
        firstCounted_ = i;
      length_ = i - firstCounted_ + 1;
      if (std::isfinite(response_.train[i]) && std::isfinite(response_.infer[i]))
        take(i, size);
      else
        ++into_.nonFinite;
    }
    close();
    return whole_;
  }

private:
  void take(std::size_t i, std::size_t size) {
    const TokenDrift token = TokenDrift::of(response_.gap(i), response_.infer[i]);
    const auto logQ = static_cast<double>(response_.infer[i]);
    // Positions grow, so a bin is closed when the next begins.
    if (const std::size_t bin = logBinOf(begin_ + i); bin != bin_) {
      closePosition();
      bin_ = bin;
    }
    if (!isAny_)
      addOne(into_.first, token);
    isAny_ = true;
    last_ = token;
    ofBin_.add(token);
    if (ofBegin_.tokens < Signs::firstOfLength)
      ofBegin_.add(token);
    into_.equal += token.x == 0 ? 1U : 0U;
    into_.probabilities[Signs::probabilityBinOf(logQ)].add(token);
    const bool isCertain = response_.infer[i] == Signs::certain;
    if (!isCertain)
      line_.addToken(logQ, token.x);
    if (isCertain && static_cast<double>(response_.train[i]) < leastOfCertain)
      undrawn_.add(token);
    else
      into_.kept.addToken(token);
    if (token.room > 1 - TailOfDrift::surest)
      addTail(token);
    if (i != 0 && i + 1 < size && std::isfinite(response_.infer[i - 1]) &&
        std::isfinite(response_.infer[i + 1]))
      products_.addPair(response_.train[i], response_.infer.data() + i);
  }

  static void addOne(Drift& to, const TokenDrift& token) {
    Drift one;
    one.add(token);
    to.addResponse(one);
  }

  void addTail(const TokenDrift& token) {
    const double ratio = std::abs(token.x) / token.room;
    const std::size_t bin = TailOfDrift::binOf(ratio);
    ++into_.tail.tokens[bin];
    into_.tail.square[bin] += token.x * token.x;
    into_.tail.excess[bin] += token.more;
    largestBin_ = std::max(largestBin_, bin);
    isTailAny_ = true;
  }

  void closePosition() {
    into_.positions[bin_].addResponse(ofBin_);
    whole_.add(ofBin_);
    ofBin_ = {};
  }

  void close() {
    closePosition();
    ++into_.responses;
    if (!isAny_)
      return;
    addOne(into_.last, last_);
    into_.whole.addResponse(whole_);
    if (begin_ == 0 && length_ >= Signs::firstOfLength)
      into_.lengths[std::min(logBinOf(length_), Signs::lengthBins - 1)].addResponse(ofBegin_);
    into_.undrawn.addResponse(undrawn_);
    into_.line.addResponse(line_);
    into_.products.addResponse(products_);
    if (isTailAny_)
      ++into_.tail.responses[largestBin_ / 4];
    const bool isStepped = response_.step && isCounted(*response_.step);
    const bool isVersioned = response_.version && isCounted(*response_.version);
    if (isStepped)
      into_.steps.addResponse(*response_.step, whole_);
    if (isVersioned)
      into_.versions.addResponse(*response_.version, whole_);
    if (isStepped && isVersioned)
      into_.lags[lagBinOf(*response_.step - *response_.version)].addResponse(whole_);
  }

  Signs& into_;
  const Response& response_;
  const std::uint64_t begin_;
  Drift whole_, ofBin_, ofBegin_, undrawn_;
  LineOfDrift line_;
  LagProducts products_;
  TokenDrift last_;
  std::size_t bin_ = 0, largestBin_ = 0, firstCounted_ = 0, length_ = 0;
  bool isAny_ = false, isTailAny_ = false;
};

} // namespace

unsigned SteppedDrift::shiftOf(std::int64_t least, std::int64_t greatest) {
  unsigned out = 0;
  while ((greatest >> out) - (least >> out) >= static_cast<std::int64_t>(most))
    ++out;
  return out;
}

void SteppedDrift::cover(std::int64_t least, std::int64_t greatest) {
  if (isEmpty()) {
    least_ = least;
    greatest_ = greatest;
    shift_ = shiftOf(least, greatest);
    return;
  }
  const std::int64_t newLeast = std::min(least, least_),
                     newGreatest = std::max(greatest, greatest_);
  const unsigned newShift = shiftOf(newLeast, newGreatest);
  if (newShift != shift_ || (newLeast >> shift_) != (least_ >> shift_)) {
    std::array<Drift, most> bins{};
    for (std::size_t i = 0; i < most; ++i)
      if (bins_[i].tokens != 0)
        bins[static_cast<std::size_t>((beginOf(i) >> newShift) - (newLeast >> newShift))].add(
            bins_[i]);
    bins_ = bins;
  }
  least_ = newLeast;
  greatest_ = newGreatest;
  shift_ = newShift;
}

void SteppedDrift::addResponse(double at, const Drift& tokens) {
  const auto number = static_cast<std::int64_t>(std::floor(at));
  cover(number, number);
  bins_[static_cast<std::size_t>((number >> shift_) - (least_ >> shift_))].addResponse(tokens);
}

void SteppedDrift::add(const SteppedDrift& other) {
  if (other.isEmpty())
    return;
  cover(other.least_, other.greatest_);
  for (std::size_t i = 0; i < most; ++i)
    if (other.bins_[i].tokens != 0)
      bins_[static_cast<std::size_t>((other.beginOf(i) >> shift_) - (least_ >> shift_))].add(
          other.bins_[i]);
}

bool SteppedDrift::restore(std::int64_t least, std::int64_t greatest,
                           const std::array<Drift, most>& bins) {
  constexpr auto end = static_cast<std::int64_t>(largest);
  if (least > greatest || least < -end || greatest > end)
    return false;
  least_ = least;
  greatest_ = greatest;
  shift_ = shiftOf(least, greatest);
  bins_ = bins;
  const std::int64_t used = (greatest >> shift_) - (least >> shift_);
  return std::all_of(bins_.begin() + used + 1, bins_.end(),
                     [](const Drift& each) { return each.tokens == 0; });
}

void LagProducts::addPair(float ofTrain, const float* ofInfer) {
  const auto log = static_cast<double>(ofTrain), at = static_cast<double>(*ofInfer);
  ++pairs;
  train += log;
  infer += at;
  inferSquare += at * at;
  products[0] += log * static_cast<double>(ofInfer[-1]);
  products[1] += log * at;
  products[2] += log * static_cast<double>(ofInfer[1]);
}

void LagProducts::addSums(const LagProducts& other) {
  pairs += other.pairs;
  train += other.train;
  infer += other.infer;
  inferSquare += other.inferSquare;
  addEach(products, other.products);
}

void LagProducts::addResponse(const LagProducts& pairsOfIt) {
  addSums(pairsOfIt);
  const auto n = static_cast<double>(pairsOfIt.pairs);
  lengthSquare += n * n;
  for (std::size_t i = 0; i < 2; ++i) {
    const double gain = pairsOfIt.products[2 * i] - pairsOfIt.products[1];
    gainSquare[i] += gain * gain;
    gainLength[i] += gain * n;
  }
}

void LagProducts::add(const LagProducts& other) {
  addSums(other);
  lengthSquare += other.lengthSquare;
  addEach(gainSquare, other.gainSquare);
  addEach(gainLength, other.gainLength);
}

std::array<double, 3> LagProducts::covariances() const {
  const auto n = static_cast<double>(pairs);
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < products.size(); ++i)
    out[i] = products[i] / n - train / n * (infer / n);
  return out;
}

double LagProducts::varianceOfInfer() const {
  const auto n = static_cast<double>(pairs);
  return std::max(inferSquare / n - infer / n * (infer / n), 0.0);
}

double LagProducts::errorOfGain(std::size_t neighbour) const {
  const auto n = static_cast<double>(pairs);
  const double mean = (products[2 * neighbour] - products[1]) / n;
  return std::sqrt(std::max(gainSquare[neighbour] - 2 * mean * gainLength[neighbour] +
                                mean * mean * lengthSquare,
                            0.0)) /
         n;
}

void LineOfDrift::addToken(double logQ, double x) {
  const std::array<double, terms> addends{1, logQ, x, logQ * logQ, logQ * x};
  addEach(sums, addends);
  square += x * x;
}

void LineOfDrift::addResponse(const LineOfDrift& tokensOfIt) {
  if (tokensOfIt.sums[0] == 0)
    return;
  ++responses;
  addEach(sums, tokensOfIt.sums);
  square += tokensOfIt.square;
  std::size_t at = 0;
  for (std::size_t i = 0; i < terms; ++i)
    for (std::size_t j = i; j < terms; ++j)
      products[at++] += tokensOfIt.sums[i] * tokensOfIt.sums[j];
}

void LineOfDrift::add(const LineOfDrift& other) {
  responses += other.responses;
  addEach(sums, other.sums);
  addEach(products, other.products);
  square += other.square;
}

LineOfDrift::Line LineOfDrift::line() const {
  const auto& [n, q, x, qq, qx] = sums;
  const double spread = qq - q * q / n, ofX = square - x * x / n;
  if (!(n > 0) || !(spread > 1e-9 * qq))
    return {};
  Line out;
  out.slope = (qx - q * x / n) / spread;
  out.intercept = (x - out.slope * q) / n;
  if (ofX > 0)
    out.share = std::min(out.slope * out.slope * spread / ofX, 1.0);
  // The slope is off by the sum over responses of (log q - mean)(x - intercept - slope log q), over
  // the spread: linear in a response's sums.
  const double mean = q / n;
  const std::array<double, terms> factors{mean * out.intercept, mean * out.slope - out.intercept,
                                          -mean, -out.slope, 1};
  double total = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < terms; ++i)
    for (std::size_t j = i; j < terms; ++j)
      total += (i == j ? 1 : 2) * factors[i] * factors[j] * products[at++];
  out.slopeError = std::sqrt(std::max(total, 0.0)) / spread;
  return out;
}

std::size_t TailOfDrift::binOf(double ratio) {
  if (!(ratio > 0))
    return 0;
  int exponent = 0;
  const double mantissa = std::frexp(ratio, &exponent); // from 1/2 to 1
  // Quarters of an octave begin at 2^(1/4), 2^(1/2), 2^(3/4).
  const int quarter = mantissa < 0.5946035575013605   ? 0
                      : mantissa < 0.7071067811865476 ? 1
                      : mantissa < 0.8408964152537145 ? 2
                                                      : 3;
  const int bin = 4 * (exponent - 1 - leastExponent) + quarter;
  return static_cast<std::size_t>(std::clamp(bin, 0, static_cast<int>(bins) - 1));
}

double TailOfDrift::beginOf(std::size_t bin) {
  return std::exp2(leastExponent + static_cast<double>(bin) / 4);
}

void TailOfDrift::add(const TailOfDrift& other) {
  addEach(tokens, other.tokens);
  addEach(square, other.square);
  addEach(excess, other.excess);
  addEach(responses, other.responses);
}

void KeptMass::addToken(const TokenDrift& token) {
  if (token.x == 0)
    return;
  const double ratio = token.x < 0 ? 1 + token.more : 1 / (1 + token.more);
  const auto bin = std::min(static_cast<std::size_t>(ratio * bins), bins - 1);
  ++tokens[token.x < 0 ? server : trainer][bin];
}

void KeptMass::add(const KeptMass& other) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    addEach(tokens[i], other.tokens[i]);
}

double KeptMass::exceededAtAllBut(double share, std::uint64_t all, Side side) const {
  double left = share * static_cast<double>(all);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const auto here = static_cast<double>(tokens[side][bin]);
    if (here > left)
      return (static_cast<double>(bin) + left / here) / bins;
    left -= here;
  }
  return 1;
}

Drift Signs::add(const Response& response) { return ResponseSigns(*this, response).read(); }

void Signs::addSome(const Response& response) {
  if (counted + masked < firstTokens || (responses + passedOver) % oneOf == 0)
    add(response);
  else
    ++passedOver;
}

void Signs::add(const Signs& other) {
  responses += other.responses;
  passedOver += other.passedOver;
  counted += other.counted;
  masked += other.masked;
  nonFinite += other.nonFinite;
  equal += other.equal;
  whole.add(other.whole);
  addDrifts(positions, other.positions);
  addDrifts(probabilities, other.probabilities);
  addDrifts(lags, other.lags);
  addDrifts(lengths, other.lengths);
  steps.add(other.steps);
  versions.add(other.versions);
  first.add(other.first);
  last.add(other.last);
  undrawn.add(other.undrawn);
  products.add(other.products);
  line.add(other.line);
  tail.add(other.tail);
  kept.add(other.kept);
}

std::size_t Signs::probabilityBinOf(double logQ) {
  const double less = -logQ;
  if (!(less > 0))
    return 0;
  if (less < 1)
    return less < 0.25 ? 1 : less < 0.5 ? 2 : 3;
  return std::min(3 + static_cast<std::size_t>(std::min(less, 8.0)), probabilityBins - 1);
}

double Signs::beginOfProbabilityBin(std::size_t bin) {
  constexpr double few[] = {0, 0, 0.25, 0.5};
  return bin < 4 ? few[bin] : static_cast<double>(bin) - 3;
}

} // namespace tikc::data
