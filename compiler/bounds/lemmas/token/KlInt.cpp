#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

bool isZero(const Real& x) { return x.isExact() && x.lower() == 0; }

/// The mean of the log-ratios −down and up under the pair that takes both: its terms cancel to
/// first order.
Real chordKl(const Real& down, const Real& up) {
  unsigned bits = std::max(down.bits(), up.bits());
  if (isZero(down) || isZero(up))
    return {Rational(0), bits};
  Real x = guarded(down, 2), y = guarded(up, 2);
  Real fall = -expm1(-x), rise = -expm1(-y);
  return ((fall * y - rise * exp(-x) * x) / -expm1(-x - y)).withBits(bits);
}

} // namespace

constinit const Lemma klInt = {
    .id = "L-KL-INT",
    .statement = "If log-ratios lie in [−a, b], KL(p‖q) is at most the value of the pair that "
                 "takes both ends.",
    .hypotheses =
        "−a <= log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(p‖q) <= ((1 − m)M·b − (M − 1)m·a)/(M − m), m = exp(−a), M = exp(b)",
    .proof = "w·log w lies below its chord over [m, M], and E_q w = 1.",
    .trap = "The two directions differ: swapping the kernels swaps a and b.",
    .tight = "two tokens with ratios m and M",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return chordKl(a[0], a[1]); },
    .useRow = {{{{each(Quantity::LogRatioDown), each(Quantity::LogRatioUp)},
                 Quantity::KlTrainInfer},
                {{sup(Quantity::SeqLogRatioDown), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqKlTrainInfer}}},
    .needsFullSupport = true,
};

constinit const Lemma klrInt = {
    .id = "L-KLR-INT",
    .statement = "If log-ratios lie in [−a, b], KL(q‖p) is at most the value of the pair that "
                 "takes both ends.",
    .hypotheses =
        "−a <= log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(q‖p) <= ((M − 1)a − (1 − m)b)/(M − m), m = exp(−a), M = exp(b)",
    .proof = "L-KL-INT with the kernels swapped.",
    .tight = "two tokens with ratios m and M",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return chordKl(a[1], a[0]); },
    .useRow = {{{{each(Quantity::LogRatioDown), each(Quantity::LogRatioUp)},
                 Quantity::KlInferTrain},
                {{sup(Quantity::SeqLogRatioDown), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqKlInferTrain}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
