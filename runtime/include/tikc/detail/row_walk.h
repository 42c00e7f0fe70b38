#pragma once

#include "tikc/detail/row_frame.h"
#include "tikc/detail/row_statistics.h"

namespace tikc::detail::rows {

/// Walks a pair of rows twice. The first pass, the only one that reads from memory, tries each
/// block in the cheapest way that the block before allowed, and again in a better one if the
/// block's drifts, masks or a new largest logit show that this was too cheap. What it leaves are
/// both log-sum-exps, hence the row's shift, without which no divergence of nearby rows can be had
/// to relative accuracy.
template <class Kernels, std::uint32_t Wants> class row_walk {
public:
  row_walk(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
           double infer_temperature, float* scratch)
      : train_(train), infer_(infer), whole_(vocabulary / row_padding * row_padding),
        rest_(vocabulary - whole_), scratch_(scratch) {
    frame_.train_scale = 1 / train_temperature;
    frame_.infer_scale = 1 / infer_temperature;
    // The last tokens are a block of their own, filled up with shared masks.
    for (std::size_t i = 0; i < row_padding; ++i) {
      last_train_[i] = i < rest_ ? value_at(train_, whole_ + i) : -infinity;
      last_infer_[i] = i < rest_ ? value_at(infer_, whole_ + i) : -infinity;
    }
  }

  row_stats run(std::int64_t sampled) {
    for (std::size_t i = 0; i < blocks(); ++i)
      take(i);
    normalise();
    row_stats out;
    out.nonfinite = faults_.nonfinite;
    if (faults_.spoilt || lone_side()) {
      spoil(out);
      return out;
    }
    report_logits(out);
    if constexpr ((Wants & row_compared) != 0)
      report_divergences(out);
    report_sampled(out, sampled);
    return out;
  }

private:
  static constexpr bool weighs = (Wants & row_weighed) != 0;
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  /// Larger centres would cost small drifts digits in fp32.
  static constexpr double plain_centre = 0.125;
  /// How far above the frame, as a log, an inference weight may be: far from fp32's limits.
  static constexpr double headroom = 30;

  struct record {
    double middle; // of the frame that the block's weights are relative to
    spread shift;  // of a′·z′ − a·z
    bool wide, masked;
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
    if (weighs &&
        (frame_.train_scale != frame_.infer_scale || std::fabs(frame_.centre) > plain_centre))
      return reading::exact;
    if (masks)
      return reading::masked;
    if (weighs && frame_.train_scale != 1)
      return reading::scaled;
    return train_.format == number_format::bf16 && infer_.format == number_format::bf16
               ? reading::bf16
               : reading::plain;
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
      return Kernels::template weigh_wide<Wants>(tokens, frame_);
    return kernels[static_cast<std::size_t>(tier_)][static_cast<std::size_t>(how)](tokens, frame_);
  }

  /// The cheapest tier for drifts of this size; NaN takes the widest.
  static drift_tier tier_for(double reach) {
    if (!weighs || reach < static_cast<double>(row_series<drift_tier::small>::reach))
      return drift_tier::small;
    return reach < static_cast<double>(row_series<drift_tier::medium>::reach) ? drift_tier::medium
                                                                              : drift_tier::wide;
  }

  void take(std::size_t i) {
    row_block tokens = block(i);
    bool padded = is_rest(i);
    wary_ = false;
    for (;;) {
      bool masks = masked_ || padded;
      first_pass pass = weigh(tokens, reading_for(masks));
      if (weighs && recentre(tokens, pass))
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
      keep(i, pass);
      return;
    }
  }

  void keep(std::size_t i, const first_pass& pass) {
    records_[i] = {frame_.middle(), pass.shift.moved(frame_.centre), tier_ == drift_tier::wide,
                   pass.masked};
    shift_.merge(records_[i].shift);
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
    // The next block is tried as this one could have been.
    masked_ = (pass.masked || wary_) && !is_rest(i);
    tier_ = pass.faults.nonfinite != 0 ? drift_tier::wide : tier_for(pass.shift.reach());
  }

  /// Whether a new largest logit moved the frame.
  bool recentre(const row_block& tokens, const first_pass& pass) {
    float train_peak = pass.raw.train.first, infer_peak = raw_.infer.first;
    if (std::isfinite(pass.raw.infer.first))
      infer_peak = std::max(infer_peak, pass.raw.infer.first);
    double infer_log = static_cast<double>(infer_peak) * frame_.infer_scale;
    row_frame next = frame_;
    bool outranked = std::isfinite(train_peak) && train_peak > peak_;
    if (outranked) {
      peak_ = next.top = train_peak;
      float other = value_at(tokens.infer, Kernels::find(tokens.train, tokens.tokens, train_peak));
      next.centre = static_cast<double>(other) * next.infer_scale - next.train_offset();
    }
    bool apart = !(infer_log - next.infer_offset() <= headroom) && std::isfinite(infer_log);
    if (apart)
      next.centre = infer_log - next.train_offset();
    if (!outranked && !apart)
      return false;
    if (!std::isfinite(next.centre))
      next.centre = 0;
    if (std::fabs(next.centre) <= plain_centre)
      next.centre = static_cast<double>(static_cast<float>(next.centre));
    move(next);
    return true;
  }

  static double shrunk(double weight, double by) {
    return weight == 0 ? 0 : weight * std::exp(-by);
  }

  void move(const row_frame& next) {
    double train = next.train_offset() - frame_.train_offset();
    double infer = next.infer_offset() - frame_.infer_offset();
    row_weights moved;
    moved.train = shrunk(weights_.train, train);
    moved.infer = shrunk(weights_.infer, infer);
    // As a difference, the excess would lose what a small drift is.
    double apart = infer - train;
    moved.excess = std::fabs(apart) < 1
                       ? shrunk(weights_.excess, infer) + moved.train * std::expm1(-apart)
                       : moved.infer - moved.train;
    double up = next.middle() - frame_.middle();
    moved.level = shrunk(weights_.level - up * weights_.train, up);
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

  /// Whether a side masks every token.
  bool lone_side() {
    bool lone = !(raw_.train.first > -infinity && raw_.infer.first > -infinity);
    if (lone)
      faults_.nonfinite = std::max(faults_.nonfinite, 1U);
    return lone;
  }

  static void set(double& statistic, std::uint32_t want, double value) {
    if ((Wants & want) != 0)
      statistic = value;
  }

  void spoil(row_stats& out) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    out.nonfinite = faults_.nonfinite;
    set(out.logit_linf, row_want::logit_linf, unbounded);
    set(out.logit_osc, row_want::logit_osc, unbounded);
    set(out.logit_l2, row_want::logit_l2, unbounded);
    set(out.logit_rel, row_want::logit_rel, unbounded);
    set(out.logprob_linf, row_want::logprob_linf, unbounded);
    set(out.tv, row_want::tv, 1);
    set(out.hellinger, row_want::hellinger, 1);
    set(out.kl_train_infer, row_want::kl_train_infer, unbounded);
    set(out.kl_infer_train, row_want::kl_infer_train, unbounded);
    set(out.js, row_want::js, most_js);
    set(out.chi2, row_want::chi2, unbounded);
    set(out.top1_flip, row_want::top1_flip, 1);
    set(out.top1_margin, row_want::top1_margin, 0);
    set(out.entropy_gap, row_want::entropy_gap, unbounded);
    set(out.missing_mass, row_want::missing_mass, 1);
    set(out.train_logprob, row_want::sampled_logprobs, nan);
    set(out.infer_logprob, row_want::sampled_logprobs, nan);
  }

  static double margin(const leaders& of) {
    return static_cast<double>(of.first) - static_cast<double>(of.second);
  }

  void report_logits(row_stats& out) const {
    set(out.logit_linf, row_want::logit_linf, std::max(raw_.drift.reach(), 0.0));
    set(out.logit_osc, row_want::logit_osc, std::max(raw_.drift.high - raw_.drift.low, 0.0));
    set(out.logit_l2, row_want::logit_l2, std::sqrt(raw_.squares));
    set(out.logit_rel, row_want::logit_rel, static_cast<double>(raw_.relative));
    if constexpr ((Wants & row_want::top1_flip) != 0)
      out.top1_flip = flips() ? 1 : 0;
    if constexpr ((Wants & row_want::top1_margin) != 0)
      out.top1_margin = std::min(margin(raw_.train), margin(raw_.infer));
    if constexpr ((Wants & row_want::logprob_linf) != 0) {
      bool one_sided = faults_.train_only || faults_.infer_only;
      double reach = shift_.moved(-frame_.centre - normal_.shift).reach();
      out.logprob_linf = one_sided ? unbounded : std::max(reach, 0.0);
    }
  }

  /// The lowest index wins a tie: blocks keep their place until they are surpassed.
  bool flips() const {
    if (train_block_ != infer_block_)
      return true;
    row_block tokens = block(train_block_);
    return Kernels::find(tokens.train, tokens.tokens, raw_.train.first) !=
           Kernels::find(tokens.infer, tokens.tokens, raw_.infer.first);
  }

  void compare(std::size_t i, divergences& sums) const {
    const record& of = records_[i];
    row_block tokens = block(i);
    drift_tier tier = of.wide ? drift_tier::wide
                              : tier_for(of.shift.moved(-frame_.centre - normal_.shift).reach());
    if (tier == drift_tier::wide) {
      sums.add(Kernels::template compare_wide<Wants>(tokens, normal_), 1);
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
    auto how = static_cast<std::size_t>(reading_for(of.masked));
    double middle = frame_.middle() + (normal_.log_train + normal_.log_infer) / 2;
    sums.add(kernels[static_cast<std::size_t>(tier)][how](tokens, normal_),
             std::exp(of.middle - middle));
  }

  void report_divergences(row_stats& out) const {
    divergences sums;
    for (std::size_t i = 0; i < blocks(); ++i)
      compare(i, sums);
    auto within = [](double value, double most) { return std::min(std::max(value, 0.0), most); };
    set(out.tv, row_want::tv, within(sums.distance / 2, 1));
    set(out.hellinger, row_want::hellinger, within(sums.hellinger, 1));
    set(out.js, row_want::js, within(sums.js, most_js));
    set(out.kl_train_infer, row_want::kl_train_infer,
        faults_.train_only ? unbounded : within(sums.kl_train_infer, unbounded));
    set(out.kl_infer_train, row_want::kl_infer_train,
        faults_.infer_only ? unbounded : within(sums.kl_infer_train, unbounded));
    set(out.chi2, row_want::chi2, faults_.train_only ? unbounded : within(sums.chi2, unbounded));
    set(out.entropy_gap, row_want::entropy_gap, std::fabs(sums.entropy));
    set(out.missing_mass, row_want::missing_mass, within(sums.missing, 1));
  }

  void report_sampled(row_stats& out, std::int64_t sampled) const {
    if (sampled < 0)
      return;
    auto index = static_cast<std::size_t>(sampled);
    auto logprob = [index](row_view row, double scale, double offset, double log_total) {
      return static_cast<double>(value_at(row, index)) * scale - offset - log_total;
    };
    set(out.train_logprob, row_want::sampled_logprobs,
        logprob(train_, frame_.train_scale, frame_.train_offset(), normal_.log_train));
    set(out.infer_logprob, row_want::sampled_logprobs,
        logprob(infer_, frame_.infer_scale, frame_.infer_offset(), normal_.log_infer));
  }

  static constexpr double most_js = 0.6931471805599453;

  row_view train_, infer_;
  std::size_t whole_, rest_; // tokens in full vectors, and after them
  float* scratch_;
  float last_train_[row_padding], last_infer_[row_padding];

  drift_tier tier_ = drift_tier::small;
  bool masked_ = false;
  bool wary_ = false;      // this block's logits were found not to be plain ones
  float peak_ = -infinity; // the largest of the trainer's logits that the frame has been at
  row_frame frame_;
  row_weights weights_;
  row_normal normal_{};
  raw_drift raw_;
  spread shift_;
  row_faults faults_;
  std::size_t train_block_ = 0, infer_block_ = 0;
  record records_[row_tokens_limit / row_block_tokens + 1];
};

} // namespace tikc::detail::rows
