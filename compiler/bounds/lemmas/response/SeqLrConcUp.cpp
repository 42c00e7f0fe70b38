#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view seqLrConcUpTraps =
    "It is about one response that the inference kernel samples: of n responses, n·alpha may break "
    "it. It is not a bound on every response, as L-SEQ-LR is.";

/// omega·√(T·log(1/alpha)/2)
Real deviation(Arguments a) { return a[0] * sqrt(-log(a[2]) * a[1] / 2); }

} // namespace

constinit const Lemma seqLrConcUp = {
    .id = "L-SEQ-LRCONC-UP",
    .statement =
        "If the logit drift oscillates by at most omega at every reachable prefix, all but a "
        "share alpha of the sampled responses have a log-ratio log(P/Q) that grows with √T only.",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away; the response is one of the inference kernel's.",
    .formula = "log(P/Q) <= omega·√(T·log(1/alpha)/2)",
    .proof = "Azuma–Hoeffding under Q: a step's log-ratio has conditional mean −KL(q‖p) <= 0 and a "
             "range of length omega.",
    .trap = seqLrConcUpTraps,
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"},
                      {"alpha", Domain::OpenShare, "share of the responses that may be above"}}},
    .evaluate = [](Arguments a) -> Result { return deviation(a); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon), asked()},
                 Quantity::SeqLogRatioUp,
                 Quantifier::Quantile}}},
    .needsFullSupport = true,
};

constinit const Lemma seqLrConcTilt = {
    .id = "L-SEQ-LRCONC-TILT",
    .statement =
        "If the logit drift oscillates by at most omega at every reachable prefix, all but a share "
        "alpha of the sampled responses have a log-ratio log(P/Q) that is T·omega²/8 below the "
        "bound of L-SEQ-LRCONC-UP, or that of L-SEQ-VILLE.",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away; the response is one of the inference kernel's.",
    .formula = "log(P/Q) <= omega·√(T·L/2) − T·omega²/8 where T·omega² <= 8·L, else L; "
               "L = log(1/alpha)",
    .proof = "At each prefix K(t) = log E_q w^t has K(0) = 0 and K(1) <= 0, and K″(t) <= omega²/4, "
             "since it is the variance of log w under a tilted law, and log w has a range of "
             "length omega. So "
             "K(t) <= t(t − 1)·omega²/8 for t >= 1, and W^t has a mean of at most exp(T·t(t − "
             "1)·omega²/8). Markov's inequality with t = √(8·L/(T·omega²)), or with t = 1.",
    .trap = seqLrConcUpTraps,
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"},
                      {"alpha", Domain::OpenShare, "share of the responses that may be above"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real limit = -log(a[2]), spread = a[1] * a[0] * a[0];
      // Where it is not certain which side of the seam it is on, the limit holds.
      return isAtMost(spread, 8 * limit) ? deviation(a) - spread / 8 : limit;
    },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon), asked()},
                 Quantity::SeqLogRatioUp,
                 Quantifier::Quantile}}},
    .needsFullSupport = true,
};

constinit const Lemma seqLrConcLo = {
    .id = "L-SEQ-LRCONC-LO",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, all "
                 "but a share alpha of the sampled responses have a log-ratio log(Q/P) of at most "
                 "T·K(omega) and a part that grows with √T.",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away; the response is one of the inference kernel's.",
    .formula = "log(Q/P) <= T·K(omega) + omega·√(T·log(1/alpha)/2), K of L-KL-OSC",
    .proof = "Azuma–Hoeffding under Q for the other side: a step's log(q/p) has conditional mean "
             "KL(q‖p) <= K(omega).",
    .trap = seqLrConcUpTraps,
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"},
                      {"alpha", Domain::OpenShare, "share of the responses that may be above"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * largestKl(a[0]) + deviation(a); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon), asked()},
                 Quantity::SeqLogRatioDown,
                 Quantifier::Quantile}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
