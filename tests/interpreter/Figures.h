#pragma once

#include "checker/plan/Plan.h"

#include <map>
#include <vector>

/// The catalogue's figures from their definitions, in long double, in the order in which one would
/// write them down. NaN stands for an observation that is none.
namespace tikc::interpreter {

using Wide = long double;
using Figures = std::map<plan::Figure, Wide>;

/// One sampled token's log-probs.
struct Token {
  Wide train, infer;

  /// No log-prob is NaN or +inf, and two of -inf have no difference.
  bool isBad() const;
  Wide gap() const { return train - infer; }
};

/// Of raw logits.
Figures rowFigures(const std::vector<Wide>& train, const std::vector<Wide>& infer,
                   const plan::Stream& of);

Wide tokenFigure(const plan::Signal& signal, const Token& token);

/// Of a response.
Wide sequenceFigure(const plan::Signal& signal, const std::vector<Token>& tokens);

/// A response's mean of a figure of its tokens, of which there is one at least.
Wide meanByResponse(const plan::Signal& signal, const std::vector<Token>& tokens);

/// Of all tokens of a window, of which there is one at least.
Wide windowFigure(plan::Figure figure, const std::vector<Token>& tokens);

/// What a figure can be, and so what an observation that is none is somewhere in.
struct Extent {
  Wide low, high;
};
Extent extentOf(const plan::Signal& signal);

} // namespace tikc::interpreter
