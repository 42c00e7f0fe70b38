#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma netHead = {
    .id = "L-NET-HEAD",
    .statement =
        "If the last hidden state drifts by at most e in the 2-norm, the logits' drift "
        "oscillates by at most D·e, D being the largest distance of two rows of the output head.",
    .hypotheses = "logits W·h plus a bias; both kernels have the same head, and mask the same "
                  "tokens; D = max ‖Wᵢ − Wⱼ‖₂",
    .formula = "omega <= D·e; D <= 2·maxᵢ ‖Wᵢ − c‖₂ for every c, and D <= √2·‖W‖₂",
    .proof = "(dᵢ − dⱼ) = (Wᵢ − Wⱼ)·Δh; Cauchy–Schwarz.",
    .trap = "A head that is quantised in one kernel adds 2·maxᵢ ‖ΔWᵢ‖₂·‖h′‖₂, and softcaps or "
            "temperatures come after it.",
    .tight = "a drift along the longest Wᵢ − Wⱼ",
    .parameterRow = {{{"D", Domain::NonNegative,
                       "largest 2-norm of the difference of two rows of the head"},
                      {"e", Domain::NonNegative, "drift of the last hidden state, in the 2-norm"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{given(Quantity::HeadNorm), given(Quantity::HiddenDrift)}, Quantity::LogitOsc}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
