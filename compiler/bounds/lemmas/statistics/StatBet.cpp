#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statBet = {
    .id = "S-BET",
    .statement = "Betting against the claim that the mean is at least b: once the wealth reaches "
                 "1/alpha, at any time, a mean below b is certified. The same bets with the "
                 "opposite sign raise an alarm.",
    .hypotheses = "Xᵢ in [0, B]; each λᵢ is chosen from the past, in [0, 1/(B − b)] to accept, in "
                  "[0, 1/b] to alarm",
    .formula =
        "accept once Π (1 + λᵢ(b − Xᵢ)) >= 1/alpha; alarm once Π (1 + λᵢ(Xᵢ − b)) >= 1/alpha",
    .proof = "Under the hypothesis each factor is nonnegative with a conditional mean of at most "
             "1, so the product is a supermartingale; Ville's inequality. Averages of such "
             "products over a fixed grid of λ are supermartingales, too.",
    .trap = "A λ that depends on its own X voids it. A dropped NaN voids it: count it as B.",
    .tight = "a coin of mean b",
};

} // namespace tikc::bounds::lemmas
