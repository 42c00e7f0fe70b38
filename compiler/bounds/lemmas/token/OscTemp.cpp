#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view oscTempTraps =
    "If the inference kernel samples at a temperature other than 1 but logs its log-probs at 1, "
    "the logged ratio is not p/q of the sampler. At temperature 0 nothing remains to bound: use "
    "L-TOP1.";

} // namespace

constinit const Lemma oscTemp = {
    .id = "L-OSC-TEMP",
    .statement = "If the two kernels divide their logits by different temperatures, the spread "
                 "of the logits adds to the drift.",
    .hypotheses = "The raw drift oscillates by at most omega and the trainer's logits by at most "
                  "S; both temperatures are above 0.",
    .formula = "osc(z/tau1 − z′/tau2) <= S·|1/tau1 − 1/tau2| + omega/tau2",
    .proof = "z/tau1 − z′/tau2 = z(1/tau1 − 1/tau2) + (z − z′)/tau2, and oscillations add.",
    .trap = oscTempTraps,
    .tight = "large vocabularies; two tokens with identical logits stay far below",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the raw drift"},
                      {"S", Domain::NonNegative, "oscillation of the trainer's logits"},
                      {"tau1", Domain::Positive, "temperature of the training kernel's policy"},
                      {"tau2", Domain::Positive,
                       "temperature at which the inference kernel samples"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * abs(1 / a[2] - 1 / a[3]) + a[0] / a[3]; },
};

constinit const Lemma oscTau = {
    .id = "L-OSC-TAU",
    .statement = "If both kernels divide their logits by the same temperature, the drift is "
                 "also divided by it.",
    .hypotheses =
        "The raw drift oscillates by at most omega; one temperature tau > 0 for both kernels.",
    .formula = "omega/tau",
    .proof = "z/tau − z′/tau = (z − z′)/tau.",
    .trap = oscTempTraps,
    .tight = "always",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the raw drift"},
                      {"tau", Domain::Positive, "temperature of both kernels"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / a[1]; },
    .useRow = {{{{each(Quantity::LogitOsc), given(Quantity::Temperature)}, Quantity::Omega}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma oscTempZ = {
    .id = "L-OSC-TEMP-Z",
    .statement = "If the two temperatures differ and no logit is larger than Z, the oscillation "
                 "after temperature is at most 2Z·|1/tau1 − 1/tau2| + omega/max(tau1, tau2).",
    .hypotheses = "The raw drift oscillates by at most omega; |z| <= Z and |z′| <= Z for every "
                  "token; both temperatures are above 0.",
    .formula = "osc(z/tau1 − z′/tau2) <= 2Z·|1/tau1 − 1/tau2| + omega/max(tau1, tau2)",
    .proof = "Logits of at most Z oscillate by at most 2Z. L-OSC-TEMP gives omega/tau2 with the "
             "trainer's logits and, the kernels swapped, omega/tau1 with the inference kernel's.",
    .trap = oscTempTraps,
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the raw drift"},
                      {"Z", Domain::NonNegative, "bound on the size of every logit"},
                      {"tau1", Domain::Positive, "temperature of the training kernel's policy"},
                      {"tau2", Domain::Positive,
                       "temperature at which the inference kernel samples"}}},
    .evaluate = [](Arguments a) -> Result {
      return 2 * a[1] * abs(1 / a[2] - 1 / a[3]) + a[0] / max(a[2], a[3]);
    },
    .useRow = {{{{each(Quantity::LogitOsc), given(Quantity::LogitBound),
                  given(Quantity::TrainTemperature), given(Quantity::InferTemperature)},
                 Quantity::Omega}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
