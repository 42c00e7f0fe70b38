#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma netNorm = {
    .id = "L-NET-NORM",
    .statement = "The Lipschitz constant of an RMSNorm between two inputs that both have a root "
                 "mean square of at least rms.",
    .hypotheses = "both inputs have d entries and a root mean square of at least rms; they differ "
                  "by at most e < 2·rms·√d in the 2-norm",
    .formula = "L <= ginf/√((rms − e/(2√d))² + eps)",
    .proof = "On the segment between the inputs the root mean square stays above rms − e/(2√d), "
             "and the Jacobian has no eigenvalue above ‖g‖∞/√(rms² + eps) there.",
    .trap = "Without a least rms, its only constant is ‖g‖∞/√eps, which is useless.",
    .tight = "a drift across the input",
    .parameterRow = {{{"ginf", Domain::NonNegative, "largest gain, in size"},
                      {"rms", Domain::Positive, "least root mean square of the inputs"},
                      {"e", Domain::NonNegative, "drift of the input, in the 2-norm"},
                      {"d", Domain::Count, "entries of the input"},
                      {"eps", Domain::NonNegative, "the norm's own epsilon"}}},
    .evaluate = [](Arguments a) -> Result {
      Real least = a[1] - a[2] / (2 * sqrt(a[3]));
      if (!isLess(0, least))
        return std::nullopt;
      return a[0] / sqrt(least * least + a[4]);
    },
};

} // namespace tikc::bounds::lemmas
