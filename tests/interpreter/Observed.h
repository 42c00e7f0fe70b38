#pragma once

#include "interpreter/Figures.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tikc::interpreter {

/// One thing that was observed, in the slice that its observer said, before the evaluation or the
/// end of a step that is the tick's.
struct Observation {
  plan::StreamSource source{};
  std::uint32_t stream = 0;
  std::size_t tick = 0, slice = 0;
  std::vector<Token> tokens; // one, or those of a response
  Figures figures;           // of all else
  std::uint64_t id = 0;      // of a response
};

/// What was served, observed or not.
struct Served {
  std::size_t tick, slice;
  std::uint64_t tokens, requests;
};

/// What was observed from the tick `since` to that at `tick`, on a slice or on all.
struct Stretch {
  std::size_t since, tick;
  std::optional<std::size_t> slice;

  bool holds(std::size_t at, std::size_t of) const {
    return at >= since && at <= tick && (!slice || *slice == of);
  }
};

/// All that a checker was shown.
class Observed {
public:
  explicit Observed(const plan::Plan& plan) : plan_(plan), values_(plan.signals.size()) {}

  void add(const Observation& observation);
  void add(const Served& served) { served_.push_back(served); }

  /// A signal's values, NaN where an observation is none.
  std::vector<Wide> values(std::uint32_t signal, const Stretch& in) const;
  std::vector<Token> tokens(std::uint32_t stream, const Stretch& in) const;
  /// On the link that clauses ask it of, of what the server drew, and that was shown the least.
  std::uint64_t count(plan::Input input, const Stretch& in) const;
  std::uint64_t volume(plan::Window::Unit unit, const Stretch& in) const;
  /// Whether there was anything, served or observed.
  bool isBusy(const Stretch& in) const;
  std::uint64_t served(plan::Input input, const Stretch& in) const;

private:
  struct Value {
    std::size_t tick, slice;
    Wide value;
  };
  struct At {
    std::size_t tick, slice;
    std::uint32_t stream;
    Token token;
  };
  struct Seen {
    std::size_t tick, slice;
    std::uint32_t stream;
    plan::StreamSource source;
    bool isBatchReplay;
  };

  std::uint64_t seen(plan::StreamSource source, std::uint32_t stream, const Stretch& in,
                     bool batchReplays = false) const;
  /// What passed: any link may have been shown the most of it.
  std::uint64_t passed(plan::StreamSource source, const Stretch& in) const;
  bool isAsked(plan::StreamSource source, std::uint32_t stream) const;

  const plan::Plan& plan_;
  std::vector<std::vector<Value>> values_;
  std::vector<At> tokens_;
  std::vector<Seen> seen_;
  std::vector<Served> served_;
};

} // namespace tikc::interpreter
