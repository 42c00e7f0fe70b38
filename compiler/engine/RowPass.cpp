#include "engine/RowPass.h"

#include <type_traits>

namespace tikc::engine {
namespace row_passes {
namespace {

using namespace row_want;
namespace rows = detail::rows;

constexpr std::uint32_t plain = rows::wants_of(row_pass::plain);
constexpr std::uint32_t ranged = plain | rows::row_ranged;
constexpr std::uint32_t raw = plain | rows::row_raw;
constexpr std::uint32_t distances = ranged | logprob_linf | tv;
constexpr std::uint32_t divergences = distances | hellinger | kl_train_infer | kl_infer_train | js;

template <std::uint32_t... Each> struct RowList {};
/// From the least to the most.
using RowVariants = RowList<plain, ranged, raw, distances, divergences, everything>;

using Pass = row_stats (*)(rows::instruction_set, row_view, row_view, std::size_t, double, double,
                           std::int64_t, float*, mask_rule);

template <std::uint32_t... Each>
Pass chooseRows(RowList<Each...>, std::uint32_t wanted, bool isGreedy) {
  Pass out = nullptr;
  auto offer = [&](auto has) {
    constexpr std::uint32_t wants = decltype(has)::value;
    if (!out && (wanted & ~wants) == 0)
      out = isGreedy ? &rows::row_pass_at<wants, true, row_view, row_view, std::size_t, double,
                                          double, std::int64_t, float*, mask_rule>
                     : &rows::row_pass_at<wants, false, row_view, row_view, std::size_t, double,
                                          double, std::int64_t, float*, mask_rule>;
  };
  (offer(std::integral_constant<std::uint32_t, Each>()), ...);
  return out;
}

} // namespace
} // namespace row_passes

row_stats passRow(const stream& of, row_view train, row_view infer, std::size_t vocabulary,
                  float* scratch) {
  using namespace row_passes;
  const bool isGreedy = of.train_temperature == 0 || of.infer_temperature == 0;
  const Pass run = chooseRows(RowVariants(), of.row_wants, isGreedy);
  return run(rows::best_instruction_set(), train, infer, vocabulary, of.train_temperature,
             of.infer_temperature, -1, scratch, of.masks);
}

} // namespace tikc::engine
