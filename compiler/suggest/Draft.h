#pragma once

#include "suggest/Figures.h"
#include "suggest/Partition.h"
#include "support/Rational.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The text of a suggested contract, in parts.
namespace tikc::suggest {

/// The options of a suggestion, and facts that data cannot show.
struct SuggestionOptions {
  Rational headroom = Rational(1, 4);
  Rational confidence = Rational(99, 100);
  std::string name = "suggested.rollout";
  std::string trainer = "trainer", server = "server"; // engines
  std::optional<std::pair<Rational, Rational>> reward;
  std::optional<Rational> advantage, scoreNorm;
  bool hasFullSupport = false;
  std::optional<Rational> load; // tokens served per second
};

struct DraftClause {
  const SuggestedFigure* figure = nullptr;
  const ProposedSlice* slice = nullptr; // null if there is only one
  std::string id, measure, limit;       // the limit has its unit
  std::string comment;

  /// Returns the requirement: "mean(tv_sampled) <= 1.7% on math over 5_000 tokens with confidence
  /// 99%"
  std::string require(const struct Draft& draft) const;
};

struct DraftClaim {
  std::string id, quantity, limit; // "tv", "1.7%"
  bool isLower = false;
  std::string slice;

  std::string require() const;
};

struct Draft {
  const SuggestionOptions& options;
  const SlicePartition& partition;
  Brings source = Brings::Tokens;
  std::uint64_t vocabulary = 0;            // of rows
  std::uint64_t tokens = 0, responses = 0; // of a window
  double meanLength = 0;                   // of a response
  std::vector<std::string> head;           // comments
  std::vector<std::string> left;           // comments on clauses that were left out
  std::vector<DraftClause> clauses;
  std::vector<DraftClaim> claims;
  bool isProbe = false; // claims are questions

  std::string text() const;
  std::string confidence() const;
};

/// Returns the contract's assumptions from the options, or an empty text.
std::string assumptionsText(const SuggestionOptions& options);
/// Formats a number with separators: "5_000"
std::string counted(std::uint64_t number);
/// Formats a number of at least 0, rounded up: "0.093", "1.7".
std::string roundedUp(double number);
/// Formats a share: "25%"
std::string percent(const Rational& share);

} // namespace tikc::suggest
