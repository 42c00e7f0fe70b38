#include "changes/StatementChanges.h"

#include "changes/Promises.h"
#include "changes/Reuse.h"
#include "model/Meaning.h"
#include "order/Separation.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tikc::changes {

using model::Bound;
using model::Statement;
using order::Stands;

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
    const Statement* was = nullptr;
    const Statement* is = nullptr;
  };

  StatementPairs(const Editions& editions, const Statements& was, const Statements& is) {
    std::map<std::string_view, const Statement*> byId;
    for (const Statement* each : is)
      byId.emplace(each->id.text, each);
    std::multimap<std::string, const Statement*> bySaying;
    Statements gone;
    std::map<const Statement*, bool> taken;
    for (const Statement* each : was) {
      auto same = byId.find(each->id.text);
      if (same == byId.end())
        gone.push_back(each);
      else {
        pairs_.push_back({each, same->second});
        taken[same->second] = true;
      }
    }
    for (const Statement* each : is)
      if (!taken[each])
        bySaying.emplace(saying(editions.is, *each), each);
    for (const Statement* each : gone) {
      auto same = bySaying.find(saying(editions.was, *each));
      if (same == bySaying.end()) {
        pairs_.push_back({each, nullptr});
        continue;
      }
      pairs_.push_back({each, same->second});
      taken[same->second] = true;
      bySaying.erase(same);
    }
    for (const Statement* each : is)
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
std::string moveOf(const Statement& was, const Statement& is, Stands stands) {
  if (was.bounds.size() != 1 || is.bounds.size() != 1)
    return {};
  auto left = order::slack(is.bounds.front(), was.bounds.front(), stands);
  if (!left || *left == 0)
    return {};
  return fmt::format("the limit is {} {}", percentText(*left),
                     *left > 0 ? "further in" : "further out");
}

/// "the window is 1 h, was 10 min", of the first bound of which that is said; empty where none is.
std::string moveOf(const Statement& was, const Statement& is,
                   std::optional<model::Amount> Bound::*member, std::string_view what,
                   std::string_view none) {
  if (was.bounds.size() != is.bounds.size())
    return {};
  auto text = [&](const std::optional<model::Amount>& amount) {
    return amount ? model::print(*amount) : std::string(none);
  };
  for (std::size_t i = 0; i < was.bounds.size(); ++i)
    if (const auto& before = was.bounds[i].*member, &after = is.bounds[i].*member;
        !order::isSameAmount(before, after))
      return fmt::format("the {} is {}, was {}", what, text(after), text(before));
  return {};
}
std::string confidenceMove(const Statement& was, const Statement& is) {
  return moveOf(was, is, &Bound::confidence, "confidence", "none");
}

std::string windowMove(const Statement& was, const Statement& is) {
  return moveOf(was, is, &Bound::over, "window", "the stage's");
}

/// What changes in how bounds of one promise are decided; empty where nothing does.
std::string evidenceOf(const Statement& was, const Statement& is) {
  std::string window = windowMove(was, is);
  return window.empty() ? confidenceMove(was, is) : window;
}

std::string because(const Statement& statement) {
  return statement.because ? statement.because->value : std::string();
}

/// Whether all bounds of both have one window and one confidence.
bool isDecidedAlike(const Statement& was, const Statement& is) {
  const Bound& first = was.bounds.front();
  auto isSo = [&](const Bound& each) {
    return order::isSameAmount(first.over, each.over) &&
           order::isSameAmount(first.confidence, each.confidence);
  };
  return std::all_of(was.bounds.begin(), was.bounds.end(), isSo) &&
         std::all_of(is.bounds.begin(), is.bounds.end(), isSo);
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
  StatementReview(const Editions& editions, ChangedPart part, Statements was, Statements is)
      : editions_(editions), part_(part),
        stands_(part == ChangedPart::Claim ? Stands::InClaim : Stands::InClause),
        was_(std::move(was)), is_(std::move(is)), turned_(editions.overlap.turned()),
        forth_(editions.was, editions.is, editions.overlap, stands_),
        back_(editions.is, editions.was, turned_, stands_) {}

  std::vector<PartChange> take() {
    StatementPairs paired(editions_, was_, is_);
    for (const StatementPairs::Pair& each : paired.pairs())
      if (!each.was)
        add(ChangeKind::Added, nullptr, each.is);
      else if (!each.is)
        reviewGone(*each.was);
      else
        review(*each.was, *each.is);
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
  PartChange& add(ChangeKind kind, const Statement* was, const Statement* is) {
    PartChange change{part_, kind, is ? is->id.text : was->id.text};
    if (was) {
      change.before = textOf(*was);
      change.was = placeOf(*was);
    }
    if (is) {
      change.after = textOf(*is);
      change.is = placeOf(*is);
    }
    if (was && is && was->id.text != is->id.text)
      change.formerly = was->id.text;
    out_.push_back(std::move(change));
    return out_.back();
  }

  void reviewGone(const Statement& was) {
    if (!forth_.holds(is_, was))
      add(ChangeKind::Removed, &was, nullptr);
    else if (std::string heard = whoHears(was); !heard.empty())
      add(ChangeKind::Unsure, &was, nullptr).why = whoImplies(was) + ", but " + heard;
    else
      add(ChangeKind::Implied, &was, nullptr).why = whoImplies(was);
  }

  /// Of a clause that others imply: the rule that hears of it and would not hear the same of them;
  /// empty where none does. One that asks for `any` hears it of one that implies it and is decided
  /// at the same times and as surely, or misses nothing where none could break it.
  std::string whoHears(const Statement& was) {
    if (part_ != ChangedPart::Clause)
      return {};
    const bool isHeardAlike =
        forth_.holds({}, was) || std::any_of(is_.begin(), is_.end(), [&](const Statement* each) {
          return isDecidedAlike(was, *each) && forth_.holds({each}, was);
        });
    for (const model::Contract* edition : {&editions_.was, &editions_.is})
      for (const model::Rule& rule : edition->rules)
        if (names(rule, was.id.text) || (!isHeardAlike && names(rule, "any")))
          return fmt::format("rule {} reacts to it, and to the remaining clauses at other times",
                             utf8::ticked(rule.id.text));
    return {};
  }

  /// Which statement alone implies the whole of an old one, if one does.
  std::string whoImplies(const Statement& was) {
    for (const Statement* each : is_)
      if (forth_.holds({each}, was))
        return fmt::format("it follows from {}", utf8::ticked(each->id.text));
    return "it follows from several of them together";
  }

  void review(const Statement& was, const Statement& is) {
    bool forth = forth_.holds({&is}, was);
    std::string gap = forth_.gap();
    bool back = back_.holds({&was}, is);
    std::string evidence = evidenceOf(was, is);
    if (!forth)
      return reviewLost(was, is, back, gap);
    bool isSaidAlike = canonicalText(was) == canonicalText(is);
    if (!back || !evidence.empty() || !isSaidAlike) {
      PartChange& change = add(!back               ? ChangeKind::Tighter
                               : !evidence.empty() ? ChangeKind::Evidence
                                                   : ChangeKind::Restated,
                               &was, &is);
      change.why = back ? evidence : moveOf(was, is, stands_);
      if (!back && !evidence.empty())
        change.why += (change.why.empty() ? "" : "; ") + evidence;
      reuse(change, was, is);
    } else if (was.id.text != is.id.text)
      add(ChangeKind::Renamed, &was, &is);
    reviewWords(was, is);
  }

  /// What the old one said does not follow from its successor.
  void reviewLost(const Statement& was, const Statement& is, bool back, const std::string& gap) {
    if (forth_.holds(is_, was) && whoHears(was).empty()) {
      add(ChangeKind::Replaced, &was, &is).why = whoImplies(was);
      return reviewWords(was, is);
    }
    std::vector<WitnessValue> witness = witnessOf(was, is);
    bool isKnown = !witness.empty() || (editions_.overlap.isUnchanged() &&
                                        isOfSameFigures(was, is) && haveComparableWindows(was, is));
    PartChange& change = add(isKnown ? ChangeKind::Looser : ChangeKind::Unsure, &was, &is);
    change.witness = std::move(witness);
    change.why = isKnown ? whyLooser(was, is) : whyUnsure(was, is, back, gap);
    reuse(change, was, is);
    reviewWords(was, is);
  }

  /// What the new one allows and the old one did not, where both are one bound on the same
  /// requests.
  std::vector<WitnessValue> witnessOf(const Statement& was, const Statement& is) const {
    bool isOfOneBound = was.bounds.size() == 1 && is.bounds.size() == 1;
    if (!isOfOneBound || editions_.hasOtherMeaning || !editions_.overlap.isUnchanged() ||
        Implication::standpoint(editions_.was, was) != Implication::standpoint(editions_.is, is))
      return {};
    const Bound &old = was.bounds.front(), &fresh = is.bounds.front();
    bool isOfSameRequests =
        old.scope.kind == fresh.scope.kind && old.scope.kind != model::Scope::Kind::Named;
    if (!isOfSameRequests || !forth_.hasSameWindow(old))
      return {};
    auto found = order::separation(fresh, old, stands_);
    if (!found)
      return {};
    std::vector<WitnessValue> out{{figureOf(is), model::print(found->kept)}};
    if (!order::limitSame(fresh, old, stands_))
      out.push_back({figureOf(was), model::print(found->broken)});
    return out;
  }

  bool isOfSameFigures(const Statement& was, const Statement& is) const {
    return Implication::standpoint(editions_.was, was) ==
               Implication::standpoint(editions_.is, is) &&
           was.bounds.size() == is.bounds.size() &&
           std::equal(was.bounds.begin(), was.bounds.end(), is.bounds.begin(),
                      [&](const Bound& a, const Bound& b) {
                        return order::limitSame(a, b, stands_) && a.scope.kind == b.scope.kind &&
                               a.scope.kind != model::Scope::Kind::Named;
                      });
  }

  /// Not where they are of another unit, or shorter and no part of the old ones.
  bool haveComparableWindows(const Statement& was, const Statement& is) const {
    const auto windowOf = [](const Bound& bound) {
      return bound.over ? std::pair(bound.over->dimension(), bound.over->scaled())
                        : std::pair(model::Dimension::Windows, Rational(1));
    };
    return std::equal(was.bounds.begin(), was.bounds.end(), is.bounds.begin(), is.bounds.end(),
                      [&](const Bound& before, const Bound& after) {
                        const auto [unit, length] = windowOf(before);
                        const auto [newUnit, newLength] = windowOf(after);
                        return unit == newUnit &&
                               (newLength >= length || forth_.isWindowWithin(after, before));
                      });
  }

  /// Of statements that differ in no figure.
  bool isOverLonger(const Statement& was, const Statement& is) const {
    return !std::equal(is.bounds.begin(), is.bounds.end(), was.bounds.begin(), was.bounds.end(),
                       [&](const Bound& a, const Bound& b) { return forth_.isWindowWithin(a, b); });
  }

  std::string whyLooser(const Statement& was, const Statement& is) const {
    std::string move = moveOf(was, is, stands_);
    if (isOverLonger(was, is))
      move += (move.empty() ? "" : "; ") + windowMove(was, is) +
              ": over a longer one, the rest hides a bad part";
    bool isLessSure = !std::equal(is.bounds.begin(), is.bounds.end(), was.bounds.begin(),
                                  was.bounds.end(), order::isAsSure);
    if (isLessSure && was.bounds.size() == is.bounds.size())
      move += (move.empty() ? "" : "; ") + confidenceMove(was, is) +
              ": below one half, it is satisfied although the value itself breaks its bound";
    return move;
  }

  std::string whyUnsure(const Statement& was, const Statement& is, bool back,
                        const std::string& gap) const {
    if (Implication::standpoint(editions_.was, was) != Implication::standpoint(editions_.is, is))
      return "it compares other kernels, or other kernels' draws";
    if (!gap.empty())
      return "nothing shows that it holds " + gap;
    if (back)
      return "the old one implies the new one, but nothing shows that the new one implies the old "
             "one";
    if (std::string move = moveOf(was, is, stands_); !move.empty())
      return move;
    std::string window = windowMove(was, is);
    return window.empty() ? "it is about another statistic" : window;
  }

  void reuse(PartChange& change, const Statement& was, const Statement& is) const {
    if (part_ == ChangedPart::Clause)
      change.reuse = reuseOf(editions_, was, is);
  }

  void reviewWords(const Statement& was, const Statement& is) {
    if (was.severity.value != is.severity.value) {
      PartChange& change = add(ChangeKind::Evidence, &was, &is);
      change.why = fmt::format("reports show a violation as {}, formerly as {}",
                               model::severityName(is.severity.value),
                               model::severityName(was.severity.value));
    }
    if (because(was) != because(is)) {
      PartChange& change = add(ChangeKind::Reworded, &was, &is);
      change.before = because(was);
      change.after = because(is);
      change.why = "the reason changed";
    }
  }

  const Editions& editions_;
  ChangedPart part_;
  Stands stands_;
  Statements was_, is_;
  Overlap turned_;
  Implication forth_, back_;
  std::vector<PartChange> out_;
};

} // namespace

std::vector<PartChange> clauseChanges(const Editions& editions) {
  return StatementReview(editions, ChangedPart::Clause, statementsOf(editions.was.clauses),
                         statementsOf(editions.is.clauses))
      .take();
}

std::vector<PartChange> claimChanges(const Editions& editions) {
  return StatementReview(editions, ChangedPart::Claim, statementsOf(editions.was.claims),
                         statementsOf(editions.is.claims))
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
