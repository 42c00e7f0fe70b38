#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

/// Access to the tables of a plan: constants of a type, compiled to straight code, or an object
/// read at run time. The object must outlive everything made from it. Both use the same code to
/// observe and judge.
namespace tikc::detail {

template <class Plan> inline constexpr bool is_constant = std::is_empty_v<Plan>;

/// A base that gives an object access to its plan. `Owner` distinguishes the bases of an object and
/// of its first member, which could not share an address.
template <class Plan, class Owner, bool = is_constant<Plan>> class of_plan {
public:
  of_plan() = default;
  explicit of_plan(const Plan&) {}
  static constexpr Plan plan() { return {}; }
};
template <class Plan, class Owner> class of_plan<Plan, Owner, false> {
public:
  explicit of_plan(const Plan& plan) : plan_(&plan) {}
  const Plan& plan() const { return *plan_; }

private:
  const Plan* plan_;
};

template <class Plan, class T, std::size_t Count, bool = is_constant<Plan>> struct as_many {
  using type = std::array<T, Count>;
};
template <class Plan, class T, std::size_t Count> struct as_many<Plan, T, Count, false> {
  using type = typename Plan::template several<T>;
};
/// A container of the plan's size: an array if the size is constant.
template <class Plan, class T, std::size_t Count>
using several = typename as_many<Plan, T, Count>::type;

/// Allocates the elements with these arguments; an array has them already.
template <class T, std::size_t Count, class... From>
void make(std::array<T, Count>&, std::size_t, const From&...) {}
template <class Several, class... From>
void make(Several& out, std::size_t count, const From&... each) {
  out.make(count, each...);
}

} // namespace tikc::detail
