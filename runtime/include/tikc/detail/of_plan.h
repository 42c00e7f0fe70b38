#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

/// Where the tables of a plan are: constants of a type that a compiler made straight code of, or
/// read from an object, which has to outlive all that is made of it. What observes and judges is
/// one text for both.
namespace tikc::detail {

template <class Plan> inline constexpr bool is_constant = std::is_empty_v<Plan>;

/// Lets an object see its plan. `Owner` keeps apart the bases of an object and of its first member,
/// which could not lie at one address.
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
/// As many as the plan says: an array where that is a constant.
template <class Plan, class T, std::size_t Count>
using several = typename as_many<Plan, T, Count>::type;

/// Makes them, each of these arguments; an array has them.
template <class T, std::size_t Count, class... From>
void make(std::array<T, Count>&, std::size_t, const From&...) {}
template <class Several, class... From>
void make(Several& out, std::size_t count, const From&... each) {
  out.make(count, each...);
}

} // namespace tikc::detail
