#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma hsOsc = {
    .id = "L-HS-OSC",
    .statement =
        "If the logit drift oscillates by at most omega, the excess of ratios over C has a mean "
        "of at most (exp(omega/2) − √C)²/(exp(omega) − 1), and of 0 once C is exp(omega) or more.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "E_q (w − C)⁺ <= (√R − √C)²/(R − 1) for 1/R < C < R, R = exp(omega); 0 for C >= R; "
               "1 − C for C <= 1/R",
    .proof = "The chord of (w − C)⁺ over [m, mR] is (R + C − mR − C/m)/(R − 1) at 1, largest at m "
             "= √(C/R).",
    .trap = "It falls as the cap grows, so a cap is given exactly, never rounded up.",
    .tight = "two tokens, ratios m and mR",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"C", Domain::Positive, "cap of the ratios"}}},
    .evaluate = [](Arguments a) -> Result { return hockeyStick(a[0], a[1]); },
    .useRow = {{{{each(Quantity::Omega), given(Quantity::Cap)}, Quantity::Excess}}},
    .needsFullSupport = true,
    .inverse = &inverseHsOsc,
};

constinit const Lemma hsLp = {
    .id = "L-HS-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, the excess of "
                 "ratios over C has a mean of at most (exp(delta) − C)/(1 + exp(delta)), and of 0 "
                 "once C is exp(delta) or more.",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary; nothing is cut away.",
    .formula = "E_q (w − C)⁺ <= max(0, 1 − C, (exp(delta) − C)/(1 + exp(delta)))",
    .proof = "The chord of (w − C)⁺ over [exp(−delta), exp(delta)] at 1; outside that range of C, "
             "no ratio is on the other side.",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"},
                      {"C", Domain::Positive, "cap of the ratios"}}},
    .evaluate = [](Arguments a) -> Result {
      Real growth = expm1(a[0]), below = 1 - a[1];
      return max(max(below, 0), (growth + below) / (2 + growth));
    },
    .useRow = {{{{each(Quantity::LogprobLinf), given(Quantity::Cap)}, Quantity::Excess}}},
    .needsFullSupport = true,
};

constinit const Lemma hsTv = {
    .id = "L-HS-TV",
    .statement = "The excess of ratios over C has a mean of at most the total variation, and of 1 "
                 "− C more where C is below 1.",
    .hypotheses = "TV <= tv",
    .formula = "E_q (w − C)⁺ <= min(1, tv + (1 − C)⁺)",
    .proof = "(w − C)⁺ <= (w − 1)⁺ + (1 − C)⁺, and E_q (w − 1)⁺ <= TV.",
    .trap = "With total variation alone, a larger cap does not reduce the excess: all of it may be "
            "one token with a huge ratio.",
    .tight = "C = 1, or all of the excess on tokens of vanishing probability",
    .parameterRow = {{{"tv", Domain::Share, "total variation"},
                      {"C", Domain::Positive, "cap of the ratios"}}},
    .evaluate = [](Arguments a) -> Result { return min(a[0] + max(1 - a[1], 0), 1); },
    .useRow = {{{{each(Quantity::Tv), given(Quantity::Cap)}, Quantity::Excess},
                {{each(Quantity::SeqTv), given(Quantity::Cap)}, Quantity::SeqExcess}}},
    .curvature = Curvature::Concave,
};

constinit const Lemma hsSeq = {
    .id = "L-HS-SEQ",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, the "
                 "excess of whole-response ratios is that of one token at omega·T.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "responses of up to T tokens; nothing is cut away.",
    .formula = "E_Q (W − C)⁺ <= L-HS-OSC at omega·T",
    .proof = "The log-odds of every event of responses differ by at most omega·T: by induction "
             "over the first token, since the chance of the event given that token moves its own "
             "log-odds by at most omega·(T − 1). E_Q (W − C)⁺ is the largest P(A) − C·Q(A).",
    .trap = "The log-ratio of a response ranges over up to twice omega·T: which end of its range a "
            "step can reach depends on the prefix.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"C", Domain::Positive, "cap of the ratios"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return hockeyStick(a[0] * a[2], a[1]); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Cap), given(Quantity::Horizon)},
                 Quantity::SeqExcess}}},
    .needsFullSupport = true,
};

constinit const Lemma inverseHsOsc = {
    .id = "G-HS-OSC",
    .statement = "The largest oscillation for which L-HS-OSC gives an excess of b over C.",
    .hypotheses = "b > 1 − C: below that no oscillation is small enough",
    .formula = "omega = 2·log(s), s = (√C + √(b(C − 1 + b)))/(1 − b)",
    .proof = "(s − √C)² = b(s² − 1) is quadratic in s = exp(omega/2).",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of the excess"},
                      {"C", Domain::Positive, "cap of the ratios"}}},
    .evaluate = [](Arguments a) -> Result {
      Real room = a[1] - 1 + a[0];
      if (!isLess(0, room))
        return std::nullopt;
      Real b = guarded(a[0], 2), c = a[1].withBits(b.bits());
      return (2 * log((sqrt(c) + sqrt(b * room)) / (1 - b))).withBits(a[0].bits());
    },
};

constinit const Lemma inverseHsC = {
    .id = "G-HS-C",
    .statement = "The least cap for which L-HS-OSC gives an excess of b at oscillation omega.",
    .hypotheses = "0 < b < 1",
    .formula =
        "C = (s − √(b(s² − 1)))², s = exp(omega/2), where b <= 1 − exp(−omega); 1 − b beyond",
    .proof = "(s − √C)² = b(s² − 1); otherwise, the excess is 1 − C.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"b", Domain::OpenShare, "the budget of the excess"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[1], -expm1(-a[0])))
        return 1 - a[1];
      Real root = exp(a[0] / 2) - sqrt(a[1] * expm1(a[0]));
      return root * root;
    },
};

} // namespace tikc::bounds::lemmas
