#include "policy/Explorer.h"

#include <algorithm>

namespace tikc::policy {

namespace {

std::size_t hashOf(std::span<const std::uint32_t> cells) {
  std::uint64_t out = 0xcbf29ce484222325U;
  for (std::uint32_t cell : cells)
    out = (out ^ cell) * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(out ^ (out >> 32));
}

bool isSameCells(Machine::Known one, Machine::Known other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end());
}

} // namespace

std::size_t Allowance::priceOf(const Machine& machine) {
  constexpr std::size_t cellsOfAFewRules = 32;
  return 1 + machine.cells() / cellsOfAFewRules;
}

Explorer::Explorer(const Machine& machine, const Environment& environment, Allowance& allowance,
                   std::size_t ownCells, Stride stride)
    : Explorer(std::vector<const Machine*>{&machine}, environment, allowance, ownCells, stride) {}

Explorer::Explorer(std::vector<const Machine*> machines, const Environment& environment,
                   Allowance& allowance, std::size_t ownCells, Stride stride)
    : machines_(std::move(machines)), environment_(environment), allowance_(allowance),
      stride_(stride), slots_(64) {
  for (const Machine* machine : machines_)
    machineCells_ += machine->cells();
  for (const Machine* machine : machines_)
    price_ = std::max(price_, Allowance::priceOf(*machine));
  width_ = machineCells_ + environment.cells() + ownCells;
  keep(Cells(width_), {});
}

bool Explorer::isStarved(Machine::Known memory) const {
  const plan::Action* action = machines_.front()->decide(memory).action;
  return action && environment_.isStarvedBy(*action);
}

void Explorer::tick(const Environment::Input& input) {
  Machine::Memory memory(after_);
  for (const Machine* machine : machines_) {
    machine->tick(memory, input, changes_);
    memory = memory.subspan(machine->cells());
  }
}

/// Where a state with the cells is, or would be.
std::size_t& Explorer::slotOf(std::span<const std::uint32_t> cells) {
  for (std::size_t at = hashOf(cells);; ++at) {
    std::size_t& slot = slots_[at & (slots_.size() - 1)];
    if (slot == 0 || isSameCells(cellsOf(slot - 1), cells))
      return slot;
  }
}

void Explorer::widen() {
  slots_.assign(slots_.size() * 2, 0);
  for (std::size_t state = 0; state < origins_.size(); ++state)
    slotOf(cellsOf(state)) = state + 1;
}

void Explorer::keep(std::span<const std::uint32_t> cells, const Origin& origin) {
  std::size_t& slot = slotOf(cells);
  if (slot > 0)
    return;
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  origins_.push_back(origin);
  slot = origins_.size();
  if (origins_.size() * 2 > slots_.size())
    widen();
}

std::optional<Explorer::Ending> Explorer::stride(std::size_t state, const Cells& start,
                                                 const Environment::Input& input, Visit visit) {
  const std::size_t lasts = machineCells_, own = lasts + environment_.cells();
  after_ = start;
  for (std::uint32_t times = 1;; ++times) {
    if (!environment_.allows(input, Machine::Known(after_).subspan(lasts)))
      return std::nullopt;
    spent_ += price_;
    if (spent_ > allowance_.each || allowance_.left == 0)
      return Ending::CutOff;
    allowance_.spend(price_);
    before_ = after_;
    changes_.clear();
    tick(input);
    environment_.remember(input, Machine::Memory(after_).subspan(lasts));
    Onward onward = visit({state, times, input, before_, after_, changes_},
                          Machine::Memory(after_).subspan(own));
    if (onward == Onward::Stop)
      return Ending::Stopped;
    if (onward == Onward::Leave)
      return std::nullopt;
    if (stride_ == Stride::Tick || !changes_.empty() || isSameCells(before_, after_)) {
      keep(after_, {state, &input, times});
      return std::nullopt;
    }
  }
}

Explorer::Ending Explorer::run(Visit visit) {
  if (allowance_.left == 0)
    return Ending::CutOff;
  Cells start;
  for (std::size_t state = 0; state < origins_.size(); ++state) {
    Machine::Known known = cellsOf(state);
    start.assign(known.begin(), known.end()); // what is kept may move
    for (const Environment::Input& input : environment_.inputs(isStarved(start)))
      if (auto ending = stride(state, start, input, visit))
        return *ending;
  }
  bool isAll = environment_.isWhole() && stride_ == Stride::Tick;
  return isAll ? Ending::Exhausted : Ending::CutOff;
}

Course Explorer::courseOf(const Turn& turn) const {
  std::vector<const Environment::Input*> inputs(turn.times, &turn.input);
  for (std::size_t state = turn.from; origins_[state].input; state = origins_[state].from)
    inputs.insert(inputs.end(), origins_[state].times, origins_[state].input);
  std::reverse(inputs.begin(), inputs.end());
  Course out;
  out.ticks = inputs.size();
  const auto& clauses = environment_.clauses();
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    std::vector<Standing> sequence;
    sequence.reserve(inputs.size());
    for (const Environment::Input* input : inputs)
      sequence.push_back((*input)[i]);
    auto isQuiet = [](const Standing& each) { return each == Standing{}; };
    if (!std::all_of(sequence.begin(), sequence.end(), isQuiet))
      out.clauses.emplace(clauses[i], std::move(sequence));
  }
  return out;
}

} // namespace tikc::policy
