#pragma once

#include "data/Source.h"
#include "measure/Evidence.h"
#include "measure/Fragments.h"
#include "measure/Intake.h"
#include "measure/Journal.h"
#include "measure/Judging.h"
#include "plan/Plan.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// A contract held against recorded data.
namespace tikc::measure {

struct Measurement {
  CheckRecords records;
  Intake intake;
  Activations activations;
  std::vector<PieceOrigin> pieces;
  Assumed assumed;
  std::uint64_t rest = 0;   // tokens and rows after the last round
  std::vector<char> came{}; // by slice, whether anything of it did
  Details details{};        // of nothing, unless they were asked for
  ClaimEnds ends{};

  bool hasCome(std::size_t slice) const { return slice < came.size() && came[slice] != 0; }
};

/// Who else is told of what is observed; each may be missing.
struct Witnesses {
  /// Hears how many are done, and may ask what was judged so far: of that nothing is located.
  std::function<void(std::size_t pieces, llvm::function_ref<Measurement()> soFar)> tell;
  EvidenceCollector* collected = nullptr;
  Journal* journal = nullptr; // also of what was observed before
  /// With either of them: where what memory should not keep of a piece is, unless it is where
  /// temporary files are.
  std::filesystem::path folder{};
};

/// A piece that has the bytes of another is judged once; an error where it was judged before that
/// was known.
llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const data::Source& source, unsigned jobs,
                                    const Witnesses& witnesses = {});

/// The fragments of evidence in the order in which they are judged; an error where a tally cannot
/// be what its evidence says. What is visited lives until the next one is.
llvm::Error eachFragment(const MeasuredPlan& subject, const Evidence& evidence,
                         llvm::function_ref<void(const Fragment& of, std::size_t piece)> visit);

/// The same of what was collected; an error where a tally cannot be what its evidence says.
llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence, Judging::Routed routed = nullptr);

} // namespace tikc::measure
