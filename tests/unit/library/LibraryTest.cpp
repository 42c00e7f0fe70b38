#include "tikc.h"
#include "unit/FaultyRead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace tikc::tests {
namespace {

constexpr std::string_view text = R"(tikc: v1
contract: library
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
  safe: { engine: transformers, weights: bf16 }
pair: { train: trainer, infer: rollout }
labels: { task: [math, code] }
slices:
  math: { when: task == "math" }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.1 nat
  far: p99(ratio) <= 1.5
  by_response: mean_by_response(abs(k1)) <= 0.1
observability:
  tokens: sample(logprobs, 100%)
escalation:
  drift: { when: violated(any), do: 'route(safe, probe=1%)', until: satisfied(any) }
  stale: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }
)";

tikc_document* read(std::string_view of) {
  tikc_document* out = nullptr;
  EXPECT_EQ(tikc_read(of.data(), of.size(), nullptr, &out), TIKC_OK);
  return out;
}

tikc_contract* contractOf(std::string_view of) {
  tikc_document* document = read(of);
  tikc_contract* out = nullptr;
  const char* refusal = "";
  EXPECT_EQ(tikc_document_refusal(document, 0, &refusal), TIKC_OK);
  EXPECT_EQ(tikc_document_contract(document, 0, &out), TIKC_OK) << refusal;
  EXPECT_EQ(tikc_document_destroy(document), TIKC_OK);
  return out;
}

/// Observes, judges and routes, with objects whose contract is gone before they are.
std::vector<std::uint32_t> run(tikc_contract* contract, bool keeps) {
  tikc_tally* tally = nullptr;
  tikc_checker* checker = nullptr;
  tikc_router* router = nullptr;
  tikc_request* request = nullptr;
  tikc_shape shape{};
  EXPECT_EQ(tikc_contract_shape(contract, &shape), TIKC_OK);
  EXPECT_EQ(tikc_tally_create(contract, &tally), TIKC_OK);
  EXPECT_EQ(tikc_checker_create(contract, &checker), TIKC_OK);
  EXPECT_EQ(tikc_router_create(contract, &router), TIKC_OK);
  EXPECT_EQ(tikc_request_create(contract, &request), TIKC_OK);
  if (!keeps) {
    EXPECT_EQ(tikc_contract_destroy(contract), TIKC_OK);
  }

  std::uint32_t slice = 9;
  EXPECT_EQ(tikc_slice_of(request, &slice), TIKC_OK);
  EXPECT_EQ(slice, 1U);
  std::vector<float> train(3000, -1), infer(3000, -1);
  infer[7] = -2000;
  const tikc_tokens tokens{train.data(), infer.data(), nullptr, train.size(), 0};
  tikc_sequence response{};
  EXPECT_EQ(tikc_tally_observe_response(tally, 0, 0, &tokens, &response), TIKC_OK);
  EXPECT_EQ(tikc_tally_end_response(tally, 0, 0, &response, 1), TIKC_OK);
  std::vector<unsigned char> scratch(shape.scratch_bytes);
  const std::vector<std::uint8_t> slices(3000, 1);
  std::uint64_t strays = 9;
  EXPECT_EQ(tikc_tally_observe_mixed_tokens(tally, 0, slices.data(), &tokens, scratch.data(),
                                            scratch.size(), &strays),
            TIKC_OK);
  EXPECT_EQ(strays, 0U);
  EXPECT_EQ(tikc_tally_serve(tally, 0, 3000, 1), TIKC_OK);
  EXPECT_EQ(tikc_checker_merge(checker, tally), TIKC_OK);
  EXPECT_EQ(tikc_checker_evaluate(checker, 60), TIKC_OK);
  EXPECT_EQ(tikc_router_tick(router, checker, 0), TIKC_OK);

  std::vector<std::uint32_t> out(shape.clauses);
  for (std::uint32_t i = 0; i < shape.clauses; ++i)
    EXPECT_EQ(tikc_checker_verdict(checker, i, 0, &out[i]), TIKC_OK);
  tikc_action action{};
  EXPECT_EQ(tikc_router_decide(router, 0, &action), TIKC_OK);
  EXPECT_EQ(action.kind, static_cast<std::uint32_t>(TIKC_ROUTE));
  EXPECT_EQ(std::string(action.text), "safe"); // the contract's own text
  EXPECT_EQ(tikc_request_destroy(request), TIKC_OK);
  EXPECT_EQ(tikc_router_destroy(router), TIKC_OK);
  EXPECT_EQ(tikc_checker_destroy(checker), TIKC_OK);
  EXPECT_EQ(tikc_tally_destroy(tally), TIKC_OK);
  return out;
}

TEST(Library, ObjectsKeepWhatTheyWereMadeFrom) {
  EXPECT_THAT(run(contractOf(text), false),
              testing::ElementsAre(TIKC_VIOLATED, TIKC_SATISFIED, TIKC_VIOLATED, TIKC_SATISFIED));
}

TEST(Library, ThreadsShareAContractAndReadTexts) {
  tikc_contract* contract = contractOf(text);
  std::vector<std::vector<std::uint32_t>> seen(4);
  std::vector<std::thread> threads;
  for (std::vector<std::uint32_t>& each : seen)
    threads.emplace_back([&each, contract] {
      for (int i = 0; i < 3; ++i) {
        each = run(contract, true);
        EXPECT_EQ(run(contractOf(text), false), each);
      }
    });
  for (std::thread& each : threads)
    each.join();
  for (const std::vector<std::uint32_t>& each : seen)
    EXPECT_EQ(each, seen.front());
  EXPECT_EQ(tikc_contract_destroy(contract), TIKC_OK);
}

TEST(Library, AnyBytesAreReadOrRefused) {
  for (std::size_t at = 0; at < text.size(); at += 17) {
    std::string changed(text);
    changed[at] = static_cast<char>(changed[at] ^ (1 << at % 8));
    tikc_document* document = read(changed);
    std::uint32_t findings = 0, claims = 0, contracts = 0;
    EXPECT_EQ(tikc_document_counts(document, &findings, &claims, &contracts), TIKC_OK);
    for (std::uint32_t i = 0; i < contracts; ++i) {
      tikc_contract* contract = nullptr;
      const char* refusal = nullptr;
      EXPECT_EQ(tikc_document_refusal(document, i, &refusal), TIKC_OK);
      const tikc_status status = tikc_document_contract(document, i, &contract);
      EXPECT_EQ(status, *refusal == '\0' ? TIKC_OK : TIKC_REFUSED);
      if (status == TIKC_OK) {
        EXPECT_EQ(tikc_contract_destroy(contract), TIKC_OK);
      }
    }
    EXPECT_EQ(tikc_document_destroy(document), TIKC_OK);
  }
}

TEST(Library, AFaultOfTikcIsAStatusThatSaysWhat) {
  tikc_document* document = nullptr;
  isReadingAtFault = true;
  EXPECT_EQ(tikc_open(TIKC_SOURCE_DIR "/examples/demo/rollout.tikc.yaml", &document), TIKC_FAULT);
  isReadingAtFault = false;
  EXPECT_THAT(tikc_document_message(document),
              testing::HasSubstr("internal fault: it is not so that files are read well"));
  std::uint32_t findings = 9, claims = 9, contracts = 9;
  EXPECT_EQ(tikc_document_counts(document, &findings, &claims, &contracts), TIKC_OK);
  EXPECT_EQ(findings + claims + contracts, 0U);
  EXPECT_EQ(tikc_document_destroy(document), TIKC_OK);
  EXPECT_THAT(run(contractOf(text), false), testing::SizeIs(4)); // and nothing else is
}

TEST(Library, TextsOfFindingsOutliveWhoAsked) {
  tikc_document* document = read("tikc: v1\nmodle: {}\n");
  tikc_diagnostic found{};
  ASSERT_EQ(tikc_document_diagnostic(document, 0, &found), TIKC_OK);
  std::string json;
  const auto take = [](const char* piece, std::size_t size, void* to) {
    static_cast<std::string*>(to)->append(piece, size);
  };
  EXPECT_EQ(tikc_document_write_json(document, take, &json), TIKC_OK);
  EXPECT_NE(json.find(found.message), std::string::npos);
  EXPECT_EQ(found.code, std::string_view(found.code).substr(0, 6));
  EXPECT_EQ(tikc_document_destroy(document), TIKC_OK);
}

} // namespace
} // namespace tikc::tests
