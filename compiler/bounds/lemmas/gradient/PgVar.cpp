#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma pgVar = {
    .id = "L-PG-VAR",
    .statement = "A weighted term of the gradient has second moment at most B²(1 + chi2).",
    .hypotheses = "χ²(p‖q) <= chi2; no term of the gradient has a norm above B.",
    .formula = "E_q ‖w·f‖² <= B²(1 + chi2)",
    .proof = "E_q w² = 1 + χ²(p‖q).",
    .trap = "For whole-response weights χ² is that of whole responses, which grows exponentially.",
    .tight = "terms of norm B",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"chi2", Domain::NonNegative, "χ²(p‖q)"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[0] * (1 + a[1]); },
    .needsFullSupport = true,
};

constinit const Lemma pgVarTis = {
    .id = "L-PG-VAR-TIS",
    .statement = "With weights truncated at C a term of the gradient has second moment at most "
                 "B²·min(C, 1 + chi2).",
    .hypotheses = "χ²(p‖q) <= chi2; no term of the gradient has a norm above B.",
    .formula = "E_q ‖min(w, C)·f‖² <= B²·min(C, 1 + chi2)",
    .proof = "min(w, C)² is at most C·w, of mean at most C, and at most w².",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"C", Domain::Positive, "cap of the weights"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[0] * min(a[2], 1 + a[1]); },
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
