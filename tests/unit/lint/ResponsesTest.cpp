#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> findingsOfResponses(const std::string& slices, const std::string& clause) {
  return Checked(head() + "labels: { task: [math, code] }\nslices:\n" + slices +
                 "statistical: { c: '" + clause +
                 "' }\n"
                 "observability: { t: 'sample(logprobs, 100%)' }\n")
      .findings();
}

const std::string late = "  late: { when: position >= 32 }\n";
const std::string math = "  math: { when: task == \"math\" }\n";
const std::string both = "  both: { when: task == \"code\" and not (position < 8) }\n";

TEST(Responses, AreWholeOnNoSliceByPosition) {
  for (const char* of :
       {"mean(seq_tv) <= 1%", "mean_by_response(k3) <= 0.1", "rate(seq_veto(0.1)) <= 1%",
        "effective_share(seq_ratio) >= 50%", "mean(seq_tv) <= 1% on other"})
    for (const std::string& slices : {late, both, math + late})
      EXPECT_THAT(findingsOfResponses(slices, of), Contains(StartsWith("TK8011"))) << of << slices;
  EXPECT_THAT(findingsOfResponses(math + late, "mean(seq_tv) <= 1% on late"),
              Contains(StartsWith("TK8011")));
  // Those of math have lost their ends to a slice in front of it.
  EXPECT_THAT(findingsOfResponses(late + math, "mean(seq_tv) <= 1% on math"),
              Contains(StartsWith("TK8011")));
}

TEST(Responses, AreWholeWhereNothingCutsThem) {
  EXPECT_THAT(findingsOfResponses(late, "mean(seq_tv) <= 1% on all"),
              Not(Contains(StartsWith("TK8011"))));
  EXPECT_THAT(findingsOfResponses(late, "mean(tv_sampled) <= 1%"),
              Not(Contains(StartsWith("TK8011"))));
  EXPECT_THAT(findingsOfResponses(math, "mean(seq_tv) <= 1%"), Not(Contains(StartsWith("TK8011"))));
  EXPECT_THAT(findingsOfResponses(math + late, "mean(seq_tv) <= 1% on math"),
              Not(Contains(StartsWith("TK8011"))));
}

} // namespace
} // namespace tikc::tests
