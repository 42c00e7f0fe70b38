#pragma once

#include <cstddef>
#include <cstdint>

/// Series for the statistics of a pair of rows. With b = √(pq) and y = log q − log p, every
/// statistic is Σ b·f(y), and near y = 0 each f is a polynomial. So a block of tokens needs only
/// the moments Σ b·yᵏ. The coefficients are Taylor's, with the error spread over the range at
/// Chebyshev's nodes; `error` is the largest relative error.
namespace tikc::detail::rows {

/// The range of a block's drifts, minus the row's shift.
enum class drift_tier : std::uint8_t { small, medium, wide };

template <drift_tier Tier> struct row_series;

template <> struct row_series<drift_tier::small> {
  static constexpr float reach =
      0.25F; // the difference by rounding to bf16, for logits of usual size
  /// 2 sinh(y/2) in y and y³; 2 cosh(y/2) in 1 and y².
  static constexpr double sinh[] = {1, 0.04169363378}; // error 4e-7, and none for the smallest
  static constexpr double cosh[] = {2, 0.25026967116}; // error 2e-6, and none for the smallest
  /// Coefficients of y², y³ and so on.
  static constexpr double kl[] = {0.5, -0.08343103046396066, 0.020845543771117452}; // error 2e-5
  static constexpr double hellinger[] = {0.12499998940066168, 0, 0.002605523334658419}; // 8e-8
  static constexpr double js[] = {0.12499994718306733, 0, 6.763205604629757e-06}; // error 4e-7
  static constexpr double chi2[] = {1, -0.5, 0.2090752913188413,
                                    -0.06265892437153203}; // error 2e-5
  /// y cosh(y/2) − 2 sinh(y/2).
  static constexpr double entropy[] = {0, 0.08339845566785338, 0}; // error 8e-4, of a small term
};

template <> struct row_series<drift_tier::medium> {
  static constexpr float reach = 1.0F;
  static constexpr double sinh[] = {0.9999999999155186, 0.041666669369878846, 0.0005208198224492852,
                                    3.121794974541224e-06}; // error 8e-11
  static constexpr double cosh[] = {1.9999999984777986, 0.25000004870619574, 0.005208089916310212,
                                    4.3791786026760344e-05}; // error 8e-10
  static constexpr double kl[] = {0.5,
                                  -0.0833333427992791,
                                  0.020833333924367252,
                                  -0.0020832576326158822,
                                  0.0002604119397370061,
                                  -1.8752430870188723e-05,
                                  1.5595450177105857e-06}; // error 3e-9
  static constexpr double hellinger[] = {0.12499999999788956,  0, 0.0026041667341966104, 0,
                                         2.17010513469729e-05, 0, 9.742083320363665e-08}; // 2e-11
  static constexpr double js[] = {0.1249999975610288,     0, 7.82167448581946e-08,  0,
                                  0.00010811126723956471, 0, -4.773423167725472e-06}; // error 2e-8
  static constexpr double chi2[] = {1,
                                    -0.5000120077035523,
                                    0.2083351240306392,
                                    -0.06240418144036939,
                                    0.015784315807350256,
                                    -0.003575598856371793,
                                    0.000663950006331625}; // error 2e-6
  static constexpr double entropy[] = {0, 0.08333333603597058,    0, 0.002083284693530287,
                                       0, 1.8730779065810614e-05, 0}; // error 3e-8
};

/// 2 artanh(s) / s in s², to 1e-9 for s ≤ 0.16.
constexpr double artanh[] = {2.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9};

template <std::size_t N> constexpr std::size_t length(const double (&)[N]) { return N; }

/// Returns the highest power of y that these statistics use.
template <class Series> constexpr std::size_t order_of(bool with_chi2) {
  return 1 + (with_chi2 ? length(Series::chi2) : length(Series::kl));
}

/// Substitutes −y for y, which exchanges the rows of a statistic.
constexpr double mirrored(double coefficient, std::size_t power) {
  return power % 2 == 0 ? coefficient : -coefficient;
}

} // namespace tikc::detail::rows
