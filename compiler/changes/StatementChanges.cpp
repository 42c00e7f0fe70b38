#include "changes/StatementChanges.h"

#include "changes/Promises.h"
#include "changes/Reuse.h"
#include "logic/Separation.h"
#include "model/Meaning.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tikc::changes {

using logic::Stands;
using model::Bound;
using model::Statement;

namespace {

Span placeOf(const Statement& statement) { return statement.id.span; }

std::string textOf(const Statement& statement) {
  std::string out = model::print(statement.written);
  if (statement.link)
    out += fmt::format(", link {} to {}", statement.link->from.text, statement.link->to.text);
  if (statement.drawn)
    out += fmt::format(", drawn by {}", statement.drawn->text);
  return out;
}

std::string canonicalText(const Statement& statement) {
  return model::print(model::canonical(statement.written));
}

/// "p99(latency)", of a statement that is one bound.
std::string figureOf(const Statement& statement) {
  return model::print(statement.written.comparisons.front().subject);
}

/// The statements of one edition that are no directives.
template <typename Rows> Statements statementsOf(const Rows& rows) {
  Statements out;
  for (const auto& row : rows)
    if (!row.bounds.empty())
      out.push_back(&row);
  return out;
}

/// The statements of two editions, and who of them is whose successor.
class StatementPairs {
public:
  struct Pair {
    const Statement* old = nullptr;
    const Statement* fresh = nullptr;
  };

  StatementPairs(const Editions& editions, const Statements& old, const Statements& fresh) {
    std::map<std::string_view, const Statement*> byId;
    for (const Statement* each : fresh)
      byId.emplace(each->id.text, each);
    std::multimap<std::string, const Statement*> bySaying;
    Statements gone;
    std::map<const Statement*, bool> taken;
    for (const Statement* each : old) {
      auto same = byId.find(each->id.text);
      if (same == byId.end())
        gone.push_back(each);
      else {
        pairs_.push_back({each, same->second});
        taken[same->second] = true;
      }
    }
    for (const Statement* each : fresh)
      if (!taken[each])
        bySaying.emplace(saying(editions.fresh, *each), each);
    for (const Statement* each : gone) {
      auto same = bySaying.find(saying(editions.old, *each));
      if (same == bySaying.end()) {
        pairs_.push_back({each, nullptr});
        continue;
      }
      pairs_.push_back({each, same->second});
      taken[same->second] = true;
      bySaying.erase(same);
    }
    for (const Statement* each : fresh)
      if (!taken[each])
        pairs_.push_back({nullptr, each});
  }

  const std::vector<Pair>& pairs() const { return pairs_; }

private:
  static std::string saying(const model::Contract& contract, const Statement& statement) {
    return canonicalText(statement) + "; " + Implication::standpoint(contract, statement);
  }

  std::vector<Pair> pairs_;
};

std::string percentText(const Rational& share) {
  Rational percent = abs(share) * 100;
  double rounded = percent.get_d();
  return rounded < 1e6 ? fmt::format("{:.3g}%", rounded)
                       : fmt::format("{:.3g} times", rounded / 100);
}

/// "the limit is 20% further out": only of one number that moved.
std::string moveOf(const Statement& oldStatement, const Statement& newStatement, Stands stands) {
  if (oldStatement.bounds.size() != 1 || newStatement.bounds.size() != 1)
    return {};
  auto left = logic::slack(newStatement.bounds.front(), oldStatement.bounds.front(), stands);
  if (!left || *left == 0)
    return {};
  return fmt::format("the limit is {} {}", percentText(*left),
                     *left > 0 ? "further in" : "further out");
}

/// "the window is 1 h, was 10 min", of the first bound of which that is said; empty where none is.
std::string moveOf(const Statement& oldStatement, const Statement& newStatement,
                   std::optional<model::Amount> Bound::*member, std::string_view what,
                   std::string_view none) {
  if (oldStatement.bounds.size() != newStatement.bounds.size())
    return {};
  auto text = [&](const std::optional<model::Amount>& amount) {
    return amount ? model::print(*amount) : std::string(none);
  };
  for (std::size_t i = 0; i < oldStatement.bounds.size(); ++i)
    if (const auto& before = oldStatement.bounds[i].*member,
        &after = newStatement.bounds[i].*member;
        !logic::isSameAmount(before, after))
      return fmt::format("the {} is {}, was {}", what, text(after), text(before));
  return {};
}
std::string confidenceMove(const Statement& oldStatement, const Statement& newStatement) {
  return moveOf(oldStatement, newStatement, &Bound::confidence, "confidence", "none");
}

std::string windowMove(const Statement& oldStatement, const Statement& newStatement) {
  return moveOf(oldStatement, newStatement, &Bound::over, "window", "the stage's");
}

/// What changes in how bounds of one promise are decided; empty where nothing does.
std::string evidenceOf(const Statement& oldStatement, const Statement& newStatement) {
  std::string window = windowMove(oldStatement, newStatement);
  return window.empty() ? confidenceMove(oldStatement, newStatement) : window;
}

std::string because(const Statement& statement) {
  return statement.because ? statement.because->value : std::string();
}

/// Whether all bounds of both have one window and one confidence.
bool isDecidedAlike(const Statement& oldStatement, const Statement& newStatement) {
  const Bound& first = oldStatement.bounds.front();
  auto isSo = [&](const Bound& each) {
    return logic::isSameAmount(first.over, each.over) &&
           logic::isSameAmount(first.confidence, each.confidence);
  };
  return std::all_of(oldStatement.bounds.begin(), oldStatement.bounds.end(), isSo) &&
         std::all_of(newStatement.bounds.begin(), newStatement.bounds.end(), isSo);
}

bool names(const model::Expr& trigger, std::string_view clause) {
  return (trigger.kind == model::Expr::Kind::Name && trigger.text == clause) ||
         std::any_of(trigger.arguments.begin(), trigger.arguments.end(),
                     [&](const model::Expr& part) { return names(part, clause); });
}

/// Whether a rule speaks of a clause, or of `any`.
bool names(const model::Rule& rule, std::string_view clause) {
  return (rule.when && names(*rule.when, clause)) || (rule.until && names(*rule.until, clause));
}

/// The changes of all statements of one kind.
class StatementReview {
public:
  StatementReview(const Editions& editions, ChangedPart part, Statements old, Statements fresh)
      : editions_(editions), part_(part),
        stands_(part == ChangedPart::Claim ? Stands::InClaim : Stands::InClause),
        old_(std::move(old)), fresh_(std::move(fresh)), turned_(editions.overlap.turned()),
        forth_(editions.old, editions.fresh, editions.overlap, stands_),
        back_(editions.fresh, editions.old, turned_, stands_) {}

  std::vector<PartChange> take() {
    StatementPairs paired(editions_, old_, fresh_);
    for (const StatementPairs::Pair& each : paired.pairs())
      if (!each.old)
        add(ChangeKind::Added, nullptr, each.fresh);
      else if (!each.fresh)
        reviewGone(*each.old);
      else
        review(*each.old, *each.fresh);
    if (forth_.isCutOff() || back_.isCutOff())
      out_.push_back({part_,
                      ChangeKind::Unsure,
                      "all",
                      {},
                      {},
                      {},
                      {},
                      {},
                      "there are too many to compare all of them with one another",
                      {}});
    return std::move(out_);
  }

private:
  PartChange& add(ChangeKind kind, const Statement* old, const Statement* fresh) {
    PartChange change{part_, kind, fresh ? fresh->id.text : old->id.text};
    if (old) {
      change.before = textOf(*old);
      change.oldPlace = placeOf(*old);
    }
    if (fresh) {
      change.after = textOf(*fresh);
      change.newPlace = placeOf(*fresh);
    }
    if (old && fresh && old->id.text != fresh->id.text)
      change.formerly = old->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  void reviewGone(const Statement& oldStatement) {
    if (!forth_.holds(fresh_, oldStatement))
      add(ChangeKind::Removed, &oldStatement, nullptr);
    else if (std::string heard = whoHears(oldStatement); !heard.empty())
      add(ChangeKind::Unsure, &oldStatement, nullptr).why =
          whoImplies(oldStatement) + ", but " + heard;
    else
      add(ChangeKind::Implied, &oldStatement, nullptr).why = whoImplies(oldStatement);
  }

  /// Of a clause that others imply: the rule that hears of it and would not hear the same of them;
  /// empty where none does. One that asks for `any` hears it of one that implies it and is decided
  /// at the same times and as surely, or misses nothing where none could break it.
  std::string whoHears(const Statement& oldStatement) {
    if (part_ != ChangedPart::Clause)
      return {};
    const bool isHeardAlike =
        forth_.holds({}, oldStatement) ||
        std::any_of(fresh_.begin(), fresh_.end(), [&](const Statement* each) {
          return isDecidedAlike(oldStatement, *each) && forth_.holds({each}, oldStatement);
        });
    for (const model::Contract* edition : {&editions_.old, &editions_.fresh})
      for (const model::Rule& rule : edition->rules)
        if (names(rule, oldStatement.id.text) || (!isHeardAlike && names(rule, "any")))
          return fmt::format("rule {} reacts to it, and to the remaining clauses at other times",
                             utf8::ticked(rule.id.text));
    return {};
  }

  /// Which statement alone implies the whole of an old one, if one does.
  std::string whoImplies(const Statement& oldStatement) {
    for (const Statement* each : fresh_)
      if (forth_.holds({each}, oldStatement))
        return fmt::format("it follows from {}", utf8::ticked(each->id.text));
    return "it follows from several of them together";
  }

  void review(const Statement& oldStatement, const Statement& newStatement) {
    bool forth = forth_.holds({&newStatement}, oldStatement);
    std::string gap = forth_.gap();
    bool back = back_.holds({&oldStatement}, newStatement);
    std::string evidence = evidenceOf(oldStatement, newStatement);
    if (!forth)
      return reviewLost(oldStatement, newStatement, back, gap);
    bool isSaidAlike = canonicalText(oldStatement) == canonicalText(newStatement);
    if (!back || !evidence.empty() || !isSaidAlike) {
      PartChange& change = add(!back               ? ChangeKind::Tighter
                               : !evidence.empty() ? ChangeKind::Evidence
                                                   : ChangeKind::Restated,
                               &oldStatement, &newStatement);
      change.why = back ? evidence : moveOf(oldStatement, newStatement, stands_);
      if (!back && !evidence.empty())
        change.why += (change.why.empty() ? "" : "; ") + evidence;
      reuse(change, oldStatement, newStatement);
    } else if (oldStatement.id.text != newStatement.id.text)
      add(ChangeKind::Renamed, &oldStatement, &newStatement);
    reviewWords(oldStatement, newStatement);
  }

  /// What the old one said does not follow from its successor.
  void reviewLost(const Statement& oldStatement, const Statement& newStatement, bool back,
                  const std::string& gap) {
    if (forth_.holds(fresh_, oldStatement) && whoHears(oldStatement).empty()) {
      add(ChangeKind::Replaced, &oldStatement, &newStatement).why = whoImplies(oldStatement);
      return reviewWords(oldStatement, newStatement);
    }
    std::vector<WitnessValue> witness = witnessOf(oldStatement, newStatement);
    bool isKnown = !witness.empty() || (editions_.overlap.isUnchanged() &&
                                        isOfSameFigures(oldStatement, newStatement) &&
                                        haveComparableWindows(oldStatement, newStatement));
    PartChange& change =
        add(isKnown ? ChangeKind::Looser : ChangeKind::Unsure, &oldStatement, &newStatement);
    change.witness = std::move(witness);
    change.why = isKnown ? whyLooser(oldStatement, newStatement)
                         : whyUnsure(oldStatement, newStatement, back, gap);
    reuse(change, oldStatement, newStatement);
    reviewWords(oldStatement, newStatement);
  }

  /// What the new one allows and the old one did not, where both are one bound on the same
  /// requests.
  std::vector<WitnessValue> witnessOf(const Statement& oldStatement,
                                      const Statement& newStatement) const {
    bool isOfOneBound = oldStatement.bounds.size() == 1 && newStatement.bounds.size() == 1;
    if (!isOfOneBound || editions_.hasOtherMeaning || !editions_.overlap.isUnchanged() ||
        Implication::standpoint(editions_.old, oldStatement) !=
            Implication::standpoint(editions_.fresh, newStatement))
      return {};
    const Bound &old = oldStatement.bounds.front(), &fresh = newStatement.bounds.front();
    bool isOfSameRequests =
        old.scope.kind == fresh.scope.kind && old.scope.kind != model::Scope::Kind::Named;
    if (!isOfSameRequests || !forth_.hasSameWindow(old))
      return {};
    auto found = logic::separation(fresh, old, stands_);
    if (!found)
      return {};
    std::vector<WitnessValue> out{{figureOf(newStatement), model::print(found->kept)}};
    if (!logic::limitSame(fresh, old, stands_))
      out.push_back({figureOf(oldStatement), model::print(found->broken)});
    return out;
  }

  bool isOfSameFigures(const Statement& oldStatement, const Statement& newStatement) const {
    return Implication::standpoint(editions_.old, oldStatement) ==
               Implication::standpoint(editions_.fresh, newStatement) &&
           oldStatement.bounds.size() == newStatement.bounds.size() &&
           std::equal(oldStatement.bounds.begin(), oldStatement.bounds.end(),
                      newStatement.bounds.begin(), [&](const Bound& a, const Bound& b) {
                        return logic::limitSame(a, b, stands_) && a.scope.kind == b.scope.kind &&
                               a.scope.kind != model::Scope::Kind::Named;
                      });
  }

  /// Not where they are of another unit, or shorter and no part of the old ones.
  bool haveComparableWindows(const Statement& oldStatement, const Statement& newStatement) const {
    const auto windowOf = [](const Bound& bound) {
      return bound.over ? std::pair(bound.over->dimension(), bound.over->scaled())
                        : std::pair(model::Dimension::Windows, Rational(1));
    };
    return std::equal(
        oldStatement.bounds.begin(), oldStatement.bounds.end(), newStatement.bounds.begin(),
        newStatement.bounds.end(), [&](const Bound& before, const Bound& after) {
          const auto [unit, length] = windowOf(before);
          const auto [newUnit, newLength] = windowOf(after);
          return unit == newUnit && (newLength >= length || forth_.isWindowWithin(after, before));
        });
  }

  /// Of statements that differ in no figure.
  bool isOverLonger(const Statement& oldStatement, const Statement& newStatement) const {
    return !std::equal(newStatement.bounds.begin(), newStatement.bounds.end(),
                       oldStatement.bounds.begin(), oldStatement.bounds.end(),
                       [&](const Bound& a, const Bound& b) { return forth_.isWindowWithin(a, b); });
  }

  std::string whyLooser(const Statement& oldStatement, const Statement& newStatement) const {
    std::string move = moveOf(oldStatement, newStatement, stands_);
    if (isOverLonger(oldStatement, newStatement))
      move += (move.empty() ? "" : "; ") + windowMove(oldStatement, newStatement) +
              ": over a longer one, the rest hides a bad part";
    bool isLessSure =
        !std::equal(newStatement.bounds.begin(), newStatement.bounds.end(),
                    oldStatement.bounds.begin(), oldStatement.bounds.end(), logic::isAsSure);
    if (isLessSure && oldStatement.bounds.size() == newStatement.bounds.size())
      move += (move.empty() ? "" : "; ") + confidenceMove(oldStatement, newStatement) +
              ": below one half, it is satisfied although the value itself breaks its bound";
    return move;
  }

  std::string whyUnsure(const Statement& oldStatement, const Statement& newStatement, bool back,
                        const std::string& gap) const {
    if (Implication::standpoint(editions_.old, oldStatement) !=
        Implication::standpoint(editions_.fresh, newStatement))
      return "it compares other kernels, or other kernels' draws";
    if (!gap.empty())
      return "nothing shows that it holds " + gap;
    if (back)
      return "the old one implies the new one, but nothing shows that the new one implies the old "
             "one";
    if (std::string move = moveOf(oldStatement, newStatement, stands_); !move.empty())
      return move;
    std::string window = windowMove(oldStatement, newStatement);
    return window.empty() ? "it is about another statistic" : window;
  }

  void reuse(PartChange& change, const Statement& oldStatement,
             const Statement& newStatement) const {
    if (part_ == ChangedPart::Clause)
      change.reuse = reuseOf(editions_, oldStatement, newStatement);
  }

  void reviewWords(const Statement& oldStatement, const Statement& newStatement) {
    if (oldStatement.severity.value != newStatement.severity.value) {
      PartChange& change = add(ChangeKind::Evidence, &oldStatement, &newStatement);
      change.why = fmt::format("reports show a violation as {}, formerly as {}",
                               model::severityName(newStatement.severity.value),
                               model::severityName(oldStatement.severity.value));
    }
    if (because(oldStatement) != because(newStatement)) {
      PartChange& change = add(ChangeKind::Reworded, &oldStatement, &newStatement);
      change.before = because(oldStatement);
      change.after = because(newStatement);
      change.why = "the reason changed";
    }
  }

  const Editions& editions_;
  ChangedPart part_;
  Stands stands_;
  Statements old_, fresh_;
  Overlap turned_;
  Implication forth_, back_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> clauseChanges(const Editions& editions) {
  return StatementReview(editions, ChangedPart::Clause, statementsOf(editions.old.clauses),
                         statementsOf(editions.fresh.clauses))
      .take();
}

std::vector<PartChange> claimChanges(const Editions& editions) {
  return StatementReview(editions, ChangedPart::Claim, statementsOf(editions.old.claims),
                         statementsOf(editions.fresh.claims))
      .take();
}

std::map<std::string, std::string> renamedClauses(const std::vector<PartChange>& changes) {
  std::map<std::string, std::string> out;
  for (const PartChange& each : changes)
    if ((each.part == ChangedPart::Clause || each.part == ChangedPart::Directive) &&
        !each.formerly.empty())
      out.emplace(each.formerly, each.name);
  return out;
}

} // namespace tikc::changes
