#include "yaml/YamlReader.h"

#include "model/Keys.h"

#include "yaml/Encoding.h"
#include "yaml/Nesting.h"
#include "yaml/ParserFault.h"
#include "yaml/TreeBuilder.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <istream>
#include <streambuf>

namespace tikc::yaml {
namespace {

/// Reads a string where it lies.
class ViewBuffer : public std::streambuf {
public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());
    setg(begin, begin, begin + text.size());
  }
};

/// Leaves the parser from inside an event; what is wrong has been reported.
struct Stopped {};

class EventHandler : public YAML::EventHandler {
public:
  EventHandler(TreeBuilder& builder, std::uint32_t base) : builder_(builder), base_(base) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.null(offset(mark), anchor);
    check();
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    builder_.alias(offset(mark), anchor);
    check();
  }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                const std::string& value) override {
    builder_.scalar(offset(mark), anchor, value.size());
    check();
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    builder_.open(Node::Kind::Sequence, style != YAML::EmitterStyle::Block, offset(mark), anchor);
    check();
  }
  void OnSequenceEnd() override {
    builder_.close();
    check();
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    builder_.open(Node::Kind::Mapping, style != YAML::EmitterStyle::Block, offset(mark), anchor);
    check();
  }
  void OnMapEnd() override {
    builder_.close();
    check();
  }

private:
  std::uint32_t offset(const YAML::Mark& mark) const {
    return base_ + static_cast<std::uint32_t>(mark.pos);
  }
  void check() const {
    if (builder_.stopped())
      throw Stopped{};
  }

  TreeBuilder& builder_;
  std::uint32_t base_;
};

YamlDocument built(const std::vector<NestingStep>& steps, const DocumentText& document,
                   TreeBuilder& builder) {
  for (const NestingStep& step : steps) {
    const Token& token = document.tokens[step.token];
    bool isFlow = token.kind == YamlTokenKind::FlowOpen;
    switch (step.kind) {
    case NestingStep::Kind::Null:
      builder.null(token.end, 0);
      break;
    case NestingStep::Kind::Scalar:
    case NestingStep::Kind::Key:
      builder.scalar(token.begin, 0, token.end - token.begin);
      break;
    case NestingStep::Kind::Sequence:
      builder.open(Node::Kind::Sequence, isFlow, token.begin, 0);
      break;
    case NestingStep::Kind::Mapping:
      builder.open(Node::Kind::Mapping, isFlow, token.begin, 0);
      break;
    case NestingStep::Kind::Close:
      builder.close();
      break;
    }
    if (builder.stopped())
      return builder.finish(false);
  }
  return builder.finish(true);
}

YamlDocument parsed(const Source& source, FileId file, const FeedText& feed,
                    const DocumentText& document, TreeBuilder& builder, diag::Sink& sink) {
  ViewBuffer buffer(feed.view().substr(document.feedBegin, document.feedEnd - document.feedBegin));
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    EventHandler handler(builder, document.feedBegin);
    parser.HandleNextDocument(handler);
  } catch (const Stopped&) {
    return builder.finish(false);
  } catch (const YAML::Exception& fault) {
    if (!document.recovered && !document.cut)
      reportParserFault(
          fault.msg, document.feedBegin + static_cast<std::uint32_t>(std::max(fault.mark.pos, 0)),
          source, file, document, sink);
    return builder.finish(false);
  }
  return builder.finish(true);
}

/// What stands below a key of the author's own may be anything that YAML has: what is asked of the
/// rest is that all tools read the same contract in it.
void freeAuthors(const Node& node, diag::Sink& sink) {
  for (const auto& item : node.items)
    freeAuthors(*item, sink);
  for (const Entry& entry : node.entries) {
    if (!model::isFree(entry.key->value)) {
      freeAuthors(*entry.value, sink);
      continue;
    }
    sink.drop([&](const diag::Diagnostic& finding) {
      using enum diag::Code;
      bool isOfContracts = finding.code == TagNotSupported || finding.code == MergeKey ||
                           finding.code == BooleanTrap || finding.code == OctalTrap ||
                           finding.code == ComplexKey;
      return isOfContracts && entry.span.contains(finding.span) && finding.span != entry.key->span;
    });
  }
}

} // namespace

Tree readYaml(const SourceManager& sources, FileId file, const Limits& limits, diag::Sink& sink,
              StructureBy by) {
  const Source& source = sources.get(file);
  Tree tree;
  tree.file = file;
  std::size_t before = sink.size();
  FeedText feed(source.text);
  if (!checkEncoding(file, feed, sink))
    return tree;
  Scanner scanner(file, feed, limits, sink, tree.comments);
  TreeBuilder builder(source, file, feed, limits, sink);
  for (DocumentText document; scanner.next(document);) {
    for (const Token& token : document.tokens)
      if (token.kind == YamlTokenKind::Anchor || token.kind == YamlTokenKind::Alias)
        tree.anchors.push_back({file, token.begin, token.end});
    auto steps = by == StructureBy::Tokens
                     ? plainNesting(feed.view(), document, limits.nestingDepth)
                     : std::nullopt;
    builder.start(document);
    tree.documents.push_back(steps ? built(*steps, document, builder)
                                   : parsed(source, file, feed, document, builder, sink));
  }
  for (const YamlDocument& document : tree.documents)
    if (document.complete && sink.size() > before)
      freeAuthors(*document.root, sink);
  return tree;
}

} // namespace tikc::yaml
