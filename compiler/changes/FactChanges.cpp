#include "changes/FactChanges.h"

#include "changes/FactPlaces.h"
#include "changes/Flattening.h"
#include "changes/NormalForm.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <set>

namespace tikc::changes {

using model::Contract;

namespace {

enum class Direction : std::uint8_t { None, Less, More, Range };

struct FactRow {
  std::string_view path;
  ChangeKind kind;
  Direction direction;
};

constexpr FactRow factRows[] = {
#define FACT(path, kind, direction) {path, ChangeKind::kind, Direction::direction},
#include "changes/Facts.def"
};

bool isUnder(std::string_view path, std::string_view prefix) {
  return path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '.');
}

/// The path as tables have it: without a kernel's name, and without the places of list items.
std::string genericPath(const std::string& path) {
  std::string out;
  bool isName = false; // what follows `kernels`
  for (llvm::StringRef part : llvm::split(path, '.')) {
    bool isPlace = std::all_of(part.begin(), part.end(), llvm::isDigit);
    if (!isName && !isPlace)
      out += (out.empty() ? "" : ".") + part.str();
    isName = part == "kernels" && out == "kernels";
  }
  return out;
}

const FactRow* rowOf(const std::string& path) {
  std::string generic = genericPath(path);
  auto match = std::find_if(std::begin(factRows), std::end(factRows),
                            [&](const FactRow& row) { return isUnder(generic, row.path); });
  return match == std::end(factRows) ? nullptr : match;
}

ChangedPart partOf(std::string_view path) {
  if (isUnder(path, "assumptions"))
    return ChangedPart::Assumption;
  if (isUnder(path, "model"))
    return ChangedPart::Model;
  if (isUnder(path, "load"))
    return ChangedPart::Load;
  return isUnder(path, "labels") ? ChangedPart::Label : ChangedPart::Kernel;
}

/// The number that a value begins with: 4096 of "4096 tokens", 1/3 of one that is no decimal.
std::optional<Rational> numberOf(llvm::StringRef text) {
  text.consume_front("\"");
  llvm::StringRef head = text.take_until([](char c) { return c == ' ' || c == '"' || c == '%'; });
  auto [top, bottom] = head.split('/');
  auto number = [](llvm::StringRef part) {
    return parseDecimal(std::string_view(part.data(), part.size()));
  };
  auto over = bottom.empty() ? std::optional(Rational(1)) : number(bottom);
  auto value = number(top);
  return value && over && *over != 0 ? std::optional(Rational(*value / *over)) : std::nullopt;
}

struct NumberPair {
  Rational low, high;
};
std::optional<NumberPair> rangeIn(llvm::StringRef text) {
  if (!text.consume_front("[") || !text.consume_back("]"))
    return std::nullopt;
  auto [low, high] = text.split(", ");
  auto first = numberOf(low), second = numberOf(high);
  return first && second ? std::optional(NumberPair{*first, *second}) : std::nullopt;
}

/// Of an assumption whose value says how much it assumes.
ChangeKind assumedKind(const FactRow& row, const std::string* old, const std::string* fresh) {
  if (!old || !fresh)
    return old ? ChangeKind::AssumesLess : ChangeKind::AssumesMore;
  if (row.direction == Direction::Range) {
    auto before = rangeIn(*old), after = rangeIn(*fresh);
    if (!before || !after)
      return row.kind;
    return after->low <= before->low && after->high >= before->high ? ChangeKind::AssumesLess
                                                                    : ChangeKind::AssumesMore;
  }
  auto before = numberOf(*old), after = numberOf(*fresh);
  if (!before || !after)
    return row.kind;
  bool isMore = row.direction == Direction::Less ? *after < *before : *after > *before;
  return isMore ? ChangeKind::AssumesMore : ChangeKind::AssumesLess;
}

/// What only some of two contracts has cannot be told apart by a number that the other lacks, where
/// it is part of more: a support, an age, a list of layers.
bool isPartOfMore(std::string_view generic) {
  return isUnder(generic, "assumptions.support") || isUnder(generic, "assumptions.staleness") ||
         isUnder(generic, "assumptions.layers");
}

ChangeKind kindOf(const std::string& path, const std::string* old, const std::string* fresh) {
  const FactRow* row = rowOf(path);
  if (!row)
    return ChangeKind::Changed;
  bool isWhole = (old && fresh) || !isPartOfMore(genericPath(path));
  return row->direction == Direction::None || !isWhole ? row->kind : assumedKind(*row, old, fresh);
}

bool hasKernel(const Contract& contract, std::string_view name) {
  return std::any_of(contract.kernels.begin(), contract.kernels.end(),
                     [&](const model::Kernel& each) { return each.name.text == name; });
}

/// What a kernel is, without its name.
std::vector<std::string> factsOfKernel(const Facts& facts, std::string_view name) {
  const std::string prefix = fmt::format("kernels.{}.", name);
  std::vector<std::string> out;
  for (auto each = facts.lower_bound(prefix); each != facts.end(); ++each) {
    if (!each->first.starts_with(prefix))
      break;
    out.push_back(each->first.substr(prefix.size()) + " " + each->second);
  }
  return out;
}

/// Names that kernels exchanged: each of them is now what alone another one was.
std::map<std::string, std::string> exchangedNames(const Contract& oldContract,
                                                  const Contract& newContract, const Facts& before,
                                                  const Facts& after) {
  std::map<std::vector<std::string>, std::vector<std::string>> now; // names by what is theirs
  std::vector<std::string> others;
  for (const model::Kernel& each : newContract.kernels)
    now[factsOfKernel(after, each.name.text)].push_back(each.name.text);
  for (const model::Kernel& each : oldContract.kernels)
    if (hasKernel(newContract, each.name.text) &&
        factsOfKernel(before, each.name.text) != factsOfKernel(after, each.name.text))
      others.push_back(each.name.text);
  std::map<std::string, std::string> out;
  for (const std::string& name : others)
    if (auto match = now.find(factsOfKernel(before, name));
        match != now.end() && match->second.size() == 1)
      out.emplace(name, match->second.front());
  // Who has a name that its bearer kept has exchanged nothing.
  auto isOpen = [&](const auto& pair) { return !out.contains(pair.second); };
  for (auto open = std::find_if(out.begin(), out.end(), isOpen); open != out.end();
       open = std::find_if(out.begin(), out.end(), isOpen))
    out.erase(open);
  return out;
}

/// The old names of kernels, and the new ones of the same: those that have their parts in the
/// chain, or that alone are what they were. A name that the other edition has, too, is no other
/// name of anything.
std::map<std::string, std::string> kernelSuccessors(const Contract& oldContract,
                                                    const Contract& newContract,
                                                    const Facts& before, const Facts& after) {
  std::map<std::string, std::string> out = exchangedNames(oldContract, newContract, before, after);
  auto isRename = [&](const std::string& then, const std::string& now) {
    return !hasKernel(newContract, then) && !hasKernel(oldContract, now);
  };
  std::set<std::string> taken;
  if (oldContract.chain.size() == newContract.chain.size())
    for (std::size_t i = 0; i < oldContract.chain.size(); ++i)
      if (isRename(oldContract.chain[i].text, newContract.chain[i].text) &&
          out.emplace(oldContract.chain[i].text, newContract.chain[i].text).second)
        taken.insert(newContract.chain[i].text);
  // One of two that were alike would be a guess.
  std::map<std::vector<std::string>, std::vector<std::string>> gone, come; // by what they are
  for (const model::Kernel& old : oldContract.kernels)
    if (!hasKernel(newContract, old.name.text) && !out.contains(old.name.text))
      gone[factsOfKernel(before, old.name.text)].push_back(old.name.text);
  for (const model::Kernel& fresh : newContract.kernels)
    if (!hasKernel(oldContract, fresh.name.text) && !taken.contains(fresh.name.text))
      come[factsOfKernel(after, fresh.name.text)].push_back(fresh.name.text);
  for (const auto& [what, names] : gone)
    if (auto now = come.find(what);
        now != come.end() && names.size() == 1 && now->second.size() == 1)
      out.emplace(names.front(), now->second.front());
  return out;
}

bool isFact(std::string_view path) {
  static constexpr std::string_view sections[] = {"assumptions", "model", "kernels", "load",
                                                  "labels"};
  return std::any_of(std::begin(sections), std::end(sections),
                     [&](std::string_view section) { return isUnder(path, section); });
}

std::string successorPath(const std::string& path, const std::map<std::string, std::string>& to) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(path).split(parts, '.');
  if (parts.size() < 2 || parts[0] != "kernels")
    return path;
  auto known = to.find(parts[1].str());
  if (known == to.end())
    return path;
  parts[1] = known->second;
  return llvm::join(parts, ".");
}

std::string withoutQuotes(llvm::StringRef text) {
  bool isQuoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return (isQuoted ? text.drop_front().drop_back() : text).str();
}

std::string chainText(const Contract& contract) {
  std::string out;
  for (const model::Name& kernel : contract.chain)
    out += (out.empty() ? "" : ", ") + kernel.text;
  return out;
}

/// Whether a fact is how exactly a kernel computes.
bool isFormat(std::string_view path) {
  static constexpr std::string_view keys[] = {"weights", "compute", "accumulate", "kv_cache",
                                              "logits"};
  return std::find(std::begin(keys), std::end(keys), path.substr(path.rfind('.') + 1)) !=
         std::end(keys);
}

/// The first rule that sends traffic to the kernel that a fact is of, where that is none of those
/// that clauses compare; empty where there is none.
std::string senderTo(const Contract& contract, llvm::StringRef path) {
  if (!path.consume_front("kernels."))
    return {};
  const llvm::StringRef kernel = path.split('.').first;
  auto isIt = [&](const auto& each) { return llvm::StringRef(each.text) == kernel; };
  if (std::any_of(contract.chain.begin(), contract.chain.end(), isIt))
    return {};
  auto sends = [&](const model::Call& action) {
    return action.id == model::CallId::Route &&
           std::any_of(action.expr.arguments.begin(), action.expr.arguments.end(), isIt);
  };
  for (const model::Rule& rule : contract.rules)
    if (std::any_of(rule.actions.begin(), rule.actions.end(), sends) ||
        std::any_of(rule.steps.begin(), rule.steps.end(), [&](const model::Step& step) {
          return std::any_of(step.actions.begin(), step.actions.end(), sends);
        }))
      return rule.id.text;
  return {};
}

std::set<std::string> valuesOf(const Contract& contract, std::string_view label) {
  std::set<std::string> out;
  for (const model::Label& each : contract.labels)
    if (each.name.text == label)
      for (const model::Text& value : each.values)
        out.insert(utf8::ticked(value.value));
  return out;
}

/// What it means to requests that a label has other values.
std::string whyOfLabel(const Contract& oldContract, const Contract& newContract,
                       std::string_view label) {
  const std::set<std::string> before = valuesOf(oldContract, label),
                              after = valuesOf(newContract, label);
  std::vector<std::string> gone, come, out;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(gone));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::back_inserter(come));
  if (!come.empty())
    out.push_back(fmt::format("requests of {} are now in the slice whose condition takes them, and "
                              "its promises apply to them",
                              fmt::join(come, ", ")));
  if (!gone.empty())
    out.push_back(fmt::format("only the promises of `other` still apply to requests of {}",
                              fmt::join(gone, ", ")));
  return fmt::format("{}", fmt::join(out, "; "));
}

/// Facts by their paths in the new edition, and where they were.
class FactReview {
public:
  FactReview(const Contract& oldContract, const Contract& newContract)
      : was_(oldContract), is_(newContract), before_(oldContract), after_(newContract),
        old_(factsOf(normalOf(oldContract))), fresh_(factsOf(normalOf(newContract))),
        successors_(kernelSuccessors(oldContract, newContract, old_, fresh_)) {}

  std::vector<PartChange> take() {
    reviewChain();
    Facts after = fresh_;
    for (const auto& [path, value] : old_) {
      if (!isFact(path))
        continue;
      std::string now = successorPath(path, successors_);
      auto known = after.find(now);
      if (known == after.end())
        add(now, path, &value, nullptr);
      else if (known->second != value)
        add(now, path, &value, &known->second);
      if (known != after.end())
        after.erase(known);
    }
    for (const auto& [path, value] : after)
      if (isFact(path))
        add(path, {}, nullptr, &value);
    return std::move(out_);
  }

private:
  void reviewChain() {
    const bool isAsLong = was_.chain.size() == is_.chain.size();
    if (!isAsLong || comparesOthers()) {
      PartChange change{ChangedPart::Kernel, ChangeKind::Changed, is_.isPair ? "pair" : "chain"};
      change.before = chainText(was_);
      change.after = chainText(is_);
      change.why = isAsLong ? "it compares other kernels"
                            : "it compares a different number of "
                              "kernels";
      out_.push_back(std::move(change));
    }
    for (const auto& [before, after] : successors_)
      if (before != after) {
        PartChange change{ChangedPart::Kernel, ChangeKind::Renamed, after};
        change.formerly = before;
        change.oldPlace = before_.at("kernels." + before);
        change.newPlace = after_.at("kernels." + after);
        out_.push_back(std::move(change));
      }
  }

  bool comparesOthers() const {
    for (std::size_t i = 0; i < was_.chain.size(); ++i) {
      auto known = successors_.find(was_.chain[i].text);
      const std::string& now = known == successors_.end() ? was_.chain[i].text : known->second;
      if (now != is_.chain[i].text)
        return true;
    }
    return false;
  }

  void add(const std::string& now, const std::string& then, const std::string* old,
           const std::string* fresh) {
    PartChange change{partOf(now), kindOf(now, old, fresh), nameIn(now)};
    if (old) {
      change.before = withoutQuotes(*old);
      change.oldPlace = before_.at(then);
    }
    if (fresh) {
      change.after = withoutQuotes(*fresh);
      change.newPlace = after_.at(now);
    }
    if (change.part == ChangedPart::Label)
      change.why = whyOfLabel(was_, is_, change.name);
    if (std::string sender = senderTo(is_, now); !sender.empty() && isFormat(now)) {
      change.kind = ChangeKind::Unsure;
      change.why =
          fmt::format("rule {} sends traffic to it, but no clause limits it", utf8::ticked(sender));
    }
    out_.push_back(std::move(change));
  }

  /// Without the section, which the part tells.
  static std::string nameIn(const std::string& path) {
    auto dot = path.find('.');
    return dot == std::string::npos ? path : path.substr(dot + 1);
  }

  const Contract& was_;
  const Contract& is_;
  FactPlaces before_, after_;
  Facts old_, fresh_;
  std::map<std::string, std::string> successors_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> factChanges(const Contract& oldContract, const Contract& newContract) {
  return FactReview(oldContract, newContract).take();
}

bool haveOtherMeaning(const std::vector<PartChange>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const PartChange& each) {
    // A declared missing mass is left out of drifts.
    bool isOfLaws = each.part != ChangedPart::Assumption || isUnder(each.name, "support");
    return each.kind == ChangeKind::Changed && isOfLaws;
  });
}

} // namespace tikc::changes
