#include "library/Handles.h"
#include "tikc/c_tally.h"
#include "trainers/BatchTally.h"

#include <cmath>
#include <optional>

using namespace tikc;
using namespace tikc::library;

namespace {

using trainers::BatchTally;

/// Those whose figures are of tokens, which come before others.
std::uint32_t tokenTrainers() {
  const auto rows = trainers::trainerRows();
  std::uint32_t out = 0;
  while (out < rows.size() && !trainers::isOfRows(static_cast<trainers::Trainer>(out)))
    ++out;
  return out;
}

tikc_status isBatch(const void* of) { return c::is_object<BatchTally>(of); }
BatchTally& batchAt(tikc_batch* of) { return c::object<BatchTally>(of); }
const BatchTally& batchAt(const tikc_batch* of) { return c::object<BatchTally>(of); }

} // namespace

extern "C" {

const char* tikc_trainer_name(uint32_t trainer) noexcept {
  return trainer < tokenTrainers() ? trainers::trainerRows()[trainer].name.data() : nullptr;
}

tikc_status tikc_batch_create(uint32_t trainer, double cap, tikc_batch** out) noexcept {
  return guarded([&] {
    const bool isCap = cap >= 0 && std::isfinite(cap);
    const tikc_status wrong = c::first_wrong(c::is_below(trainer, tokenTrainers()),
                                             isCap ? TIKC_OK : TIKC_VALUE, c::points_to(out));
    if (wrong != TIKC_OK)
      return wrong;
    return create<BatchTally>(out, BatchTally(static_cast<trainers::Trainer>(trainer),
                                              cap > 0 ? std::optional(cap) : std::nullopt));
  });
}
tikc_status tikc_batch_destroy(tikc_batch* of) noexcept { return destroy<BatchTally>(of); }

tikc_status tikc_batch_clear(tikc_batch* of) noexcept {
  return c::when_right(isBatch(of),
                       [&] { batchAt(of) = BatchTally(batchAt(of).trainer(), batchAt(of).cap()); });
}

tikc_status tikc_batch_merge(tikc_batch* into, const tikc_batch* other) noexcept {
  tikc_status wrong = c::first_wrong(isBatch(into), isBatch(other));
  if (wrong == TIKC_OK && !batchAt(into).isOneWith(batchAt(other)))
    wrong = TIKC_OBJECT;
  return c::when_right(wrong, [&] { batchAt(into).add(batchAt(other)); });
}

tikc_status tikc_batch_add(tikc_batch* of, const tikc_tokens* tokens) noexcept {
  return c::when_right(c::first_wrong(isBatch(of), c::is_batch(tokens)), [&] {
    const std::size_t size = tokens->size;
    batchAt(of).add({tokens->train, size}, {tokens->infer, size},
                    {tokens->mask, tokens->mask == nullptr ? 0 : size});
  });
}

tikc_status tikc_batch_figures(const tikc_batch* of, uint32_t* count) noexcept {
  return c::when_right(c::first_wrong(isBatch(of), c::points_to(count)), [&] {
    *count = static_cast<uint32_t>(trainers::figuresOf(batchAt(of).trainer()).size());
  });
}

tikc_status tikc_batch_figure(const tikc_batch* of, uint32_t figure, const char** name,
                              double* value) noexcept {
  tikc_status wrong = c::first_wrong(isBatch(of), c::points_to(name), c::points_to(value));
  if (wrong == TIKC_OK)
    wrong = c::is_below(figure, trainers::figuresOf(batchAt(of).trainer()).size());
  return c::when_right(wrong, [&] {
    const trainers::TrainerFigure& row = trainers::figuresOf(batchAt(of).trainer())[figure];
    *name = row.name.data();
    *value = batchAt(of).value(row);
  });
}

} // extern "C"
