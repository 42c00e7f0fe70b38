#pragma once

#include "yaml/Scanner.h"

namespace tikc::yaml {

/// Builds nodes from the structure in the YAML parser's events and the places in the scanner's
/// tokens. Each event must meet its token. A token without an event is text that the parser
/// dropped.
class TreeBuilder {
public:
  TreeBuilder(const Source& source, FileId file, const FeedText& feed, const Limits& limits,
              diag::Sink& sink)
      : source_(source), file_(file), feed_(feed), limits_(limits), sink_(sink) {}

  void start(const DocumentText& document);
  /// Closes open nodes; `whole` means that the parser reached the document's end.
  YamlDocument finish(bool whole);

  // Offsets are the parser's: those of a property, if there is one, else of the token. Anchors are
  // numbered from 1; 0 is none.
  void null(std::uint32_t offset, std::size_t anchor);
  void alias(std::uint32_t offset, std::size_t anchor);
  void scalar(std::uint32_t offset, std::size_t anchor, std::size_t size);
  void open(Node::Kind kind, bool flow, std::uint32_t offset, std::size_t anchor);
  void close();

  /// Returns whether the rest of this document is unreadable, which has been reported.
  bool stopped() const { return stopped_; }

private:
  struct Frame {
    Node* node;
    bool bracketed;
    std::size_t anchor;
  };
  struct Anchor {
    const Node* node = nullptr;
    bool open = false;
  };
  struct Weight {
    std::uint64_t nodes = 0;
    std::uint32_t height = 0;
  };

  const Token* peek() const {
    return next_ < document_->tokens.size() ? &document_->tokens[next_] : nullptr;
  }
  void take() { lastEnd_ = document_->tokens[next_++].end; }
  void skipSeparators(std::uint32_t before);
  bool takeAnchor(std::size_t anchor);
  bool keySlot() const;
  bool meets(const Token* token, YamlTokenKind kind, std::uint32_t offset,
             std::size_t anchor) const;
  void mismatch(std::uint32_t offset);

  std::unique_ptr<Node> make(Node::Kind kind);
  std::unique_ptr<Node> readScalar(const Token& token);
  Span emptyPlace() const;
  Node* place(std::unique_ptr<Node> node);
  void completed(Node& node);
  void remember(std::size_t anchor, const Node& node, bool open);
  void closeFrame();

  void checkMissingSpace();
  void reportStrayValue();
  void checkKey(Entry& entry);
  bool checkSecondContract(Node& mapping);
  void checkDuplicates(Node& mapping);
  void checkTraps(const Node& scalar);
  std::unique_ptr<Node> expand(const Span& alias, const Anchor& anchor);
  Weight weigh(const Node& node, std::uint64_t most) const;

  const Source& source_;
  FileId file_;
  const FeedText& feed_;
  const Limits& limits_;
  diag::Sink& sink_;

  const DocumentText* document_ = nullptr;
  std::unique_ptr<Node> root_;
  std::vector<Frame> frames_;
  std::vector<Anchor> anchors_;
  std::size_t next_ = 0;
  std::uint32_t lastEnd_ = 0;
  std::uint32_t openFlows_ = 0;
  std::uint64_t nodes_ = 0;    // in the file
  std::uint64_t expanded_ = 0; // by aliases in the document
  bool taggedScalar_ = false;
  bool exhausted_ = false; // the limit on aliases was reached and reported
  bool stopped_ = false;
};

} // namespace tikc::yaml
