#pragma once

#include "tikc/detail/row_frame.h"
#include "tikc/detail/row_statistics.h"

namespace tikc::detail::rows {

/// Walks a pair of rows twice. Only the first pass reads from memory. It tries each block in the
/// cheapest way that the previous block allowed. If drifts, masks or a new largest logit make that
/// insufficient, it repeats the block in a better way. It computes both log-sum-exps, and so the
/// row's shift, without which divergences of nearby rows would have no relative accuracy.
template <class Kernels, std::uint32_t Wants> class row_walk {
public:
  row_walk(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
           double infer_temperature, float* scratch)
      : train_(train), infer_(infer), whole_(vocabulary / row_padding * row_padding),
        rest_(vocabulary - whole_), scratch_(scratch) {
    if (weighs) { // raw logits do not depend on the temperature
      frame_.train_scale = 1 / train_temperature;
      frame_.infer_scale = 1 / infer_temperature;
    }
    // The last tokens are their own block, padded with shared masks.
    for (std::size_t i = 0; i < row_padding; ++i) {
      last_train_[i] = i < rest_ ? value_at(train_, whole_ + i) : -infinity;
      last_infer_[i] = i < rest_ ? value_at(infer_, whole_ + i) : -infinity;
    }
  }

  row_stats run(std::int64_t sampled, mask_rule masks) {
    for (std::size_t i = 0; i < blocks(); ++i)
      take(i);
    row_stats out;
    out.nonfinite = nonfinite(masks);
    if (is_spoilt()) {
      spoil<Wants>(out);
      return out;
    }
    normalise();
    report_logits(out, masks);
    if (is_beyond()) {
      spoil<Wants & row_weighed>(out);
      return out;
    }
    if constexpr ((Wants & row_want::logprob_linf) != 0)
      report_logprobs(out, masks);
    if constexpr ((Wants & row_compared) != 0)
      report_divergences(out);
    report_sampled(out, sampled);
    return out;
  }

  /// Returns whether a side has NaN or +inf, or masks every token.
  bool is_spoilt() const { return faults_.spoilt != 0 || is_lone(); }
  float train_peak() const { return raw_.train.first; }
  float infer_peak() const { return raw_.infer.first; }

private:
  static_assert(wants_of(row_pass::plain) == (row_want::top1_flip | row_want::nonfinite),
                "each plain statistic is reported");
  static constexpr bool weighs = (Wants & row_weighed) != 0;
  static constexpr bool ranges = (Wants & row_ranged) != 0;
  /// The largest centre at which small drifts keep their digits in fp32.
  static constexpr double plain_centre = 0.125;
  static constexpr double fp32_reach = 0x1p126;
  /// The largest log of an inference weight above the frame, far from fp32's limits.
  static constexpr double headroom = 30;

  struct record {
    row_frame frame; // the reference point of the block's weights
    spread shift;    // of x, and z′ − z minus the frame's
    spread gap;
    bool wide, masked, exact; // how the block was read
  };

  std::size_t blocks() const {
    return (whole_ + row_block_tokens - 1) / row_block_tokens + (rest_ != 0 ? 1U : 0U);
  }
  bool is_rest(std::size_t i) const { return rest_ != 0 && i + 1 == blocks(); }
  std::size_t begin(std::size_t i) const { return is_rest(i) ? whole_ : i * row_block_tokens; }

  row_block block(std::size_t i) const {
    if (is_rest(i))
      return {{last_train_, number_format::fp32},
              {last_infer_, number_format::fp32},
              scratch_ + whole_,
              row_padding,
              raw_.infer.first};
    std::size_t first = begin(i);
    return {skip(train_, first), skip(infer_, first), scratch_ + first,
            std::min(row_block_tokens, whole_ - first), raw_.infer.first};
  }

  reading reading_for(bool masks) const {
    if ((weighs || ranges) && (exact_ || !is_close(frame_)))
      return reading::exact;
    if (masks)
      return reading::masked;
    if (weighs && frame_.train_scale != 1)
      return reading::scaled;
    return train_.format == number_format::bf16 && infer_.format == number_format::bf16
               ? reading::bf16
               : reading::plain;
  }

  static bool is_close(const row_frame& frame) {
    return frame.is_alike() && std::fabs(frame.apart().high) <= plain_centre &&
           std::fabs(frame.centre()) <= plain_centre;
  }

  first_pass weigh(const row_block& tokens, reading how) const {
    using kernel = first_pass (*)(const row_block&, const row_frame&);
    constexpr drift_tier small = drift_tier::small, medium = drift_tier::medium;
    static constexpr kernel kernels[2][5] = {
        {&Kernels::template weigh<Wants, small, reading::bf16>,
         &Kernels::template weigh<Wants, small, reading::plain>,
         &Kernels::template weigh<Wants, small, reading::scaled>,
         &Kernels::template weigh<Wants, small, reading::masked>,
         &Kernels::template weigh<Wants, small, reading::exact>},
        {&Kernels::template weigh<Wants, medium, reading::bf16>,
         &Kernels::template weigh<Wants, medium, reading::plain>,
         &Kernels::template weigh<Wants, medium, reading::scaled>,
         &Kernels::template weigh<Wants, medium, reading::masked>,
         &Kernels::template weigh<Wants, medium, reading::exact>}};
    if (tier_ == drift_tier::wide)
      return how == reading::exact
                 ? Kernels::template weigh_wide<Wants, reading::exact>(tokens, frame_)
                 : Kernels::template weigh_wide<Wants, reading::masked>(tokens, frame_);
    return kernels[static_cast<std::size_t>(tier_)][static_cast<std::size_t>(how)](tokens, frame_);
  }

  /// Returns the cheapest tier for drifts of this size; the widest for NaN.
  static drift_tier tier_for(double reach) {
    constexpr auto small = static_cast<double>(row_series<drift_tier::small>::reach);
    constexpr auto medium = static_cast<double>(row_series<drift_tier::medium>::reach);
    if (!weighs) // only ranges without weights need precision
      return !ranges || reach < medium ? drift_tier::small : drift_tier::wide;
    if (reach < small)
      return drift_tier::small;
    return reach < medium ? drift_tier::medium : drift_tier::wide;
  }

  void take(std::size_t i) {
    row_block tokens = block(i);
    bool padded = is_rest(i);
    wary_ = false;
    for (;;) {
      bool masks = masked_ || padded;
      first_pass pass = weigh(tokens, reading_for(masks));
      // For ranges alone, any token's drift is a good anchor.
      if ((weighs || (ranges && !anchored_)) && recentre(tokens, pass))
        continue;
      if (tier_ != drift_tier::wide) {
        if (!pass.finite) {
          if (masks)
            tier_ = drift_tier::wide;
          masked_ = wary_ = true;
          continue;
        }
        if (drift_tier needed = tier_for(pass.shift.reach()); needed > tier_) {
          tier_ = needed;
          continue;
        }
      }
      // From here on, reads drifts beyond fp32 in double.
      if ((weighs || ranges) && !exact_ && !(pass.shift.reach() < fp32_reach)) {
        exact_ = true;
        continue;
      }
      // Reading in double includes masks, whether or not they were expected.
      keep(i, pass, masks || pass.masked);
      return;
    }
  }

  void keep(std::size_t i, const first_pass& pass, bool masks) {
    // A repeated reading without masks would give NaN for logits far below the top.
    records_[i] = {frame_, pass.shift, pass.raw.gap, tier_ == drift_tier::wide, masks, exact_};
    if (pass.raw.train.first > raw_.train.first)
      train_block_ = i;
    if (pass.raw.infer.first > raw_.infer.first)
      infer_block_ = i;
    raw_.merge(pass.raw);
    faults_.merge(pass.faults);
    weights_.train += pass.weights.train;
    weights_.infer += pass.weights.infer;
    weights_.excess += pass.weights.excess;
    weights_.level += pass.weights.level;
    // The next block is tried in the cheapest way that would have worked for this one.
    masked_ = (pass.masked || wary_) && !is_rest(i);
    tier_ = pass.faults.nonfinite != 0 ? drift_tier::wide : tier_for(pass.shift.reach());
  }

  /// Moves the frame to a new largest logit; returns whether it moved. Each move goes to a larger
  /// logit of the rows, so it terminates.
  bool recentre(const row_block& tokens, const first_pass& pass) {
    float train_peak = pass.raw.train.first, infer_peak = raw_.infer.first;
    if (std::isfinite(pass.raw.infer.first))
      infer_peak = std::max(infer_peak, pass.raw.infer.first);
    row_frame next = frame_;
    bool anchored = anchored_;
    bool outranked = std::isfinite(train_peak) && train_peak > peak_;
    if (outranked) {
      peak_ = next.top = train_peak;
      next.other = value_at(tokens.infer, Kernels::find(tokens.train, tokens.tokens, train_peak));
      anchored = std::isfinite(next.other);
      next.other = anchored ? next.other : 0;
    }
    double above = static_cast<double>(infer_peak) - static_cast<double>(next.other);
    bool apart = std::isfinite(infer_peak) && (!anchored || above * next.infer_scale > headroom);
    if (apart)
      next.other = infer_peak;
    if (!outranked && !apart)
      return false;
    anchored_ = anchored || apart;
    next.residue = 0;
    if (is_close(next))
      next.residue = static_cast<double>(static_cast<float>(next.centre())) - next.centre();
    move(next);
    return true;
  }

  static double shrunk(double weight, double by) {
    return weight == 0 ? 0 : weight * std::exp(-by);
  }

  void move(const row_frame& next) {
    double train = frame_.train_fall(next), infer = frame_.infer_fall(next);
    row_weights moved;
    moved.train = shrunk(weights_.train, train);
    moved.infer = shrunk(weights_.infer, infer);
    // Computed as a difference, the excess would lose small drifts.
    double apart = frame_.fall(next);
    moved.excess = std::fabs(apart) < 1
                       ? shrunk(weights_.excess, infer) + moved.train * std::expm1(-apart)
                       : moved.infer - moved.train;
    double up = (train + infer) / 2;
    moved.level = shrunk(weights_.level - up * weights_.train, up);
    if (!std::isfinite(moved.level)) // nothing of the rows is left so far
      moved.level = 0;
    weights_ = moved;
    frame_ = next;
  }

  void normalise() {
    normal_.frame = frame_;
    normal_.log_train = std::log(weights_.train);
    normal_.log_infer = std::log(weights_.infer);
    double relative = weights_.excess / weights_.train;
    normal_.shift =
        std::fabs(relative) < 0.5 ? std::log1p(relative) : normal_.log_infer - normal_.log_train;
    double level = 2 * weights_.level / (weights_.train + weights_.infer);
    normal_.level = std::isfinite(level) ? level : 0;
  }

  /// Returns whether a side masks every token.
  bool is_lone() const { return !(raw_.train.first > -infinity && raw_.infer.first > -infinity); }

  /// Returns whether a temperature is out of range, or leaves a side without weight.
  bool is_beyond() const {
    auto is_usual = [](double scale) {
      return scale >= 1 / most_temperature && scale <= 1 / least_temperature;
    };
    return weighs && !(is_usual(frame_.train_scale) && is_usual(frame_.infer_scale) &&
                       weights_.train > 0 && weights_.infer > 0);
  }

  std::uint32_t nonfinite(mask_rule masks) const {
    std::uint32_t allowed = masks == mask_rule::lenient ? faults_.train_only : 0;
    return std::max(faults_.nonfinite - allowed, is_lone() ? 1U : 0U);
  }
  /// Returns whether one side masks a token against the rule.
  bool breaks(mask_rule masks) const {
    return faults_.infer_only != 0 || (masks == mask_rule::strict && faults_.train_only != 0);
  }

  static double margin(const leaders& leading) {
    return static_cast<double>(leading.first) - static_cast<double>(leading.second);
  }

  /// Returns the range of z′ − z minus the frame's.
  spread gaps() const {
    spread out;
    for (std::size_t i = 0; i < blocks(); ++i)
      out.merge(records_[i].gap.moved(-records_[i].frame.raw_fall(frame_)));
    return out;
  }

  void report_logits(row_stats& out, mask_rule masks) const {
    if constexpr ((Wants & row_want::top1_flip) != 0)
      out.top1_flip = flips() ? 1 : 0;
    if (breaks(masks)) {
      spoil<Wants & row_raw>(out);
      return;
    }
    if constexpr (ranges) {
      spread gap = gaps();
      report<Wants, row_ranged>(
          out,
          figure_value<figure::logit_linf>{std::max(gap.moved(frame_.apart().high).reach(), 0.0)},
          figure_value<figure::logit_osc>{std::max(gap.width(), 0.0)});
    }
    report<Wants, row_raw & ~row_ranged>(
        out, figure_value<figure::logit_l2>{std::sqrt(raw_.squares)},
        figure_value<figure::logit_rel>{static_cast<double>(raw_.relative)},
        figure_value<figure::top1_margin>{std::min(margin(raw_.train), margin(raw_.infer))});
  }

  void report_logprobs(row_stats& out, mask_rule masks) const {
    double reach = 0;
    for (std::size_t i = 0; i < blocks(); ++i)
      reach = std::max(reach, drift_of(records_[i]).reach());
    report<Wants, wants_of(row_pass::weighed)>(
        out, figure_value<figure::logprob_linf>{breaks(masks) ? unbounded : reach});
  }

  /// Returns the range of log-probs' drifts.
  spread drift_of(const record& entry) const {
    return entry.shift.moved(-entry.frame.fall(frame_) - normal_.shift);
  }

  /// Returns whether the largest logits are at different tokens. The lowest index wins a tie:
  /// blocks keep their place until they are exceeded.
  bool flips() const {
    if (train_block_ != infer_block_)
      return true;
    row_block tokens = block(train_block_);
    return Kernels::find(tokens.train, tokens.tokens, raw_.train.first) !=
           Kernels::find(tokens.infer, tokens.tokens, raw_.infer.first);
  }

  void compare(std::size_t i, divergences& sums) const {
    const record& entry = records_[i];
    row_block tokens = block(i);
    drift_tier tier = entry.wide ? drift_tier::wide : tier_for(drift_of(entry).reach());
    if (tier == drift_tier::wide) {
      sums.add(entry.exact || !is_close(frame_)
                   ? Kernels::template compare_wide<Wants, reading::exact>(tokens, normal_)
                   : Kernels::template compare_wide<Wants, reading::masked>(tokens, normal_),
               1);
      return;
    }
    using kernel = divergences (*)(const row_block&, const row_normal&);
    constexpr drift_tier small = drift_tier::small, medium = drift_tier::medium;
    static constexpr kernel kernels[2][5] = {
        {&Kernels::template compare<Wants, small, reading::bf16>,
         &Kernels::template compare<Wants, small, reading::plain>,
         &Kernels::template compare<Wants, small, reading::scaled>,
         &Kernels::template compare<Wants, small, reading::masked>,
         &Kernels::template compare<Wants, small, reading::exact>},
        {&Kernels::template compare<Wants, medium, reading::bf16>,
         &Kernels::template compare<Wants, medium, reading::plain>,
         &Kernels::template compare<Wants, medium, reading::scaled>,
         &Kernels::template compare<Wants, medium, reading::masked>,
         &Kernels::template compare<Wants, medium, reading::exact>}};
    auto how = static_cast<std::size_t>(reading_for(entry.masked));
    double fall = (entry.frame.train_fall(frame_) + entry.frame.infer_fall(frame_)) / 2;
    double unit = std::exp(-fall - (normal_.log_train + normal_.log_infer) / 2);
    if (unit > 0) // else it may be so far below that its logs are not floats
      sums.add(kernels[static_cast<std::size_t>(tier)][how](tokens, normal_), unit);
  }

  void report_divergences(row_stats& out) const {
    divergences sums;
    for (std::size_t i = 0; i < blocks(); ++i)
      compare(i, sums);
    auto within = [](double value, double most) {
      return value <= most ? std::max(value, 0.0) : most;
    };
    auto unless = [](std::uint64_t lost, double value) { return lost != 0 ? unbounded : value; };
    report<Wants, row_compared>(
        out, figure_value<figure::tv>{within(sums.distance / 2, 1)},
        figure_value<figure::hellinger>{within(sums.hellinger, 1)},
        figure_value<figure::js>{within(sums.js, most_js)},
        figure_value<figure::kl_train_infer>{
            unless(faults_.train_only, within(sums.kl_train_infer, unbounded))},
        figure_value<figure::kl_infer_train>{
            unless(faults_.infer_only, within(sums.kl_infer_train, unbounded))},
        figure_value<figure::chi2>{unless(faults_.train_only, within(sums.chi2, unbounded))},
        figure_value<figure::entropy_gap>{within(std::fabs(sums.entropy), unbounded)},
        figure_value<figure::missing_mass>{within(sums.missing, 1)});
  }

  void report_sampled(row_stats& out, std::int64_t sampled) const {
    if (sampled < 0)
      return;
    auto index = static_cast<std::size_t>(sampled);
    auto log = [index](row_view row, float top, double scale) {
      return (static_cast<double>(value_at(row, index)) - static_cast<double>(top)) * scale;
    };
    if constexpr ((Wants & row_want::sampled_logprobs) != 0) {
      out.train_logprob = log(train_, frame_.top, frame_.train_scale) - normal_.log_train;
      out.infer_logprob =
          log(infer_, frame_.other, frame_.infer_scale) - frame_.residue - normal_.log_infer;
    }
  }

  row_view train_, infer_;
  std::size_t whole_, rest_; // tokens in full vectors, and after them
  float* scratch_;
  float last_train_[row_padding], last_infer_[row_padding];

  drift_tier tier_ = drift_tier::small;
  bool masked_ = false;
  bool anchored_ = false;  // to a logit of the inference's row
  bool exact_ = false;     // some drifts exceeded fp32
  bool wary_ = false;      // this block's logits were not plain
  float peak_ = -infinity; // the largest trainer logit that the frame used
  row_frame frame_;
  row_weights weights_;
  row_normal normal_{};
  raw_drift raw_;
  row_faults faults_;
  std::size_t train_block_ = 0, infer_block_ = 0;
  record records_[row_tokens_limit / row_block_tokens + 1];
};

} // namespace tikc::detail::rows
