#pragma once

#include <cstddef>
#include <cstdint>

/// The kinds of things that a contract's tables name, each with its word. The compiler's plans and
/// generated code use the same.
namespace tikc {
namespace detail {

template <typename Kind, std::size_t count>
constexpr const char* word_of(Kind kind, const char* const (&words)[count]) {
  return static_cast<std::size_t>(kind) < count ? words[static_cast<std::size_t>(kind)] : "";
}

} // namespace detail

enum class comparator : std::uint8_t { at_most, below, at_least, above, equal, not_equal };
constexpr const char* name(comparator kind) {
  constexpr const char* words[] = {"at_most", "below", "at_least", "above", "equal", "not_equal"};
  return detail::word_of(kind, words);
}

/// The observation that a figure belongs to.
enum class source : std::uint8_t { rows, routes, tokens, sequences, requests, replays };
constexpr const char* name(source kind) {
  constexpr const char* words[] = {"rows", "routes", "tokens", "sequences", "requests", "replays"};
  return detail::word_of(kind, words);
}

/// The inputs that sampling clauses require a share of.
enum class input : std::uint8_t { rows, routes, tokens, requests, batch_replays, request_replays };
constexpr const char* name(input kind) {
  constexpr const char* words[] = {"rows",     "routes",        "tokens",
                                   "requests", "batch_replays", "request_replays"};
  return detail::word_of(kind, words);
}

/// The statistic kept of a signal's values in a slice.
enum class fold : std::uint8_t {
  total,    // their sum
  squares,  // the sum of their squares
  largest,  // the largest, and its place
  smallest, //
  nonzero,  // how many are not zero
  share,    // how many satisfy a comparison with a threshold
  sketch,   // their distribution, with a stated error
  moments   // the sums for a figure of a window
};
constexpr const char* name(fold kind) {
  constexpr const char* words[] = {"total",   "squares", "largest", "smallest",
                                   "nonzero", "share",   "sketch",  "moments"};
  return detail::word_of(kind, words);
}

/// The unit of a window's length. A window of a stage lasts from one evaluation to the next.
enum class window_unit : std::uint8_t { stage, ticks, seconds, tokens, sequences, requests, steps };
constexpr const char* name(window_unit kind) {
  constexpr const char* words[] = {"stage",     "ticks",    "seconds", "tokens",
                                   "sequences", "requests", "steps"};
  return detail::word_of(kind, words);
}

/// What a check compares with its bounds.
enum class estimator : std::uint8_t {
  largest,
  smallest,
  mean,
  root_mean_square,
  deviation,
  effective_share,
  quantile,
  share,
  total,
  nonzero,
  ess, // this and the next two: figures of all tokens of a window
  perplexity_ratio,
  pearson,
  slope,
  sampled,  // the share of served inputs that were observed
  coherence // the mean ratio p/q of sampled tokens: at most 1 if they were sampled from q
};
constexpr const char* name(estimator kind) {
  constexpr const char* words[] = {"largest",   "smallest",        "mean",     "root_mean_square",
                                   "deviation", "effective_share", "quantile", "share",
                                   "total",     "nonzero",         "ess",      "perplexity_ratio",
                                   "pearson",   "slope",           "sampled",  "coherence"};
  return detail::word_of(kind, words);
}

/// The quantity that an assumption is about.
enum class quantity : std::uint8_t {
  // Handed in by the program: numbers of responses, of their steps, and of tokens.
  reward,
  step_reward,
  advantage,
  score_norm,
  length, // also observed for responses that end here
  // Observed between the ends of the chain.
  ratio,
  missing_mass,
  unseen // no number contradicts it
};
constexpr const char* name(quantity kind) {
  constexpr const char* words[] = {"reward", "step_reward", "advantage",    "score_norm",
                                   "length", "ratio",       "missing_mass", "unseen"};
  return detail::word_of(kind, words);
}

/// A node of a rule's condition: a state of a clause, or a combination of other nodes.
enum class trigger_kind : std::uint8_t { violated, undecided, satisfied, negation, all, some };
constexpr const char* name(trigger_kind kind) {
  constexpr const char* words[] = {"violated", "undecided", "satisfied", "negation", "all", "some"};
  return detail::word_of(kind, words);
}

/// Actions, from the weakest to the strongest. `correct` and stronger actions change traffic.
enum class action_kind : std::uint8_t { alert, sample, correct, route, quarantine, hold, rollback };
constexpr const char* name(action_kind kind) {
  constexpr const char* words[] = {"alert",      "sample", "correct", "route",
                                   "quarantine", "hold",   "rollback"};
  return detail::word_of(kind, words);
}

} // namespace tikc
