#include "data/bytes/Digest.h"
#include "data/bytes/Mapped.h"
#include "measure/Measurement.h"
#include "pipeline/Pipeline.h"
#include "unit/Observed.h"
#include "unit/ScratchFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

namespace tikc::measure {
namespace {

constexpr std::size_t header = 20, digest = 16;

std::string sealed(std::string bytes) {
  const std::uint64_t size = bytes.size() - header - digest;
  for (unsigned i = 0; i < 8; ++i)
    bytes[12 + i] = static_cast<char>(size >> (8 * i));
  data::Digest out;
  out.add(std::string_view(bytes).substr(0, bytes.size() - digest));
  const data::PieceId id = out.id();
  std::copy(id.digest.begin(), id.digest.end(), bytes.end() - digest);
  return bytes;
}

class EvidenceTest : public ::testing::Test {
protected:
  EvidenceTest() {
    const FileId file = sources_.add("evidence.tikc.yaml", {},
                                     "tikc: v1\ncontract: evidence\nversion: 1.0.0\nkernels:\n"
                                     "  trainer: { engine: fsdp2, weights: bf16 }\n"
                                     "  rollout: { engine: vllm, weights: bf16 }\n"
                                     "pair: { train: trainer, infer: rollout }\n"
                                     "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.5 nat\n" +
                                         tests::observed());
    plans_ = pipeline::plansOf(pipeline::Checker(sources_, settings_).check(file));
    loaded_ = std::make_unique<engine::LoadedPlan>(plans_.at(0));
    subject_ = std::make_unique<MeasuredPlan>(
        MeasuredPlan{plans_[0], *loaded_, 0, Rounds{Rounds::By::Responses, 8}});
  }

  /// Of a run whose pieces say what their numbers are.
  Evidence of(const std::vector<unsigned>& pieces, const std::string& build = "") const {
    EvidenceCollector out(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      std::mt19937 draw(pieces[i]);
      FragmentBytes fragments;
      Fragmenting fragmenting(*subject_, [&](const Fragment& each) { fragments.add(each); });
      const std::string file = "file" + std::to_string(pieces[i]);
      for (unsigned line = 1; line <= 5; ++line) {
        const float train[] = {-0.1F * static_cast<float>(draw() % 8), -1, -2},
                    infer[] = {-1, -1, -2};
        data::Response response;
        response.train = train;
        response.infer = infer;
        response.time = pieces[i];
        response.at.file = file;
        response.at.line = line;
        fragmenting.take(response);
      }
      data::PieceId id;
      id.digest.fill(static_cast<std::uint8_t>(pieces[i]));
      Intake intake;
      intake.report.records = 5;
      intake.missing["task"] = 2;
      fragmenting.finish();
      out.take(i, id, {file}, ContentBytes(intake, fragments));
    }
    EvidenceOrigin origin = EvidenceOrigin::of(*subject_, "");
    origin.build = build;
    return llvm::cantFail(
        out.finish(EvidenceShape::of(*subject_), origin, std::vector<PieceOrigin>(pieces.size())));
  }

  static Evidence join(const std::vector<Evidence>& all, bool allowsOther = false) {
    std::vector<NamedEvidence> named;
    for (const Evidence& each : all)
      named.push_back({"some", each});
    auto out = joined(named, allowsOther);
    EXPECT_TRUE(static_cast<bool>(out));
    return std::move(*out);
  }
  static std::string whyNotJoined(const std::vector<Evidence>& all, bool allowsOther = false) {
    std::vector<NamedEvidence> named;
    for (const Evidence& each : all)
      named.push_back({"some", each});
    auto out = joined(named, allowsOther);
    return out ? "" : llvm::toString(out.takeError());
  }
  static std::string whyNotRead(std::string_view bytes) {
    auto out = Evidence::read(bytes, "name");
    return out ? "" : llvm::toString(out.takeError());
  }
  std::uint64_t judge(const Evidence& evidence) const {
    auto out = measure(*subject_, engine::LoadedPolicy(plans_[0]), evidence);
    if (out)
      return out->intake.tokens;
    llvm::consumeError(out.takeError());
    return 0;
  }

  SourceManager sources_;
  project::Settings settings_;
  std::vector<plan::Plan> plans_;
  std::unique_ptr<engine::LoadedPlan> loaded_;
  std::unique_ptr<MeasuredPlan> subject_;
};

TEST_F(EvidenceTest, IsReadAsItWasWritten) {
  const std::string bytes = of({3, 1, 2}).bytes();
  auto read = Evidence::read(bytes, "name");
  ASSERT_TRUE(static_cast<bool>(read));
  EXPECT_EQ(read->bytes(), bytes);
  EXPECT_EQ(judge(*read), 45U);
  EXPECT_EQ(summaryOf(*read).text(), "3 pieces of 3 files, seconds 1 to 3");
}

/// Else the fuzzer sees refusals and nothing more.
TEST_F(EvidenceTest, SeedsOfTheFuzzerAreEvidence) {
  const std::filesystem::path seeds = TIKC_SOURCE_DIR "/tests/fuzz/corpus/EvidenceFuzzer";
  auto seed = [&](const char* name) {
    std::stringstream out;
    out << std::ifstream(seeds / name, std::ios::binary).rdbuf();
    return out.str();
  };
  auto isRead = [](const std::string& bytes) {
    auto evidence = Evidence::read(bytes, "name");
    if (!evidence)
      ADD_FAILURE() << llvm::toString(evidence.takeError());
  };
  isRead(seed("whole"));
  for (const char* body : {"body", "body-of-one", "body-of-two-origins"})
    isRead(sealedFile(evidenceKind, seed(body)));
}

TEST_F(EvidenceTest, IsNotUsedOnceItsFileIsRewritten) {
  namespace fs = std::filesystem;
  const tests::ScratchFolder folder;
  const fs::path path = folder.path() / "evidence";
  const std::string bytes = of({1, 2}).bytes();
  std::ofstream(path, std::ios::binary) << bytes;
  auto file = llvm::cantFail(data::MappedFile::open(path));
  Evidence evidence = llvm::cantFail(Evidence::read(file->bytes(), "name", file.get()));
  evidence.kept.push_back(file);
  EXPECT_EQ(judge(evidence), 30U);
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << bytes;
  fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  auto used = measure(*subject_, engine::LoadedPolicy(plans_[0]), evidence);
  ASSERT_FALSE(static_cast<bool>(used));
  EXPECT_THAT(llvm::toString(used.takeError()),
              ::testing::HasSubstr("was changed while it was read"));
}

TEST_F(EvidenceTest, NoCutAndNoFlippedBitIsRead) {
  std::string bytes = of({1, 2}).bytes();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    ASSERT_NE(whyNotRead(std::string_view(bytes).substr(0, cut)), "") << cut;
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      ASSERT_NE(whyNotRead(bytes), "") << at;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
    }
}

TEST_F(EvidenceTest, WhateverIsReadIsWhatWouldBeWritten) {
  const std::string whole = of({1, 2, 3}).bytes();
  std::mt19937 draw(7);
  std::size_t accepted = 0;
  for (int i = 0; i < 4'000; ++i) {
    std::string bytes = whole;
    for (auto changes = 1 + draw() % 3; changes != 0; --changes)
      bytes[header + draw() % (bytes.size() - header - digest)] = static_cast<char>(draw());
    if (draw() % 8 == 0)
      bytes.erase(header + draw() % 100, 1 + draw() % 20);
    bytes = sealed(bytes);
    auto read = Evidence::read(bytes, "name");
    if (!read) {
      llvm::consumeError(read.takeError());
      continue;
    }
    ++accepted;
    ASSERT_EQ(read->bytes(), bytes);
    judge(*read);
  }
  EXPECT_GT(accepted, 0U);
}

TEST_F(EvidenceTest, PromisesOfMoreThanIsThereAreRefused) {
  const std::string whole = of({1}).bytes();
  for (std::size_t at = header; at + 8 + digest < whole.size(); ++at)
    for (std::uint64_t promised : {~std::uint64_t{0}, std::uint64_t{1} << 40}) {
      std::string bytes = whole;
      for (unsigned i = 0; i < 8; ++i)
        bytes[at + i] = static_cast<char>(promised >> (8 * i));
      bytes = sealed(bytes);
      // A number that counts nothing may be as large as it likes.
      if (auto read = Evidence::read(bytes, "name"))
        ASSERT_EQ(read->bytes(), bytes) << at;
      else
        llvm::consumeError(read.takeError());
    }
  // The first that counts: how long the pair's name is.
  std::string bytes = whole;
  bytes[header + 7] = '\x7f';
  EXPECT_THAT(whyNotRead(sealed(bytes)), ::testing::HasSubstr("has invalid contents"));
}

TEST_F(EvidenceTest, IsTheSameWhereMemoryDoesNotKeepIt) {
  const float train[] = {-0.5F, -1, -2}, infer[] = {-1, -1, -2};
  data::Response response;
  response.train = train;
  response.infer = infer;
  response.at.file = "file";
  response.at.line = 1;
  auto evidence = [&](bool isSettled) {
    FragmentBytes fragments;
    Fragmenting fragmenting(*subject_, [&](const Fragment& each) {
      do {
        fragments.add(each);
        if (isSettled)
          fragments.settle();
      } while (fragments.bytes() < 3 * data::SpilledBytes::mostInMemory);
    });
    fragmenting.take(response);
    fragmenting.finish();
    EvidenceCollector out(1);
    out.take(0, {}, {"file"}, ContentBytes({}, fragments, fragmenting.units()));
    return llvm::cantFail(out.finish(EvidenceShape::of(*subject_),
                                     EvidenceOrigin::of(*subject_, ""), {{PieceOrigin()}}));
  };
  const Evidence settled = evidence(true);
  ASSERT_NE(settled.pieces[0].file, nullptr);
  const std::string bytes = settled.bytes();
  EXPECT_TRUE(bytes == evidence(false).bytes());
  const auto file = std::make_shared<const std::string>(bytes);
  auto read = Evidence::read(*file, "name");
  ASSERT_TRUE(static_cast<bool>(read));
  read->kept.push_back(file);
  EXPECT_TRUE(join({settled, *read}).bytes() == bytes);
  EXPECT_EQ(judge(settled), judge(*read));
  EXPECT_EQ(summaryOf(settled).intake.tokens, judge(*read));
}

TEST_F(EvidenceTest, IsTheSameInWhateverOrderItIsJoined) {
  std::vector<Evidence> all = {of({1, 2}), of({2, 3, 4}), of({5}), of({4, 1}), of({2})};
  const std::string together = join(all).bytes();
  std::vector<std::size_t> order = {0, 1, 2, 3, 4};
  do {
    Evidence out = all[order[0]];
    for (std::size_t i = 1; i < order.size(); ++i)
      out = join({out, all[order[i]]});
    ASSERT_EQ(out.bytes(), together);
    ASSERT_EQ(join({join({all[order[0]], all[order[1]]}), join({all[order[2]], all[order[3]]}),
                    all[order[4]]})
                  .bytes(),
              together);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(judge(join(all)), 5U * 15);
  EXPECT_EQ(join({join(all), join(all)}).bytes(), together);
}

TEST_F(EvidenceTest, AnotherOriginIsTakenWhereThatIsAllowed) {
  EXPECT_THAT(whyNotJoined({of({1}), of({2}, "b7")}),
              ::testing::HasSubstr("the build is `b7` instead of not stated"));
  const Evidence both = join({of({1}), of({2}, "b7")}, true);
  EXPECT_EQ(both.bytes(), join({of({2}, "b7"), of({1})}, true).bytes());
  EXPECT_THAT(othersIn(both, EvidenceOrigin::of(*subject_, "")),
              ::testing::ElementsAre(::testing::StartsWith("1 of 2 pieces")));
  EXPECT_NE(whyNotJoined({both}), "");
  EXPECT_THAT(whyNotJoined({of({1}), of({1}, "b7")}, true),
              ::testing::HasSubstr("only one of them can count"));
}

TEST_F(EvidenceTest, APieceThatSaysTwoThingsIsRefused) {
  Evidence other = of({1});
  const Evidence different = of({2});
  other.pieces[0].content = different.pieces[0].content;
  EXPECT_THAT(whyNotJoined({of({1}), other}), ::testing::HasSubstr("read in two ways"));
}

} // namespace
} // namespace tikc::measure
