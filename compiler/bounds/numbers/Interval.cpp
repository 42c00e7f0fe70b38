#include "bounds/numbers/Interval.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tikc::bounds {
namespace {

Rational toRational(mpfr_srcptr number) {
  Rational out;
  mpfr_get_q(out.get_mpq_t(), number);
  return out;
}

class Float {
public:
  explicit Float(unsigned bits) { mpfr_init2(value_, bits); }
  Float(const Float&) = delete;
  Float& operator=(const Float&) = delete;
  ~Float() { mpfr_clear(value_); }
  mpfr_ptr raw() { return value_; }

private:
  mpfr_t value_;
};

/// MPFR keeps constants for each thread, which a thread that ends would leak.
void freeCachesWithThread() {
  struct Caches {
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local Caches caches;
  static_cast<void>(caches);
}

} // namespace

Interval::Interval(const Rational& number, unsigned bits) : Interval(bits) {
  freeCachesWithThread();
  mpfi_set_q(value_, number.get_mpq_t());
}

Interval::Interval(const Interval& other) : Interval(other.bits()) {
  mpfi_set(value_, other.value_);
}

// A moved-from interval owns a number of the least precision, which costs less than a state of its
// own.
Interval::Interval(Interval&& other) noexcept : Interval(static_cast<unsigned>(MPFR_PREC_MIN)) {
  mpfi_swap(value_, other.value_);
}

Interval& Interval::operator=(const Interval& other) { return *this = Interval(other); }

Interval& Interval::operator=(Interval&& other) noexcept {
  mpfi_swap(value_, other.value_);
  return *this;
}

Interval::~Interval() { mpfi_clear(value_); }

Rational Interval::lower() const { return toRational(&value_->left); }

Rational Interval::upper() const { return toRational(&value_->right); }

Rational Interval::upper(unsigned bits) const {
  Float out(bits);
  mpfr_set(out.raw(), &value_->right, MPFR_RNDU);
  // As exact numbers, those beside 0 that no contract can tell from it would take gigabytes.
  constexpr mpfr_exp_t least = -8192;
  if (mpfr_regular_p(out.raw()) && mpfr_get_exp(out.raw()) < least)
    mpfr_set_ui_2exp(out.raw(), mpfr_sgn(out.raw()) > 0 ? 1 : 0, least, MPFR_RNDU);
  return toRational(out.raw());
}

long Interval::magnitude() const {
  auto of = [](mpfr_srcptr end) {
    return mpfr_regular_p(end) ? mpfr_get_exp(end) : MPFR_EMIN_DEFAULT;
  };
  return std::max(of(&value_->left), of(&value_->right));
}

int compare(const Interval& a, const Interval& b) {
  if (mpfr_less_p(&a.raw()->right, &b.raw()->left))
    return -1;
  return mpfr_greater_p(&a.raw()->left, &b.raw()->right) ? 1 : 0;
}

int compare(const Interval& a, const Rational& b) {
  if (!a.isUsable())
    return 0;
  if (mpfr_cmp_q(&a.raw()->right, b.get_mpq_t()) < 0)
    return -1;
  return mpfr_cmp_q(&a.raw()->left, b.get_mpq_t()) > 0 ? 1 : 0;
}

namespace {

mpz_class powerOfTen(unsigned long exponent) {
  mpz_class out;
  mpz_ui_pow_ui(out.get_mpz_t(), 10, exponent);
  return out;
}

/// number × 10^places as a whole number, on the given side.
mpz_class scaled(const Rational& number, long places, Rounding rounding) {
  mpz_class top = number.get_num(), bottom = number.get_den(), out;
  (places >= 0 ? top : bottom) *= powerOfTen(static_cast<unsigned long>(std::abs(places)));
  if (rounding == Rounding::Down)
    mpz_fdiv_q(out.get_mpz_t(), top.get_mpz_t(), bottom.get_mpz_t());
  else
    mpz_cdiv_q(out.get_mpz_t(), top.get_mpz_t(), bottom.get_mpz_t());
  return out;
}

/// digits / 10^places.
struct ScaledNumber {
  mpz_class digits;
  long places = 0;
};

ScaledNumber scaledTo(const Rational& number, unsigned digits, Rounding rounding) {
  // The size in bits tells the number of digits to within one.
  long size = static_cast<long>(mpz_sizeinbase(number.get_num_mpz_t(), 2)) -
              static_cast<long>(mpz_sizeinbase(number.get_den_mpz_t(), 2));
  auto wanted = static_cast<long>(digits);
  long places = wanted - static_cast<long>(static_cast<double>(size) * 0.30103) + 1;
  const mpz_class tooMany = powerOfTen(digits);
  for (;; --places)
    if (mpz_class whole = scaled(number, places, rounding); abs(whole) < tooMany)
      return {std::move(whole), places};
}

} // namespace

Rational rounded(const Rational& number, unsigned digits, Rounding rounding) {
  if (number == 0)
    return number;
  auto [whole, places] = scaledTo(number, digits, rounding);
  Rational power(powerOfTen(static_cast<unsigned long>(std::abs(places))));
  return places >= 0 ? Rational(Rational(whole) / power) : Rational(Rational(whole) * power);
}

std::string decimal(const Rational& number, unsigned digits, Rounding rounding) {
  if (number == 0)
    return "0";
  auto [whole, places] = scaledTo(number, digits, rounding);
  std::string text = whole.get_str();
  std::string sign = text.front() == '-' ? "-" : "";
  text.erase(0, sign.size());
  long exponent = static_cast<long>(text.size()) - places;
  text.erase(text.find_last_not_of('0') + 1);
  // 0.ddd × 10^exponent: plain where that is short, else with an exponent.
  long shift = exponent;
  auto length = static_cast<long>(text.size());
  if (shift > -5 && shift <= 0)
    return sign + "0." + std::string(static_cast<std::size_t>(-shift), '0') + text;
  if (shift > 0 && shift <= std::max(21L, length)) {
    if (length <= shift)
      return sign + text + std::string(static_cast<std::size_t>(shift - length), '0');
    return sign + text.insert(static_cast<std::size_t>(shift), ".");
  }
  if (length > 1)
    text.insert(1, ".");
  return sign + text + "e" + std::to_string(shift - 1);
}

std::string percent(const Rational& share, unsigned digits, Rounding rounding) {
  static const Rational tiny(1, powerOfTen(11));
  if (share != 0 && abs(share) < tiny)
    return "less than 1e-9%";
  return decimal(share * 100, digits, rounding) + "%";
}

} // namespace tikc::bounds
