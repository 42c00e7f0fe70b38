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

tikc_status isBatch(const void* handle) { return c::is_object<BatchTally>(handle); }
BatchTally& batchAt(tikc_batch* batch) { return c::object<BatchTally>(batch); }
const BatchTally& batchAt(const tikc_batch* batch) { return c::object<BatchTally>(batch); }

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
tikc_status tikc_batch_destroy(tikc_batch* batch) noexcept { return destroy<BatchTally>(batch); }

tikc_status tikc_batch_clear(tikc_batch* batch) noexcept {
  return c::when_right(isBatch(batch), [&] {
    batchAt(batch) = BatchTally(batchAt(batch).trainer(), batchAt(batch).cap());
  });
}

tikc_status tikc_batch_merge(tikc_batch* into, const tikc_batch* other) noexcept {
  tikc_status wrong = c::first_wrong(isBatch(into), isBatch(other));
  if (wrong == TIKC_OK && !batchAt(into).isOneWith(batchAt(other)))
    wrong = TIKC_OBJECT;
  return c::when_right(wrong, [&] { batchAt(into).add(batchAt(other)); });
}

tikc_status tikc_batch_add(tikc_batch* batch, const tikc_tokens* tokens) noexcept {
  return c::when_right(c::first_wrong(isBatch(batch), c::is_batch(tokens)), [&] {
    const std::size_t size = tokens->size;
    batchAt(batch).add({tokens->train, size}, {tokens->infer, size},
                       {tokens->mask, tokens->mask == nullptr ? 0 : size});
  });
}

tikc_status tikc_batch_figures(const tikc_batch* batch, uint32_t* count) noexcept {
  return c::when_right(c::first_wrong(isBatch(batch), c::points_to(count)), [&] {
    *count = static_cast<uint32_t>(trainers::figuresOf(batchAt(batch).trainer()).size());
  });
}

tikc_status tikc_batch_figure(const tikc_batch* batch, uint32_t figure, const char** name,
                              double* value) noexcept {
  tikc_status wrong = c::first_wrong(isBatch(batch), c::points_to(name), c::points_to(value));
  if (wrong == TIKC_OK)
    wrong = c::is_below(figure, trainers::figuresOf(batchAt(batch).trainer()).size());
  return c::when_right(wrong, [&] {
    const trainers::TrainerFigure& row = trainers::figuresOf(batchAt(batch).trainer())[figure];
    *name = row.name.data();
    *value = batchAt(batch).value(row);
  });
}

} // extern "C"
