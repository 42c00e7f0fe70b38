#include "yaml/TreeBuilder.h"

#include "support/Utf8.h"
#include "yaml/Decode.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::yaml {

using utf8::ticked;

namespace {

bool isSeparator(YamlTokenKind kind) {
  return kind == YamlTokenKind::Dash || kind == YamlTokenKind::Comma ||
         kind == YamlTokenKind::Colon;
}

bool isNullText(std::string_view text) {
  return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

} // namespace

void TreeBuilder::start(const DocumentText& document) {
  document_ = &document;
  root_.reset();
  frames_.clear();
  anchors_.clear();
  next_ = 0;
  lastEnd_ = document.feedBegin;
  openFlows_ = 0;
  expanded_ = 0;
  taggedScalar_ = exhausted_ = stopped_ = false;
}

YamlDocument TreeBuilder::finish(bool whole) {
  const Token* rest = peek();
  bool dropped = whole && rest;
  if (dropped && !document_->recovered)
    sink_.report<diag::UnmarkedDocument>(
        Span{file_, rest->begin, rest->end},
        ticked(std::string_view(source_.text).substr(rest->begin, rest->end - rest->begin)));
  stopped_ = true;
  while (!frames_.empty()) {
    Node& node = *frames_.back().node;
    node.invalid |= frames_.back().bracketed;
    if (node.kind == Node::Kind::Mapping && !node.entries.empty() && !node.entries.back().value) {
      auto value = make(Node::Kind::Scalar);
      value->style = Style::Empty;
      value->invalid = true;
      value->span = emptyPlace();
      place(std::move(value));
    }
    closeFrame();
  }
  YamlDocument out;
  out.complete = whole && !dropped && !document_->cut && !document_->recovered;
  if (!root_) {
    root_ = make(Node::Kind::Scalar);
    root_->style = Style::Empty;
    root_->invalid = !out.complete;
    root_->span = {file_, lastEnd_, lastEnd_};
  }
  out.root = std::move(root_);
  out.span = {file_, document_->begin, document_->end};
  return out;
}

// ---- Events and their tokens ----

void TreeBuilder::skipSeparators(std::uint32_t before) {
  while (peek() && isSeparator(peek()->kind) && peek()->begin < before)
    take();
}

bool TreeBuilder::takeAnchor(std::size_t anchor) {
  taggedScalar_ = false;
  if (anchor == 0)
    return true;
  if (!peek() || peek()->kind != YamlTokenKind::Anchor)
    return false;
  taggedScalar_ = peek()->invalid;
  take();
  return true;
}

bool TreeBuilder::keySlot() const {
  if (frames_.empty() || frames_.back().node->kind != Node::Kind::Mapping)
    return false;
  const auto& entries = frames_.back().node->entries;
  return entries.empty() || entries.back().value;
}

bool TreeBuilder::meets(const Token* token, YamlTokenKind kind, std::uint32_t offset,
                        std::size_t anchor) const {
  return token && token->kind == kind && (anchor != 0 || token->begin == offset);
}

/// The parser and the scanner read the text differently. After a fault that was painted over this
/// is an echo of it.
void TreeBuilder::mismatch(std::uint32_t offset) {
  stopped_ = true;
  if (document_->recovered || document_->cut)
    return;
  std::uint32_t begin = peek() ? peek()->begin : offset;
  std::uint32_t end = peek() ? peek()->end : offset;
  sink_.report<diag::SyntaxError>(Span{file_, begin, end},
                                  "ambiguous text; quote it or indent it again");
}

/// Where a value without text stands: after what was read last, which may lie before the parent
/// where the parser has lost a token.
Span TreeBuilder::emptyPlace() const {
  std::uint32_t at = frames_.empty() ? 0 : frames_.back().node->span.begin;
  return Span{file_, std::max(at, lastEnd_), std::max(at, lastEnd_)};
}

void TreeBuilder::null(std::uint32_t offset, std::size_t anchor) {
  skipSeparators(offset);
  if (!takeAnchor(anchor))
    return mismatch(offset);
  const Token* token = peek();
  bool written =
      meets(token, YamlTokenKind::Scalar, offset, anchor) && token->style == Style::Plain &&
      (keySlot() || !token->key) &&
      isNullText(std::string_view(source_.text).substr(token->begin, token->end - token->begin));
  std::unique_ptr<Node> node;
  if (written) {
    node = readScalar(*token);
    take();
  } else {
    node = make(Node::Kind::Scalar);
    node->style = Style::Empty;
    node->invalid = taggedScalar_;
    node->span = emptyPlace();
    checkMissingSpace();
  }
  remember(anchor, *node, false);
  place(std::move(node));
}

void TreeBuilder::scalar(std::uint32_t offset, std::size_t anchor, std::size_t size) {
  skipSeparators(offset);
  const Token* token = takeAnchor(anchor) ? peek() : nullptr;
  if (!meets(token, YamlTokenKind::Scalar, offset, anchor))
    return mismatch(offset);
  if (token->style == Style::Plain && !token->folded && size != token->end - token->begin)
    return mismatch(offset);
  auto node = readScalar(*token);
  take();
  remember(anchor, *node, false);
  place(std::move(node));
}

void TreeBuilder::alias(std::uint32_t offset, std::size_t anchor) {
  skipSeparators(offset);
  const Token* token = peek();
  if (!meets(token, YamlTokenKind::Alias, offset, 0) || anchor == 0 || anchor >= anchors_.size())
    return mismatch(offset);
  take();
  place(expand({file_, token->begin, token->end}, anchors_[anchor]));
}

void TreeBuilder::open(Node::Kind kind, bool flow, std::uint32_t offset, std::size_t anchor) {
  skipSeparators(offset);
  const Token* token = takeAnchor(anchor) ? peek() : nullptr;
  if (!token)
    return mismatch(offset);
  bool bracketed = flow && meets(token, YamlTokenKind::FlowOpen, offset, anchor);
  // A single pair in a list, [a: b], is a map without brackets.
  bool pair = kind == Node::Kind::Mapping && (token->key || token->kind == YamlTokenKind::Anchor ||
                                              token->kind == YamlTokenKind::Colon);
  if (flow && !bracketed && !pair)
    return mismatch(offset);
  if (frames_.size() >= limits_.nestingDepth) {
    if (!document_->cut)
      sink_.report<diag::NestingTooDeep>(Span{file_, token->begin, token->begin + 1},
                                         limits_.nestingDepth);
    stopped_ = true;
    return;
  }
  auto node = make(kind);
  node->flow = flow;
  node->span = {file_, token->begin, token->end};
  if (bracketed) {
    ++openFlows_;
    take();
  }
  remember(anchor, *node, true);
  Node* placed = node.get();
  std::size_t id = anchor;
  // The parent learns of the node now, so that what is open when a fault strikes is kept.
  place(std::move(node));
  frames_.push_back({placed, bracketed, id});
}

void TreeBuilder::close() {
  if (frames_.back().bracketed) {
    skipSeparators(static_cast<std::uint32_t>(source_.text.size()));
    if (!peek() || peek()->kind != YamlTokenKind::FlowClose)
      return mismatch(lastEnd_);
    take();
  }
  closeFrame();
}

void TreeBuilder::closeFrame() {
  Frame frame = frames_.back();
  Node& node = *frame.node;
  if (!frame.bracketed && node.kind == Node::Kind::Mapping && !node.entries.empty())
    node.span.begin = node.entries.front().span.begin;
  // A fault may strike between a collection's opening and its first token.
  lastEnd_ = std::max(lastEnd_, node.span.begin);
  node.span.end = lastEnd_;
  if (node.kind == Node::Kind::Mapping)
    checkDuplicates(node);
  openFlows_ -= frame.bracketed;
  if (frame.anchor != 0)
    anchors_[frame.anchor].open = false;
  frames_.pop_back();
  completed(node);
}

// ---- Nodes ----

std::unique_ptr<Node> TreeBuilder::make(Node::Kind kind) {
  if (++nodes_ > limits_.nodes && !stopped_) {
    Span place = peek() ? Span{file_, peek()->begin, peek()->end} : Span{file_, lastEnd_, lastEnd_};
    if (!document_->cut)
      sink_.report<diag::TooManyNodes>(place, limits_.nodes);
    stopped_ = true;
  }
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->inFlow = openFlows_ > 0;
  return node;
}

std::unique_ptr<Node> TreeBuilder::readScalar(const Token& token) {
  auto node = make(Node::Kind::Scalar);
  bool damaged = token.invalid || feed_.damaged(token.begin, token.end);
  std::string_view text = damaged ? feed_.view() : std::string_view(source_.text);
  node->style = token.style;
  node->span = {file_, token.begin, token.end};
  node->indent = token.indent;
  node->value = token.style == Style::Plain && !token.folded
                    ? std::string(text.substr(token.begin, token.end - token.begin))
                    : decode(text, {token.begin, token.end, token.style, token.indent});
  node->type = token.style == Style::Plain ? coreType(node->value) : ScalarType::String;
  node->invalid = damaged || taggedScalar_;
  if (node->value.find('\0') != std::string::npos && !node->invalid) {
    sink_.report<diag::NulByte>(node->span, "this text");
    node->invalid = true;
  }
  if (token.style == Style::Plain && !node->invalid)
    checkTraps(*node);
  return node;
}

/// Hangs a node into what is open. A collection is placed when it opens and is completed when it
/// closes.
Node* TreeBuilder::place(std::unique_ptr<Node> node) {
  Node* placed = node.get();
  bool collection = node->kind != Node::Kind::Scalar && !node->aliasSpan.valid();
  if (frames_.empty()) {
    root_ = std::move(node);
    return placed;
  }
  Node& parent = *frames_.back().node;
  if (parent.kind == Node::Kind::Sequence) {
    parent.items.push_back(std::move(node));
  } else if (keySlot()) {
    const Span& begin = placed->aliasSpan.valid() ? placed->aliasSpan : placed->span;
    parent.entries.push_back({std::move(node), nullptr, begin});
  } else {
    placed->invalid |= parent.entries.back().key->invalid;
    parent.entries.back().value = std::move(node);
  }
  if (!collection)
    completed(*placed);
  return placed;
}

/// The innermost open collection has got the whole of a child.
void TreeBuilder::completed(Node& node) {
  if (frames_.empty() || frames_.back().node->kind != Node::Kind::Mapping)
    return;
  Entry& entry = frames_.back().node->entries.back();
  entry.span.end = std::max(lastEnd_, entry.span.begin);
  if (entry.key.get() == &node && !stopped_)
    checkKey(entry);
}

void TreeBuilder::remember(std::size_t anchor, const Node& node, bool open) {
  if (anchor == 0)
    return;
  if (anchors_.size() <= anchor)
    anchors_.resize(anchor + 1);
  anchors_[anchor] = {&node, open};
}

} // namespace tikc::yaml
