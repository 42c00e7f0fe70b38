#include "unit/Checked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The texts that a contract with these lengths is told to be at fault in.
std::vector<std::string> faultsOf(const std::string& all, const std::string& math,
                                  const std::string& code) {
  Checked checked(head() + "model: { horizon: 64 tokens }\nlabels: { task: [math, code] }\n" +
                  "assumptions: { " + all + " }\nslices:\n  m: { when: task == \"math\", " + math +
                  " }\n  c: { when: task == \"code\", " + code + " }\n");
  std::vector<std::string> out;
  for (const diag::Diagnostic& found : checked.diagnostics())
    if (found.severity == diag::Severity::Error)
      out.push_back(std::string(diag::info(found.code).id) + " " +
                    std::string(checked.text(found.span)));
  return out;
}

TEST(Lengths, GoTogether) {
  const std::string half = "weight: 50%";
  EXPECT_THAT(faultsOf("least_mean_length: 5 tokens, mean_length: 5 tokens", half, half),
              IsEmpty());
  EXPECT_THAT(faultsOf("least_mean_length: 6 tokens, mean_length: 5 tokens", half, half),
              ElementsAre("TK4013 6 tokens"));
  EXPECT_THAT(faultsOf("least_mean_length: 65 tokens", half, half),
              ElementsAre("TK4013 65 tokens"));
  EXPECT_THAT(faultsOf("mean_length: 2 tokens", half + ", least_mean_length: 5 tokens", half),
              ElementsAre("TK4013 2 tokens"));
  EXPECT_THAT(faultsOf("mean_length: 3 tokens", half + ", least_mean_length: 5 tokens", half),
              IsEmpty());
  const std::string brief = half + ", mean_length: 3 tokens";
  EXPECT_THAT(faultsOf("least_mean_length: 4 tokens", brief, brief),
              ElementsAre("TK4013 4 tokens"));
  EXPECT_THAT(faultsOf("least_mean_length: 4 tokens", brief, half), IsEmpty())
      << "the other slice may have any length";
}

TEST(Lengths, OfAnotherUnitAreToldOnce) {
  EXPECT_THAT(
      faultsOf("mean_length: 2 s", "weight: 50%, least_mean_length: 5 tokens", "weight: 50%"),
      testing::SizeIs(1));
}

} // namespace
} // namespace tikc::tests
