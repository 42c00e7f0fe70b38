#include "checker/engine/RowPass.h"

#include "support/Check.h"

#include <type_traits>

namespace tikc::engine {
namespace row_passes {
namespace {

using namespace row_want;
namespace rows = detail::rows;

constexpr std::uint32_t plain = rows::wants_of(row_pass::plain);
constexpr std::uint32_t ranged = plain | rows::row_ranged;
constexpr std::uint32_t raw = plain | rows::row_raw;
constexpr std::uint32_t unranged = raw & ~rows::row_ranged;
constexpr std::uint32_t distances = ranged | logprob_linf | tv;
constexpr std::uint32_t divergences = distances | hellinger | kl_train_infer | kl_infer_train | js;
constexpr std::uint32_t rangeless = everything & ~rows::row_ranged;

/// How rows are read, on which the last bits of sums depend: whether tokens are weighed, or the
/// range of their drifts is taken. At temperature 0 nothing is weighed.
enum class RowReading : std::uint8_t { Plain, Ranged, Weighed };
constexpr RowReading readingOf(std::uint32_t wants, bool isGreedy) {
  if (!isGreedy && (wants & rows::row_weighed) != 0)
    return RowReading::Weighed;
  return (wants & rows::row_ranged) != 0 ? RowReading::Ranged : RowReading::Plain;
}

template <std::uint32_t... Each> struct RowList {};
/// From the least to the most; each reading has one with all that is read so.
using RowVariants = RowList<plain, unranged, ranged, raw, distances, divergences, everything>;
using GreedyVariants = RowList<plain, unranged, rangeless, everything>;

using Pass = row_stats (*)(rows::instruction_set, row_view, row_view, std::size_t, double, double,
                           std::int64_t, float*, mask_rule);

template <bool IsGreedy, std::uint32_t... Each>
Pass chooseRows(RowList<Each...>, std::uint32_t wanted) {
  Pass out = nullptr;
  auto offer = [&](auto has) {
    constexpr std::uint32_t wants = decltype(has)::value;
    if (!out && (wanted & ~wants) == 0 && readingOf(wants, IsGreedy) == readingOf(wanted, IsGreedy))
      out = &rows::row_pass_at<wants, IsGreedy, row_view, row_view, std::size_t, double, double,
                               std::int64_t, float*, mask_rule>;
  };
  (offer(std::integral_constant<std::uint32_t, Each>()), ...);
  return out;
}

} // namespace
} // namespace row_passes

row_stats passRow(const stream& pair, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch) {
  using namespace row_passes;
  const bool isGreedy = pair.train_temperature == 0 || pair.infer_temperature == 0;
  const Pass run = isGreedy ? chooseRows<true>(GreedyVariants(), pair.row_wants)
                            : chooseRows<false>(RowVariants(), pair.row_wants);
  TIKC_CHECK(run != nullptr, "each reading has a pass with all that is read so");
  return run(rows::best_instruction_set(), train, infer, vocabulary, pair.train_temperature,
             pair.infer_temperature, -1, scratch, pair.masks);
}

std::string_view usedInstructions() {
  using detail::rows::instruction_set;
  switch (detail::rows::best_instruction_set()) {
  case instruction_set::avx512:
    return "AVX-512";
  case instruction_set::avx2:
    return "AVX2; the processor lacks AVX-512 (F, BW, VL and DQ)";
  case instruction_set::portable:
    break;
  }
  return TIKC_FOR_X86 ? "SSE2; the processor lacks AVX2 and FMA"
                      : "the compiler's vectors; AVX-512 and AVX2 are for x86-64";
}

} // namespace tikc::engine
