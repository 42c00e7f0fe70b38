#pragma once

#include "checker/engine/LoadedPlan.h"
#include "measure/Evidence.h"
#include "measure/Measurement.h"
#include "measure/UnitSums.h"
#include "tikc/judge.h"

#include <llvm/Support/Error.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tikc::gate {

/// All observations, joined.
class WholeEvidence {
public:
  explicit WholeEvidence(const measure::MeasuredPlan& subject)
      : subject_(subject), kept_(subject.loaded.slices + 1, subject.loaded) {}

  llvm::Error read(const measure::Evidence& evidence) {
    for (const measure::EvidencePiece& each : evidence.pieces)
      units_.merge(measure::EvidenceContent::read(each)->units);
    return measure::eachFragment(
        subject_, evidence, [&](const measure::Fragment& fragment, std::size_t) {
          tokens += fragment.tokens;
          responses += fragment.responses;
          isUndated = isUndated || !fragment.ends;
          if (fragment.begins)
            first = std::min(first.value_or(*fragment.begins), *fragment.begins);
          if (fragment.ends)
            last = std::max(last.value_or(*fragment.ends), *fragment.ends);
          const std::size_t slices = subject_.loaded.slices;
          for (std::size_t slice = 0; slice < slices; ++slice) {
            fragment.tally->merge_into(kept_[slice], slice);
            fragment.tally->merge_into(kept_[slices], slice);
          }
        });
  }

  const kept<engine::LoadedPlan>& at(std::size_t place) const { return kept_[place]; }
  measure::UnitSums sums(std::size_t keeper, std::size_t place) const {
    const measure::UnitSums* total = units_.find(keeper, place);
    return total == nullptr ? measure::UnitSums() : *total;
  }

  std::uint64_t tokens = 0, responses = 0;
  std::optional<double> first, last;
  bool isUndated = false; // some or all data have no times

private:
  const measure::MeasuredPlan& subject_;
  engine::Several<kept<engine::LoadedPlan>> kept_;
  measure::UnitTable units_;
};

} // namespace tikc::gate
