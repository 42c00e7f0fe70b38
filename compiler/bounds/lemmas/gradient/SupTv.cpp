#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

using From = Premise::From;

constexpr std::string_view supTvTraps =
    "Truncated sampling (top-p, top-k, min-p) leaves tokens that the trainer can reach and the "
    "sampler cannot: ratios, χ² and KL(p‖q) are then infinite, and the effective share is 0. Only "
    "the total variation and KL(q‖p) stay finite.";

/// The largest total variation over the least ratio m on the kept tokens, of which there is a best
/// one, m*, and a largest one, m0 = 1/(1 − etaq + etaq·exp(omega)).
Real cutTv(const Real& omega, const Real& etaq) {
  Real grown = etaq * exp(omega);
  Real kept = 1 - etaq;
  Real whole = kept + grown;
  Real place = exp(-omega / 2) * whole, limit = sqrt(kept);
  if (isAtMost(limit, place))
    return grown / whole;
  Real gap = expm1(omega / 2 - log1p(-etaq) / 2);
  Real best = gap * gap / expm1(omega);
  // At m* the value is largest, so it is a bound where it is not certain which side m0 is on.
  return isLess(place, limit) ? best : hull(grown / whole, best);
}

} // namespace

constinit const Lemma supTv = {
    .id = "L-SUP-TV",
    .statement = "If the sampler cuts tokens of p-mass eta away and the drift oscillates by at "
                 "most omega, the total variation is at most a hockey stick at 1 − eta; eta alone "
                 "for small omega.",
    .hypotheses = "The logit drift oscillates by at most omega over the tokens that are kept; p's "
                  "mass on the others is at most eta.",
    .formula = "TV(p, q̃) <= (exp(omega/2) − √(1 − eta))²/(exp(omega) − 1) where exp(−omega) < 1 − "
               "eta, else eta",
    .proof = "Over the kept tokens TV = Σ(q̃ − p)⁺ is the hockey stick of q̃ against p given the "
             "kept tokens, at C = 1 − eta, and the two oscillate by at most omega; then L-HS-OSC.",
    .trap = supTvTraps,
    .tight = "two kept tokens and one that is cut",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"eta", Domain::Share, "p's mass on tokens that are cut away"}}},
    .evaluate = [](Arguments a) -> Result {
      Real kept = 1 - a[1];
      if (!isLess(0, kept))
        return Real(Rational(1), a[0].bits());
      return hockeyStick(a[0], kept);
    },
    .useRow = {{{.premises = {each(Quantity::Omega).of(From::Kept), each(Quantity::MissingMass)},
                 .concludes = Quantity::Tv,
                 .into = Into::Served}}},
    .inverse = &inverseSupTv,
};

constinit const Lemma supTvQ = {
    .id = "L-SUP-TVQ",
    .statement = "L-SUP-TV where the cut mass is known from the sampler's own distribution: q's "
                 "mass etaq before the cut.",
    .hypotheses = "The logit drift oscillates by at most omega over the whole vocabulary, before "
                  "the cut; q's mass on the tokens that are cut is at most etaq.",
    .formula =
        "TV(p, q̃) <= (exp(omega/2)/√(1 − etaq) − 1)²/(exp(omega) − 1) where exp(−omega/2)/√(1 − "
        "etaq) < m0 = 1/(1 − etaq + etaq·exp(omega)), else etaq·exp(omega)·m0",
    .proof = "With ratios from m to mR the total variation is at most (mR − 1)(1/(1 − etaq) − "
             "m)/(m(R − 1)), for m at most m0; it is largest at m = exp(−omega/2)/√(1 − etaq), or "
             "at m0 where that is less.",
    .trap = "etaq is 1 − top_p at most for top-p, (V − 1)m/(1 + (V − 1)m) for min-p; top-k does "
            "not bound it, so it must be declared.",
    .tight = "two kept tokens and one that is cut",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"etaq", Domain::Share, "q's mass that is cut away"}}},
    .evaluate = [](Arguments a) -> Result { return cutTv(a[0], a[1]); },
    .useRow = {{{.premises = {each(Quantity::Omega).of(From::Whole), given(Quantity::CutMass)},
                 .concludes = Quantity::Tv,
                 .into = Into::Served}}},
};

constinit const Lemma supCut = {
    .id = "L-SUP-CUT",
    .statement = "Cutting mass etaq away moves the sampler by etaq, which adds to the total "
                 "variation before the cut.",
    .hypotheses =
        "TV(p, q) <= tv before the cut; q's mass on the tokens that are cut is at most etaq.",
    .formula = "TV(p, q̃) <= min(1, tv + etaq)",
    .proof = "TV(q, q̃) = etaq, and the triangle inequality.",
    .trap = supTvTraps,
    .parameterRow = {{{"tv", Domain::NonNegative, "total variation before the cut"},
                      {"etaq", Domain::Share, "q's mass that is cut away"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] + a[1]); },
    .useRow = {{{.premises = {each(Quantity::Tv).of(From::Whole), given(Quantity::CutMass)},
                 .concludes = Quantity::Tv,
                 .into = Into::Served},
                {.premises = {mean(Quantity::Tv).of(From::Whole), given(Quantity::CutMass)},
                 .concludes = Quantity::Tv,
                 .quantifier = Quantifier::Mean,
                 .into = Into::Served}}},
};

constinit const Lemma supMiss = {
    .id = "L-SUP-MISS",
    .statement = "Cutting tokens of p-mass eta away adds at most eta to the total variation before "
                 "the cut, and to that over the tokens that are kept.",
    .hypotheses = "TV(p, q) <= tv before the cut, or TV(p, q̃) <= tv of p given the tokens that are "
                  "kept; p's mass on the tokens that are cut is at most eta.",
    .formula = "TV(p, q̃) <= min(1, tv + eta)",
    .proof = "TV(p, q̃) = Σ(p − q̃)⁺, which is p on the tokens that are cut, eta together. On the "
             "others q̃ >= q, and p given the kept tokens is at least p, so that the sum is at most "
             "Σ(p − q)⁺, and at most that of p given those, <= tv.",
    .trap = supTvTraps,
    .tight = "where p is at most q on the kept tokens",
    .parameterRow = {{{"tv", Domain::NonNegative, "total variation before the cut"},
                      {"eta", Domain::Share, "p's mass on tokens that are cut away"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] + a[1]); },
    .useRow = {{{.premises = {each(Quantity::Tv).of(From::Whole), each(Quantity::MissingMass)},
                 .concludes = Quantity::Tv,
                 .into = Into::Served},
                {.premises = {mean(Quantity::Tv).of(From::Whole), mean(Quantity::MissingMass)},
                 .concludes = Quantity::Tv,
                 .quantifier = Quantifier::Mean,
                 .into = Into::Served},
                {.premises = {mean(Quantity::Tv).of(From::Kept), mean(Quantity::MissingMass)},
                 .concludes = Quantity::Tv,
                 .quantifier = Quantifier::Mean,
                 .into = Into::Served}}},
};

constinit const Lemma supKept = {
    .id = "L-SUP-KEPT",
    .statement = "Over the kept tokens, log p − log q oscillates no more than over all tokens.",
    .hypotheses = "log p − log q oscillates by at most omega over the tokens that both kernels can "
                  "give before the cut; p is restricted to the tokens that are kept.",
    .formula = "omega <= omega",
    .proof = "Restricting and renormalising moves log p and log q by a constant each, and a "
             "maximum over fewer tokens is no larger.",
    .trap = "It is about p restricted to the kept tokens, not about p: L-SUP-TV adds the cut mass.",
    .tight = "where the extremes are kept",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation before the cut"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{.premises = {each(Quantity::Omega).of(From::Whole)},
                 .concludes = Quantity::Omega,
                 .into = Into::Kept},
                {.premises = {each(Quantity::Omega).of(From::WholeKept)},
                 .concludes = Quantity::Omega,
                 .into = Into::Kept}}},
    .curvature = Curvature::Concave,
};

constinit const Lemma supEta = {
    .id = "L-SUP-ETA",
    .statement = "If q's mass on the cut tokens is at most etaq, p's mass there is at most the "
                 "result of a change of its log-odds by omega.",
    .hypotheses = "The logit drift oscillates by at most omega over the whole vocabulary, before "
                  "the cut; q's mass on the tokens that are cut is at most etaq.",
    .formula = "eta <= etaq/(etaq + (1 − etaq)·exp(−omega))",
    .proof = "L-ODDS for the event that the token is one of those cut.",
    .trap = supTvTraps,
    .tight = "two tokens, one of them cut",
    .parameterRow = {{{"etaq", Domain::Share, "q's mass that is cut away"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / (a[0] + (1 - a[0]) * exp(-a[1])); },
    .useRow = {{{.premises = {given(Quantity::CutMass), each(Quantity::Omega).of(From::Whole)},
                 .concludes = Quantity::MissingMass,
                 .into = Into::Served}}},
};

constinit const Lemma inverseSupTv = {
    .id = "G-SUP-TV",
    .statement = "The largest oscillation for which L-SUP-TV gives b, with p-mass eta cut away.",
    .hypotheses = "eta <= b < 1: the cut mass is lost at any drift",
    .formula = "omega = 2·log((√(1 − eta) + √(b(b − eta)))/(1 − b))",
    .proof = "L-SUP-TV is a quadratic equation in exp(omega/2).",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of total variation"},
                      {"eta", Domain::Share, "p's mass on tokens that are cut away"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &b = a[0], &eta = a[1];
      if (!isAtMost(eta, b))
        return std::nullopt;
      // √(1 − eta) − (1 − b) without the difference: both are near 1.
      Real kept = sqrt(1 - eta), under = 1 - b;
      Real gap = ((b - eta) + b * under) / (kept + under);
      return 2 * log1p((gap + sqrt(b * (b - eta))) / under);
    },
};

} // namespace tikc::bounds::lemmas
