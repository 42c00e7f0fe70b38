#include "logic/Requests.h"

#include "logic/Fields.h"
#include "support/Check.h"

#include <algorithm>
#include <map>

namespace tikc::logic {

using llvm::BitVector;
using model::Expr;

namespace {

/// What one space may spend on comparing boxes, in words of bits, and the boxes of one region. Past
/// either nothing is said. A partition by dozens of values of each of some fields takes a
/// thousandth.
constexpr std::size_t mostWork = 1u << 23;
constexpr std::size_t mostBoxes = 512;

bool isAtom(const Expr& expr) {
  return expr.kind == Expr::Kind::Compare || expr.kind == Expr::Kind::In;
}

void forEachAtom(const Expr& expr, auto&& visit) {
  if (isAtom(expr))
    return visit(expr);
  for (const Expr& part : expr.arguments)
    forEachAtom(part, visit);
}

} // namespace

struct Space::Impl {
  using Box = Region::Box;

  Impl(std::span<const model::Label> labels, std::span<const Expr* const> predicates) {
    for (const Expr* predicate : predicates)
      forEachAtom(*predicate, [&](const Expr& atom) { cut(labels, atom); });
    for (CutField& field : fields) {
      field.close();
      words += 1 + field.cells() / 64;
    }
  }

  void cut(std::span<const model::Label> labels, const Expr& atom) {
    const std::string& name = atom.arguments[0].text;
    auto [at, isNew] = places.emplace(name, fields.size());
    if (isNew)
      addField(labels, name);
    fields[at->second].cutAt(atom);
  }

  void addField(std::span<const model::Label> labels, const std::string& name) {
    auto isIt = [&](const model::Label& label) { return label.name.text == name; };
    bool isLabel = std::any_of(labels.begin(), labels.end(), isIt);
    CutField& field = fields.emplace_back(name, isLabel ? nullptr : model::findField(name));
    for (const model::Label& label : labels)
      if (isIt(label))
        field.declare(label.values);
  }

  /// Whether there is something left to spend, of which this costs a box.
  bool spend() const {
    work += words;
    return work <= mostWork;
  }

  Box whole() const {
    Box out;
    for (const CutField& field : fields)
      out.emplace_back(static_cast<unsigned>(field.cells()), true);
    return out;
  }

  static Region unknown() {
    Region out;
    out.isKnown_ = false;
    return out;
  }

  Region ofAtom(const Expr& atom, bool isMet) const {
    auto place = places.find(atom.arguments[0].text);
    TIKC_CHECK(place != places.end(), "a predicate that the space was not made of");
    if (!spend())
      return unknown();
    BitVector cells = fields[place->second].where(atom);
    if (!isMet)
      cells.flip();
    Region out;
    if (cells.any()) {
      out.boxes_.push_back(whole());
      out.boxes_.front()[place->second] = std::move(cells);
    }
    return out;
  }

  /// What meets a predicate, or what does not.
  Region regionOf(const Expr& expr, bool isMet) const {
    if (isAtom(expr))
      return ofAtom(expr, isMet);
    if (expr.kind == Expr::Kind::Not)
      return regionOf(expr.arguments[0], !isMet);
    bool isAll = (expr.kind == Expr::Kind::And) == isMet;
    Region out = regionOf(expr.arguments[0], isMet);
    for (std::size_t i = 1; i < expr.arguments.size(); ++i) {
      Region part = regionOf(expr.arguments[i], isMet);
      out = isAll ? common(out, part) : joined(out, part);
    }
    return out;
  }

  static bool intersect(const Box& a, const Box& b, Box& out) {
    out = a;
    for (std::size_t i = 0; i < a.size(); ++i) {
      out[i] &= b[i];
      if (out[i].none())
        return false;
    }
    return true;
  }

  Region common(const Region& a, const Region& b) const {
    // Of nothing and of something that is not known nothing is left.
    if (a.isEmpty() == Decided::Yes || b.isEmpty() == Decided::Yes)
      return {};
    if (!a.isKnown_ || !b.isKnown_)
      return unknown();
    Region out;
    Box box;
    for (const Box& first : a.boxes_)
      for (const Box& with : b.boxes_) {
        if (!spend())
          return unknown();
        if (intersect(first, with, box))
          out.boxes_.push_back(box);
        if (out.boxes_.size() > mostBoxes)
          return unknown();
      }
    return out;
  }

  /// A box without another: for each field, what lies within the other in all fields before it and
  /// outside in this.
  static void subtract(Box from, const Box& taken, std::vector<Box>& out) {
    Box shared;
    if (!intersect(from, taken, shared)) {
      out.push_back(std::move(from));
      return;
    }
    for (std::size_t i = 0; i < from.size(); ++i) {
      BitVector rest = from[i];
      rest.reset(taken[i]);
      if (rest.any()) {
        out.push_back(from);
        out.back()[i] = std::move(rest);
      }
      from[i] = std::move(shared[i]);
    }
  }

  Region without(Region from, const Region& taken) const {
    if (from.isEmpty() == Decided::Yes)
      return {};
    if (!from.isKnown_ || !taken.isKnown_)
      return unknown();
    for (const Box& gone : taken.boxes_) {
      std::vector<Box> left;
      for (Box& box : from.boxes_) {
        if (!spend())
          return unknown();
        subtract(std::move(box), gone, left);
        if (left.size() > mostBoxes)
          return unknown();
      }
      from.boxes_ = std::move(left);
    }
    return from;
  }

  Region joined(Region a, const Region& b) const {
    Region more = without(b, a);
    if (!more.isKnown_ || !a.isKnown_)
      return unknown();
    for (Box& box : more.boxes_)
      if (!widen(a, box))
        a.boxes_.push_back(std::move(box));
    return a.boxes_.size() > mostBoxes ? unknown() : a;
  }

  /// `task == "a" or task == "b"` is one box: those that differ in one field alone are.
  static bool widen(Region& region, const Box& by) {
    for (Box& box : region.boxes_) {
      std::size_t differing = by.size(), count = 0;
      for (std::size_t i = 0; i < by.size() && count < 2; ++i)
        if (box[i] != by[i]) {
          differing = i;
          ++count;
        }
      if (count != 1)
        continue;
      box[differing] |= by[differing];
      return true;
    }
    return false;
  }

  std::vector<CutField> fields;
  std::map<std::string, std::size_t, std::less<>> places;
  std::size_t words = 1; // of a box
  mutable std::size_t work = 0;
};

Space::Space(std::span<const model::Label> labels, std::span<const Expr* const> predicates)
    : impl_(std::make_unique<Impl>(labels, predicates)) {}
Space::~Space() = default;
Space::Space(Space&&) noexcept = default;

Region Space::all() const {
  Region out;
  out.boxes_.push_back(impl_->whole());
  return out;
}

Region Space::of(const Expr& predicate) const { return impl_->regionOf(predicate, true); }
Region Space::common(const Region& a, const Region& b) const { return impl_->common(a, b); }
Region Space::without(const Region& from, const Region& taken) const {
  return impl_->without(from, taken);
}

ExampleRequest Space::example(const Region& region) const {
  TIKC_CHECK(region.isEmpty() == Decided::No, "a request of a region that has none");
  ExampleRequest out;
  for (std::size_t i = 0; i < impl_->fields.size(); ++i) {
    const CutField& field = impl_->fields[i];
    auto cell = static_cast<std::size_t>(region.boxes_.front()[i].find_first());
    out.emplace_back(field.name(), field.value(cell));
  }
  return out;
}

std::string print(const ExampleRequest& request) {
  std::string out;
  for (const auto& [name, value] : request)
    out += (out.empty() ? "" : ", ") + name + " " + value;
  return out;
}

} // namespace tikc::logic
