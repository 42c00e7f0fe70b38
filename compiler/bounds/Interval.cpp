#include "bounds/Interval.h"

#include <algorithm>
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

} // namespace

Interval::Interval(const Rational& number, unsigned bits) : Interval(bits) {
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

Interval& Interval::operator=(Interval other) noexcept {
  mpfi_swap(value_, other.value_);
  return *this;
}

Interval::~Interval() {
  mpfi_clear(value_);
}

Rational Interval::lower() const {
  return toRational(&value_->left);
}

Rational Interval::upper() const {
  return toRational(&value_->right);
}

Rational Interval::upper(unsigned bits) const {
  Float out(bits);
  mpfr_set(out.raw(), &value_->right, MPFR_RNDU);
  return toRational(out.raw());
}

long Interval::magnitude() const {
  auto of = [](mpfr_srcptr end) { return mpfr_regular_p(end) ? mpfr_get_exp(end) : MPFR_EMIN_DEFAULT; };
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

std::string decimal(const Rational& number, unsigned digits, Rounding rounding) {
  if (number == 0)
    return "0";
  mpfr_rnd_t direction = rounding == Rounding::Down ? MPFR_RNDD : MPFR_RNDU;
  Float rounded(digits * 4 + 64);
  mpfr_set_q(rounded.raw(), number.get_mpq_t(), direction);
  mpfr_exp_t exponent = 0;
  char* raw = mpfr_get_str(nullptr, &exponent, 10, digits, rounded.raw(), direction);
  std::string text = raw;
  mpfr_free_str(raw);
  std::string sign = text.front() == '-' ? "-" : "";
  text.erase(0, sign.size());
  text.erase(text.find_last_not_of('0') + 1);
  // 0.ddd × 10^exponent: plain where that is short, else with an exponent.
  auto shift = static_cast<long>(exponent);
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

} // namespace tikc::bounds
