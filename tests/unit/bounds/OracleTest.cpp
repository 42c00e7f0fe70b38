#include "Lemmas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <map>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;

namespace {

struct Vector {
  std::string lemma;
  std::vector<NamedValue> inputs;
  Rational lower, upper;
};

std::string textOf(const llvm::json::Value& value) {
  if (auto text = value.getAsString())
    return text->str();
  return std::to_string(value.getAsInteger().value());
}

Rational number(const llvm::json::Value& value) { return parseDecimal(textOf(value)).value(); }

/// Reference values that were computed elsewhere, at far higher precision.
std::vector<Vector> vectors() {
  auto file = llvm::MemoryBuffer::getFile(TIKC_SOURCE_DIR "/tests/oracle/vectors.json");
  llvm::json::Value rows = llvm::cantFail(llvm::json::parse((*file)->getBuffer()));
  std::vector<Vector> out;
  for (const llvm::json::Value& row : *rows.getAsArray()) {
    const llvm::json::Object& fields = *row.getAsObject();
    Vector vector{fields.getString("lemma")->str(),
                  {},
                  number(*fields.get("lower")),
                  number(*fields.get("upper"))};
    for (const auto& [name, value] : *fields.getObject("inputs"))
      vector.inputs.push_back({name.str(), textOf(value)});
    out.push_back(std::move(vector));
  }
  return out;
}

TEST(OracleTest, EveryVectorIsMetTightly) {
  std::map<std::string, int> unknown;
  std::size_t met = 0;
  auto all = vectors();
  ASSERT_GT(all.size(), 300u);
  for (const Vector& vector : all) {
    const Lemma* lemma = findLemma(vector.lemma);
    if (!lemma) {
      ++unknown[vector.lemma];
      continue;
    }
    std::string shown = vector.lemma;
    for (const NamedValue& input : vector.inputs)
      shown += " " + input.name + "=" + input.value;
    auto value = evaluate(*lemma, vector.inputs, manyBits);
    if (!value) {
      ADD_FAILURE() << shown << ": " << llvm::toString(value.takeError());
      continue;
    }
    Rational low = value->lower(), high = value->upper();
    EXPECT_LE(low, vector.upper) << shown << " = " << print(*value, 45);
    EXPECT_GE(high, vector.lower) << shown << " = " << print(*value, 45);
    Rational size = abs(high), least = parseDecimal("1e-40").value();
    size = std::max(size, least);
    EXPECT_LE(Rational(high - low), Rational(size * parseDecimal("1e-25").value()))
        << shown << " = " << print(*value, 45);
    ++met;
  }
  for (const auto& [id, count] : unknown)
    ADD_FAILURE() << "no lemma " << id << " for " << count << " vectors";
  EXPECT_EQ(met, all.size());
}

} // namespace
