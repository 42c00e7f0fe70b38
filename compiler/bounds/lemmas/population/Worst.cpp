#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma worst = {
    .id = "L-WORST",
    .statement = "The supremum over all traffic is the largest of the slices' suprema; uncovered "
                 "traffic counts with its trivial bound.",
    .hypotheses = "every reachable context is in a slice or in the remainder",
    .formula = "sup s <= maxₖ bₖ",
    .proof = "Every context lies in one of them.",
    .trap = "A small share does not help: a supremum takes no weights.",
    .tight = "the slice with the largest bound at that bound",
};

} // namespace tikc::bounds::lemmas
