#include "Require.h"
#include "expr/ExprParser.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tikc;

struct Answer {
  std::optional<std::string> printed;
  std::vector<diag::Diagnostic> findings;
};

class Reader {
public:
  Answer read(std::uint8_t form, std::string text) {
    yaml::Node node;
    node.type = yaml::ScalarType::String;
    node.value = text;
    auto size = static_cast<std::uint32_t>(text.size());
    node.span = {sources_.add("fuzz", {}, std::move(text)), 0, size};
    diag::Sink sink(limits_);
    Answer out;
    switch (form % 5) {
    case 0:
      keep(out, parser_.requirement(node, sink));
      break;
    case 1:
      keep(out, parser_.predicate(node, sink));
      break;
    case 2:
      keep(out, parser_.trigger(node, sink));
      break;
    case 3:
      keep(out, parser_.call(node, sink));
      break;
    default:
      keep(out, parser_.quantity(node, sink));
    }
    out.findings = sink.take();
    return out;
  }

private:
  template <typename Tree> static void keep(Answer& out, const std::optional<Tree>& tree) {
    if (tree)
      out.printed = print(*tree);
  }

  SourceManager sources_;
  Limits limits_;
  expr::ExprParser parser_{sources_, limits_};
};

} // namespace

/// The first byte picks the entry rule, the rest is the expression. It gets a tree that survives
/// printing, or one finding whose places lie in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0)
    return 0;
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  Reader reader;
  Answer answer = reader.read(data[0], text);
  if (answer.printed) {
    require(answer.findings.empty(), "a tree comes without findings");
    Answer again = reader.read(data[0], *answer.printed);
    bool grewTooLong =
        again.findings.size() == 1 && again.findings[0].code == diag::Code::ExpressionTooLong;
    require(grewTooLong || again.printed == answer.printed, "what is printed reads back");
    return 0;
  }
  require(answer.findings.size() == 1, "there is one finding");
  auto inside = [&](const Span& span) { return span.begin <= span.end && span.end <= text.size(); };
  const diag::Diagnostic& finding = answer.findings[0];
  require(inside(finding.span) && !finding.message.empty(),
          "the finding has a place and says something");
  for (const diag::RelatedPlace& related : finding.related)
    require(inside(related.span), "related places lie in the text");
  for (const diag::Fix& fix : finding.fixes) {
    std::uint32_t done = 0;
    for (const diag::Edit& edit : fix.edits) {
      require(inside(edit.span) && edit.span.begin >= done, "edits are in order and apart");
      done = edit.span.end;
    }
  }
  return 0;
}
