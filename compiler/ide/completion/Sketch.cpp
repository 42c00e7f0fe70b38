#include "ide/completion/Sketch.h"

namespace tikc::ide {

using yaml::NestingStep;
using yaml::Token;
using yaml::YamlTokenKind;

Sketch::Sketch(std::string text, const yaml::DocumentText& document) : text_(std::move(text)) {
  parts_.emplace_back();
  std::vector<std::size_t> open{0};
  std::size_t part = 0;
  bool isWaiting = true; // the part, for its value
  for (const NestingStep& step : yaml::nestingOf(text_, document).steps) {
    if (step.kind == NestingStep::Kind::Close) {
      open.pop_back();
      continue;
    }
    bool isKey = step.kind == NestingStep::Kind::Key;
    if (isKey || !isWaiting) {
      part = parts_.size();
      parts_.emplace_back().parent = open.back();
    }
    const Token& token = document.tokens[step.token];
    fill(parts_[part], step.kind, token);
    isWaiting = isKey && token.key;
    if (step.kind == NestingStep::Kind::Sequence || step.kind == NestingStep::Kind::Mapping)
      open.push_back(part);
  }
}

void Sketch::fill(SketchPart& part, NestingStep::Kind kind, const Token& token) const {
  switch (kind) {
  case NestingStep::Kind::Null:
  case NestingStep::Kind::Close:
    return;
  case NestingStep::Kind::Key:
    part.key = decoded(token);
    part.keySpan = {FileId{}, token.begin, token.end};
    part.hasColon = token.key;
    return;
  case NestingStep::Kind::Scalar:
    part.kind = SketchPart::Kind::Scalar;
    part.isOdd = token.invalid || token.kind != YamlTokenKind::Scalar;
    part.scalar = {token.begin, token.end, token.style, token.indent};
    return;
  case NestingStep::Kind::Sequence:
  case NestingStep::Kind::Mapping:
    part.kind = kind == NestingStep::Kind::Mapping ? SketchPart::Kind::Map : SketchPart::Kind::List;
    part.isFlow = token.kind == YamlTokenKind::FlowOpen;
  }
}

std::vector<std::size_t> Sketch::childrenOf(std::size_t part) const {
  std::vector<std::size_t> out;
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part)
      out.push_back(i);
  return out;
}

std::size_t Sketch::find(std::size_t part, std::string_view key) const {
  for (std::size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i].parent == part && !parts_[i].keySpan.empty() && parts_[i].key == key)
      return i;
  return 0;
}

std::string Sketch::textOf(std::size_t part) const {
  const SketchPart& item = parts_[part];
  if (item.kind != SketchPart::Kind::Scalar)
    return {};
  if (item.isOdd)
    return text_.substr(item.scalar.begin, item.scalar.end - item.scalar.begin);
  return yaml::decode(text_, item.scalar);
}

std::string Sketch::decoded(const Token& token) const {
  if (token.invalid || token.kind != YamlTokenKind::Scalar)
    return text_.substr(token.begin, token.end - token.begin);
  return yaml::decode(text_, {token.begin, token.end, token.style, token.indent});
}

} // namespace tikc::ide
