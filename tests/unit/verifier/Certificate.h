#pragma once

#include "verifier/Check.h"
#include "verifier/Formula.h"

#include <gmpxx.h>

#include <string>
#include <vector>

/// Certificates, put together by hand and taken apart by tests.
namespace verify::tests {

struct FactText {
  std::string quantity, quantifier = "sup", share = {}, scope = "*", link = "a>b",
                        laws = "served served", drawn = "b";
};
/// What is given of both ends of a pair, and of all kernels.
FactText ofEnds(const std::string& quantity);
FactText ofAll(const std::string& quantity);

struct QuoteText {
  std::string text;
  std::size_t from = 0;
};

struct InputText {
  int id = 0;
  QuoteText quote;
  FactText fact;
  std::string value;
  bool isWritten = true; // or a default
};

struct StepText {
  int id = 0;
  std::string lemma, curve;
  std::vector<int> args;
  std::vector<std::string> params;
  std::vector<int> under;
  FactText fact;
  std::string bound;
};

struct ClaimText {
  std::string id;
  QuoteText quote;
  FactText fact;
  std::string op = "<=", budget, verdict = "proved";
  int step = 0;
};

struct Certificate {
  std::string contract;
  std::string quotedFile; // what the certificate says the contract is; by default the same
  std::vector<InputText> inputs;
  std::vector<StepText> steps;
  std::vector<ClaimText> claims;
  int precision = 256;

  QuoteText quote(const std::string& text) const;
  void input(int id, const std::string& text, FactText fact, const std::string& value);
  void step(int id, const std::string& lemma, std::vector<int> args, FactText fact,
            const std::string& bound, std::vector<int> under = {},
            std::vector<std::string> params = {});
  void claim(const std::string& id, const std::string& text, FactText fact,
             const std::string& budget, int step, const std::string& op = "<=");
  std::string json() const;
  Verdict check() const;
  /// The same about another text, with quotes where their texts stand in that.
  Certificate with(const std::string& from, const std::string& to) const;
};

/// "p/q" of a number, rounded up or down to so many binary places.
std::string above(const Number& x, int places = 200);
std::string below(const Number& x, int places = 200);
mpz_class whole(const Integer& x);
mpq_class parse(const std::string& text);
std::string print(const mpq_class& x);
/// A formula of a.
Number function(const std::string& formula, const Number& argument);

/// A contract with a p99, a maximum, one-step gradients and responses; every proof uses other
/// lemmas.
Certificate wholeExample();
/// Two named slices with shares of tokens, and a claim on the mixture.
Certificate sliceExample();
/// Three kernels in a row.
Certificate chainExample();

} // namespace verify::tests
