#pragma once

#include "tikc/checker.h"

#include <array>
#include <cmath>
#include <limits>

/// What exporters tell of a checker and a tally, before it is text.
namespace tikc::detail {

struct figure_words {
  const char* name;
  const char* unit; // a base unit, or nothing
  const char* meaning;
};

constexpr figure_words words_of(figure what) {
  switch (what) {
  case figure::logit_linf:
    return {"logit_linf", "nats", "Largest change of any logit."};
  case figure::logit_osc:
    return {"logit_osc", "nats", "Oscillation of the logit drift."};
  case figure::logit_l2:
    return {"logit_l2", "nats", "Euclidean norm of the logit drift."};
  case figure::logit_rel:
    return {"logit_rel", "", "Largest change of any logit, relative to the logit."};
  case figure::logprob_linf:
    return {"logprob_linf", "nats", "Largest change of any log-prob."};
  case figure::tv:
    return {"tv", "", "Total variation between the two distributions."};
  case figure::hellinger:
    return {"hellinger", "", "Squared Hellinger distance."};
  case figure::kl_train_infer:
    return {"kl_train_infer", "nats", "KL of the trainer against inference."};
  case figure::kl_infer_train:
    return {"kl_infer_train", "nats", "KL of inference against the trainer."};
  case figure::js:
    return {"js", "nats", "Jensen-Shannon divergence."};
  case figure::chi2:
    return {"chi2", "", "Variance of the importance ratio."};
  case figure::top1_flip:
    return {"top1_flip", "", "Whether the most likely token differs."};
  case figure::top1_margin:
    return {"top1_margin", "nats", "Margin between the two largest logits."};
  case figure::entropy_gap:
    return {"entropy_gap", "nats", "Difference of the two entropies."};
  case figure::missing_mass:
    return {"missing_mass", "", "Mass on tokens that inference cannot sample."};
  case figure::nonfinite:
    return {"nonfinite", "", "Logits that are not finite."};
  case figure::route_flip:
    return {"route_flip", "", "Share of layers whose set of experts differs."};
  case figure::logprob_gap:
    return {"logprob_gap", "nats", "Log-prob of the sampled token, trainer minus inference."};
  case figure::ratio:
    return {"ratio", "", "Importance ratio of the sampled token."};
  case figure::capped_ratio:
    return {"capped_ratio", "", "Importance ratio of the sampled token, held within its caps."};
  case figure::tv_sampled:
    return {"tv_sampled", "", "Sample of the total variation."};
  case figure::k1:
    return {"k1", "nats", "Signed sample of KL."};
  case figure::k2:
    return {"k2", "", "Half the squared log-ratio."};
  case figure::k3:
    return {"k3", "nats", "Non-negative sample of KL."};
  case figure::prob_gap:
    return {"prob_gap", "", "Difference of the sampled token's probabilities."};
  case figure::clipped:
    return {"clipped", "", "Whether the ratio is outside its limits."};
  case figure::veto:
    return {"veto", "", "Whether the ratio is below its limit."};
  case figure::seq_log_ratio:
    return {"seq_log_ratio", "nats", "Sum of a response's log-ratios."};
  case figure::seq_geo_ratio:
    return {"seq_geo_ratio", "", "Geometric mean of a response's ratios."};
  case figure::seq_ratio:
    return {"seq_ratio", "", "Importance ratio of the sampled response."};
  case figure::seq_capped_ratio:
    return {"seq_capped_ratio", "", "Importance ratio of the response, held within its caps."};
  case figure::seq_tv:
    return {"seq_tv", "", "Sample of the total variation between whole responses."};
  case figure::seq_clipped:
    return {"seq_clipped", "", "Whether a response's ratio is outside its limits."};
  case figure::seq_geo_clipped:
    return {"seq_geo_clipped", "",
            "Whether the geometric mean of a response's ratios is outside its limits."};
  case figure::seq_veto:
    return {"seq_veto", "", "Whether a token of a response has a ratio below its limit."};
  case figure::window_figure:
    return {"window_figure", "", "What figures of a whole window are computed from."};
  case figure::latency:
    return {"latency", "seconds", "Time from request to last token."};
  case figure::first_token_latency:
    return {"first_token_latency", "seconds", "Time from request to first token."};
  case figure::inter_token_latency:
    return {"inter_token_latency", "seconds", "Mean time between tokens after the first."};
  case figure::throughput:
    return {"throughput", "tokens_per_second", "Sampled tokens per second of a request."};
  case figure::batch_drift:
    return {"batch_drift", "nats", "Largest log-prob change in another batch."};
  case figure::replay_drift:
    return {"replay_drift", "nats", "Largest log-prob change when run again."};
  case figure::errors:
    return {"errors", "", "Whether the request failed."};
  }
  return {"", "", ""};
}

/// A sum of what may be negative does not only grow.
constexpr bool is_signed(const signal& of) {
  return !of.absolute && (of.what == figure::logprob_gap || of.what == figure::k1 ||
                          of.what == figure::seq_log_ratio);
}

/// What a confidence in a mean or a share of them is about: nothing is said of those to come, which
/// the tokens of a few responses do not tell.
constexpr const char* about(source from) {
  switch (from) {
  case source::rows:
  case source::routes:
  case source::tokens:
    return "contexts served";
  case source::sequences:
    return "responses served";
  case source::requests:
  case source::replays:
    return "requests served";
  }
  return "";
}

constexpr const char* symbol_of(comparator how) {
  constexpr const char* symbols[] = {"<=", "<", ">=", ">", "==", "!="};
  return symbols[static_cast<std::size_t>(how)];
}

/// How many values are at most `at`.
struct edge {
  double at;
  std::uint64_t count;
};

/// The thresholds of a signal as the edges of a histogram's buckets, by what a tally holds of a
/// slice. NaN is above every edge where it is known how many there are or where the counts leave it
/// out; below every edge where each count has it.
template <class Plan> class histogram {
public:
  static constexpr std::size_t keepers = sizeof(Plan::keepers) / sizeof(keeper);

  histogram(const tally<Plan>& from, std::uint16_t which, std::size_t slice)
      : signal_(Plan::signal_table[which]), tokens_(from.tokens(signal_.stream, slice)),
        cell_(from.observed(slice)) {
    observations = signal_.from == source::tokens ? tokens_.count : cell_.seen[which];
    for (const keeper& each : Plan::keepers)
      if (each.signal == which && each.how == fold::total)
        sum = each.from == reading::tokens ? total_of(signal_, each, tokens_)
              : cell_.unknown[which] == 0  ? cell_.total[each.slot].value()
                                           : sum;
    bool all_with_nan = true;
    for (const keeper& each : Plan::keepers)
      all_with_nan = all_with_nan && (!is_edge(each, which) || has_nan(each));
    for (const keeper& each : Plan::keepers)
      if (is_edge(each, which) && (knows_nans(each) || has_nan(each) == all_with_nan))
        insert(each);
  }

  /// Thresholds that are edges; others are points.
  static constexpr bool is_edge(const keeper& of, std::size_t which) {
    constexpr double most = std::numeric_limits<double>::max();
    return of.signal == which && of.how == fold::share && of.than != comparator::equal &&
           of.than != comparator::not_equal && of.threshold < most && of.threshold > -most;
  }
  static constexpr bool exists(std::size_t which) {
    for (const keeper& each : Plan::keepers)
      if (is_edge(each, which))
        return true;
    return false;
  }

  const edge* begin() const { return edges_.data(); }
  const edge* end() const { return edges_.data() + size_; }

  std::uint64_t observations = 0;
  double sum = std::numeric_limits<double>::quiet_NaN(); // where it is known

private:
  /// Whether it counts what is beyond the edge.
  static constexpr bool is_above(const keeper& of) {
    return of.than == comparator::above || of.than == comparator::at_least;
  }
  /// Of the count of what is within the edge.
  static constexpr bool has_nan(const keeper& of) { return of.counts_nan != is_above(of); }

  static constexpr const keeper* sketch_of(const keeper& of) {
    for (const keeper& each : Plan::keepers)
      if (each.signal == of.signal && each.how == fold::sketch && each.from == reading::cell)
        return &each;
    return nullptr;
  }
  static constexpr bool knows_nans(const keeper& of) {
    return of.from == reading::tokens || sketch_of(of) != nullptr;
  }
  std::uint64_t nans(const keeper& of) const {
    if (of.from == reading::tokens)
      return tokens_.bad;
    const keeper* sketch = sketch_of(of);
    return sketch == nullptr ? 0 : cell_.sketch[sketch->slot].nans;
  }

  void insert(const keeper& of) {
    constexpr double lowest = -std::numeric_limits<double>::infinity();
    const bool excludes = of.than == comparator::at_least || of.than == comparator::below;
    const std::uint64_t counted =
        of.from == reading::cell ? cell_.count[of.slot] : count_of(of, tokens_);
    edge next{excludes ? std::nextafter(of.threshold, lowest) : of.threshold,
              is_above(of) ? observations - counted : counted};
    if (has_nan(of))
      next.count -= nans(of);
    std::size_t at = size_;
    for (; at > 0 && edges_[at - 1].at >= next.at; --at)
      if (edges_[at - 1].at == next.at)
        return;
    for (std::size_t i = size_++; i > at; --i)
      edges_[i] = edges_[i - 1];
    edges_[at] = next;
  }

  const signal& signal_;
  const typename tally<Plan>::tokens_of& tokens_;
  const cell<Plan>& cell_;
  std::array<edge, keepers> edges_{};
  std::size_t size_ = 0;
};

} // namespace tikc::detail
