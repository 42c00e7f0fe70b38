#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view exponential =
    "It grows exponentially in T, and so does the variance of whole-response weights. A mean over "
    "prefixes may not enter the product.";

/// (1 + chi2)^n − 1.
Real compounded(const Real& chi2, const Real& n) {
  Real exact = pow(1 + chi2, n) - 1;
  return exact.isExact() ? exact : expm1(n * log1p(chi2));
}

} // namespace

constinit const Lemma seqChi2 = {
    .id = "L-SEQ-CHI2",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, "
                 "χ²(P‖Q) of whole responses is at most cosh(omega/2)^(2T) − 1.",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away.",
    .formula = "χ²(P‖Q) <= cosh(omega/2)^(2T) − 1",
    .proof = "E_Q W² is a product of conditional second moments 1 + χ²(p‖q), each at most "
             "cosh(omega/2)² (L-CHI2-OSC).",
    .trap = exponential,
    .tight = "independent steps, each at the worst pair of L-CHI2-OSC",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return expm1(2 * a[1] * logCosh(a[0] / 2)); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon)}, Quantity::SeqChi2}}},
    .needsFullSupport = true,
    .inverse = &inverseSeqChi2,
};

constinit const Lemma seqChi2Lp = {
    .id = "L-SEQ-CHI2-LP",
    .statement = "If no token's log-probability changes by more than delta at any reachable "
                 "prefix, χ²(P‖Q) of whole responses is at most (2·cosh(delta) − 1)^T − 1.",
    .hypotheses = "|log p − log q| <= delta for every token at every prefix that the inference "
                  "kernel can reach; nothing is cut away.",
    .formula = "χ²(P‖Q) <= (2·cosh(delta) − 1)^T − 1",
    .proof = "As L-SEQ-CHI2, with a step's 1 + χ² at most 2·cosh(delta) − 1 (L-CHI2-LP).",
    .trap = exponential,
    .tight = "two tokens with ratios exp(±delta) at every prefix",
    .parameterRow = {{{"delta", Domain::NonNegative,
                       "largest change of a log-probability at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      Real half = sinh(a[0] / 2);
      return compounded(4 * half * half, a[1]);
    },
    .useRow = {{{{sup(Quantity::LogprobLinf), given(Quantity::Horizon)}, Quantity::SeqChi2}}},
    .needsFullSupport = true,
};

constinit const Lemma seqChi2Prod = {
    .id = "L-SEQ-CHI2-PROD",
    .statement = "If χ²(p‖q) is at most chi2 at every reachable prefix, that of whole responses "
                 "is at most (1 + chi2)^T − 1.",
    .hypotheses = "χ²(p‖q) <= chi2 at every prefix that the inference kernel can reach.",
    .formula = "χ²(P‖Q) <= (1 + chi2)^T − 1",
    .proof = "E_Q W² is a product of conditional second moments, each at most 1 + chi2.",
    .trap = exponential,
    .tight = "independent steps",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q) at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return compounded(a[0], a[1]); },
    .useRow = {{{{sup(Quantity::Chi2), given(Quantity::Horizon)}, Quantity::SeqChi2}}},
};

constinit const Lemma inverseSeqChi2 = {
    .id = "G-SEQ-CHI2",
    .statement = "The largest oscillation for which L-SEQ-CHI2 gives b at horizon T.",
    .hypotheses = "b >= 0",
    .formula = "omega = 2·acosh((1 + b)^(1/(2T)))",
    .proof = "L-SEQ-CHI2 solved for omega.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of χ²"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * acosh1p(expm1(log1p(a[0]) / (2 * a[1]))); },
};

} // namespace tikc::bounds::lemmas
